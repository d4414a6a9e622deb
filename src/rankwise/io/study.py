"""Studies from files: the one place that knows which file holds what, and what of it counts.

Every command, the report, a campaign and ``rankwise.read_study`` read through here, so that a rule
is one rule: which reference, which systems are human, documents and domains, the language pair,
what a system is called, what is left out.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankwise.errors import DataError
from rankwise.io.assessment_files import read_assessments
from rankwise.io.files import StrPath
from rankwise.io.judgment_files import read_judgments
from rankwise.io.packed.archives import archive_of, unpacked_evalset
from rankwise.io.score_files import read_scores
from rankwise.io.sniffing import sniff_all
from rankwise.io.study_files import StudyFiles
from rankwise.types import Assessments, Judgments, ScoreTable, Study
from rankwise.types.text_block import check_left_out


def read_study(*, with_texts: bool = True, download: bool = False, **named: Any) -> Study:
    """The study of any mix of files; the options are the fields of ``rankwise.io.StudyFiles``.

    Texts: ``outputs`` with ``references``, ``source`` and ``documents`` line by line, or
    ``testset`` in any format, or the name of a published one, which *download* fetches once.
    Scores: ``scores`` of other tools, ``human`` ones. Rankings: ``judgments``. A test set whose
    references stand among its systems, as an EvalSet's do, is scored by the standard one of them,
    and none of them is a system; ``reference_set`` and ``human_systems`` (True, or "scored" for
    those that people scored) say otherwise. What was chosen is in the ``notes``.
    """
    from rankwise.io.named_sets.set_study import with_named_set

    files, notes = with_named_set(StudyFiles(**named), download=download)
    study = study_of(files, with_texts=with_texts)
    return replace(study, notes=(*notes, *study.notes)) if notes else study


def study_of(files: StudyFiles, *, with_texts: bool = True, unpacks: bool = True) -> Study:
    """The study of *files*, of one language pair; with the texts unless nobody needs them.

    An EvalSet in an archive is unpacked for as long as it is read, unless strangers gave it.
    """
    with unpacked(files) if unpacks else nullcontext(files) as there:
        pair = one_pair(there)
        study = _study(there, pair, (pair,) if pair else (), with_texts)
        return study.renamed(files.new_names).without(files.excluded)


def scores_of(files: StudyFiles) -> Study:
    """The scores of *files* alone, for texts that are read block by block."""
    from rankwise.io.study_scores import given_scores
    from rankwise.io.study_texts import ChosenReferences

    if not files.scores:
        return Study()
    with unpacked(files) as there:
        pair = one_pair(there)
    pairs = (pair,) if pair and files.testset is not None else ()
    alone = replace(files, testset=None)
    study = given_scores(alone, pair, pairs, ChosenReferences())
    return study.renamed(files.new_names, must_be_known=False)


@contextmanager
def unpacked(files: StudyFiles) -> Iterator[StudyFiles]:
    """The same files, the test set unpacked where it lies in an archive (``wmt.tgz/wmt23``)."""
    found = None if files.testset is None else archive_of(files.testset)
    if found is None:
        yield files
        return
    with unpacked_evalset(*found) as folder:
        yield replace(files, testset=folder)


def studies_of(
    files: StudyFiles, pairs: Sequence[str] = (), *, with_texts: bool = True
) -> list[Study]:
    """A study of each language pair: of an EvalSet those named, or all that people scored.

    Other files are one study, called by the pair, or else by the test set.
    """
    with unpacked(files) as there:
        if there.evalset is None:
            return [_only_study(files, pairs[0] if pairs else None, with_texts)]
        wanted = pairs or _judged(there.evalset, there.pairs)
        unknown = next((pair for pair in wanted if pair not in there.pairs), None)
        if unknown is not None:
            listed = ", ".join(there.pairs)
            raise DataError(f"there is no language pair {unknown!r}; choose from {listed}")
        names = files.new_names
        found = [_study(there, pair, wanted, with_texts).renamed(names) for pair in wanted]
    check_left_out(files.excluded, [name for study in found for name in study.known_systems])
    return [study.without(files.excluded, must_be_known=False) for study in found]


def _only_study(files: StudyFiles, pair: str | None, with_texts: bool) -> Study:
    study = _study(files, pair, (), with_texts)
    study = study.renamed(files.new_names).without(files.excluded)
    return replace(study, name=study.name or (Path(files.testset).stem if files.testset else ""))


def _study(files: StudyFiles, pair: str | None, pairs: Sequence[str], with_texts: bool) -> Study:
    from rankwise.io.study_scores import given_scores, human_scores
    from rankwise.io.study_texts import check_scored_texts, chosen_texts

    human, assessments, notes = human_scores(files, pair, pairs)
    texts, references, more = chosen_texts(
        files, pair, set() if human is None else human.scored, is_needed=with_texts
    )
    given = given_scores(files, pair, pairs, references)
    if texts is not None and files.scores and len(pairs) < 2:  # else some are of other pairs
        check_scored_texts(files, texts)
    study = replace(
        given,
        texts=texts,
        human=human,
        assessments=assessments,
        judgments=_judgments(files),
        name=pair or "",
        references=references.used,
        notes=(*notes, *more, *given.notes),
    )
    return study.without(references.no_systems, must_be_known=False)


def one_pair(files: StudyFiles) -> str | None:
    """The language pair to read: the one named, or the only one of an EvalSet."""
    if files.evalset is None:
        return files.language_pair
    from rankwise.io.parts.which_part import choose

    return choose(files.evalset, "language_pair", files.language_pair, files.pairs)


def _judged(folder: Path, pairs: Sequence[str]) -> tuple[str, ...]:
    """The language pairs that people scored."""
    from rankwise.io.formats.scores.evalset_scores import gold_names

    judged = tuple(pair for pair in pairs if gold_names(folder, pair))
    if not judged:
        raise DataError(f"{folder}: no language pair has files in human-scores; expected some")
    return judged


def _judgments(files: StudyFiles) -> Judgments | None:
    """All rankings, of the one language pair if that is named."""
    from rankwise.types.judging.language_pairs import of_language_pair

    if not files.judgments:
        return None
    names = list(files.judgments)
    found = read_judgments(names[0] if len(names) == 1 else names)
    if len(found) == 0:
        raise DataError(f"{', '.join(map(str, names))}: no rankings")
    pair = files.language_pair
    return found if pair is None else of_language_pair(found, pair)


def read_people(path: StrPath, *, rank: str | None = None) -> Judgments | Assessments | ScoreTable:
    """What was said in a file, whatever it holds: rankings, assessments or scores.

    *rank* names the attribute of a JCML file that holds the ranks.
    """
    kinds = {found.kind for found in sniff_all(path)}
    if "judgments" in kinds or rank is not None:
        return read_judgments(path) if rank is None else read_judgments(path, rank=rank)
    if "assessments" in kinds:
        return read_assessments(path)
    if "scores" in kinds:
        return read_scores(path)
    raise DataError(f"{path}: found a {min(kinds)}; expected rankings, assessments or scores")
