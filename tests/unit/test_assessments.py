import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.errors import DataError
from rankwise.types import Assessments

nan = float("nan")
ROWS = [
    ("A", "1", "ann", "TGT", 80.0),
    ("A", "1", "bob", "TGT", 60.0),
    ("B", "1", "ann", "TGT", 40.0),
    ("B", "2", "ann", "BAD", 0.0),
    ("C", "3", "bob", "TGT", nan),
]


def test_rows_come_back_as_they_went_in():
    back = list(Assessments.from_rows(ROWS).rows())
    assert back[:4] == ROWS[:4]
    assert back[4][:4] == ROWS[4][:4]
    assert np.isnan(back[4][4])


def test_names_are_numbered_in_order_of_appearance():
    a = Assessments.from_rows(ROWS)
    assert (a.systems, a.segments, a.judges, a.roles) == (
        ("A", "B", "C"),
        ("1", "2", "3"),
        ("ann", "bob"),
        ("TGT", "BAD"),
    )
    assert a.system.tolist() == [0, 0, 1, 1, 2]
    assert len(a) == 5


def test_scores_average_real_outputs_only():
    table = Assessments.from_rows(ROWS, name="da", notes=("a note",)).scores()
    # Segment 2 has only a control, so it is no column; C has a judgment without a value.
    assert (table.systems, table.segments) == (("A", "B", "C"), ("1", "3"))
    np.testing.assert_array_equal(table.values, [[70, nan], [40, nan], [nan, nan]])
    assert (table.name, table.notes, table.level) == ("da", ("a note",), "segment")


def test_scores_of_the_controls():
    table = Assessments.from_rows(ROWS).scores(roles=frozenset({"BAD"}))
    assert (table.systems, table.segments, table.values.tolist()) == (("B",), ("2",), [[0.0]])


def test_scores_of_no_rows():
    assert Assessments.from_rows([]).scores().values.shape == (0, 0)
    assert Assessments.from_rows([]).scores(by_judge=True).values.shape == (0, 0)


def test_standardised_by_judge_includes_controls():
    # ann: 80, 40, 0: mean 40, sample deviation 40; z = 1, 0, -1. bob: one value, so 0.
    table = Assessments.from_rows(ROWS).scores(by_judge=True)
    np.testing.assert_allclose(table.values, [[0.5, nan], [0, nan], [nan, nan]], atol=1e-15)


def test_a_judge_with_a_constant_value_gets_zero():
    # The rounded mean of three 0.1 is not 0.1: a naive deviation would be 1.7e-17, not 0.
    rows = [("A", str(i), "ann", "TGT", 0.1) for i in range(3)]
    assert Assessments.from_rows(rows).scores(by_judge=True).values.tolist() == [[0.0, 0.0, 0.0]]


@given(
    st.lists(
        st.tuples(
            st.sampled_from("AB"), st.sampled_from("12"), st.sampled_from("jk"), st.integers(0, 100)
        ),
        min_size=1,
    )
)
def test_standardised_values_agree_with_the_definition(quads):
    import statistics

    rows = [(system, segment, judge, "TGT", float(x)) for system, segment, judge, x in quads]
    by_judge = {j: [row[4] for row in rows if row[2] == j] for j in {row[2] for row in rows}}
    cells = {}
    for system, segment, judge, _, x in rows:
        values = by_judge[judge]
        spread = statistics.stdev(values) if len(set(values)) > 1 else 0
        z = (x - statistics.mean(values)) / spread if spread else 0.0
        cells.setdefault((system, segment), []).append(z)
    table = Assessments.from_rows(rows).scores(by_judge=True)
    for (system, segment), zs in cells.items():
        found = table.row(system)[table.segments.index(segment)]
        assert found == pytest.approx(statistics.mean(zs), abs=1e-9)


def test_select_keeps_names_and_further_columns():
    info = {"z": np.arange(5.0)}
    a = Assessments.from_rows(ROWS, info=info, name="n", notes=("x",))
    part = a.select(a.judge == 1)
    assert part.value[0] == 60
    assert part.systems == a.systems
    assert part.info["z"].tolist() == [1.0, 4.0]
    assert (part.name, part.notes) == ("n", ("x",))


def test_pickle():
    a = Assessments.from_rows(ROWS, info={"z": np.arange(5.0)}, name="n", notes=("x",))
    b = pickle.loads(pickle.dumps(a))
    assert list(b.rows())[:4] == ROWS[:4]
    assert b.info["z"].tolist() == [0, 1, 2, 3, 4]
    assert (b.name, b.notes) == ("n", ("x",))


def build(**changes):
    codes = {name: np.zeros(2, np.int32) for name in ("system", "segment", "judge", "role")}
    names = dict.fromkeys(("systems", "segments", "judges", "roles"), ("x",))
    return Assessments(**{**names, **codes, "value": np.zeros(2), **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"judge": np.zeros(3, np.int32)}, "column 'judge' has 3 rows of 2"),
        ({"system": np.array([0, 1], np.int32)}, "column 'system' points outside its 1 names"),
        ({"role": np.array([0, -1], np.int32)}, "column 'role' points outside"),
        ({"info": {"z": np.zeros(1)}}, "column 'z' has 1 rows of 2"),
        ({"value": np.array([0, np.inf])}, "infinite value"),
    ],
)
def test_what_are_no_assessments(changes, message):
    with pytest.raises(DataError, match=message):
        build(**changes)


def test_the_columns_are_nobody_elses():
    value = np.zeros(2)
    a = build(value=value)
    value[0] = 7
    assert a.value[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        a.value[0] = 1
