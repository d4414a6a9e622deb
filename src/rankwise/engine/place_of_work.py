"""Where work is done, as one value that functions hand on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from rankwise.errors import DataError

if TYPE_CHECKING:
    from rankwise.engine import Engine

Item = TypeVar("Item")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Site:
    """The options of :func:`rankwise.engine.run`: processes here, or a cluster elsewhere."""

    engine: "Engine" = "local"
    address: str | None = None
    workers: int | None = None

    @classmethod
    def named(
        cls, engine: "Engine | None", address: str | None, workers: int | None
    ) -> "Site | None":
        """The site of these options; None, for this process, where no engine is named."""
        if engine is not None:
            return cls(engine, address, workers)
        if address is not None or workers is not None:
            raise DataError("an address or a number of workers is for an engine; name the engine")
        return None

    def values(
        self,
        function: Callable[[Item], Value],
        items: Sequence[Item],
        *,
        on_done: Callable[[Item], object] | None = None,
    ) -> list[Value]:
        """What *function* gives for each item, in order; an item without a value is an error.

        *on_done* is called with every item when it is finished.
        """
        from rankwise.engine import run

        found: dict[int, Value] = {}
        where = {"engine": self.engine, "address": self.address, "workers": self.workers}
        for done in run(function, items, **where):  # type: ignore[arg-type]
            if done.error is not None:
                raise DataError(done.error)
            found[done.place] = done.value  # type: ignore[assignment]
            if on_done is not None:
                on_done(items[done.place])
        return [found[place] for place in range(len(items))]
