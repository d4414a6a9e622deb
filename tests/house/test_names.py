"""Names that people type have one spelling: small letters, digits, hyphens and dots."""

import re

import pytest

from rankwise.aggregate import MODELS
from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.aggregate.recipes import RECIPES
from rankwise.agreement import LIST_MEASURES, TABLE_MEASURES
from rankwise.agreement.lists.kendall import VARIANTS
from rankwise.agreement.lists.pair_formulas import VARIANTS as TABLE_VARIANTS
from rankwise.cli.rank.rank_options import PLOT_KINDS
from rankwise.evaluate.meta.meta_evaluation import RECIPES as META_RECIPES
from rankwise.io.format_table import FORMATS
from rankwise.judging.questions.model_protocols import MODEL_PROTOCOLS
from rankwise.learning.features import FEATURE_SETS
from rankwise.learning.learners import LEARNERS
from rankwise.metrics import METRICS
from rankwise.server.campaign.plan.protocols import PROTOCOLS
from rankwise.text.tokenise import TOKENIZERS

REGISTRIES = {
    "feature sets": FEATURE_SETS,
    "formats": [found.name for found in FORMATS],
    "learners": LEARNERS,
    "measures of ranked lists": LIST_MEASURES,
    "measures of score tables": TABLE_MEASURES,
    "metrics": METRICS,
    "models": MODELS,
    "pictures": PLOT_KINDS,
    "protocols": [*PROTOCOLS, *MODEL_PROTOCOLS],
    "recipes": [*RECIPES, *META_RECIPES],
    "strategies": STRATEGIES,
    "tokenizers": TOKENIZERS,
    "variants of Kendall's tau": [*VARIANTS, *TABLE_VARIANTS],
}


@pytest.mark.parametrize("kind", REGISTRIES)
def test_names_are_spelt_with_hyphens(kind):
    names = list(REGISTRIES[kind])
    assert names
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*", name)] == []


@pytest.mark.parametrize("known", [FEATURE_SETS, LIST_MEASURES, METRICS, MODELS, TABLE_MEASURES])
def test_a_thing_is_called_what_its_registry_says(known):
    assert [name for name, found in known.items() if found.name != name] == []
