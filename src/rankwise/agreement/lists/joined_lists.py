"""Predicted and gold rankings of named systems, joined into lists over the same items."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.lists.ranked_lists import RankedLists
from rankwise.errors import DataError
from rankwise.types import Judgments, ScoreTable
from rankwise.types.score_table import must_count_alike

Codes = NDArray[np.int64]

#: What may tell predicted rankings of one segment apart, tried in this order.
_KEYS = ((), ("judge",), ("screen",), ("judge", "screen"))


def joined_lists(predicted: Judgments, gold: Judgments) -> RankedLists:
    """A list for every gold ranking that has a predicted one, over the systems of the gold one.

    Rankings meet by segment (and languages, where both sides name them). A predictor that ranks a
    segment once meets every gold ranking of it; one that ranks it several times must be told apart
    by judge or screen, and the way that leaves the fewest gold rankings alone is taken. A system
    that the predicted ranking lacks is not ranked in the list. What finds no counterpart is left
    out and said in ``notes``.
    """
    partner = _partners(predicted, gold)
    kept = np.flatnonzero(partner >= 0)
    part = gold.select(kept)
    ranks = _ranks(predicted, part, partner[kept])
    labels = [gold.segments[code] for code in part.segment.tolist()]
    notes = _notes(predicted, gold, partner, int(np.isnan(ranks[~np.isnan(part.rank)]).sum()))
    return RankedLists(part.starts, ranks, part.rank, labels, notes)


def scored_lists(
    scores: ScoreTable, gold: Judgments, *, higher_is_better: bool = True
) -> RankedLists:
    """A list for every gold ranking of a scored segment, over its systems, ranked by their scores.

    Systems and segments meet by name. A system without a score is not ranked in the list; rankings
    of segments without any score are left out, and said in ``notes``.
    """
    must_count_alike(f"scores {scores.name!r}", scores.segments, gold.segments)
    places = {name: place for place, name in enumerate(scores.segments)}
    segment = np.array([places.get(name, -1) for name in gold.segments], np.int64)
    kept = np.flatnonzero(segment[gold.segment] >= 0)
    part = gold.select(kept)
    rows = {name: place for place, name in enumerate(scores.systems)}
    system = np.array([rows.get(name, -1) for name in gold.systems], np.int64)[part.system]
    column = np.repeat(segment[part.segment], part.sizes)
    values = np.where(system >= 0, scores.values[system, column], np.nan)
    ranks = -values if higher_is_better else values
    alone, unscored = len(gold) - len(part), int(np.isnan(ranks[~np.isnan(part.rank)]).sum())
    notes = [
        (alone, f"{alone} of {len(gold)} gold rankings are of segments without scores"),
        (unscored, f"{unscored} outputs ranked in gold have no score"),
    ]
    labels = [gold.segments[code] for code in part.segment.tolist()]
    said = tuple(sentence for count, sentence in notes if count)
    return RankedLists(part.starts, ranks, part.rank, labels, said)


def _partners(predicted: Judgments, gold: Judgments) -> Codes:
    """For every gold ranking the number of its predicted one, or -1."""
    if len(predicted) == 0 or len(gold) == 0:
        return np.full(len(gold), -1, np.int64)
    must_count_alike("the predicted rankings", predicted.segments, gold.segments)
    found = [
        partners
        for names in _KEYS
        if (partners := _partners_by(predicted, gold, names)) is not None
    ]
    if not found:
        raise DataError(
            "a segment has several predicted rankings that neither judge nor screen tells apart; "
            "expected one"
        )
    return max(found, key=lambda partners: int((partners >= 0).sum()))


def _partners_by(predicted: Judgments, gold: Judgments, names: Sequence[str]) -> Codes | None:
    """The partners by segment and *names*; None if these do not tell the predicted ones apart."""
    keys = [_shared_codes(predicted, gold, name) for name in ("segment", "language", *names)]
    ours, theirs = _packed([pair for pair in keys if pair is not None])
    order = np.argsort(ours, kind="stable")
    ordered = ours[order]
    if (ordered[1:] == ordered[:-1]).any():
        return None
    places = np.minimum(np.searchsorted(ordered, theirs), len(ordered) - 1)
    return np.where(ordered[places] == theirs, order[places], -1)


def _shared_codes(predicted: Judgments, gold: Judgments, name: str) -> tuple[Codes, Codes] | None:
    """Codes of a column in one table of names; None for languages that one side does not name."""
    if name == "language" and not all(any(map(any, j.languages)) for j in (predicted, gold)):
        return None
    table: dict[Any, int] = {}
    pair = []
    for judgments in (predicted, gold):
        column = getattr(judgments, name)
        names = _names(judgments, name)
        if names is None:  # screens named by numbers
            numbers, column = np.unique(column, return_inverse=True)
            names = [str(number) for number in numbers.tolist()]
        codes: Codes = np.array([table.setdefault(n, len(table)) for n in names], np.int64)
        pair.append(codes[column] if len(codes) else np.empty(0, np.int64))
    return pair[0], pair[1]


def _names(judgments: Judgments, name: str) -> Sequence[Any] | None:
    tables = {"segment": "segments", "judge": "judges", "language": "languages"}
    found: Sequence[Any] | None = getattr(judgments, tables.get(name, "screens"))
    return found


def _packed(pairs: Sequence[tuple[Codes, Codes]]) -> tuple[Codes, Codes]:
    """Several columns of codes as one."""
    ours, theirs = pairs[0]
    for more_ours, more_theirs in pairs[1:]:
        size = 1 + max(int(more_ours.max()), int(more_theirs.max()))
        both = np.concatenate([ours, theirs]) * size + np.concatenate([more_ours, more_theirs])
        _, codes = np.unique(both, return_inverse=True)
        ours, theirs = codes[: len(ours)], codes[len(ours) :]
    return ours, theirs


def _ranks(predicted: Judgments, gold: Judgments, partner: Codes) -> NDArray[np.float64]:
    """The predicted ranks of the items of *gold*, nan where there is none."""
    places = {name: code for code, name in enumerate(predicted.systems)}
    system = np.array([places.get(name, -1) for name in gold.systems], np.int64)[gold.system]
    count = max(1, len(predicted.systems))
    wanted = np.repeat(partner, gold.sizes) * count + system
    ranking = np.repeat(np.arange(len(predicted), dtype=np.int64), predicted.sizes)
    present = ranking * count + predicted.system
    order = np.argsort(present, kind="stable")
    found = order[np.minimum(np.searchsorted(present[order], wanted), len(order) - 1)]
    hit = (system >= 0) & (present[found] == wanted)
    return np.where(hit, predicted.rank[found], np.nan)


def _notes(predicted: Judgments, gold: Judgments, partner: Codes, unranked: int) -> tuple[str, ...]:
    alone = int((partner < 0).sum())
    unused = len(predicted) - len(np.unique(partner[partner >= 0]))
    notes = [
        (alone, f"{alone} of {len(gold)} gold rankings have no predicted one"),
        (unused, f"{unused} of {len(predicted)} predicted rankings have no gold one"),
        (unranked, f"{unranked} outputs ranked in gold are not in their predicted ranking"),
    ]
    return tuple(sentence for count, sentence in notes if count)
