"""What every test shares: programs of the system, and a fixed hypothesis profile."""

import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "house", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("slow", parent=settings.get_profile("house"), max_examples=2000)
settings.load_profile(os.environ.get("RANKWISE_HYPOTHESIS", "house"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is absent, with a line saying what to install; in CI, fail."""
    for mark in item.iter_markers("requires_program"):
        (program,) = mark.args
        if shutil.which(program):
            continue
        message = f"needs {program}: install it with apt-get install {program}"
        if os.environ.get("CI") == "true":
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
