"""Work on a running Dask cluster."""

import os
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urlsplit

from rankwise.engine.finished_work import Done, attempt
from rankwise.engine.loopback import is_loopback
from rankwise.errors import DataError, MissingExtra, StoreError

Item = TypeVar("Item")
Value = TypeVar("Value")

_WINDOW = 4  # items handed out per thread of the cluster
_PATIENCE = "20s"
_PAUSE = 0.02  # seconds between looks at what is finished
_DESERTED = 300.0  # seconds without a worker, after which none is expected to come


def run_on_cluster(
    function: Callable[[Item], Value], items: Sequence[Item], *, address: str
) -> Iterator[Done[Value]]:
    """What *function* gives for each item, as it is finished.

    Dask computes the items of a worker that died on another one; an item that killed several
    (``distributed.scheduler.allowed-failures``) is given up. A cluster may grow and shrink; one
    that has no worker for five minutes is an error. Few items per thread are handed out
    at a time, so that the scheduler's memory does not grow with their number.
    """
    distributed = _distributed()
    check_address(address)
    with _connected(distributed, address) as client:
        left = iter(enumerate(items))
        # It goes with every item. As a result that items depend on it would go to a worker once,
        # but from another worker, and when that one dies all wait for it: for minutes.
        submit = partial(_submit, client, pickle.dumps(function))
        places: dict[str, int] = {}
        handed = [submit(places, *one) for one in islice(left, _window(client))]
        finished = distributed.as_completed(
            handed, loop=client.loop, with_results=True, raise_errors=False
        )
        for future, result in _as_they_come(finished, client, address):
            place = places.pop(future.key)
            yield result if isinstance(result, Done) else Done(place, error=_reason(result))
            future.release()
            for one in islice(left, max(0, _window(client) - len(places))):
                finished.add(submit(places, *one))


def check_address(address: str) -> None:
    """Raise where work would travel beyond this machine for anybody to read and to change.

    What travels is pickled: whoever can write to the connection runs code at both its ends. So a
    scheduler elsewhere has to be reached by ``tls://``, with the certificates of Dask's own
    settings, unless those settings say that no encryption is required.

    >>> check_address("tcp://127.0.0.1:8786")
    >>> check_address("tls://head:8786")
    """
    import dask

    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    is_required = dask.config.get("distributed.comm.require-encryption", None)
    is_here = parts.hostname is None or is_loopback(parts.hostname)
    if parts.scheme in ("tls", "wss", "inproc") or is_here or is_required is False:
        return
    raise DataError(
        f"the Dask scheduler at {address!r} is on another machine and the connection is not "
        "encrypted; expected tls://host:8786 with certificates in Dask's settings, or "
        "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION=false in a network that you trust"
    )


def _as_they_come(finished: Any, client: Any, address: str) -> Iterator[tuple[Any, Any]]:
    """What is finished, until nothing is left; a cluster that stays without workers is an error."""
    seen = asked = time.monotonic()
    while not finished.is_empty():
        batch = finished.next_batch(block=False)
        yield from batch
        if batch:
            seen = time.monotonic()
            continue
        time.sleep(_PAUSE)
        now = time.monotonic()
        if now - asked > _DESERTED / 100:
            asked, seen = now, now if client.nthreads() else seen
        if now - seen > _DESERTED:
            raise StoreError(f"the Dask cluster at {address!r} has had no worker for a while")


def _window(client: Any) -> int:
    """How many items to have handed out now: workers come and go."""
    return _WINDOW * (sum(client.nthreads().values()) or 1)


def _submit(client: Any, work: bytes, places: dict[str, int], place: int, item: Any) -> Any:
    future = client.submit(_single_threaded, work, place, item, pure=False)
    places[future.key] = place
    return future


def _single_threaded(work: bytes, place: int, item: Any) -> Done[Any]:
    """A worker runs as many items at once as it has threads; each is to use one."""
    os.environ["RANKWISE_THREADS"] = "1"
    return attempt(_loaded(work), place, item)


@lru_cache(maxsize=1)
def _loaded(work: bytes) -> Callable[[Any], Any]:
    """The function; unpacked once, for it may hold much that all items share."""
    function: Callable[[Any], Any] = pickle.loads(work)
    return function


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
