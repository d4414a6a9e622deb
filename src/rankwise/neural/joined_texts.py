"""Several texts as one sequence, as COMET's models read them: output, then source or reference."""

from collections.abc import Sequence
from dataclasses import dataclass

from rankwise.neural.model_folder import ModelSettings
from rankwise.neural.subwords import Pieces


@dataclass(frozen=True)
class JoinedText:
    """One sequence for a network: token numbers, and which text each is of (0 or 1)."""

    ids: tuple[int, ...]
    types: tuple[int, ...]


def joined(texts: Sequence[Pieces], settings: ModelSettings) -> JoinedText:
    """The texts between marks: ``<s> output </s></s> source </s>``.

    The marks are those of the first text. What is longer than ``max_joined`` is cut at its end. A
    piece that is the padding mark itself is left out, as COMET does.
    """
    parts = [[i for i in text.ids if i != settings.pad] for text in texts]
    first, last = parts[0][0], parts[0][-1]
    ids = parts[0]
    for part in parts[1:]:
        ids = [first, *ids[1:-1], *[last] * settings.separators, *part[1:-1], last]
    marks = 1 + len(parts) * settings.separators
    if sum(len(part) - 2 for part in parts) > settings.max_joined - marks:
        ids = ids[: settings.max_joined]
    own = min(len(parts[0]), len(ids))
    return JoinedText(tuple(ids), (0,) * own + (1,) * (len(ids) - own))
