"""Work on processes of this machine."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from threading import Thread
from typing import Any, TypeVar

from rankwise.engine.finished_work import Done, attempt
from rankwise.errors import DataError

Item = TypeVar("Item")
Value = TypeVar("Value")

_WINDOW = 2  # items handed out per process: enough to keep it busy, few to repeat after a death


def run_on_processes(
    function: Callable[[Item], Value], items: Sequence[Item], *, workers: int | None = None
) -> Iterator[Done[Value]]:
    """What *function* gives for each item, as it is finished.

    When a process dies, nobody knows which of the items in hand killed it. Those are then computed
    one at a time, each in a process of its own: one that kills that too is given up.
    """
    if workers is not None and workers < 1:
        raise DataError(f"{workers} workers; expected at least 1")
    count = min(workers or len(os.sched_getaffinity(0)), max(1, len(items)))
    left = iter(enumerate(items))
    while True:
        suspects: list[tuple[int, Item]] = []
        yield from _until_broken(function, left, count, suspects)
        if not suspects:
            return
        for place, item in suspects:
            yield _alone(function, place, item)


def _until_broken(
    function: Callable[[Item], Value],
    left: Iterator[tuple[int, Item]],
    count: int,
    suspects: list[tuple[int, Item]],
) -> Iterator[Done[Value]]:
    """Results until no item is left, or a process died: then *suspects* are the items in hand."""
    with _pool(count, function) as pool, _nothing_left_behind(pool):
        running: dict[Future[Done[Value]], tuple[int, Item]] = {}
        while True:
            try:
                for place, item in islice(left, count * _WINDOW - len(running)):
                    suspects.append((place, item))  # in case the pool breaks just now
                    running[pool.submit(_attempt, place, item)] = suspects.pop()
            except BrokenProcessPool:
                pass
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                handed = running.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    suspects.append(handed)
                else:
                    yield future.result()
            if suspects:
                yield from _rest(running, suspects)
                return


@contextmanager
def _nothing_left_behind(pool: ProcessPoolExecutor) -> Iterator[None]:
    """Whoever breaks off (Ctrl-C, an error elsewhere) waits for items in hand, not for the next."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def _rest(
    running: dict[Future[Done[Value]], tuple[int, Item]], suspects: list[tuple[int, Item]]
) -> Iterator[Done[Value]]:
    """After a death: what was finished all the same; the others become suspects."""
    for future, handed in running.items():
        if isinstance(future.exception(), BrokenProcessPool):
            suspects.append(handed)
        else:
            yield future.result()


def _alone(function: Callable[[Item], Value], place: int, item: Item) -> Done[Value]:
    with _pool(1, function) as pool:
        try:
            done: Done[Value] = pool.submit(_attempt, place, item).result()
            return done
        except BrokenProcessPool:
            return Done(place, error="the process that worked on it died, twice")


def _pool(count: int, function: Callable[[Item], Value]) -> ProcessPoolExecutor:
    """Fresh processes of one thread each: they share the CPUs among themselves."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(count, context, initializer=_begin, initargs=(function,))


#: What this process was started for: it may be large, and so comes once and not with every item.
_work: list[Callable[[Any], Any]] = []


def _begin(function: Callable[[Any], Any]) -> None:
    os.environ["RANKWISE_THREADS"] = "1"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _work.append(function)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Nobody tells a process of a pool that its parent was killed: it would wait forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _attempt(place: int, item: Any) -> Done[Any]:
    return attempt(_work[-1], place, item)
