"""The file of answers: one line for each, written once and kept for good.

A line is a JSON object: ``key`` (what was asked, see ``ChatRequest``), ``reply``, ``tries``,
``seconds``, ``endpoint``, and ``about`` with the segment and the systems as shown. It is synced to
the disk before the answer counts. A run that ends in the middle of a line leaves one that is not
whole; it is cut off when the file is opened again. So a later run, or another one with the same
questions, goes on from there and asks nothing twice.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from rankwise.errors import DataError, StoreError
from rankwise.io.files import StrPath
from rankwise.judging.endpoint.chat_exchange import Reply

FORMAT, VERSION = "rankwise-answers", 1
_HEADER = {"format": FORMAT, "version": VERSION}


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A reply, how many requests and seconds it took, and who gave it."""

    reply: Reply
    tries: int = 1
    seconds: float = 0.0
    endpoint: str = ""


class AnswerLog:
    """Replies by the key of their request; :func:`open_log` reads them from a file."""

    def __init__(self, stream: IO[bytes] | None = None, path: str = "") -> None:
        self._stream, self._path = stream, path
        self._kept: dict[str, KeptReply] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> KeptReply | None:
        """The reply to what *key* names, if there is one."""
        return self._kept.get(key)

    def add(self, key: str, kept: KeptReply, about: Mapping[str, Any]) -> None:
        """Keep a reply; when this returns it is on the disk."""
        if self._stream is not None:
            line = {"key": key, "about": dict(about), **asdict(kept)}
            _append(self._stream, line, self._path)
        self._kept[key] = kept

    def remember(self, key: str, kept: KeptReply) -> None:
        """A reply that the file has already."""
        self._kept[key] = kept


@contextmanager
def open_log(path: StrPath | None) -> Iterator[AnswerLog]:
    """The answers of a file, which is made if it is not there; without a path, in memory alone.

    One process at a time has the file.
    """
    if path is None:
        yield AnswerLog()
        return
    name = os.fspath(path)
    with _opened(Path(path), name) as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreError(f"{name}: another process is writing answers to it") from error
        log = AnswerLog(stream, name)
        _load(log, stream, name)
        yield log


def _opened(path: Path, name: str) -> IO[bytes]:
    try:
        return path.open("a+b", buffering=0)
    except OSError as error:
        raise StoreError(f"{name}: cannot be written: {error.strerror or error}") from error


def _load(log: AnswerLog, stream: IO[bytes], name: str) -> None:
    stream.seek(0)
    whole = 0
    content = stream.read() or b""
    for number, raw in enumerate(content.splitlines(keepends=True), 1):
        if not raw.endswith(b"\n"):
            break  # a run ended here
        line = _parsed(raw, name, number)
        if number == 1:
            _check_header(line, name)
        else:
            log.remember(*_kept(line, name, number))
        whole += len(raw)
    if whole == 0 and content and not json.dumps(_HEADER).encode().startswith(content):
        raise DataError(f"{name}:1: expected a file of answers, or none yet")
    if whole < len(content):
        stream.truncate(whole)
    if whole == 0:
        _append(stream, _HEADER, name)
        _sync_folder(Path(name).resolve().parent)


def _parsed(raw: bytes, name: str, number: int) -> dict[str, Any]:
    try:
        line = json.loads(raw)
    except ValueError as error:
        raise DataError(f"{name}:{number}: expected a JSON object, but {error}") from error
    if not isinstance(line, dict):
        raise DataError(f"{name}:{number}: expected a JSON object")
    return line


def _check_header(line: dict[str, Any], name: str) -> None:
    if line.get("format") != FORMAT:
        raise DataError(f"{name}:1: expected a file of answers, which begins with {_HEADER}")
    if line.get("version") != VERSION:
        raise DataError(f"{name}:1: found version {line.get('version')!r}; expected {VERSION}")


def _kept(line: dict[str, Any], name: str, number: int) -> tuple[str, KeptReply]:
    try:
        reply = Reply(**line["reply"])
        kept = KeptReply(reply, int(line["tries"]), float(line["seconds"]), line["endpoint"])
        key = line["key"]
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{name}:{number}: expected an answer with key and reply") from error
    if not isinstance(key, str) or not isinstance(reply.text, str):
        raise DataError(f"{name}:{number}: expected an answer with key and reply")
    return key, kept


def _append(stream: IO[bytes], line: Mapping[str, Any], name: str) -> None:
    raw = json.dumps(line).encode("ascii") + b"\n"
    try:
        while raw:
            raw = raw[stream.write(raw) or 0 :]
        os.fsync(stream.fileno())
    except OSError as error:
        raise StoreError(f"{name}: cannot be written: {error.strerror or error}") from error


def _sync_folder(folder: Path) -> None:
    """Make sure that the name of a new file outlives a crash too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
