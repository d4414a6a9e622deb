"""How far a meta-evaluation is: tasks of unlike cost, each told by shares."""

from collections.abc import Callable, Sequence

Done = Callable[[float], object]


class Work:
    """Tasks of these costs; *progress* is called with what was done, in percent of all.

    >>> seen = []
    >>> work = Work([1.0, 3.0], seen.append)
    >>> work.of(0)(0.5), work.finish(0), work.finish(1), seen
    (None, None, None, [12.5, 12.5, 75.0])
    """

    def __init__(self, costs: Sequence[float], progress: Done | None = None) -> None:
        whole = sum(costs)
        self._percents = [100 * cost / whole for cost in costs]
        self._done = [0.0] * len(costs)
        self._progress = progress

    def of(self, task: int) -> Done | None:
        """A function of the share of *task* that was done; None where nobody wants to know."""
        if self._progress is None:
            return None
        return lambda share: self._advance(task, share)

    def finish(self, task: int) -> None:
        """Tell what is left of *task*, which is done."""
        if self._progress is not None:
            self._advance(task, 1.0 - self._done[task])

    def _advance(self, task: int, share: float) -> None:
        assert self._progress is not None
        self._done[task] += share
        self._progress(share * self._percents[task])
