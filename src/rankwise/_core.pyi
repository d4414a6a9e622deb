"""Types of the native core; ``module.cpp`` is its table of contents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def thread_count() -> int: ...

# tokens and n-grams
unicode_version: str

def tokenise(texts: Sequence[str], tokenizer: str) -> list[list[str]]: ...
def bleu_statistics(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    tokenizer: str,
    max_order: int,
) -> NDArray[np.int64]: ...
def overlap_statistics(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]], tokenizer: str
) -> NDArray[np.int64]: ...
def chrf_statistics(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    char_order: int,
    word_order: int,
    whitespace: bool,
) -> NDArray[np.int64]: ...

# resampling
class Resampler:
    def __init__(self, rows: NDArray[np.int64], state: NDArray[np.uint64]) -> None: ...
    def bootstrap(self, samples: int) -> NDArray[np.int64]: ...
    def coins(self, samples: int) -> NDArray[np.int64]: ...

class GroupResampler:
    def __init__(
        self,
        starts: NDArray[np.int64],
        cells: NDArray[np.int32],
        width: int,
        state: NDArray[np.uint64],
    ) -> None: ...
    def bootstrap(self, samples: int) -> NDArray[np.int64]: ...

# edits
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
