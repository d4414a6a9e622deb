"""The metrics of a study: those computed from its texts, and those that other tools gave."""

from collections.abc import Sequence
from dataclasses import replace

from rankwise.errors import DataError
from rankwise.evaluate.outside_tables import aligned_scores, scored_tables
from rankwise.evaluate.segment_groups import block_labels
from rankwise.evaluate.system_scores import Scored, score_blocks
from rankwise.metrics import Metric
from rankwise.text.languages import target_language_of
from rankwise.types import LevelScores, ScoreTable, Study, TestSet
from rankwise.types.text_block import Block, blocks_of


def scored_study(study: Study, metrics: Sequence[Metric] = ()) -> tuple[Scored | None, list[str]]:
    """All metrics on all systems, computed ones first; None where there are none at all.

    Given scores are matched by the names of systems and segments; the sentences say what is left
    out or missing.
    """
    must_be_called_otherwise([str(metric) for metric in metrics], study)
    given, notes = given_scores_of(study, *frame_of(study))
    if study.texts is None or not metrics:
        return None if given is None else replace(given, labels=study_labels(study)), notes
    groupings = available_groupings(study.texts)
    scored = score_blocks(
        blocks_of(study.texts),
        with_tables(metrics, study),
        groupings=groupings,
        references=study.references,
        language=target_language_of(study.texts),
    )
    others = () if given is None else given.results
    return replace(scored, results=(*scored.results, *others)), notes


def with_given_scores(scored: Scored, study: Study) -> tuple[Scored, list[str]]:
    """Computed metrics, and beside them the scores of other tools that *study* has.

    Systems and segments are matched by their names; the sentences say what is left out or missing.
    """
    computed = scored.results[0]
    must_be_called_otherwise([str(result.metric) for result in scored.results], study)
    segments = [str(segment) for segment in computed.ids]
    given, notes = given_scores_of(study, computed.systems, segments)
    others = () if given is None else given.results
    return replace(scored, results=(*scored.results, *others)), notes


def must_be_called_otherwise(metrics: Sequence[str], study: Study) -> None:
    """Raise where given scores have the name of a computed metric."""
    twice = next((name for name in metrics if name in study.scores), None)
    if twice is not None:
        raise DataError(f"scores {twice!r} are called as a computed metric; expected another name")


def given_scores_of(
    study: Study, systems: Sequence[str], segments: Sequence[str]
) -> tuple[Scored | None, list[str]]:
    """The scores of other tools over these systems and segments."""
    tables, notes = {}, []
    for name, scores in study.scores.items():
        table = segment_table(name, scores)
        tables[name], more = aligned_scores(name, table, systems, segments)
        notes += more
    return scored_tables(tables, errors=study.errors) if tables else None, notes


def segment_table(name: str, scores: LevelScores) -> ScoreTable:
    """The scores of segments; where only whole systems have scores that is an error."""
    if scores.segments is None:
        raise DataError(f"scores {name!r} are of systems; expected scores of segments")
    return scores.segments


def with_tables(metrics: Sequence[Metric], study: Study) -> list[Metric]:
    """The metrics; those learned from scores of other tools are given those of *study*."""
    if not any(metric.needs.scores for metric in metrics):
        return list(metrics)
    from rankwise.metrics.learned_metric import LearnedMetric  # only who needs it waits for it

    tables = {
        name: segment_table(name, scores)
        for name, scores in study.scores.items()
        if any(name in metric.needs.scores for metric in metrics)
    }
    return [
        metric.given(tables) if isinstance(metric, LearnedMetric) else metric for metric in metrics
    ]


def frame_of(study: Study) -> tuple[Sequence[str], Sequence[str]]:
    """The systems and segments that scores are over: those of the texts, or of the first table."""
    if study.texts is not None:
        return study.texts.systems, [segment.id for segment in study.texts.segments]
    given = next(iter(study.scores.values()), study.human)
    if given is None:
        return (), ()
    table = segment_table(given.name, given)
    return table.systems, table.segments


def available_groupings(testset: TestSet) -> list[str]:
    """What every segment has a label for: domain, document, and the length of the reference."""
    found = [
        name
        for name in ("domain", "document")
        if all(getattr(segment, name) is not None for segment in testset.segments)
    ]
    has_references = all(segment.references for segment in testset.segments)
    return [*found, *(["length"] if has_references else [])]


def study_labels(study: Study) -> dict[str, list[str]]:
    """The label of every segment, for all that they can be grouped by.

    Where there are no texts, files of scores may tell; what they do not tell of every segment is
    left out.
    """
    if study.texts is not None:
        return _labels_of(study.texts)
    _, segments = frame_of(study)
    return {
        kind: [labels[segment] for segment in segments]
        for kind, labels in study.places.items()
        if all(segment in labels for segment in segments)
    }


def _labels_of(testset: TestSet) -> dict[str, list[str]]:
    block = Block(
        [segment.id for segment in testset.segments],
        testset.references,
        {},  # labels do not depend on outputs, which may be missing
        [segment.document for segment in testset.segments],
        [segment.domain for segment in testset.segments],
    )
    language = target_language_of(testset)
    return {name: block_labels(block, name, language) for name in available_groupings(testset)}
