"""Work on a running Dask cluster."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from rankwise.engine.done import Done, attempt
from rankwise.errors import MissingExtra, StoreError

Item = TypeVar("Item")
Value = TypeVar("Value")

_WINDOW = 4  # items handed out per thread of the cluster
_PATIENCE = "20s"


def run_on_cluster(
    function: Callable[[Item], Value], items: Sequence[Item], *, address: str
) -> Iterator[Done[Value]]:
    """What *function* gives for each item, as it is finished.

    Dask computes the items of a worker that died on another one; an item that killed several
    (``distributed.scheduler.allowed-failures``) is given up. Few items per thread are handed out
    at a time, so that the scheduler's memory does not grow with their number.
    """
    distributed = _distributed()
    with _connected(distributed, address) as client:
        left = iter(enumerate(items))
        # A task of its own: it travels to a worker once, and is computed again if that one dies.
        shared = client.submit(_same, function, pure=False)
        submit = partial(_submit, client, shared)
        threads = sum(client.nthreads().values()) or 1
        places: dict[str, int] = {}
        handed = [submit(places, *one) for one in islice(left, threads * _WINDOW)]
        finished = distributed.as_completed(
            handed, loop=client.loop, with_results=True, raise_errors=False
        )
        for future, result in finished:
            place = places.pop(future.key)
            yield result if isinstance(result, Done) else Done(place, error=_reason(result))
            future.release()
            for one in islice(left, 1):
                finished.add(submit(places, *one))


def _same(function: Callable[[Item], Value]) -> Callable[[Item], Value]:
    return function


def _submit(client: Any, shared: Any, places: dict[str, int], place: int, item: Any) -> Any:
    future = client.submit(_single_threaded, shared, place, item, pure=False)
    places[future.key] = place
    return future


def _single_threaded(function: Callable[[Item], Value], place: int, item: Item) -> Done[Value]:
    """A worker runs as many items at once as it has threads; each is to use one."""
    os.environ["RANKWISE_THREADS"] = "1"
    return attempt(function, place, item)


def _connected(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StoreError(f"no Dask scheduler answers at {address!r}: {error}") from error


def _reason(result: Any) -> str:
    """What Dask says of an item that has no result: its exception, also inside a triple."""
    error = result[1] if isinstance(result, tuple) else result
    if type(error).__name__ == "KilledWorker":
        return "the workers that worked on it died, again and again"
    return f"{type(error).__name__}: {error}"


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise MissingExtra("engine 'dask' needs Dask: pip install 'rankwise[cluster]'") from error
    return distributed
