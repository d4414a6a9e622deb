"""Cohen's and Fleiss' kappa and Krippendorff's alpha: published examples, gaps, what is refused."""

import math

import numpy as np
import pytest

from rankwise.agreement.judges.kappa import cohen_kappa, fleiss_kappa
from rankwise.agreement.judges.krippendorff import alpha_of_values, krippendorff_alpha
from rankwise.errors import DataError

# Fleiss (1971), Psychological Bulletin 76, table 1: 30 patients, 6 psychiatrists, 5 diagnoses.
PATIENTS = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 "
    "10050 11040 03300 10050 02031 00501 30012 51000 02040 10203 "
    "00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)
DIAGNOSES = np.array([[int(count) for count in row] for row in PATIENTS.split()])

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: 4 judges, 12 units.
_ = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


def judged(counts):
    """A table, judges by units, from how many gave each unit each label."""
    units = [[label for label, count in enumerate(row) for _ in range(count)] for row in counts]
    width = max(map(len, units))
    return list(zip(*([*unit, *[None] * (width - len(unit))] for unit in units), strict=True))


def test_the_diagnoses_of_fleiss():
    # mean agreement 5/9; chance .21994, from 26, 26, 30, 55 and 43 of 180 labels
    assert DIAGNOSES.sum(axis=0).tolist() == [26, 26, 30, 55, 43]
    chance = (26**2 + 26**2 + 30**2 + 55**2 + 43**2) / 180**2
    assert fleiss_kappa(judged(DIAGNOSES)) == pytest.approx((5 / 9 - chance) / (1 - chance))
    assert round(fleiss_kappa(judged(DIAGNOSES)), 3) == 0.430


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_observers_of_krippendorff(level, published):
    assert published == round(krippendorff_alpha(OBSERVERS, level=level), 3)


def test_cohen_by_hand():
    # 20 both yes, 5 and 10 mixed, 15 both no: .7 observed, .5 by chance
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_gaps_are_left_out():
    assert cohen_kappa([1, 2, None, 2], [1, 2, 2, float("nan")]) == 1.0
    assert fleiss_kappa(judged([*DIAGNOSES, [0, 0, 0, 0, 0]])) == fleiss_kappa(judged(DIAGNOSES))
    # A unit with one label has no agreement of its own but counts for chance (Gwet, 2014).
    found = fleiss_kappa(judged([[2, 0], [0, 2], [1, 0]]))
    chance = (2 / 3) ** 2 + (1 / 3) ** 2
    assert found == pytest.approx((1 - chance) / (1 - chance))
    table = [[1, 2, None], [1, 2, 3]]
    assert krippendorff_alpha(table) == krippendorff_alpha([row[:2] for row in table]) == 1.0


def test_labels_may_be_texts():
    names = {None: None} | dict(zip(range(1, 6), "abcde", strict=True))
    written = [[names[label] for label in row] for row in OBSERVERS]
    assert krippendorff_alpha(written) == krippendorff_alpha(OBSERVERS)
    assert fleiss_kappa(written) == fleiss_kappa(OBSERVERS)


@pytest.mark.parametrize(
    "value",
    [
        cohen_kappa([], []),
        cohen_kappa(["a", None], ["a", "b"]),
        fleiss_kappa([[1, None], [None, 2]]),
        fleiss_kappa([[1, 1], [1, 1]]),
        fleiss_kappa(np.zeros((2, 0))),
        krippendorff_alpha([[1, None], [None, 2]]),
        krippendorff_alpha([[1, 1], [1, 1]], level="interval"),
        krippendorff_alpha([[0.1, 0.1, 0.1], [0.1, 0.1, 0.1]], level="interval"),
        alpha_of_values(np.empty(0, np.int64), np.empty(0)),
    ],
)
def test_undefined_is_nan(value):
    assert math.isnan(value)


def test_a_large_offset_changes_no_digit_that_matters():
    moved = [[label and label + 1e9 for label in row] for row in OBSERVERS]
    assert krippendorff_alpha(moved, level="interval") == pytest.approx(
        krippendorff_alpha(OBSERVERS, level="interval"), rel=1e-12
    )


def test_what_is_refused():
    with pytest.raises(DataError, match="2 and 1 labels; expected one each"):
        cohen_kappa([1, 2], [1])
    with pytest.raises(DataError, match="unknown weights 'cubic'"):
        cohen_kappa([1], [1], weights="cubic")
    with pytest.raises(DataError, match="labels are int, str; expected all texts or all numbers"):
        cohen_kappa(["a", 1], ["a", "b"])
    with pytest.raises(DataError, match=r"shape \(2,\); expected a table, judges by units"):
        krippendorff_alpha([1, 2])
    with pytest.raises(DataError, match="differ in length"):
        krippendorff_alpha([[1, 2], [1]])
    with pytest.raises(DataError, match="a label is infinite"):
        krippendorff_alpha([[1, float("inf")], [1, 2]])
    with pytest.raises(DataError, match="the ordinal alpha needs numbers"):
        krippendorff_alpha([["a", "b"], ["a", "c"]], level="ordinal")
    with pytest.raises(DataError, match=r"shape \(2,\); expected a table, judges by units"):
        fleiss_kappa([1, 2])
