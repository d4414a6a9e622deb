"""A program that is given lines and answers with lines, within a time and a size."""

import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from typing import IO, NamedTuple

_BLOCK = 1 << 16
#: Of what a program complains, so many bytes from the end are read.
_COMPLAINT = 4096


class ProgramAnswer(NamedTuple):
    """What a program said: its output, the end of its complaints, and how it ended.

    ``code`` is None where it was ended because the time was up, or it said too much.
    """

    output: bytes
    complaint: str
    code: int | None
    said_too_much: bool = False


def answer_of(
    words: Sequence[str], given: bytes, *, seconds: float, most: int, at_most: int = _COMPLAINT
) -> ProgramAnswer:
    """What the program *words* answers to *given*; raises OSError where it cannot be run.

    It ends with all that it started when *seconds* are over, when it says more than *most* bytes,
    and when the one who waits is interrupted.
    """
    process = subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that what it starts can be ended with it
    )
    assert process.stdin and process.stdout and process.stderr
    reader = _Reader(process.stdout, most, keeps_end=False)
    complaints = _Reader(process.stderr, at_most, keeps_end=True)
    writer = threading.Thread(target=_write, args=(process.stdin, given), daemon=True)
    writer.start()
    is_in_time = False
    try:
        is_in_time = reader.wait(seconds)
        if is_in_time and not reader.is_full:
            process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        is_in_time = False
    finally:
        if process.poll() is None:
            _end(process)
    complaints.wait(1.0)
    code = process.returncode if is_in_time and not reader.is_full else None
    said = complaints.found.decode("utf-8", "replace").strip()
    return ProgramAnswer(reader.found, said, code, reader.is_full)


class _Reader:
    """Reads a stream in a thread, up to a size; the rest is passed over if the end is wanted."""

    def __init__(self, stream: IO[bytes], most: int, *, keeps_end: bool) -> None:
        self.is_full = False
        self._parts: list[bytes] = []
        self._stream, self._most, self._keeps_end = stream, most, keeps_end
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        size = 0
        with self._stream:
            while part := os.read(self._stream.fileno(), _BLOCK):
                self._parts.append(part)
                size += len(part)
                if self._keeps_end:
                    self._parts = [self.found[-self._most :]]
                elif size > self._most:
                    self.is_full = True
                    break

    @property
    def found(self) -> bytes:
        """What was read so far."""
        return b"".join(self._parts)

    def wait(self, seconds: float) -> bool:
        """Whether all was read within so many seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()


def _write(stream: IO[bytes], given: bytes) -> None:
    try:
        with stream:
            stream.write(given)
    except OSError:  # it ended, or reads no further; its answer shows that
        pass


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all that it started."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except ProcessLookupError:
        pass
    process.wait()
