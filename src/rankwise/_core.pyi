"""Types of the native core; ``module.cpp`` is its table of contents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def thread_count() -> int: ...
def token_counts(texts: Sequence[str]) -> NDArray[np.int64]: ...

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
