"""The segments where systems, metrics and people differ most, with their words compared."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rankwise.evaluate.segment_groups import length_weights, words_of_segments
from rankwise.evaluate.system_scores import SystemScores
from rankwise.evaluate.work_done import Done
from rankwise.present.page.html_page import Section
from rankwise.present.page.segment_cards import Card, CardList, CardText, MarkedLine
from rankwise.present.report.error_marks import Marks, given_marks, marked_line, model_marks
from rankwise.present.report.findings import Findings
from rankwise.present.report.segment_differences import (
    Array,
    SegmentDifferences,
    chosen_segments,
    differences,
    over_frame,
)
from rankwise.present.score_tables import number_formats
from rankwise.text.languages import Language, target_language_of
from rankwise.text.word_differences import Run, nearest, word_differences
from rankwise.types import Segment, Study, TestSet

#: Outputs shown of a segment: the best, the worst, and those that people and metrics see otherwise.
SHOWN = 8

#: Characters of text that all cards together may hold, and those of two texts to be compared.
CHARACTERS = 3_000_000
LONGEST = 20_000

_ORDERS = {
    "people": "people and metrics differ",
    "systems": "systems differ",
    "metrics": "metrics differ",
}


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """What cards are made from."""

    results: Sequence[SystemScores]
    human: Sequence[tuple[str, Array]]
    found: SegmentDifferences
    sizes: Mapping[str, Array]
    testset: TestSet | None
    language: Language | None
    marks: Marks = field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        return self.results[0].systems

    def size(self, key: str, place: int) -> float:
        """What the segment is sorted by."""
        return float(self.sizes[key][place])


def segment_section(findings: Findings, done: Done | None = None) -> Section | None:
    """The segments with the largest differences; None without scores of segments.

    *done* is called with shares of the segments as they are ready.
    """
    results, golds = findings.results, findings.golds
    if not results and findings.human is not None:  # then people are the only metric
        results, golds = findings.human.scored.results, ()
    if not results:
        return None
    found = differences(results, golds[0].segments if golds else None)
    texts = findings.study.texts
    language = None if texts is None else target_language_of(texts)
    sizes = found.sizes(None if texts is None else _weights(texts, language))
    places = chosen_segments(sizes, findings.options.segments)
    if not places:
        return None
    frame = results[0].segments
    human = [(one.segments.name or "people", over_frame(one.segments, frame)) for one in golds]
    source = _Source(results, human, found, sizes, texts, language)
    source = replace(source, marks=_marks(source, findings.study, places))
    orders = {key: words for key, words in _ORDERS.items() if key in sizes}
    first = np.nan_to_num(sizes[next(iter(orders))], nan=-1.0)
    cards = _within_budget(_cards(source, places, done))
    cards.sort(key=lambda card: -first[card.place - 1])
    total = len(frame.segments)
    return Section(
        "Segments that differ most", _lead(source, len(cards), total, orders),
        segments=CardList(cards, orders),
    )  # fmt: skip


def _weights(testset: TestSet, language: Language | None) -> Array | None:
    """By the length of segments; None where no segment has a word."""
    weights = length_weights(words_of_segments(testset, language))
    return weights if weights.any() else None


def _marks(source: _Source, study: Study, places: Sequence[int]) -> Marks:
    """The errors that were marked in outputs: all that files say, and what models see in those."""
    wanted = [(source.systems[s], place) for place in places for s in _shown(source, place)]
    found = given_marks(study)
    for key, lines in model_marks(source.results, source.testset, wanted).items():
        found.setdefault(key, []).extend(lines)
    return found


def _cards(source: _Source, places: Sequence[int], done: Done | None) -> Iterator[Card]:
    for place in places:
        yield _card(source, place)
        if done is not None:
            done(1 / len(places))


def _within_budget(cards: Iterable[Card]) -> list[Card]:
    """As many of the first cards as leave the page small; at least one."""
    kept: list[Card] = []
    room = CHARACTERS
    for card in cards:
        room -= sum(len(run.text) for text in card.texts for run in text.runs)
        room -= sum(len(p.text) for text in card.texts for line in text.marks for p in line.parts)
        if kept and room < 0:
            break
        kept.append(card)
    return kept


def _lead(source: _Source, count: int, total: int, orders: dict[str, str]) -> str:
    name = str(source.results[0].metric)
    parts = [f"{count:,} of {total:,} segments: in turn those where"]
    meanings = {
        "people": "people and metrics put an output furthest apart (in percentiles of all judged "
        "outputs, the metrics' mean against people)",
        "systems": f"the scores of systems are furthest apart ({name})",
        "metrics": "two metrics put an output furthest apart (in percentiles)",
    }
    parts.append("; ".join(meanings[key] for key in orders) + ".")
    if source.testset is not None:
        parts.append(
            "Short ones come later: a difference counts by n / (n + 5) where the reference has n "
            "words. Marked words are not in the reference nearest to the output, struck ones are "
            f"missing. Of many systems at most {SHOWN} outputs are shown; systems with the same "
            f"output share a line. Texts of over {LONGEST:,} characters together are not compared."
        )
    if source.marks and source.testset is not None:
        parts.append("Below an output stand the errors that people or models marked in it.")
    return " ".join(parts)


def _card(source: _Source, place: int) -> Card:
    segment = None if source.testset is None else source.testset.segments[place]
    name = source.results[0].segments.segments[place]
    origin = "" if segment is None else " / ".join(filter(None, (segment.domain, segment.document)))
    texts = [*_given_texts(source, segment), *_outputs(source, segment, place)]
    return Card(f"Segment {name}", place + 1, origin, _figures(source, place), texts)


def _figures(source: _Source, place: int) -> dict[str, tuple[float, str]]:
    found = source.found
    figures = {}
    gap = float(found.people[place])
    if not np.isnan(gap):
        system = source.systems[int(found.people_system[place])]
        who = "metrics above people" if gap > 0 else "people above metrics"
        figures["people"] = (source.size("people", place), f"{who} by {abs(gap):.0f}: {system}")
    spread, name = float(found.systems[place]), str(source.results[0].metric)
    if not np.isnan(spread):
        number = number_formats(source.results[0])[1]
        figures["systems"] = (source.size("systems", place), f"{name} range {spread:{number}}")
    if not np.isnan(found.metrics[place]):
        apart = float(found.metrics[place])
        figures["metrics"] = (source.size("metrics", place), f"metrics {apart:.0f} apart")
    return figures


def _given_texts(source: _Source, segment: Segment | None) -> list[CardText]:
    if segment is None or source.testset is None:
        return []
    target = "" if source.language is None else source.language.code
    languages = source.testset.source_language, target
    texts = []
    if segment.source:
        texts.append(CardText("source", [Run("same", segment.source)], languages[0]))
    names = segment.reference_names or tuple(map(str, range(1, len(segment.references) + 1)))
    several = len(segment.references) > 1
    for name, reference in zip(names, segment.references, strict=True):
        head = f"reference {name}" if several else "reference"
        texts.append(CardText(head, [Run("same", reference)], languages[1]))
    return texts


def _outputs(source: _Source, segment: Segment | None, place: int) -> list[CardText]:
    """One text for all systems that gave it, best first by the first metric."""
    shared: dict[str | int, list[int]] = {}
    for system in _shown(source, place):
        text = _output(source, system, place)
        shared.setdefault(system if text is None else text, []).append(system)
    language = "" if source.language is None else source.language.code
    return [
        CardText(
            f"{', '.join(source.systems[s] for s in systems)}: {_scores(source, systems, place)}",
            _compared(text, segment, source.language) if isinstance(text, str) else [],
            language,
            _marked(source, systems, place, text) if isinstance(text, str) else (),
        )
        for text, systems in shared.items()
    ]


def _marked(
    source: _Source, systems: Sequence[int], place: int, text: str
) -> tuple[MarkedLine, ...]:
    """The errors that were marked in an output; what several say alike stands once."""
    segment = source.results[0].segments.segments[place]
    lines = [
        marked_line(who, marks, text)
        for system in systems
        for who, marks in source.marks.get((source.systems[system], segment), ())
    ]
    return tuple(dict.fromkeys(lines))


def _compared(text: str, segment: Segment | None, language: Language | None) -> list[Run]:
    if segment is None or not segment.references:
        return [Run("same", text)]
    if len(text) + max(map(len, segment.references)) > LONGEST:
        return [Run("same", text)]
    reference = segment.references[nearest(text, segment.references, language=language)]
    return word_differences(text, reference, language=language)


def _output(source: _Source, system: int, place: int) -> str | None:
    if source.testset is None:
        return None
    return source.testset.outputs[source.systems[system]][place]


def _shown(source: _Source, place: int) -> list[int]:
    """Systems whose outputs are shown, best first by the first metric."""
    result = source.results[0]
    sign = 1.0 if result.metric.higher_is_better else -1.0
    scores = np.nan_to_num(sign * result.segments.values[:, place], nan=-np.inf)
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    if len(order) <= SHOWN:
        return order
    wanted = [int(source.found.people_system[place]), order[0], order[-1]]
    for _, table in source.human[:1]:
        human = table[:, place]
        wanted += [int(np.nanargmax(human)), int(np.nanargmin(human))] if _has_any(human) else []
    kept = set(list(dict.fromkeys(s for s in [*wanted, *order] if s >= 0))[:SHOWN])
    return [system for system in order if system in kept]


def _has_any(values: Array) -> bool:
    return not bool(np.isnan(values).all())


def _scores(source: _Source, systems: Sequence[int], place: int) -> str:
    """The scores of an output; people may have judged equal outputs differently."""
    words = []
    for result in source.results:
        value = float(result.segments.values[systems[0], place])
        if not np.isnan(value):
            words.append(f"{result.metric} {value:{number_formats(result)[1]}}")
    for name, table in source.human:
        given = [float(table[system, place]) for system in systems]
        known = [f"{round(value, 2) + 0.0:g}" for value in given if not np.isnan(value)]
        words += [f"{name} {', '.join(known)}"] if known else []
    return " · ".join(words)
