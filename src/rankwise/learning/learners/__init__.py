"""Learners: one interface, examples in, a scorer out."""

from rankwise.learning.learners.lambdamart import LambdaMart
from rankwise.learning.learners.learner_class import Learner as Learner
from rankwise.learning.learners.pairwise import LogisticRanking, RankSvm
from rankwise.learning.learners.rankboost import RankBoost
from rankwise.learning.learners.regression import Ridge, SupportVectorRegression
from rankwise.types.named import parse

#: Every learner by its name.
LEARNERS: dict[str, type[Learner]] = {
    kind.name: kind
    for kind in (RankSvm, LogisticRanking, RankBoost, SupportVectorRegression, Ridge, LambdaMart)
}


def learner(name: str | Learner) -> Learner:
    """The learner of a name with options, such as ``ranksvm:cost=0.1``.

    >>> learner("rankboost:rounds=50")
    RankBoost(rounds=50, thresholds=255)
    """
    return parse(name, LEARNERS) if isinstance(name, str) else name
