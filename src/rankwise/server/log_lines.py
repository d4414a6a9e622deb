"""The log: lines that a thread writes, so that no request waits for whoever reads them.

A terminal that is held with Ctrl-S, a pager or a pipe that nobody reads take a few kilobytes and
then nothing more. Whoever writes there waits, and a server that does answers nobody.
"""

import logging
import os
import select
import threading
from queue import SimpleQueue

#: So many lines wait for whoever reads the log; what comes after them is lost, and counted.
MOST_LINES = 10_000
#: Whoever ends waits so long until they are written.
LAST_SECONDS = 1.0
_LOST = "%d lines of the log are lost: they could not be written"


class LogLines(logging.Handler):
    """Writes what is logged to the open file *out*, soon and in order, and is never waited for."""

    def __init__(self, out: int) -> None:
        """Begin."""
        super().__init__()
        self._out = out
        self._lost = 0
        self._waiting: SimpleQueue[str | threading.Event] = SimpleQueue()
        threading.Thread(target=self._write_all, name="log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Put a line where it waits, if there is room; before it, how many found none."""
        if self._waiting.qsize() >= MOST_LINES:
            self._lost += 1
            return
        if self._lost:
            said = (logging.WARNING, __file__, 0, _LOST, (self._lost,), None)
            self._waiting.put(self.format(logging.LogRecord("rankwise.server", *said)))
            self._lost = 0
        self._waiting.put(self.format(record))

    def finish(self) -> None:
        """Wait a moment until all is written; if nobody takes it, what is said later is lost too.

        So whoever has a last word to say, by whatever way, does not wait for ever either.
        """
        written = threading.Event()
        self._waiting.put(written)
        if not written.wait(LAST_SECONDS):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._out)
            os.close(nowhere)

    def _write_all(self) -> None:
        while True:
            line = self._waiting.get()
            if isinstance(line, threading.Event):
                line.set()
                continue
            try:
                self._write(f"{line}\n".encode(errors="backslashreplace"))
            except OSError:  # a full disk, a reader who is gone
                self.acquire()
                self._lost += 1
                self.release()

    def _write(self, left: bytes) -> None:
        """Write all of it; a file that others told not to wait is waited for here."""
        while left:
            try:
                left = left[os.write(self._out, left) :]
            except BlockingIOError:
                select.select([], [self._out], [])
