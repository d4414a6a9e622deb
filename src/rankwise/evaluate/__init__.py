"""Compositions people repeat, still without I/O: score every system, compare with people.

Names are loaded when they are first used: whoever scores does not wait for what compares.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import lazy_names

if TYPE_CHECKING:
    from rankwise.evaluate.expected_scores import score_matrix as score_matrix
    from rankwise.evaluate.list_agreement import ListAgreement as ListAgreement
    from rankwise.evaluate.list_agreement import ListResult as ListResult
    from rankwise.evaluate.list_agreement import agree as agree
    from rankwise.evaluate.list_agreement import agree_in_blocks as agree_in_blocks
    from rankwise.evaluate.list_agreement import compare_lists as compare_lists
    from rankwise.evaluate.meta.against_people import Agreement as Agreement
    from rankwise.evaluate.meta.against_people import agreement_with_people as agreement_with_people
    from rankwise.evaluate.meta.meta_evaluation import MetaEvaluation as MetaEvaluation
    from rankwise.evaluate.meta.meta_evaluation import evaluate_metrics as evaluate_metrics
    from rankwise.evaluate.metric_learning.learned import Learned as Learned
    from rankwise.evaluate.metric_learning.learned import learn as learn
    from rankwise.evaluate.ranking.prediction_curves import CurveLearner as CurveLearner
    from rankwise.evaluate.ranking.prediction_curves import PredictionCurve as PredictionCurve
    from rankwise.evaluate.ranking.prediction_curves import learning_curve as learning_curve
    from rankwise.evaluate.ranking.scores_to_rankings import relative_rankings as relative_rankings
    from rankwise.evaluate.ranking.spread_ranking import rank as rank
    from rankwise.evaluate.system_leads import with_lead as with_lead
    from rankwise.evaluate.system_scores import SystemScores as SystemScores
    from rankwise.evaluate.system_scores import score_systems as score_systems
else:
    __getattr__, __dir__ = lazy_names(__name__)
