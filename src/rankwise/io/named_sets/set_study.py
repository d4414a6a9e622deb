"""Studies of test sets that are called by name: which files the name stands for."""

import tarfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rankwise.errors import DataError, StoreError
from rankwise.io.files import StrPath
from rankwise.io.named_sets.set_list import EvalSets, evalsets, named_sets
from rankwise.io.named_sets.set_places import evalset_folders, set_folders, shown
from rankwise.io.parts.parallel_lines import named_files
from rankwise.io.study_files import StudyFiles

if TYPE_CHECKING:
    from rankwise.io.named_sets.fetching import Progress
    from rankwise.io.named_sets.set_files import SetFiles

#: What may stand before a name that both collections have.
SACREBLEU, MTME = "sacrebleu:", "mtme:"


def with_named_set(
    files: StudyFiles,
    *,
    pairs: Sequence[str] = (),
    download: bool = False,
    needs_people: bool = False,
    progress: "Progress | None" = None,
) -> tuple[StudyFiles, tuple[str, ...]]:
    """The files that the name of a test set stands for, and what there is to say about it.

    A path that exists is that path. Else an EvalSet of mt-metrics-eval that is here, else a test
    set of sacreBLEU's list, whose references, source and systems become line-aligned files. With
    *download* it is fetched where it is not here: the EvalSets if there must be human scores.
    *progress* is told the bytes that came.
    """
    if files.testset is None:
        return files, ()
    name = str(files.testset)
    plain = name.removeprefix(SACREBLEU).removeprefix(MTME)
    is_evalset = plain in evalsets().names and not name.startswith(SACREBLEU)
    is_set = plain in named_sets() and not name.startswith(MTME)
    if name == plain and _is_there(name):
        return files, _clash(name) if is_evalset or is_set else ()
    if not (is_evalset or is_set):
        if name != plain:
            raise DataError(f"there is no published test set {name!r}")
        return files, ()
    folder = _evalset_folder(plain) if is_evalset else None
    if folder is None and download and is_evalset and (needs_people or not is_set):
        folder = _fetched_evalset(plain, progress)
    if folder is not None:
        return replace(files, testset=folder), (f"{plain}: the EvalSet in {shown(folder)}",)
    if not is_set:
        raise StoreError(_nowhere(plain, [place / plain for place in _evalset_places()]))
    pair = _one_pair(plain, files.language_pair, pairs)
    named_sets()[plain].must_have(pair)
    if download:
        from rankwise.io.named_sets import set_files

        set_files.download(plain, pair, progress=progress)
    return _with_texts(files, plain, pair, is_evalset)


def _is_there(name: str) -> bool:
    from rankwise.io.packed.archives import archive_of

    return name == "-" or Path(name).exists() or archive_of(name) is not None


def _clash(name: str) -> tuple[str, ...]:
    which = SACREBLEU if name in named_sets() else MTME
    return (f"{name} is a path here, which is read; the published test set is {which}{name}",)


# -- EvalSets --------------------------------------------------------------------------------------


def _evalset_places() -> tuple[Path, ...]:
    return evalset_folders(evalsets().folder)


def _evalset_folder(name: str) -> Path | None:
    found = (place / name for place in _evalset_places())
    return next((folder for folder in found if (folder / "sources").is_dir()), None)


def _fetched_evalset(name: str, progress: "Progress | None") -> Path:
    """The folder of an EvalSet, from the archive of all of them."""
    from rankwise.io.named_sets.fetching import fetch, locked

    known = evalsets()
    place = _evalset_places()[-1]
    archive = fetch(known.archive, place.parent / known.archive.file_name, progress=progress)
    with locked(archive):
        found = _evalset_folder(name)
        if found is None:
            _unpack(known, name, archive, place.parent)
            found = _evalset_folder(name)
    if found is None:
        raise DataError(f"{archive}: the archive does not hold {known.folder}/{name}")
    return found


def _unpack(known: EvalSets, name: str, archive: Path, place: Path) -> None:
    """Write the files of one EvalSet, which appears when it is whole."""
    import shutil
    import tempfile

    inside = f"{known.folder}/{name}/"
    target = place / known.folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as temporary:
        try:
            with tarfile.open(archive) as packed:
                for member in packed:
                    path = member.name.removeprefix("./")
                    if not member.isreg() or not path.startswith(inside) or ".." in path:
                        continue
                    content = packed.extractfile(member)
                    assert content is not None  # it is a regular file
                    own = Path(temporary) / "set" / path.removeprefix(inside)
                    own.parent.mkdir(parents=True, exist_ok=True)
                    with own.open("wb") as stream:
                        shutil.copyfileobj(content, stream)
        except (tarfile.TarError, EOFError) as error:
            raise DataError(f"{archive}: cannot be unpacked; delete it and try again") from error
        if (Path(temporary) / "set").is_dir():
            (Path(temporary) / "set").rename(target)


# -- the test sets of sacreBLEU's list -------------------------------------------------------------


def _with_texts(
    files: StudyFiles, name: str, pair: str, is_evalset: bool
) -> tuple[StudyFiles, tuple[str, ...]]:
    from rankwise.io.named_sets import set_files

    if set_files.folder_of(named_sets()[name], pair) is None:
        places = [place / name for place in set_folders()]
        if is_evalset:
            places = [*(place / name for place in _evalset_places()), *places]
        raise StoreError(_nowhere(name, places))
    texts = set_files.set_files(name, pair)
    references = _references(texts, files.reference_set)
    outputs: dict[str, StrPath] = {**named_files(files.outputs, "output")}
    twice = next((system for system in texts.systems if system in outputs), None)
    if twice is not None:
        raise DataError(f"{outputs[twice]} would be called {twice!r}, as a system of {name} is")
    outputs |= dict(texts.systems)
    read = replace(
        files,
        testset=None,
        language_pair=pair,
        source=texts.source,
        references=references,
        outputs=outputs,
        documents=set_files.places_file(texts),
        reference_set=(),
        human_systems=None,
    )
    folder = shown(texts.source.parent)
    return read, (f"{name}: {pair} in {folder}, scored against {', '.join(references)}",)


def _one_pair(name: str, asked: str | None, pairs: Sequence[str]) -> str:
    known = [*named_sets()[name].files]
    wanted = [asked] if asked is not None else [*pairs]
    if len(wanted) == 1:
        return wanted[0]
    if not wanted and len(known) == 1:
        return known[0]
    raise DataError(f"the test set {name} needs one --language-pair; it has {', '.join(known)}")


def _references(texts: "SetFiles", asked: Sequence[str]) -> dict[str, StrPath]:
    """The references that count, by the names of their translators."""
    known = {
        field.removeprefix("ref:"): path
        for field, path in texts.fields.items()
        if field == "ref" or field.startswith("ref:")
    }
    if not asked:
        return {field.removeprefix("ref:"): path for field, path in texts.references.items()}
    plain = [text.rpartition("=")[2] for text in asked]
    unknown = next((name for name in plain if name not in known), None)
    if unknown is not None:
        listed = ", ".join(known)
        raise DataError(f"{texts.found.name}: {texts.pair} has no {unknown!r}; it has {listed}")
    return {name: known[name] for name in plain}


def _nowhere(name: str, places: Sequence[Path]) -> str:
    looked = ", ".join(shown(place) for place in places)
    return (
        f"the test set {name} is not on this machine (looked for {looked}); the option --download "
        "of rankwise score, compare, meta and report fetches it"
    )
