"""How the organisers of WMT ranked systems by values, year by year.

Each recipe is a mean, a test of every two systems, and a rule that makes ranks of the tests. The
tests take segments for independent and do not correct for their number: see the page on statistics
for how often each separates two systems that are equally good.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.scalar.judged_values import JudgedValues
from rankwise.aggregate.scalar.pair_tests import SystemValues, better_p_values
from rankwise.aggregate.scalar.value_means import Average, Normalise, system_means, values_of
from rankwise.aggregate.scalar.value_models import ValueBoard
from rankwise.types import Leaderboard
from rankwise.types.clusters import check_level, clusters
from rankwise.types.named import check_choice

Ranks = NDArray[np.int64]
RankRule = Literal["cluster", "wins", "neighbours"]


@dataclass(frozen=True, slots=True)
class ValueRecipe:
    """What one year did.

    ``ranks`` says which ranks a system may have: those of its ``cluster``; one more than it lost
    to, down to all but those it beat (``wins``); or up and down to the next ``neighbours`` that the
    test tells apart. ``share`` is the part of 1 - level that a p-value must be below; ``tested``
    are the values of the test, where they are not those of the mean. ``separates`` is the share of
    pairs of equally good systems that the test told apart in simulated campaigns with judges and
    documents as in that year; a test holds it to the simulation. ``source`` says where a year is
    known from.
    """

    years: str
    normalise: Normalise
    average: Average
    test: str
    ranks: RankRule
    separates: float
    source: str
    share: float = 1.0
    tested: Normalise | None = None
    clusters_by: Literal["tests", "ranks"] = "tests"


_CROWD = ValueRecipe(
    "WMT17 to WMT21, and WMT22 into English",
    "judge",
    "segment",
    "rank-sum",
    "cluster",
    0.09,
    "the findings of each year, and the files of WMT21 and WMT22, whose clusters come out",
)

#: What each year did, by its name.
VALUE_RECIPES: dict[str, ValueRecipe] = {
    **{f"wmt{year}": _CROWD for year in (17, 18, 19, 20, 21, 22)},
    "wmt22-sqm": ValueRecipe(
        "WMT22 out of English (DA+SQM)",
        "judge",
        "segment",
        "shared-rank-sum",
        "wins",
        0.13,
        "the organisers' script make_rankings.py",
    ),
    "wmt23": ValueRecipe(
        "WMT23 (DA+SQM)",
        "none",
        "segment",
        "rank-sum",
        "cluster",
        0.13,
        "the organisers' file of results: ordered by raw means, with wins that follow z",
        tested="judge",
    ),
    "wmt24": ValueRecipe(
        "WMT24 (ESA and MQM)",
        "none",
        "domain",
        "signed-rank-by-domain",
        "wins",
        0.11,
        "the organisers' script tools.py",
    ),
    "wmt25": ValueRecipe(
        "WMT25 (ESA and MQM)",
        "none",
        "judgment",
        "signed-rank",
        "neighbours",
        0.31,
        "the organisers' script compute_clusters.py",
        share=0.5,
        clusters_by="ranks",
    ),
    "wmt26": ValueRecipe(
        "WMT26 (contrastive ESA)",
        "none",
        "segment",
        "either-t",
        "neighbours",
        0.26,
        "the organisers' script analyze_results.py, which had other tests at other times",
    ),
}


def recipe_board(judged: JudgedValues, recipe: str, *, level: float = 0.95) -> ValueBoard:
    r"""The ranking that the organisers of one year would have published.

    Nothing is drawn: a boundary stands where every system above is found better than every one
    below, p < 1 - *level*. ``p_values`` are those of the year's test, above the diagonal alone.

    - ``wmt17`` to ``wmt22``: means of standardised values; rank sums of the segments, one-sided.
    - ``wmt22-sqm``: the same on segments that were judged of both; ranks by wins and losses.
    - ``wmt23``: means of raw values; rank sums of standardised ones, one-sided.
    - ``wmt24``: raw values, the mean of domains; signed ranks in each domain, two-sided, joined by
      Stouffer's method; ranks by wins and losses.
    - ``wmt25``: the mean of raw judgments; signed ranks of all pairs of judgments of a segment,
      one-sided at half of 1 - *level*; ranks up to the next neighbour that differs.
    - ``wmt26``: means of raw values; a paired or an independent t-test, one-sided: either will do.

    >>> from rankwise.types import Assessments
    >>> rows = [(s, str(g), "ann", "TGT", 9.0 * (s == "A") + g) for s in "AB" for g in range(9)]
    >>> recipe_board(JudgedValues.of(Assessments.from_rows(rows)), "wmt26").board.clusters
    array([1, 2])
    """
    check_choice("ranking of values", "recipe", recipe, VALUE_RECIPES)
    check_level(level)
    steps = VALUE_RECIPES[recipe]
    if steps.average == "domain":
        judged.must_have_domains(f"recipe {recipe!r}")
    value = values_of(judged, steps.normalise)
    scores = system_means(judged, value, steps.average)
    names = judged.systems
    order = np.array(sorted(range(len(names)), key=lambda s: (-scores[s], names[s])), np.int64)
    domains = judged.segment_domains()
    tested = values_of(judged, steps.tested or steps.normalise)
    values = SystemValues(judged.cell_means(tested), domains, judged, tested)
    p_values = better_p_values(values, order, steps.test)
    low, high, found = _ranks(p_values < steps.share * (1 - level), steps)
    best = tuple(names[s] for s in order.tolist())
    signature = (
        f"mean:normalise={steps.normalise}:average={steps.average} {steps.test} "
        f"recipe={recipe}:level={level:g}"
    )
    board = Leaderboard(best, scores[order], low, high, found, signature)
    unknown = np.full(len(best), np.nan)
    return ValueBoard(board, unknown, unknown, p_values)


def _ranks(is_better: NDArray[np.bool_], steps: ValueRecipe) -> tuple[Ranks, Ranks, Ranks]:
    """The best and the worst rank of every place, and its cluster."""
    size = len(is_better)
    starts = [bool(is_better[:place, place:].all()) for place in range(1, size)]
    found = np.cumsum([1, *starts]).astype(np.int64)
    if steps.ranks == "cluster":
        low, high = (np.searchsorted(found, found, side) for side in ("left", "right"))
        return low.astype(np.int64) + 1, high.astype(np.int64), found
    if steps.ranks == "wins":
        return is_better.sum(axis=0) + 1, size - is_better.sum(axis=1), found
    low = np.array([_reach(is_better[:place, place][::-1]) for place in range(size)])
    high = np.array([_reach(is_better[place, place + 1 :]) for place in range(size)])
    places = np.arange(1, size + 1)
    low, high = places - low, places + high
    return low, high, clusters(low, high) if steps.clusters_by == "ranks" else found


def _reach(differs: NDArray[np.bool_]) -> int:
    """How many neighbours come before the first that differs."""
    return int(np.argmax(differs)) if differs.any() else len(differs)
