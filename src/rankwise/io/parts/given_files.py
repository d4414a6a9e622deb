"""Files of scores as somebody names them: ``FILE``, ``NAME=FILE``, or a folder of a metric."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rankwise.errors import DataError
from rankwise.io.files import StrPath, entries_of, is_folder, must_differ, name_of, stem_of
from rankwise.io.parts.parallel_lines import name_and_file


class GivenFile(NamedTuple):
    """A file, what it is called, and of which metric it is where it lies in a folder of one."""

    called: str
    path: StrPath
    metric: str = ""


def given_files(paths: Sequence[StrPath]) -> list[GivenFile]:
    """The files of *paths*; of a folder all that lie in it, by name, but hidden ones.

    A folder is of one metric, called as the folder is, or as ``NAME=FOLDER`` says.
    """
    found = [file for path in paths for file in _files(*name_and_file(path))]
    must_differ([file.path for file in found])
    return found


def _files(called: str, path: StrPath) -> Iterator[GivenFile]:
    if not is_folder(path):
        yield GivenFile(called, path)
        return
    names = sorted(name for name in entries_of(path) if not name.startswith("."))
    if not names:
        raise DataError(f"{name_of(path)}: the folder is empty; expected the scores of a metric")
    for name in names:
        yield GivenFile(stem_of(name), Path(path) / name, called)
