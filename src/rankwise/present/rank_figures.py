"""Figures of a human ranking: what each needs is computed here and drawn by ``report.figures``."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.self_selected import selected_pairs
from rankwise.aggregate.ranker import Ranker
from rankwise.errors import DataError
from rankwise.evaluate.ranking.human_ranking import HumanRanking
from rankwise.types import Judgments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS = 10  # sizes of data that clusters are drawn against
REPEATS = 5  # random parts of every size
PART_RUNS = 100  # resamples of a part, as many as the paper took


def figure(kind: str, ranking: HumanRanking, ranker: Ranker) -> "Figure":
    """One of ``KINDS`` of figures about *ranking*, which *ranker* made."""
    return KINDS[kind](ranking, ranker)


def _ranges(ranking: HumanRanking, ranker: Ranker) -> "Figure":
    from rankwise.present.figures.rank_ranges import rank_ranges

    scores = ranking.runs
    if scores is None:
        scores = ranker.board_and_runs(ranking.part.judgments)[1]
    return rank_ranges(ranking.board, run_ranks(scores), title=ranking.part.name)


def _heat_map(ranking: HumanRanking, ranker: Ranker) -> "Figure":
    from rankwise.present.figures.heat_map import heat_map

    del ranker
    return heat_map(ranking.board.systems, ranking.compared, title=ranking.part.name)


def _early_late(ranking: HumanRanking, ranker: Ranker) -> "Figure":
    """By the order in which the model selects; without such a model, by that of the judgments."""
    from rankwise.present.figures.early_late import early_late

    judgments, systems = ranking.part.judgments, ranking.board.systems
    model = ranker.selecting(judgments)
    if model is None:
        pairs, everything = judgments.pairs(), None
        names, left, right = pairs.systems, pairs.left, pairs.right
    else:
        chosen, everything = selected_pairs(judgments, model, seed=ranker.seed), ranking.compared
        names, left, right = chosen.systems, chosen.left, chosen.right
    places = {name: place for place, name in enumerate(systems)}
    numbers = np.array([places.get(name, 0) for name in names], np.int64)
    return early_late(
        systems, numbers[left], numbers[right], everything=everything, title=ranking.part.name
    )


def _clusters(ranking: HumanRanking, ranker: Ranker) -> "Figure":
    """The same way of ranking, and Expected Wins beside it."""
    from rankwise.present.figures.clusters_by_data import clusters_by_data

    judgments = ranking.part.judgments
    sizes = [judgments.pair_count * step // STEPS for step in range(1, STEPS + 1)]
    rankers = [ranker, replace(ranker, model="expected-wins", recipe=None)]
    found = {one.name: clusters_of_parts(judgments, sizes, one) for one in rankers}
    return clusters_by_data(sizes, found, systems=len(ranking.board), title=ranking.part.name)


def _ratings(ranking: HumanRanking, ranker: Ranker) -> "Figure":
    from rankwise.present.figures.rating_intervals import rating_intervals

    return rating_intervals(ranking.board, _deviations(ranking, ranker), title=ranking.part.name)


def _deviations(ranking: HumanRanking, ranker: Ranker) -> NDArray[np.float64]:
    """Those that the model states; where it states none, those over the runs."""
    board, judgments = ranking.board, ranking.part.judgments
    if ranker.recipe is None:
        ratings = ranker.parsed.ratings(judgments, seed=ranker.seed)
        order = [ratings.systems.index(system) for system in board.systems]
        if not np.isnan(ratings.deviations).any():
            return ratings.deviations[order]
    return np.full(len(board), np.nan) if board.deviations is None else board.deviations


#: What can be drawn, by its name.
KINDS: Mapping[str, Callable[[HumanRanking, Ranker], "Figure"]] = {
    "ranges": _ranges,
    "heatmap": _heat_map,
    "early-late": _early_late,
    "clusters": _clusters,
    "ratings": _ratings,
}


def run_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rank of every system in every run, (runs, S); equal scores share the mean of ranks.

    A system without a score (nan) in a run shares the last ranks with others like it.

    >>> run_ranks(np.array([[0.5, 0.2, 0.2]]))
    array([[1. , 2.5, 2.5]])
    """
    values = np.where(np.isnan(scores), -np.inf, scores)
    better = (values[:, np.newaxis, :] > values[:, :, np.newaxis]).sum(axis=2)
    equal = (values[:, np.newaxis, :] == values[:, :, np.newaxis]).sum(axis=2)
    ranks: NDArray[np.float64] = better + (equal + 1) / 2
    return ranks


def clusters_of_parts(judgments: Judgments, sizes: list[int], ranker: Ranker) -> NDArray[np.int64]:
    """How many clusters random parts of so many comparisons give, (repeats, sizes).

    A part is made of whole screens in random order, as many as hold the comparisons.
    """
    random = np.random.default_rng(ranker.seed)
    ranker = replace(ranker, runs=min(ranker.runs, PART_RUNS))
    found = np.zeros((REPEATS, len(sizes)), np.int64)
    for repeat in range(REPEATS):
        order, held = _shuffled_screens(judgments, random)
        for place, size in enumerate(sizes):
            screens = order[: int(np.searchsorted(held, size)) + 1]
            part = judgments.select(np.isin(judgments.screen, screens))
            found[repeat, place] = ranker.board(part).clusters[-1]
    return found


def _shuffled_screens(
    judgments: Judgments, random: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Screens in random order, and how many comparisons they hold up to each."""
    pairs = judgments.pairs()
    if len(pairs) == 0:
        raise DataError("the judgments hold no comparison of two ranked systems")
    screens, counts = np.unique(judgments.screen[pairs.ranking], return_counts=True)
    order = random.permutation(len(screens))
    return screens[order], np.cumsum(counts[order])
