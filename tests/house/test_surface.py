"""The public surface is pinned: a name that goes, or comes unnoticed, fails here."""

import subprocess
import sys
from importlib import import_module

import pytest

import rankwise

LAZY = [
    "rankwise",
    "rankwise.agreement",
    "rankwise.evaluate",
    "rankwise.io",
    "rankwise.learning",
    "rankwise.learning.features",
    "rankwise.metrics",
    "rankwise.types",
]

SURFACE = [
    "Endpoint",
    "FeatureCache",
    "ModelVerdicts",
    "OrderEffects",
    "Prices",
    "judge",
    "order_effects",
    "SegmentFilter",
    "TwoSystems",
    "compare",
    "Site",
    "Scoreboard",
    "Resampling",
    "judge_agreement",
    "split",
    "score",
    "sample",
    "report",
    "mbr",
    "convert",
    "Assessments",
    "Comparisons",
    "ConvergenceError",
    "DataError",
    "Judgments",
    "Leaderboard",
    "MissingExtra",
    "Prediction",
    "PredictionCurve",
    "Ranking",
    "Replay",
    "RankwiseError",
    "ScoreTable",
    "Segment",
    "StoreError",
    "Study",
    "TestSet",
    "ProxyRanking",
    "SpanAgreement",
    "ValueRanking",
    "span_agreement",
    "next_segments",
    "rank_with_proxy",
    "__version__",
    "agree",
    "agreement_with_people",
    "cohen_kappa",
    "example",
    "fleiss_kappa",
    "krippendorff_alpha",
    "learn",
    "list_measure",
    "table_measure",
    "meta",
    "metric",
    "permutation_tree",
    "next_comparisons",
    "predict",
    "prediction_curve",
    "rank",
    "rank_assessments",
    "read_assessments",
    "read_judgments",
    "read_scores",
    "read_study",
    "read_testset",
    "relative_rankings",
    "replay",
    "score_systems",
    "score_table",
    "write_assessments",
    "write_judgments",
    "write_model",
    "write_scores",
    "write_testset",
]


def test_the_public_names_are_these():
    assert sorted(SURFACE) == sorted(rankwise.__all__)


def test_every_public_name_loads():
    assert [getattr(rankwise, name) for name in SURFACE if getattr(rankwise, name) is None] == []


def test_every_public_name_is_documented():
    undocumented = [name for name in SURFACE if not getattr(rankwise, name).__doc__]
    assert undocumented == []


def test_importing_the_package_imports_nothing_heavy():
    code = "import rankwise, sys; print(sorted({'numpy', 'scipy', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", LAZY)
def test_a_package_lists_its_names_and_has_them(name):
    package = import_module(name)
    assert dir(package) == package.__all__
    assert [one for one in package.__all__ if not hasattr(package, one)] == []


@pytest.mark.parametrize("name", LAZY)
def test_a_package_has_no_other_names(name):
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nonsense'"):
        import_module(name).nonsense  # noqa: B018


def test_a_star_takes_every_public_name():
    taken = {}
    exec("from rankwise import *", taken)
    assert set(SURFACE) <= set(taken)
