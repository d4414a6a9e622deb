"""Feature sets: what a learned metric sees of a translation."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rankwise._lazy import LazyClasses, lazy_names
from rankwise.learning.features.feature_class import Feature as Feature
from rankwise.learning.features.feature_class import Features as Features
from rankwise.learning.features.feature_class import FeatureSet as FeatureSet
from rankwise.types.named import parse

if TYPE_CHECKING:
    from rankwise.learning.features.beer_1_1 import Beer11 as Beer11
    from rankwise.learning.features.beer_2_0 import Beer20 as Beer20
    from rankwise.learning.features.beer_2014 import BeerFeatures as BeerFeatures
    from rankwise.learning.features.columns import Joined as Joined
    from rankwise.learning.features.columns import ToolScores as ToolScores
    from rankwise.learning.features.duh import Duh as Duh
    from rankwise.learning.features.soft import Soft as Soft
else:
    __getattr__, __dir__ = lazy_names(__name__)


#: Every feature set by its name.
FEATURE_SETS: Mapping[str, type[FeatureSet]] = LazyClasses(
    __name__,
    {
        "beer": "BeerFeatures",
        "beer-1.1": "Beer11",
        "beer-2.0": "Beer20",
        "duh": "Duh",
        "soft": "Soft",
    },
)


def feature_set(name: str) -> FeatureSet:
    """The feature set that *name* describes, as in ``beer:language=de`` or ``duh:subset=1-12``.

    >>> feature_set("duh:subset=1-13").names[-1]
    'smooth_bleu'
    """
    return parse(name, FEATURE_SETS)
