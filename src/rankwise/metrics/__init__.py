"""Metrics: translations against references, as rows of statistics and scores of their sums.

Each is loaded when it is first used: whoever wants BLEU does not wait for the others.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rankwise._lazy import LazyClasses, lazy_names
from rankwise.errors import MissingExtra
from rankwise.metrics.metric_class import Metric as Metric
from rankwise.text.languages import OTHER, Language
from rankwise.types.named import parse

if TYPE_CHECKING:
    from rankwise.metrics.beer import Beer as Beer
    from rankwise.metrics.bleu import Bleu as Bleu
    from rankwise.metrics.chrf import Chrf as Chrf
    from rankwise.metrics.learned_metric import LearnedMetric as LearnedMetric
    from rankwise.metrics.meteor import Meteor as Meteor
    from rankwise.metrics.metric_class import Needs as Needs
    from rankwise.metrics.outside.batch_metric import BatchMetric as BatchMetric
    from rankwise.metrics.outside.batching import Batching as Batching
    from rankwise.metrics.outside.bertscore import BertScore as BertScore
    from rankwise.metrics.outside.comet import Comet as Comet
    from rankwise.metrics.outside.command import Command as Command
    from rankwise.metrics.outside.cosine import Cosine as Cosine
    from rankwise.metrics.outside.scoring.bleurt import Bleurt as Bleurt
    from rankwise.metrics.outside.scoring.metricx import Metricx as Metricx
    from rankwise.metrics.outside.text_batch import TextBatch as TextBatch
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
        "bertscore": "BertScore",
        "bleu": "Bleu",
        "bleurt": "Bleurt",
        "cer": "Cer",
        "chrf": "Chrf",
        "command": "Command",
        "comet": "Comet",
        "cosine": "Cosine",
        "f1": "F1",
        "learned": "LearnedMetric",
        "meteor": "Meteor",
        "metricx": "Metricx",
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
    return parse(name, metrics_with(name.split(":")[0]))


def metrics_with(kind: str) -> Mapping[str, type[Metric]]:
    """Where a metric is looked for: among ours, or where it is none of them among all.

    So whoever names ours does not wait for a look at what is installed.
    """
    return METRICS if kind in METRICS else all_metrics()


def all_metrics() -> Mapping[str, type[Metric]]:
    """Every metric by its name: ours, and those of installed packages under other names."""
    from rankwise.metrics.outside.plugins import AllMetrics

    return AllMetrics(METRICS)


def metrics_of(
    given: str | Metric | Sequence[str | Metric], language: Language | None = None
) -> list[Metric]:
    """Metrics and names of metrics, one or several, as metrics.

    Of a name, options that it leaves open are those of the *language* (:func:`in_language`).

    >>> [str(found) for found in metrics_of(["bleu", metric("wer")])]
    ['bleu', 'wer']
    """
    several = [given] if isinstance(given, str | Metric) else given
    return [in_language(one, language).metric for one in several]


class InLanguage(NamedTuple):
    """A metric, and which of its options the language decided."""

    metric: Metric
    decided: Mapping[str, object]


def in_language(given: str | Metric, language: Language | None) -> InLanguage:
    """The metric of that name for texts in a language; a metric stays what it is.

    What the language would decide is decided together: nothing is where the name says any of it,
    or is a signature, which says all.

    >>> chinese = Language("zh", is_given=True)
    >>> [str(in_language(name, chinese).metric) for name in ("bleu", "bleu:tokenize=13a", "chrf")]
    ['bleu:tokenize=zh', 'bleu', 'chrf']
    """
    if not isinstance(given, str):
        return InLanguage(given, {})
    kind, *typed = given.split(":")
    found = metrics_with(kind).get(kind)
    decided = {} if language is None or found is None else found.language_options(language)
    if {option.partition("=")[0] for option in typed} & {*decided, "version"}:
        decided = {}
    written = [f"{option}={str(value).lower()}" for option, value in decided.items()]
    try:
        return InLanguage(metric(":".join([given, *written])), decided)
    except MissingExtra as error:
        if not decided:
            raise
        raise MissingExtra(f"{kind} in the language {language}: {error}") from None


def language_notes(given: str | Metric | Sequence[str | Metric], language: Language) -> list[str]:
    """What the language decided about metrics, and what nobody said, in sentences.

    >>> language_notes(["bleu", "chrf"], Language("zh", "Han"))
    ['language zh (by the script of the references): bleu tokenize=zh']
    """
    parts, several = [], [given] if isinstance(given, str | Metric) else given
    for name in several:
        decided = in_language(name, language).decided
        written = [f"{option}={str(value).lower()}" for option, value in decided.items()]
        parts += [f"{name} {' '.join(written)}"] if written else []
    notes = [f"language {language}: {', '.join(parts)}"] if parts else []
    if not language.code and language.script != OTHER:
        names = [name for name in several if isinstance(name, str) and _is_for_english(name)]
        notes += [
            f"{name} takes the texts for English: name another with --language" for name in names
        ]
    return notes


def _is_for_english(name: str) -> bool:
    """Whether a metric has the stems and words of English because nobody named a language."""
    kind, *options = name.split(":")
    return kind == "meteor" and not any(option.startswith("language=") for option in options)
