"""The state of the generator is that of numpy, which is not imported for it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.errors import DataError
from rankwise.types.seeds import generator_state


@given(st.one_of(st.integers(0, 2**33), st.integers(0, 2**300)))
def test_the_state_is_that_of_numpy(seed):
    state = np.random.PCG64(seed).state["state"]
    words = generator_state(seed).tolist()
    assert (words[0] << 64 | words[1], words[2] << 64 | words[3]) == (state["state"], state["inc"])


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None])
def test_a_seed_is_a_whole_number_from_0(seed):
    with pytest.raises(DataError, match="expected a whole number from 0"):
        generator_state(seed)
