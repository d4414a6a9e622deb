"""Feature sets made of others: columns that somebody else computes, and sets side by side."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankwise.errors import DataError
from rankwise.learning.features.feature_class import Feature, FeatureSet, Floats
from rankwise.text.segments import References, Texts, check_texts


@dataclass(frozen=True)
class GivenColumn:
    """A feature and the function that computes it: texts and references in, a number each out."""

    feature: Feature
    compute: Callable[[Texts, References], Floats]


@dataclass(frozen=True)
class Columns(FeatureSet):
    """Features that are given as functions, such as the scores of metrics.

    Several references are the functions' business. ``title`` is the signature of the functions.

    >>> length = GivenColumn(Feature("length", "letters"), lambda texts, _: [*map(len, texts)])
    >>> Columns(columns=(length,), relative="z").values(["a", "abc"], ["", ""], ["s", "s"])
    array([[ 1., -1.],
           [ 3.,  1.]])
    """

    name: ClassVar[str] = "columns"

    columns: tuple[GivenColumn, ...] = ()
    title: str = "columns"

    @property
    def signature(self) -> str:
        """The title, which should say all that decides the values, and ``relative``."""
        return f"{self.title}:relative={self.relative}" if self.relative else self.title

    def __str__(self) -> str:
        """The names of the features."""
        return ",".join(feature.name for feature in self.own)

    @property
    def own(self) -> tuple[Feature, ...]:
        """The features given."""
        return tuple(column.feature for column in self.columns)

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """A row per segment."""
        found = [
            np.asarray(column.compute(hypotheses, references), np.float64)
            for column in self.columns
        ]
        for column, values in zip(self.columns, found, strict=True):
            if values.shape != (len(hypotheses),):
                raise DataError(
                    f"feature {column.feature.name!r} has shape {values.shape} for "
                    f"{len(hypotheses)} translations; expected a number each"
                )
        return np.stack(found, axis=1) if found else np.empty((len(hypotheses), 0))


@dataclass(frozen=True)
class Joined:
    """Feature sets side by side, with the interface of one.

    A name that two of them have gets the name of its set in front.
    """

    sets: tuple[FeatureSet, ...]

    def __post_init__(self) -> None:
        """Check the names."""
        names = self.names
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f"two features are called {twice!r}; expected different feature sets")

    @property
    def features(self) -> tuple[Feature, ...]:
        """The columns of all sets, in order."""
        plain = [feature.name for part in self.sets for feature in part.features]
        return tuple(
            Feature(
                f"{part}/{feature.name}" if plain.count(feature.name) > 1 else feature.name,
                feature.description,
                feature.ideal,
            )
            for part in self.sets
            for feature in part.features
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(feature.name for feature in self.features)

    @property
    def signature(self) -> str:
        """The signatures of all sets."""
        return " + ".join(part.signature for part in self.sets)

    def __str__(self) -> str:
        """The sets as they are typed."""
        return " + ".join(str(part) for part in self.sets)

    def values(
        self, hypotheses: Texts, references: References, groups: Sequence[Hashable] | None = None
    ) -> Floats:
        """A row per segment, a column per feature; see :meth:`FeatureSet.values`."""
        check_texts(hypotheses, references)
        return np.hstack([part.values(hypotheses, references, groups) for part in self.sets])

    def perfect(self, references: Texts) -> Floats:
        """The features of every reference taken as its own translation."""
        return np.hstack([part.perfect(references) for part in self.sets])
