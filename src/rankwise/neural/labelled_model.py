"""Models that read output, source and reference as one text with words between them: MetricX."""

from collections.abc import Mapping, Sequence

from rankwise.neural.model_folder import ModelSettings
from rankwise.neural.one_sequence import OneSequenceModel
from rankwise.neural.opening import NeuralScores


class LabelledModel(OneSequenceModel):
    """A network over one text: ``source: ... candidate: ... reference: ...``.

    The words and their order are those of the settings. A text that is not given is left out with
    its words; that is how hybrid models do without a reference.
    """

    def scored(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        *,
        batch_size: int = 16,
    ) -> NeuralScores:
        """The score of every segment."""
        given = {"output": outputs, "source": sources, "reference": references}
        texts = labelled(given, self.settings)
        # the end mark is cut off, as the makers of MetricX do
        ids = [pieces.ids[:-1] for pieces in self._subwords.pieces(texts)]
        sequences = [(tokens, (0,) * len(tokens)) for tokens in ids]
        return self._read(sequences, batch_size)


def labelled(given: Mapping[str, Sequence[str] | None], settings: ModelSettings) -> list[str]:
    """The one text of every segment."""
    pairs = zip(settings.inputs, settings.prefixes, strict=True)
    parts = [(words, texts) for name, words in pairs if (texts := given[name]) is not None]
    return [
        "".join(words + text for (words, _), text in zip(parts, row, strict=True))
        for row in zip(*(texts for _, texts in parts), strict=True)
    ]
