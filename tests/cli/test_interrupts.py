"""Ctrl-C in the midst of the native core, and commands that the memory does not suffice for."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rankwise.cli import main
from rankwise.cli.common.interrupts import prompt_interrupts

#: The loop of the second holds the thread in C for minutes, as a kernel does on a very long line.
PYTHON, NATIVE = "while True: pass", "hashlib.pbkdf2_hmac('sha256', b'a', b'b', 2**30)"
PROGRAM = """
import hashlib
from rankwise.cli.common import interrupts
interrupts.PATIENCE = 0.3
with interrupts.prompt_interrupts():
    print("begun", flush=True)
    {}
"""


def ticks(process):
    """The hundredths of a second that a process has computed for."""
    return int(Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11])


def is_at_work(process, until):
    for _ in range(1200):
        if ticks(process) > until:
            return
        time.sleep(0.05)


@pytest.mark.parametrize("work", [PYTHON, NATIVE], ids=["Python", "native"])
def test_an_interrupt_ends_the_process_soon(work):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", PROGRAM.format(work)], **pipes) as process:
        assert process.stdout.readline() == "begun\n"
        is_at_work(process, ticks(process) + 30)
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    if work is NATIVE:
        assert (process.returncode, said) == (1, "Aborted!\n")
    else:
        assert "KeyboardInterrupt" in said


def test_nothing_is_left_behind():
    before = signal.getsignal(signal.SIGINT)
    with prompt_interrupts(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1


@pytest.mark.parametrize("said", ["Unable to allocate 74.5 GiB for an array", ""])
def test_too_little_memory_is_a_sentence(monkeypatch, capsys, said):
    def fail(**_):
        raise MemoryError(said)

    monkeypatch.setattr("rankwise.cli.cli.main", fail)
    with pytest.raises(SystemExit) as ended:
        main(["rank"])
    assert ended.value.code == 1
    words = capsys.readouterr().err
    assert words.startswith("rankwise: there is not enough memory for this")
    assert said in words
