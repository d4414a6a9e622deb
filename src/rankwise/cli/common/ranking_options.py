"""The options that say how judgments are ranked, for every command that ranks systems by them."""

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from rankwise.types.defaults import USUAL_MODEL

if TYPE_CHECKING:
    from rankwise.aggregate.ranker import Ranker

Command = Callable[..., object]

#: How each field of a ranker is typed; none has a default here, because the ranker has them.
_FIELDS: Mapping[str, Mapping[str, Any]] = {
    "model": {"help": f"Ranks systems from judgments.  [default: {USUAL_MODEL}]"},
    "recipe": {
        "metavar": "NAME",
        "help": "An official procedure instead of a model, like wmt13, wmt15 or wmt16.",
    },
    "runs": {
        "type": click.IntRange(min=1),
        "help": "Resamples of the judgments.  [default: 1000]",
    },
    "seed": {"type": int, "help": "Same seed, same ranking.  [default: 1]"},
    "unit": {
        "type": click.Choice(["screen", "pair"]),
        "help": "What is resampled: whole screens, or single pairs as was done historically.  "
        "[default: screen]",
    },
    "level": {"type": float, "help": "Of ranges and intervals.  [default: 0.95]"},
}


def ranking_options(*fields: str, **typed: str) -> Callable[[Command], Command]:
    """Add options for these *fields* of a ranker; the command is given the ``ranker`` of them.

    *typed* is how an option is typed whose own name is taken, such as ``seed="--rank-seed"``.
    """
    names = {field: typed.get(field, f"--{field}") for field in fields}

    def add(function: Command) -> Command:
        @functools.wraps(function)
        def command(**given: Any) -> object:
            ranker = _ranker({field: given.pop(_parameter(names[field])) for field in fields})
            return function(ranker=ranker, **given)

        for field in reversed(fields):
            click.option(names[field], **_FIELDS[field])(command)
        return command

    return add


def was_typed(parameter: str) -> bool:
    """Whether the option that click calls so was given to the command that runs."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source == click.core.ParameterSource.COMMANDLINE


def _parameter(name: str) -> str:
    """What click calls an option that is typed like this."""
    return name.removeprefix("--").replace("-", "_")


def _ranker(values: Mapping[str, Any]) -> "Ranker":
    """The ranker of what was typed; a usage error for options that do not go together."""
    typed = {field: value for field, value in values.items() if value is not None}
    for field in ("model", "unit"):
        if "recipe" in typed and field in typed:
            raise click.UsageError(f"a --recipe brings its own --{field}: give either")
    from rankwise.aggregate.ranker import Ranker

    return Ranker(**typed)
