"""Texts as the numbers of their subwords, by the tokenizer of an exported model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankwise.errors import DataError, MissingExtra

Offsets = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Pieces:
    """One text: the numbers of its subwords with the marks around them, and where each stands."""

    ids: tuple[int, ...]
    offsets: Offsets


class Subwords:
    """The tokenizer in *file* (the JSON of Hugging Face's tokenizers), cutting at *max_tokens*."""

    def __init__(self, file: str, max_tokens: int) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtra(
                "neural models need the package tokenizers: pip install 'rankwise[neural]'"
            ) from None
        try:
            self._tokenizer: Any = Tokenizer.from_file(file)
        except Exception as error:  # the library raises nothing more precise
            raise DataError(f"{file}: found no tokenizer: {error}") from None
        self._tokenizer.no_padding()
        self.cut_at(max_tokens)

    def cut_at(self, max_tokens: int) -> None:
        """Cut texts at so many tokens, marks included, from now on."""
        self._tokenizer.enable_truncation(max_length=max_tokens)

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """The subwords of every text."""
        encoded = self._tokenizer.encode_batch(list(texts))
        return [Pieces(tuple(e.ids), tuple(e.offsets)) for e in encoded]
