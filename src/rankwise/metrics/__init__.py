"""Metrics: translations against references, as rows of statistics and scores of their sums."""

from rankwise.metrics.base import Metric
from rankwise.metrics.bleu import Bleu
from rankwise.metrics.chrf import Chrf
from rankwise.metrics.meteor import Meteor
from rankwise.metrics.overlap import F1, Precision, Recall
from rankwise.metrics.ter import Ter
from rankwise.metrics.wer import Cer, Wer
from rankwise.types.named import parse

#: Every metric by its name; a new one joins with a line.
METRICS: dict[str, type[Metric]] = {
    cls.name: cls
    for cls in (
        Bleu,
        Cer,
        Chrf,
        F1,
        Meteor,
        Precision,
        Recall,
        Ter,
        Wer,
    )
}


def metric(name: str) -> Metric:
    """The metric that *name* describes, as in ``bleu:tokenize=intl`` or ``chrf:word_order=2``.

    >>> metric("chrf:word_order=2")
    Chrf(char_order=6, word_order=2, beta=2.0, lowercase=False, whitespace=False,
         eps_smoothing=False)
    """
    return parse(name, METRICS)


__all__ = [
    "F1",
    "METRICS",
    "Bleu",
    "Cer",
    "Chrf",
    "Meteor",
    "Metric",
    "Precision",
    "Recall",
    "Ter",
    "Wer",
    "metric",
]
