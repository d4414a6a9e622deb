"""The edit kernels on text that breaks programs: they stay correct, and bounded."""

import os
import subprocess
import sys

import pytest

from rankwise import _core
from rankwise.metrics.ter import Ter
from rankwise.metrics.wer import Cer, Wer

METRICS = [Wer(), Cer(), Cer(whitespace=False), Ter(), Ter(normalized=True, asian_support=True)]
LINES = [
    "",
    " ",
    "\x00",
    "a\x00b \x00",
    "\ud800 \udfff",
    "\ud83d\ude00",
    "😀 😀",
    "\ufeffa",
    "'s",
    "&",
]


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_strange_lines_equal_themselves_and_nothing_else(metric):
    for line in LINES:
        assert metric.corpus([line], [line]) == 0
    assert metric.statistics(["\x00"], ["\x01"])[0, 0] == 1
    assert metric.statistics(["\ud83d\ude00"], ["😀"])[0, :3].sum() > 0  # surrogates are not joined


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_long_lines(metric):
    """Ten megabytes with three words changed, moved or lost; and against next to nothing."""
    words = [f"word{i % 5003}" for i in range(1_000_000)]
    reference = " ".join(words)
    words[10], words[500_000] = "x", "y"
    del words[-1]
    hypothesis = " ".join(words)
    assert len(reference) > 8_000_000
    row = metric.statistics([hypothesis], [reference])[0]
    assert 3 <= row[:-1].sum() <= 3 * 8 + 9 and row[-1] >= 1_000_000
    assert metric.statistics(["z"], [hypothesis])[0][:-1].sum() >= 999_999
    assert metric.statistics([hypothesis], ["z"])[0][:-1].sum() >= 999_998


def test_million_equal_words():
    """Every word matches everywhere; the candidates of TER are all at the first words."""
    line = "a " * 1_000_000
    assert Ter().statistics([line], [line + "a"]).tolist() == [[1, 1_000_001]]


def test_rows_do_not_depend_on_threads():
    script = (
        "import random\n"
        "from rankwise.metrics.ter import Ter\n"
        "from rankwise.metrics.wer import Wer\n"
        "rng = random.Random(1)\n"
        "texts = [' '.join(rng.choices('abcdefg', k=rng.randrange(40))) for _ in range(600)]\n"
        "print(Wer().statistics(texts, texts[::-1]).tolist(), Ter().corpus(texts, texts[::-1]))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "RANKWISE_THREADS": str(number)},
            capture_output=True,
            check=True,
        ).stdout
        for number in (1, 3)
    }
    assert len(outputs) == 1


def test_wrong_types_are_errors():
    with pytest.raises(TypeError, match="hypotheses 1 is a int; expected a str"):
        _core.edit_counts(["a", 1], ["a", "b"], 0)
    with pytest.raises(TypeError, match="reference 0 is a NoneType"):
        _core.ter_counts(["a"], [None], False, False, False, False)
    with pytest.raises(ValueError, match="2 hypotheses but references for 1 segments"):
        _core.edit_counts(["a", "b"], ["a"], 0)
    with pytest.raises(ValueError, match="unknown unit"):
        _core.edit_counts(["a"], ["a"], 3)
    with pytest.raises(ValueError, match="segment 1 has no reference"):
        _core.edit_counts(["a"], [[]], 0)
