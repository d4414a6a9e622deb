"""The weights of a PyTorch module as arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def weights_of(module: Any) -> dict[str, NDArray[Any]]:
    """Every weight of *module* by its name."""
    return {name: array_of(value) for name, value in module.state_dict().items()}


def array_of(value: Any) -> NDArray[Any]:
    """A tensor as an array in single precision."""
    return np.asarray(value.detach().float().cpu().numpy())
