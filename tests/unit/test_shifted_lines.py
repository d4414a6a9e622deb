"""Lines beside their neighbours' references are told; lines in their place never are."""

import random
from dataclasses import replace

import pytest

from cpu_ratio import ratio
from rankwise import Study
from rankwise.evaluate.odd.shifted_lines import ShiftedLines
from rankwise.evaluate.odd.text_troubles import text_troubles
from rankwise.evaluate.plain_scores import plain_scores
from rankwise.metrics import metrics_of
from rankwise.types.text_block import blocks_of
from shared_data import needs_shared
from wmt_sets import wmt_texts

SAID = "outputs seem to be shifted: "


def _lines(count, seed=1):
    """Sentences of random words, of very different lengths."""
    draw = random.Random(seed)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(500)]
    return [" ".join(draw.choices(words, k=draw.randint(3, 40))) for _ in range(count)]


def _worse(lines):
    """A translation of them: every fourth word is another one."""
    return [" ".join("other" if i % 4 == 3 else w for i, w in enumerate(x.split())) for x in lines]


REFERENCES = _lines(240)
OUTPUTS = _worse(REFERENCES)
LATE, EARLY = ["text", *OUTPUTS[:-1]], [*OUTPUTS[1:], "end"]


def _said(outputs, references=REFERENCES, sources=()):
    return text_troubles(Study.from_texts(outputs, references, sources).texts)


def test_an_output_a_line_late_or_early_is_named():
    outputs = {"a": OUTPUTS, "b": LATE, "c": EARLY}
    assert _said(outputs) == [f"{SAID}b (a line late), c (a line early)"]


def test_a_shift_from_the_middle_on():
    outputs = {"a": [*OUTPUTS[:120], *LATE[120:]], "b": [*OUTPUTS[:60], *EARLY[60:]]}
    assert _said(outputs) == [
        f"{SAID}b (a line early from about segment 61 on), "
        "a (a line late from about segment 121 on)"
    ]


def test_a_shift_in_a_later_block():
    shifts = ShiftedLines()
    texts = {"a": [*OUTPUTS[:120], *LATE[120:]]}
    for block in blocks_of(Study.from_texts(texts, REFERENCES).texts, size=120):
        shifts.see(block)
    assert list(shifts.sentences()) == [f"{SAID}a (a line late from about segment 121 on)"]


def test_the_first_of_several_references_is_enough():
    several = {"one": REFERENCES, "two": _lines(240, seed=2)}
    assert _said({"a": LATE}, several) == [f"{SAID}a (a line late)"]


def test_sources_and_outputs_without_references_are_told_by_their_lengths():
    sources = [x.replace("a", "ß").upper() + "!" * (len(x) // 3) for x in REFERENCES]
    assert _said({"a": OUTPUTS}, sources=["title", *sources[:-1]]) == [
        "the sources seem to be shifted: a line late"
    ]
    nothing = [()] * 240
    assert _said({"a": OUTPUTS, "b": LATE}, nothing, sources) == [f"{SAID}b (a line late)"]


@pytest.mark.parametrize(
    "outputs",
    [
        OUTPUTS[::-1],
        random.Random(3).sample(OUTPUTS, 240),
        ["the same line"] * 240,
        [""] * 240,
        [OUTPUTS[i] if i % 3 else LATE[i] for i in range(240)],  # some lines alone
        [*OUTPUTS[:225], *LATE[225:]],  # the last 15 lines: no window is of these alone
    ],
)
def test_texts_that_are_wrong_otherwise_are_not_called_shifted(outputs):
    assert not [x for x in _said({"a": outputs}) if "shifted" in x]


def test_few_lines_say_nothing():
    assert _said({"a": LATE[:29]}, REFERENCES[:29]) == []
    assert _said({"a": LATE[:30]}, REFERENCES[:30]) == [f"{SAID}a (a line late)"]


#: Systems that translate nothing.
NONSENSE = {"AIST", "CycleL"}
SETS = ["wmt21/zh-en", "wmt21-wiki/bn-hi", "wmt22/ja-en", "wmt23/en-de", "wmt24/en-ja"]


@needs_shared
@pytest.mark.parametrize("pair", SETS)
def test_no_system_of_wmt_is_shifted_unless_it_is(pair):
    """Where a heading was put before its lines, it is: but for two that translated nothing."""
    texts = wmt_texts(pair)
    shifts = ShiftedLines()
    for block in blocks_of(texts):
        shifts.see(block)
    assert list(shifts.sentences()) == []
    late = {name: ("header", *lines[:-1]) for name, lines in texts.outputs.items()}
    told = []
    for name, lines in late.items():
        shifts = ShiftedLines()
        for block in blocks_of(replace(texts, outputs={name: lines})):
            shifts.see(block)
        if list(shifts.sentences()) == [f"{SAID}{name} (a line late)"]:
            told.append(name)
    assert set(late) - set(told) <= NONSENSE


@needs_shared
def test_looking_costs_less_than_a_fiftieth_of_scoring():
    texts = wmt_texts("wmt22/ja-en")
    (block,) = blocks_of(texts)
    metrics = list(metrics_of(["bleu", "chrf"]))
    cost = ratio(lambda: ShiftedLines().see(block), lambda: plain_scores([block], metrics))
    assert cost < 1 / 50
