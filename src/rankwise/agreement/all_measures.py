"""Every measure by its name: those of ranked lists, and those of tables of scores."""

from rankwise.agreement.lists.list_measure import Measure
from rankwise.agreement.lists.measure_names import ALIASES, MEASURES, list_measure
from rankwise.agreement.tables.score_measure import ScoreMeasure
from rankwise.agreement.tables.score_measures import MEASURES as SCORE_MEASURES
from rankwise.agreement.tables.score_measures import score_measure
from rankwise.errors import DataError


def measure(name: str) -> Measure | ScoreMeasure:
    """The measure that *name* describes, with its options.

    ``tau:variant=wmt12`` and ``ndcg@5`` compare ranked lists (:class:`Measure`: ``statistics`` and
    ``score``), ``pearson:grouping=item`` and ``acc-eq`` tables of scores of systems and segments
    (:class:`ScoreMeasure`: ``of``). RankEval's names are known too.

    >>> print(measure("ndcg@5"), measure("acc-eq"))
    ndcg@5 acc-eq
    """
    word = name.partition(":")[0]
    if word in SCORE_MEASURES:
        return score_measure(name)
    plain = word.partition("@")[0]
    if plain not in MEASURES and word not in ALIASES and not word.startswith("bph_"):
        known = ", ".join(sorted({*MEASURES, *SCORE_MEASURES}))
        raise DataError(f"unknown measure {word!r}; choose from {known}")
    return list_measure(name)
