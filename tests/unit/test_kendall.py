import math

import numpy as np
import pytest

from rankwise.agreement.lists.kendall import VARIANTS, kendall_of_signs
from rankwise.errors import DataError

# One pair of each kind but ties of the human: 2 concordant, 1 discordant, 1 tied by the metric;
# two pairs that the human ties. By the formulas WMT12 (2-1-1)/4, WMT13 (2-1)/3, WMT14 (2-1)/4.
HUMAN = np.array([1, -1, 1, -1, 0, 0], np.int8)
METRIC = np.array([1, -1, -1, 0, 0, 1], np.int8)


@pytest.mark.parametrize(
    ("variant", "expected"), [("wmt12", 0.0), ("wmt13", 1 / 3), ("wmt14", 0.25)]
)
def test_each_variant_treats_a_metric_tie_in_its_own_way(variant, expected):
    assert expected == pytest.approx(kendall_of_signs(HUMAN, METRIC, variant=variant))


@pytest.mark.parametrize("variant", [v for v in VARIANTS if np.isnan(VARIANTS[v][1]).all()])
def test_only_human_ties_leave_nothing_to_count(variant):
    assert math.isnan(kendall_of_signs(np.zeros(3, np.int8), np.ones(3, np.int8), variant=variant))


def test_unknown_variant_names_the_known_ones():
    with pytest.raises(
        DataError, match=r"unknown variant of kendall 'wmt99'; choose from wmt12, wmt13, wmt14"
    ):
        kendall_of_signs(HUMAN, METRIC, variant="wmt99")


def test_lengths_must_match():
    with pytest.raises(DataError, match="6 human preferences but 2 of the metric"):
        kendall_of_signs(HUMAN, METRIC[:2])
