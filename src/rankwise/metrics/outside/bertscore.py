"""BERTScore: tokens of output and reference matched by what an encoder makes of them."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.outside.encoder_metric import EncoderMetric
from rankwise.metrics.outside.published_models import files_digest
from rankwise.metrics.outside.text_batch import TextBatch, quoted
from rankwise.types.named import check_choice

SCORES = ("precision", "recall", "f1")


@dataclass(frozen=True)
class BertScore(EncoderMetric):
    r"""BERTScore: every token with the one nearest to it, by the cosine of their vectors.

    .. math:: R = \frac{\sum_{x \in r} w_x \max_{y \in o} \cos(x, y)}{\sum_{x \in r} w_x}

    is the recall, the precision is the same the other way round, and F1 their harmonic mean.

    ``model`` is a folder that ``rankwise neural export`` wrote, which runs without PyTorch, or one
    of Hugging Face's, by its path or the name of a published model, which runs through the package
    ``bert-score``. ``layer`` is the layer whose vectors count (0 is the embedding); a folder that
    was exported with ``--layer`` has one only. ``score_of`` is ``f1``, ``precision`` or ``recall``.
    ``idf`` is a text file, a sentence a line, as a rule the references: a token then weighs the
    more the fewer of its lines have it. ``baseline`` is a file of bert-score's with the lines
    ``LAYER,P,R,F``: scores b lose what texts at random have, (s - b) / (1 - b). Of several
    references the best counts. A text without tokens has 0 before that. ``device`` and ``sha256``
    are as in ``comet``. The corpus score is the mean over segments, 0 without any.

    Zhang, Kishore, Wu, Weinberger and Artzi (2020), ICLR.
    """

    name: ClassVar[str] = "bertscore"
    best: ClassVar[float | None] = 1.0

    model: str | None = None
    layer: int | None = None
    score_of: str = "f1"
    idf: str | None = None
    baseline: str | None = None
    device: str = "auto"
    sha256: str | None = None

    def __post_init__(self) -> None:
        """Find the model and the files, and put down the hash of the model."""
        check_choice("bertscore", "score_of", self.score_of, SCORES)
        self._find()
        layer = self._found.layer(self.layer)
        if self.idf is not None:
            _lines("idf", self.idf)
        if self.baseline is not None:
            _baseline(self.baseline, layer)

    @property
    def identity(self) -> str:
        """All that decides a score but the model: the layer, and what the files hold."""
        parts = [f"bertscore:layer={self._found.layer(self.layer)}:score_of={self.score_of}"]
        for option, file in (("idf", self.idf), ("baseline", self.baseline)):
            parts += [] if file is None else [f"{option}={files_digest([Path(file)])}"]
        return ":".join(parts)

    def batch_scores(self, batch: TextBatch) -> NDArray[np.float64]:
        """The score of every output of a batch with its best reference."""
        pairs = [
            (output, text)
            for output, entry in zip(batch.outputs, batch.references, strict=True)
            for text in entry
        ]
        rarity = None if self.idf is None else _lines("idf", self.idf)
        size = self._batching.size or self.network_batch
        found = self._found.matches(pairs, self.layer, rarity, size)[:, SCORES.index(self.score_of)]
        best = self._best(found, batch.references)
        if self.baseline is None:
            return best
        base = _baseline(self.baseline, self._found.layer(self.layer))[SCORES.index(self.score_of)]
        return np.asarray((best - base) / (1 - base))


def _lines(option: str, file: str) -> tuple[str, ...]:
    return _lines_of(option, file, _changed(option, file))


@lru_cache(maxsize=4)
def _lines_of(option: str, file: str, changed: int) -> tuple[str, ...]:  # noqa: ARG001
    try:
        lines = tuple(Path(file).read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError) as error:
        raise DataError(f"bertscore: {option}: {file} cannot be read as text: {error}") from None
    if not lines:
        raise DataError(f"bertscore: {option}: {file} is empty; expected a sentence a line")
    return lines


def _changed(option: str, file: str) -> int:
    try:
        return Path(file).stat().st_mtime_ns
    except OSError:
        raise DataError(f"bertscore: {option}: there is no file {file}") from None


def _baseline(file: str, layer: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of texts at random, in *layer*."""
    for line in _lines("baseline", file)[1:]:
        cells = line.split(",")
        try:
            number, *values = float(cells[0]), *map(float, cells[1:])
        except ValueError:
            raise DataError(
                f"bertscore: baseline: {file}: expected LAYER,P,R,F, got {quoted(line)}"
            ) from None
        if number == layer and len(values) == 3:
            return values[0], values[1], values[2]
    raise DataError(f"bertscore: baseline: {file} has no line of layer {layer}")
