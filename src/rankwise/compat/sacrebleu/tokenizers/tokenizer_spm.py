"""SentencePiece models: FLORES-101, FLORES-200 and spBLEU-1K.

Models are looked up where sacreBLEU keeps them, ``~/.sacrebleu/models`` (``$SACREBLEU/models``);
nothing is ever downloaded.
"""

from pathlib import Path
from typing import ClassVar

from rankwise.compat.sacrebleu import utils
from rankwise.compat.sacrebleu.log import sacrelogger
from rankwise.compat.sacrebleu.tokenizers.external import splitter
from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from rankwise.errors import DataError

# By the name of the tokenizer: what signatures print, and the model's file.
SPM_MODELS = {
    "spm": ("flores101", "sacrebleu_tokenizer_spm.model"),
    "flores101": ("flores101", "sacrebleu_tokenizer_spm.model"),
    "flores200": ("flores200", "flores200sacrebleuspm"),
    "spBLEU-1K": ("spBLEU-1K", "spbleu-1k_tokenizer_spm.model"),
}


class TokenizerSPM(BaseTokenizer):
    """Splits text into the pieces of a SentencePiece model."""

    key: ClassVar[str] = "spm"

    def __init__(self, key: str | None = None) -> None:
        key = key or self.key
        if key == "spm":
            sacrelogger.warning("The tokenizer 'spm' is called 'flores101' now; use that name.")
        self.name, file = SPM_MODELS[key]
        model = Path(utils.SACREBLEU_DIR) / "models" / file
        if not model.is_file():
            raise DataError(
                f"tokenizer {key!r} needs its SentencePiece model in {model}; sacreBLEU puts it "
                "there when it first uses this tokenizer, Rankwise downloads nothing"
            )
        self._split = splitter("spm", spm_model=str(model))

    def signature(self) -> str:
        """The name of the model."""
        return self.name

    def __call__(self, line: str) -> str:
        """The pieces of *line* with spaces between them."""
        return self._split(line)


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    key: ClassVar[str] = "flores101"


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    key: ClassVar[str] = "flores200"


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801 - sacreBLEU's name
    """The model of spBLEU-1K."""

    key: ClassVar[str] = "spBLEU-1K"
