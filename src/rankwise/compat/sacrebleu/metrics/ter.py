"""TER with the interface and the digits of sacreBLEU."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from rankwise.compat.sacrebleu.metrics.base import Metric, Sums
from rankwise.compat.sacrebleu.metrics.score import Score
from rankwise.compat.sacrebleu.metrics.signature import Signature
from rankwise.compat.sacrebleu.metrics.streams import Streams
from rankwise.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from rankwise.metrics import Ter
from rankwise.metrics.metric_class import Rows


class TERSignature(Signature):
    """``case``, ``tok``, ``norm``, ``punct`` and ``asian``."""

    SHORT: ClassVar[Mapping[str, str]] = {
        "case": "c",
        "tok": "t",
        "norm": "nr",
        "punct": "pn",
        "asian": "as",
    }

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self.info["case"] = "mixed" if args["case_sensitive"] else "lc"
        self.info["tok"] = args["tokenizer_signature"]
        self.info["norm"] = args["normalized"]
        self.info["punct"] = not args["no_punct"]
        self.info["asian"] = args["asian_support"]


class TERScore(Score):
    """A TER score with its edits and the (mean) length of its references."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(Metric[TERScore]):
    """TER; see :class:`rankwise.metrics.Ter` for what counts as an edit.

    >>> ter = TER().corpus_score(["c d a b"], [["a b c d"]])
    >>> ter, ter.num_edits, ter.ref_length
    (TER = 25.00, 1, 4.0)
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Streams | None = None,
    ) -> None:
        super().__init__(references)
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()

    def native(self) -> Ter:
        """The metric of Rankwise that has these options."""
        return Ter(
            normalized=bool(self.normalized),
            no_punct=bool(self.no_punct),
            asian_support=bool(self.asian_support),
            case_sensitive=bool(self.case_sensitive),
            compat="sacrebleu",
        )

    def _compute_score_from_stats(self, stats: Any) -> TERScore:
        edits, length = float(stats[0]), float(stats[1])
        rate = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, edits, length)

    def resampled_scores(self, sums: Sums) -> Rows:
        """Edits per word of the references."""
        edits, lengths = sums[:, 0], sums[:, 1]
        rates = (edits > 0).astype(np.float32)
        np.divide(edits, lengths, out=rates, where=lengths > 0)
        return 100 * rates
