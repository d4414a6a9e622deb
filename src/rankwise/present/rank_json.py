"""Everything that is known about human rankings, as one JSON object with every digit."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankwise import __version__
from rankwise.evaluate.ranking.human_ranking import HumanRanking
from rankwise.evaluate.ranking.judge_agreement import KappaAndAlpha
from rankwise.present.rank_tables import judge_rows, pair_rows, ranking_rows
from rankwise.present.tables import Table


def json_table(rankings: Sequence[HumanRanking]) -> Table:
    """The rows of all rankings, and ``parts`` with the counts, tests and agreement of each.

    What is undefined is null.
    """
    table = ranking_rows(rankings)
    facts = {"parts": [_part(ranking) for ranking in rankings], "version": __version__}
    return Table(table.columns, table.rows, facts=facts)


def _part(ranking: HumanRanking) -> dict[str, Any]:
    judgments, board = ranking.part.judgments, ranking.board
    found: dict[str, Any] = {
        "labels": ranking.part.labels,
        "language pair": ranking.part.language_pair,
        "signature": board.signature,
        "rankings": len(judgments),
        "skipped": int(judgments.is_skipped.sum()),
        "pairs": judgments.pair_count,
        "judges": len(np.unique(judgments.judge)),
        "segments": len(np.unique(judgments.segment)),
        "systems": list(board.systems),
        "wins": ranking.wins.tolist(),
        "ties": ranking.ties.tolist(),
        "pairwise": _objects(pair_rows([ranking]), len(ranking.part.labels)),
    }
    if ranking.agreement is not None:
        both = (ranking.agreement.inter, ranking.agreement.intra)
        found["agreement"] = {kind.counts.kind: _kind(kind) for kind in both}
        found["rankings with found texts"] = ranking.agreement.found_texts
        found["agreement by judge"] = _objects(judge_rows([ranking]), len(ranking.part.labels))
    return found


def _kind(kind: KappaAndAlpha) -> dict[str, Any]:
    counts = kind.counts
    numbers = {
        "observed": counts.observed,
        "chance": counts.expected,
        "kappa": counts.kappa,
        "low": kind.low,
        "high": kind.high,
        "cohen": kind.cohen,
        "alpha": kind.alpha,
        "ordinal alpha": kind.ordinal_alpha,
        "identical": counts.identical,
        "comparable": counts.comparable,
        "ties": counts.ties,
        "labels": counts.labels,
    }
    reason = {"reason": counts.reason} if counts.reason else {}
    return {name: _defined(value) for name, value in numbers.items()} | reason


def _objects(table: Table, skipped: int) -> list[dict[str, Any]]:
    """Rows as objects, without their first columns."""
    names = [column.name for column in table.columns][skipped:]
    return [dict(zip(names, row[skipped:], strict=True)) for row in table.rows]


def _defined(value: Any) -> Any:
    return None if isinstance(value, float) and not np.isfinite(value) else value
