"""The native lower case equals Python's, on every code point and in every width."""

from hypothesis import given

from rankwise import _core
from rankwise.text.segments import lower_case
from texts import segments, unzip


def test_every_code_point():
    for start in range(0, 0x110000, 0x1000):
        points = [chr(c) for c in range(start, start + 0x1000)]
        lines = [*points, *(c + "中" for c in points), *(c + "𠮷" for c in points)]
        assert _core.lower_case(lines) == [line.lower() for line in lines]


@given(segments)
def test_texts_and_sets_of_references(pairs):
    hypotheses, references = unzip(pairs)
    assert lower_case(hypotheses) == [text.lower() for text in hypotheses]
    assert lower_case(references) == [[text.lower() for text in entry] for entry in references]


def test_final_sigma_and_letters_that_become_two():
    lines = ["ΣΑΣ ΑΣ中", "İstanbul中", "ＡＢＣ。", "ﬀ中"]
    assert lower_case(lines) == [line.lower() for line in lines]
