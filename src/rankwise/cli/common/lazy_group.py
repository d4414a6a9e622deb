"""Groups whose commands are imported when they are called, so that ``--help`` answers at once."""

from collections.abc import Callable, Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """The commands of *lines*, each with its line in the help; *find* imports one."""

    def __init__(
        self, *given: Any, lines: Mapping[str, str], find: Callable[[str], Any], **settings: Any
    ) -> None:
        super().__init__(*given, **settings)
        self._lines, self._find = lines, find

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order people meet them."""
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command called *cmd_name*, imported now."""
        if cmd_name not in self._lines:
            return None
        command = self._find(cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines.items()))
