"""Does every item come back once, whatever happens to a worker?"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bulk.work import always_die, die_once, double
from rankwise.engine import Site
from rankwise.engine import cluster as engine_cluster
from rankwise.errors import DataError, StoreError


@pytest.fixture(params=["local", "dask"])
def where(request):
    if request.param == "local":
        return {"workers": 2}
    return {"engine": "dask", "address": request.getfixturevalue("cluster").scheduler_address}


def values(found):
    return {done.place: done.value for done in found}


def test_every_item_comes_back_once(where):
    found = list(Site(**where).run(double, range(10)))
    assert len(found) == 10
    assert values(found) == {place: 2 * place for place in range(10)}


def test_no_items_no_results(where):
    assert list(Site(**where).run(double, [])) == []


def test_an_item_that_raises_leaves_the_others_alone(where):
    found = {done.place: done for done in Site(**where).run(double, [12, 13, 14, 15])}
    assert found[1].error == "shard.txt:7: thirteen is unlucky"
    assert found[2].error == "KeyError: 'plain bug'"
    assert (found[0].value, found[3].value) == (24, 30)


def test_what_a_dead_worker_had_in_hand_is_computed_again(where, tmp_path):
    items = [(number, str(tmp_path)) for number in range(8)]
    found = list(Site(**where).run(die_once, items))
    assert (tmp_path / "seen-3").exists()
    assert sorted(done.value for done in found) == list(range(8))


def test_an_item_that_kills_every_worker_is_given_up():
    """On processes: a cluster whose workers die as they start may lose them all."""
    found = {done.place: done for done in Site(workers=2).run(always_die, range(6))}
    assert found[3].error == "the process that worked on it died, twice"
    assert [found[place].value for place in (0, 1, 2, 4, 5)] == [0, 1, 2, 4, 5]


class Deserted:
    """A cluster on which nothing is ever finished, as it has no workers."""

    def is_empty(self):
        return False

    def next_batch(self, *, block):
        assert not block
        return []

    def nthreads(self):
        return {}


def test_a_cluster_without_workers_is_not_waited_for_forever(monkeypatch):
    monkeypatch.setattr(engine_cluster, "_DESERTED", 0.2)
    with pytest.raises(StoreError, match="'tcp://x:1' has had no worker for a while"):
        next(engine_cluster._as_they_come(Deserted(), Deserted(), "tcp://x:1"))


def test_processes_end_with_the_one_that_started_them(tmp_path):
    """Killed without a word, as by a machine that runs out of memory."""
    tests = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": tests}
    command = [sys.executable, "-m", "bulk.work", str(tmp_path)]
    parent = subprocess.Popen(command, env=environment)
    try:
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        pids = [int(path.name) for path in tmp_path.iterdir()]
        assert all(map(is_alive, pids))
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    wait_until(lambda: not any(map(is_alive, pids)))


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(holds):
    end = time.monotonic() + 240
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "spark"}, "unknown engine 'spark'; choose from local, dask"),
        ({"engine": "dask"}, "needs the address of a scheduler"),
        ({"address": "tcp://x:1"}, "is for engine 'dask'"),
        ({"workers": 0}, "0 workers; expected at least 1"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(DataError, match=message):
        list(Site(**options).run(double, [1]))


def test_nobody_at_the_address(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("rankwise.engine.cluster._PATIENCE", "1s")
    with pytest.raises(StoreError, match="no Dask scheduler answers at"):
        list(Site("dask", "tcp://127.0.0.1:9").run(double, [1]))


@pytest.mark.parametrize(
    "address", ["tcp://head:8786", "10.0.0.7:8786", "tcp://[2001:db8::1]:8786"]
)
def test_work_does_not_leave_the_machine_in_the_clear(address):
    pytest.importorskip("distributed")
    with pytest.raises(DataError, match="not encrypted; expected tls://host:8786"):
        list(Site("dask", address).run(double, [1]))


@pytest.mark.parametrize(
    "address", ["tcp://localhost:1", "127.0.0.2:1", "tcp://[::1]:1", "tls://x:1"]
)
def test_where_work_may_go(address):
    pytest.importorskip("distributed")
    engine_cluster.check_address(address)


def test_whoever_trusts_a_network_says_so():
    dask = pytest.importorskip("dask")
    with dask.config.set({"distributed.comm.require-encryption": False}):
        engine_cluster.check_address("tcp://head:8786")


@pytest.fixture
def certificate(tmp_path):
    """A certificate that signs itself, and its key."""
    made = [tmp_path / "certificate.pem", tmp_path / "key.pem"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-out", str(made[0]), "-keyout", str(made[1])]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return [str(path) for path in made]


@pytest.mark.requires_program("openssl")
def test_certificates_are_those_of_dasks_settings(certificate, monkeypatch):
    distributed = pytest.importorskip("distributed")
    import dask

    monkeypatch.setattr("rankwise.engine.cluster._PATIENCE", "120s")
    tls = {"distributed.comm.tls.ca-file": certificate[0]}
    for role in ("scheduler", "worker", "client"):
        for kind, path in zip(("cert", "key"), certificate, strict=True):
            tls[f"distributed.comm.tls.{role}.{kind}"] = path
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with dask.config.set(tls):
        security = distributed.Security()
        with distributed.LocalCluster(**options, protocol="tls", security=security) as running:
            assert running.scheduler_address.startswith("tls://")
            found = Site("dask", running.scheduler_address).run(double, range(3))
            assert values(found) == {0: 0, 1: 2, 2: 4}
