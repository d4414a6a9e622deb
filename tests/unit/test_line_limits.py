"""Lines that are too long are refused in a sentence that says where they are."""

import pickle

import numpy as np
import pytest

from rankwise.errors import DataError, LineError
from rankwise.evaluate.metric_learning.computed_features import computed_features, features
from rankwise.evaluate.system_scores import block_scores, score_blocks
from rankwise.metrics import metric
from rankwise.text.line_limits import LONGEST
from rankwise.types.text_block import Block, renamed

LIMITED = sorted(set(LONGEST) - {"learned"})


@pytest.mark.parametrize("name", LIMITED)
def test_ten_times_the_limit_is_refused(name):
    line = "a " * (5 * LONGEST[name])
    words = rf"{len(line):,} characters; {name} takes up to {LONGEST[name]:,} \({name}:longest=N"
    with pytest.raises(DataError, match=f"^hypothesis 2 has {words}"):
        metric(name).corpus(["a", line], ["a", "a"])
    with pytest.raises(DataError, match=f"^a reference of segment 1 has {words}"):
        metric(name).corpus(["a"], [["a", line]])


@pytest.mark.parametrize("name", [*LIMITED, "cer", "wer"])
def test_the_option_says_how_long_a_line_may_be(name):
    short = metric(f"{name}:longest=5")
    assert short.corpus(["a b c"], ["a b c"]) == metric(name).corpus(["a b c"], ["a b c"])
    with pytest.raises(LineError, match=f"has 6 characters; {name} takes up to 5"):
        short.corpus(["a b cd"], ["a b c"])
    with pytest.raises(DataError, match=f"{name}: longest is 0; expected a whole number"):
        metric(f"{name}:longest=0")
    assert "longest" not in metric(name).signature
    assert str(short) == f"{name}:longest=5" and "longest=5" in short.signature


@pytest.mark.parametrize("name", ["cer", "wer"])
def test_edits_beyond_count_are_refused(name):
    one, other = ("".join(pair) for pair in zip(*[("x ", "y ")] * 1_000_000, strict=True))
    for ask in (metric(name).statistics, metric(name).alignments):
        with pytest.raises(LineError, match=rf"^hypothesis 2 is too long .* {name} counts edits"):
            ask(["a", one], ["a", other])
    assert metric(name).statistics([one + "x"], [one])[0].sum() > 1_000_000  # alike, they are taken


def test_matches_beyond_count_are_refused():
    meteor = metric("meteor:modules=exact:longest=1000000")
    original = meteor.aligner.__class__("en", ("exact",), "en", original=True)
    line = "a " * 3000
    with pytest.raises(LineError, match=r"^hypothesis 2 has too many words that match"):
        original.align(["a", line], ["a", ["b", line]])
    different = " ".join(f"w{number}" for number in range(40_000))
    with pytest.raises(LineError, match=r"^hypothesis 1 has too many words that match"):
        original.align([different], [different])


def test_a_block_says_file_and_line():
    block = Block(
        [11, 12],
        [["a", "b"], ["long one", "b"]],
        {"X": ["a", "a"], "Y": ["a", "b"]},
        files={"X": "x.txt", "Y": "y.txt"},
        reference_files=("one.txt", "two.txt"),
    )
    metrics = [metric("meteor:modules=exact:longest=5")]
    words = r": the line has 8 characters; meteor takes up to 5 \(meteor:longest=N takes more\)$"
    with pytest.raises(DataError, match=rf"^one\.txt:12{words}"):
        score_blocks([block], metrics)
    (named,) = renamed([Block([3], ["a"], {"X": ["long one"]}, files={"X": "x.txt"})], {"X": "Z"})
    with pytest.raises(DataError, match=rf"^x\.txt:3{words}"):
        block_scores(named, metrics)


def test_a_block_without_files_says_segment_and_system():
    metrics = [metric("meteor:modules=exact:longest=5")]
    with pytest.raises(DataError, match=r"^segment s7 of system 'X': the text has 8 characters"):
        score_blocks([Block(["s7"], ["a"], {"X": ["long one"]})], metrics)
    with pytest.raises(DataError, match=r"^a reference of segment s7: the text has 8 characters"):
        score_blocks([Block(["s7"], ["long one"], {"X": ["a"]})], metrics)


def test_features_to_learn_from_have_a_limit():
    line = "a" * (LONGEST["learned"] + 1)
    with pytest.raises(LineError, match=r"^hypothesis 2 has 20,001 characters; features are"):
        computed_features(features("beer"), ["a", line], [["a"], ["a"]], [0, 0])
    found = computed_features(features("beer"), [line[1:]], [["a"]], [0])
    assert np.isfinite(found).all()


def test_an_error_about_a_line_can_be_sent():
    sent = pickle.loads(pickle.dumps(LineError("is long", 3, 1)))
    assert (str(sent), sent.said, sent.segment, sent.reference) == (
        "a reference of segment 4 is long",
        "is long",
        3,
        1,
    )
