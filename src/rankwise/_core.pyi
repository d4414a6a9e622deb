"""Types of the native core; ``module.cpp`` is its table of contents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def thread_count() -> int: ...
def token_counts(texts: Sequence[str]) -> NDArray[np.int64]: ...
def edit_counts(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]], unit: int
) -> NDArray[np.int64]: ...
def edit_operations(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]], unit: int
) -> list[tuple[int, str]]: ...
