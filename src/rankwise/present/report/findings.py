"""Everything that a report shows, computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from rankwise.evaluate.outside_tables import scored_tables
from rankwise.evaluate.ranking.human_parts import parts
from rankwise.evaluate.ranking.human_ranking import HumanRanking, with_counts
from rankwise.evaluate.ranking.judge_agreement import judge_agreement
from rankwise.evaluate.scoreboard import Scoreboard, scoreboard
from rankwise.evaluate.segment_groups import block_labels
from rankwise.evaluate.system_scores import Scored, SystemScores, score_blocks
from rankwise.present.report.report_inputs import (
    ReportInputs,
    ReportOptions,
    aligned_scores,
    judged_scores,
)
from rankwise.types import Judgments, Leaderboard, ScoreTable, TestSet
from rankwise.types.text_block import Block, blocks_of


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """What people say: of systems, as a ranking, and of single outputs; higher is better."""

    name: str
    board: Leaderboard
    segments: ScoreTable


@dataclass(frozen=True, eq=False)
class Study:
    """Metrics, people, and how far they agree; what has no input is None or empty.

    ``notes`` says in sentences what is missing or was left out.
    """

    inputs: ReportInputs
    options: ReportOptions
    board: Scoreboard | None = None
    human: Scoreboard | None = None
    ranking: HumanRanking | None = None
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
            board = standing.board or _unranked(standing.result)
            found.append(Gold(str(standing.result.metric), board, table))
        return tuple(found)


def study(inputs: ReportInputs, options: ReportOptions) -> Study:
    """All that *inputs* allow to compute."""
    notes: list[str] = []
    board = _metrics(inputs, options, notes)
    human = _human_scores(inputs, options, notes)
    ranking = _ranking(inputs, options)
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
    meta = _meta(results, human, options)
    return Study(inputs, options, board, human, ranking, tuple(agreements), meta, tuple(notes))


# -- metrics ---------------------------------------------------------------------------------------


def _metrics(inputs: ReportInputs, options: ReportOptions, notes: list[str]) -> Scoreboard | None:
    scored = _scored(inputs, notes)
    if scored is None:
        return None
    several = len(scored.results[0].systems) > 1 and options.resampling.draws > 0
    return scoreboard(scored, options.resampling, all_pairs=several)


def _scored(inputs: ReportInputs, notes: list[str]) -> Scored | None:
    systems, segments = _frame(inputs)
    twice = next((name for name in map(str, inputs.metrics) if name in inputs.scores), None)
    if twice is not None:
        raise DataError(f"scores {twice!r} are called as a computed metric; expected another name")
    given: tuple[SystemScores, ...] = ()
    if inputs.scores:
        tables = {}
        for name, table in inputs.scores.items():
            tables[name], more = aligned_scores(name, table, systems, segments)
            notes += more
        others = scored_tables(tables, higher_is_better=inputs.higher_is_better)
        given = others.results
        if inputs.testset is None:
            return others
    if inputs.testset is None:
        return None
    groupings = available_groupings(inputs.testset)
    if inputs.metrics:
        scored = score_blocks(blocks_of(inputs.testset), inputs.metrics, groupings=groupings)
        return replace(scored, results=(*scored.results, *given))
    if not given:
        return None
    labels = _labels(inputs.testset, groupings)
    return Scored(given, len(segments), 0, 0, labels)


def _frame(inputs: ReportInputs) -> tuple[Sequence[str], Sequence[str]]:
    """The systems and segments that scores are over: those of the texts, or of the first table."""
    if inputs.testset is not None:
        return inputs.testset.systems, [segment.id for segment in inputs.testset.segments]
    table = next(iter(inputs.scores.values()), inputs.human)
    return ((), ()) if table is None else (table.systems, table.segments)


def available_groupings(testset: TestSet) -> list[str]:
    """What every segment has a label for: domain, document, and the length of the reference."""
    found = [
        name
        for name in ("domain", "document")
        if all(getattr(segment, name) is not None for segment in testset.segments)
    ]
    has_references = all(segment.references for segment in testset.segments)
    return [*found, *(["length"] if has_references else [])]


def _labels(testset: TestSet, groupings: Sequence[str]) -> dict[str, list[str]]:
    block = Block(
        [segment.id for segment in testset.segments],
        testset.references,
        {},  # labels do not depend on outputs, which may be missing
        [segment.document for segment in testset.segments],
        [segment.domain for segment in testset.segments],
    )
    return {grouping: block_labels(block, grouping) for grouping in groupings}


# -- people ----------------------------------------------------------------------------------------


def _human_scores(
    inputs: ReportInputs, options: ReportOptions, notes: list[str]
) -> Scoreboard | None:
    if inputs.human is None:
        return None
    systems, segments = _frame(inputs)
    name = inputs.human.name or "human scores"
    table, more = judged_scores(name, inputs.human, systems, segments)
    notes += more
    labels = {}
    if inputs.testset is not None:
        labels = _labels(inputs.testset, available_groupings(inputs.testset))
    several = len(table.systems) > 1 and options.resampling.draws > 0
    scored = scored_tables({name: table}, labels=labels)
    return scoreboard(scored, options.resampling, all_pairs=several)


def _ranking(inputs: ReportInputs, options: ReportOptions) -> HumanRanking | None:
    if inputs.judgments is None:
        return None
    found = parts(inputs.judgments)
    if len(found) != 1:
        names = ", ".join(part.title for part in found) or "none"
        raise DataError(f"the judgments are of the language pairs {names}; choose one of them")
    [part] = found
    board = options.ranker.board(part.judgments)
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


def _unranked(result: SystemScores) -> Leaderboard:
    """Systems by their scores alone, each with its own rank: there was no resampling."""
    order = np.argsort(-result.quality, kind="stable")
    ranks = np.arange(1, len(order) + 1)
    names = tuple(result.systems[place] for place in order.tolist())
    return Leaderboard(names, result.corpus[order], ranks, ranks, np.ones_like(ranks))


def _meta(
    results: Sequence[SystemScores], human: Scoreboard | None, options: ReportOptions
) -> MetaEvaluation | None:
    if human is None or not results:
        return None
    gold = human.scored.results[0].segments
    if len(gold.systems) < 2:
        return None
    scores = pair_scores("", gold, None, gold_name=gold.name)
    metrics = {str(result.metric): computed(scores, result) for result in results}
    test = "permutation" if len(metrics) > 1 and options.draws > 0 else "none"
    trial = MetaTrial(test, max(1, options.draws), options.resampling.seed)
    return evaluate_metrics([scores.with_metrics(metrics)], trial=trial)
