"""What people gave to a test set, as mt-metrics-eval keeps it: the folder of an EvalSet.

``human-scores/PAIR.NAME.LEVEL.score`` has the mean of all judges for every segment (``seg``), and
the means of these by document (``doc``), ``domain`` and system (``sys``), as WMT averages; what
nobody judged is ``None``. What one judge gave is ``PAIR.NAME.JUDGE.seg.score``, and the errors that
the judge marked ``PAIR.NAME.JUDGE.seg.rating``, with the judge in a third column. Values are as
they were given: higher is better, so those of MQM are not above 0.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.io.files import StrPath, target_name, write_text
from rankwise.io.folders import file_name, new_folder, text_files
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows, Cell
from rankwise.io.formats.assessments.error_spans import Span, weight, weights_of
from rankwise.io.formats.scores import evalset_scores, mtme_scores
from rankwise.io.formats.testsets import evalset
from rankwise.io.parts.line_text import counted, joined, shown
from rankwise.io.sniffing import Head
from rankwise.io.testset_files import read_testset
from rankwise.types import Assessments, ScoreTable, TestSet
from rankwise.types.judging.assessments import REAL_ROLES

#: The weight of an error, which a rating calls its score.
Penalty = Callable[[Span], float]
#: A system and a segment.
Output = tuple[str, str]


def read(
    path: StrPath, *, language_pair: str | None = None, scores: str | None = None
) -> Assessments:
    """The values of every judge, or where these are not kept apart the mean of all.

    *language_pair*, as in ``en-de``, may stay unsaid when the folder has only one. *scores* names
    the human scores; the usual ones unless given. Means of all judges have the role AVG. Documents
    and domains come along.
    """
    folder, testset = Path(path), evalset.read(path, language_pair=language_pair)
    pair = f"{testset.source_language}-{testset.target_language}"
    name = evalset_scores.chosen_gold(folder, pair, scores)
    place = folder / "human-scores"
    whole, end = place / f"{pair}.{name}.seg.score", ".seg.score"
    judges = {
        stem.removeprefix(f"{pair}.{name}."): file
        for stem, file in text_files(place, end).items()
        if stem.startswith(f"{pair}.{name}.")
    }
    rows = AssessmentRows(keep_judges=True)
    for judge, file in (judges or {name: whole}).items():
        table = mtme_scores.read(file, level="segment")
        _check_length(table, testset, Path(file))
        spans = _spans(place / f"{pair}.{name}.{judge}.seg.rating") if judges else {}
        for row, info in _rows(table, testset, judge, spans):
            rows.add((*row[:3], "TGT" if judges else "AVG", row[3]), info)
    return rows.build(name)


def language_pairs(path: StrPath) -> list[str]:
    """The language pairs that people judged."""
    pairs = evalset.language_pairs(path)
    return [pair for pair in pairs if evalset_scores.gold_names(path, pair)]


def _check_length(table: ScoreTable, testset: TestSet, file: Path) -> None:
    if len(table.segments) != len(testset):
        raise DataError(
            f"{file}: a system has {counted(len(table.segments), 'score')}; "
            f"expected {len(testset)}, as the test set has segments"
        )


def _rows(
    table: ScoreTable, testset: TestSet, judge: str, spans: Mapping[Output, str]
) -> Iterator[tuple[tuple[str, str, str, float], dict[str, Cell]]]:
    """The values of a file that are there, with what is known of their segments."""
    for number, segment in enumerate(testset.segments):
        for system, values in zip(table.systems, table.values, strict=True):
            if not np.isnan(values[number]):
                info: dict[str, Cell] = {"document": segment.document, "domain": segment.domain}
                if spans:
                    info["spans"] = spans.get((system, segment.id))
                yield (system, segment.id, judge, float(values[number])), info


def _spans(path: Path) -> dict[Output, str]:
    """The errors in a file of ratings, by system and segment."""
    from rankwise.io.formats.assessments import mtme_ratings

    if not path.is_file():
        return {}
    rated = mtme_ratings.read(path, keep_judges=True)
    found = rated.info.get("spans", ())
    return {row[:2]: text for row, text in zip(rated.rows(), found, strict=True)}


def sniff(head: Head) -> bool:
    """Whether it is a folder with sources and human scores."""
    return {"sources", "human-scores"} <= head.entries


def write(
    assessments: Assessments,
    path: StrPath,
    *,
    testset: StrPath | None = None,
    language_pair: str | None = None,
    scores: str | None = None,
    weights: str = "published",
) -> list[str]:
    """Write a folder, which must not exist.

    *testset*, which has to be given, is the file or folder with the texts, in any format.
    *language_pair*, as in ``en-de``, is that of the test set unless given. *scores* is what the
    human scores are called, as ``mqm``; as the assessments are unless given. *weights* are those of
    errors in ratings: ``published``, ``wmt23`` or ``wmt24``.
    """
    if testset is None:
        raise DataError(
            f"{target_name(path)}: the texts are not known; expected the option 'testset', a file "
            "that holds them"
        )
    texts, table = read_testset(testset), weights_of(weights)
    pair = evalset.pair_of(texts, path, language_pair)
    name = scores or re.sub("[^a-z0-9]+", "-", assessments.name.lower()).strip("-")
    if not name or not re.fullmatch("[A-Za-z0-9_-]+", name):
        raise DataError(
            f"{target_name(path)}: the scores are called {name!r}; expected the option 'scores', "
            "as in 'mqm', of letters, digits, - and _"
        )
    with new_folder(path) as folder:
        return fill(
            assessments,
            texts,
            folder,
            (pair, name),
            lambda span: weight(span["severity"] or "", span["category"] or "", table),
            Path(path).name,
        )


def fill(
    values: Assessments,
    testset: TestSet,
    folder: Path,
    names: tuple[str, str],
    penalty: Penalty,
    read_name: str,
) -> list[str]:
    """Fill an empty *folder*, which will be called *read_name*.

    *names* are those of the language pair and of the human scores.
    """
    stem, place = ".".join(names), folder / "human-scores"
    values, testset, losses = _without_spaces(values, testset)
    losses += evalset.write_texts(testset, folder, names[0], read_name)
    rows = _rows_of_work(values, testset)
    everybody: dict[Output, list[float]] = defaultdict(list)
    by_judge: dict[str, dict[Output, list[float]]] = {}
    for output, judge, value in rows:
        everybody[output].append(value)
        by_judge.setdefault(judge, {}).setdefault(output, []).append(value)
    place.mkdir()
    levels, cells = _levels(testset), _means_of(everybody, testset)
    for level, groups in levels.items():
        table = _grouped(testset.systems, groups, cells, level)
        mtme_scores.write(table, place / f"{stem}.{level}.score")
    for judge, given in by_judge.items():
        table = _grouped(testset.systems, levels["seg"], _means_of(given, testset), "seg")
        mtme_scores.write(table, place / _of_judge(stem, judge, ".seg.score"))
    placeless = _write_ratings(values, testset, place, stem, penalty)
    several = sum(len(given) - 1 for one in by_judge.values() for given in one.values())
    return [*losses, *_losses(values, several, placeless)]


def _of_judge(stem: str, judge: str, suffix: str) -> str:
    """The name of the file of one judge, whose name is also a column of ratings."""
    if "\t" in judge:
        raise DataError(f"the judge {shown(judge)} cannot be a column; rename that judge first")
    return file_name(f"{stem}.{judge}", suffix)


def _without_spaces(
    values: Assessments, testset: TestSet
) -> tuple[Assessments, TestSet, list[str]]:
    """Both with systems whose scores mt-metrics-eval can read: it splits lines at spaces."""
    known = (*testset.systems, *values.systems)
    names = {name: "_".join(name.split()) for name in known}
    odd = [name for name, plain in names.items() if name != plain]
    if not odd:
        return values, testset, []
    if len(set(names.values())) != len(names):
        raise DataError(f"without spaces two systems would have one name: {joined(odd)}")
    outputs = {names[name]: texts for name, texts in testset.outputs.items()}
    systems = tuple(names[name] for name in values.systems)
    said = [f"Spaces in the names of systems became '_': {joined(odd)}."]
    return replace(values, systems=systems), replace(testset, outputs=outputs), said


def _rows_of_work(values: Assessments, testset: TestSet) -> list[tuple[Output, str, float]]:
    """The values to write; an error for one whose text is not there."""
    segments, found = {segment.id for segment in testset.segments}, []
    for system, segment, judge, role, value in values.rows():
        if role not in REAL_ROLES or np.isnan(value):
            continue
        if segment not in segments:
            raise DataError(f"the test set has no segment {shown(segment)}, which was judged")
        if system not in testset.outputs:
            raise DataError(f"the test set has no system {shown(system)}, which was judged")
        found.append(((system, segment), judge, value))
    return found


def _means_of(given: Mapping[Output, Sequence[float]], testset: TestSet) -> NDArray[np.float64]:
    """The mean of what was given to every output; nan where nothing was."""
    found = np.full((len(testset.systems), len(testset)), np.nan)
    rows = {system: row for row, system in enumerate(testset.systems)}
    columns = {segment.id: column for column, segment in enumerate(testset.segments)}
    for (system, segment), some in given.items():
        found[rows[system], columns[segment]] = sum(some) / len(some)
    return found


def _levels(testset: TestSet) -> dict[str, list[str]]:
    """What every segment belongs to, by level."""
    places = evalset.places_of(testset)
    return {
        "seg": [str(number) for number in range(1, len(testset) + 1)],
        "doc": [document for _, document in places],
        "domain": [domain for domain, _ in places],
        "sys": ["all"] * len(testset),
    }


def _grouped(
    systems: Sequence[str], groups: Sequence[str], cells: NDArray[np.float64], level: str
) -> ScoreTable:
    """The mean over the segments of every group that have a value, in the order they come in."""
    codes = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    column = np.array([codes[group] for group in groups], np.intp)
    found = np.full((len(systems), len(codes)), np.nan)
    for row, own in enumerate(cells):
        known = ~np.isnan(own)
        count = np.bincount(column[known], minlength=len(codes))
        total = np.bincount(column[known], own[known], len(codes))
        np.divide(total, count, out=found[row], where=count > 0)
    return ScoreTable(tuple(systems), tuple(codes), found, level=mtme_scores.LEVELS[level])


def _write_ratings(
    values: Assessments, testset: TestSet, place: Path, stem: str, penalty: Penalty
) -> int:
    """What every judge marked, a file each; how many errors have no place in the text."""
    columns = {segment.id: column for column, segment in enumerate(testset.segments)}
    ratings: dict[str, dict[Output, str]] = {}
    placeless = 0
    marked = values.info.get("spans", [None] * len(values))
    for (system, segment, judge, role, _), said in zip(values.rows(), marked, strict=True):
        if role in REAL_ROLES and said:
            spans = json.loads(said)
            end = len(testset.outputs[system][columns[segment]] or "")
            placeless += sum(span["start"] is None for span in spans)
            errors = [_error(span, end, penalty(span)) for span in spans]
            rating = json.dumps({"errors": errors}, ensure_ascii=False)
            ratings.setdefault(judge, {}).setdefault((system, segment), rating)
    for judge, given in ratings.items():
        with write_text(place / _of_judge(stem, judge, ".seg.rating")) as stream:
            for system in testset.systems:
                for one in testset.segments:
                    stream.write(f"{system}\t{given.get((system, one.id), None)}\t{judge}\n")
    return placeless


def _error(span: Mapping[str, Any], end: int, score: float) -> dict[str, object]:
    """An error; mt-metrics-eval needs a place, so one without stands behind the text."""
    return {
        "start": end if span["start"] is None else span["start"],
        "end": end if span["end"] is None else span["end"],
        "category": span["category"],
        "severity": span["severity"],
        "score": float(score),
        "is_source_error": span.get("side") == "source",
    }


def _losses(values: Assessments, several: int, placeless: int) -> list[str]:
    roles = [values.roles[code] for code in values.role.tolist()]
    controls = sum(role not in REAL_ROLES for role in roles)
    others = sorted({role for role in roles if role in REAL_ROLES and role != "TGT"})
    further = [name for name in values.info if name not in ("document", "domain", "spans")]
    valueless = int(np.isnan(values.value).sum())
    found = {
        f"Further columns are not held: {joined(further)}.": further,
        f"Not held: {counted(valueless, 'judgment')} without a value.": valueless,
        f"Controls are not held ({counted(controls, 'value')}).": controls,
        f"The roles {joined(map(repr, others))} became TGT.": others,
        "Of several values of one output by one judge their mean is held, with the first one's "
        f"errors ({several} more).": several,
        f"Errors without a place stand behind the text ({placeless}).": placeless,
    }
    return [sentence for sentence, is_lost in found.items() if is_lost]
