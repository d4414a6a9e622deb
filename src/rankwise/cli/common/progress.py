"""A progress bar on a terminal for what takes over two seconds; never in a pipe."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T", bound=Sized)

#: How long to wait before a bar appears, in seconds.
PATIENCE = 2.0


def with_progress(items: Iterable[T], what: str, *, total: int | None = None) -> Iterator[T]:
    """*items* as they come; once they take long, a bar counts their lengths as *what*.

    Without a terminal on stderr this is *items* and nothing else.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    start, done, bar = time.monotonic(), 0, None
    try:
        for item in items:
            yield item
            done += len(item)
            if bar is None and time.monotonic() - start > PATIENCE:
                bar = _new_bar(what, total)
                _SHOWN.append(bar)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
    finally:
        if bar is not None:
            _SHOWN.remove(bar)
            bar.stop()


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[..., None]]:
    """A function to call when one of *total* pieces is finished, with how many *what* it held.

    A second argument says how many pieces, if not one. The bar counts pieces and says how many
    *what* a second were done and how long it may last.
    """
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    bar, start, sizes = _new_bar(what, total, start=False), time.monotonic(), [0]

    def advance(size: int, pieces: int = 1) -> None:
        sizes[0] += size
        rate = sizes[0] / max(time.monotonic() - start, 1e-3)
        text = f"{sizes[0]:,} {what}, {rate:,.0f}/s"
        bar.update(bar.task_ids[0], advance=pieces, description=text)

    with _after_a_while(bar):
        yield advance


@contextmanager
def reporting(what: str, total: int) -> Iterator[Callable[[float], object] | None]:
    """A function to call with how many of *total* are done since the last call.

    Without a terminal there is none, so that nothing need be done in pieces for its sake.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _new_bar(what, total, start=False)
    with _after_a_while(bar):
        yield lambda size: bar.update(bar.task_ids[0], advance=size)


@contextmanager
def fetching(what: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """A function to call with the bytes that came, and how many there will be if that is known.

    Without a terminal there is none.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=None)
    with _after_a_while(bar):
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def working(what: str) -> Iterator[None]:
    """While the work in this block takes long, say *what* it is and for how long it has run."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn(what), TimeElapsedColumn())
    spinner = Progress(*columns, console=Console(stderr=True), transient=True)
    spinner.add_task(what, total=None)
    with _after_a_while(spinner):
        yield


@contextmanager
def _after_a_while(bar: Any) -> Iterator[None]:
    """Show *bar* once the work in this block has taken long; then until its end."""
    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    _SHOWN.append(bar)
    try:
        yield
    finally:
        _SHOWN.remove(bar)
        timer.cancel()
        timer.join()
        bar.stop()


class BatchBar:
    """Told of batches, says how far a metric is and how many texts a second it does.

    It says so in the bar that is shown already, if any; else, after a while, in one of its own,
    before the first batch is done too.
    """

    def __init__(self) -> None:
        self._bar: Any = None
        self._timer: threading.Timer | None = None
        self._work, self._start, self._before = ("", 0), 0.0, 0

    def __call__(self, name: str, done: int, total: int) -> None:
        """So many of the distinct texts that a metric scores are done."""
        now = time.monotonic()
        if (name, total) != self._work or done < self._before:
            self._work, self._start, self._before = (name, total), now, done
        rate = (done - self._before) / max(now - self._start, 1e-3)
        text = f"{name}: {done:,} of {total:,} texts, {rate:,.1f}/s"
        if _SHOWN:
            _SHOWN[-1].update(_SHOWN[-1].task_ids[0], description=text)
            return
        if self._bar is None:
            self._bar = _new_bar(text, total, start=False)
            self._timer = threading.Timer(PATIENCE, self._bar.start)
            self._timer.daemon = True
            self._timer.start()
        self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=text)
        if done == total:
            self.close()

    def close(self) -> None:
        """Take its own bar away, also where the work ended early."""
        bar, timer, self._bar, self._timer = self._bar, self._timer, None, None
        if timer is not None:
            timer.cancel()
            timer.join()
            bar.stop()


# The bars of this process, the one that was begun last at the end.
_SHOWN: list[Any] = []


def lines_about(path: str | None) -> int | None:
    """How many lines a text file has, judged by its beginning; None where that cannot be told."""
    if path is None or not sys.stderr.isatty() or not Path(path).is_file():
        return None
    with Path(path).open("rb") as stream:
        head = stream.read(1 << 16)
    lines = head.count(b"\n")
    if not lines or head.startswith(b"\x1f\x8b"):
        return None
    return round(Path(path).stat().st_size * lines / (head.rindex(b"\n") + 1))


def _new_bar(what: str, total: int | None, *, start: bool = True) -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        speed_estimate_period=86_400,  # pieces may take minutes; half a minute would hold none
    )
    bar.add_task(what, total=total)
    if start:
        bar.start()
    return bar
