"""A metric that somebody learned: the model file says from what."""

from dataclasses import dataclass
from typing import ClassVar

from rankwise.errors import DataError
from rankwise.metrics.model_metric import ModelMetric
from rankwise.metrics.stored_models import model_options, model_there


@dataclass(frozen=True)
class LearnedMetric(ModelMetric):
    r"""A metric from a file that ``rankwise learn`` wrote, of any features.

    .. math:: \min(1, 2 / (1 + e^{-\text{slope} \cdot (m - m^*)}))

    m is the margin that the model gives the output, and m* the one it gives the reference taken as
    its own translation, which so scores 1. A model may have a curve that rises to 1 in place of
    this one, where many human scores say how it runs. Of several references the best counts. The
    corpus score is the mean over segments, 0 without any.

    ``model`` is the file. ``language`` takes the place of the language in the model's features;
    ``resources``, a METEOR folder or jar, and ``wordnet``, a folder of WordNet 3.0, are for models
    that match paraphrases or synonyms. ``sha256`` is the beginning of the hash of the file: the
    signature has it, and a model with another is refused. A text of more than ``longest``
    characters, 20,000 if not given, is refused.
    """

    name: ClassVar[str] = "learned"

    model: str | None = None
    language: str | None = None
    sha256: str | None = None
    resources: str | None = None
    wordnet: str | None = None
    longest: int | None = None

    def __post_init__(self) -> None:
        """Load the model, and put down its hash."""
        if self.model is None:
            raise DataError("learned: no model is named; expected learned:model=FILE")
        self._take(model_there(self.model, model_options(self)), self.sha256)
