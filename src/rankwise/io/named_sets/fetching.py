"""Fetching a file by HTTP: into a part that grows, which gets its name when it is whole.

A part that is there is continued, one process fetches at a time, and the digest decides. Nothing
else in Rankwise downloads anything, and this only when somebody asks for it.
"""

import fcntl
import hashlib
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rankwise.errors import DataError, StoreError
from rankwise.io.named_sets.set_list import Archive

_BLOCK = 1 << 18
#: How often a connection that is cut is taken up again.
TRIES = 4
#: Seconds without a byte after which a connection counts as cut, and to wait for another process.
SILENCE = 60.0
PATIENCE = 3600.0

#: Told the bytes that are there and, where it is known, how many there will be.
Progress = Callable[[int, int | None], None]


class _CutError(Exception):
    """The connection ended before the file did."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What has come so far of a file, and which version of it that is."""

    path: Path

    @property
    def version(self) -> Path:
        """The file that holds the server's mark of the version."""
        return self.path.with_name(f"{self.path.name}.version")

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return self.path.stat().st_size if self.path.exists() else 0

    def forget(self) -> None:
        """Begin again from nothing."""
        self.path.unlink(missing_ok=True)
        self.version.unlink(missing_ok=True)


def fetch(
    archive: Archive, target: Path, *, progress: Progress | None = None, patience: float = PATIENCE
) -> Path:
    """The file at *target*, fetched unless it is there; an error says what came instead.

    What is cut is continued where it stopped, now and in later calls. Of two processes one waits
    for the other and finds the file.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target, patience):
            if target.exists() and target.stat().st_size:
                return target
            part = _Part(target.with_name(f"{target.name}.part"))
            _fetch_all(archive, part, progress or (lambda _done, _total: None))
            _check(archive, part)
            part.path.replace(target)
            part.version.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror or error}") from error
    return target


@contextmanager
def locked(target: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Alone with the file among processes; sacreBLEU locks the same way."""
    until = time.monotonic() + patience
    with target.with_name(f"{target.name}.lock").open("a") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise StoreError(
                        f"{target}: another process has been fetching it for {patience:.0f} "
                        "seconds; try again later"
                    ) from None
                time.sleep(0.05)
        yield


def _fetch_all(archive: Archive, part: _Part, progress: Progress) -> None:
    for attempt in range(1, TRIES + 1):
        before = part.size
        try:
            _fetch_on(archive, part, progress)
            return
        except _CutError as error:
            if attempt == TRIES or part.size == before:
                raise StoreError(
                    f"{archive.url}: the connection ended after {part.size} bytes ({error}); "
                    "the same command continues from there"
                ) from error


def _fetch_on(archive: Archive, part: _Part, progress: Progress) -> None:
    """The rest of the file, or all of it where the server cannot give the rest."""
    try:
        with urllib.request.urlopen(_request(archive.url, part), timeout=SILENCE) as answer:
            _append(answer, part, progress)
    except urllib.error.HTTPError as error:
        if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and part.size:
            if archive.md5 and _md5(part.path) == archive.md5:
                return  # the part was the whole
            part.forget()
            _fetch_on(archive, part, progress)
            return
        raise StoreError(
            f"{archive.url}: cannot be fetched: {error.code} {error.reason}"
        ) from error
    except (http.client.HTTPException, ConnectionError, TimeoutError) as error:
        raise _CutError(str(error) or type(error).__name__) from error
    except urllib.error.URLError as error:
        if part.size and isinstance(error.reason, ConnectionError | TimeoutError):
            raise _CutError(str(error.reason)) from error
        raise StoreError(
            f"{archive.url}: cannot be fetched: {error.reason}; is this machine offline?"
        ) from error


def _request(url: str, part: _Part) -> urllib.request.Request:
    if not url.startswith(("http://", "https://")):
        raise DataError(f"{url}: expected an address that begins with https:// or http://")
    headers = {"User-Agent": "rankwise", "Accept-Encoding": "identity"}
    if part.size:
        headers["Range"] = f"bytes={part.size}-"
        if part.version.exists():
            headers["If-Range"] = part.version.read_text(encoding="utf-8")
    return urllib.request.Request(url, headers=headers)


def _append(answer: Any, part: _Part, progress: Progress) -> None:
    """What the server sends, after what is there if it continues that, else in its place."""
    start = part.size if _continues(answer, part.size) else 0
    if start == 0:
        part.forget()
        mark = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
        if mark and not mark.startswith("W/"):
            part.version.write_text(mark, encoding="utf-8")
    length = answer.headers.get("Content-Length")
    total = start + int(length) if length is not None else None
    with part.path.open("ab") as stream:
        _copy(answer, stream, start, total, progress)
    if total is not None and part.size < total:
        raise _CutError(f"{total} were promised")


def _continues(answer: Any, size: int) -> bool:
    if answer.status != http.client.PARTIAL_CONTENT:
        return False
    said = answer.headers.get("Content-Range") or ""
    return bool(size) and said.startswith(f"bytes {size}-")


def _copy(answer: Any, stream: IO[bytes], done: int, total: int | None, progress: Progress) -> None:
    while True:
        try:
            block = answer.read1(_BLOCK)
        except (http.client.HTTPException, ConnectionError, TimeoutError) as error:
            raise _CutError(str(error) or type(error).__name__) from error
        if not block:
            return
        stream.write(block)
        done += len(block)
        progress(done, total)


def _check(archive: Archive, part: _Part) -> None:
    """Raise unless the digest is the published one; a wrong file is not kept."""
    if not archive.md5:
        return
    found = _md5(part.path)
    if found == archive.md5:
        return
    with suppress(OSError):
        part.forget()
    raise DataError(
        f"{archive.url}: the MD5 digest of what came is {found}; expected {archive.md5}; it was "
        "deleted, and if the next try ends so too, the file has changed where it is published"
    )


def _md5(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
