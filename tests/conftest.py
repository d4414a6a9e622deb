"""What every test shares: the package, programs of the system, a fixed hypothesis profile."""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

#: Where Debian and its kin, an administrator and a user put fonts.
FONTS = [
    Path(folder).expanduser()
    for folder in ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts")
]

# The same examples in every run, so that a failure is the change's; "slow" looks for new ones.
settings.register_profile(
    "house",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile(
    "slow", parent=settings.get_profile("house"), derandomize=False, max_examples=2000
)
settings.load_profile(os.environ.get("RANKWISE_HYPOTHESIS", "house"))


def pytest_configure(config: pytest.Config) -> None:
    """Stop where the package under test does not lie in the folder RANKWISE_INSTALLED names."""
    wanted = os.environ.get("RANKWISE_INSTALLED")
    if wanted is None:
        return
    from rankwise import _core, cli

    for module in (cli, _core):
        if Path(wanted).resolve() not in Path(module.__file__).resolve().parents:
            raise pytest.UsageError(f"{module.__file__} was not installed into {wanted}")


def _missing(item: pytest.Item) -> Iterator[tuple[str, str]]:
    """What a test needs and this machine lacks, each with the package that brings it."""
    for mark in item.iter_markers("requires_program"):
        (program,) = mark.args
        if not shutil.which(program):
            yield program, program
    for mark in item.iter_markers("requires_font"):
        file, package = mark.args
        if not any(next(folder.rglob(file), None) for folder in FONTS):
            yield f"the font {file}", package


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that lacks something, with a line saying what to install; in CI, fail."""
    for what, package in _missing(item):
        message = f"needs {what}: install it with apt-get install {package}"
        if os.environ.get("CI") == "true":
            pytest.fail(message, pytrace=False)
        pytest.skip(message)


@pytest.fixture(scope="session")
def _cluster():
    distributed = pytest.importorskip("distributed")
    import dask

    # any free port: the usual one is taken where two processes of pytest have a cluster each
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    # a busy machine may take longer than the usual half minute to start two processes
    patience = {
        "distributed.comm.timeouts.connect": "120s",
        "distributed.comm.timeouts.tcp": "120s",
    }
    with dask.config.set(patience), distributed.LocalCluster(**options, processes=True) as running:
        yield running


@pytest.fixture
def cluster(_cluster, monkeypatch):
    """A Dask cluster of two worker processes; both live, though the test before killed one."""
    from distributed import Client

    monkeypatch.setattr("rankwise.engine.cluster._PATIENCE", "120s")
    _cluster.scale(2)
    end = time.monotonic() + 300
    with Client(_cluster, set_as_default=False) as client:
        # what is known of a worker that was just killed may be old: the workers say who they are
        while len(answer := client.run(os.getpid, on_error="ignore")) < 2 or (
            {worker.pid for worker in _cluster.workers.values()} != set(answer.values())
        ):
            assert time.monotonic() < end, answer
            time.sleep(0.05)
    return _cluster


@pytest.fixture
def toys(monkeypatch, tmp_path):
    """The toy metrics are installed; gives the batches that they compute."""
    import toy_metrics
    from rankwise.metrics.outside import plugins

    monkeypatch.setattr(plugins, "plugins", toy_metrics.announced())
    monkeypatch.setenv("RANKWISE_CACHE", str(tmp_path / "cache"))
    toy_metrics.BATCHES.clear()
    return toy_metrics.BATCHES
