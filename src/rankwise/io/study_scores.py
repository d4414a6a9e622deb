"""The scores of a study: what people gave, what other tools gave, what an EvalSet stores."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rankwise.errors import DataError
from rankwise.io.assessment_files import read_assessments
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.format_table import formats_of
from rankwise.io.formats.assessments import comet_spans
from rankwise.io.formats.scores import (
    comet_json,
    comet_text,
    gemba_errors,
    metricx_jsonl,
    number_lines,
    written_rows,
)
from rankwise.io.parts.given_files import GivenFile, given_files
from rankwise.io.score_files import read_scores
from rankwise.io.sniffing import Head, read_head, sniff
from rankwise.types import Assessments, LevelScores, ScoreTable, Study
from rankwise.types.defaults import counts_errors
from rankwise.types.score_table import merged

if TYPE_CHECKING:
    from rankwise.io.study_files import StudyFiles
    from rankwise.io.study_texts import ChosenReferences

Notes = tuple[str, ...]


# -- people ----------------------------------------------------------------------------------------


def human_scores(
    files: "StudyFiles", pair: str | None, pairs: Sequence[str]
) -> tuple[LevelScores | None, Assessments | None, Notes]:
    """What people gave, and the single values behind it: of a file, or the usual of an EvalSet."""
    from rankwise.io.formats.scores.evalset_scores import gold_names

    named = files.human
    if files.evalset is not None and pair is not None:
        is_stored = named is None or str(named) in gold_names(files.evalset, pair)
        if is_stored or not Path(str(named)).is_file():
            return _stored_gold(files.evalset, pair, named)
        if not _has_assessments(str(named)):
            table = _score_file(str(named), pair, pairs)
            return None if table is None else LevelScores.of(table), None, ()
    if named is None:
        return None, None, ()
    return (*scores_of_people(named), ())


def _stored_gold(
    folder: Path, pair: str, named: StrPath | None
) -> tuple[LevelScores | None, None, Notes]:
    from rankwise.io.formats.scores.evalset_scores import gold_names, read_gold, usual_gold

    names = gold_names(folder, pair)
    if named is None and usual_gold(names) is None:
        said = f"{pair}: human scores {', '.join(names)}; none is the usual, so choose one"
        return None, None, ((said,) if names else ())
    found = read_gold(folder, pair, None if named is None else str(named))
    return found.called(found.name.removeprefix(f"{pair}.")), None, ()


def scores_of_people(path: StrPath) -> tuple[LevelScores, Assessments | None]:
    """What people gave to segments, called by the file unless it says; and single values if any."""
    assessments = read_assessments(path) if _has_assessments(path) else None
    table = read_scores(path) if assessments is None else assessments.scores()
    return LevelScores.of(replace(table, name=table.name or stem_of(path))), assessments


def _has_assessments(path: StrPath) -> bool:
    """Whether a file holds single values of judges rather than a table of scores."""
    head = read_head(path)
    if any(candidate.load().sniff(head) for candidate in formats_of("scores")):
        return False
    return any(candidate.load().sniff(head) for candidate in formats_of("assessments"))


# -- other tools -----------------------------------------------------------------------------------


def given_scores(
    files: "StudyFiles", pair: str | None, pairs: Sequence[str], references: "ChosenReferences"
) -> Study:
    """Scores of the files by name, after those that an EvalSet stores if these are wanted.

    With them come those that count errors, where segments stand if files say so, and notes.
    """
    found = {}
    if files.stored and files.evalset is not None and pair is not None:
        found = _stored_metrics(files.evalset, pair, references)
    tables, places, notes = named_tables(files.scores, pair, pairs)
    twice = next((name for name in tables if name in found), None)
    if twice is not None:
        raise DataError(f"there are two metrics {twice!r} of {pair}; expected one")
    given = {name: LevelScores.of(table) for name, table in tables.items()}
    errors = tuple(
        name
        for name, table in tables.items()
        if files.lower_is_better or table.counts_errors or counts_errors(name)
    )
    if errors and not files.lower_is_better:
        notes += (f"of {', '.join(errors)} less is better",)
    marks = marked_by_machines(files.scores)
    return Study(scores=found | given, errors=errors, places=places, notes=notes, marks=marks)


def marked_by_machines(paths: Sequence[StrPath]) -> tuple[Assessments, ...]:
    """The error spans in files of scores: those of xCOMET."""
    files = [file.path for file in given_files(paths)]
    return tuple(comet_spans.read(path) for path in files if comet_spans.sniff(read_head(path)))


def _stored_metrics(
    folder: Path, pair: str, references: "ChosenReferences"
) -> dict[str, LevelScores]:
    """The metrics of an EvalSet that use the chosen reference, or none."""
    from rankwise.io.formats.scores import evalset_scores

    fitting = (*references.used, evalset_scores.WITHOUT_REFERENCE, "all")
    only = f"-{references.used[0]}" if len(references.used) == 1 else ""
    return {
        name.removesuffix(only): evalset_scores.read_metric(folder, pair, name)
        for name, uses in evalset_scores.metric_files(folder, pair).items()
        if uses in fitting
    }


def named_tables(
    paths: Sequence[StrPath], pair: str | None = None, pairs: Sequence[str] = ()
) -> tuple[dict[str, ScoreTable], dict[str, dict[str, str]], Notes]:
    """Tables by name, the documents and domains of segments where told, and what readers say.

    Files of plain numbers, and others that name no system, are of one system each; those of
    comet-score and MetricX add up to one table; those that ``rankwise score --segments`` wrote are
    of all their metrics, other files of a metric, called as they say or else by their name; a name
    that is taken gets a number. A file given as ``NAME=FILE`` is called so: its system if it names
    none, or else its metric. A folder holds files of one metric, which is called by the folder.
    """
    of_systems: dict[str, list[ScoreTable]] = {}
    of_folders: dict[tuple[str, Path], list[ScoreTable]] = {}
    tables: dict[str, ScoreTable] = {}
    places: dict[str, dict[str, str]] = {}
    notes: list[str] = []
    for called, path, metric in given_files(paths):
        named = called if called != stem_of(path) else ""
        head = read_head(path)
        if not metric and written_rows.sniff(head):
            written = written_rows.read_all(path, head)
            if no_scores := written_rows.left_out(head):
                notes.append(f"{path}: columns that are no scores: {', '.join(no_scores)}")
            for name, table in written.tables.items():
                whole = named if named and len(written.tables) == 1 else f"{named} {name}".strip()
                tables[_free_name(whole, tables)] = table
            for kind, labels in written.places.items():
                places[kind] = labels | places.get(kind, {})
            continue
        found = _score_file(path, pair, pairs)
        if found is None:
            continue
        notes += [f"{path}: {sentence}" for sentence in found.notes]
        if metric:
            some = of_folders.setdefault((metric, Path(path).parent), [])
            some.append(_part(found, head, GivenFile(called, path, metric), some))
        elif _is_of_one_system(head):
            some = of_systems.setdefault(found.name or "score", [])
            some.append(_part(found, head, GivenFile(called, path), some))
        elif _is_of_some_systems(head) and not named:
            of_systems.setdefault(_run_of(found, of_systems), []).append(found)
        else:
            tables[_free_name(named or found.name or called, tables)] = found
    for (name, _), some in of_folders.items():
        tables[_free_name(name, tables)] = merged(some)
    for name, some in of_systems.items():
        tables[_free_name(name, tables)] = merged(some)
    return tables, places, tuple(notes)


def read_proxy(paths: Sequence[StrPath]) -> ScoreTable:
    """The scores of one metric, of one file or of a file of plain numbers for every system.

    Files that hold several metrics are an error.
    """
    tables, _, notes = named_tables(paths)
    if len(tables) != 1:
        raise DataError(
            f"{', '.join(map(name_of, paths))}: found scores of {', '.join(tables) or 'nothing'}; "
            "a proxy is one metric"
        )
    [(name, table)] = tables.items()
    return replace(table, name=name, notes=notes)


def _part(
    table: ScoreTable, head: Head, file: GivenFile, others: Sequence[ScoreTable]
) -> ScoreTable:
    """The part of a metric's scores in a file, of systems that its *others* are not of."""
    if _is_of_one_system(head):
        table = replace(table, systems=(file.called,))
    elif not _is_of_some_systems(head):
        raise DataError(
            f"{name_of(file.path)}: the folder is of the metric {file.metric!r}; expected a file "
            "of scores for each system in it, and other files by themselves"
        )
    known = {system for other in others for system in other.systems}
    twice = next((system for system in table.systems if system in known), None)
    if twice is not None:
        raise DataError(
            f"{name_of(file.path)}: system {twice!r} has such scores already; give every metric a "
            "folder of its own, with a file for each system: NAME=FOLDER"
        )
    return table


def _run_of(table: ScoreTable, others: dict[str, list[ScoreTable]]) -> str:
    """What the scores are called: as those of other systems, but not as others of the same."""
    for name in (table.name, *(f"{table.name} {number}" for number in range(2, len(others) + 3))):
        known = {system for other in others.get(name, ()) for system in other.systems}
        if not known & {*table.systems}:
            return name
    raise AssertionError("there are more names than tables")


def _is_of_one_system(head: Head) -> bool:
    """Whether a file holds scores of one system, whose name it does not say."""
    is_metricx = metricx_jsonl.sniff(head) and not metricx_jsonl.has_systems(head)
    return number_lines.sniff(head) or gemba_errors.sniff(head) or is_metricx


def _is_of_some_systems(head: Head) -> bool:
    """Whether a file may hold scores of some systems, and another those of the rest."""
    return comet_text.sniff(head) or comet_json.sniff(head) or metricx_jsonl.sniff(head)


def _score_file(path: StrPath, pair: str | None, pairs: Sequence[str]) -> ScoreTable | None:
    """The scores of a file for a language pair; None where it is for another one.

    A submission to WMT names the pairs itself; of other files the name or folder tells, and with
    one language pair there is nothing to tell.
    """
    if pair is None or not pairs:
        return read_scores(path)
    if sniff(path, "scores").name == "wmt-metrics":
        return read_scores(path, language_pair=pair)
    file = Path(path)
    told = [p for p in pairs if file.name.startswith((f"{p}.", f"{p}_")) or file.parent.name == p]
    if len(pairs) > 1 and not told:
        raise DataError(
            f"{path}: the name does not say for which of {', '.join(pairs)} the scores are; "
            "expected 'PAIR.NAME.seg.score', or one language pair"
        )
    return read_scores(path) if not told or pair in told else None


def _free_name(name: str, taken: dict[str, ScoreTable]) -> str:
    """*name*, with a number when it is taken."""
    numbered = [name, *(f"{name} {number}" for number in range(2, len(taken) + 2))]
    return next(choice for choice in numbered if choice not in taken)
