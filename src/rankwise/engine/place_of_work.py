"""Where work is done, as one value that functions hand on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from rankwise.engine.finished_work import Done
from rankwise.errors import DataError

Engine = Literal["local", "dask"]
ENGINES: tuple[Engine, ...] = ("local", "dask")

Item = TypeVar("Item")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Site:
    """Processes of this machine, or a cluster elsewhere.

    The engine ``local`` uses *workers* processes (as many as CPUs if not said), ``dask`` the
    cluster whose scheduler listens at *address*. Where work is done changes no number.

    >>> Site(workers=2)
    Site(engine='local', address=None, workers=2)
    """

    engine: Engine = "local"
    address: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        if self.engine not in ENGINES:
            raise DataError(f"unknown engine {self.engine!r}; choose from {', '.join(ENGINES)}")
        if self.engine == "dask" and self.address is None:
            raise DataError("engine 'dask' needs the address of a scheduler, like tls://host:8786")
        if self.engine == "local" and self.address is not None:
            raise DataError(f"an address, {self.address!r}, is for engine 'dask', not for 'local'")
        if self.workers is not None and self.workers < 1:
            raise DataError(f"{self.workers} workers; expected at least 1")

    def run(
        self, function: Callable[[Item], Value], items: Sequence[Item]
    ) -> Iterator[Done[Value]]:
        """What *function* gives for each item, as it is finished.

        The function and the items travel between processes, so they must be importable and
        picklable. An item whose function raises, or whose worker dies again and again, comes back
        with an ``error`` and leaves the others alone; an item whose worker died for another reason
        is computed once more.
        """
        if self.address is not None:
            from rankwise.engine.cluster import run_on_cluster

            return run_on_cluster(function, items, address=self.address)
        from rankwise.engine.processes import run_on_processes

        return run_on_processes(function, items, workers=self.workers)

    def values(
        self,
        function: Callable[[Item], Value],
        items: Sequence[Item],
        *,
        on_done: Callable[[Item], object] | None = None,
    ) -> list[Value]:
        """What *function* gives for each item, in order; an item without a value is an error.

        *on_done* is called with every item when it is finished.
        """
        found: dict[int, Value] = {}
        for done in self.run(function, items):
            if done.error is not None:
                raise DataError(done.error)
            found[done.place] = done.value  # type: ignore[assignment]
            if on_done is not None:
                on_done(items[done.place])
        return [found[place] for place in range(len(items))]
