"""Metrics: translations against references, as rows of statistics and scores of their sums.

Each is loaded when it is first used: whoever wants BLEU does not wait for the others.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rankwise._lazy import LazyClasses, loader
from rankwise.metrics.metric_class import Metric
from rankwise.types.named import parse

if TYPE_CHECKING:
    from rankwise.metrics.beer import Beer
    from rankwise.metrics.bleu import Bleu
    from rankwise.metrics.chrf import Chrf
    from rankwise.metrics.learned_metric import LearnedMetric
    from rankwise.metrics.meteor import Meteor
    from rankwise.metrics.overlap import F1, Precision, Recall
    from rankwise.metrics.softmatch import Softmatch
    from rankwise.metrics.ter import Ter
    from rankwise.metrics.wer import Cer, Wer

_HOME = {
    "Beer": "beer",
    "Bleu": "bleu",
    "Cer": "wer",
    "Chrf": "chrf",
    "F1": "overlap",
    "LearnedMetric": "learned_metric",
    "Meteor": "meteor",
    "Precision": "overlap",
    "Recall": "overlap",
    "Softmatch": "softmatch",
    "Ter": "ter",
    "Wer": "wer",
}

#: Every metric by its name; a new one joins with a line above.
METRICS: Mapping[str, type[Metric]] = LazyClasses(
    __name__, {name.removesuffix("Metric").lower(): name for name in _HOME}
)

__getattr__ = loader(__name__, _HOME)


def metric(name: str) -> Metric:
    """The metric that *name* describes, as in ``bleu:tokenize=intl`` or ``chrf:word_order=2``.

    >>> metric("chrf:word_order=2")
    Chrf(char_order=6, word_order=2, beta=2.0, lowercase=False, whitespace=False,
         eps_smoothing=False)
    """
    return parse(name, METRICS)


def metrics_of(given: str | Metric | Sequence[str | Metric]) -> list[Metric]:
    """Metrics and names of metrics, one or several, as metrics.

    >>> [str(found) for found in metrics_of(["bleu", metric("wer")])]
    ['bleu', 'wer']
    """
    several = [given] if isinstance(given, str | Metric) else given
    return [metric(one) if isinstance(one, str) else one for one in several]


__all__ = [
    "F1",
    "METRICS",
    "Beer",
    "Bleu",
    "Cer",
    "Chrf",
    "LearnedMetric",
    "Meteor",
    "Metric",
    "Precision",
    "Recall",
    "Softmatch",
    "Ter",
    "Wer",
    "metric",
    "metrics_of",
]
