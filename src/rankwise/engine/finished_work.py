"""The end of one piece of work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Done(Generic[Value]):
    """Item number ``place`` has a ``value``, or an ``error`` that says why not."""

    place: int
    value: Value | None = None
    error: str | None = None


def attempt(function: Callable[[Item], Value], place: int, item: Item) -> Done[Value]:
    """The value of *item*, or a sentence on what went wrong; runs on the worker.

    Anything may be raised by a broken input; it must not end the work on the others.
    """
    try:
        return Done(place, function(item))
    except Exception as error:
        from rankwise.errors import RankwiseError

        text = (
            str(error) if isinstance(error, RankwiseError) else f"{type(error).__name__}: {error}"
        )
        return Done(place, error=text)
