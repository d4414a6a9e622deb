"""Two systems as tables: their differences, groups of segments, words, n-grams, segments."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rankwise.evaluate.comparing.paired_difference import PairedDifference
from rankwise.evaluate.comparing.two_systems import TwoSystems
from rankwise.evaluate.scoreboard import ALPHA
from rankwise.present.score_tables import number_formats, scored_facts, signature
from rankwise.present.tables import Cell, Column, Table, table_object

Row = tuple[Cell, ...]

#: Columns that systems must not be called as.
_TAKEN = {
    "metric", "difference", "low", "high", "p", "wins", "ties", "losses", "segments", "needed",
    "finds", "kind", "group", "words", "count", "n-gram", "wanted", "z", "interval", "segment",
    "text", "which", "won-tied-lost", "error",
}  # fmt: skip


def heads_of(found: TwoSystems) -> tuple[str, str]:
    """What the columns of both systems are called: as they are, unless that is taken."""
    if _TAKEN & {*found.systems}:
        return f"A: {found.systems[0]}", f"B: {found.systems[1]}"
    return found.systems


# -- differences -----------------------------------------------------------------------------------


def difference_table(found: TwoSystems, *, for_programs: bool = False) -> Table:
    """A row for each metric: both scores, the difference, how sure it is, what it would need."""
    one, two = heads_of(found)
    rows = [_difference_row(found, line, for_programs) for line in found.differences]
    facts = {**scored_facts(found.scored), "systems": list(found.systems), "drawn": _drawn(found)}
    if for_programs:
        names = ("metric", one, two, *_NUMBERS)
        return Table([Column(name) for name in names], rows, facts=facts)
    columns = [
        Column("metric"),
        Column(one, "right"),
        Column(two, "right"),
        Column("difference", "right"),
        Column("interval"),
        Column("p", "right", ".4f"),
        Column("won-tied-lost", "right"),
        Column("needed", "right"),
        Column("finds", "right"),
    ]
    marked = [(row, 5) for row, line in enumerate(found.differences) if line.p_value < ALPHA]
    return Table(columns, rows, notes=difference_notes(found), marked=marked, facts=facts)


_NUMBERS = (
    "difference", "low", "high", "p", "error", "wins", "ties", "losses", "segments", "needed",
    "finds",
)  # fmt: skip


def _difference_row(found: TwoSystems, line: PairedDifference, for_programs: bool) -> Row:
    if for_programs:
        return (line.name, line.first, line.second, *_numbers(line))
    score, end = formats_of(found)[line.name]
    return (
        line.name,
        format(line.first, score),
        format(line.second, score),
        f"{line.difference:+{score}}",
        _interval(line, end),
        defined_number(line.p_value),
        f"{line.wins}-{line.ties}-{line.losses}",
        _needed(line),
        "-" if math.isnan(line.finds) else format(line.finds, score),
    )


def _numbers(line: PairedDifference) -> Row:
    return (
        line.difference,
        defined_number(line.low),
        defined_number(line.high),
        defined_number(line.p_value),
        defined_number(line.error),
        line.wins,
        line.ties,
        line.losses,
        line.segments,
        math.ceil(line.needed) if math.isfinite(line.needed) else None,
        defined_number(line.finds),
    )


def _interval(line: PairedDifference, number: str) -> str:
    if math.isnan(line.low):
        return "-"
    return f"[{line.low:+{number}}, {line.high:+{number}}]"


def _needed(line: PairedDifference) -> str:
    return f"{math.ceil(line.needed):,}" if math.isfinite(line.needed) else "-"


def defined_number(value: float) -> float | None:
    """A number, or None for nan and infinity."""
    return value if math.isfinite(value) else None


def formats_of(found: TwoSystems) -> dict[str, tuple[str, str]]:
    """How scores and ends of intervals are written, by the name of the metric."""
    return {str(result.metric): number_formats(result) for result in found.scored.results}


def difference_notes(found: TwoSystems) -> list[str]:
    """What the columns mean."""
    one, two = found.systems
    drawn = found.resampling
    errors = [line.name for line in found.differences if not line.higher_is_better]
    notes = [f"difference: {one} minus {two}; won-tied-lost counts segments as {one} sees them"]
    notes += [f"of {', '.join(errors)} less is better"] if errors else []
    if drawn.draws:
        notes += [
            f"* p below {ALPHA} (paired {drawn.test}, {drawn.tested} draws, seed {drawn.seed}); "
            f"brackets: {drawn.level:.0%} of the resampled differences",
            f"needed: segments like these that tell the two apart (p < {ALPHA}) in 80 of 100 "
            "cases, if the difference is the one seen; finds: the smallest difference that these "
            "segments find so often",
        ]
    return notes


def _drawn(found: TwoSystems) -> dict[str, object]:
    drawn = found.resampling
    return {
        "test": f"paired {drawn.test}",
        "draws": drawn.tested,
        "resamples": drawn.draws,
        "seed": drawn.seed,
        "unit": drawn.unit,
        "level": drawn.level,
    }


# -- parts -----------------------------------------------------------------------------------------


def group_difference_table(found: TwoSystems, *, for_programs: bool = False) -> Table:
    """Every metric on every domain and length."""
    one, two = heads_of(found)
    if for_programs:
        names = ("kind", "group", "metric", one, two, *_NUMBERS)
        rows: list[Row] = [
            (part.kind, part.label, *_difference_row(found, part.difference, True))
            for part in found.groups
        ]
        return Table([Column(name) for name in names], rows)
    columns = [Column("kind"), Column("group"), Column("segments", "right"), Column("metric")]
    columns += [Column(name, "right") for name in (one, two, "difference")]
    columns += [Column("interval"), Column("p", "right", ".4f")]
    rows, marked, rules = [], [], []
    for number, part in enumerate(found.groups):
        name, first, second, apart, ends, p, *_ = _difference_row(found, part.difference, False)
        segments = part.difference.segments
        rows.append((part.kind, part.label, segments, name, first, second, apart, ends, p))
        marked += [(number, 8)] if part.difference.p_value < ALPHA else []
        before = found.groups[number - 1]
        rules += [number] if number and before.label != part.label else []
    notes = _uncorrected(marked)
    return Table(columns, rows, "By domain and length", notes, marked, rules=rules)


def word_table(found: TwoSystems, *, for_programs: bool = False) -> Table:
    """F1 of words by their frequency and by their length."""
    one, two = heads_of(found)
    if for_programs:
        names = (
            "kind", "words", "wanted", f"precision {one}", f"precision {two}", f"recall {one}",
            f"recall {two}", f"f1 {one}", f"f1 {two}", *_NUMBERS,
        )  # fmt: skip
        rows: list[Row] = []
        for word in found.words:
            line = word.difference
            scores = (*word.precision, *word.recall, line.first, line.second)
            rows.append((word.kind, word.label, word.wanted, *scores, *_numbers(line)))
        return Table([Column(name) for name in names], rows)
    columns = [Column("kind"), Column("words"), Column("wanted", "right")]
    columns += [Column(name, "right", ".1f") for name in (one, two)]
    columns += [Column("difference", "right", "+.1f"), Column("interval")]
    columns += [Column("p", "right", ".4f")]
    rows = [_word_row(word.kind, word.label, word.wanted, word.difference) for word in found.words]
    marked = [(row, 7) for row, w in enumerate(found.words) if w.difference.p_value < ALPHA]
    rules = [
        row for row in range(1, len(rows)) if found.words[row].kind != found.words[row - 1].kind
    ]
    return Table(
        columns, rows, "F1 of words by frequency and by length in characters",
        _uncorrected(marked), marked, rules=rules,
    )  # fmt: skip


def _word_row(kind: str, label: str, wanted: int, line: PairedDifference) -> Row:
    ends, p = _interval(line, ".1f"), defined_number(line.p_value)
    return (kind, label, wanted, line.first, line.second, line.difference, ends, p)


def _uncorrected(marked: Sequence[object]) -> list[str]:
    said = f"* p below {ALPHA}, each test by itself: of twenty tests of nothing one says so"
    return [said] if marked else []


def ngram_table(found: TwoSystems, *, for_programs: bool = False, most: int | None = None) -> Table:
    """N-grams of the references that one system gets and the other does not.

    *most* is how many are shown for each system, those that lean most; all unless given.
    """
    one, two = heads_of(found)
    gains = list(found.ngrams)
    if most is not None:
        first = [gain for gain in gains if gain.z > 0][:most]
        second = [gain for gain in gains if gain.z < 0]
        gains = [*first, *second[max(0, len(second) - most) :]]
    columns = [Column("n-gram"), Column("words", "right"), Column("wanted", "right")]
    columns += [Column(one, "right"), Column(two, "right"), Column("z", "right", "+.1f")]
    rows: list[Row] = [
        (" ".join(g.words), g.order, g.wanted, g.first, g.second, g.z) for g in gains
    ]
    if for_programs:
        return Table(columns, rows)
    turn = [row for row in range(1, len(gains)) if gains[row - 1].z > 0 > gains[row].z]
    notes = ["wanted: in the references; z: (a - b) / sqrt(a + b) of the matches one has alone"]
    return Table(columns, rows, "N-grams that one gets and the other does not", notes, rules=turn)


def segment_list_table(
    found: TwoSystems, places: Sequence[int], *, for_programs: bool = False
) -> Table:
    """Segments with both outputs: for people some lines each, for programs a row each."""
    if for_programs:
        return _segment_rows(found, places)
    columns = [Column("segment"), Column("which"), Column("text")]
    rows: list[Row] = []
    for place in places:
        rows.append((found.segments.ids[place], "difference", _apart(found, place)))
        rows += [("", what, text) for what, text in _texts(found, place).items() if text]
    return Table(columns, rows, "Segments that differ most")


def _segment_rows(found: TwoSystems, places: Sequence[int]) -> Table:
    pairs, (one, two) = found.segments, found.systems
    names = ["segment", "domain", "document"]
    for metric in pairs.metrics:
        names += [f"{metric} {one}", f"{metric} {two}", f"{metric} difference"]
    names += ["source", "reference", f"text {one}", f"text {two}"]
    rows: list[Row] = []
    for place in places:
        segment = None if found.texts is None else found.texts.segments[place]
        cells: list[Cell] = [pairs.ids[place]]
        cells += [None, None] if segment is None else [segment.domain, segment.document]
        for a, b in pairs.scores[:, :, place].tolist():
            cells += [defined_number(a), defined_number(b), defined_number(a - b)]
        texts = _texts(found, place)
        keys = ("source", "reference", *found.systems)
        rows.append((*cells, *(texts.get(key) for key in keys)))
    return Table([Column(name) for name in names], rows)


def _apart(found: TwoSystems, place: int) -> str:
    formats = formats_of(found)
    apart = found.segments.differences[:, place].tolist()
    named = zip(found.segments.metrics, apart, strict=True)
    return ", ".join(
        f"{name} {value:+{formats[name][1]}}" for name, value in named if not math.isnan(value)
    )


def _texts(found: TwoSystems, place: int) -> dict[str, str | None]:
    """Source, first reference and both outputs by what they are."""
    if found.texts is None:
        return {}
    segment = found.texts.segments[place]
    reference = segment.references[0] if segment.references else None
    outputs = {name: found.texts.outputs[name][place] for name in found.systems}
    return {"source": segment.source or None, "reference": reference, **outputs}


# -- all of it -------------------------------------------------------------------------------------

TABLES_OF_PAIRS: Mapping[str, Callable[..., Table]] = {
    "differences": difference_table,
    "groups": group_difference_table,
    "words": word_table,
    "ngrams": ngram_table,
    "segments": segment_list_table,
}


def whole_object(found: TwoSystems, places: Sequence[int]) -> dict[str, Any]:
    """Everything as plain data: what ``rankwise compare --format json`` prints."""
    first = difference_table(found, for_programs=True)
    return {
        **table_object(first),
        "groups": _plain_rows(group_difference_table(found, for_programs=True)),
        "words": _plain_rows(word_table(found, for_programs=True)),
        "ngrams": _plain_rows(ngram_table(found, for_programs=True)),
        "segments_listed": _plain_rows(segment_list_table(found, places, for_programs=True)),
    }


def _plain_rows(table: Table) -> object:
    return table_object(table)["rows"]


def comparison_lines(found: TwoSystems) -> list[str]:
    """What a person should copy beside the numbers: one line per metric."""
    return [signature(result, found.scored) for result in found.scored.results]
