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
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

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

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.theirs / self.ours


def cpu_seconds(function: Callable[[], float]) -> tuple[float, float]:
    """CPU time of one call, and its value."""
    gc.collect()
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
) -> Timing:
    """Both timed alternately; ours is short, so it gets five runs for each of the peer's."""
    our_runs, their_runs = [], []
    for _ in range(repeats):
        our_runs += [cpu_seconds(ours) for _ in range(5)]
        their_runs.append(cpu_seconds(theirs))
    (our_time, our_value), (their_time, their_value) = min(our_runs), min(their_runs)
    return Timing(task, items, our_time, their_time, our_value, their_value, peer)


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
    """The timings as aligned text."""
    head = f"{'task':<26}{'items':>9}{'ours s':>10}{'peer s':>10}{'ratio':>8}{'items/s':>12}  equal"
    lines = [head]
    for t in timings:
        equal = "yes" if abs(t.our_value - t.their_value) <= 1e-9 * abs(t.their_value) else "NO"
        lines.append(
            f"{t.task:<26}{t.items:>9,}{t.ours:>10.4f}{t.theirs:>10.3f}{t.ratio:>7.0f}x"
            f"{t.items / t.ours:>12,.0f}  {equal}"
        )
    return "\n".join(lines)


def write_json(path: Path, timings: list[Timing], **more: object) -> None:
    """The timings, for a page to be made of."""
    rows = [{**asdict(t), "ratio": t.ratio} for t in timings]
    path.write_text(json.dumps({"timings": rows, **more}, indent=1) + "\n", encoding="utf-8")
