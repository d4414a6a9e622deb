"""Feature sets: what a learned metric sees of a translation."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rankwise._lazy import LazyClasses, loader
from rankwise.learning.features.feature_class import Feature, Features, FeatureSet
from rankwise.types.named import parse

if TYPE_CHECKING:
    from rankwise.learning.features.beer_1_1 import Beer11
    from rankwise.learning.features.beer_2_0 import Beer20
    from rankwise.learning.features.beer_2014 import BeerFeatures
    from rankwise.learning.features.close import Close
    from rankwise.learning.features.columns import Columns, GivenColumn, Joined
    from rankwise.learning.features.duh import Duh
    from rankwise.learning.features.soft import Soft

_HOME = {
    "BeerFeatures": "beer_2014",
    "Beer11": "beer_1_1",
    "Beer20": "beer_2_0",
    "Close": "close",
    "GivenColumn": "columns",
    "Columns": "columns",
    "Duh": "duh",
    "Joined": "columns",
    "Soft": "soft",
}

#: Every feature set by its name.
FEATURE_SETS: Mapping[str, type[FeatureSet]] = LazyClasses(
    __name__,
    {
        "beer": "BeerFeatures",
        "beer-1.1": "Beer11",
        "beer-2.0": "Beer20",
        "close": "Close",
        "duh": "Duh",
        "soft": "Soft",
    },
)

__getattr__ = loader(__name__, _HOME)


def feature_set(name: str) -> FeatureSet:
    """The feature set that *name* describes, as in ``beer:language=de`` or ``duh:subset=1-12``.

    >>> feature_set("duh:subset=1-13").names[-1]
    'smooth_bleu'
    """
    return parse(name, FEATURE_SETS)


__all__ = [
    "FEATURE_SETS",
    "Beer11",
    "Beer20",
    "BeerFeatures",
    "Close",
    "Columns",
    "Duh",
    "Feature",
    "FeatureSet",
    "Features",
    "GivenColumn",
    "Joined",
    "Soft",
    "feature_set",
]
