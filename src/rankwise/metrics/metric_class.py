"""What a metric is: rows of statistics that add up, and a score computed from a row or a sum."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from rankwise._lazy import LazyModule
from rankwise.errors import DataError
from rankwise.text.languages import Language
from rankwise.text.segments import References, Texts
from rankwise.types.named import Named
from rankwise.types.sums import column_sums
from rankwise.types.text_block import Block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = LazyModule("numpy")

Rows: TypeAlias = "NDArray[Any]"

#: What scores that are averaged are multiples of.
GRAIN = 2.0**-32


class Needs(NamedTuple):
    """What a metric must have beside the outputs: most have enough with references.

    ``scores`` are the names of scores that another tool gave the outputs.
    """

    source: bool = False
    references: bool = True
    document: bool = False
    scores: tuple[str, ...] = ()


@dataclass(frozen=True)
class Metric(Named):
    """A metric of translations, most often against references; its fields are its options.

    ``statistics`` gives one row per segment; rows may be summed; ``score`` turns rows (any leading
    axes, statistics on the last) into scores. Everything else follows from these two.
    """

    kind: ClassVar[str] = "metric"
    higher_is_better: ClassVar[bool] = True
    #: The score of a perfect translation, or None where there is none.
    best: ClassVar[float | None] = None

    @classmethod
    def language_options(cls, language: Language) -> dict[str, object]:  # noqa: ARG003 - for those
        """What options are in a language unless somebody says otherwise; most metrics have none."""
        return {}

    @property
    def _package(self) -> str:
        if type(self).__module__.startswith("rankwise."):
            return ""
        from rankwise.metrics.outside.plugins import package_of

        return package_of(type(self))

    @property
    def needs(self) -> Needs:
        """What it must have beside the outputs; without it nothing is computed."""
        return Needs()

    @property
    def reads(self) -> Needs:
        """What it reads where there is any; as a rule what it needs."""
        return self.needs

    @property
    def kept_as(self) -> str | None:
        """All that decides a score but the texts: the signature; None where more does."""
        return self.signature

    @property
    def programs_started(self) -> tuple[str, ...]:
        """The commands that it runs to score; as a rule none."""
        return ()

    @abstractmethod
    def statistics(self, hypotheses: Texts, references: References) -> Rows:
        """One row of statistics per segment, shape (n, k); rows may be summed.

        *references* has one entry per segment: a str, or a sequence of str.
        """

    @abstractmethod
    def score(self, rows: Rows) -> Any:
        """Scores of rows: a float for one row, an array for a stack of rows."""

    def block_rows(self, block: Block) -> dict[str, Rows]:
        """The rows of every system of a block."""
        found = {}
        for system, texts in block.outputs.items():
            with block.places_of(system):
                found[system] = self.statistics(texts, block.references)
        return found

    def pairwise_statistics(self, candidates: Texts) -> Rows:
        """Rows of every candidate against every candidate as its only reference, (n * n, k)."""
        hypotheses = [text for text in candidates for _ in candidates]
        return self.statistics(hypotheses, list(candidates) * len(candidates))

    def segment_scores(self, rows: Rows) -> "NDArray[np.float64]":
        """The score of every row taken as a segment of its own."""
        return np.asarray(self.score(rows), np.float64)

    def segments(self, hypotheses: Texts, references: References) -> "NDArray[np.float64]":
        """The score of every segment."""
        return self.segment_scores(self.statistics(hypotheses, references))

    def corpus(self, hypotheses: Texts, references: References) -> float:
        """The score of all segments together."""
        return float(self.score(self.total(self.statistics(hypotheses, references))))

    def total(self, rows: Rows) -> Rows:
        """The sum of rows, the same however they are ordered or cut into parts."""
        return column_sums(rows)

    def plain_totals(self, hypotheses: Texts, references: References) -> list[float]:
        """The sum of the rows of segments with one reference each, without arrays.

        A metric that has it has ``plain_score``, and is then scored before arrays are loaded.
        """
        raise NotImplementedError

    def plain_score(self, totals: Sequence[float]) -> float:
        """The score of such a sum: that of ``score``, but for the rounding of the last bit."""
        raise NotImplementedError


def check_number(
    owner: str, option: str, value: object, *, least: float, whole: bool = False
) -> None:
    """Raise unless *value* is a finite number of at least *least* (a whole one if *whole*)."""
    is_number = isinstance(value, int if whole else int | float) or _is_of_numpy(value, whole)
    if not is_number or isinstance(value, bool) or not least <= value < inf:  # type: ignore[operator]
        kind = "whole number" if whole else "number"
        raise DataError(f"{owner}: {option} is {value!r}; expected a {kind} of at least {least}")


def check_longest(owner: str, longest: object) -> None:
    """Raise unless *longest* is a number of characters, or None."""
    if longest is not None:
        check_number(owner, "longest", longest, least=1, whole=True)


def _is_of_numpy(value: object, whole: bool) -> bool:
    return isinstance(value, np.integer) or (not whole and isinstance(value, np.floating))


def check_flag(owner: str, option: str, value: object) -> None:
    """Raise unless *value* is true or false."""
    if not isinstance(value, bool):
        raise DataError(f"{owner}: {option} is {value!r}; expected true or false")


def check_rows(owner: str, rows: Any, columns: int) -> Rows:
    """*rows* as an array, or a clear error unless its last axis has *columns* statistics."""
    array = np.asarray(rows)
    if array.ndim == 0 or array.shape[-1] != columns:
        raise DataError(
            f"{owner}: statistics of shape {array.shape}; expected {columns} on the last axis"
        )
    return array


def mean_of_rows(owner: str, rows: Any) -> Any:
    """The mean score of rows ``[score, 1]`` or of their sum, 0 without any."""
    rows = check_rows(owner, rows, 2)
    found = np.zeros(rows.shape[:-1])
    np.divide(rows[..., 0], rows[..., 1], out=found, where=rows[..., 1] != 0)
    return as_scores(found)


def mean_rows(scores: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Rows ``[score, 1]`` of a metric whose score is the mean over segments.

    Scores are whole multiples of a grain, so that sums of a million of them are exact and do not
    depend on the order of segments.
    """
    return np.stack([np.round(scores / GRAIN) * GRAIN, np.ones(len(scores))], axis=-1)


def as_scores(values: "NDArray[np.float64]") -> Any:
    """A float for the score of one row, the array for a stack of rows."""
    return float(values) if values.ndim == 0 else values


def map_references(function: Callable[[str], str], references: References) -> References:
    """*function* applied to every reference."""
    return [
        function(entry) if isinstance(entry, str) else [function(text) for text in entry]
        for entry in references
    ]
