"""What a feature set is: named columns of numbers, a row per translation."""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.learning.features.context import NO_CONTEXT, Context
from rankwise.learning.features.intra_set import KINDS, Group, goodness, relative
from rankwise.text.languages import Language
from rankwise.text.segments import References, Texts, best_reference_rows, check_texts
from rankwise.types.named import Named, check_choice

Floats = NDArray[np.float64]
#: What stands between the signatures of sets side by side.
PARTED = " + "


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
    def compared(self) -> tuple[str, ...]:
        """The names of the columns that compare an output with the others of its group."""

    @property
    def has_perfect(self) -> bool:
        """Whether a reference, taken as its own translation, is the best there is."""

    @property
    def signature(self) -> str:
        """All that decides the values, and parses back."""

    def kept_as(self, context: Context) -> str | None:
        """All that decides the values but outputs and references; None where more does."""

    def values(
        self,
        hypotheses: Texts,
        references: References,
        groups: Sequence[Hashable] | None = None,
        context: Context = NO_CONTEXT,
    ) -> Floats:
        """A row per segment, a column per feature."""

    def perfect(self, references: Texts) -> Floats:
        """The features of every reference taken as its own translation."""


@dataclass(frozen=True)
class FeatureSet(Named):
    """Columns of numbers about translations; its fields are its options.

    A set has features *of its own*, which see one translation at a time, and *intra-set* features,
    which compare it with the others of its group: those that are ranked together. ``relative``
    names kinds of the latter to add for every feature of its own, such as ``rank,z``.
    """

    kind: ClassVar[str] = "feature set"

    relative: str | None = None

    @classmethod
    def language_options(cls, language: Language) -> dict[str, object]:  # noqa: ARG003 - for those
        """What options are in a language unless somebody says otherwise; most sets have none."""
        return {}

    def __post_init__(self) -> None:
        """Check the options."""
        for kind in self._relative_kinds:
            check_choice(self.name, "relative", kind, KINDS)

    @property
    def signature(self) -> str:
        """All that decides the values; it does not hold what parts sets side by side."""
        return super().signature.replace(PARTED, "%20+%20")

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

    @property
    def compared(self) -> tuple[str, ...]:
        """The names of the intra-set columns."""
        return self.names[len(self.own) :]

    @property
    def has_perfect(self) -> bool:
        """Whether a reference, taken as its own translation, is the best there is."""
        return True

    def kept_as(self, context: Context) -> str | None:  # noqa: ARG002 - for those that read it
        """All that decides the values but outputs and references; None where more does."""
        return self.signature

    def values(
        self,
        hypotheses: Texts,
        references: References,
        groups: Sequence[Hashable] | None = None,
        context: Context = NO_CONTEXT,
    ) -> Floats:
        """A row per segment, a column per feature, shape (n, k).

        *references* has one entry per segment, a str or a list of str; of several, the one of the
        highest ``merit`` counts, the first if tied. *groups* says which translations are ranked
        together, usually by the name of their segment; a set with intra-set features needs it.
        *context* is what some sets read beside references, such as the sources.
        """
        own = self.own_values(hypotheses, references, context)
        if not self.intra:
            return own
        if groups is None:
            raise DataError(
                f"{self}: {self.features[len(self.own)].name!r} compares translations of one "
                "group; expected groups"
            )
        return np.hstack([own, self._intra_columns(own, groups)])

    def own_values(
        self,
        hypotheses: Texts,
        references: References,
        context: Context,  # noqa: ARG002 - for those that read it
    ) -> Floats:
        """The features of its own, a row per segment."""
        check_texts(hypotheses, references)
        rows = self.rows(hypotheses, references)
        found: Floats = best_reference_rows(rows, references, self.merit)
        return found

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
