"""A table of numbers: systems by segments (or documents, or domains)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.renaming import with_names

Level = Literal["segment", "document", "domain", "system"]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Scores of systems on segments; ``values[s, i]`` is nan where there is none.

    ``segments`` names the columns: segment, document or domain ids by ``level``; a table of
    system scores has the single column ``"all"``. Higher is better unless the producer says
    otherwise. ``notes`` says in sentences what a reader left out or changed; ``is_by_line`` that
    the file knew segments by their place alone, so that their names are numbers of lines;
    ``counts_errors`` that less is better. Two tables are equal when everything else is.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    values: NDArray[np.float64]
    name: str = ""
    level: Level = "segment"
    notes: tuple[str, ...] = ()
    is_by_line: bool = False
    counts_errors: bool = False

    def __post_init__(self) -> None:
        values = _own_array(self.values)
        expected = (len(self.systems), len(self.segments))
        if values.shape != expected:
            raise DataError(
                f"scores {self.name!r} have shape {values.shape}; expected {expected} "
                "(systems, segments)"
            )
        for kind, names in (("system", self.systems), (self.level, self.segments)):
            if len(set(names)) != len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise DataError(f"{kind} {twice!r} occurs twice in scores {self.name!r}")
        if np.isinf(values).any():
            row, column = (int(index[0]) for index in np.nonzero(np.isinf(values)))
            raise DataError(
                f"scores {self.name!r} of system {self.systems[row]!r} on {self.level} "
                f"{self.segments[column]!r} are infinite; expected a number, or nan for none"
            )
        object.__setattr__(self, "values", values)

    @classmethod
    def from_cells(
        cls,
        cells: Iterable[tuple[str, str, float]],
        *,
        name: str = "",
        level: Level = "segment",
    ) -> "ScoreTable":
        """The table of (system, segment, score) triples, names in the order they first occur.

        A cell that does not occur is nan; one that occurs twice is an error.

        >>> ScoreTable.from_cells([("A", "1", 0.5), ("B", "2", 1)]).values
        array([[0.5, nan], [nan, 1. ]])
        """
        systems: dict[str, int] = {}
        segments: dict[str, int] = {}
        found: dict[tuple[int, int], float] = {}
        for system, segment, score in cells:
            cell = (
                systems.setdefault(system, len(systems)),
                segments.setdefault(segment, len(segments)),
            )
            if cell in found:
                raise DataError(f"system {system!r} has two scores for {level} {segment!r}")
            found[cell] = score
        values = np.full((len(systems), len(segments)), np.nan)
        if found:
            rows, columns = np.array(list(found), np.intp).T
            values[rows, columns] = list(found.values())
        return cls(tuple(systems), tuple(segments), values, name=name, level=level)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreTable):
            return NotImplemented
        return (
            (self.systems, self.segments, self.name, self.level)
            == (other.systems, other.segments, other.name, other.level)
        ) and np.array_equal(self.values, other.values, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]  # arrays do not hash

    def __repr__(self) -> str:
        """What it holds, in one line."""
        name = f" {self.name!r}" if self.name else ""
        whole = f"{len(self.systems)} systems by {len(self.segments)} {self.level}s"
        return f"<ScoreTable{name}: {whole}>"

    def system_means(self) -> NDArray[np.float64]:
        """Mean over the present scores of each system; nan for a system without any."""
        present = ~np.isnan(self.values)
        count = present.sum(axis=1)
        total = np.where(present, self.values, 0.0).sum(axis=1)
        means: NDArray[np.float64] = np.full(len(self.systems), np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means

    @property
    def scored(self) -> set[str]:
        """The systems that have any score."""
        rows = zip(self.systems, self.values, strict=True)
        return {name for name, row in rows if not np.isnan(row).all()}

    def without(self, excluded: Collection[str]) -> "ScoreTable":
        """The same without some systems, whether they are there or not."""
        kept = [place for place, name in enumerate(self.systems) if name not in excluded]
        systems = tuple(self.systems[place] for place in kept)
        return replace(self, systems=systems, values=self.values[kept])

    def renamed(self, names: Mapping[str, str]) -> "ScoreTable":
        """The same with systems under other names, new ones by old ones."""
        return replace(self, systems=with_names(self.systems, names))

    def row(self, system: str) -> NDArray[np.float64]:
        """The scores of one system."""
        if system not in self.systems:
            raise DataError(
                f"scores {self.name!r} have no system {system!r}; they have "
                f"{', '.join(self.systems)}"
            )
        scores: NDArray[np.float64] = self.values[self.systems.index(system)]
        return scores

    def over(self, systems: Sequence[str], segments: Sequence[str]) -> NDArray[np.float64]:
        """The scores of these systems on these segments, by name; nan where there is none.

        No segment in common is an error, and so is one that is counted from 0 here and from 1
        there.

        >>> table = ScoreTable(("B", "A"), ("2", "1"), np.array([[1.0, 2.0], [3.0, 4.0]]))
        >>> table.over(["A", "C"], ["1", "2", "3"])
        array([[ 4.,  3., nan], [nan, nan, nan]])
        """
        must_count_alike(f"scores {self.name!r}", self.segments, segments, level=self.level)
        rows, columns = _places(self.systems, systems), _places(self.segments, segments)
        if len(segments) and (columns < 0).all():
            found = repr(self.segments[0]) if self.segments else "none"
            raise DataError(
                f"scores {self.name!r} have no {self.level} in common with the others; found "
                f"{found}, expected {segments[0]!r} and so on"
            )
        values = np.full((len(systems), len(segments)), np.nan)
        there = np.ix_(rows >= 0, columns >= 0)
        values[there] = self.values[np.ix_(rows[rows >= 0], columns[columns >= 0])]
        return values

    def by_place(self, segments: Sequence[str]) -> "ScoreTable":
        """The table with these names of segments, where it knows them by their place alone.

        Another number of segments is then an error.
        """
        if not self.is_by_line:
            return self
        if len(self.segments) != len(segments):
            raise DataError(
                f"scores {self.name!r} are {len(self.segments)} lines without names of segments, "
                f"but there are {len(segments)} segments; expected a line for each"
            )
        return replace(self, segments=tuple(segments), is_by_line=False)

    def narrowed(self, segments: Sequence[str], kept: Collection[str]) -> "ScoreTable":
        """The table on the *kept* ones of *segments*, which name its own where it has no names.

        >>> table = ScoreTable(("A",), ("1", "2"), np.array([[3.0, 4.0]]), is_by_line=True)
        >>> table.narrowed(["x", "y"], {"y"}).segments
        ('y',)
        """
        named = self.by_place(segments)
        places = [place for place, name in enumerate(named.segments) if name in kept]
        names = tuple(named.segments[place] for place in places)
        return replace(named, segments=names, values=named.values[:, places])

    def of_all(
        self, systems: Sequence[str], segments: Sequence[str], *, called: str
    ) -> NDArray[np.float64]:
        """The scores of these systems on these segments; one that is missing is an error.

        Segments are found by their names, or by their place where the table knows no names.
        *called* is what messages call the scores.

        >>> table = ScoreTable(("B", "A"), ("2", "1"), np.array([[1.0, 2.0], [3.0, 4.0]]))
        >>> table.of_all(["A"], ["1", "2"], called="comet")
        array([[4., 3.]])
        """
        if self.level != "segment":
            raise DataError(f"scores {called!r} are of {self.level}s; expected scores of segments")
        found = replace(self, name=called).by_place(segments).over(systems, segments)
        lacking = np.argwhere(np.isnan(found))
        if len(lacking):
            system, segment = lacking[0].tolist()
            raise DataError(
                f"scores {called!r} have none of system {systems[system]!r} on segment "
                f"{segments[segment]!r}; expected one for every output"
            )
        return found


def must_count_alike(
    called: str, mine: Collection[str], theirs: Collection[str], *, level: str = "segment"
) -> None:
    """Raise where one side numbers its segments from 0 and the other from 1.

    By their numbers each would meet its neighbour. A side that begins at 1 and has fewer may be a
    part of the other, and is left alone. *called* is what messages call the first.

    >>> must_count_alike("COMET", ["0", "1", "2"], ["1", "2"])
    >>> must_count_alike("COMET", ["0", "1", "2"], ["1", "2", "3"])
    Traceback (most recent call last):
    ...
    rankwise.errors.DataError: COMET: segments are counted from 0 to 2, the others from 1 to 3; \
expected the same numbers
    """
    if ("0" in mine) == ("0" in theirs):
        return
    from_0, from_1 = (mine, theirs) if "0" in mine else (theirs, mine)
    if len(from_1) < len(from_0):
        return
    first, others = _first_of({*mine}), _first_of({*theirs})
    if first is not None and others is not None:
        raise DataError(
            f"{called}: {level}s are counted from {first} to {first + len(mine) - 1}, the others "
            f"from {others} to {others + len(theirs) - 1}; expected the same numbers"
        )


def _first_of(names: Collection[str]) -> int | None:
    """0 or 1 where the names are all numbers from there on; None for other names."""
    first = 0 if "0" in names else 1
    every = range(first, first + len(names))
    return first if len(names) > 1 and all(str(number) in names for number in every) else None


def merged(tables: Sequence[ScoreTable]) -> ScoreTable:
    """Tables of different systems over the same segments as one.

    >>> one, two = (ScoreTable((n,), ("1",), np.array([[0.5]])) for n in "AB")
    >>> merged([one, two]).systems
    ('A', 'B')
    """
    first = tables[0]
    for table in tables:
        if table.segments != first.segments:
            raise DataError(
                f"there are {len(table.segments)} scores of {', '.join(table.systems)}, but "
                f"{len(first.segments)} of {', '.join(first.systems)}; expected the same segments"
            )
    systems = tuple(system for table in tables for system in table.systems)
    values = np.concatenate([table.values for table in tables])
    return replace(first, systems=systems, values=values)


def _own_array(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A read-only float array that nobody else can write to, and that freezes nobody else's."""
    array = np.asarray(values, dtype=np.float64)
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array


def _places(names: Sequence[str], wanted: Sequence[str]) -> NDArray[np.intp]:
    """The place of every wanted name, -1 where it is not among *names*."""
    if tuple(wanted) == tuple(names):
        return np.arange(len(names))
    places = {name: place for place, name in enumerate(names)}
    return np.array([places.get(name, -1) for name in wanted], np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class LevelScores:
    """Scores of segments and of whole systems under one name; either may be absent."""

    segments: ScoreTable | None
    systems: ScoreTable | None

    @classmethod
    def of(cls, table: ScoreTable | None) -> "LevelScores":
        """A table as what it is of: whole systems, or anything finer."""
        if table is None or table.level == "system":
            return cls(None, table)
        return cls(table, None)

    @property
    def tables(self) -> tuple[ScoreTable, ...]:
        """The tables that are there."""
        return tuple(table for table in (self.segments, self.systems) if table is not None)

    @property
    def name(self) -> str:
        """What the scores are called."""
        return next((table.name for table in self.tables), "")

    @property
    def scored(self) -> set[str]:
        """The systems that have any score."""
        return {name for table in self.tables for name in table.scored}

    def means(self) -> dict[str, float]:
        """The score of every system: the one given, or the mean over its segments."""
        table = self.segments if self.systems is None else self.systems
        if table is None:
            return {}
        return dict(zip(table.systems, table.system_means().tolist(), strict=True))

    def without(self, excluded: Collection[str]) -> "LevelScores":
        """The same without some systems, whether they are there or not."""
        return self._each(lambda table: table.without(excluded))

    def renamed(self, names: Mapping[str, str]) -> "LevelScores":
        """The same with systems under other names, new ones by old ones."""
        return self._each(lambda table: table.renamed(names))

    def called(self, name: str) -> "LevelScores":
        """The same under another name."""
        return self._each(lambda table: replace(table, name=name))

    def narrowed(self, segments: Sequence[str], kept: Collection[str]) -> "LevelScores":
        """The scores of the *kept* ones of *segments*; those of whole systems are not of them."""
        table = None if self.segments is None else self.segments.narrowed(segments, kept)
        return LevelScores(table, None)

    def negated(self) -> "LevelScores":
        """Errors as scores of which more is better."""
        return self._each(lambda table: replace(table, values=-table.values))

    def _each(self, change: Callable[[ScoreTable], ScoreTable]) -> "LevelScores":
        return LevelScores(
            None if self.segments is None else change(self.segments),
            None if self.systems is None else change(self.systems),
        )
