"""Tokenizers that need a further package, called once for every line."""

import importlib
from collections.abc import Callable
from typing import ClassVar

from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from rankwise.errors import DataError
from rankwise.text.tokenise import external_splitter


def splitter(tokenizer: str, *, spm_model: str | None = None) -> Callable[[str], str]:
    """What puts spaces between the tokens of a line."""
    split = external_splitter(tokenizer, spm_model)
    if split is None:
        raise DataError(f"the tokenizer {tokenizer!r} needs no further package")
    return split


class MecabTokenizer(BaseTokenizer):
    """Splits text with MeCab and the dictionary of the language."""

    name: ClassVar[str]
    module: ClassVar[str]
    dictionary: ClassVar[str]

    def __init__(self) -> None:
        self._split = splitter(self.name)

    def signature(self) -> str:
        """The tokenizer, MeCab's version and the dictionary."""
        version = importlib.import_module(self.module).VERSION
        return f"{self.name}-{version}-{self.dictionary}"

    def __call__(self, line: str) -> str:
        """The words of *line* with spaces between them."""
        return self._split(line)
