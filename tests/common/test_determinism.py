"""The same numbers to the last bit: any threads, hash seeds, places of work.

``scripts/check-slow pythons`` compares versions of Python by the same digests.
"""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rankwise as rw
from every_function import CALLS, ELSEWHERE, LEFT_OUT, digest

PROGRAM = Path(__file__).parents[1] / "every_function.py"
FUNCTIONS = {name for name in rw.__all__ if inspect.isfunction(getattr(rw, name))}


def digests(**environment):
    """The digests as another process finds them."""
    told = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    command = [sys.executable, "-W", "ignore", str(PROGRAM)]
    done = subprocess.run(command, capture_output=True, text=True, env=told, timeout=900)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def usual():
    """One thread, and a hash seed of 0."""
    return digests(RANKWISE_THREADS=1, PYTHONHASHSEED=0)


def test_every_public_function_is_called_or_left_out_for_a_reason():
    assert set(CALLS) | set(LEFT_OUT) == FUNCTIONS
    assert not set(CALLS) & set(LEFT_OUT)


def test_every_function_that_works_elsewhere_is_tried_there():
    takes_site = {n for n in FUNCTIONS if "site" in inspect.signature(getattr(rw, n)).parameters}
    assert set(ELSEWHERE) == takes_site


@pytest.mark.parametrize(("threads", "seed"), [(2, 1), (8, 2)])
def test_threads_and_hash_seeds_change_no_bit(usual, threads, seed):
    found = digests(RANKWISE_THREADS=threads, PYTHONHASHSEED=seed)
    assert set(found) == set(CALLS)
    assert {name for name in found if found[name] != usual[name]} == set()


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_processes_and_a_cluster_change_no_bit(usual, cluster, name):
    for site in (rw.Site(workers=2), rw.Site("dask", cluster.scheduler_address)):
        assert digest(ELSEWHERE[name](site)) == usual[name], site
