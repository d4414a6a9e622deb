"""The test sets by name, as ``sacrebleu.DATASETS`` has them.

``SUBSETS``, sacreBLEU's notes on the documents of WMT18 and WMT19, is empty: they are its authors'
judgment, not a fact that could be carried over.
"""

from rankwise.compat.sacrebleu.dataset.base import Dataset
from rankwise.io.named_sets.set_list import named_sets

DATASETS: dict[str, Dataset] = {name: Dataset(found) for name, found in named_sets().items()}
SUBSETS: dict[str, dict[str, str]] = {}

__all__ = ["DATASETS", "SUBSETS", "Dataset"]
