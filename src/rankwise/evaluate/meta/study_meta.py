"""Metrics against people in whole studies, each a language pair."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from rankwise.errors import DataError
from rankwise.evaluate.meta.meta_evaluation import (
    USUAL_MEASURES,
    MetaEvaluation,
    MetaTrial,
    evaluate_metrics,
)
from rankwise.evaluate.meta.meta_scores import PairScores, aligned, computed, pair_scores
from rankwise.evaluate.odd.odd_systems import some_of
from rankwise.evaluate.outside_tables import judged_scores
from rankwise.evaluate.scored_study import with_tables
from rankwise.evaluate.system_scores import SystemScores, score_systems
from rankwise.metrics import Metric, metrics_of
from rankwise.text.languages import target_language_of
from rankwise.types import LevelScores, Study, TestSet


def meta(
    studies: Study | Sequence[Study],
    metrics: Sequence[str | Metric] = (),
    measures: Sequence[str] = USUAL_MEASURES,
    *,
    trial: MetaTrial | None = None,
    progress: Callable[[float], object] | None = None,
) -> MetaEvaluation:
    """Which metrics agree most with the human scores of one study or several, and which by chance.

    The metrics are the given scores of the studies, and *metrics* computed from their texts. A
    study is a language pair; *measures* are ``spa`` and ``acc-eq`` unless named. What the name of
    a metric leaves open follows the target language, and its row keeps the name. *progress* is
    called with shares of the tests as they are done, in percent.

    >>> import numpy as np
    >>> from rankwise.types import ScoreTable
    >>> human = ScoreTable(("A", "B"), ("1", "2"), np.array([[2.0, 1.0], [1.0, 0.0]]), "people")
    >>> study = Study.from_texts({"A": ["a b", "c"], "B": ["a x", "y"]}, ["a b", "c"])
    >>> found = meta(replace(study, human=LevelScores.of(human)), ["chrf"], ["accuracy"])
    >>> found.metrics, found.average
    (('chrf (rankwise)',), array([1.]))
    """
    several = [studies] if isinstance(studies, Study) else studies
    data = [study_scores(study, metrics) for study in several]
    return evaluate_metrics(data, measures, trial=trial, progress=progress)


def study_scores(study: Study, metrics: Sequence[str | Metric] = ()) -> PairScores:
    """The human scores of a study with all its metrics beside them, those computed last."""
    if study.human is None:
        raise DataError(f"there are no human scores of {study.name or 'the study'}; expected some")
    gold = study.human if study.texts is None else _of_texts(study.human, study.texts)
    title = study.name or gold.name
    scores = pair_scores(title, gold, gold_name=gold.name if gold.name != title else "")
    told = [*_all_alike(scores), *_left_out(study, scores, has_texts=bool(metrics))]
    scores = replace(scores, notes=tuple(f"{title}: {sentence}" for sentence in told))
    given = {
        name: aligned(scores, found.negated() if name in study.errors else found)
        for name, found in study.scores.items()
    }
    scores = scores.with_metrics(given)
    if not metrics:
        return scores
    if study.texts is None:
        raise DataError("a metric is computed from texts, and the study has none")
    texts = study.texts
    judged = {name: texts.outputs[name] for name in scores.systems if name in texts.outputs}
    chosen = with_tables(metrics_of(metrics, target_language_of(texts)), study)
    found = score_systems(replace(texts, outputs=judged), chosen)
    names = _names(metrics, found)
    values = [computed(scores, result) for result in found]
    return scores.with_metrics(dict(zip(names, values, strict=True)))


def _all_alike(scores: PairScores) -> Iterator[str]:
    """That people gave everything one score: whoever ties all outputs then agrees with them."""
    tables = [table for table in (scores.gold.segments, scores.gold.systems) if table is not None]
    given = np.concatenate([table[~np.isnan(table)] for table in tables])
    if np.allclose(given, given[0], rtol=1e-12, atol=0.0):  # means of equal scores may round
        yield f"people gave every output the same score, {given[0]:g}, so nothing can disagree"


def _left_out(study: Study, scores: PairScores, *, has_texts: bool) -> Iterator[str]:
    """Systems that people, metrics or texts alone know, in a sentence each."""
    others = {name: found.scored for name, found in study.scores.items()}
    if study.texts is not None and study.human is not None:
        without = sorted(study.human.scored - {*study.texts.systems})
        if without:
            yield f"people scored systems without texts, which are left out: {some_of(without)}"
    if study.texts is not None and has_texts:
        others["the texts"] = {*study.texts.systems}
    unjudged: dict[str, list[str]] = {}
    for source, systems in others.items():
        for name in sorted(systems - {*scores.systems}):
            unjudged.setdefault(name, []).append(source)
    if unjudged:
        told = [f"{name} (in {some_of(sources)})" for name, sources in unjudged.items()]
        yield f"systems without human scores are left out ({len(told)}): {some_of(told)}"
    for source in study.scores:
        lacking = [name for name in scores.systems if name not in others[source]]
        if lacking:
            yield f"{source} has no scores of {some_of(lacking)}"


def _names(metrics: Sequence[str | Metric], found: Sequence[SystemScores]) -> list[str]:
    """What metrics are called in any language: a metric is one row over all language pairs.

    Two that only the language tells apart are called by what it made of them.
    """
    names = [str(chosen) for chosen in metrics_of(metrics)]
    told = [str(result.metric) for result in found]
    return [
        f"{name if names.count(name) == 1 else other} (rankwise)"
        for name, other in zip(names, told, strict=True)
    ]


def _of_texts(gold: LevelScores, texts: TestSet) -> LevelScores:
    """Human scores of the systems and segments that the texts have, in their order."""
    systems = None
    if gold.systems is not None:
        systems = gold.systems.without(set(gold.systems.systems) - set(texts.systems))
    if gold.segments is None or gold.segments.level != "segment":
        return LevelScores(gold.segments, systems)
    ids = [segment.id for segment in texts.segments]
    return LevelScores(judged_scores(gold.name, gold.segments, texts.systems, ids)[0], systems)
