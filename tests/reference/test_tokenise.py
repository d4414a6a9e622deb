"""The native tokenizers equal the chains of replacements."""

import random

import pytest
from hypothesis import given

from rankwise import _core
from reference import tokenise as slow
from texts import texts


@pytest.mark.parametrize("tokenizer", slow.RULES)
@given(text=texts)
def test_native_equals_reference(tokenizer, text):
    assert _core.tokenise([text], tokenizer) == [slow.tokenise(text, tokenizer)]


@pytest.mark.parametrize("tokenizer", slow.RULES)
def test_every_code_point_between_digits_and_letters(tokenizer):
    """All of the planes that have characters; of the others, which are one kind, every 61st."""
    for start in range(0, 0x110000, 0x1000):
        step = 1 if start >> 16 in (0, 1, 2, 3, 14) else 61
        for left, right in (("1", "2"), ("a", "b")):
            line = left.join(chr(c) + right for c in range(start, start + 0x1000, step))
            assert _core.tokenise([line], tokenizer) == [slow.tokenise(line, tokenizer)]


@pytest.mark.parametrize("tokenizer", slow.RULES)
@pytest.mark.parametrize("left", ["", " ", "3", "a", "中"])
@pytest.mark.parametrize("right", ["", " ", "3", "a", "中", "-"])
def test_runs_of_marks(tokenizer, left, right):
    runs = [kind * n for n in range(1, 8) for kind in (".", ",", ".,", "-")]
    lines = [left + run + right for run in runs]
    assert _core.tokenise(lines, tokenizer) == [slow.tokenise(line, tokenizer) for line in lines]


@pytest.mark.parametrize("tokenizer", slow.RULES)
@pytest.mark.parametrize("widest", ["", "é", "–", "𠮷"])
def test_long_lines_of_every_width(tokenizer, widest):
    """The core looks at 64 code points at a time, in the width that Python stores them in."""
    text = "Mr. O'Neil paid 1,000.50 (2-3 times)... §5: “No”, he said--à Paris; 中文 3.中. " * 4
    line = "".join(c for c in text if ord(c) < 128) if widest < "é" else text
    line = line.encode("latin-1", "ignore").decode("latin-1") if widest < "–" else line
    lines = [line[start:end] + widest for start in range(70) for end in (63, 64, 65, 129, 200)]
    assert _core.tokenise(lines, tokenizer) == [slow.tokenise(line, tokenizer) for line in lines]


@pytest.mark.parametrize("tokenizer", slow.RULES)
def test_every_code_point_of_one_byte(tokenizer):
    lines = [f"{left}{chr(c)}{right}" for c in range(256) for left in "1a." for right in "2b,"]
    assert _core.tokenise(lines, tokenizer) == [slow.tokenise(line, tokenizer) for line in lines]


@pytest.mark.parametrize("tokenizer", slow.RULES)
@pytest.mark.parametrize("border", [64, 128, 512, 1024])
def test_marks_and_digits_on_either_side_of_a_block(tokenizer, border):
    """Blocks of 64 code points come in chunks of 512; what is beside a border counts."""
    chance = random.Random(border)
    lines = []
    for kinds in (".,1a", ".,-1a ", ".1", "aé中 ", "中"):
        for length in range(border - 3, border + 4):
            lines.append("a" * (border - 8) + "".join(chance.choices(kinds, k=length - border + 8)))
            lines.append("".join(chance.choices(kinds, k=length)))
    assert _core.tokenise(lines, tokenizer) == [slow.tokenise(line, tokenizer) for line in lines]
