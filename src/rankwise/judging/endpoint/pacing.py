"""When the next request may go out: so many a minute, and none while the endpoint asks to wait."""

import random
import threading
import time

#: The longest wait after a failure, in seconds; an endpoint that asks for more ends the run.
LONGEST_WAIT = 120.0


class Pace:
    """The turns of all threads that ask one endpoint."""

    def __init__(self, requests_per_minute: float | None = None) -> None:
        self._between = 60 / requests_per_minute if requests_per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait_for_turn(self, stop: threading.Event) -> bool:
        """Wait until it is this thread's turn; whether it came before *stop* was set."""
        while True:
            with self._lock:
                now = time.monotonic()
                left = self._next - now
                if left <= 0:
                    self._next = now + self._between
                    return not stop.is_set()
            if stop.wait(left):
                return False

    def pause(self, seconds: float) -> None:
        """No turn for anybody before *seconds* have passed."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)


def backoff_seconds(first: float, failures: int) -> float:
    """How long to wait after so many failures: twice as long each time, less a random half.

    >>> 2 <= backoff_seconds(1, 3) <= 4
    True
    """
    longest: float = min(LONGEST_WAIT, first * 2.0 ** (failures - 1))
    return longest * random.uniform(0.5, 1)
