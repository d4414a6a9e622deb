"""The tokenizer of TER, as tercom defines it."""

from rankwise import _core
from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """Lower case unless told otherwise; on request normalised, or without punctuation.

    >>> TercomTokenizer(normalized=True)("Jim's car (red).")
    "jim 's car ( red ) ."
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._options = bool(normalized), bool(no_punct), bool(asian_support)
        self._case_sensitive = case_sensitive

    def signature(self) -> str:
        """The name that signatures print."""
        return "tercom"

    def __call__(self, sent: str) -> str:
        """The tokens of *sent* with single spaces between them."""
        text = sent if self._case_sensitive else sent.lower()
        return " ".join(_core.tercom_tokens([text], *self._options, False)[0])
