"""Evaluate machine translation as ranking.

Names are loaded when they are first used, so that ``import rankwise`` costs nothing.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import lazy_names

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rankwise.aggregate.asking.campaign_replay import Replay as Replay
    from rankwise.aggregate.asking.campaign_replay import replay as replay
    from rankwise.aggregate.asking.next_screens import next_comparisons as next_comparisons
    from rankwise.agreement import list_measure as list_measure
    from rankwise.agreement import table_measure as table_measure
    from rankwise.agreement.judges.kappa import cohen_kappa as cohen_kappa
    from rankwise.agreement.judges.kappa import fleiss_kappa as fleiss_kappa
    from rankwise.agreement.judges.krippendorff import krippendorff_alpha as krippendorff_alpha
    from rankwise.bulk import score_table as score_table
    from rankwise.bundled import example as example
    from rankwise.engine import Site as Site
    from rankwise.errors import ConvergenceError as ConvergenceError
    from rankwise.errors import DataError as DataError
    from rankwise.errors import MissingExtra as MissingExtra
    from rankwise.errors import RankwiseError as RankwiseError
    from rankwise.errors import StoreError as StoreError
    from rankwise.evaluate import agree as agree
    from rankwise.evaluate import agreement_with_people as agreement_with_people
    from rankwise.evaluate import learn as learn
    from rankwise.evaluate import rank as rank
    from rankwise.evaluate import relative_rankings as relative_rankings
    from rankwise.evaluate import score_systems as score_systems
    from rankwise.evaluate.comparing.segment_pairs import SegmentFilter as SegmentFilter
    from rankwise.evaluate.comparing.two_systems import TwoSystems as TwoSystems
    from rankwise.evaluate.comparing.two_systems import compare as compare
    from rankwise.evaluate.expected_scores import mbr as mbr
    from rankwise.evaluate.marked.span_agreement import SpanAgreement as SpanAgreement
    from rankwise.evaluate.marked.span_agreement import span_agreement as span_agreement
    from rankwise.evaluate.meta.study_meta import meta as meta
    from rankwise.evaluate.ranking.judge_agreement import judge_agreement as judge_agreement
    from rankwise.evaluate.ranking.next_segments import next_segments as next_segments
    from rankwise.evaluate.ranking.order_effects import OrderEffects as OrderEffects
    from rankwise.evaluate.ranking.order_effects import order_effects as order_effects
    from rankwise.evaluate.ranking.prediction_curves import PredictionCurve as PredictionCurve
    from rankwise.evaluate.ranking.predictions import Prediction as Prediction
    from rankwise.evaluate.ranking.predictions import predict as predict
    from rankwise.evaluate.ranking.predictions import prediction_curve as prediction_curve
    from rankwise.evaluate.ranking.proxy_ranking import ProxyRanking as ProxyRanking
    from rankwise.evaluate.ranking.proxy_ranking import rank_with_proxy as rank_with_proxy
    from rankwise.evaluate.ranking.value_ranking import ValueRanking as ValueRanking
    from rankwise.evaluate.ranking.value_ranking import rank_assessments as rank_assessments
    from rankwise.evaluate.score_study import score as score
    from rankwise.evaluate.scoreboard import Resampling as Resampling
    from rankwise.evaluate.scoreboard import Scoreboard as Scoreboard
    from rankwise.io import convert as convert
    from rankwise.io import read_assessments as read_assessments
    from rankwise.io import read_judgments as read_judgments
    from rankwise.io import read_scores as read_scores
    from rankwise.io import read_study as read_study
    from rankwise.io import read_testset as read_testset
    from rankwise.io import write_assessments as write_assessments
    from rankwise.io import write_judgments as write_judgments
    from rankwise.io import write_scores as write_scores
    from rankwise.io import write_testset as write_testset
    from rankwise.io.learned.feature_cache import FeatureCache as FeatureCache
    from rankwise.io.learned.model_files import write_model as write_model
    from rankwise.judging.endpoint.budget import Prices as Prices
    from rankwise.judging.endpoint.endpoint_settings import Endpoint as Endpoint
    from rankwise.judging.model_judge import judge as judge
    from rankwise.judging.model_verdicts import ModelVerdicts as ModelVerdicts
    from rankwise.metrics import metric as metric
    from rankwise.present.report.whole_report import report as report
    from rankwise.text.trees.permutation import permutation_tree as permutation_tree
    from rankwise.types import Assessments as Assessments
    from rankwise.types import Comparisons as Comparisons
    from rankwise.types import Judgments as Judgments
    from rankwise.types import Leaderboard as Leaderboard
    from rankwise.types import Ranking as Ranking
    from rankwise.types import ScoreTable as ScoreTable
    from rankwise.types import Segment as Segment
    from rankwise.types import Study as Study
    from rankwise.types import TestSet as TestSet
    from rankwise.types.sampling import sample as sample
    from rankwise.types.sampling import split as split
else:
    __getattr__, __dir__ = lazy_names(__name__)
