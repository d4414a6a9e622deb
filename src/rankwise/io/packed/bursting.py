"""Packed files that unpack to far more than any text does: made to fill memory, and refused."""

import os
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import StrPath, is_device, name_of, open_bytes

#: How many times its size a file may unpack to, and how much any file may; texts are under 30.
MOST_TIMES, ALWAYS = 100, 16 << 20
_BLOCK = 1 << 20


def must_not_burst(path: StrPath) -> None:
    """Raise where a packed file unpacks to more than a hundred times its size.

    What can be read once only (a pipe) is not looked at.
    """
    if os.fspath(path) == "-" or is_device(path) or not Path(path).is_file():
        return
    most = max(ALWAYS, MOST_TIMES * Path(path).stat().st_size)
    with open_bytes(path) as stream:
        left = most
        while left >= 0 and (block := stream.read(_BLOCK)):
            left -= len(block)
    if left < 0:
        said = f"unpacks to more than {MOST_TIMES} times its size; expected texts, which do not"
        raise DataError(f"{name_of(path)}: {said}")
