"""Every character a token."""

from typing import ClassVar

from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class TokenizerChar(NativeTokenizer):
    """Takes every character for a token.

    >>> TokenizerChar()("né")
    'n é'
    """

    name: ClassVar[str] = "char"

    def __call__(self, line: str) -> str:
        """The characters, spaces included, with a space between each two."""
        return " ".join(line)
