"""How often somebody may fail to get in, with longer waits as it goes on.

Failures count by address, and for passwords also by account and address together; whoever guesses
at somebody's password from elsewhere does not lock them out. An account as a whole has a limit so
generous that only a flood from many addresses reaches it, and then waits are short. Only failures
count, so that a room full of judges behind one address is never kept out. The counts live in this
process; with several workers each keeps its own.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import Request
from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from rankwise.server.web.errors import Refusal

#: Failures allowed per window; each next window is a longer wait.
PER_ADDRESS = "10/minute; 40/hour; 150/day"
PER_PAIR = "5/minute; 20/hour; 60/day"
PER_ACCOUNT = "60/minute; 600/hour"
#: argon2 takes 64 MiB and some 50 ms of a core per try: a flood must not take the server down.
HASHERS, HASH_WAIT = 2, 5.0


class Attempts:
    """The failures of late, and whether somebody has to wait."""

    def __init__(self) -> None:
        """Begin with none."""
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._windows = {
            "address": parse_many(PER_ADDRESS),
            "pair": parse_many(PER_PAIR),
            "account": parse_many(PER_ACCOUNT),
        }
        self._hashers = threading.BoundedSemaphore(HASHERS)

    def check(self, action: str, **keys: str) -> None:
        """429 with the seconds to wait, if *action* failed too often for one of *keys*."""
        for kind, value in keys.items():
            for window in self._windows[kind]:
                if not self._limiter.test(window, action, kind, value):
                    self._refuse(window, action, kind, value)

    def fail(self, action: str, **keys: str) -> None:
        """Count a failure of *action* under each of *keys*."""
        for kind, value in keys.items():
            for window in self._windows[kind]:
                self._limiter.hit(window, action, kind, value)

    @contextmanager
    def hashing(self) -> Iterator[None]:
        """Hold one of the few places in which a password is hashed; 503 if none gets free."""
        if not self._hashers.acquire(timeout=HASH_WAIT):
            message = "Too many people sign in at this moment. Try again in a few seconds."
            raise Refusal(503, "busy", message, headers={"Retry-After": "5"})
        try:
            yield
        finally:
            self._hashers.release()

    def _refuse(self, window: RateLimitItem, action: str, kind: str, value: str) -> None:
        ends = self._limiter.get_window_stats(window, action, kind, value).reset_time
        seconds = max(1, round(ends - time.time()))
        message = f"Too many tries that failed. Try again in {_spoken(seconds)}."
        raise Refusal(429, "too_many", message, headers={"Retry-After": str(seconds)})


def _spoken(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} seconds"
    minutes = -(-seconds // 60)
    return f"{minutes} minutes" if minutes < 120 else f"{-(-minutes // 60)} hours"


def password_keys(request: Request, name: str) -> dict[str, str]:
    """What a try at the password of account *name* counts under."""
    # an address holds no space, so that no two pairs share a key
    where = address(request)
    return {"address": where, "pair": f"{where} {name}", "account": name}


def address(request: Request) -> str:
    """Where a request comes from; behind a proxy only if that proxy is trusted."""
    return request.client.host if request.client else "unknown"
