"""The texts of a study: read whole or block by block, with the references that count."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.parts.line_text import all_lines, counted
from rankwise.io.parts.parallel_lines import name_and_file, named_files, parallel_blocks
from rankwise.io.parts.place_lines import place_of, with_places
from rankwise.text.languages import Language, language_of, target_language_of
from rankwise.types.language_codes import check_language, pair_languages, target_of_pair
from rankwise.types.renaming import unused_names
from rankwise.types.testset import (
    are_systems,
    pair_of,
    standard_reference,
    with_references,
)
from rankwise.types.text_block import Block, Label, blocks_of, check_left_out, renamed, without

if TYPE_CHECKING:
    from rankwise.io.study_files import StudyFiles
    from rankwise.types.testset import TestSet


@dataclass(frozen=True, slots=True)
class ChosenReferences:
    """Which references metrics use, which names are therefore no systems, and what is to say of it.

    ``about_scored`` is a sentence on references that people scored, where nobody named them.
    """

    used: tuple[str, ...] = ()
    no_systems: tuple[str, ...] = ()
    about_scored: tuple[str, ...] = ()


def chosen_texts(
    files: "StudyFiles", pair: str | None, scored: Collection[str], *, is_needed: bool = True
) -> "tuple[TestSet | None, ChosenReferences, tuple[str, ...]]":
    """The texts that *files* name, their references, and a sentence where some were chosen.

    Without need the texts of an EvalSet are not read, but what is chosen of them is said still.
    *scored* are the systems that people scored.
    """
    if not is_needed and files.evalset is None:
        return None, ChosenReferences(), ()
    if not is_needed:
        assert files.evalset is not None and pair is not None
        names, systems = _evalset_names(files.evalset, pair)
        title = files.evalset.resolve().name
        chosen = _choice(files, title, pair, names, systems, scored)
        return None, chosen, chosen.about_scored
    texts = _texts(files, pair if files.evalset is not None else files.language_pair)
    if texts is not None:
        pair = pair or files.language_pair
        if files.testset is None and pair is not None:
            target_of_pair(pair)  # of text files nothing but two languages can be meant
        texts = with_languages(texts, pair, files.language)
    if texts is None or files.testset is None:
        return texts, ChosenReferences(), ()
    pair = pair or pair_of(texts)
    names = texts.reference_names
    chosen = _choice(files, texts.name, pair, names, texts.systems, scored)
    texts = with_references(texts, chosen.used)
    return with_added(texts, files), chosen, (*texts.notes, *_sentences(names, chosen))


def _texts(files: "StudyFiles", pair: str | None) -> "TestSet | None":
    """All texts, whatever counts."""
    from rankwise.io.formats.testsets.text_files import read_parallel
    from rankwise.io.testset_files import read_testset

    if files.testset is not None:
        given = {"language_pair": pair, "references": files.references, "outputs": files.outputs}
        options = {name: value for name, value in given.items() if value}
        texts = read_testset(files.testset, format=files.format, **options)
    elif files.has_texts:
        texts = read_parallel(files.source, files.references, files.outputs)
    else:
        return None
    return texts if files.documents is None else with_places(texts, files.documents)


def with_added(texts: "TestSet", files: "StudyFiles") -> "TestSet":
    """The test set with the systems of further text files, a line for every segment."""
    from rankwise.io.formats.testsets import lm_eval_samples
    from rankwise.io.sniffing import read_head

    outputs: dict[str, Sequence[str]] = {}
    for name, path in _added_files(files).items():
        if lm_eval_samples.sniff(read_head(path)):
            outputs[name] = _sampled(texts, path)
            continue
        outputs[name] = all_lines(path)
        if len(outputs[name]) != len(texts):
            raise DataError(
                f"{name_of(path)} has {counted(len(outputs[name]), 'line')}, but {files.testset} "
                f"has {counted(len(texts), 'segment')}; expected a line for each"
            )
    return texts.with_outputs(outputs)


def _added_files(files: "StudyFiles") -> dict[str, StrPath]:
    """Further systems by their names; samples of a model are called after its folder."""
    from rankwise.io.formats.testsets import lm_eval_samples

    if isinstance(files.added, Mapping):
        return dict(files.added)
    parted = [name_and_file(path) for path in files.added]
    called = [
        f"{lm_eval_samples.system_of(file) if name == stem_of(file) else name}={file}"
        for name, file in parted
    ]
    return named_files(called, "output")


def _sampled(texts: "TestSet", path: StrPath) -> list[str]:
    """The outputs of a file of samples for the segments of *texts*, by their names."""
    from rankwise.io.formats.testsets import lm_eval_samples

    read = lm_eval_samples.read(path)
    (column,) = read.outputs.values()
    by_name = dict(zip((segment.id for segment in read.segments), column, strict=True))
    lacking = next((s.id for s in texts.segments if s.id not in by_name), None)
    if lacking is not None:
        raise DataError(f"{name_of(path)}: there is no document {lacking!r}; expected one for each")
    return [by_name[segment.id] or "" for segment in texts.segments]


def check_scored_texts(files: "StudyFiles", texts: "TestSet") -> None:
    """Raise where a file of scores holds outputs, and they are not those of *texts*."""
    from rankwise.io.formats.scores.scored_texts import about_these, scored_texts

    scored = scored_texts(files.scores)
    whole = {name: column for name, column in texts.outputs.items() if None not in column}
    if scored and whole:
        for _ in about_these(blocks_of(replace(texts, outputs=whole)), scored):
            pass


def with_languages(texts: "TestSet", pair: str | None, target: str | None) -> "TestSet":
    """The test set with the languages of *pair* where it has none, and with *target*, if given."""
    of_pair = pair_languages(pair or "")
    if target is not None:
        check_language(target)
    return replace(
        texts,
        source_language=texts.source_language or of_pair[0],
        target_language=target or texts.target_language or of_pair[1],
    )


# -- which references ------------------------------------------------------------------------------


def _choice(
    files: "StudyFiles",
    testset: str,
    pair: str,
    names: Sequence[str],
    systems: Collection[str],
    scored: Collection[str],
) -> ChosenReferences:
    """The references asked for, or the standard one where they are systems too, or all."""
    asked = _asked(files.reference_set, pair)
    unknown = next((name for name in asked if name not in names), None)
    if unknown is not None:
        listed = ", ".join(names) or "no names of references"
        raise DataError(f"{files.testset}: {pair} has no reference {unknown!r}; it has {listed}")
    used = asked
    if not asked and names and (files.evalset is not None or are_systems(names, systems)):
        used = (standard_reference(testset, pair, names),)
    others = [name for name in names if name in systems and name not in used]
    if files.human_systems == True:  # noqa: E712 (1 is asked for too, "scored" is not)
        return ChosenReferences(used, used)
    of_people = [name for name in others if name in scored]
    about = () if files.human_systems is False else _about_scored(of_people, files)
    systems_too = of_people if files.human_systems == "scored" else []
    left_out = [name for name in others if name not in systems_too]
    return ChosenReferences(used, (*used, *left_out), about)


def _about_scored(names: Sequence[str], files: "StudyFiles") -> tuple[str, ...]:
    if not names:
        return ()
    listed = ", ".join(names)
    if files.human_systems == "scored":
        return (
            "references that people scored are systems too, as in WMT's tables "
            f"(--no-human-systems leaves them out): {listed}",
        )
    return (
        "people scored references too, which are no systems unless --human-systems asks for "
        f"them: {listed}",
    )


def _asked(options: Sequence[str], pair: str) -> tuple[str, ...]:
    """The references that were named for a language pair, or for all: ``he-en=refB``, ``refB``."""
    told: dict[str, list[str]] = {}
    for text in options:
        of_pair, equals, name = text.partition("=")
        told.setdefault(of_pair if equals else "", []).append(name if equals else text)
    return tuple(told.get(pair, told.get("", [])))


def _evalset_names(folder: Path, pair: str) -> tuple[tuple[str, ...], Collection[str]]:
    """The references and the systems of an EvalSet by the names of their files."""
    from rankwise.io.folders import text_files
    from rankwise.io.formats.scores.evalset_scores import reference_names

    return reference_names(folder, pair), text_files(folder / "system-outputs" / pair)


def _sentences(names: Sequence[str], chosen: ChosenReferences) -> tuple[str, ...]:
    """What was chosen of several references, and who is no system for being one."""
    said = []
    if chosen.used and set(chosen.used) < set(names):
        said.append(f"scored against {', '.join(chosen.used)} of {', '.join(names)}")
    if set(chosen.no_systems) - set(chosen.used):
        said.append(f"references, not systems: {', '.join(chosen.no_systems)}")
    return (*(["; ".join(said)] if said else []), *chosen.about_scored)


# -- block by block --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TextBlocks:
    """Segments as they come, the references that were chosen by name, and what there is to say.

    ``places`` says what is known of where segments stand: "document", "domain".
    """

    blocks: Iterator[Block]
    references: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    language: Language = field(default_factory=Language)
    places: tuple[str, ...] = ()


def text_blocks(files: "StudyFiles") -> TextBlocks:
    """The segments of *files*, block by block; line-aligned files are never held whole.

    The first block is read at once to tell the language, unless that is given. References are
    systems only where *files* say so: nobody asks here what people scored.
    """
    names = files.new_names
    if files.testset is None:
        unused = unused_names(names, named_files(files.outputs, "output"))
        blocks = renamed(_checked_by_scores(_blocks_of_lines(files), files), names)
        return _with_language(files, without(blocks, files.excluded), unused)
    from rankwise.io.study import one_pair, unpacked

    with unpacked(files) as there:
        texts, chosen, notes = chosen_texts(there, one_pair(there), ())
    assert texts is not None
    if files.scores:
        check_scored_texts(files, texts)
    texts = texts.without(chosen.no_systems)
    notes += unused_names(names, texts.systems)
    texts = texts.renamed(names)
    check_left_out(files.excluded, texts.systems)
    kept = texts.without(files.excluded)
    places = known_places(
        [segment.document for segment in texts.segments],
        [segment.domain for segment in texts.segments],
    )
    return TextBlocks(blocks_of(kept), chosen.used, notes, target_language_of(texts), places)


def _checked_by_scores(blocks: Iterator[Block], files: "StudyFiles") -> Iterator[Block]:
    """The same blocks; outputs are checked against those in files of scores that hold them."""
    if not files.scores:
        return blocks
    from rankwise.io.formats.scores.scored_texts import about_these, scored_texts

    return about_these(blocks, scored_texts(files.scores))


def _with_language(
    files: "StudyFiles", blocks: Iterator[Block], notes: tuple[str, ...]
) -> TextBlocks:
    """All blocks, and the language that was given or that the first of them tells."""
    target = files.language
    if files.language_pair is not None:
        target = target or target_of_pair(files.language_pair)
    first = next(blocks, None)
    language = _language(first, target)
    every = chain(() if first is None else (first,), blocks)
    places = () if first is None else known_places(first.documents, first.domains)
    return TextBlocks(every, notes=notes, language=language, places=places)


def _language(first: Block | None, target: str | None) -> Language:
    """The language of references, or of outputs where there are none."""
    if first is None:
        return language_of((), target)
    if any(len(entry) for entry in first.references[:1]) or not first.outputs:
        return language_of(first.references, target)
    return language_of(next(iter(first.outputs.values())), target, called="outputs")


def known_places(documents: Sequence[Label], domains: Sequence[Label]) -> tuple[str, ...]:
    """Which of document and domain some segment has."""
    named = {"document": documents, "domain": domains}
    return tuple(name for name, labels in named.items() if any(x is not None for x in labels))


def _blocks_of_lines(files: "StudyFiles") -> Iterator[Block]:
    references = named_files(files.references, "reference")
    systems = named_files(files.outputs, "output")
    extra = [path for path in (files.documents, files.source) if path is not None]
    start, count = 1, len(references)
    paths = {name: name_of(path) for name, path in systems.items()}
    reference_paths = tuple(map(name_of, references.values()))
    for lines in parallel_blocks([*references.values(), *systems.values(), *extra]):
        texts = dict(zip(systems, lines[count:], strict=False))
        places = lines[count + len(systems)] if files.documents is not None else []
        named = [place_of(line) for line in places]
        ids = range(start, start + len(lines[0]))
        entries = _entries(files, lines[:count], start, len(ids))
        sources = lines[-1] if files.source is not None else []
        documents, domains = [p.document for p in named], [p.domain for p in named]
        yield Block(ids, entries, texts, documents, domains, sources, paths, reference_paths)
        start += len(ids)


def _entries(
    files: "StudyFiles", columns: Sequence[list[str]], start: int, count: int
) -> Sequence[str | Sequence[str]]:
    """The references of every segment: one text, several, or none where no file has any."""
    if not columns:
        return [()] * count
    if len(columns) == 1 and not files.skip_empty_references:
        return columns[0]
    rows = list(zip(*columns, strict=True))
    if not files.skip_empty_references:
        return rows
    kept = [tuple(text for text in row if text) for row in rows]
    if () in kept:
        names, line = ", ".join(map(str, files.references)), start + kept.index(())
        raise DataError(f"{names}:{line}: the line is empty in every reference file")
    return kept
