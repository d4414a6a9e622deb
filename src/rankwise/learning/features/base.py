"""What a feature set is: named columns of numbers, a row per translation."""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.learning.features.intra_set import KINDS, Group, goodness, relative
from rankwise.types.named import Named, check_choice

Texts = Sequence[str]
References = Sequence[str | Sequence[str]]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Feature:
    """A column: its name, what it says, and the value of a perfect translation.

    ``ideal`` is infinity where more is always better, and minus infinity where less is.
    """

    name: str
    description: str
    ideal: float = np.inf


class Features(Protocol):
    """What learners ask of a feature set, or of several joined."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """The columns."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def signature(self) -> str:
        """All that decides the values."""

    def values(
        self, hypotheses: Texts, references: References, groups: Sequence[Hashable] | None = None
    ) -> Floats:
        """A row per segment, a column per feature."""


@dataclass(frozen=True)
class FeatureSet(Named):
    """Columns of numbers about translations; its fields are its options.

    A set has features *of its own*, which see one translation at a time, and *intra-set* features,
    which compare it with the others of its group: those that are ranked together. ``relative``
    names kinds of the latter to add for every feature of its own, such as ``rank,z``.
    """

    kind: ClassVar[str] = "feature set"

    relative: str | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        for kind in self._relative_kinds:
            check_choice(self.name, "relative", kind, KINDS)

    @property
    @abstractmethod
    def own(self) -> tuple[Feature, ...]:
        """The features that see one translation at a time."""

    @abstractmethod
    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """The features of its own, a row for every reference of every segment, in order."""

    @property
    def intra(self) -> tuple[tuple[str, str], ...]:
        """The intra-set features: a kind, and the feature of its own that it compares."""
        return tuple((kind, f.name) for kind in self._relative_kinds for f in self.own)

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """All columns: the set's own, then the intra-set ones, called ``feature@kind``."""
        own = {feature.name: feature for feature in self.own}
        return self.own + tuple(
            Feature(f"{name}@{kind}", f"{KINDS[kind]}: {own[name].description}")
            for kind, name in self.intra
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(feature.name for feature in self.features)

    def values(
        self, hypotheses: Texts, references: References, groups: Sequence[Hashable] | None = None
    ) -> Floats:
        """A row per segment, a column per feature, shape (n, k).

        *references* has one entry per segment, a str or a list of str; of several, the one of the
        highest ``merit`` counts, the first if tied. *groups* says which translations are ranked
        together, usually by the name of their segment; a set with intra-set features needs it.
        """
        check_texts(hypotheses, references)
        own = self._best_rows(self.rows(hypotheses, references), references)
        if not self.intra:
            return own
        if groups is None:
            raise DataError(
                f"{self}: {self.features[len(self.own)].name!r} compares translations of one "
                "group; expected groups"
            )
        return np.hstack([own, self._intra_columns(own, groups)])

    def perfect(self, references: Texts) -> Floats:
        """The features of its own of every reference taken as its own translation."""
        return self.rows(references, references)

    def merit(self, rows: Floats) -> Floats:
        """How well a reference fits its translation, to choose one of several."""
        better = np.stack(
            [goodness(rows[:, k], feature.ideal) for k, feature in enumerate(self.own)]
        )
        return np.asarray(better.mean(axis=0))

    @property
    def _relative_kinds(self) -> tuple[str, ...]:
        return tuple(self.relative.split(",")) if self.relative else ()

    def _intra_columns(self, own: Floats, groups: Sequence[Hashable]) -> Floats:
        if len(groups) != len(own):
            raise DataError(
                f"{len(own)} translations but groups of {len(groups)}; expected one group each"
            )
        group = Group.of(groups)
        place = {feature.name: k for k, feature in enumerate(self.own)}
        return np.stack(
            [
                relative(own[:, place[name]], group, kind, self.own[place[name]].ideal)
                for kind, name in self.intra
            ],
            axis=1,
        )

    def _best_rows(self, rows: Floats, references: References) -> Floats:
        if len(rows) == len(references):
            return rows
        starts = reference_starts(references)
        merit = self.merit(rows)
        order = np.lexsort((np.arange(len(rows)), -merit, np.repeat(*_segments(starts))))
        return rows[order[starts[:-1]]]


def reference_starts(references: References) -> NDArray[np.int64]:
    """Where the references of each segment begin among all of them, and where the last end."""
    counts = [1 if isinstance(entry, str) else len(entry) for entry in references]
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def _segments(starts: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    return np.arange(len(starts) - 1), np.diff(starts)


def check_texts(hypotheses: Texts, references: References) -> None:
    """Raise a clear error unless there is a non-empty set of references for every hypothesis."""
    for what, texts in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(texts, str | bytes) or not isinstance(texts, Sequence | np.ndarray):
            found = type(texts).__name__
            raise DataError(f"{what} are a {found}; expected a list with one entry per segment")
    if len(hypotheses) != len(references):
        raise DataError(
            f"{len(hypotheses)} hypotheses but references for {len(references)} segments; "
            "expected one entry (a str or a list of str) per segment"
        )
    if {*map(type, hypotheses), *map(type, references)} <= {str}:
        return  # the usual case, checked at the speed of C
    for number, (hypothesis, entry) in enumerate(zip(hypotheses, references, strict=True), 1):
        texts = [hypothesis, entry] if isinstance(entry, str) else [hypothesis, *entry]
        if len(texts) < 2:
            raise DataError(f"segment {number} has no reference; expected at least one")
        for text in texts:
            if not isinstance(text, str):
                found = type(text).__name__
                raise DataError(f"a text of segment {number} is a {found}; expected a str")
