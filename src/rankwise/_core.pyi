"""Types of the native core; ``module.cpp`` is its table of contents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def thread_count() -> int: ...
def token_counts(texts: Sequence[str]) -> NDArray[np.int64]: ...

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
