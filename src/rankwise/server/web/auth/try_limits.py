"""How often somebody may fail to get in, with longer waits as it goes on.

Failures count by address, and for passwords also by account and address together; whoever guesses
at somebody's password from elsewhere does not lock them out. An account as a whole has a limit so
generous that only a flood from many addresses reaches it, and then waits are short. Only failures
count, so that a room full of judges behind one address is never kept out; a try at a password is
counted before it is looked at, and taken back if it was right. The counts are in the database, so
that several workers allow no more tries than one; where it cannot be written, the answer is 503.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fastapi import Request

from rankwise.server.networks import network_of
from rankwise.server.phrases import Phrase, counted_phrase
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.web.refusals import Refusal

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
#: Failures allowed within so many seconds, for each kind of key; each next window is a longer wait.
WINDOWS: dict[str, tuple[tuple[int, int], ...]] = {
    "address": ((10, _MINUTE), (40, _HOUR), (150, _DAY)),
    "pair": ((5, _MINUTE), (20, _HOUR), (60, _DAY)),
    "account": ((60, _MINUTE), (600, _HOUR)),
}
MOST = max(count for windows in WINDOWS.values() for count, _ in windows)
#: argon2 takes 64 MiB and some 50 ms of a core per try: a flood must not take the server down.
HASHERS, HASH_WAIT = 2, 5.0


class Attempts:
    """The failures of late, as *store* has them, and whether somebody has to wait."""

    def __init__(self, store: CampaignStore) -> None:
        """Count in *store*."""
        self._store = store
        self._hashers = threading.BoundedSemaphore(HASHERS)

    def count(self, action: str, **keys: str) -> list[int]:
        """Count a try of *action* as a failure under each of *keys*, before it is looked at.

        The numbers of what was counted, for ``forgive``. 429 with the seconds to wait, and nothing
        counted, if there were too many for one of *keys*: of many tries at once no more get through
        than one after the other.
        """
        named = _named(action, keys)

        def look(found: dict[str, list[int]]) -> None:
            now = self._store.clock()
            _refuse_too_many([wait(found[key], now, WINDOWS[kind]) for kind, key in named.items()])

        return self._store.tries.take(named.values(), most=MOST, look=look)

    def forgive(self, counted: list[int]) -> None:
        """Take back what ``count`` counted: the try succeeded, or nobody looked at it."""
        self._store.tries.forget(counted)

    @contextmanager
    def password(self, action: str, **keys: str) -> Iterator[Callable[[], None]]:
        """Count a try at a password and hold a place to hash it; call what is given if it fits."""
        counted = self.count(action, **keys)
        try:
            with self.hashing():
                yield lambda: self.forgive(counted)
        except Refusal:
            self.forgive(counted)
            raise

    @contextmanager
    def hashing(self) -> Iterator[None]:
        """Hold one of the few places in which a password is hashed; 503 if none gets free."""
        if not self._hashers.acquire(timeout=HASH_WAIT):
            message = Phrase("Too many people sign in at this moment. Try again in a few seconds.")
            raise Refusal(503, "busy", message, headers={"Retry-After": "5"})
        try:
            yield
        finally:
            self._hashers.release()


def _named(action: str, keys: dict[str, str]) -> dict[str, str]:
    """What a failure is counted under, by kind."""
    return {kind: f"{action}\n{kind}\n{value}" for kind, value in keys.items()}


def wait(times: list[int], now: int, windows: tuple[tuple[int, int], ...]) -> int:
    """Seconds until every window has room again, 0 if all have; *times* are newest first.

    >>> wait([9_000, 8_000, 1_000], 10_000, ((2, 60), (3, 3600)))  # in ms
    3591
    >>> wait([9_000], 10_000, ((2, 60),))
    0
    """
    full = [(times[count - 1], seconds) for count, seconds in windows if len(times) >= count]
    ends = [at + 1000 * seconds - now for at, seconds in full]
    return max([0, *(-(-left // 1000) for left in ends if left > 0)])


def _refuse_too_many(waits: list[int]) -> None:
    if max(waits, default=0):
        message = Phrase(
            "Too many tries that failed. Try again in {time}.", time=_spoken(max(waits))
        )
        raise Refusal(429, "too_many", message, headers={"Retry-After": str(max(waits))})


def _spoken(seconds: int) -> Phrase:
    if seconds < 120:
        return counted_phrase(seconds, "{n} second", "{n} seconds")
    minutes = -(-seconds // 60)
    if minutes < 120:
        return counted_phrase(minutes, "{n} minute", "{n} minutes")
    return counted_phrase(-(-minutes // 60), "{n} hour", "{n} hours")


def password_keys(request: Request, name: str) -> dict[str, str]:
    """What a try at the password of account *name* counts under."""
    # an address holds no space, so that no two pairs share a key
    where = address(request)
    return {"address": where, "pair": f"{where} {name}", "account": name}


def address(request: Request) -> str:
    """Where a request comes from; behind a proxy only if that proxy is trusted.

    Of IPv6 it is the network: whoever has one address there has all of its network.
    """
    return network_of(request.client.host) if request.client else "unknown"
