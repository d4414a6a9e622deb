"""The page about models of preference, recipes and strategies."""

from rankwise.aggregate import MODELS
from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.aggregate.recipes import historic_ranking
from rankwise.aggregate.scalar import value_models
from rankwise.aggregate.scalar.value_recipes import VALUE_RECIPES, recipe_board
from rankwise.server.campaign.standings.boards import RANKING_MODELS, VALUE_MODELS
from reference_pages.docstrings import markdown
from reference_pages.named_things import sections

INTRO = """\
<!-- Written by scripts/make_reference.py from the modules of rankwise.aggregate: change it there. -->

# Models, recipes, strategies

A model turns the judgments of people into a score for every system. A recipe is what the
organisers of one year did, step by step. A strategy chooses what to ask people next.
[Rank systems](../how-to/rank-systems.md) says which model to take.

## Models

What `rankwise rank --model` and `rw.rank` take: a name with options, `bradley-terry:prior=0.1`.
"""

VALUES = """\
## Models of values

What `rankwise rank --model` takes for files of values (direct assessment, DA+SQM, ESA, MQM), and
`rw.rank_assessments`: a name with options, `mixed:average=domain`. The first is the default.
"""

CAMPAIGNS = """\
### In a campaign

`rankwise campaign status --model` and the dashboard show {ranking} where people rank, and
{values} where people give values. `mixed` is the model above, with a segment for a document; `means` is the plain
mean of the values of a system; `means-z` first takes every judge's own mean and spread away, so that a strict judge and a mild one count alike.
"""

RECIPES = """\
## Recipes

What `rankwise rank --recipe` and `rw.rank(recipe=...)` take.

### Of rankings

"""

VALUE_INTRO = """\
### Of values

What `rankwise rank --recipe` takes for files of values, and `rw.rank_assessments(recipe=...)`.

"""

VALUE_TABLE = """\
| recipe | used at | calls equal systems different | known from |
| --- | --- | --- | --- |
"""

STRATEGIES_INTRO = """\
## Strategies

What `rankwise next --strategy`, `rw.next_comparisons` and the key `strategy` of a campaign take:
a name with options, `paper:scale=5`.
"""


def page() -> str:
    """Every model, recipe and strategy."""
    campaigns = CAMPAIGNS.format(ranking=_listed(RANKING_MODELS), values=_listed(VALUE_MODELS))
    recipes = RECIPES + markdown(historic_ranking.__doc__ or "") + "\n"
    of_values = VALUE_INTRO + markdown(recipe_board.__doc__ or "") + "\n\n" + _value_recipes()
    values = [VALUES, sections(value_models.VALUE_MODELS, depth=3, in_order=True)]
    models = [INTRO, sections(MODELS, depth=3, in_order=True), *values, campaigns]
    parts = [*models, recipes, of_values]
    return "\n".join([*parts, STRATEGIES_INTRO, sections(STRATEGIES, depth=3, in_order=True)])


def _value_recipes() -> str:
    """A row for every recipe of values."""
    return VALUE_TABLE + "".join(
        f"| `{name}` | {recipe.years} | {recipe.separates:.0%} | {recipe.source} |\n"
        for name, recipe in VALUE_RECIPES.items()
    )


def _listed(names: object) -> str:
    *first, last = (f"`{name}`" for name in names)  # type: ignore[attr-defined]
    return f"{', '.join(first)} and {last}"
