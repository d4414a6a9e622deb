"""Types of the native core; ``module.cpp`` is its table of contents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def thread_count() -> int: ...
def token_counts(texts: Sequence[str]) -> NDArray[np.int64]: ...

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
