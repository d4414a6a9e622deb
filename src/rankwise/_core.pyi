"""Types of the native core; ``module.cpp`` is its table of contents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def thread_count() -> int: ...

# tokens and n-grams
unicode_version: str

def utf8_lines(block: bytes) -> list[str] | None: ...
def are_all_str(entries: Sequence[object]) -> bool: ...
def tokenise(texts: Sequence[str], tokenizer: str) -> list[list[str]]: ...
def lower_case(texts: Sequence[str]) -> list[str]: ...
def bleu_statistics(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    tokenizer: str,
    max_order: int,
) -> NDArray[np.int64]: ...
def bleu_scores(
    hyp_len: NDArray[np.float64],
    ref_len: NDArray[np.float64],
    percents: NDArray[np.float64],
    orders: NDArray[np.int64],
    compensated: bool,
) -> NDArray[np.float64]: ...
def bleu_totals(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    tokenizer: str,
    max_order: int,
) -> list[int]: ...
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
def chrf_totals(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    char_order: int,
    word_order: int,
    whitespace: bool,
) -> list[int]: ...

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
    def skip(self, samples: int) -> None: ...

# edits
def edit_counts(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]], unit: int
) -> NDArray[np.int64]: ...
def edit_distances(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]], unit: int
) -> NDArray[np.int64]: ...
def edit_totals(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]], unit: int
) -> list[int]: ...
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
def ter_totals(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    twice: bool,
) -> list[float]: ...
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
    listed_pairs: int = ...,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]: ...
def align_candidates(
    candidates: NDArray[np.int32],
    hyp_length: int,
    ref_length: int,
    *,
    original: bool,
    beam: int,
) -> NDArray[np.int32]: ...

# rating

_Floats = NDArray[np.float64]

def truncated(t: _Floats, margin: _Floats, is_tie: bool) -> _Floats: ...
def rate_pairs(
    means: _Floats,
    variances: _Floats,
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    sign: NDArray[np.int8],
    *,
    beta: float,
    epsilon: float,
    tau: float,
) -> _Floats: ...
def rate_matches(
    means: _Floats,
    variances: _Floats,
    starts: NDArray[np.int64],
    players: NDArray[np.int32],
    ranks: _Floats,
    *,
    beta: float,
    epsilon: float,
    tau: float,
) -> _Floats: ...

class RatingSetting:
    @property
    def beta(self) -> float: ...
    @property
    def epsilon(self) -> float: ...
    @property
    def tau(self) -> float: ...
    def __init__(
        self,
        systems: int,
        mean: float,
        variance: float,
        beta: float,
        epsilon: float,
        tau: float,
    ) -> None: ...

def rate_selected_pairs(
    better: NDArray[np.int32],
    worse: NDArray[np.int32],
    is_tie: NDArray[np.uint8],
    counts: NDArray[np.int64],
    setting: RatingSetting,
    *,
    matches: int,
    state: NDArray[np.uint64],
    first_run: int,
    runs: int,
) -> tuple[_Floats, _Floats, int]: ...
def rate_selected_matches(
    starts: NDArray[np.int64],
    players: NDArray[np.int32],
    ranks: _Floats,
    groups: NDArray[np.int64],
    setting: RatingSetting,
    *,
    matches: int,
    resample: bool,
    state: NDArray[np.uint64],
    first_run: int,
    runs: int,
) -> tuple[_Floats, _Floats, int]: ...
def rate_drawn_matches(
    starts: NDArray[np.int64],
    players: NDArray[np.int32],
    ranks: _Floats,
    groups: NDArray[np.int64],
    setting: RatingSetting,
    *,
    matches: int,
    state: NDArray[np.uint64],
    first_run: int,
    runs: int,
) -> tuple[_Floats, _Floats, int]: ...
def rate_all_pairs(
    better: NDArray[np.int32],
    worse: NDArray[np.int32],
    is_tie: NDArray[np.uint8],
    counts: NDArray[np.int64],
    setting: RatingSetting,
    *,
    tolerance: float,
) -> tuple[_Floats, _Floats, int]: ...

class NearRatings:
    def __init__(
        self,
        better: NDArray[np.int32],
        worse: NDArray[np.int32],
        is_tie: NDArray[np.uint8],
        base: NDArray[np.int64],
        setting: RatingSetting,
        *,
        tolerance: float,
    ) -> None: ...
    def rate(
        self, counts: NDArray[np.int64], *, tolerance: float
    ) -> tuple[_Floats, _Floats, int]: ...

def rate_all_matches(
    starts: NDArray[np.int64],
    players: NDArray[np.int32],
    ranks: _Floats,
    groups: NDArray[np.int64],
    setting: RatingSetting,
    *,
    tolerance: float,
    resample: bool,
    state: NDArray[np.uint64],
    first_run: int,
    runs: int,
) -> tuple[_Floats, _Floats, int]: ...
def hopkins_may(
    better: NDArray[np.int32],
    worse: NDArray[np.int32],
    is_tie: NDArray[np.uint8],
    counts: NDArray[np.int64],
    systems: int,
    *,
    deviation: float,
    radius: float,
    iterations: int,
    burn_in: int,
    state: NDArray[np.uint64],
    first_run: int,
    runs: int,
) -> tuple[_Floats, _Floats]: ...
def hopkins_may_segments(
    starts: NDArray[np.int64],
    players: NDArray[np.int32],
    ranks: _Floats,
    segments: NDArray[np.int64],
    systems: int,
    *,
    deviation: float,
    radius: float,
    iterations: int,
    resample: bool,
    state: NDArray[np.uint64],
    first_run: int,
    runs: int,
) -> _Floats: ...

# strengths
def joined_groups(
    left: NDArray[np.int32], right: NDArray[np.int32], systems: int
) -> NDArray[np.int32]: ...
def finite_estimates(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    systems: int,
    wins: _Floats,
    losses: _Floats,
    ties: _Floats,
) -> NDArray[np.uint8]: ...
def main_groups(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    systems: int,
    wins: _Floats,
    losses: _Floats,
    ties: _Floats,
) -> NDArray[np.uint8]: ...
def most_likely_strengths(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    systems: int,
    wins: _Floats,
    losses: _Floats,
    ties: _Floats,
    model: str,
    start: _Floats,
) -> tuple[_Floats, int]: ...

# the pairs that TrueSkill selects
def trace_selected_pairs(
    better: NDArray[np.int32],
    worse: NDArray[np.int32],
    is_tie: NDArray[np.uint8],
    counts: NDArray[np.int64],
    systems: int,
    *,
    mean: float,
    variance: float,
    beta: float,
    epsilon: float,
    tau: float,
    matches: int,
    state: NDArray[np.uint64],
    run: int,
) -> tuple[NDArray[np.int32], _Floats]: ...

# permutations
def permutation_steps(values: NDArray[np.int32]) -> NDArray[np.int32]: ...
def permutation_counts(
    values: NDArray[np.int32], starts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]: ...
def word_orders(
    matches: NDArray[np.int32], starts: NDArray[np.int64], hyp_lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]: ...

# features
def joined_ngrams(
    words: Sequence[str],
    ids: NDArray[np.uint32],
    starts: NDArray[np.int64],
    hyp_texts: NDArray[np.int64],
    ref_texts: NDArray[np.int64],
    *,
    max_order: int,
    utf16: bool,
) -> NDArray[np.int64]: ...
def piece_counts(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]]
) -> NDArray[np.int64]: ...

# ranked lists
def ranked_list_rows(
    starts: NDArray[np.int64],
    predicted: NDArray[np.float64],
    gold: NDArray[np.float64],
    codes: NDArray[np.int64],
    values: NDArray[np.float64],
) -> NDArray[np.float64]: ...
def normalise_ranks(
    starts: NDArray[np.int64], ranks: NDArray[np.float64], ties: int
) -> NDArray[np.float64]: ...
def flat_lists(
    lists: Sequence[Sequence[float | None]],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...

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
    most: int = ...,
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

# soft words
def split_words(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]]
) -> tuple[list[str], list[str], NDArray[np.uint32], NDArray[np.int64]]: ...
def words_of_pieces(
    ids: NDArray[np.uint32],
    starts: NDArray[np.int64],
    first: int,
    words: NDArray[np.uint32],
    lengths: NDArray[np.int64],
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]: ...
def soft_matches(
    words: Sequence[str],
    ids: NDArray[np.uint32],
    starts: NDArray[np.int64],
    hyp_texts: NDArray[np.int64],
    ref_texts: NDArray[np.int64],
    *,
    weights: NDArray[np.float64],
    firsts: NDArray[np.uint32],
    seconds: NDArray[np.uint32],
    likenesses: NDArray[np.float64],
) -> NDArray[np.float64]: ...

# letters
def letter_counts(
    hypotheses: Sequence[str], references: Sequence[str | Sequence[str]], max_order: int
) -> NDArray[np.int64]: ...
