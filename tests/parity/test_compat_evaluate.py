"""The drop-in for ``evaluate``: its published numbers, and the libraries that it calls itself."""

import math
import random
from collections import Counter

import pytest
import sacrebleu

from rankwise.compat import evaluate
from rankwise.errors import DataError

MATCH = ["does this sentence match??", "what about this sentence?"]
MATCHED = [
    ["does this sentence match", "does this sentence match!?!"],
    ["wHaT aBoUt ThIs SeNtEnCe?", "wHaT aBoUt ThIs SeNtEnCe?"],
]
SAID = ["What did the TER metric user say to the developer?"]
JOKES = [["Your jokes are...", "...TERrible"]]


@pytest.mark.parametrize(
    ("name", "predictions", "references", "options", "expected"),
    [
        (
            "bleu",
            ["hello there general kenobi", "foo bar foobar"],
            [["hello there general kenobi", "hello there !"], ["foo bar foobar"]],
            {},
            {
                "bleu": 1.0,
                "precisions": [1.0] * 4,
                "brevity_penalty": 1.0,
                "length_ratio": 7 / 6,
                "translation_length": 7,
                "reference_length": 6,
            },
        ),
        (
            "ter",
            MATCH + SAID,
            MATCHED + JOKES,
            {"case_sensitive": True},
            {"score": 150.0, "num_edits": 15, "ref_length": 10.0},
        ),
        (
            "ter",
            MATCH,
            MATCHED,
            {"normalized": True, "case_sensitive": True},
            {"score": 57.14285714285714, "num_edits": 6, "ref_length": 10.5},
        ),
        (
            "ter",
            MATCH + SAID,
            MATCHED + JOKES,
            {"ignore_punct": True, "case_sensitive": False},
            {"score": 100.0, "num_edits": 10, "ref_length": 10.0},
        ),
    ],
)
def test_numbers_on_its_metric_cards(name, predictions, references, options, expected):
    found = evaluate.load(name).compute(predictions=predictions, references=references, **options)
    assert found == expected


@pytest.mark.parametrize(("name", "expected"), [("wer", 0.5), ("cer", 0.34146341463414637)])
def test_error_rates_on_its_metric_cards(name, expected):
    module = evaluate.load(name)
    predictions = ["this is the prediction", "there is an other sample"]
    references = ["this is the reference", "there is another one"]
    assert module.compute(predictions=predictions, references=references) == expected


WORDS = ["the", "cat", "sat,", "on", "a", "mat.", "dog", "ran"]


def corpus(seed, most=3):
    draw = random.Random(seed)
    lines = [" ".join(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(20)]
    return lines, [
        [" ".join(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(most)] for _ in lines
    ]


@pytest.mark.parametrize("options", [{}, {"smooth": True}, {"max_order": 2}])
@pytest.mark.parametrize("seed", range(4))
def test_bleu_is_what_the_words_count(seed, options):
    """The formula counted slowly: shortest references, no smoothing but by one."""
    predictions, references = corpus(seed)
    found = evaluate.load("bleu").compute(
        predictions=predictions, references=references, tokenizer=str.split, **options
    )
    order, more = options.get("max_order", 4), int(options.get("smooth", False))
    right, whole, length, shortest = Counter(), Counter(), 0, 0
    for prediction, entry in zip(predictions, references, strict=True):
        words, others = prediction.split(), [text.split() for text in entry]
        length += len(words)
        shortest += min(map(len, others))
        for n in range(1, order + 1):
            counts, best = grams(words, n), Counter()
            for other in others:
                best |= grams(other, n)
            right[n] += (counts & best).total()
            whole[n] += counts.total()
    precisions = [(right[n] + more) / (whole[n] + more) for n in range(1, order + 1)]
    assert found["precisions"] == pytest.approx(precisions)
    ratio = length / shortest
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    mean = math.prod(precisions) ** (1 / order)
    assert found["bleu"] == pytest.approx(mean * penalty)
    assert (found["translation_length"], found["reference_length"]) == (length, shortest)


def grams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


@pytest.mark.parametrize("seed", range(3))
def test_the_others_are_those_of_sacrebleu(seed):
    predictions, references = corpus(seed, 2)
    streams = [list(stream) for stream in zip(*references, strict=True)]
    given = {"predictions": predictions, "references": references}
    bleu = sacrebleu.corpus_bleu(predictions, streams, smooth_method="floor", lowercase=True)
    assert evaluate.load("sacrebleu").compute(**given, smooth_method="floor", lowercase=True) == {
        "score": bleu.score,
        "counts": bleu.counts,
        "totals": bleu.totals,
        "precisions": bleu.precisions,
        "bp": bleu.bp,
        "sys_len": bleu.sys_len,
        "ref_len": bleu.ref_len,
    }
    chrf = sacrebleu.CHRF(word_order=2).corpus_score(predictions, streams)
    assert evaluate.load("chrf").compute(**given, word_order=2) == {
        "score": chrf.score,
        "char_order": 6,
        "word_order": 2,
        "beta": 2,
    }
    ter = sacrebleu.TER().corpus_score(predictions, streams)
    found = evaluate.load("ter").compute(**given)
    assert (found["score"], found["num_edits"]) == (ter.score, ter.num_edits)


def test_pieces_are_as_good_as_the_whole_and_are_forgotten():
    predictions, references = corpus(1)
    whole = evaluate.load("sacrebleu").compute(predictions=predictions, references=references)
    module = evaluate.load("sacrebleu")
    module.add(prediction=predictions[0], reference=references[0])
    module.add_batch(predictions=predictions[1:5], references=references[1:5])
    assert module.compute(predictions=predictions[5:], references=references[5:]) == whole
    with pytest.raises(DataError, match="there is nothing to compute"):
        module.compute()


def test_other_metrics_come_by_their_own_names():
    found = evaluate.load("chrf:word_order=2").compute(predictions=["a b"], references=["a b"])
    assert found["score"] == 100.0
    assert found["signature"].startswith("chrf:char_order=6:word_order=2")
    with pytest.raises(DataError, match="unknown metric 'rouge'"):
        evaluate.load("rouge")


@pytest.mark.parametrize(
    ("name", "predictions", "references", "message"),
    [
        ("chrf", ["a", "b"], ["a"], "2 predictions and 1 references; expected as many"),
        ("chrf", "a", ["a"], "one text; expected a list"),
        ("ter", ["a", "b"], [["a"], ["b", "c"]], "segments have 1, 2 references"),
        ("wer", ["a"], [["a", "b"]], "2 references for each; expected one"),
        ("cer", ["a"], [""], "the references are empty"),
    ],
)
def test_what_is_wrong_is_one_sentence(name, predictions, references, message):
    with pytest.raises(DataError, match=message):
        evaluate.load(name).compute(predictions=predictions, references=references)


def test_a_configuration_is_refused():
    with pytest.raises(DataError, match="has no configuration 'x'"):
        evaluate.load("bleu", "x")
