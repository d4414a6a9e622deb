"""Tar archives, unpacked without trusting them (the filters of tarfile came with Python 3.11.4)."""

import shutil
import tarfile
from pathlib import Path, PurePosixPath


def unpack(archive: Path, folder: Path) -> None:
    """Write the files and folders of an archive below ``folder``, new ones only.

    An absolute path, a path with ``..``, a link and a device are refused with a ``ValueError``
    that names them, before anything is written. Owners, modes and times are left in the archive.
    """
    with tarfile.open(archive) as opened:
        members = opened.getmembers()
        for member in members:
            _check(member)
        for member in members:
            place = folder / member.name
            if not place.resolve().is_relative_to(folder.resolve()):
                raise ValueError(f"{member.name!r} leads out of {folder} by a link that is there")
            (place if member.isdir() else place.parent).mkdir(parents=True, exist_ok=True)
            if member.isreg():
                _write(opened, member, place)


def _check(member: tarfile.TarInfo) -> None:
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{member.name!r} of the archive lies outside its folder")
    if not (member.isreg() or member.isdir()):
        raise ValueError(f"{member.name!r} of the archive is neither a file nor a folder")


def _write(opened: tarfile.TarFile, member: tarfile.TarInfo, place: Path) -> None:
    content = opened.extractfile(member)
    if content is None:
        raise ValueError(f"{member.name!r} of the archive has no content")
    with content, place.open("xb") as stream:
        shutil.copyfileobj(content, stream)
