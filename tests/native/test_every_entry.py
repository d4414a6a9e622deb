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


def test_variances_that_are_no_numbers_select_systems_that_met():
    """A system that does not play came before one whose variance was nan: it had no opponent."""
    columns = np.array([1], np.int32), np.array([2], np.int32), np.array([0], np.uint8)
    counts = np.array([[3]])
    setting = _core.RatingSetting(3, 0.0, 1e300, 0.5, 1e308, 1e200)
    means, *_ = _core.rate_selected_pairs(
        *columns,
        counts,
        setting,
        matches=50,
        state=np.array([1, 2, 3, 5], np.uint64),
        first_run=0,
        runs=1,
    )
    assert np.isnan(means[0, 0])
    pairs, _ = _core.trace_selected_pairs(
        *columns,
        counts,
        3,
        mean=0.0,
        variance=1e300,
        beta=0.5,
        epsilon=1e308,
        tau=1e200,
        matches=50,
        state=np.array([1, 2, 3, 5], np.uint64),
        run=0,
    )
    assert set(np.unique(pairs)) == {1, 2}


def test_a_run_that_draws_groups_without_a_match_has_none():
    """It looked for the matches of a system that had none."""
    columns = np.array([0, 2]), np.array([0, 1], np.int32), np.array([1.0, 2.0])
    means, variances, _ = _core.rate_selected_matches(
        *columns,
        np.array([0, *[1] * 200]),  # one group in two hundred has the match
        _core.RatingSetting(2, 0.0, 1.0, 0.5, 0.1, 0.0),
        matches=5,
        resample=True,
        state=np.array([1, 2, 3, 5], np.uint64),
        first_run=0,
        runs=40,
    )
    is_empty = np.isnan(means).all(axis=1)
    assert 0 < is_empty.sum() < 40
    assert np.isnan(variances[is_empty]).all()
    assert np.isfinite(means[~is_empty]).all()
