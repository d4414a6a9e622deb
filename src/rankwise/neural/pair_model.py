"""Models that read reference and output as one sequence: BLEURT."""

from collections.abc import Sequence

from rankwise.neural.joined_texts import JoinedText
from rankwise.neural.one_sequence import OneSequenceModel
from rankwise.neural.opening import NeuralScores
from rankwise.neural.subwords import Pieces


class PairModel(OneSequenceModel):
    """A network over ``[CLS] reference [SEP] output [SEP]``."""

    def scored(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,  # noqa: ARG002 - it reads no source
        references: Sequence[str] | None,
        *,
        batch_size: int = 16,
    ) -> NeuralScores:
        """The score of every segment."""
        pairs = zip(
            self._subwords.pieces(references or ()), self._subwords.pieces(outputs), strict=True
        )
        texts = [paired(first, second, self.settings.max_joined) for first, second in pairs]
        sequences = [(text.ids, text.types) for text in texts]
        return self._read(sequences, batch_size)


def paired(first: Pieces, second: Pieces, longest: int) -> JoinedText:
    """Two texts between marks; where they are too long, the longer one is cut at its end.

    >>> texts = Pieces((1, 7, 8, 9, 2), ()), Pieces((1, 5, 6, 2), ())
    >>> paired(*texts, 7)
    JoinedText(ids=(1, 7, 8, 2, 5, 6, 2), types=(0, 0, 0, 0, 1, 1, 1))
    """
    one, two = first.ids[1:-1], second.ids[1:-1]
    room = longest - 3
    if len(one) + len(two) > room:
        most = max(room - len(two), (room + 1) // 2)
        one = one[:most]
        two = two[: room - len(one)]
    begin, end = first.ids[0], first.ids[-1]
    ids = (begin, *one, end, *two, end)
    return JoinedText(ids, (0,) * (len(one) + 2) + (1,) * (len(two) + 1))
