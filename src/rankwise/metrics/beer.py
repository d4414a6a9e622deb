"""BEER: a metric learned from human rankings."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.metric_class import Metric, Rows, as_scores, check_rows
from rankwise.metrics.stored_models import TextModel, stored_model
from rankwise.text.segments import References, Texts, check_texts

# Scores are whole multiples of this, so that sums of a million of them are exact and do not depend
# on the order of segments.
_GRAIN = 2.0**-32


@dataclass(frozen=True)
class Beer(Metric):
    r"""A learned metric: a weighted sum of features of matched words, n-grams and word order.

    .. math:: \min(1, 2 / (1 + e^{-\text{slope} \cdot (m - m^*)}))

    m is the margin that the model gives the output, and m* the one it gives the reference taken as
    its own translation, which so scores 1. A model may have a curve that rises to 1 in place of
    this one, where many human scores say how it runs. Of several references the best counts. The
    corpus score is the mean over segments, 0 without any. Stanojević and Sima'an (2014), WMT.

    ``model`` is a file that ``rankwise learn`` wrote, or the name of a model that ships with the
    package: ``close``, the default, for texts in any language; ``soft``, a part of it; or ``beer``,
    learned on BEER's features without anything that belongs to one language. It may also be
    ``FILE#NAME``, a document of the weights of BEER 1.0 or 1.1, or a folder of BEER 2.0; these
    score as their programs did, so that 1.1 may exceed 1 and the reference need not score 1.
    ``language`` takes the place of the language in the model's features; named without a model, it
    asks for ``beer``, as ``close`` knows none. ``resources``, a METEOR folder or jar, and
    ``wordnet``, a folder of WordNet 3.0, are for models that match paraphrases or synonyms, as many
    of BEER 1.1 do. ``sha256`` is the beginning of the hash of the model's file: the signature has
    it, and a model with another is refused.

    >>> beer = Beer()
    >>> beer.corpus(["the cat sat down"], ["the cat sat down"])
    1.0
    >>> a, b = beer.segments(["a cat sat down", "dogs bark"], ["the cat sat down"] * 2)
    >>> bool(1 > a > b > 0)
    True
    """

    name: ClassVar[str] = "beer"
    best: ClassVar[float | None] = 1.0

    model: str | None = None
    language: str | None = None
    sha256: str | None = None
    resources: str | None = None
    wordnet: str | None = None

    def __post_init__(self) -> None:
        """Load the model, and put down its hash."""
        options = {name: getattr(self, name) for name in ("language", "resources", "wordnet")}
        given = {name: value for name, value in options.items() if value is not None}
        found, digest = stored_model(self.model, given)
        if self.sha256 is not None and self.sha256 != digest:
            which = "the model that ships" if self.model is None else self.model
            raise DataError(
                f"beer: {which} has sha256 {digest}; expected {self.sha256}: it is another model"
            )
        object.__setattr__(self, "sha256", digest)
        object.__setattr__(self, "_scorer", found)

    def _is_derived(self, option: str) -> bool:
        return option == "sha256"

    def statistics(self, hypotheses: Texts, references: References) -> NDArray[np.float64]:
        """``[score, 1]`` of every segment."""
        check_texts(hypotheses, references)
        scorer: TextModel = self._scorer  # type: ignore[attr-defined]
        scores = np.round(scorer.segments(hypotheses, references) / _GRAIN) * _GRAIN
        return np.stack([scores, np.ones(len(scores))], axis=-1)

    def score(self, rows: Rows) -> Any:
        """The mean score of the segments of rows, 0 without any."""
        rows = check_rows(self.name, rows, 2)
        found = np.zeros(rows.shape[:-1])
        np.divide(rows[..., 0], rows[..., 1], out=found, where=rows[..., 1] != 0)
        return as_scores(found)
