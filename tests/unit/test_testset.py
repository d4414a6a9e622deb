import pickle

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.types import Segment, TestSet


def example():
    segments = (
        Segment("1", "eins", ("one", "1"), "d1", "news", ("A", "B")),
        Segment("2", "zwei", ("two",), "d1", "news", ("B",)),
        Segment("3", "drei", (), "d2", "chat"),
    )
    return TestSet(segments, {"X": ("one", "", None), "Y": ("1", "2", "3")}, "demo", "de", "en")


def test_references_live_in_the_segment_and_may_differ_in_number():
    assert example().references == [("one", "1"), ("two",), ()]
    assert example().reference_names == ("A", "B")
    assert example().systems == ("X", "Y")
    assert len(example()) == 3


def test_an_empty_output_is_not_a_missing_one():
    assert example().outputs["X"] == ("one", "", None)


def test_subset_keeps_the_order_it_is_given():
    part = example().subset(np.array([2, 0]))
    assert [segment.id for segment in part.segments] == ["3", "1"]
    assert dict(part.outputs) == {"X": (None, "one"), "Y": ("3", "1")}
    assert (part.name, part.source_language, part.target_language) == ("demo", "de", "en")


@pytest.mark.parametrize("index", [3, -1])
def test_subset_names_an_index_outside(index):
    with pytest.raises(DataError, match=f"no segment {index}; expected 0 to 2"):
        example().subset([index])


def test_subset_with_a_repeated_index_is_refused():
    with pytest.raises(DataError, match="segment id '1' occurs twice"):
        example().subset([0, 0])


def test_outputs_cannot_be_changed_from_outside():
    outputs = {"X": ["a"]}
    testset = TestSet((Segment("1", "a"),), outputs)
    outputs["X"][0] = "changed"
    outputs["Z"] = ["b"]
    assert dict(testset.outputs) == {"X": ("a",)}
    with pytest.raises(TypeError):
        testset.outputs["Z"] = ("b",)


def test_equality_and_pickle():
    assert pickle.loads(pickle.dumps(example())) == example()
    assert example() != example().subset([0, 1])


def test_two_segments_with_one_id_are_refused():
    with pytest.raises(DataError, match="segment id '1' occurs twice in test set 'demo'"):
        TestSet((Segment("1", "a"), Segment("1", "b")), name="demo")


def test_a_system_with_too_few_outputs_is_refused():
    with pytest.raises(DataError, match="system 'X' has 1 outputs for 2 segments"):
        TestSet((Segment("1", "a"), Segment("2", "b")), {"X": ("a",)})


def test_reference_names_must_fit_the_references():
    with pytest.raises(DataError, match="'1' has 1 references but 2 reference names"):
        Segment("1", "a", ("x",), reference_names=("A", "B"))
    with pytest.raises(DataError, match="two references with one name: A, A"):
        Segment("1", "a", ("x", "y"), reference_names=("A", "A"))


def test_an_empty_test_set_is_a_test_set():
    assert TestSet(()).references == []
    assert TestSet(()).subset([]) == TestSet(())
