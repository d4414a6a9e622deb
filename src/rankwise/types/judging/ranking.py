"""One judge's ranking of some systems' outputs of one segment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

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

    def collapsed(self) -> "Ranking":
        """The same ranking with the systems that shared one text as one item, named ``a+b``.

        >>> Ranking("1", "ann", ("a", "b", "c"), (1, 2, 1), outputs=(0, 1, 0)).collapsed().systems
        ('a+c', 'b')
        """
        if self.outputs is None:
            return self
        groups: dict[int, list[int]] = {}
        for position, output in enumerate(self.outputs):
            groups.setdefault(output, []).append(position)
        return replace(
            self,
            systems=tuple("+".join(self.systems[p] for p in group) for group in groups.values()),
            ranks=tuple(self.ranks[group[0]] for group in groups.values()),
            outputs=None,
        )


def check_ranking(
    systems: Sequence[str], ranks: Sequence[float | None], outputs: Sequence[int] | None
) -> None:
    """Refuse what no reader may let through.

    There are as many ranks (and outputs) as systems, no system occurs twice, ranks are finite, and
    systems that shared one text have one rank.
    """
    if len(ranks) != len(systems) or (outputs is not None and len(outputs) != len(systems)):
        texts = "" if outputs is None else f", {len(outputs)} outputs"
        raise DataError(
            f"a ranking has {len(systems)} systems, {len(ranks)} ranks{texts}; "
            "expected as many of each"
        )
    if len(set(systems)) != len(systems):
        twice = next(name for name in systems if list(systems).count(name) > 1)
        raise DataError(f"system {twice!r} occurs twice in one ranking")
    if not _are_finite(ranks):
        raise DataError(f"a ranking has the ranks {list(ranks)}; expected finite numbers or None")
    if outputs is not None:
        _check_outputs(systems, ranks, outputs)


def _are_finite(ranks: Sequence[float | None]) -> bool:
    try:
        if isfinite(sum(filter(None, ranks))):  # an infinity or a nan would be in the sum
            return True
        return all(map(isfinite, [rank for rank in ranks if rank is not None]))
    except OverflowError:  # an integer beyond the range of floats
        return False


def _check_outputs(
    systems: Sequence[str], ranks: Sequence[float | None], outputs: Sequence[int]
) -> None:
    by_output: dict[int, float | None] = {}
    for name, rank, output in zip(systems, ranks, outputs, strict=True):
        if by_output.setdefault(output, rank) != rank:
            raise DataError(f"system {name!r} shares an output with another but not its rank")
