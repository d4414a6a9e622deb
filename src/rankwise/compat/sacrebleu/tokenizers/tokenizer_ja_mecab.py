"""Japanese, split by MeCab with the IPA dictionary: ``pip install mecab-python3 ipadic``."""

from typing import ClassVar

from rankwise.compat.sacrebleu.tokenizers.external import MecabTokenizer


class TokenizerJaMecab(MecabTokenizer):
    """Splits Japanese text into words."""

    name: ClassVar[str] = "ja-mecab"
    module: ClassVar[str] = "MeCab"
    dictionary: ClassVar[str] = "IPA"
