"""The page about measures of agreement."""

from rankwise.agreement.lists.gain import CumulatedGain
from rankwise.agreement.lists.measure_names import LIST_MEASURES
from rankwise.agreement.lists.normalisation import normalise
from rankwise.agreement.tables.calibration import calibrated_accuracy
from rankwise.agreement.tables.soft_accuracy import soft_pairwise_accuracies
from rankwise.agreement.tables.table_measures import TABLE_MEASURES
from rankwise.compat.rankeval import NAMES
from rankwise.evaluate.meta.meta_evaluation import RECIPES
from reference_pages.docstrings import markdown
from reference_pages.named_things import sections, table

INTRO = """\
<!-- Written by scripts/make_reference.py from the modules of rankwise.agreement: change it there. -->

# Measures

A measure says how well anything that ranks agrees with people. There are two kinds. Measures of
ranked lists compare a predicted order of some items with the right one, list by list. Measures of
tables compare the scores of a metric with those of people, over systems and segments. Both are
typed as a name with options, `kendall:variant=wmt14` or `pearson:grouping=item`.
"""

LISTS = """\
## Of ranked lists

What `rankwise agree --measure` and `rw.list_measure` take. `ndcg@5` is short for `ndcg:k=5`,
`bph@2` for `bph:rank=2`, and `rankwise agree` takes `bph@all` for all ranks.
"""

TABLES = """\
## Of tables of scores

What `rankwise meta --measure` and `rw.table_measure` take. A table holds a score for every system and
segment. `level=system` compares the means of systems; `grouping` says which scores are compared
with each other: all of them (`none`), those of one segment (`item`), or those of one system
(`system`).
"""


def page() -> str:
    """Every measure with its options, other names, and the recipes that choose measures."""
    names = table(["RankEval", "here"], [(f"`{b}`", f"`{a}`") for a, b in NAMES.items()])
    recipes = [(f"`{a}`", ", ".join(f"`{m}`" for m in b)) for a, b in RECIPES.items()]
    parts = [
        INTRO,
        LISTS,
        sections(LIST_MEASURES, depth=3, in_order=True),
        _explained("What `k`, `gain` and `order` mean", CumulatedGain),
        _explained("What `ties` means", normalise),
        "### Names of RankEval\n\nWith `--compat rankeval`, these are known too:\n",
        names,
        TABLES,
        sections(TABLE_MEASURES, depth=3, in_order=True),
        _explained("How `acc-eq` finds its threshold", calibrated_accuracy),
        _explained("How `spa` is computed", soft_pairwise_accuracies),
        "### Recipes\n\nWhat `rankwise meta --recipe` takes: the measures of a year's task.\n",
        table(["recipe", "measures"], recipes),
    ]
    return "\n".join(parts)


def _explained(title: str, what: object) -> str:
    return f"### {title}\n\n{markdown(what.__doc__ or '')}\n"
