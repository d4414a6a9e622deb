import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.errors import DataError
from rankwise.types import Segment, TestSet
from rankwise.types.sampling import sample, split


def documents(*sizes):
    names = [f"d{i}" for i, size in enumerate(sizes) for _ in range(size)]
    return [Segment(str(i), "", document=name) for i, name in enumerate(names)]


@given(st.integers(0, 50), st.data())
def test_a_sample_is_sorted_without_repetition_and_of_its_size(count, data):
    size = data.draw(st.integers(0, count))
    chosen = sample(count, size, seed=3)
    assert len(chosen) == size
    assert sorted(set(chosen.tolist())) == chosen.tolist()
    assert all(0 <= index < count for index in chosen)


def test_the_seed_decides():
    assert sample(1000, 10, seed=1).tolist() == sample(1000, 10, seed=1).tolist()
    assert sample(1000, 10, seed=1).tolist() != sample(1000, 10, seed=2).tolist()


def test_every_segment_is_as_likely_as_any_other():
    counts = np.zeros(5)
    for seed in range(4000):
        counts[sample(5, 2, seed=seed)] += 1
    # Binomial(4000, 0.4): mean 1600, deviation 31; five deviations.
    assert (abs(counts - 1600) < 155).all()


def test_test_sets_segments_and_counts_give_the_same_sample():
    segments = tuple(documents(2, 3))
    expected = sample(5, 2, seed=9).tolist()
    assert sample(segments, 2, seed=9).tolist() == expected
    assert sample(TestSet(segments), 2, seed=9).tolist() == expected


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
def test_parts_are_disjoint_and_none_is_the_rest(train, validation, test):
    sizes = {"train": train, "rest": None, "validation": validation, "test": test}
    parts = split(15, sizes, seed=0)
    assert list(parts) == list(sizes)
    assert {name: len(part) for name, part in parts.items()} == {
        **sizes,
        "rest": 15 - train - validation - test,
    }
    assert sorted(np.concatenate(list(parts.values())).tolist()) == list(range(15))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=9), st.integers(0, 99), st.data())
def test_documents_stay_whole_and_the_size_is_near(sizes, seed, data):
    segments = documents(*sizes)
    size = data.draw(st.integers(0, len(segments)))
    chosen = sample(segments, size, seed=seed, by_document=True).tolist()
    taken = {segments[index].document for index in chosen}
    assert chosen == [i for i, segment in enumerate(segments) if segment.document in taken]
    assert abs(len(chosen) - size) < max(sizes)


def test_the_nearest_number_of_whole_documents_is_taken():
    # Documents of 4: a size of 6 lies between 4 and 8, and the tie goes to the shorter.
    assert len(sample(documents(4, 4, 4), 6, seed=0, by_document=True)) == 4
    assert len(sample(documents(4, 4, 4), 7, seed=0, by_document=True)) == 8
    assert len(sample(documents(4, 4, 4), 1, seed=0, by_document=True)) == 4
    assert len(sample(documents(4, 4, 4), 0, seed=0, by_document=True)) == 0


def test_a_document_may_be_scattered():
    segments = [Segment(str(i), "", document="ab"[i % 2]) for i in range(6)]
    chosen = sample(segments, 3, seed=0, by_document=True).tolist()
    assert chosen in ([0, 2, 4], [1, 3, 5])


def test_a_segment_without_a_document_stands_alone():
    segments = [Segment("1", ""), *documents(3), Segment("9", "")]
    sizes = {len(sample(segments, 1, seed=seed, by_document=True)) for seed in range(20)}
    assert sizes == {1, 3}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sample(3, 4, seed=0), "4 segments are asked for, but there are 3"),
        (lambda: sample(3, -1, seed=0), "part 'sample' has size -1; expected 0 or more"),
        (lambda: split(9, {"a": 5, "b": 5}, seed=0), r"5 \+ 5 segments are asked for"),
        (lambda: split(9, {"a": None, "b": None}, seed=0), "two parts ask for the rest"),
        (lambda: sample(3, 1, seed=0, by_document=True), "where segments say their document"),
        (lambda: sample([Segment("1", "")], 1, seed=0, by_document=True), "no segment says"),
        (
            lambda: split(documents(4), {"a": 2, "b": 2}, seed=0, by_document=True),
            "no document is left for part 'b' of 2 segments",
        ),
    ],
)
def test_what_cannot_be_sampled(call, message):
    with pytest.raises(DataError, match=message):
        call()
