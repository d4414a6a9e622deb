"""How far long work is: tasks of unlike cost, each told by shares."""

from collections.abc import Callable, Hashable, Mapping

Done = Callable[[float], object]


class Work:
    """Tasks with their costs; *progress* is called with what was done, in percent of all.

    >>> seen = []
    >>> work = Work({"read": 1.0, "count": 3.0}, seen.append)
    >>> work.of("read")(0.5), work.finish("read"), work.finish("count"), seen
    (None, None, None, [12.5, 12.5, 75.0])
    """

    def __init__(self, costs: Mapping[Hashable, float], progress: Done | None = None) -> None:
        whole = sum(costs.values())
        self._percents = {task: 100 * cost / whole for task, cost in costs.items()}
        self._done = dict.fromkeys(costs, 0.0)
        self._progress = progress

    def of(self, task: Hashable) -> Done | None:
        """A function of the share of *task* that was done; None where nobody wants to know."""
        if self._progress is None:
            return None
        return lambda share: self._advance(task, share)

    def finish(self, *tasks: Hashable) -> None:
        """Tell what is left of *tasks*, which are done."""
        for task in tasks if self._progress is not None else ():
            self._advance(task, 1.0 - self._done[task])

    def _advance(self, task: Hashable, share: float) -> None:
        assert self._progress is not None
        self._done[task] += share
        self._progress(share * self._percents[task])


def part_of(done: Done | None, parts: int) -> Done | None:
    """A function of how much of one of *parts* is finished that tells the share of them all."""
    return None if done is None else lambda share: done(share / parts)
