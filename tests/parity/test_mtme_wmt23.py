"""The real WMT23 metrics task: our table against mt-metrics-eval's numbers."""

import json

import numpy as np
import pytest

from archives import unpack
from rankwise.agreement.tables.table_measures import table_measure
from rankwise.evaluate.meta.meta_evaluation import MetaTrial, evaluate_metrics
from rankwise.evaluate.meta.study_meta import study_scores
from rankwise.io.study import studies_of
from rankwise.io.study_files import StudyFiles
from shared_data import needs_shared, shared

pytestmark = needs_shared

#: Name in the golden file -> our measure.
MEASURES = {
    "sys_pearson": "pearson:level=system",
    "sys_acc": "accuracy",
    "seg_pearson_none": "pearson",
    "seg_kendall_b_none": "kendall",
    "kendall_like_item_5": "kendall-like:threshold=5",
    "acc_eq": "acc-eq",
    "SPA": "spa:compat=mtme",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("evalset")
    unpack(shared("data/evalset/wmt23.tar.xz"), place)
    return place / "wmt23"


@pytest.fixture(scope="module")
def data(folder):
    files = StudyFiles(testset=folder, stored=True, human_systems="scored")
    studies = studies_of(files, with_texts=False)
    return {study.name: study_scores(study) for study in studies}


@pytest.fixture(scope="module")
def golden():
    return json.loads(shared("golden/mtme-wmt23.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("pair", ["en-de", "he-en"])
def test_the_settings_are_those_of_the_task(pair, data, golden):
    scores = data[pair]
    assert golden[pair]["systems"] == list(scores.systems)
    assert golden[pair]["cells"] == scores.gold.segments.size
    assert golden[pair]["none"] == int(np.isnan(scores.gold.segments).sum())
    assert len(scores.metrics) >= 43


@pytest.mark.parametrize("pair", ["en-de", "he-en"])
@pytest.mark.parametrize("key", MEASURES)
def test_values_are_equal(pair, key, data, golden):
    reference = golden[pair]["std_ref"]
    found = evaluate_metrics([data[pair]], [MEASURES[key]], trial=MetaTrial("none"))
    ours = dict(zip(found.metrics, found.tasks[0].values, strict=True))
    assert len(golden[pair]["metrics"]) == 14
    for name, numbers in golden[pair]["metrics"].items():
        value = ours[name.removesuffix(f"-{reference}")]
        expected = numbers[key]
        if key == "sys_acc":
            expected = expected[0] / expected[1]
        assert value.value == pytest.approx(expected, abs=_tolerance(key, data[pair])), name


@pytest.mark.parametrize("pair", ["en-de", "he-en"])
def test_the_threshold_of_mqm_is_a_major_error(pair, data, golden):
    """Not the 25 points of DA, which leave few segments of MQM."""
    found = evaluate_metrics([data[pair]], ["kendall-like"], trial=MetaTrial("none")).tasks[0]
    assert found.measure.threshold == 5
    table = data[pair].gold.segments
    spread = np.nanmax(table[:, ~np.isnan(table).all(axis=0)], axis=0) - np.nanmin(
        table[:, ~np.isnan(table).all(axis=0)], axis=0
    )
    assert found.basis == f"{int((spread >= 5).sum())} of {len(spread)} segments"


def _tolerance(key, scores):
    """Rounding; for SPA three draws, which float32 may put on the other side of a tie."""
    pairs = len(scores.systems) * (len(scores.systems) - 1) / 2
    return 3.001 / (1000 * pairs) if key == "SPA" else 1e-9


@pytest.mark.parametrize("pair", ["en-de", "he-en"])
def test_thresholds_are_equal_or_smaller_and_as_good(pair, data, golden):
    """Where two thresholds are equally good, mtme's running sum of floats picks one of them."""
    gold, reference, equal = data[pair].gold.segments, golden[pair]["std_ref"], 0
    for name, numbers in golden[pair]["metrics"].items():
        metric = data[pair].metrics[name.removesuffix(f"-{reference}")].segments
        found = table_measure("acc-eq").of(gold, metric)
        equal += found.epsilon == numbers["eps"]
        if found.epsilon != numbers["eps"]:
            theirs = table_measure(f"acc-eq:epsilon={numbers['eps']!r}").of(gold, metric)
            assert found.epsilon < numbers["eps"]
            assert found.value == pytest.approx(theirs.value, abs=1e-12)
    assert equal == 12


def test_soft_accuracy_does_not_depend_on_the_order_of_systems(data):
    scores = data["en-de"]
    gold, metric = scores.gold.segments, scores.metrics["GEMBA-MQM-src"].segments
    order = np.random.default_rng(3).permutation(len(gold))
    spa = table_measure("spa")
    assert spa.of(gold, metric) == spa.of(gold[order], metric[order])


def test_our_own_metrics_take_the_places_of_the_stored_ones(folder):
    """BLEU and chrF of WMT23 are sacreBLEU's, and so are ours.

    The file of one system begins with a byte-order mark, which our reader does not take for text.
    """
    [study] = studies_of(StudyFiles(testset=folder, stored=True), ["en-de"])
    scores = study_scores(study, ["bleu", "chrf"]).metrics
    for ours, theirs in (("bleu (rankwise)", "BLEU"), ("chrf (rankwise)", "chrF")):
        np.testing.assert_allclose(scores[ours].systems, scores[theirs].systems, atol=1e-4)
