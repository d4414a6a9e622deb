"""The files of a named test set: found where sacreBLEU or we keep them, or fetched and unpacked."""

import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rankwise.errors import DataError, StoreError
from rankwise.io.files import read_lines, write_text
from rankwise.io.named_sets.fetching import Progress, fetch, locked
from rankwise.io.named_sets.set_list import NamedSet, named_sets
from rankwise.io.named_sets.set_places import fetch_folder, set_folders, shown
from rankwise.io.named_sets.set_texts import field_names, read_fields, reference_field


@dataclass(frozen=True, slots=True)
class SetFiles:
    """The text files of one language pair by field, and the file that its source came from."""

    found: NamedSet
    pair: str
    fields: Mapping[str, Path]
    raw_source: Path

    @property
    def source(self) -> Path:
        """The source text."""
        return self.fields["src"]

    @property
    def references(self) -> dict[str, Path]:
        """The references that count, by field."""
        allowed = self._allowed()
        return {name: path for name, path in self.fields.items() if name in allowed}

    @property
    def systems(self) -> dict[str, Path]:
        """The outputs of systems, which only WMT's XML holds."""
        others = {"src", "docid", "genre", "origlang", "domain"}
        return {
            name: path
            for name, path in self.fields.items()
            if name not in others and name != "ref" and not name.startswith("ref:")
        }

    def _allowed(self) -> set[str]:
        if self.found.kind != "wmt-xml":
            return {name for name in self.fields if name.startswith("ref")}
        names = self.found.references_of.get(self.pair, self.found.references)
        return {reference_field(name) for name in names}


def named_set(name: str) -> NamedSet:
    """The test set called *name*."""
    if name not in named_sets():
        raise DataError(f"there is no test set {name!r}; rankwise sacrebleu --list names them all")
    return named_sets()[name]


def set_files(name: str, pair: str) -> SetFiles:
    """The texts of a test set that is here; an error says where it was looked for."""
    found = named_set(name)
    files = found.must_have(pair)
    folder = folder_of(found, pair)
    if folder is None:
        looked = " or ".join(shown(place / name) for place in set_folders())
        raise StoreError(
            f"the test set {name} ({pair}) is not in {looked}; fetch it with: "
            f"rankwise sacrebleu --download {name} -l {pair}"
        )
    raw = folder / name / "raw"
    return SetFiles(found, pair, _texts(found, pair, folder), raw / _plain(files[0]))


def folder_of(found: NamedSet, pair: str) -> Path | None:
    """The folder of test sets that holds the files of a language pair."""
    wanted = [_plain(file) for file in found.must_have(pair)]
    for folder in set_folders():
        if all((folder / found.name / "raw" / file).is_file() for file in wanted):
            return folder
    return None


def download(name: str, pair: str | None = None, *, progress: Progress | None = None) -> Path:
    """Fetch a test set and unpack it, unless *pair* (or all pairs) is here; its folder."""
    found = named_set(name)
    pairs = [*found.files] if pair is None else [pair]
    folders = {folder_of(found, one) for one in pairs}
    if len(folders) == 1 and (there := folders.pop()) is not None:
        return there / name
    place = fetch_folder() / name
    _fetch_and_unpack(found, place / "raw", progress)
    files = [_plain(file) for one in pairs for file in found.must_have(one)]
    missing = next((file for file in files if not (place / "raw" / file).is_file()), None)
    if missing is not None:
        raise DataError(f"{place / 'raw'}: the archive of {name} does not hold {missing}")
    return place


def _fetch_and_unpack(found: NamedSet, raw: Path, progress: Progress | None) -> None:
    """All archives and the files in them; a second process waits for the first."""
    for archive in found.archives:
        target = raw / f"{found.folder_name}.{archive.file_name}"
        fetch(archive, target, progress=progress)
        with locked(target):
            _unpack(target, found, raw)


def _plain(file: str) -> str:
    """The path of a file, without the number of the column that some tables have before it."""
    return file.rpartition(":")[2]


def places_file(texts: SetFiles) -> Path | None:
    """A file of domains and documents, two columns, where the test set knows them."""
    if "docid" not in texts.fields:
        return None
    domain = next((name for name in ("domain", "genre") if name in texts.fields), None)
    target = _text_file(texts.found, texts.pair, "places", texts.source.parent)
    if not target.is_file():
        documents = [line for _, line in read_lines(texts.fields["docid"])]
        domains = [""] * len(documents)
        if domain is not None:
            domains = [line for _, line in read_lines(texts.fields[domain])]
        with write_text(target) as stream:
            stream.writelines(f"{a}\t{b}\n" for a, b in zip(domains, documents, strict=True))
    return target


# -- unpacking -------------------------------------------------------------------------------------


def _unpack(archive: Path, found: NamedSet, raw: Path) -> None:
    """Write the files that the list names; nothing else of an archive is ever unpacked."""
    wanted = {_plain(file) for files in found.files.values() for file in files}
    try:
        if archive.name.endswith((".tar.gz", ".tgz")):
            with tarfile.open(archive) as packed:
                for member in packed:
                    name = member.name.removeprefix("./")
                    content = packed.extractfile(member) if name in wanted else None
                    if content is not None:
                        _write(content, raw / name)
        elif archive.name.endswith(".zip"):
            with zipfile.ZipFile(archive) as zipped:
                for name in wanted & {*zipped.namelist()}:
                    with zipped.open(name) as content:
                        _write(content, raw / name)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise DataError(f"{archive}: cannot be unpacked; delete it and fetch it again") from error
    except OSError as error:
        raise StoreError(f"{archive}: cannot be unpacked: {error.strerror or error}") from error


def _write(content: IO[bytes], place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{place.name}.part")
    with part.open("wb") as target:
        shutil.copyfileobj(content, target)
    part.replace(place)


def _texts(found: NamedSet, pair: str, folder: Path) -> dict[str, Path]:
    """The text file of every field, written beside the raw files where it is missing."""
    place = folder / found.name
    names = field_names(found, pair)
    if names is not None:
        paths = {name: _text_file(found, pair, name, place) for name in names}
        if all(path.is_file() for path in paths.values()):
            return paths
    fields = read_fields(found, pair, place / "raw")
    paths = {name: _text_file(found, pair, name, place) for name in fields}
    for name, lines in fields.items():
        if not paths[name].is_file():
            with write_text(paths[name]) as stream:
                stream.writelines(f"{line}\n" for line in lines)
    return paths


def _text_file(found: NamedSet, pair: str, field: str, place: Path) -> Path:
    name = field.replace(":", "-").replace("/", "_")
    return place / f"{found.folder_name}.{pair}.{name}"
