"""Bars and spinners appear on a terminal when work takes long, and nowhere else."""

import io
import sys
import threading
import time

import pytest

from evalset_folders import make_evalset
from rankwise.cli import main
from rankwise.cli.common import progress
from rankwise.io import write_judgments
from rankwise.types import Judgments, Ranking

CURSOR_IS_HIDDEN, CURSOR_IS_BACK = "\x1b[?25l", "\x1b[?25h\r\x1b[1A\x1b[2K"


class Screen(io.StringIO):
    """A stderr that is a terminal, or is not."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture
def screen(monkeypatch):
    def install(*, terminal: bool, patience: float = 0.01) -> Screen:
        shown = Screen(terminal=terminal)
        monkeypatch.setattr(sys, "stderr", shown)
        monkeypatch.setattr(progress, "PATIENCE", patience)
        monkeypatch.setenv("TERM", "xterm-256color")
        return shown

    return install


def wait_for(shown: Screen, text: str) -> None:
    """Until it is shown: a thread shows it, which on a busy machine takes its time."""
    end = time.monotonic() + 60
    while text not in shown.getvalue():
        assert time.monotonic() < end, shown.getvalue()
        time.sleep(0.01)


def take_long() -> None:
    with progress.working("reading judgments"):
        time.sleep(0.3)


def items():
    for _ in range(5):
        time.sleep(0.02)
        yield "four"


def test_long_work_says_what_it_is(screen):
    shown = screen(terminal=True)
    with progress.working("reading judgments"):
        wait_for(shown, "reading judgments")


@pytest.mark.parametrize(("terminal", "patience"), [(False, 0.01), (True, 60)])
def test_pipes_and_short_work_see_nothing(screen, terminal, patience):
    shown = screen(terminal=terminal, patience=patience)
    take_long()
    assert list(progress.with_progress(items(), "segments")) == ["four"] * 5
    assert shown.getvalue() == ""


def test_a_bar_counts(screen):
    shown = screen(terminal=True)
    assert list(progress.with_progress(items(), "segments", total=20)) == ["four"] * 5
    assert "segments" in shown.getvalue() and "/20" in shown.getvalue()


def test_the_spinner_goes_when_work_fails(screen):
    screen(terminal=True)
    with pytest.raises(ValueError, match="broken"), progress.working("reading"):
        raise ValueError("broken")


@pytest.mark.parametrize(("terminal", "patience"), [(False, 0.01), (True, 60)])
def test_reports_are_not_shown_in_pipes_or_at_once(screen, terminal, patience):
    shown = screen(terminal=terminal, patience=patience)
    with progress.reporting("runs", 10) as report:
        assert (report is not None) == terminal
    assert shown.getvalue() == ""


def test_reports_count_what_is_done(screen):
    shown = screen(terminal=True)
    with progress.reporting("runs", 40) as report:
        wait_for(shown, "runs")
        for _ in range(4):
            report(10)
        wait_for(shown, "40/40")


def test_pieces_are_counted_with_their_rate(screen):
    shown = screen(terminal=True)
    with progress.counting("segments", 4) as advance:
        wait_for(shown, "0/4")  # the bar is there before anything is done
        assert "segments" in shown.getvalue()
        advance(0, 2)
        advance(1000)
        wait_for(shown, "3/4")
    assert "1,000 segments" in shown.getvalue() and "/s" in shown.getvalue()


def test_a_metric_says_how_far_it_is_before_its_first_batch_is_done(screen):
    shown = screen(terminal=True)
    bar = progress.BatchBar()
    bar("comet", 0, 557)
    wait_for(shown, "comet: 0 of 557 texts")
    bar("comet", 128, 557)
    wait_for(shown, "128/557")
    bar("comet", 557, 557)
    assert shown.getvalue().endswith(CURSOR_IS_BACK)


def test_a_metric_that_is_quick_shows_no_bar(screen):
    shown = screen(terminal=True, patience=60)
    bar = progress.BatchBar()
    bar("comet", 0, 10)
    bar("comet", 10, 10)
    assert shown.getvalue() == ""


def test_the_bar_of_a_metric_goes_when_its_work_ends_early(screen, tmp_path, monkeypatch):
    monkeypatch.setenv("RANKWISE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    program, go = tmp_path / "slow.sh", tmp_path / "go"
    program.write_text(f"#!/bin/sh\nwhile [ ! -e {go} ]; do sleep 0.05; done\nexit 3\n")
    program.chmod(0o700)
    shown = screen(terminal=True)

    def let_go():
        try:
            wait_for(shown, "command: 0 of 2 texts")
        finally:
            go.touch()

    waiting = threading.Thread(target=let_go)
    waiting.start()
    with pytest.raises(SystemExit) as ended:
        main(["score", str(tmp_path / "a.txt"), "-m", f"command:{program}", "--resamples", "0"])
    waiting.join()
    assert ended.value.code == 1
    bar, after = shown.getvalue().split(CURSOR_IS_BACK)
    assert CURSOR_IS_HIDDEN in bar and "ended with exit code 3" in after


def test_comparing_metrics_shows_how_far_it_is(screen, tmp_path):
    """The bar advances pair by pair, and has an estimate."""
    folder = make_evalset(tmp_path / "wmt", ("en-de",))
    shown = screen(terminal=True, patience=0.0)
    with pytest.raises(SystemExit):
        main(["meta", "-t", str(folder), "--draws", "20"])
    assert "comparing metrics (percent)" in shown.getvalue()
    assert "/100" in shown.getvalue()


def test_comparing_systems_shows_how_far_it_is(screen, tmp_path):
    texts = {"one": "a cat\ndogs bark\n", "two": "a cat\ndog\n", "ref": "a cat\ndogs bark\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    one, two, ref = (str(tmp_path / name) for name in texts)
    shown = screen(terminal=True, patience=0.0)
    with pytest.raises(SystemExit):
        main(["compare", one, two, "-r", ref, "--resamples", "20"])
    assert "comparing (percent)" in shown.getvalue()
    assert "/100" in shown.getvalue()


def test_a_report_shows_how_far_it_is(screen, tmp_path):
    """Computing and drawing have a bar with an estimate."""
    folder = make_evalset(tmp_path / "wmt", ("en-de",))
    shown = screen(terminal=True, patience=0.0)
    out = ["-o", str(tmp_path / "report.html"), "--figures", str(tmp_path / "figures")]
    with pytest.raises(SystemExit):
        main(["report", "-t", str(folder), "-l", "en-de", "--draws", "20", *out])
    assert "evaluating (percent)" in shown.getvalue()
    assert "/100" in shown.getvalue()
    assert "drawing figures" in shown.getvalue()


def test_a_curve_of_predictions_shows_how_far_it_is(screen, tmp_path):
    rankings = [
        Ranking(str(n), "ann", ("A", "B", "C"), (1, 2, 3) if n % 3 else (3, 1, 2))
        for n in range(120)
    ]
    write_judgments(Judgments.from_rankings(rankings), tmp_path / "judgments.jsonl")
    shown = screen(terminal=True, patience=0.0)
    with pytest.raises(SystemExit):
        main(["rank", "--curve", "--runs", "3", str(tmp_path / "judgments.jsonl")])
    assert "foretelling (percent)" in shown.getvalue()
    assert "/100" in shown.getvalue()


def test_random_orders_are_counted(screen, tmp_path):
    """Each measure of every order is one step, so that the bar can say how long it will take."""
    rankings = [Ranking(str(n), "ann", ("A", "B", "C"), (1, 2, 3)) for n in range(40)]
    write_judgments(Judgments.from_rankings(rankings), tmp_path / "gold.jsonl")
    shown, path = screen(terminal=True, patience=0.001), str(tmp_path / "gold.jsonl")
    measures = ["--measure", "kendall", "--measure", "mrr"]
    with pytest.raises(SystemExit) as ended:
        main(["agree", path, path, *measures, "--samples", "0", "--permutations", "2000"])
    assert not ended.value.code
    assert "random orders" in shown.getvalue() and "/4000" in shown.getvalue()
