"""Ctrl-C ends a command soon, also where the native core is at work and Python cannot listen."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: How long Python has to notice a Ctrl-C by itself, as it does between two calls of the core.
PATIENCE = 2.0


@contextmanager
def prompt_interrupts() -> Iterator[None]:
    """Within the block, a Ctrl-C that the main thread does not notice ends the process.

    The main thread notices one only when it runs Python, and a metric on a very long line may be
    in the native core for minutes. Whoever handles signals otherwise is left alone.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    noticed = threading.Event()

    def notice(number: int, frame: FrameType | None) -> None:
        noticed.set()
        signal.default_int_handler(number, frame)

    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, notice)
    watcher = threading.Thread(target=_watch, args=(reading, noticed), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.close(writing)  # the watcher reads the end
        watcher.join()
        os.close(reading)


def _watch(reading: int, noticed: threading.Event) -> None:
    """End the process if the main thread does not notice a signal that came in."""
    while numbers := os.read(reading, 1):
        if numbers[0] == signal.SIGINT and not noticed.wait(PATIENCE):
            print("Aborted!", file=sys.stderr, flush=True)
            os._exit(1)
