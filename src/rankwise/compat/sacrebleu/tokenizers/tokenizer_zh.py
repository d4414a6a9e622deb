"""Chinese: characters as tokens, everything else by the rules of mteval-v13a."""

from typing import ClassVar

from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class TokenizerZh(NativeTokenizer):
    """Takes Chinese characters for tokens, in the ranges that sacreBLEU 2.6 has.

    >>> TokenizerZh()("我喜欢tea.")
    '我 喜 欢 tea .'
    """

    name: ClassVar[str] = "zh"
