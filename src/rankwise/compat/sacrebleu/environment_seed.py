"""The seed of resampling, from the environment variable ``SACREBLEU_SEED``."""

import os

import numpy as np

from rankwise.errors import DataError

DEFAULT = "12345"


def seed_name() -> str:
    """What the variable says, as signatures print it: a number or ``none``."""
    return os.environ.get("SACREBLEU_SEED", DEFAULT).lower()


def seed_number() -> int:
    """The seed; a new one at every call if the variable says ``none``."""
    name = seed_name()
    if name == "none":
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    if not name.isdecimal():
        raise DataError(f"SACREBLEU_SEED is {name!r}; expected a whole number from 0, or none")
    return int(name)
