"""Every entry of the native core on the kept corpus: an answer or a refusal, twice the same."""

import random

import numpy as np
import pytest

from every_function import digest
from native.every_entry import ENTRIES, corpus, damaged, outcome
from rankwise import _core

#: Values that are no functions.
NO_ENTRIES = {"unicode_version"}


def entry_names():
    return {name for name in dir(_core) if not name.startswith("__")}


def test_every_entry_is_called():
    assert set(ENTRIES) == entry_names() - NO_ENTRIES


def test_the_corpus_is_there():
    assert len(corpus()) >= 25


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_the_corpus_gives_the_same_twice(name):
    found = [outcome(name, content) for content in corpus()]
    again = [outcome(name, content) for content in corpus()]
    assert list(map(digest, found)) == list(map(digest, again))
    refused = sum(isinstance(one, type) for one in found)
    assert refused <= len(found) / 2, "most of the corpus must be of use"


def test_damaged_inputs_are_answered_or_refused():
    draw = random.Random(3)
    for content in corpus():
        for name in ENTRIES:
            outcome(name, damaged(content, draw))


def test_a_run_without_a_comparison_selects_no_match():
    """It looked for an opponent among nobody, and wrote behind the last system."""
    columns = np.array([0], np.int32), np.array([1], np.int32), np.array([0], np.uint8)
    counts = np.array([[0], [3]])
    means, variances, _ = _core.rate_selected_pairs(
        *columns,
        counts,
        _core.RatingSetting(3, 0.0, 1.0, 0.5, 0.1, 0.0),
        matches=5,
        state=np.array([1, 2, 3, 5], np.uint64),
        first_run=0,
        runs=2,
    )
    assert np.isnan(means[0]).all()
    assert np.isnan(variances[0]).all()
    assert np.isfinite(means[1, :2]).all()
    assert np.isnan(means[1, 2])
