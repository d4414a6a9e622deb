"""Everything that a report shows, computed once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.evaluate.meta.against_people import (
    Agreement,
    agreement_with_people,
    must_share_systems,
)
from rankwise.evaluate.meta.meta_evaluation import MetaEvaluation, MetaTrial, evaluate_metrics
from rankwise.evaluate.meta.meta_scores import computed, pair_scores
from rankwise.evaluate.outside_tables import judged_scores, scored_tables
from rankwise.evaluate.ranking.human_parts import parts
from rankwise.evaluate.ranking.human_ranking import HumanRanking, with_counts
from rankwise.evaluate.ranking.judge_agreement import judge_agreement
from rankwise.evaluate.ranking.value_places import with_places
from rankwise.evaluate.ranking.value_ranking import ValueRanking, rank_assessments
from rankwise.evaluate.scoreboard import ALPHA, Scoreboard, scoreboard, units_of
from rankwise.evaluate.scored_study import frame_of, scored_study, segment_table, study_labels
from rankwise.evaluate.system_scores import Scored, SystemScores
from rankwise.evaluate.work_done import Done, Work, part_of
from rankwise.metrics import Metric
from rankwise.present.report.report_making import ReportOptions
from rankwise.present.report.report_work import report_work
from rankwise.types import Judgments, Leaderboard, LevelScores, ScoreTable, Study


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """What people say: of systems, as a ranking, and of single outputs; higher is better.

    ``is_tested`` says whether resampling stands behind the clusters of ``board``.
    """

    name: str
    board: Leaderboard
    segments: ScoreTable
    is_tested: bool = True


@dataclass(frozen=True, eq=False)
class Findings:
    """Metrics, people, and how far they agree; what has no input is None or empty.

    ``human`` are scores that people gave, as a table; ``values`` ranks by the single judgments
    behind it. ``notes`` says in sentences what is missing or was left out.
    """

    study: Study
    options: ReportOptions
    board: Scoreboard | None = None
    human: Scoreboard | None = None
    ranking: HumanRanking | None = None
    values: ValueRanking | None = None
    agreements: tuple[Agreement, ...] = ()
    meta: MetaEvaluation | None = None
    notes: tuple[str, ...] = ()

    @property
    def results(self) -> tuple[SystemScores, ...]:
        """The metrics, computed ones first."""
        return () if self.board is None else self.board.scored.results

    @cached_property
    def golds(self) -> tuple[Gold, ...]:
        """What people say, by rankings and by scores."""
        found = []
        if self.ranking is not None:
            wins = segment_wins(self.ranking.part.judgments)
            found.append(Gold("human ranking", self.ranking.board, wins))
        if self.human is not None:
            standing = self.human.standings[0]
            table = standing.result.segments
            board = standing.board if self.values is None else self.values.board
            name, is_tested = str(standing.result.metric), board is not None
            found.append(Gold(name, board or unranked(standing.result), table, is_tested))
        return tuple(found)


def findings(
    study: Study,
    metrics: Sequence[Metric] = (),
    options: ReportOptions | None = None,
    work: Work | None = None,
) -> Findings:
    """All that the study allows to compute, with these metrics of its texts.

    *work* is told of its steps, which are those of ``report_work``.
    """
    study.must_hold_something()
    options = options or ReportOptions()
    work = work or report_work(study, metrics, options)
    scored, notes = scored_study(study, metrics)
    work.finish("scores")
    board = None if scored is None else _board(scored, options)
    work.finish("boards")
    human = _human_scores(study, options, notes)
    values = None if human is None else _values(study, human, options, notes)
    work.finish("people")
    ranking = _ranking(study, options, part_of(work.of("ranking"), options.ranker.runs))
    work.finish("ranking")
    results = () if board is None else board.scored.results
    agreements: list[Agreement] = []
    if ranking is not None:
        people = ranking.part.judgments
        if results:
            must_share_systems(results[0], ranking.board)
        drawn = options.resampling
        agreements = [
            agreement_with_people(
                result, ranking.board, people, samples=drawn.draws, seed=drawn.seed
            )
            for result in results
        ]
    meta = _meta(results, human, options, part_of(work.of("meta"), 100))
    work.finish("meta")
    notes = [*study.notes, *notes]
    return Findings(
        study, options, board, human, ranking, values, tuple(agreements), meta, tuple(notes)
    )


def _board(scored: Scored, options: ReportOptions) -> Scoreboard:
    """With intervals and tests of all pairs, where systems are several and something is drawn.

    Draws are more than usual where Holm's correction of so many pairs could find nothing else.
    """
    drawn, systems = options.resampling, len(scored.results[0].systems)
    has_tests = systems > 1 and units_of(scored, drawn) > 1 and drawn.draws > 0
    if has_tests:
        drawn.check()
        pairs, units = systems * (systems - 1) // 2, units_of(scored, drawn)
        if drawn.least_p(pairs, units) >= ALPHA:
            drawn = drawn.enough_for(pairs, units)
    return scoreboard(scored, drawn, all_pairs=has_tests)


# -- people ----------------------------------------------------------------------------------------


def _human_scores(study: Study, options: ReportOptions, notes: list[str]) -> Scoreboard | None:
    if study.human is None:
        return None
    name = study.human.name or "human scores"
    systems, segments = frame_of(study)
    table, more = judged_scores(name, segment_table(name, study.human), systems, segments)
    notes += more
    return _board(scored_tables({name: table}, labels=study_labels(study)), options)


def _values(
    study: Study, human: Scoreboard, options: ReportOptions, notes: list[str]
) -> ValueRanking | None:
    """The ranking by single values, of the systems that the table of them has."""
    if study.assessments is None or options.resampling.draws == 0:
        return None
    systems = set(human.standings[0].result.systems)
    kept = np.array([name in systems for name in study.assessments.systems], np.bool_)
    single = with_places(study.assessments.select(kept[study.assessments.system]), study.texts)
    drawn = options.resampling
    try:
        found = rank_assessments(single, runs=drawn.draws, seed=drawn.seed, level=drawn.level)
    except DataError as error:
        notes.append(f"no ranking by single values: {error}")
        return None
    return found if set(found.board.systems) == systems else None


def _ranking(study: Study, options: ReportOptions, done: Done | None) -> HumanRanking | None:
    if study.judgments is None:
        return None
    found = parts(study.judgments)
    if len(found) != 1:
        names = ", ".join(part.title for part in found) or "none"
        raise DataError(f"the judgments are of the language pairs {names}; choose one of them")
    [part] = found
    board = options.ranker.board(part.judgments, progress=done)
    level, seed = options.ranker.level, options.ranker.seed
    return with_counts(part, board, judge_agreement(part.judgments, seed=seed, level=level))


def segment_wins(judgments: Judgments) -> ScoreTable:
    r"""How often each output won its comparisons, ties counting half; nan where it had none.

    .. math:: h_{si} = (\text{wins} + \tfrac12 \text{ties}) / \text{comparisons}

    >>> from rankwise.types import Ranking
    >>> rankings = [Ranking("1", "ann", ("A", "B"), (1, 2)), Ranking("1", "bo", ("A", "B"), (1, 1))]
    >>> segment_wins(Judgments.from_rankings(rankings)).values
    array([[0.75], [0.25]])
    """
    pairs = judgments.pairs()
    segment = judgments.segment[pairs.ranking].astype(np.int64)
    shape = (len(judgments.systems), len(judgments.segments))
    won: NDArray[np.float64] = np.zeros(shape)
    met: NDArray[np.float64] = np.zeros(shape)
    for side, sign in ((pairs.left, pairs.sign), (pairs.right, -pairs.sign)):
        np.add.at(won, (side, segment), (sign + 1) / 2)
        np.add.at(met, (side, segment), 1)
    shares: NDArray[np.float64] = np.full(shape, np.nan)
    np.divide(won, met, out=shares, where=met > 0)
    return ScoreTable(judgments.systems, judgments.segments, shares, name="share of wins")


def unranked(result: SystemScores) -> Leaderboard:
    """Systems by their scores alone, each with its own rank: there was no resampling."""
    order = np.argsort(-result.quality, kind="stable")
    ranks = np.arange(1, len(order) + 1)
    names = tuple(result.systems[place] for place in order.tolist())
    return Leaderboard(names, result.corpus[order], ranks, ranks, np.ones_like(ranks))


def _meta(
    results: Sequence[SystemScores],
    human: Scoreboard | None,
    options: ReportOptions,
    done: Done | None,
) -> MetaEvaluation | None:
    if human is None or not results:
        return None
    gold = human.scored.results[0].segments
    if len(gold.systems) < 2:
        return None
    scores = pair_scores("", LevelScores.of(gold), gold_name=gold.name)
    metrics = {str(result.metric): computed(scores, result) for result in results}
    test = "permutation" if len(metrics) > 1 and options.draws > 0 else "none"
    trial = MetaTrial(test, max(1, options.draws), options.resampling.seed)
    return evaluate_metrics([scores.with_metrics(metrics)], trial=trial, progress=done)
