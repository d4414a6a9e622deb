"""Several processes on one socket: started, watched, replaced when one dies, stopped together."""

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any

log = logging.getLogger("rankwise.server")

WATCH_SECONDS = 0.5
#: A worker that dies sooner than this is not worth replacing at once.
SHORT_LIFE = 5.0
#: A worker that was told to stop has so long to finish what it does.
STOP_PATIENCE = 20.0

#: A process, and since when it is there.
Started = tuple[BaseProcess, float]


def run_workers(
    count: int, work: Callable[..., None], arguments: tuple[Any, ...], listening: socket.socket
) -> None:
    """Run *work* in *count* processes until this one gets SIGTERM or SIGINT.

    Each gets *arguments* and the socket. They are started afresh, not forked: a connection to a
    database must not be shared.
    """
    context = multiprocessing.get_context("spawn")
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())

    def start() -> Started:
        process = context.Process(target=_worker, args=(work, *arguments, listening))
        process.start()
        return process, time.monotonic()

    running = [start() for _ in range(count)]
    try:
        while not stopped.wait(WATCH_SECONDS):
            for place, (process, since) in enumerate(running):
                if not process.is_alive():
                    running[place] = _replaced(process, since, start, stopped)
    finally:
        _stop([process for process, _ in running])


def _replaced(
    process: BaseProcess, since: float, start: Callable[[], Started], stopped: threading.Event
) -> Started:
    """What takes the place of a worker that ended; itself where nothing can be started yet.

    What killed it, as want of memory, may last; the others serve on.
    """
    log.error("worker %s ended with %s; starting another", process.pid, process.exitcode)
    if stopped.wait(max(0.0, SHORT_LIFE - (time.monotonic() - since))):
        return process, since
    try:
        return start()
    except OSError as error:
        log.error("no worker can be started now: %s", error)
        return process, time.monotonic()


def _worker(work: Callable[..., None], *arguments: Any) -> None:
    """What one of the processes does: *work*, for as long as somebody watches it."""
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    work(*arguments)


def _stop_with_parent() -> None:
    """Whoever was killed tells nobody: workers would go on and hold the port.

    A worker that is about to begin may lose the signal (an interrupt inside a callback is only
    printed), and nobody is left who would send another: so it ends here, at last.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOP_PATIENCE)
        os._exit(1)


def _stop(processes: list[BaseProcess]) -> None:
    for process in processes:
        process.terminate()
    end = time.monotonic() + STOP_PATIENCE
    for process in processes:
        process.join(max(0.0, end - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()
