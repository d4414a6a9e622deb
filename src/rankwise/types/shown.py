"""Results that people look at: as a table, as plain data, as a data frame, in a notebook."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankwise.present.tables import Table


class Shown:
    """A result that can be looked at in one way, whatever it is.

    It knows that it can be shown, not how: ``rankwise.present`` knows, which lies above all results
    and is asked when somebody looks.
    """

    __slots__ = ()

    def table(self, *, for_programs: bool = False) -> "Table":
        """The table that the command prints; *for_programs* with every number in its own column."""
        found: Table = presented("result_tables").table_of(self, for_programs=for_programs)
        return found

    def to_dict(self) -> dict[str, Any]:
        """What the command prints as JSON: the rows as dictionaries, and what decides them."""
        found: dict[str, Any] = presented("tables").table_object(self.table(for_programs=True))
        return found

    def to_pandas(self) -> Any:
        """The rows as a pandas data frame; pandas is needed for this alone."""
        return presented("result_tables").data_frame(self.table(for_programs=True))

    def to_polars(self) -> Any:
        """The rows as a polars data frame; polars is needed for this alone."""
        return presented("result_tables").polars_frame(self.table(for_programs=True))

    def plot(self) -> Any:
        """The picture of a leaderboard, a scoreboard or a meta-evaluation, shown in notebooks.

        matplotlib is needed for this alone; ``plot().to_bytes("pdf")`` is the file for a paper.
        """
        return presented("figures.result_pictures").picture_of(self)

    def __str__(self) -> str:
        found: str = presented("tables").render(self.table(), "text")
        return found.rstrip("\n")

    def _repr_html_(self) -> str:
        found: str = presented("html_tables").html_table(self.table(), sortable=False)
        return found


def presented(module: str) -> Any:
    """A module of ``rankwise.present``, which knows how results are shown."""
    return import_module(f"rankwise.present.{module}")
