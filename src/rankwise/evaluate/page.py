"""The report of a test set: one page from scores, a human ranking and how far they agree."""

from collections.abc import Sequence

from rankwise import __version__
from rankwise.evaluate.people import Agreement
from rankwise.evaluate.rank_tables import leaderboard_table
from rankwise.evaluate.scores import SystemScores
from rankwise.evaluate.tables import agreement_table, score_table
from rankwise.report.page import Section, page
from rankwise.report.svg import rank_ranges, scatter
from rankwise.significance import Intervals
from rankwise.types import Leaderboard, TestSet


def report_page(
    testset: TestSet,
    results: Sequence[SystemScores],
    intervals: Sequence[Intervals],
    board: Leaderboard | None = None,
    agreements: Sequence[Agreement] = (),
) -> str:
    """The page as HTML; without a human ranking it holds the scores alone."""
    sections = [_scores(results, intervals)]
    if board is not None:
        sections += [_ranking(board), _agreement(results, board, agreements)]
    lead = f"{len(testset.systems)} systems on {len(testset)} segments; Rankwise {__version__}."
    return page(f"Evaluation of {testset.name or 'a test set'}", lead, sections)


def _scores(results: Sequence[SystemScores], intervals: Sequence[Intervals]) -> Section:
    level = intervals[0].level if intervals else 0.95
    return Section(
        "Automatic scores",
        f"Systems sorted by the first metric; the best of each column is bold; low and high are "
        f"the ends of the {level:.0%} bootstrap interval.",
        [score_table(results, intervals)],
        notes=[result.metric.signature for result in results],
    )


def _ranking(board: Leaderboard) -> Section:
    return Section(
        "Human ranking",
        "Systems in one cluster are not told apart by the judgments: a line is drawn only where no "
        "range of ranks crosses it.",
        [leaderboard_table(board)],
        [(rank_ranges(board), "Range of ranks of each system; dashed lines separate clusters.")],
        [board.signature],
    )


def _agreement(
    results: Sequence[SystemScores], board: Leaderboard, agreements: Sequence[Agreement]
) -> Section:
    human = dict(zip(board.systems, board.scores.tolist(), strict=True))
    figures = []
    for result in results:
        scores = dict(zip(result.systems, result.corpus.tolist(), strict=True))
        names = [system for system in board.systems if system in scores]
        metric = str(result.metric)
        drawing = scatter(
            names, [scores[n] for n in names], [human[n] for n in names], metric, "human score"
        )
        figures.append((drawing, f"{metric} against people"))
    return Section(
        "Metrics and people",
        "Pearson, Kendall (tau-b) and pairwise accuracy compare scores of systems; segment tau "
        "(WMT14) compares scores of segments with single human preferences.",
        [agreement_table(agreements)],
        figures,
    )
