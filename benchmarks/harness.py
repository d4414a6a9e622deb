"""Ours and the peer's on the same data in the same run: CPU time, memory, ratios.

CPU time of the process, the smallest of several repeats, ours and theirs alternating, so that a
busy machine disturbs both alike. Memory is the peak of a fresh child process above the memory it
had once modules and data were in place (Linux).
"""

import gc
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

#: Seconds of CPU from which on one run of a peer is enough.
LONG = 1.0

if multiprocessing.parent_process() is None:  # a child has what it was given
    os.environ.setdefault("RANKWISE_THREADS", "1")


@dataclass(frozen=True)
class Timing:
    """One row of the table."""

    task: str
    items: int
    ours: float  # seconds of CPU
    theirs: float
    our_value: float
    their_value: float
    peer: str
    is_same: bool = True  # whether both mean the same number
    our_megabytes: float | None = None
    their_megabytes: float | None = None

    def with_memory(self, ours: float, theirs: float) -> "Timing":
        """The same with the peaks of memory that both added."""
        return replace(self, our_megabytes=ours, their_megabytes=theirs)

    @property
    def equal(self) -> str:
        """Whether both values are equal; ``other`` where they need not be."""
        if not self.is_same:
            return "other"
        close = abs(self.our_value - self.their_value) <= 1e-9 * abs(self.their_value)
        return "yes" if close else "NO"

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.theirs / self.ours


def cpu_seconds(function: Callable[[], float]) -> tuple[float, float]:
    """CPU time of one call, and its value.

    What earlier calls left is collected first. What is there already is set apart, or every call
    would wait for the collector to walk through all that peers import, many times longer than ours.
    """
    gc.collect()
    gc.freeze()
    start = time.process_time()
    value = function()
    return time.process_time() - start, float(value)


def compare(
    task: str,
    items: int,
    ours: Callable[[], float],
    theirs: Callable[[], float],
    *,
    peer: str,
    repeats: int = 3,
    is_same: bool = True,
) -> Timing:
    """Both timed alternately; ours is short, so it gets five runs for each of the peer's.

    A peer that takes more than :data:`LONG` seconds is not run again: what disturbs a run matters
    less there, and a page has hundreds of rows.
    """
    our_runs, their_runs = [], []
    for _ in range(repeats):
        our_runs += [cpu_seconds(ours) for _ in range(5)]
        their_runs.append(cpu_seconds(theirs))
        if their_runs[-1][0] > LONG:
            break
    (our_time, our_value), (their_time, their_value) = min(our_runs), min(their_runs)
    return Timing(task, items, our_time, their_time, our_value, their_value, peer, is_same)


def peak_megabytes(task: Callable[[], object]) -> float:
    """How much the peak memory of a fresh process grows while it runs *task*."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_measure, args=(task, sender))
    child.start()
    sender.close()
    grown = receiver.recv()
    child.join()
    return float(grown)


def in_fresh_process(task: Callable[[], T], **environment: str) -> T:
    """What *task* gives in a process that starts with these variables; "" takes one away."""
    before = {name: os.environ.get(name) for name in environment}
    _set(environment)
    try:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            return pool.apply(task)
    finally:
        _set({name: value or "" for name, value in before.items()})


def _set(environment: Mapping[str, str]) -> None:
    for name, value in environment.items():
        if value:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)


def _measure(task, sender) -> None:
    """*task* returns a function when called; only that function is measured."""
    function = task()
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _status("VmRSS")
    function()
    sender.send((_status("VmHWM") - before) / 1024)
    sender.close()


def _status(field: str) -> int:
    """A field of /proc/self/status, in kB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def table(timings: list[Timing]) -> str:
    """The timings as aligned text, with the names of several peers, and memory if measured."""
    several = len({t.peer for t in timings}) > 1
    has_memory = any(t.our_megabytes is not None for t in timings)
    peer = f"{'peer':<20}" if several else ""
    memory = f"{'ours MB':>9}{'peer MB':>9}" if has_memory else ""
    head = f"{'task':<26}{peer}{'items':>9}{'ours s':>10}{'peer s':>10}{'ratio':>8}{'items/s':>12}"
    lines = [f"{head}{memory}  equal"]
    for t in timings:
        named = f"{t.peer:<20}" if several else ""
        both = (t.our_megabytes, t.their_megabytes) if has_memory else ()
        used = "".join(map(_cell, both))
        lines.append(
            f"{t.task:<26}{named}{t.items:>9,}{t.ours:>10.4f}{t.theirs:>10.3f}"
            f"{ratio_text(t.ratio):>8}{t.items / t.ours:>12,.0f}{used}  {t.equal}"
        )
    return "\n".join(lines)


def ratio_text(ratio: float) -> str:
    """How many times faster, with digits enough to see who is ahead: ``0.95x``, ``3.1x``, ``120x``.

    A page or a terminal shows a line with a ratio below one in red.
    """
    if ratio < 1:
        return f"{min(ratio, 0.99):.2f}x"
    return f"{ratio:.1f}x" if ratio < 10 else f"{ratio:,.0f}x"


def _cell(megabytes: float | None) -> str:
    return f"{'-' if megabytes is None else format(megabytes, '.0f'):>9}"


def write_json(path: Path, timings: list[Timing], **more: object) -> None:
    """The timings, for a page to be made of."""
    write_whole(path, {"timings": [{**asdict(t), "ratio": t.ratio} for t in timings], **more})


def write_whole(path: Path, found: Mapping[str, object]) -> None:
    """JSON that is there in one step, for a program may be ended while it writes."""
    text = json.dumps(found, indent=1) + "\n"
    beside = path.with_suffix(".part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
