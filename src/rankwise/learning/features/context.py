"""What is known of outputs beside their references: sources, and scores of other tools."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """An entry for every output, or nothing where nobody gave any.

    ``sources`` are texts; ``scores`` are what other tools gave the outputs, by the names of these
    scores.

    >>> Context(["ein Hund", "eine Katze"]).part(1, 2).sources
    ['eine Katze']
    """

    sources: Sequence[str] = ()
    scores: Mapping[str, Floats] = field(default_factory=dict)

    def part(self, start: int, end: int) -> "Context":
        """The same of the outputs from *start* to before *end*."""
        return Context(
            self.sources[start:end],
            {name: values[start:end] for name, values in self.scores.items()},
        )

    def at(self, places: Sequence[int]) -> "Context":
        """The same of the outputs at *places*."""
        return Context(
            [self.sources[place] for place in places] if len(self.sources) else (),
            {name: values[list(places)] for name, values in self.scores.items()},
        )

    def scores_called(self, name: str, count: int) -> Floats:
        """The scores of that name of *count* outputs; an error where nobody gave them."""
        if name not in self.scores:
            raise DataError(missing_scores(name))
        values = np.asarray(self.scores[name], np.float64)
        if values.shape != (count,):
            raise DataError(
                f"scores {name!r} have shape {values.shape} for {count} outputs; expected one each"
            )
        return values

    def sources_digest(self) -> str:
        """Digits that differ when a source differs."""
        digest = hashlib.sha256()
        for text in self.sources:
            encoded = text.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(encoded) + encoded)
        return digest.hexdigest()


def scores_digest(values: Floats) -> str:
    """Digits that differ when a score differs."""
    return hashlib.sha256(values.astype("<f8").tobytes()).hexdigest()


def missing_scores(name: str) -> str:
    """A sentence about scores of other tools that are needed and not there."""
    return (
        f"the scores {name!r} of another tool are needed, and nobody gave them; give a file of "
        f"them with --scores, called {name}=FILE where its name is another"
    )


#: What is known where nobody said anything.
NO_CONTEXT = Context(scores=MappingProxyType({}))
