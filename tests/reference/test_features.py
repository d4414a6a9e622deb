"""Feature sets equal their definitions, worked out with counters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwise.learning.features import Beer20, BeerFeatures
from rankwise.learning.features.intra_set import KINDS, Group, relative
from rankwise.text.function_words import function_words
from reference import features as slow
from texts import segments, texts, unzip


def flat(pairs):
    return [(hypothesis, other) for hypothesis, references in pairs for other in references]


@given(segments)
def test_beer_2(pairs):
    features = Beer20()
    rows = features.rows(*unzip(pairs))
    for row, pair in zip(rows, flat(pairs), strict=True):
        expected = slow.beer_2(*pair)
        np.testing.assert_allclose(row, [expected[name] for name in features.names], rtol=1e-14)


@pytest.mark.parametrize(
    "text", ["", " ", "   ", " a", "a ", "  a  b  ", "a\tb", "𠮷 𠮷𠮷", "a\u3000b"]
)
def test_beer_2_splits_as_java_does(text):
    features = Beer20()
    for pair in ((text, "a b 𠮷"), ("a b 𠮷", text), (text, text)):
        expected = slow.beer_2(*pair)
        found = features.rows([pair[0]], [pair[1]])[0]
        np.testing.assert_allclose(found, [expected[n] for n in features.names], rtol=1e-14)


def test_beer_2_of_more_words_than_a_table_holds():
    features = Beer20()
    ours = " ".join(f"w{i % 2500}" for i in range(3000))
    theirs = " ".join(f"w{(7 * i) % 2400}" for i in range(2600))
    expected = slow.beer_2(ours, theirs)
    found = features.rows([ours], [theirs])[0]
    np.testing.assert_allclose(found, [expected[name] for name in features.names], rtol=1e-12)


@settings(max_examples=60)
@given(segments)
def test_adequacy_features_of_beer(pairs):
    features = BeerFeatures(modules="exact,stem")
    rows = features.rows(*unzip(pairs))
    listed = function_words("en")
    for row, pair in zip(rows, flat(pairs), strict=True):
        expected = slow.beer(features.aligner.alignment(*pair), listed)
        np.testing.assert_allclose(row[:27], [expected[n] for n in features.names[:27]], rtol=1e-14)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 6)), min_size=1, max_size=12))
def test_intra_set_features(items):
    groups = [group for group, _ in items]
    values = np.array([value / 4 for _, value in items])
    for kind in KINDS:
        found = relative(values, Group.of(groups), kind)
        np.testing.assert_allclose(found, slow.relative(values, groups, kind), atol=1e-12)


@given(st.lists(texts, min_size=1, max_size=4))
def test_a_text_against_itself_shares_everything(lines):
    features = Beer20()
    for row in features.perfect(lines):
        named = dict(zip(features.names, row.tolist(), strict=True))
        assert {named[f"ngram{n}.a"] for n in range(1, 5)} == {1.0}
