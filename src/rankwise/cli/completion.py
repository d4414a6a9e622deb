"""``rankwise completion``: the completion script of a shell."""

import click
from click.shell_completion import get_completion_class

from rankwise.cli.common.output import echo


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of SHELL.

    For bash, add this line to ~/.bashrc:  eval "$(rankwise completion bash)"
    """
    from rankwise.cli import cli

    source = get_completion_class(shell)
    assert source is not None  # the three shells above are click's own
    echo(source(cli, {}, "rankwise", "_RANKWISE_COMPLETE").source())
