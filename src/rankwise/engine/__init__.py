"""Where work is done: on processes of this machine, or on a running Dask cluster.

One function for both. Work is a list of items and a function of one item; results come back as
they are finished, in any order. There is no scheduler of our own: ``concurrent.futures`` and Dask
have theirs.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar

from rankwise.engine.finished_work import Done
from rankwise.engine.place_of_work import Site
from rankwise.errors import DataError

__all__ = ["ENGINES", "Done", "Engine", "Site", "run"]

Engine = Literal["local", "dask"]
ENGINES: tuple[Engine, ...] = ("local", "dask")

Item = TypeVar("Item")
Value = TypeVar("Value")


def run(
    function: Callable[[Item], Value],
    items: Sequence[Item],
    *,
    engine: Engine = "local",
    address: str | None = None,
    workers: int | None = None,
) -> Iterator[Done[Value]]:
    """What *function* gives for each item, as it is finished.

    ``local`` uses *workers* processes (as many as CPUs if not said), ``dask`` the cluster whose
    scheduler listens at *address*. The function and the items travel between processes, so
    they must be importable and picklable. An item whose function raises, or whose
    worker dies again and again, comes back with an ``error`` and leaves the others alone; an item
    whose worker died for another reason is computed once more.
    """
    if engine == "local":
        from rankwise.engine.processes import run_on_processes

        if address is not None:
            raise DataError(f"an address, {address!r}, is for engine 'dask', not for 'local'")
        return run_on_processes(function, items, workers=workers)
    if engine == "dask":
        from rankwise.engine.cluster import run_on_cluster

        if address is None:
            raise DataError("engine 'dask' needs the address of a scheduler, like tcp://host:8786")
        return run_on_cluster(function, items, address=address)
    raise DataError(f"unknown engine {engine!r}; choose from {', '.join(ENGINES)}")
