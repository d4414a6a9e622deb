"""A server that is stopped or killed ends, and so does everything that it started."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rankwise.errors import StoreError
from rankwise.server.background.health import Health
from rankwise.server.background.model_process import ModelProcess
from rankwise.server.background.refresher import Refresher
from rankwise.server.settings import Settings
from web_world import open_store

PATIENCE = 60

WORKERS = """
import os, signal, socket, sys, time
from rankwise.server import workers
from rankwise.server.workers import run_workers

workers.STOP_PATIENCE = 1.0  # in the workers too, which begin with this file

def work(listening):
    if "deaf" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    listening.listen()
    os.write(1, f"{os.getpid()}\\n".encode())  # in one piece: the other one writes there too
    while True:
        time.sleep(60)

if __name__ == "__main__":
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.set_inheritable(True)
    run_workers(2, work, (), listening)
"""


def gone(number):
    """Whether a process has ended."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("hears", ["all", "deaf"])  # the deaf ones lost the signal to stop
def test_workers_end_when_their_parent_is_killed(tmp_path, hears):
    script = tmp_path / "several.py"
    script.write_text(WORKERS)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, str(script), hears], **pipes) as process:
        workers = [int(process.stdout.readline()) for _ in range(2)]
        process.kill()
        ended = [gone(number) for number in workers]
    for number, has_ended in zip(workers, ended, strict=True):
        if not has_ended:
            os.kill(number, signal.SIGKILL)
    assert ended == [True, True]


SHORT_OF_MEMORY = """
import logging, multiprocessing.context, signal
logging.basicConfig()
START = multiprocessing.context.SpawnProcess.start
workers.SHORT_LIFE = 0.1
failing = [True, True]

def start(process, workers=[]):
    workers.append(process)
    if len(workers) > 2 and failing:
        failing.pop()
        raise OSError(12, "Cannot allocate memory")
    START(process)

multiprocessing.context.SpawnProcess.start = start
"""


def test_a_worker_that_cannot_be_started_is_tried_again(tmp_path):
    script = tmp_path / "several.py"
    script.write_text(WORKERS.replace("\nif __name__", f"{SHORT_OF_MEMORY}\nif __name__"))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, str(script)], **pipes) as process:
        try:
            first, second = (int(process.stdout.readline()) for _ in range(2))
            os.kill(first, signal.SIGKILL)
            third = int(process.stdout.readline() or 0)
            assert third not in (0, first, second)
            assert not Path(f"/proc/{first}").exists()
            os.kill(second, 0)  # it served on
            process.terminate()
            _, said = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 0
    assert said.count("no worker can be started now: [Errno 12] Cannot allocate memory") == 2
    assert gone(second)
    assert gone(third)


def asked_to_sleep(models):
    """Ask for what takes ten minutes, in a thread; what came of it."""
    found = []

    def ask():
        try:
            models._ask(time.sleep, 600)
        except StoreError as error:
            found.append(str(error))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    end = time.monotonic() + PATIENCE
    while models._running is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return thread, found


def test_nobody_waits_for_models_when_the_server_stops(tmp_path):
    store = open_store(tmp_path)
    models = ModelProcess(str(store.database.url))
    thread, found = asked_to_sleep(models)
    process, _ = models._running
    begun = time.monotonic()
    Refresher(store, Settings(), Health(), models).stop()
    thread.join(PATIENCE)
    assert time.monotonic() - begun < 30  # it took the ten minutes
    assert not process.is_alive()
    assert found == ["the server stops; no models are fitted any more"]
    with pytest.raises(StoreError, match="the server stops"):
        models.standings(1)
    store.database.close()


def fail_oddly():
    class OddError(Exception):
        pass

    raise OddError("by a class that cannot be sent")


def test_an_error_comes_back_however_odd_it_is(tmp_path):
    before = set(multiprocessing.active_children())  # other tests keep workers
    models = ModelProcess("sqlite:///nowhere")
    try:
        with pytest.raises(ZeroDivisionError) as found:
            models._ask(divmod, 1, 0)
        assert "Traceback" in found.value.__notes__[0]
        with pytest.raises(RuntimeError, match=r"OddError: by a class that cannot be sent"):
            models._ask(fail_oddly)
        assert models._ask(abs, -1) == 1
    finally:
        models.close()
    assert set(multiprocessing.active_children()) <= before


STUCK = """
import sys, time
from rankwise.cli import main
from rankwise.server import runner
runner.DRAIN_SECONDS, runner.LAST_SECONDS = 1, 2

def create(store, settings, create_app=runner.create_app):
    app = create_app(store, settings)
    app.add_api_route("/stuck", lambda: (print("begun", flush=True), time.sleep(600)))
    return app

runner.create_app = create
main(["serve", sys.argv[1], "--port", "0", "--no-example"])
"""


def test_a_request_that_does_not_end_does_not_keep_the_server(tmp_path):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", STUCK, str(tmp_path)], **pipes) as process:
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        for _ in range(1200):
            try:
                asking = socket.create_connection(("127.0.0.1", port), timeout=60)
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        with asking:
            asking.sendall(b"GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n")
            while process.stdout.readline() != "begun\n":
                pass
            process.terminate()
            try:
                _, said = process.communicate(timeout=PATIENCE)
            finally:
                process.kill()
    assert process.returncode == 0
    assert said.endswith("Stopped; what was still under way was broken off.\n")
