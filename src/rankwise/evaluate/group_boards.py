"""Scores of systems on every group of segments, each with intervals and tests of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rankwise.errors import DataError
from rankwise.evaluate.scoreboard import Resampling, Scoreboard, scoreboard, units_of
from rankwise.evaluate.segment_groups import places_of_groups
from rankwise.evaluate.system_scores import Scored
from rankwise.significance.holm import holm
from rankwise.types.shown import Shown

#: Groups of fewer units are not drawn from: were every sign of n differences turned by a coin, no
#: test could have p below 0.05.
FEWEST_UNITS = 6


@dataclass(frozen=True, slots=True, eq=False)
class GroupBoards(Shown):
    """A scoreboard for every group of segments, and one without resampling for all of them.

    Systems stand in the order of all segments. A group of fewer than ``FEWEST_UNITS`` units has
    neither intervals nor tests.
    """

    grouping: str
    whole: Scoreboard
    boards: Mapping[str, Scoreboard]

    @property
    def told(self) -> Scoreboard:
        """The first board that was resampled, or else the first: what all of them have is here."""
        boards = list(self.boards.values())
        return next((board for board in boards if board.standings[0].intervals), boards[0])

    @property
    def few(self) -> int:
        """How many groups are so small that their intervals and tests are those of Student's t."""
        return sum(board.has_few for board in self.boards.values())

    @property
    def undrawn(self) -> int:
        """How many groups are too small to be drawn from."""
        if self.whole.resampling.samples == 0:
            return 0
        return sum(board.standings[0].intervals is None for board in self.boards.values())

    def __repr__(self) -> str:
        """The metrics and the groups, in one line."""
        metrics = ", ".join(str(result.metric) for result in self.whole.scored.results)
        return f"<GroupBoards of {metrics} by {self.grouping}: {len(self.boards)} groups>"


def group_boards(
    scored: Scored,
    grouping: str,
    resampling: Resampling,
    *,
    baseline: str | None = None,
    is_corrected: bool = False,
) -> GroupBoards:
    """The systems on every group of segments, drawn inside the group alone.

    With a *baseline* every system is tested against it in every group. With *is_corrected* the
    p-values of a metric are those of Holm (1979) over all groups: they stand in one table.
    """
    if grouping == "document" and resampling.unit == "document":
        raise DataError("a group is one document; expected segments to be drawn, not documents")
    undrawn = scoreboard(scored, replace(resampling, samples=0))
    whole = replace(undrawn, resampling=resampling)
    groups = places_of_groups(scored.labels[grouping], grouping)
    if is_corrected and baseline is not None:
        sizes = [units_of(scored.where(places), resampling) for places in groups.values()]
        smallest = min((size for size in sizes if size >= FEWEST_UNITS), default=FEWEST_UNITS)
        tests = len(groups) * (len(whole.order) - 1)
        resampling = resampling.enough_for(tests, smallest)
        resampling.check(tests)
    boards = {}
    for label, places in groups.items():
        part = scored.where(places)
        is_drawn = units_of(part, resampling) >= FEWEST_UNITS
        board = scoreboard(
            part,
            resampling if is_drawn else replace(resampling, samples=0),
            baseline=baseline if is_drawn else None,
            is_corrected=is_corrected and is_drawn,
        )
        boards[label] = replace(board, order=whole.order)
    if is_corrected and baseline is not None:
        boards = _corrected(boards)
    return GroupBoards(grouping, whole, boards)


def _corrected(boards: Mapping[str, Scoreboard]) -> dict[str, Scoreboard]:
    """The boards with p-values corrected for the tests of all of them, metric by metric."""
    tested = [label for label, board in boards.items() if board.standings[0].tests is not None]
    if not tested:
        return dict(boards)
    columns = []
    for place in range(len(boards[tested[0]].standings)):
        tests = [t for label in tested if (t := boards[label].standings[place].tests) is not None]
        adjusted = holm(np.concatenate([test.p_values for test in tests]))
        sizes = np.cumsum([len(test) for test in tests])[:-1]
        parts = np.split(adjusted, sizes)
        columns.append([replace(t, corrected=p) for t, p in zip(tests, parts, strict=True)])
    found = dict(boards)
    for label, column in zip(tested, zip(*columns, strict=True), strict=True):
        standings = zip(boards[label].standings, column, strict=True)
        changed = tuple(replace(standing, tests=test) for standing, test in standings)
        found[label] = replace(boards[label], standings=changed)
    return found
