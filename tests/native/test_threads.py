"""The thread pool as Python sees it: callers at once, forks, environment, exceptions, the GIL."""

import json
import os
import random
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from kernels import KERNELS
from rankwise import _core

#: Under AddressSanitizer, see scripts/check-slow.
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")

every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)


def sentences(count, *, words=12):
    """Made-up sentences of a small vocabulary."""
    rng = random.Random(7)
    vocabulary = ["the", "a", "cat", "sat.", "on", "mat,", "é", "3.5", "dog's", "&amp;"]
    return [" ".join(rng.choices(vocabulary, k=rng.randint(1, words))) for _ in range(count)]


def run(script, **environment):
    """What a fresh process prints, as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@every_kernel
def test_any_number_of_threads_gives_the_same(kernel, monkeypatch):
    hypotheses = sentences(600)
    results = []
    for threads in ("1", "2", "8"):
        monkeypatch.setenv("RANKWISE_THREADS", threads)
        results.append(kernel(hypotheses, hypotheses[::-1]))
    assert results[0] == results[1] == results[2]


@every_kernel
def test_two_callers_at_once(kernel, monkeypatch):
    """One gets the pool, the other works alone; both are right, whoever was first."""
    monkeypatch.setenv("RANKWISE_THREADS", "3")
    texts = sentences(500), sentences(400, words=25)
    expected = [kernel(some, some[::-1]) for some in texts]
    results = [[], []]
    start = threading.Barrier(2)

    def call(which):
        start.wait()
        for _ in range(4):
            results[which].append(kernel(texts[which], texts[which][::-1]))

    callers = [threading.Thread(target=call, args=(which,)) for which in (0, 1)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert results == [[expected[0]] * 4, [expected[1]] * 4]


FORKS = """
import json, os, threading
from rankwise import _core

texts = [f"some words number {i % 7} of {i}, {i}.{i}" for i in range(400)]
def rows():
    return _core.bleu_statistics(texts, texts[::-1], "13a", 4).sum(axis=0).tolist()

def in_child():
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, json.dumps([rows(), rows()]).encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as file:
        result = json.loads(file.read())
    os.waitpid(child, 0)
    return result

before = in_child()  # the pool is not there yet
expected = rows()
after = in_child()
stop = threading.Event()
def keep_busy():
    while not stop.is_set():
        rows()
busy = threading.Thread(target=keep_busy)
busy.start()
within = [in_child() for _ in range(30)]
stop.set()
busy.join()
children = [before, after, *within]
print(json.dumps([children == [[expected, expected]] * 32, rows() == expected]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.skipif(SANITIZED, reason="a fork leaves the sanitizer's own allocator locked")
def test_children_compute_too():
    """Threads do not survive a fork; a child forked in the midst of a job has a pool of its own."""
    assert run(FORKS, RANKWISE_THREADS="4") == [True, True]


def test_a_change_of_the_environment_counts_at_once(monkeypatch):
    for threads in (3, 1, 2):
        monkeypatch.setenv("RANKWISE_THREADS", str(threads))
        assert threads == _core.thread_count()
    monkeypatch.delenv("RANKWISE_THREADS")
    assert _core.thread_count() >= 1


@pytest.mark.parametrize(
    "garbage", ["", "x", "2x", "0", "-3", "1.5", "\x7f", os.fsdecode("２".encode())]
)
def test_garbage_in_the_environment_is_ignored(garbage, monkeypatch):
    monkeypatch.delenv("RANKWISE_THREADS", raising=False)
    usual = _core.thread_count()
    monkeypatch.setenv("RANKWISE_THREADS", garbage)
    assert usual == _core.thread_count()
    texts = sentences(200)
    assert _core.bleu_statistics(texts, texts, "none", 1)[:, 2].sum() > 200


def test_there_is_a_limit_to_threads(monkeypatch):
    monkeypatch.setenv("RANKWISE_THREADS", "9" * 30)
    assert _core.thread_count() == 1024


FAILURE = """
import json, resource
from rankwise import _core

texts = [f"some words {i}" for i in range(200)]
texts[150] = "word " * 4_000_000
rows = _core.chrf_statistics(["a b"] * 200, ["a c"] * 200, 6, 2, False).tolist()  # makes the pool
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (32 << 20), resource.RLIM_INFINITY))
raised = 0
for _ in range(3):
    try:
        _core.chrf_statistics(texts, texts, 6, 2, False)
    except MemoryError:
        raised += 1
again = _core.chrf_statistics(["a b"] * 200, ["a c"] * 200, 6, 2, False).tolist()
print(json.dumps([raised, again == rows]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the size of the process from /proc")
@pytest.mark.skipif(SANITIZED, reason="the sanitizer's shadow memory has no limit")
@pytest.mark.parametrize("threads", ["1", "4"])
def test_an_exception_in_a_chunk_is_the_callers(threads):
    """One segment is too large for the memory there is; the pool works on afterwards."""
    assert run(FAILURE, RANKWISE_THREADS=threads) == [3, True]


LONG = [kernel for kernel in KERNELS if kernel.releases]


def longest_gap(kernel, texts):
    """The longest time another thread had to wait during a call, as a share of the call."""
    moments = []
    stop = threading.Event()

    def watch():
        while not stop.wait(0.001):
            moments.append(time.perf_counter())

    watcher = threading.Thread(target=watch)
    watcher.start()
    begin = time.perf_counter()
    kernel.call(texts, texts[::-1])
    end = time.perf_counter()
    stop.set()
    watcher.join()
    marks = np.array([begin, *(moment for moment in moments if begin < moment < end), end])
    return np.diff(marks).max() / (end - begin)


@pytest.mark.parametrize("kernel", LONG, ids=lambda kernel: kernel.name)
def test_others_run_while_a_kernel_works(kernel, monkeypatch):
    """A call that held the GIL would be one gap. A busy machine may do the same to us, so that one
    good call of several is enough.
    """
    monkeypatch.setenv("RANKWISE_THREADS", "1")
    texts = sentences(2000, words=40)
    gaps = []
    while not gaps or (min(gaps) > 0.5 and len(gaps) < 6):
        gaps.append(longest_gap(kernel, texts))
        texts = texts * 2
    assert min(gaps) < 0.5
