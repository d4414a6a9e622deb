"""The options that say where work is done, for commands that may do it elsewhere."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeVar

import click

from rankwise.cli.common.option_list import all_options

if TYPE_CHECKING:
    from rankwise.engine import Site

F = TypeVar("F", bound=Callable[..., object])
Engine = Literal["local", "dask"]


def engine_options(help_text: str) -> Callable[[F], F]:
    """Add ``--engine``, which *help_text* explains, ``--address`` and ``--workers``."""
    return all_options(
        click.option("--engine", type=click.Choice(["local", "dask"]), help=help_text),
        click.option(
            "--address",
            metavar="URL",
            help="With --engine dask: the scheduler, like tls://host:8786.",
        ),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            help="With --engine local: how many processes.  [default: one per CPU]",
        ),
    )


def site_of(engine: Engine | None, address: str | None, workers: int | None) -> "Site | None":
    """Where the options say work is done; a usage error for those that do not go together."""
    if engine is None and (address is not None or workers is not None):
        raise click.UsageError("--address and --workers need --engine")
    if engine == "dask" and address is None:
        raise click.UsageError("--engine dask needs --address of a scheduler")
    if engine == "dask" and workers is not None:
        raise click.UsageError("--workers is for --engine local: a cluster has its own")
    if engine == "local" and address is not None:
        raise click.UsageError("--address is for --engine dask")
    if engine is None:
        return None
    from rankwise.engine import Site

    return Site(engine, address, workers)
