"""What breaks C++, on every kernel that reads text: no terminator, width or length is special.

Python strings are all that comes in: bytes that are no UTF-8 cannot be strings.
"""

import pytest

from kernels import KERNELS

every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)

LINES = [
    "",
    " ",
    "\n",
    "\x00",
    "a\x00b c",
    "\x00 \x00 c",
    "\ud800 c",
    "c \udfff",
    "\ud83d\ude00 c",  # two lone surrogates, not one character
    "😀 c",
    "\ufeffa",
    "é ÿ c",
    "ﬃ ſ İ ß c",
    "\U0010ffff c",
    "a\u0301\u200d\u202e c",
    "&",
    "&amp;amp;quot; <skipped> -\n c",
    "'s ' '' `` .. ... ., ,. 1. .1 1,1 1-1 -",
    "'" * 70,
    "." * 70,
    "a" * 200,
    "中文。" * 30,
]
PAIRS = [(hypothesis, reference) for hypothesis in LINES for reference in LINES]


@every_kernel
def test_lines_together_give_what_they_give_alone(kernel):
    """Memory is used again from line to line: nothing of the line before may show."""
    hypotheses, references = zip(*PAIRS, strict=True)
    alone = [kernel([hypothesis], [reference])[0] for hypothesis, reference in PAIRS]
    assert kernel(hypotheses, references) == alone
    assert kernel(hypotheses, [[reference] for reference in references]) == alone


@every_kernel
@pytest.mark.parametrize("strange", ["\x00", "\ud800", "\udfff", "\ud83d\ude00", "\U0010ffff", "é"])
def test_what_comes_after_counts(kernel, strange):
    """Nothing ends a line but its end."""
    line, other = f"a {strange} b{strange}b c", f"a {strange} b{strange}b d"
    assert kernel([line], [line]) != kernel([line], [other])
    assert kernel([line], [line]) != kernel([other], [line])


@every_kernel
def test_nothing(kernel):
    assert kernel([], []) == []
    (entry,) = kernel([""], [""])
    assert kernel.size(entry) == 0


@every_kernel
def test_lines_of_ten_megabytes(kernel):
    """Lengths grow with the text: what a unit adds at the start it adds after half a million."""
    unit = "wörd \ud800&amp; 3.5\x00 "

    def size(units):
        line = unit * units
        (entry,) = kernel(["y " + line], [line])
        return kernel.size(entry)

    per_unit = size(3) - size(2)
    units = 300 if kernel.quadratic else 10_000_000 // len(unit)
    assert per_unit > 0
    assert size(units) == size(2) + per_unit * (units - 2)


@every_kernel
@pytest.mark.parametrize("text", [b"a", b"\xff\xfe", 1, None, ["a", b"b"]], ids=repr)
def test_only_strings_come_in(kernel, text):
    with pytest.raises(TypeError):
        kernel([text], ["a"])
    with pytest.raises(TypeError):
        kernel(["a"], [[text]])
