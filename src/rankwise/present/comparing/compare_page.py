"""The page about two systems: differences, words, n-grams, and segments to look through."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankwise import __version__
from rankwise.evaluate.comparing.two_systems import TwoSystems
from rankwise.present.charts.interval_chart import interval_chart
from rankwise.present.comparing.compare_tables import (
    comparison_lines,
    difference_table,
    formats_of,
    group_difference_table,
    ngram_table,
    word_table,
)
from rankwise.present.comparing.pair_data import PairMetric, pair_data, within_room
from rankwise.present.page.html_page import Chart, Page, Section
from rankwise.present.page.pair_view import PairView
from rankwise.present.page.segment_cards import Card, CardText
from rankwise.present.report.segment_differences import chosen_segments
from rankwise.present.tables import Column, Table
from rankwise.text.languages import Language, target_language_of
from rankwise.text.word_differences import Run, nearest, word_differences
from rankwise.types import TestSet

#: Segments on the page unless another number is named, and those that are there without a script.
MOST_SEGMENTS, STATIC = 2000, 20
LONGEST = 20_000  # characters of two texts beyond which their words are not compared


def compare_page(
    found: TwoSystems, *, title: str = "", sort: str | None = None, segments: int = MOST_SEGMENTS
) -> Page:
    """The page that ``rankwise compare -o page.html`` writes."""
    one, two = found.systems
    optional = [
        _difference_section(found),
        _segment_section(found, sort, segments),
        _word_section(found),
        _ngram_section(found),
        _group_section(found),
    ]
    sections = [section for section in optional if section is not None]
    lead = f"A is {one}, B is {two}. Written by Rankwise {__version__}; all is in this one file."
    return Page(title or f"{one} and {two}", lead, sections, _tiles(found))


def _tiles(found: TwoSystems) -> list[tuple[str, str]]:
    tiles = [(f"{len(found.segments.ids):,}", "segments")]
    formats = formats_of(found)
    for line in found.differences:
        sure = "" if np.isnan(line.p_value) else f", p = {line.p_value:.3f}"
        tiles.append((f"{line.difference:+{formats[line.name][0]}}", f"{line.name}{sure}"))
    return tiles


def _difference_section(found: TwoSystems) -> Section:
    table = difference_table(found)
    notes = [*(note.replace("* p below", "bold: p below") for note in table.notes), *found.notes]
    lead = "Every difference is A minus B; bold print marks one that a paired test finds."
    return Section(
        "Differences", lead, [replace(table, facts={}, notes=notes)],
        signatures=comparison_lines(found),
    )  # fmt: skip


def _word_section(found: TwoSystems) -> Section | None:
    if not found.words:
        return None
    kinds = dict.fromkeys(word.kind for word in found.words)
    charts = [_word_chart(found, kind) for kind in kinds]
    lead = (
        "How well both systems get words: F1 of those with the same frequency or length, and the "
        "difference A minus B with its interval. A word matches as often as both sides have it."
    )
    return Section("Words", lead, [replace(word_table(found), title="")], charts)


def _word_chart(found: TwoSystems, kind: str) -> Chart:
    words = [word for word in found.words if word.kind == kind]
    names = [word.label for word in words]
    lines = [word.difference for word in words]
    apart, ends = [w.difference for w in lines], [(w.low, w.high) for w in lines]
    axis = f"F1 of A minus B, by {kind} of words"
    svg = interval_chart(names, apart, ends, title=axis, axis="F1 of A minus B")
    columns = [Column(kind), *(Column(name, "right", ".2f") for name in ("F1", "low", "high"))]
    rows = [(n, a, *e) for n, a, e in zip(names, apart, ends, strict=True)]
    return Chart(f"words-{kind}", svg, f"{axis}.", Table(columns, rows))


def _ngram_section(found: TwoSystems) -> Section | None:
    if not found.ngrams:
        return None
    lead = (
        "N-grams of the references that one system gets and the other does not: those of A above, "
        "those of B below. Sort by z, or by the number of words."
    )
    return Section("N-grams", lead, [replace(ngram_table(found), title="")])


def _group_section(found: TwoSystems) -> Section | None:
    if not found.groups:
        return None
    lead = "The same differences on the segments of a domain, or with references of some length."
    return Section("Groups", lead, [replace(group_difference_table(found), title="")])


# -- segments --------------------------------------------------------------------------------------


def _segment_section(found: TwoSystems, sort: str | None, most: int) -> Section | None:
    pairs = found.segments
    sizes = pairs.sizes(found.where)
    order = _first(sort, pairs.metrics)
    in_order = {pairs.metrics[number]: sizes[pairs.metrics[number]] for number in order}
    places = within_room(found.texts, chosen_segments(in_order, most))
    if not places:
        return None
    first = np.nan_to_num(in_order[pairs.metrics[order[0]]], nan=-1.0)
    places.sort(key=lambda place: -first[place])
    metrics = [_metric(found, number) for number in order]
    data = pair_data(found.systems, pairs.ids, metrics, found.texts, places)
    cards = [_card(found, place) for place in places[:STATIC]]
    total = len(pairs.ids)
    lead = (
        f"{len(places):,} of {total:,} segments, in turn those that differ most by each metric: a "
        "difference counts by n / (n + 5) where the reference has n words. Numbers beside a "
        "segment are A minus B. Marked words are not in the nearest reference, or in the other "
        f"output; struck ones are missing. Texts of over {LONGEST:,} characters together are not "
        "compared."
    )
    return Section("Segments", lead, pairs=PairView(data, cards))


def _first(sort: str | None, names: Sequence[str]) -> list[int]:
    """The places of all metrics, that of the order first."""
    first = names.index(sort) if sort in names else 0
    return [first, *(place for place in range(len(names)) if place != first)]


def _metric(found: TwoSystems, place: int) -> PairMetric:
    pairs = found.segments
    name = pairs.metrics[place]
    digits = int(formats_of(found)[name][1].strip(".f"))
    return PairMetric(name, bool(pairs.signs[place] > 0), digits, pairs.scores[place], {})


def _card(found: TwoSystems, place: int) -> Card:
    """A segment as it is shown without a script."""
    pairs, formats = found.segments, formats_of(found)
    named = zip(pairs.metrics, pairs.differences[:, place].tolist(), strict=True)
    figures = {
        name: (value, f"{name} {value:+{formats[name][1]}}")
        for name, value in named
        if not np.isnan(value)
    }
    texts = [] if found.texts is None else _card_texts(found.texts, found.systems, place)
    segment = None if found.texts is None else found.texts.segments[place]
    origin = "" if segment is None else " / ".join(filter(None, (segment.domain, segment.document)))
    return Card(f"Segment {pairs.ids[place]}", place, origin, figures, texts)


def _card_texts(testset: TestSet, systems: Sequence[str], place: int) -> list[CardText]:
    segment, language = testset.segments[place], target_language_of(testset)
    texts = []
    if segment.source:
        texts.append(CardText("source", [Run("same", segment.source)], testset.source_language))
    texts += [
        CardText("reference", [Run("same", reference)], language.code)
        for reference in segment.references
    ]
    for system in systems:
        output = testset.outputs[system][place] or ""
        runs = _compared(output, segment.references, language)
        texts.append(CardText(system, runs, language.code))
    return texts


def _compared(text: str, references: Sequence[str], language: Language) -> list[Run]:
    if not references or len(text) + max(map(len, references)) > LONGEST:
        return [Run("same", text)]
    reference = references[nearest(text, references, language=language)]
    return word_differences(text, reference, language=language)
