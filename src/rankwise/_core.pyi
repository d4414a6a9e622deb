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

# candidates against each other
def bleu_pairs(candidates: Sequence[str], tokenizer: str, max_order: int) -> NDArray[np.int64]: ...
def chrf_pairs(
    candidates: Sequence[str], char_order: int, word_order: int, whitespace: bool
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

# alignments

class ParaphraseTable:
    def __init__(self, text: bytes) -> None: ...
    def __len__(self) -> int: ...
    def word_ids(self, words: Sequence[str]) -> NDArray[np.int32]: ...

def meteor_words(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    *,
    normalise: bool,
    punctuation: bool,
    apostrophes: int,
    prefixes: Sequence[str],
    numeric_prefixes: Sequence[str],
) -> tuple[list[str], NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]: ...
def align_texts(
    ids: NDArray[np.uint32],
    starts: NDArray[np.int64],
    hyp_texts: NDArray[np.int64],
    ref_texts: NDArray[np.int64],
    *,
    keys: NDArray[np.int64],
    stems: NDArray[np.int64],
    first_synset: NDArray[np.int64],
    synsets: NDArray[np.int64],
    function: NDArray[np.uint8],
    phrase_words: NDArray[np.int32],
    paraphrases: ParaphraseTable | None,
    stages: str,
    original: bool,
    keep_matches: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]: ...
def align_candidates(
    candidates: NDArray[np.int32],
    hyp_length: int,
    ref_length: int,
    *,
    original: bool,
    beam: int,
) -> NDArray[np.int32]: ...

# agreement of tables of scores
def pair_counts(
    gold: NDArray[np.float64], metric: NDArray[np.float64], starts: NDArray[np.int64]
) -> NDArray[np.int64]: ...
def pair_counts_by(
    gold: NDArray[np.float64],
    metric: NDArray[np.float64],
    starts: NDArray[np.int64],
    least: float,
    strict: bool,
    epsilon: float,
) -> NDArray[np.int64]: ...
def tie_calibration(
    gold: NDArray[np.float64],
    metric: NDArray[np.float64],
    starts: NDArray[np.int64],
    weights: NDArray[np.int64],
) -> tuple[int, int, float]: ...
def exchanged_calibration(
    gold: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    starts: NDArray[np.int64],
    weights: NDArray[np.int64],
    coins: NDArray[np.uint8],
) -> NDArray[np.int64]: ...
def exchanged(
    kind: str,
    gold: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    starts: NDArray[np.int64],
    coins: NDArray[np.uint8],
) -> NDArray[np.float64]: ...
def exchanged_soft_accuracy(
    gold: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    coins: NDArray[np.uint8],
) -> NDArray[np.float64]: ...
def lifted_counts(excess: NDArray[np.int64], rounding: int) -> NDArray[np.int64]: ...
