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
def ter_counts(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    twice: bool,
) -> NDArray[np.float64]: ...
def ter_operations(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    twice: bool,
) -> list[tuple[int, str, list[tuple[int, int, int]]]]: ...
def tercom_tokens(
    texts: Sequence[str], normalized: bool, no_punct: bool, asian_support: bool, twice: bool
) -> list[list[str]]: ...
