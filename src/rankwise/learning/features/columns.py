"""Columns that somebody else computed, and feature sets side by side."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankwise.errors import DataError
from rankwise.learning.features.context import (
    NO_CONTEXT,
    Context,
    missing_scores,
    scores_digest,
)
from rankwise.learning.features.feature_class import Feature, FeatureSet, Floats
from rankwise.text.segments import References, Texts


@dataclass(frozen=True)
class ToolScores(FeatureSet):
    """Scores that another tool gave the outputs, one column: ``scores:NAME``.

    Scores that are given (``--scores NAME=FILE``, ``scores=``) are columns without being named;
    name them to give them an option. ``called`` is the name, which may stand behind the colon;
    ``lower_is_better`` says that they count errors. Every output that is learned from needs a
    score. Nothing is computed here: whoever scores with a model of such columns gives scores of the
    same name.

    >>> given = Context(scores={"comet": np.array([1.0, 3.0])})
    >>> ToolScores(called="comet", relative="z").values(["a", "b"], ["", ""], ["s", "s"], given)
    array([[ 1., -1.],
           [ 3.,  1.]])
    """

    name: ClassVar[str] = "scores"
    positional: ClassVar[str | None] = "called"

    called: str | None = None
    lower_is_better: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        if not self.called:
            raise DataError("scores: no name is given; expected scores:NAME, as in --scores")

    @property
    def own(self) -> tuple[Feature, ...]:
        """The scores."""
        ideal = -np.inf if self.lower_is_better else np.inf
        return (Feature(str(self.called), "score of another tool", ideal),)

    @property
    def has_perfect(self) -> bool:
        """No: nobody knows what the tool would give a reference."""
        return False

    def kept_as(self, context: Context) -> str | None:
        """The signature, and the scores."""
        found = context.scores.get(str(self.called))
        return self.signature if found is None else f"{self.signature}={scores_digest(found)}"

    def rows(self, hypotheses: Texts, references: References) -> Floats:  # noqa: ARG002
        """An error: texts do not have the scores of another tool."""
        raise DataError(missing_scores(str(self.called)))

    def own_values(
        self,
        hypotheses: Texts,
        references: References,  # noqa: ARG002 - others read them
        context: Context,
    ) -> Floats:
        """The scores, a row each."""
        return context.scores_called(str(self.called), len(hypotheses))[:, None]


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
    def compared(self) -> tuple[str, ...]:
        """The names of the columns that compare an output with the others of its group."""
        names = iter(self.names)
        return tuple(
            name
            for part in self.sets
            for place, name in enumerate([next(names) for _ in part.names])
            if place >= len(part.own)
        )

    @property
    def has_perfect(self) -> bool:
        """Whether a reference, taken as its own translation, is the best for all sets."""
        return all(part.has_perfect for part in self.sets)

    @property
    def signature(self) -> str:
        """The signatures of all sets."""
        return " + ".join(part.signature for part in self.sets)

    def kept_as(self, context: Context) -> str | None:
        """That of all sets; None where one has none."""
        parts = [part.kept_as(context) for part in self.sets]
        return None if None in parts else " + ".join(map(str, parts))

    def __str__(self) -> str:
        """The sets as they are typed."""
        return " + ".join(str(part) for part in self.sets)

    def values(
        self,
        hypotheses: Texts,
        references: References,
        groups: Sequence[Hashable] | None = None,
        context: Context = NO_CONTEXT,
    ) -> Floats:
        """A row per segment, a column per feature; see :meth:`FeatureSet.values`."""
        return np.hstack(
            [part.values(hypotheses, references, groups, context) for part in self.sets]
        )

    def perfect(self, references: Texts) -> Floats:
        """The features of every reference taken as its own translation."""
        return np.hstack([part.perfect(references) for part in self.sets])
