"""An EvalSet that lies in an archive, unpacked for as long as it is read."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from rankwise.errors import DataError, RankwiseError, StoreError
from rankwise.io.files import StrPath, name_of, open_bytes
from rankwise.io.packed.packings import broken

if TYPE_CHECKING:
    from tarfile import TarFile, TarInfo

#: What an EvalSet is made of; other files of the archive stay packed.
FOLDERS = (
    "documents",
    "human-scores",
    "metric-scores",
    "references",
    "sources",
    "system-outputs",
)
SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar.zst")


def archive_of(path: StrPath) -> tuple[Path, str] | None:
    """The archive that *path* names or leads into, and the rest of the path; None for other files.

    >>> archive_of("no/such.tgz") is None
    True
    """
    whole = Path(path)
    for place in (whole, *whole.parents):
        if place.name.endswith(SUFFIXES) and place.is_file():
            return place, str(PurePosixPath(*whole.parts[len(place.parts) :]))
    return None


@contextmanager
def unpacked_evalset(archive: Path, wanted: str) -> Iterator[Path]:
    """The folder of the EvalSet called *wanted* in an archive, or of the only one."""
    import tarfile
    import tempfile

    with tempfile.TemporaryDirectory(prefix="rankwise-") as place:
        try:
            folder = _unpack(archive, wanted, Path(place))
        except broken(tarfile.TarError) as error:
            problem = f"{name_of(archive)}: cannot be unpacked"
            raise DataError(f"{problem}; expected a whole archive made by tar") from error
        except OSError as error:
            raise StoreError(f"{name_of(archive)}: cannot be unpacked: {error}") from error
        try:
            yield folder
        except RankwiseError as error:  # what is wrong in it is wrong in the archive
            error.args = tuple(
                str(said).replace(str(folder), name_of(archive)) for said in error.args
            )
            raise


@contextmanager
def unpacked_evalsets(paths: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The paths, with the folder of an EvalSet in place of an archive that names or leads to it."""
    with ExitStack() as stack:
        found = ((path, archive_of(path)) for path in paths)
        yield tuple(
            path if packed is None else str(stack.enter_context(unpacked_evalset(*packed)))
            for path, packed in found
        )


@contextmanager
def _opened(archive: Path) -> Iterator["TarFile"]:
    """The archive, to be gone through once: tarfile itself reads zstd from Python 3.14 on."""
    import tarfile

    if not archive.name.endswith(".zst"):
        with tarfile.open(archive) as packed:
            yield packed
        return
    with open_bytes(archive) as stream, tarfile.open(fileobj=stream, mode="r|") as packed:
        yield packed


def _unpack(archive: Path, wanted: str, place: Path) -> Path:
    with _opened(archive) as packed:
        root = _root(archive, packed.getnames(), wanted)
    folder = place / (root.name or archive.name.split(".")[0])
    with _opened(archive) as packed:
        for member in packed:
            if member.isreg() and (inside := _inside(member.name, root)):
                _write(packed, member, folder / inside)
    return folder


def _root(archive: Path, names: list[str], wanted: str) -> PurePosixPath:
    """Where the EvalSet lies in the archive: the folder that holds ``sources``."""
    paths = (PurePosixPath(name) for name in names)
    roots = {
        path.parents[1]
        for path in paths
        if path.parent.name == "sources" and not path.is_absolute() and ".." not in path.parts
    }
    fitting = sorted(root for root in roots if wanted in (".", root.name, str(root)))
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(sorted(root.name for root in roots))
    problem = "holds no EvalSet" if not roots else f"holds {listed}"
    first = f"{archive.name}/{min(root.name for root in roots)}" if roots else "a folder 'sources'"
    raise DataError(f"{name_of(archive)} {problem}; expected one of them, as in {first}")


def _inside(name: str, root: PurePosixPath) -> PurePosixPath | None:
    """The path of a file within the EvalSet, or nothing for files that are no part of it."""
    path = PurePosixPath(name)
    if not path.is_relative_to(root):
        return None
    inside = path.relative_to(root)
    is_part = inside.parts[:1] and inside.parts[0] in FOLDERS and ".." not in inside.parts
    return inside if is_part else None


def _write(packed: "TarFile", member: "TarInfo", place: Path) -> None:
    from shutil import copyfileobj

    content = packed.extractfile(member)
    assert content is not None  # it is a regular file
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("wb") as target:
        copyfileobj(content, target)
