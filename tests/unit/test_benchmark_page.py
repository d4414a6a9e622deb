"""The page of benchmarks: what is red, what is fitted, what is drawn."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch):
    """The scripts import each other by their bare names, and set the number of threads."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setenv("RANKWISE_THREADS", "1")
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(BENCHMARKS)):
            del sys.modules[name]


def test_every_benchmark_is_on_the_page():
    import run

    scripts = {path.stem for path in BENCHMARKS.glob("bench_*.py")} - {"bench_builds"}
    assert {part.script for part in run.PARTS} == scripts


def test_a_row_is_red_where_a_peer_is_ahead():
    import run

    rows = ["task  ratio", "a <b>  0.95x", "c  10.95x", "d  1.0x", "e  0.99x"]
    assert run.block("\n".join(rows)) == (
        "<pre>\n"
        "task  ratio\n"
        '<span style="color: #c62828">a &lt;b&gt;  0.95x</span>\n'
        "c  10.95x\n"
        "d  1.0x\n"
        '<span style="color: #c62828">e  0.99x</span>\n'
        "</pre>\n"
    )
    assert run.block("a  120x") == "```text\na  120x\n```\n"


def test_ratios_have_the_digits_that_tell_who_is_ahead():
    from harness import ratio_text

    expected = ["0.04x", "0.99x", "1.0x", "9.5x", "120x", "2,366x"]
    assert [ratio_text(r) for r in (0.044, 0.9999, 1.0, 9.46, 120.2, 2366)] == expected


def test_the_exponent_is_the_slope_of_logarithms():
    from bench_growth import Growth

    assert Growth("a", "b", [10, 100, 1000], [3.0, 300.0, 30_000.0]).exponent == pytest.approx(2)


def test_pictures_are_drawn_and_drawn_alike(tmp_path):
    from pictures import growth_lines, peer_bars

    timings = [{"task": "BLEU", "peer": "one", "ratio": ratio} for ratio in (0.5, 120.0)]
    growth = [
        {"task": "BLEU", "who": who, "sizes": [1, 10], "seconds": [1e-3, 1e-2], "exponent": 1.0}
        for who in ("rankwise", "one")
    ]
    for draw, rows in ((peer_bars, timings), (growth_lines, growth)):
        one, two = tmp_path / "one.svg", tmp_path / "two.svg"
        draw(rows, one)
        draw(rows, two)
        assert one.read_bytes() == two.read_bytes()
        assert one.read_text(encoding="utf-8").count("<path") > 5


def test_texts_of_every_script_are_distinct_lines(monkeypatch):
    import script_texts

    monkeypatch.setattr(script_texts, "FOLDER", Path("nowhere"))
    for script in script_texts.SCRIPTS:
        hypotheses, references, source = script_texts.texts_in(script, 50)
        assert (len(hypotheses), len(set(references)), source) == (50, 50, "made-up text")
        assert hypotheses != references


def test_a_part_that_takes_too_long_is_ended_with_what_it_started():
    import run

    program = "import subprocess, sys; print('a row', flush=True); "
    program += "subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    printed = run.output([sys.executable, "-c", program], 3)
    assert not printed.has_failed
    assert printed.text.splitlines() == ["a row", "(ended after 3 s; the rest was not measured)"]


def test_a_part_that_fails_is_named_and_what_it_printed_is_kept():
    import run

    printed = run.output([sys.executable, "-c", "print('a row'); raise SystemExit(3)"], 60)
    why = "(failed with exit code 3; the rest was not measured)"
    assert printed == run.Printed(f"a row\n{why}", has_failed=True)


def test_the_rest_is_measured_when_a_part_fails_and_nothing_once_the_time_is_up(
    tmp_path, monkeypatch, capsys
):
    import run

    for name, program in {"bad": "raise SystemExit(3)", "good": "print('a  0.5x')"}.items():
        (tmp_path / f"{name}.py").write_text(program, encoding="utf-8")
    monkeypatch.setattr(run, "HERE", tmp_path)
    monkeypatch.setattr(run, "PARTS", [run.Part("bad", "Bad"), run.Part("good", "Good")])
    page = tmp_path / "page.md"
    monkeypatch.setattr(sys, "argv", ["run.py", "--page", str(page)])
    with pytest.raises(SystemExit, match="failed: bad"):
        run.main()
    written = page.read_text(encoding="utf-8")
    assert "failed with exit code 3" in written
    assert '<span style="color: #c62828">a  0.5x</span>' in written
    monkeypatch.setattr(sys, "argv", ["run.py", "--total", "0", "--page", str(page)])
    run.main()
    assert page.read_text(encoding="utf-8").count("not measured: the whole run") == 2


def test_a_file_of_timings_is_whole_or_as_it_was(tmp_path):
    import harness

    place = tmp_path / "found.json"
    harness.write_json(place, [])
    with pytest.raises(TypeError):
        harness.write_json(place, [], more=object())
    assert place.read_text(encoding="utf-8") == '{\n "timings": []\n}\n'
    assert [path.name for path in tmp_path.iterdir()] == ["found.json"]


def test_one_run_of_a_slow_peer_is_enough(monkeypatch):
    import harness

    monkeypatch.setattr(harness, "LONG", -1.0)
    calls = []
    harness.compare("task", 1, lambda: 1.0, lambda: calls.append(1) or 1.0, peer="peer", repeats=3)
    assert len(calls) == 1
