"""mteval-v13a, the default of WMT."""

from typing import ClassVar

from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class Tokenizer13a(NativeTokenizer):
    """Splits ASCII punctuation off, except between digits.

    >>> Tokenizer13a()("It costs 3.50, or so.")
    'It costs 3.50 , or so .'
    """

    name: ClassVar[str] = "13a"
