"""Human rankings as columns: ragged arrays over many rankings, built for 10^7 comparisons."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.judging.ranking import Ranking


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Pairwise outcomes over named systems.

    ``sign[k]`` is +1, 0 or -1 when ``left[k]`` was judged better than, equal to or worse than
    ``right[k]``; ``left`` and ``right`` index ``systems``; ``ranking[k]`` is the index of the
    ranking that the pair comes from.
    """

    systems: tuple[str, ...]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    sign: NDArray[np.int8]
    ranking: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.sign)


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Many rankings as columns.

    Ranking ``i`` owns the items ``starts[i] : starts[i + 1]`` of ``system``, ``rank`` and
    ``output``. ``segment``, ``judge`` and ``language`` index the tuples of names (a language is a
    pair: source, target). ``rank`` is nan where an output was shown but not ranked. ``output``
    numbers the distinct texts within a ranking, from 0 by first appearance. ``screen`` numbers the
    looks; ``screens`` names those numbers, or is ``None`` when the number is the name. ``info``
    holds further named columns, one entry per ranking: float64 (nan is absent) or objects, each a
    str or a float (None is absent).

    Two records are equal when they hold equal rankings in the same order; how names are numbered
    and names that no ranking uses do not matter.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    languages: tuple[tuple[str, str], ...]
    starts: NDArray[np.int64]
    system: NDArray[np.int32]
    rank: NDArray[np.float64]
    output: NDArray[np.int16]
    segment: NDArray[np.int32]
    judge: NDArray[np.int32]
    language: NDArray[np.int16]
    screen: NDArray[np.int64]
    screens: tuple[str, ...] | None = None
    info: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._check_lengths()
        self._check_codes()
        for name in (*_ITEM_COLUMNS, *_RANKING_COLUMNS, "starts"):
            getattr(self, name).flags.writeable = False
        for column in self.info.values():
            column.flags.writeable = False
        object.__setattr__(self, "info", MappingProxyType(dict(self.info)))

    def _check_lengths(self) -> None:
        if len(self.starts) == 0 or self.starts[0] != 0 or (np.diff(self.starts) < 0).any():
            raise DataError("the starts of rankings must begin with 0 and never fall")
        items, rankings = int(self.starts[-1]), len(self.starts) - 1
        lengths = {name: (len(getattr(self, name)), items) for name in _ITEM_COLUMNS}
        lengths |= {name: (len(getattr(self, name)), rankings) for name in _RANKING_COLUMNS}
        lengths |= {name: (len(column), rankings) for name, column in self.info.items()}
        for name, (found, expected) in lengths.items():
            if found != expected:
                raise DataError(f"column {name!r} has {found} entries; expected {expected}")

    def _check_codes(self) -> None:
        sizes = {name: len(getattr(self, table)) for name, table in _NAME_TABLES.items()}
        if self.screens is not None:
            sizes["screen"] = len(self.screens)
        for name, size in sizes.items():
            codes = getattr(self, name)
            if len(codes) and not (codes.min() >= 0 and codes.max() < size):
                raise DataError(f"column {name!r} points outside its {size} names")

    # -- one ranking at a time ---------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> Ranking:
        if not -len(self) <= index < len(self):
            raise IndexError(f"ranking {index} of {len(self)}")
        index %= len(self)
        return next(self._rankings(index, index + 1))

    def __iter__(self) -> Iterator[Ranking]:
        for first in range(0, len(self), _BLOCK_RANKINGS):
            yield from self._rankings(first, min(first + _BLOCK_RANKINGS, len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Judgments):
            return NotImplemented
        return len(self) == len(other) and all(map(Ranking.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]  # arrays do not hash

    def __repr__(self) -> str:
        """What it holds, in one line."""
        counted = (
            f"{len(self)} rankings of {len(self.systems)} systems on {len(self.segments)} segments"
        )
        return f"<Judgments: {counted} by {len(self.judges)} judges>"

    def __reduce__(self) -> tuple[Any, ...]:
        """How to copy or send the record; the read-only view of ``info`` itself cannot be sent."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return _rebuilt, (values | {"info": dict(self.info)},)

    def _rankings(self, first: int, last: int) -> Iterator[Ranking]:
        starts = self.starts[first : last + 1].tolist()
        items = slice(starts[0], starts[-1])
        system, output = self.system[items].tolist(), self.output[items].tolist()
        rank = [None if r != r else r for r in self.rank[items].tolist()]
        columns = [getattr(self, name)[first:last].tolist() for name in _RANKING_COLUMNS]
        info = {name: column[first:last].tolist() for name, column in self.info.items()}
        for row, (segment, judge, language, screen) in enumerate(zip(*columns, strict=True)):
            begin, end = starts[row] - starts[0], starts[row + 1] - starts[0]
            outputs = tuple(output[begin:end])
            yield Ranking(
                self.segments[segment],
                self.judges[judge],
                tuple([self.systems[code] for code in system[begin:end]]),
                tuple(rank[begin:end]),
                str(screen) if self.screens is None else self.screens[screen],
                None if len(set(outputs)) == len(outputs) else outputs,
                source_language=self.languages[language][0],
                target_language=self.languages[language][1],
                info=_present(info, row) if info else {},
            )

    @classmethod
    def from_rankings(cls, rankings: Iterable[Ranking]) -> "Judgments":
        """Columns over *rankings*, in their order."""
        from rankwise.types.judging.judgments_builder import (
            JudgmentsBuilder,  # it returns this class
        )

        builder = JudgmentsBuilder()
        for ranking in rankings:
            builder.add(
                ranking.segment,
                ranking.judge,
                ranking.systems,
                ranking.ranks,
                screen=ranking.screen,
                outputs=ranking.outputs,
                languages=(ranking.source_language, ranking.target_language),
                info=ranking.info,
            )
        return builder.build()

    @classmethod
    def concatenate(cls, parts: Sequence["Judgments"]) -> "Judgments":
        """The rankings of all *parts*, in order; screens of different parts stay different.

        Equal names of systems, segments, judges and languages mean the same. The screens of a part
        keep their names unless an earlier part uses one of them: numbers are then counted on from
        the largest so far, and a name gets ``~`` behind it.

        >>> one = Judgments.from_rankings([Ranking("1", "ann", ("A", "B"), (1, 2))])
        >>> [ranking.screen for ranking in Judgments.concatenate([one, one])]
        ['1', '2']
        """
        from rankwise.types.judging.judgments_joined import joined  # it returns this class

        return parts[0] if len(parts) == 1 else joined(parts)

    # -- many at a time ----------------------------------------------------------------------

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many systems each ranking holds."""
        return np.diff(self.starts)

    @property
    def text_counts(self) -> NDArray[np.int64]:
        """How many distinct texts each ranking holds: fewer than systems where some shared one."""
        ranking = np.repeat(np.arange(len(self), dtype=np.int64), self.sizes)
        texts = np.unique((ranking << 16) + self.output.view(np.uint16))
        return np.bincount(texts >> 16, minlength=len(self)).astype(np.int64)

    @property
    def is_skipped(self) -> NDArray[np.bool_]:
        """Which rankings hold no rank at all: skipped screens."""
        skipped: NDArray[np.bool_] = self._ranked_sizes == 0
        return skipped

    @property
    def pair_count(self) -> int:
        """How many pairs of ranked systems there are: the length of ``pairs()``, without them."""
        sizes = self._ranked_sizes
        return int((sizes * (sizes - 1) // 2).sum())

    @property
    def _ranked_sizes(self) -> NDArray[np.int64]:
        ranked = np.concatenate(([0], np.cumsum(~np.isnan(self.rank))))
        return np.asarray(ranked[self.starts[1:]] - ranked[self.starts[:-1]], np.int64)

    def pairs(self, *, within_outputs: bool = True) -> Comparisons:
        """Every pair of ranked systems of every ranking, in order, ties explicit.

        A ranking of k systems gives its k (k - 1) / 2 pairs in the order (1, 2), (1, 3), ...;
        pairs with an unranked member are left out. Systems that shared one text are tied by
        construction; ``within_outputs=False`` leaves those pairs out.

        >>> ranking = Ranking("1", "ann", ("A", "B", "C"), (1, 2, 2))
        >>> Judgments.from_rankings([ranking]).pairs().sign
        array([1, 1, 0], dtype=int8)
        """
        sizes = self.sizes
        counts = sizes * (sizes - 1) // 2
        offsets = np.concatenate(([0], np.cumsum(counts)))
        total = int(offsets[-1])
        left, right = np.empty(total, np.int32), np.empty(total, np.int32)
        sign, keep = np.empty(total, np.int8), np.ones(total, np.bool_)
        ranking = np.repeat(np.arange(len(self), dtype=np.int32), counts)
        for size in np.unique(sizes[sizes > 1]).tolist():
            rows = np.flatnonzero(sizes == size)
            first, second = np.triu_indices(size, 1)
            for block in np.array_split(rows, -(-len(rows) * size * size // _BLOCK_ITEMS)):
                items = self.starts[block, None] + np.arange(size)
                places = offsets[block, None] + np.arange(len(first))
                system, rank, output = self.system[items], self.rank[items], self.output[items]
                left[places], right[places] = system[:, first], system[:, second]
                difference = rank[:, second] - rank[:, first]
                keep[places] = ~np.isnan(difference)
                if not within_outputs:
                    keep[places] &= output[:, first] != output[:, second]
                sign[places] = np.sign(np.nan_to_num(difference))
        if keep.all():
            return Comparisons(self.systems, left, right, sign, ranking)
        return Comparisons(self.systems, left[keep], right[keep], sign[keep], ranking[keep])

    def select(self, rankings: NDArray[np.bool_] | NDArray[np.integer[Any]]) -> "Judgments":
        """The rankings of a mask or of indices (repeats allowed), names unchanged."""
        index = np.asarray(rankings)
        if index.dtype == np.bool_:
            if index.shape != (len(self),):
                raise DataError(f"a mask has shape {index.shape}; expected ({len(self)},)")
            index = np.flatnonzero(index)
        sizes = self.sizes[index]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        items = np.repeat(self.starts[:-1][index] - starts[:-1], sizes) + np.arange(starts[-1])
        columns = {name: getattr(self, name)[items] for name in _ITEM_COLUMNS}
        columns |= {name: getattr(self, name)[index] for name in _RANKING_COLUMNS}
        return Judgments(
            self.systems,
            self.segments,
            self.judges,
            self.languages,
            starts=starts,
            screens=self.screens,
            info={name: column[index] for name, column in self.info.items()},
            **columns,
        )

    def where(
        self, *, judges: str | None = None, languages: tuple[str, str] | None = None
    ) -> "Judgments":
        """The rankings whose judge matches a shell pattern and whose language pair is the given.

        >>> j = Judgments.from_rankings([Ranking("1", n, ("A",), (1,)) for n in ("r_1", "t_1")])
        >>> [ranking.judge for ranking in j.where(judges="r_*")]
        ['r_1']
        """
        mask = np.ones(len(self), np.bool_)
        if judges is not None:
            chosen = np.array([fnmatchcase(name, judges) for name in self.judges], np.bool_)
            mask &= chosen[self.judge]
        if languages is not None:
            chosen = np.array([pair == languages for pair in self.languages], np.bool_)
            mask &= chosen[self.language]
        return self.select(mask)

    def collapsed(self) -> "Judgments":
        """The same judgments with the systems that shared one text as one item, named ``a+b``.

        This is what agreement between judges is computed on: one look counts once.
        """
        return Judgments.from_rankings(ranking.collapsed() for ranking in self)


_ITEM_COLUMNS = ("system", "rank", "output")
_RANKING_COLUMNS = ("segment", "judge", "language", "screen")
_NAME_TABLES = {
    "system": "systems",
    "segment": "segments",
    "judge": "judges",
    "language": "languages",
}
_BLOCK_ITEMS = 1 << 20  # bounds the temporaries of ``pairs``
_BLOCK_RANKINGS = 1 << 13  # and those of iteration


def _rebuilt(values: dict[str, Any]) -> Judgments:
    return Judgments(**values)


def _present(info: Mapping[str, list[Any]], row: int) -> dict[str, str | float]:
    cells = {name: column[row] for name, column in info.items()}
    return {name: cell for name, cell in cells.items() if cell is not None and cell == cell}
