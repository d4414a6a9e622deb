"""No tokenizer: white space alone separates tokens."""

from typing import ClassVar

from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class NoneTokenizer(NativeTokenizer):
    """Leaves lines as they are."""

    name: ClassVar[str] = "none"

    def __call__(self, line: str) -> str:
        """The line itself."""
        return line
