"""mteval-v14, which knows the punctuation and symbols of Unicode."""

from typing import ClassVar

from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class TokenizerV14International(NativeTokenizer):
    """Splits the punctuation and the symbols of all scripts off.

    >>> TokenizerV14International()("„So“, 5€")
    '„ So “ , 5 €'
    """

    name: ClassVar[str] = "intl"
