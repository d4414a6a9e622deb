"""Metrics: translations against references, as rows of statistics and scores of their sums.

Each is loaded when it is first used: whoever wants BLEU does not wait for the others.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rankwise._lazy import LazyClasses, lazy_names
from rankwise.metrics.metric_class import Metric as Metric
from rankwise.types.named import parse

if TYPE_CHECKING:
    from rankwise.metrics.beer import Beer as Beer
    from rankwise.metrics.bleu import Bleu as Bleu
    from rankwise.metrics.chrf import Chrf as Chrf
    from rankwise.metrics.learned_metric import LearnedMetric as LearnedMetric
    from rankwise.metrics.meteor import Meteor as Meteor
    from rankwise.metrics.overlap import F1 as F1
    from rankwise.metrics.overlap import Precision as Precision
    from rankwise.metrics.overlap import Recall as Recall
    from rankwise.metrics.softmatch import Softmatch as Softmatch
    from rankwise.metrics.ter import Ter as Ter
    from rankwise.metrics.wer import Cer as Cer
    from rankwise.metrics.wer import Wer as Wer
else:
    __getattr__, __dir__ = lazy_names(__name__)

#: Every metric by its name.
METRICS: Mapping[str, type[Metric]] = LazyClasses(
    __name__,
    {
        "beer": "Beer",
        "bleu": "Bleu",
        "cer": "Cer",
        "chrf": "Chrf",
        "f1": "F1",
        "learned": "LearnedMetric",
        "meteor": "Meteor",
        "precision": "Precision",
        "recall": "Recall",
        "softmatch": "Softmatch",
        "ter": "Ter",
        "wer": "Wer",
    },
)


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
