"""Answers from the network: the parts that every protocol checks and turns round alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from rankwise.errors import DataError
from rankwise.server.records import Json

Answer = dict[str, Any]


def member(answer: Json, key: str) -> object:
    """The value of a key that must be there."""
    if not isinstance(answer, Mapping):
        raise DataError(f"the answer is {quoted(answer)}; expected an object with {key!r}")
    if key not in answer:
        raise DataError(f"the answer has no {key!r}")
    return answer[key]


def only(answer: Json, *keys: str) -> None:
    """Refuse any other key."""
    for key in answer:
        if key not in keys:
            raise DataError(f"the answer has an unknown key {quoted(key)}; expected {keys[0]!r}")


def numbers(answer: Json, key: str, size: int, least: int, most: int) -> list[int]:
    """A list of so many whole numbers within bounds; a truth value or 2.0 is none."""
    found = member(answer, key)
    if not isinstance(found, list | tuple) or len(found) != size:
        shown = f"{len(found)} entries" if isinstance(found, list | tuple) else quoted(found)
        raise DataError(f"the answer's {key!r} is {shown}; expected a list of {size} numbers")
    for place, value in enumerate(found, 1):
        if type(value) is not int or not least <= value <= most:
            raise DataError(
                f"entry {place} of the answer's {key!r} is {quoted(value)}; "
                f"expected a whole number from {least} to {most}"
            )
    return list(found)


def reordered(answer: Json, keys: Sequence[str], shown: Sequence[int], *, back: bool) -> Answer:
    """Lists of the right length change their order; anything else (half a draft) stays."""
    places = sorted(range(len(shown)), key=shown.__getitem__) if back else list(shown)
    return {
        key: [value[place] for place in places]
        if key in keys and isinstance(value, list | tuple) and len(value) == len(shown)
        else value
        for key, value in answer.items()
    }


def quoted(value: object) -> str:
    """A value for a message, however long it is."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
