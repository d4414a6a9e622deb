"""BEER: features of matched words, character n-grams and word order, with learned weights."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from rankwise.errors import DataError
from rankwise.learning.features.beer_2014 import BeerFeatures
from rankwise.learning.text_scorer import TextScorer
from rankwise.metrics.model_metric import ModelMetric
from rankwise.metrics.stored_models import (
    StoredModel,
    beer_1_weights,
    beer_2_folder,
    model_options,
    model_there,
    shipped_model,
)
from rankwise.types.named import check_choice

#: What ``model`` is to name, by version.
_MODELS = {"2014": "FILE", "1.0": "FILE#NAME", "1.1": "FILE#NAME", "2.0": "FOLDER"}
#: The paper, and the programs of its authors.
VERSIONS = tuple(_MODELS)


@dataclass(frozen=True)
class Beer(ModelMetric):
    r"""BEER: a weighted sum of features of matched words, character n-grams and word order.

    .. math:: \min(1, 2 / (1 + e^{-\text{slope} \cdot (m - m^*)}))

    m is the margin that the model gives the output, and m* the one it gives the reference taken as
    its own translation, which so scores 1. Of several references the best counts. The corpus score
    is the mean over segments, 0 without any. Stanojević and Sima'an (2014), WMT.

    ``version`` is ``2014``, the 33 features of the paper with weights that ``rankwise learn``
    learned: those that ship, learned without anything that belongs to one language, or with
    ``model`` those of a file. Or it is that of a program of the authors, which scores as that
    program did, so that 1.1 may exceed 1 and the reference need not score 1: ``1.0`` and ``1.1``
    with ``model=FILE#NAME``, a document of their weights and a model in it, and ``2.0`` with
    ``model=FOLDER``, a folder of BEER 2.0. ``language`` takes the place of the language in the
    model's features. ``resources``, a METEOR folder or jar, and ``wordnet``, a folder of WordNet
    3.0, are for models that match paraphrases or synonyms, as many of BEER 1.1 do. ``sha256`` is
    the beginning of the hash of the model's file: the signature has it, and a model with another
    is refused. The signature begins with BEER's version and ends with that of this package. A text
    of more than ``longest`` characters, 300,000 if not given, is refused.

    >>> beer = Beer()
    >>> beer.corpus(["the cat sat down"], ["the cat sat down"])
    1.0
    >>> a, b = beer.segments(["a cat sat down", "dogs bark"], ["the cat sat down"] * 2)
    >>> bool(1 > a > b > 0)
    True
    """

    name: ClassVar[str] = "beer"

    version: Literal["2014", "1.0", "1.1", "2.0"] = "2014"
    model: str | None = None
    language: str | None = None
    sha256: str | None = None
    resources: str | None = None
    wordnet: str | None = None
    longest: int | None = None

    def __post_init__(self) -> None:
        """Load the model, and put down its hash."""
        check_choice(self.name, "version", self.version, VERSIONS)
        self._take(self._stored(), self.sha256)

    def _stored(self) -> StoredModel:
        options = model_options(self)
        if self.version == "2014":
            return shipped_model("beer", options) if self.model is None else self._learned(options)
        if self.model is None:
            raise DataError(
                f"beer: the weights of BEER {self.version} do not ship; expected "
                f"beer:version={self.version}:model={_MODELS[self.version]}"
            )
        if self.version == "2.0":
            return beer_2_folder(self.model, options)
        return beer_1_weights(self.model, self.version, options)

    def _learned(self, options: dict[str, str]) -> StoredModel:
        """The model of a file of ours, if it is one of BEER's features."""
        path = str(self.model)
        if Path(path).is_dir():
            raise DataError(f"{path}: is a folder; expected a file, or version=2.0 with a folder")
        found = model_there(path, options)
        if not (isinstance(found.model, TextScorer) and _is_beer(found.model)):
            raise DataError(
                f"{path}: not a model of BEER's features; expected learned:model={path}"
            )
        return found


def _is_beer(scorer: TextScorer) -> bool:
    return isinstance(scorer.features, BeerFeatures)
