"""Human rankings as columns: ragged arrays over many rankings, built for 10^7 comparisons."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

Info = Mapping[str, "str | float"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """One judge's ranking of some systems' outputs of one segment; rank 1 is best, equal is tied.

    A rank is ``None`` where the output was shown but not ranked; a ranking without any rank is a
    *skipped* screen. ``outputs`` numbers the texts that were shown: systems with the same number
    had the same text and were judged in one look; ``None`` means every system had its own.
    ``screen`` names the look; several rankings may share one.
    """

    segment: str
    judge: str
    systems: tuple[str, ...]
    ranks: tuple[float | None, ...]
    screen: str = ""
    outputs: tuple[int, ...] | None = None
    source_language: str = ""
    target_language: str = ""
    info: Info = field(default_factory=dict)

    @property
    def is_skipped(self) -> bool:
        """Whether the judge gave no rank at all."""
        return all(rank is None for rank in self.ranks)


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
    numbers the distinct texts within a ranking. ``screen`` numbers the looks; ``screens`` names
    those numbers, or is ``None`` when the number is the name. ``info`` holds further named columns,
    one entry per ranking: float64 (nan is absent) or str objects (None is absent).
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
        for name in _ITEM_COLUMNS + _RANKING_COLUMNS + ("starts",):
            getattr(self, name).flags.writeable = False
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
        names = {"system": self.systems, "segment": self.segments, "judge": self.judges}
        sizes = {name: len(values) for name, values in names.items()}
        sizes["language"] = len(self.languages)
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
        items = slice(int(self.starts[index]), int(self.starts[index + 1]))
        systems = tuple(self.systems[code] for code in self.system[items])
        outputs = tuple(self.output[items].tolist())
        source, target = self.languages[self.language[index]]
        info = {name: column[index] for name, column in self.info.items()}
        return Ranking(
            segment=self.segments[self.segment[index]],
            judge=self.judges[self.judge[index]],
            systems=systems,
            ranks=tuple(None if rank != rank else rank for rank in self.rank[items].tolist()),
            screen=self.screen_name(index),
            outputs=None if len(set(outputs)) == len(outputs) else outputs,
            source_language=source,
            target_language=target,
            info={
                name: value if isinstance(value, str) else float(value)
                for name, value in info.items()
                if value is not None and value == value
            },
        )

    def __iter__(self) -> Iterator[Ranking]:
        return (self[index] for index in range(len(self)))

    def screen_name(self, index: int) -> str:
        """The name of the screen of one ranking."""
        number = int(self.screen[index])
        return str(number) if self.screens is None else self.screens[number]

    @classmethod
    def from_rankings(cls, rankings: Iterable[Ranking]) -> "Judgments":
        """Columns over *rankings*, in their order."""
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

    # -- many at a time ----------------------------------------------------------------------

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many systems each ranking holds."""
        return np.diff(self.starts)

    @property
    def is_skipped(self) -> NDArray[np.bool_]:
        """Which rankings hold no rank at all: skipped screens."""
        ranked = np.concatenate(([0], np.cumsum(~np.isnan(self.rank))))
        skipped: NDArray[np.bool_] = ranked[self.starts[1:]] == ranked[self.starts[:-1]]
        return skipped

    @property
    def nbytes(self) -> int:
        """Bytes held by the arrays."""
        names = _ITEM_COLUMNS + _RANKING_COLUMNS + ("starts",)
        columns = [getattr(self, name) for name in names] + list(self.info.values())
        return sum(int(column.nbytes) for column in columns)

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
        left = np.empty(total, np.int32)
        right = np.empty(total, np.int32)
        sign = np.empty(total, np.int8)
        ranking = np.repeat(np.arange(len(self), dtype=np.int32), counts)
        keep = np.ones(total, np.bool_)
        for size in np.unique(sizes[sizes > 1]).tolist():
            rows = np.flatnonzero(sizes == size)
            for block in np.array_split(rows, -(-len(rows) * size * size // _BLOCK_ITEMS)):
                first, second = np.triu_indices(size, 1)
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
            index = np.flatnonzero(index)
        sizes = self.sizes[index]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        items = np.repeat(self.starts[index] - starts[:-1], sizes) + np.arange(starts[-1])
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
        return Judgments.from_rankings(_collapse(ranking) for ranking in self)


_ITEM_COLUMNS = ("system", "rank", "output")
_RANKING_COLUMNS = ("segment", "judge", "language", "screen")
_BLOCK_ITEMS = 1 << 22  # bounds the temporaries of ``pairs``


def _collapse(ranking: Ranking) -> Ranking:
    if ranking.outputs is None:
        return ranking
    groups: dict[int, list[int]] = {}
    for position, output in enumerate(ranking.outputs):
        groups.setdefault(output, []).append(position)
    return Ranking(
        ranking.segment,
        ranking.judge,
        tuple("+".join(ranking.systems[p] for p in group) for group in groups.values()),
        tuple(ranking.ranks[group[0]] for group in groups.values()),
        ranking.screen,
        None,
        ranking.source_language,
        ranking.target_language,
        ranking.info,
    )


class _Names:
    """Gives every new name the next number."""

    def __init__(self) -> None:
        self.codes: dict[Any, int] = {}

    def __getitem__(self, name: Any) -> int:
        return self.codes.setdefault(name, len(self.codes))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.codes)


class JudgmentsBuilder:
    """Collects rankings one by one into compact columns; ``build`` returns the record.

    Use ``add`` for whole rankings. It checks what no reader may let through: as many ranks as
    systems, no system twice, one rank per shown text, finite ranks.
    """

    def __init__(self) -> None:
        self._systems, self._segments, self._judges = _Names(), _Names(), _Names()
        self._languages, self._screens = _Names(), _Names()
        self._starts, self._system = array("q", [0]), array("i")
        self._rank, self._output = array("d"), array("h")
        self._segment, self._judge = array("i"), array("i")
        self._language, self._screen = array("h"), array("q")
        self._numbered = True
        self._info: dict[str, list[str | float | None]] = {}

    def __len__(self) -> int:
        return len(self._segment)

    def add(
        self,
        segment: str,
        judge: str,
        systems: Sequence[str],
        ranks: Sequence[float | None],
        *,
        screen: str = "",
        outputs: Sequence[int] | None = None,
        languages: tuple[str, str] = ("", ""),
        info: Info | None = None,
    ) -> None:
        """Append one ranking; an empty *screen* gets the ranking's own number, from 1."""
        size = len(systems)
        outputs = range(size) if outputs is None else outputs
        _check_ranking(systems, ranks, outputs)
        self._system.extend([self._systems[name] for name in systems])
        self._rank.extend([_NAN if rank is None else rank for rank in ranks])
        self._output.extend(outputs)
        self._starts.append(len(self._system))
        self._segment.append(self._segments[segment])
        self._judge.append(self._judges[judge])
        self._language.append(self._languages[languages])
        self._screen.append(self._screen_number(screen or str(len(self._segment))))
        for name, value in (info or {}).items():
            column = self._info.setdefault(name, [])
            column.extend([None] * (len(self._segment) - 1 - len(column)))
            column.append(value)

    def _screen_number(self, screen: str) -> int:
        """The screen's own number while all are canonical numbers, a code from then on."""
        if self._numbered:
            if screen.isascii() and screen.isdigit() and len(screen) < 19:
                number = int(screen)
                if str(number) == screen:
                    return number
            self._numbered = False
            for position, number in enumerate(self._screen):
                self._screen[position] = self._screens[str(number)]
        return self._screens[screen]

    def build(self) -> Judgments:
        """The rankings added so far, as columns."""
        count = len(self._segment)
        return Judgments(
            tuple(self._systems),
            tuple(self._segments),
            tuple(self._judges),
            tuple(self._languages),
            starts=_frozen(self._starts, np.int64),
            system=_frozen(self._system, np.int32),
            rank=_frozen(self._rank, np.float64),
            output=_frozen(self._output, np.int16),
            segment=_frozen(self._segment, np.int32),
            judge=_frozen(self._judge, np.int32),
            language=_frozen(self._language, np.int16),
            screen=_frozen(self._screen, np.int64),
            screens=None if self._numbered else tuple(self._screens),
            info={name: _column(values, count) for name, values in self._info.items()},
        )


_NAN = float("nan")


def _check_ranking(
    systems: Sequence[str], ranks: Sequence[float | None], outputs: Sequence[int]
) -> None:
    if not len(systems) == len(ranks) == len(outputs):
        raise DataError(
            f"a ranking has {len(systems)} systems, {len(ranks)} ranks and {len(outputs)} outputs; "
            "expected as many of each"
        )
    if len(set(systems)) != len(systems):
        twice = next(name for name in systems if list(systems).count(name) > 1)
        raise DataError(f"system {twice!r} occurs twice in one ranking")
    by_output: dict[int, float | None] = {}
    for name, rank, output in zip(systems, ranks, outputs, strict=True):
        if rank is not None and not abs(rank) < float("inf"):
            raise DataError(f"system {name!r} has rank {rank}; expected a finite number")
        if by_output.setdefault(output, rank) != rank:
            raise DataError(f"system {name!r} shares an output but not its rank")


def _frozen(values: "array[Any]", dtype: type) -> NDArray[Any]:
    """The memory of *values* without a copy."""
    return np.frombuffer(values, dtype) if len(values) else np.empty(0, dtype)


def _column(values: list[str | float | None], count: int) -> NDArray[Any]:
    padded = values + [None] * (count - len(values))
    if any(isinstance(value, str) for value in padded):
        return np.array([None if v is None else str(v) for v in padded], dtype=object)
    return np.array([np.nan if v is None else v for v in padded], dtype=np.float64)
