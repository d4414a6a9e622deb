import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.types import ScoreTable

nan = float("nan")


def example(**changes):
    values = np.array([[1.0, nan, 3.0], [nan, nan, nan]])
    return ScoreTable(
        **{"systems": ("A", "B"), "segments": ("1", "2", "3"), "values": values, **changes}
    )


def test_means_run_over_what_is_there():
    means = example().system_means()
    assert means[0] == 2.0  # (1 + 3) / 2
    assert np.isnan(means[1])


def test_row():
    assert example().row("A")[2] == 3.0
    with pytest.raises(DataError, match="no system 'C'; they have A, B"):
        example().row("C")


def test_equality_treats_nan_as_equal_and_ignores_notes():
    assert example() == example(notes=("something was left out",))
    assert example() != example(name="other")
    assert example() != example(level="document")
    assert example() != example(values=np.array([[1.0, nan, 3.0], [nan, nan, 0.0]]))
    assert example() != "a string"


def test_the_values_are_nobody_elses():
    values = np.zeros((1, 2))
    table = ScoreTable(("A",), ("1", "2"), values)
    values[0, 0] = 7
    assert table.values[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0] = 1


def test_lists_become_an_array():
    assert ScoreTable(("A",), ("1",), [[2]]).values.dtype == np.float64


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": np.zeros((3, 2))}, r"shape \(3, 2\); expected \(2, 3\)"),
        ({"systems": ("A", "A")}, "system 'A' occurs twice in scores ''"),
        ({"segments": ("1", "1", "3")}, "segment '1' occurs twice"),
        ({"segments": ("1", "1", "3"), "level": "document"}, "document '1' occurs twice"),
        ({"values": np.array([[0, 0, 0], [0, np.inf, 0]])}, "'B' on segment '2' are infinite"),
    ],
)
def test_what_is_no_table(changes, message):
    with pytest.raises(DataError, match=message):
        example(**changes)


def test_from_cells():
    table = ScoreTable.from_cells(
        [("B", "2", 0.5), ("A", "2", 1), ("B", "1", nan)], name="m", level="domain"
    )
    expected = np.array([[0.5, nan], [1, nan]])
    assert table == ScoreTable(("B", "A"), ("2", "1"), expected, "m", "domain")


def test_from_cells_refuses_a_second_score():
    with pytest.raises(DataError, match="system 'A' has two scores for segment '1'"):
        ScoreTable.from_cells([("A", "1", 0), ("A", "1", 0)])


def test_from_no_cells():
    assert ScoreTable.from_cells([]).values.shape == (0, 0)
    assert ScoreTable.from_cells([]).system_means().shape == (0,)
