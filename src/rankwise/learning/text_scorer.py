"""A learned model and its features together: texts in, scores out."""

from dataclasses import dataclass, field

import numpy as np

from rankwise.errors import DataError
from rankwise.learning.features.context import NO_CONTEXT, Context
from rankwise.learning.features.feature_class import Features, Floats
from rankwise.learning.learned_model import LearnedModel
from rankwise.text.segments import (
    References,
    Texts,
    are_all_str,
    check_texts,
    reference_starts,
)


@dataclass(frozen=True, eq=False)
class TextScorer:
    """Scores of single outputs by a learned model.

    Of several references the one counts that the model likes best; where features read more than
    references, they are given all of them at once, as in learning. A model with intra-set features
    ranks a set and cannot score one output alone: it is refused.
    """

    model: LearnedModel
    features: Features
    # Margins of the references of the last call: the next system mostly has the same.
    _perfect: dict[str, float] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Check that the features are those of the model, and see one output at a time."""
        if self.features.names != self.model.columns:
            odd = sorted(set(self.features.names) ^ set(self.model.columns))
            found = odd[0] if odd else "the order"
            raise DataError(
                f"the features {self.features} are not those of the model: {found!r} differs"
            )
        if self.features.compared:
            raise DataError(
                f"feature {self.features.compared[0]!r} compares the outputs of a set; expected a "
                "model of features that see one output alone"
            )
        if self.features.has_perfect != (self.model.anchor is None):
            expected = "none" if self.features.has_perfect else "one"
            raise DataError(
                f"the 'anchor' of the model is {self.model.anchor}; expected {expected} with the "
                f"features {self.features}"
            )

    def margins(
        self, hypotheses: Texts, references: References, context: Context = NO_CONTEXT
    ) -> Floats:
        """The margin of every output as the learner saw it: by all its references at once."""
        return self.model.margins(self.features.values(hypotheses, references, None, context))

    def distances(
        self, hypotheses: Texts, references: References, context: Context = NO_CONTEXT
    ) -> Floats:
        """The margin of each output less that of a perfect one, by its best reference.

        Where none is known to be perfect, it is the margin less the anchor.
        """
        if self.model.anchor is not None:
            return self.margins(hypotheses, references, context) - self.model.anchor
        check_texts(hypotheses, references)
        starts = reference_starts(references)
        texts, repeated = _side_by_side(hypotheses, references)
        margins = self.model.margins(self.features.values(repeated, texts))
        below = margins - self._perfect_margins(texts)
        return np.maximum.reduceat(below, starts[:-1])

    def segments(
        self, hypotheses: Texts, references: References, context: Context = NO_CONTEXT
    ) -> Floats:
        """The score of every output, in [0, 1]; where it is known to be perfect, 1."""
        return self.model.stretched(self.distances(hypotheses, references, context))

    def _perfect_margins(self, texts: Texts) -> Floats:
        """Of every reference; systems share references, so each is worked out once."""
        known = self._perfect
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            margins = self.model.margins(self.features.perfect(new)).tolist()
            found = {**known, **dict(zip(new, margins, strict=True))}
            known = found if len(found) <= len(texts) else {text: found[text] for text in texts}
            object.__setattr__(self, "_perfect", known)
        return np.fromiter(map(known.__getitem__, texts), np.float64, len(texts))


def _side_by_side(hypotheses: Texts, references: References) -> tuple[Texts, Texts]:
    """All references, and the output of each."""
    if are_all_str(references):
        return references, hypotheses  # type: ignore[return-value]
    entries = [[entry] if isinstance(entry, str) else entry for entry in references]
    pairs = zip(hypotheses, entries, strict=True)
    return (
        [text for entry in entries for text in entry],
        [text for text, entry in pairs for _ in range(len(entry))],
    )
