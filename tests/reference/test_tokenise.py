"""The native tokenizers equal the chains of replacements."""

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
