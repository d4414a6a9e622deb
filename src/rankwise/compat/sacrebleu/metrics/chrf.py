"""chrF and chrF++ with the interface and the digits of sacreBLEU."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rankwise.compat.sacrebleu.metrics.base import Metric
from rankwise.compat.sacrebleu.metrics.score import Score
from rankwise.compat.sacrebleu.metrics.signature import Signature
from rankwise.compat.sacrebleu.metrics.streams import Streams
from rankwise.metrics import Chrf


class CHRFSignature(Signature):
    """``case``, ``eff``, ``nc``, ``nw`` and ``space``; beta is in the name of the score."""

    SHORT: ClassVar[Mapping[str, str]] = {
        "case": "c",
        "eff": "e",
        "nc": "nc",
        "nw": "nw",
        "space": "s",
    }

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self.info["case"] = "lc" if args["lowercase"] else "mixed"
        self.info["eff"] = "no" if args["eps_smoothing"] else "yes"
        self.info["nc"] = args["char_order"]
        self.info["nw"] = args["word_order"]
        self.info["space"] = "yes" if args["whitespace"] else "no"


class CHRFScore(Score):
    """A chrF score, named by beta and with a plus for every word order."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}{'+' * word_order}", score)
        self.char_order = char_order
        self.word_order = word_order
        self.beta = beta


class CHRF(Metric[CHRFScore]):
    """chrF; see :class:`rankwise.metrics.Chrf` for the formula.

    >>> CHRF(word_order=2).corpus_score(["the cat sat"], [["the cat sits"]])
    chrF2++ = 60.39
    """

    CHAR_ORDER: ClassVar[int] = 6
    WORD_ORDER: ClassVar[int] = 0
    BETA: ClassVar[int] = 2
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Streams | None = None,
    ) -> None:
        super().__init__(references)
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.beta = beta
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing

    def native(self) -> Chrf:
        """The metric of Rankwise that has these options."""
        return Chrf(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=bool(self.lowercase),
            whitespace=bool(self.whitespace),
            eps_smoothing=bool(self.eps_smoothing),
        )

    def _compute_score_from_stats(self, stats: Any) -> CHRFScore:
        return CHRFScore(self.native().score(stats), self.char_order, self.word_order, self.beta)
