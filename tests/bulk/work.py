"""Functions that workers run: they must be importable there."""

import os
import signal
import sys
import time
from pathlib import Path

from rankwise.errors import DataError


def double(number):
    if number == 13:
        raise DataError("shard.txt:7: thirteen is unlucky")
    if number == 14:
        raise KeyError("plain bug")
    return 2 * number


def die_once(item):
    """Kill the process the first time that this item is met."""
    number, folder = item
    mark = Path(folder) / f"seen-{number}"
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.02)
    return number


def always_die(number):
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def say_and_sleep(folder):
    """Leave a file named by this process, and take long."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)


if __name__ == "__main__":
    from rankwise.engine import Site

    list(Site(workers=2).run(say_and_sleep, sys.argv[1:] * 4))
