"""Metrics as features: any metric is a column for a learner, and so are scores of other tools."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from rankwise.errors import DataError
from rankwise.learning.features import (
    FEATURE_SETS,
    Feature,
    Features,
    FeatureSet,
    Joined,
    ToolScores,
    feature_set,
)
from rankwise.learning.features.context import NO_CONTEXT, Context
from rankwise.learning.features.feature_class import PARTED, Floats
from rankwise.metrics import METRICS, Metric, all_metrics, in_language, metric
from rankwise.metrics.metric_class import Needs
from rankwise.metrics.outside.batching import Batching
from rankwise.text.languages import OTHER, Language
from rankwise.text.segments import References, Texts
from rankwise.types.named import parse
from rankwise.types.text_block import Block


@dataclass(frozen=True)
class MetricColumns(FeatureSet):
    """The scores of metrics, a column each; several references are the metrics' business.

    >>> MetricColumns(metrics=(metric("wer"),)).values(["a b", "a"], ["a b"] * 2)
    array([[ 0.],
           [50.]])
    """

    name: ClassVar[str] = "metrics"

    metrics: tuple[Metric, ...] = ()

    def __post_init__(self) -> None:
        """Check the options, and that every metric can score an output by itself."""
        super().__post_init__()
        for each in self.metrics:
            if each.needs.document:
                raise DataError(
                    f"{each} scores whole documents; expected a metric that scores segments"
                )
            if each.needs.scores:
                raise DataError(
                    f"{each} is learned from scores of another tool; expected a metric that "
                    "reads texts"
                )

    @property
    def signature(self) -> str:
        """The signatures of the metrics, and ``relative``."""
        found = " ".join(each.signature for each in self.metrics).replace(PARTED, "%20+%20")
        return f"{found}:relative={self.relative}" if self.relative else found

    def __str__(self) -> str:
        """The names of the metrics."""
        return ",".join(map(str, self.metrics))

    @property
    def own(self) -> tuple[Feature, ...]:
        """A feature for every metric."""
        return tuple(
            Feature(
                str(each),
                f"score of the metric {each}",
                np.inf if each.higher_is_better else -np.inf,
            )
            for each in self.metrics
        )

    @property
    def needs(self) -> Needs:
        """What the metrics must have beside the outputs."""
        return _together([each.needs for each in self.metrics])

    @property
    def reads(self) -> Needs:
        """What the metrics read where there is any."""
        return _together([each.reads for each in self.metrics])

    @property
    def has_perfect(self) -> bool:
        """Whether all have a best score and compare with references alone."""
        return all(each.best is not None and each.reads == Needs() for each in self.metrics)

    def kept_as(self, context: Context) -> str | None:
        """The signatures with the hashes of what computes them, and the sources if they are read.

        None where a metric does not say what its scores depend on.
        """
        kept = [each.kept_as for each in self.metrics]
        if None in kept:
            return None
        read = f" {context.sources_digest()}" if self.reads.source else ""
        return f"{self.signature} {' '.join(map(str, kept))}{read}"

    def computed_by(self, batching: Batching) -> "MetricColumns":
        """The same, of metrics that score batches as *batching* says."""
        return replace(self, metrics=tuple(_in_batches(each, batching) for each in self.metrics))

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """A row per segment, without sources."""
        return self.own_values(hypotheses, references, NO_CONTEXT)

    def own_values(self, hypotheses: Texts, references: References, context: Context) -> Floats:
        """A row per segment."""
        found = [_scores(each, hypotheses, references, context) for each in self.metrics]
        return np.stack(found, axis=1) if found else np.empty((len(hypotheses), 0))


def features(
    names: str | Sequence[str],
    *,
    batching: Batching | None = None,
    language: Language | None = None,
) -> Features:
    """The feature sets and metrics of these names, side by side.

    A name that both have, ``beer``, is the feature set, and the metric with an option that only the
    metric has, such as ``beer:version=2014`` or ``beer:model=FILE``. Metrics have the option
    ``relative`` too; those that score batches do so as *batching* says. ``scores:NAME`` are scores
    of another tool. The signature of sets side by side, ``duh + chrf``, names them too. Options
    that a name leaves open are those of the *language*.

    >>> features(["duh:subset=1-12", "chrf:relative=z", "ter"]).names[-4:]
    ('bleu', 'chrf', 'chrf@z', 'ter')
    """
    wanted = names.split(PARTED) if isinstance(names, str) else list(names)
    if not wanted:
        raise DataError("no feature set is named; expected at least one")
    found = side_by_side([_named(_in_language(name, language)) for name in wanted])
    return found if batching is None else computed_by(found, batching)


def feature_notes(names: Sequence[str], language: Language) -> list[str]:
    """What the language decided about features, and what nobody said, in sentences.

    >>> feature_notes(["beer", "chrf"], Language("zh", "Han"))
    ['language zh (by the script of the references): beer language=other']
    >>> feature_notes(["beer:language=de", "beer"], Language("", "Latin"))
    ['the features beer take the texts for English: name another, as beer:language=de']
    """
    parts = []
    for name in names:
        decided = _in_language(name, language).removeprefix(name).lstrip(":").replace(":", " ")
        parts += [f"{name} {decided}"] if decided else []
    notes = [f"language {language}: {', '.join(parts)}"] if parts else []
    if not language.code and language.script != OTHER:
        english = [name for name in names if _is_for_english(name)]
        notes += [
            f"the features {name} take the texts for English: name another, as {name}:language=de"
            for name in english
        ]
    return notes


def _is_for_english(name: str) -> bool:
    """Whether a feature set has the stems and words of English because nobody named a language."""
    kind, *typed = name.split(":")
    has_language = kind in FEATURE_SETS and hasattr(FEATURE_SETS[kind], "language")
    return has_language and not any(
        option.startswith(("language=", "version=")) for option in typed
    )


def _in_language(name: str, language: Language | None) -> str:
    """The name with the options that the language decides and that it leaves open."""
    kind, *typed = name.split(":")
    if language is None or any(option.startswith("version=") for option in typed):
        return name
    if kind in FEATURE_SETS and not (kind in METRICS and _is_metric(typed)):
        decided = FEATURE_SETS[kind].language_options(language)
    elif kind in METRICS or kind in all_metrics():
        plain = ":".join([kind, *(option for option in typed if option[:9] != "relative=")])
        decided = dict(in_language(plain, language).decided)
    else:
        return name
    if {option.partition("=")[0] for option in typed} & {*decided}:
        return name
    return ":".join(
        [name, *(f"{option}={str(value).lower()}" for option, value in decided.items())]
    )


def side_by_side(sets: Sequence[FeatureSet]) -> Features:
    """Feature sets as one."""
    return sets[0] if len(sets) == 1 else Joined(tuple(sets))


def metric_features(metrics: Sequence[Metric], *, relative: str | None = None) -> FeatureSet:
    """The scores of metrics as columns, called by the metrics' names."""
    return MetricColumns(relative=relative, metrics=tuple(metrics))


def sets_of(found: Features) -> tuple[FeatureSet, ...]:
    """The feature sets that stand side by side in *found*."""
    if isinstance(found, Joined):
        return found.sets
    assert isinstance(found, FeatureSet)
    return (found,)


def computed_by(found: Features, batching: Batching) -> Features:
    """The same features, of metrics that score batches as *batching* says."""
    return side_by_side(
        [
            part.computed_by(batching) if isinstance(part, MetricColumns) else part
            for part in sets_of(found)
        ]
    )


def needs_of(found: Features) -> Needs:
    """What the features must have beside the outputs."""
    return _together([_needs(part) for part in sets_of(found)])


def reads_of(found: Features) -> Needs:
    """What the features read where there is any."""
    parts = sets_of(found)
    read = [part.reads if isinstance(part, MetricColumns) else _needs(part) for part in parts]
    return _together(read)


def programs_of(found: Features) -> list[str]:
    """The programs that metrics among the features start, those of learned metrics included."""
    metrics = [
        each for part in sets_of(found) if isinstance(part, MetricColumns) for each in part.metrics
    ]
    return [program for each in metrics for program in each.programs_started]


def scores_alone(found: Features) -> dict[str, tuple[int, int]]:
    """The columns that are scores by themselves, by name: the place of each, and 1 or -1.

    The second is what they are multiplied with so that more is better.

    >>> scores_alone(features(["duh:subset=1-12", "chrf:relative=z", "ter"]))
    {'chrf': (12, 1), 'ter': (14, -1)}
    """
    return {
        found.names[place]: (place, 1 if found.features[place].ideal > 0 else -1)
        for part, start in _starts(found)
        if isinstance(part, MetricColumns | ToolScores)
        for place in range(start, start + len(part.own))
    }


def _starts(found: Features) -> Iterator[tuple[FeatureSet, int]]:
    start = 0
    for part in sets_of(found):
        yield part, start
        start += len(part.names)


def _needs(part: FeatureSet) -> Needs:
    if isinstance(part, MetricColumns):
        return part.needs
    if isinstance(part, ToolScores):
        return Needs(references=False, scores=(str(part.called),))
    return Needs()


def _together(parts: Sequence[Needs]) -> Needs:
    return Needs(
        source=any(part.source for part in parts),
        references=any(part.references for part in parts),
        scores=tuple(dict.fromkeys(name for part in parts for name in part.scores)),
    )


def _named(name: str) -> FeatureSet:
    kind, *options = name.split(":")
    if kind == ToolScores.name:
        return parse(name, {ToolScores.name: ToolScores})
    if kind in FEATURE_SETS and not (kind in METRICS and _is_metric(options)):
        return feature_set(name)
    if kind in METRICS or kind in all_metrics():
        relative = [option for option in options if option.startswith("relative=")]
        plain = ":".join([kind, *(option for option in options if option not in relative)])
        kinds = ",".join(option.partition("=")[2] for option in relative)
        return metric_features([metric(plain)], relative=kinds or None)
    package = next((each[8:] for each in options if each.startswith("package=")), None)
    if package is not None:
        raise DataError(
            f"the metric {kind!r} is of the package {package}, which is not installed here"
        )
    known = ", ".join(sorted({*FEATURE_SETS, *all_metrics(), ToolScores.name}))
    raise DataError(f"unknown feature set {kind!r}; choose from {known}")


def _is_metric(options: Sequence[str]) -> bool:
    """Whether these are options of the metric ``beer``, and not of the feature set of that name.

    The signature of a feature set ends with a version too, but with that of the package.
    """
    from rankwise.metrics.beer import VERSIONS  # that module needs this one

    own = {f"version={version}" for version in VERSIONS}
    return any(option in own or option.startswith(("model=", "sha256=")) for option in options)


def _scores(each: Metric, hypotheses: Texts, references: References, context: Context) -> Floats:
    """The score of every output; a metric that reads more than references is given it."""
    if each.reads == Needs():
        return each.segments(hypotheses, references)
    places = range(1, len(hypotheses) + 1)
    block = Block(places, references, {"": hypotheses}, sources=context.sources)
    return each.segment_scores(each.block_rows(block)[""])


def _in_batches(each: Metric, batching: Batching) -> Metric:
    found: Metric = each.computed_by(batching) if hasattr(each, "computed_by") else each
    return found
