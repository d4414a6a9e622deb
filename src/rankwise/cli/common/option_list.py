"""Options of a command in the order in which its help shows them."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., object])


def all_options(*options: Callable[..., Any]) -> Callable[[F], F]:
    """Add all *options*, the first of them uppermost in the help."""

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add
