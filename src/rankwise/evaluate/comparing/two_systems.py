"""Two systems of a study, with all that tells them apart."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankwise.errors import DataError
from rankwise.evaluate.comparing.counted_texts import PairTexts
from rankwise.evaluate.comparing.ngram_gains import NgramGain, ngram_gains
from rankwise.evaluate.comparing.paired_difference import PairedDifference, paired_difference
from rankwise.evaluate.comparing.segment_pairs import SegmentFilter, SegmentPairs
from rankwise.evaluate.comparing.word_buckets import WordBucket, word_buckets
from rankwise.evaluate.outside_tables import aligned_scores, scored_tables
from rankwise.evaluate.scoreboard import Resampling
from rankwise.evaluate.scored_study import frame_of, scored_study, segment_table, study_labels
from rankwise.evaluate.segment_groups import in_order_of_length
from rankwise.evaluate.system_scores import Scored, SystemScores
from rankwise.evaluate.work_done import Done, Work
from rankwise.metrics import Metric, metrics_of
from rankwise.text.languages import target_language_of
from rankwise.types import Study, TestSet
from rankwise.types.defaults import USUAL_METRICS
from rankwise.types.shown import Shown, presented
from rankwise.types.testset import as_usual

#: What the parts of the work cost, in percent of a comparison by BLEU, chrF and TER.
_COSTS: Mapping[Hashable, float] = {
    "scores": 11.0,
    "differences": 6.0,
    "groups": 5.0,
    "ngrams": 65.0,
    "words": 13.0,
}
#: Groups of one kind that are compared: those with the most segments.
MOST_GROUPS = 20


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """Two systems on the segments of one group, such as a domain, by one metric."""

    kind: str
    label: str
    difference: PairedDifference


@dataclass(frozen=True, slots=True, eq=False)
class TwoSystems(Shown):
    """A first and a second system: all differences are the first minus the second.

    ``differences`` has a row for each metric, people last; ``groups`` the same on domains and
    lengths; ``segments`` the scores of every segment; ``ngrams`` what one system gets and the other
    does not; ``words`` how well rare and frequent, short and long words are got. ``human`` is the
    name of the scores that people gave, if there are any, ``notes`` says what was left out.
    """

    systems: tuple[str, str]
    scored: Scored
    differences: tuple[PairedDifference, ...]
    groups: tuple[GroupDifference, ...]
    segments: SegmentPairs
    ngrams: tuple[NgramGain, ...]
    words: tuple[WordBucket, ...]
    texts: TestSet | None
    resampling: Resampling
    where: SegmentFilter
    human: str = ""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What the command prints as JSON, with all segments that differ."""
        tables = presented("comparing.compare_tables")
        found: dict[str, Any] = tables.whole_object(self, self.segments.listed(where=self.where))
        return found

    def __repr__(self) -> str:
        """The systems and the first difference, in one line."""
        first, second = self.systems
        lead = self.differences[0]
        return f"<TwoSystems {first} and {second}: {lead.name} {lead.difference:+.2f}>"


def compare(
    study: Study | TestSet,
    one: str | None = None,
    two: str | None = None,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    *,
    where: SegmentFilter | None = None,
    resampling: Resampling | None = None,
    counts: Mapping[str, int] | None = None,
    ngrams: int = 20,
    progress: Done | None = None,
) -> TwoSystems:
    """System *one* against system *two*, which need no name where a study has two.

    *metrics* are computed from the texts, BLEU, chrF and TER unless named, where there are
    references; scores of other tools and of people stand beside them. *where* chooses segments,
    *counts* are frequencies of words to group them by in place of those in the references, *ngrams*
    is how many are kept of each length for each system. *progress* is called with shares of the
    work, in percent. It is what ``rankwise compare`` prints.

    >>> study = Study.from_texts({"A": ["a cat", "dogs bark"], "B": ["a cat", "dog"]},
    ...                          ["a cat", "dogs bark"])
    >>> found = compare(study, "A", "B", "wer", resampling=Resampling(samples=100))
    >>> found.differences[0].difference
    -50.0
    """
    known = Study(texts=as_usual(study)) if isinstance(study, TestSet) else study
    where, resampling = where or SegmentFilter(), resampling or Resampling()
    resampling.check()
    systems = _chosen(known, one, two)
    known = _narrowed(known, systems, where)
    work = Work(_COSTS, progress)
    scored, human, notes = _scored(known, metrics)
    work.finish("scores")
    groups = _documents(scored, resampling)
    results = [_both(result, systems) for result in scored.results]
    found = [paired_difference(result, resampling, groups) for result in results]
    work.finish("differences")
    inside = _groups(results, scored, resampling)
    work.finish("groups")
    texts = _with_references(known.texts)
    pairs = None if texts is None else PairTexts.of(texts, systems)
    gains: tuple[NgramGain, ...] = ()
    words: tuple[WordBucket, ...] = ()
    if pairs is not None:
        gains = ngram_gains(pairs, most=ngrams, done=work.of("ngrams"))
        words = word_buckets(pairs, resampling, counts=counts, groups=groups, done=work.of("words"))
    work.finish("ngrams", "words")
    return TwoSystems(
        systems,
        scored,
        tuple(difference for difference in found if difference is not None),
        inside,
        SegmentPairs.of(results, known.texts),
        gains,
        words,
        known.texts,
        resampling,
        where,
        human,
        (*known.notes, *notes),
    )


def _chosen(study: Study, one: str | None, two: str | None) -> tuple[str, str]:
    """The names of both systems; a kind error for those that are not there."""
    there = study.systems
    if one is None and two is None and len(there) == 2:
        return there[0], there[1]
    if one is None or two is None:
        raise DataError(f"there are {len(there)} systems; name two of {', '.join(there)}")
    unknown = next((name for name in (one, two) if name not in there), None)
    if unknown is not None:
        raise DataError(f"there is no system {unknown!r}; choose from {', '.join(there)}")
    if one == two:
        raise DataError(f"both systems are {one!r}; expected two different ones")
    return one, two


def _narrowed(study: Study, systems: tuple[str, str], where: SegmentFilter) -> Study:
    """The two systems alone, on the segments that are compared."""
    others = [name for name in study.known_systems if name not in systems]
    study = study.without(others, must_be_known=False)
    if not where.narrows:
        return study
    if study.texts is None:
        raise DataError("segments are chosen by their texts; expected outputs or a test set")
    chosen = study.texts.subset(where.compared(study.texts))
    segments = [segment.id for segment in study.texts.segments]
    kept = {segment.id for segment in chosen.segments}
    return replace(
        study,
        texts=chosen,
        scores={name: table.narrowed(segments, kept) for name, table in study.scores.items()},
        human=None if study.human is None else study.human.narrowed(segments, kept),
    )


def _scored(
    study: Study, metrics: str | Metric | Sequence[str | Metric] | None
) -> tuple[Scored, str, list[str]]:
    """All metrics, with what people said as the last of them and its name, and notes."""
    has_references = study.texts is not None and all(study.texts.references)
    wanted = (USUAL_METRICS if has_references else ()) if metrics is None else metrics
    language = None if study.texts is None else target_language_of(study.texts)
    scored, notes = scored_study(study, metrics_of(wanted, language))
    people, more = _people(study)
    notes += more
    if scored is None and people is None:
        raise DataError("there is nothing to compare; expected references, or scores of segments")
    if scored is None:
        scored = replace(people, labels=study_labels(study)) if people is not None else None
    elif people is not None:
        scored = replace(scored, results=(*scored.results, *people.results))
    assert scored is not None
    name = "" if people is None else str(people.results[0].metric)
    return scored, name, notes


def _people(study: Study) -> tuple[Scored | None, list[str]]:
    """What people said of both systems; None where they did not judge both."""
    if study.human is None:
        return None, []
    systems, segments = frame_of(study)
    name = study.human.name or "human"
    table = segment_table(name, study.human)
    unseen = [system for system in systems if system not in table.scored]
    if unseen:
        return None, [f"{name}: no human score of {', '.join(unseen)}"]
    found, notes = aligned_scores(name, table, systems, segments)
    return scored_tables({name: found}), notes


def _both(result: SystemScores, systems: tuple[str, str]) -> SystemScores:
    rows = {system: result.rows[system] for system in systems}
    return SystemScores(result.metric, rows, result.ids)


def _documents(scored: Scored, resampling: Resampling) -> Sequence[str] | None:
    if resampling.unit != "document":
        return None
    if "document" not in scored.labels:
        raise DataError("the segments have no documents to be drawn by; expected one for each")
    return scored.labels["document"]


def _with_references(texts: TestSet | None) -> TestSet | None:
    return texts if texts is not None and all(texts.references) else None


def _groups(
    results: Sequence[SystemScores], scored: Scored, resampling: Resampling
) -> tuple[GroupDifference, ...]:
    """Every metric on every domain and length; where documents are drawn, within each group."""
    documents = _documents(scored, resampling)
    found = []
    for kind in ("domain", "length"):
        labels = np.array(scored.labels.get(kind, ()), object)
        for label in _largest(labels.tolist(), kind):
            places = np.flatnonzero(labels == label)
            inside = None if documents is None else [documents[p] for p in places.tolist()]
            for result in results:
                difference = paired_difference(result.where(places), resampling, inside)
                found += [GroupDifference(kind, label, difference)] if difference else []
    return tuple(found)


def _largest(labels: list[str], kind: str) -> list[str]:
    """The labels with the most segments, in their order; one alone is no group."""
    names = in_order_of_length(labels) if kind == "length" else list(dict.fromkeys(labels))
    if len(names) < 2:
        return []
    most = sorted(names, key=lambda name: -labels.count(name))[:MOST_GROUPS]
    return [name for name in names if name in most]
