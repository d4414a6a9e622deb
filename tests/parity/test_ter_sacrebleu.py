"""TER with compat="sacrebleu" has the digits of sacreBLEU 2.6.0, installed and as recorded."""

import gzip
import itertools
import json
import random

import numpy as np
import pytest
from sacrebleu.metrics import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from rankwise import _core
from rankwise.errors import DataError
from rankwise.metrics.ter import Ter
from shared_data import needs_shared, shared

OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")
COMBINATIONS = [
    dict(zip(OPTIONS, values, strict=True))
    for values in itertools.product([False, True], repeat=len(OPTIONS))
]

# What the rules of tercom's tokenizer look at, and what surrounds it in hostile text.
PIECES = [
    *["a", "b", "It's", "Jim's.", "'s", "'s ", "'S ", "1", "23", "3.5", "1,000", "4-5", "-2"],
    *[".", ",", "..", ",,", ".,", "-", "--", "!", "?", ":", ";", '"', "(", ")", "[", "{", "~", "/"],
    *["\n", "\n-", "\r", " ", "  ", "\u3000", "\xa0", "\x85", "\x1c", "\u2028", "\u200b", "end."],
    *["&quot;", "&amp;", "&lt;", "&gt;", "&AMP;", "&amp;lt;", "&amp;amp;", "&", "&quot", "`"],
    *["猫", "犬", "ひら", "カ", "ㇰ", "。", "、", "！", "（", "「", "・", "･", "\u3200", "\u3f22"],
    *["Σ", "ΑΣ", "İ", "ǅ", "ß", "\ud800", "\x00", "😀", "\U00020000", "“", "—", "\ufe30"],
]


def some_text(rng):
    count = rng.choice([0, 1, 3, 8, 20, 45])
    return "".join(rng.choice(PIECES) + rng.choice(["", "", " "]) for _ in range(count))


def reworked(text, rng):
    words = text.split(" ")
    for _ in range(rng.randrange(4)):
        start = rng.randrange(len(words) + 1)
        phrase = words[start : start + rng.randint(1, 6)]
        del words[start : start + len(phrase)]
        target = rng.randrange(len(words) + 1)
        words[target:target] = [*phrase, *rng.choices(PIECES, k=rng.randrange(2))]
    return " ".join(words)


def streams(references):
    """SacreBLEU's orientation: one list per reference number, None where a segment has fewer."""
    return list(map(list, itertools.zip_longest(*references)))


def check(options, hypotheses, references):
    peer, ours = TER(**options), Ter(**options, compat="sacrebleu")
    expected = peer._extract_corpus_statistics(hypotheses, streams(references))
    np.testing.assert_array_equal(expected, ours.statistics(hypotheses, references))
    score = peer._aggregate_and_compute(expected).score
    assert score == ours.corpus(hypotheses, references)


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_tricky_text(options):
    rng = random.Random(str(options))
    references = [[some_text(rng) for _ in range(rng.randint(1, 3))] for _ in range(25)]
    hypotheses = [
        reworked(rng.choice(texts), rng) if rng.random() < 0.7 else some_text(rng)
        for texts in references
    ]
    check(options, hypotheses, references)


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_tokens(options):
    rng = random.Random(str(options))
    texts = [some_text(rng) for _ in range(300)]
    tokenize = TercomTokenizer(**options)
    once = [tokenize(text.rstrip()) for text in texts]
    cased = texts if options["case_sensitive"] else [text.lower() for text in texts]
    flags = [options[name] for name in OPTIONS[:3]]
    assert once == list(map(" ".join, _core.tercom_tokens(cased, *flags, False)))
    twice = [tokenize(text) for text in once]
    assert twice == list(map(" ".join, _core.tercom_tokens(cased, *flags, True)))


@pytest.mark.parametrize("lengths", [(0, 30), (30, 0), (1, 51), (2, 130), (90, 3)])
def test_unequal_lengths(lengths):
    rng = random.Random(lengths[1])
    hypothesis, reference = (" ".join(rng.choices("abcdef", k=length)) for length in lengths)
    check({}, [hypothesis], [[reference]])


def shifted_line(count, seed):
    """A reference, and a hypothesis with a fifth of its words wrong and phrases moved."""
    rng = random.Random(seed)
    reference = rng.choices([str(i) for i in range(700)], k=count)
    hypothesis = [word if rng.random() < 0.8 else "x" for word in reference]
    for at in range(0, count - 50, 60):
        front, back = hypothesis[at : at + 10], hypothesis[at + 10 : at + 30]
        hypothesis[at : at + 30] = back + front
    return " ".join(hypothesis), " ".join(reference)


def test_line_of_130_words():
    hypothesis, reference = shifted_line(130, seed=7)
    check({}, [hypothesis], [[reference]])


def test_line_of_1000_words():
    """SacreBLEU 2.6.0 takes 99 seconds for this line, so its answer is recorded here."""
    hypothesis, reference = shifted_line(1000, seed=7)
    assert Ter().statistics([hypothesis], [reference]).tolist() == [[463, 1000]]


@needs_shared
def test_recorded_cases():
    golden = json.loads(gzip.decompress(shared("golden/sacrebleu.json.gz").read_bytes()))
    cases = [case for case in golden["cases"] if case["metric"] == "TER"]
    scored = [case for case in cases if "score" in case]
    differences = [abs(case["score"] - our_score(case, golden["inputs"])) for case in scored]
    assert (len(differences), max(differences)) == (555, 0.0)
    crashed = [case for case in cases if "score" not in case]  # a segment without reference
    assert len(crashed) == 13
    for case in crashed:
        with pytest.raises(DataError, match="segment 1 has no reference"):
            our_score(case, golden["inputs"])


def our_score(case, inputs):
    given = inputs[case["input"]]
    # sacreBLEU stops at the end of the shortest list.
    columns = zip(*given["refs"], strict=False)
    references = [[text for text in texts if text is not None] for texts in columns]
    hypotheses = given["hyps"][: len(references)]
    metric = Ter(**case["params"], compat="sacrebleu")
    if case["mode"].startswith("sentence:"):
        number = int(case["mode"].removeprefix("sentence:"))
        return metric.corpus([hypotheses[number]], [references[number]])
    rows = metric.statistics(hypotheses, references)
    np.testing.assert_array_equal(case["seg_stats"], rows)
    return metric.corpus(hypotheses, references)


@needs_shared
def test_recorded_tokens():
    golden = json.loads(gzip.decompress(shared("golden/sacrebleu.json.gz").read_bytes()))
    cases = [case for case in golden["tokenizers"] if case["tok"] == "tercom"]
    for case in cases:
        flags = [case["params"][name] for name in OPTIONS[:3]]
        text = case["input"] if case["params"]["case_sensitive"] else case["input"].lower()
        for expected, twice in ((case["output"], False), (case["output_twice"], True)):
            [tokens] = _core.tercom_tokens([text], *flags, twice)
            assert expected == " ".join(tokens)
    assert len(cases) == 1924


@needs_shared
def test_wmt23_sentences():
    folder = shared("data/texts/wmt23/de-en")
    with gzip.open(folder / "segments.tsv.gz", "rt", encoding="utf-8") as file:
        references = [[line.rstrip("\n").split("\t")[4]] for line in file][1:9]
    with gzip.open(folder / "outputs.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    check({}, [row[2] for row in rows if row[0] == "NLLB_Greedy"][:8], references)
