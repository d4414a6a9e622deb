"""Exact output, messages and exit codes of the commands."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import rankwise
from rankwise.cli import COMMANDS, cli
from rankwise.cli.demo import SERVER


@pytest.fixture
def texts(tmp_path, monkeypatch) -> Path:
    """Two systems, a reference, and rankings of the two, in the current folder."""
    (tmp_path / "ref.txt").write_text("the cat sat on the mat\nit is raining\n", encoding="utf-8")
    (tmp_path / "good.txt").write_text("the cat sat on the mat\nit is raining\n", encoding="utf-8")
    (tmp_path / "bad.txt").write_text("cat the on mat\nrain it\n", encoding="utf-8")
    header = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,"
    rows = [f"cs,en,{s},{s},ann,good,1,bad,2,{s}" for s in (1, 2)]
    text = "\n".join([header + "system2Id,system2rank,rankingID", *rows]) + "\n"
    (tmp_path / "ranks.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_rank_reads_stdin(texts):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "rankwise",
            "rank",
            "-",
            "--model",
            "expected-wins",
            "--format",
            "tsv",
        ],
        input=(texts / "ranks.csv").read_bytes(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().splitlines()[1] == "1\t1\t1\t1.0\t0.0\t1.0\tgood"


def test_meta_compares_metrics_with_people(texts, run):
    arguments = ("-j", "ranks.csv", "-r", "ref.txt", "good.txt", "bad.txt", "-m", "f1")
    done = run("meta", *arguments, "--format", "tsv")
    header, row = (line.split("\t") for line in done.stdout.splitlines())
    assert header == ["metric", "Pearson", "Kendall", "accuracy", "segment tau", "pairs"]
    assert row[0] == "f1"
    assert [float(cell) for cell in row[1:]] == pytest.approx([1, 1, 1, 1, 2])


def test_report_is_written_whole_or_not_at_all(texts, run):
    arguments = ("-j", "ranks.csv", "-r", "ref.txt", "good.txt", "bad.txt", "-m", "f1")
    done = run("report", *arguments, "-o", "report.html")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "report: report.html\n")
    assert "good" in (texts / "report.html").read_text(encoding="utf-8")
    failed = run("report", *arguments, "-o", "missing/report.html")
    assert failed.exit_code == 1
    assert failed.stderr.startswith("rankwise: missing/report.html: cannot be written")


def test_convert_says_what_was_lost(texts, run):
    to_native = run("convert", "ranks.csv", "ranks.jsonl")
    assert to_native.exit_code == 0
    assert to_native.stderr == (
        "judgments from wmt-pairwise to jsonl: 2 rankings, 0 skipped, 2 systems, 1 judges\n"
    )
    back = run("convert", "ranks.jsonl", "again.csv")
    assert "lost" not in back.stderr
    assert (texts / "again.csv").read_bytes() == (texts / "ranks.csv").read_bytes()
    lossy = run("convert", "ranks.jsonl", "-", "--to", "pwcmp")
    assert lossy.stderr.count("lost: ") >= 1
    assert lossy.stdout.startswith("observer,session,scene,condition_A,condition_B,is_A_selected\n")


def test_convert_passes_typed_options(texts, run):
    done = run("convert", "ranks.csv", "wide.csv", "--to", "wmt-csv", "--option", "columns=3")
    assert done.exit_code == 0
    header = (texts / "wide.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.endswith("system1rank,system2rank,system3rank")
    assert run("convert", "ranks.csv", "x.csv", "--option", "nonsense").exit_code == 2
    unknown = run("convert", "ranks.csv", "x.jsonl", "--option", "colour=red")
    assert unknown.exit_code == 1
    assert "has no option 'colour'" in unknown.stderr


def test_sample_keeps_files_aligned_and_in_order(texts, run):
    for name in ("src.txt", "hyp.txt"):
        lines = [f"{name} {number}\n" for number in range(1, 101)]
        (texts / name).write_text("".join(lines), encoding="utf-8")
    done = run("sample", "src.txt", "hyp.txt", "--size", 10, "--seed", 3, "-o", "small")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "sample: 10 segments -> small\n"
    numbers = [int(line) for line in (texts / "small/lines.txt").read_text().split()]
    assert numbers == sorted(set(numbers)) and len(numbers) == 10
    for name in ("src.txt", "hyp.txt"):
        drawn = (texts / "small" / name).read_text(encoding="utf-8").splitlines()
        assert drawn == [f"{name} {number}" for number in numbers]
    again = run("sample", "src.txt", "--size", 10, "--seed", 3, "-o", "again")
    assert again.exit_code == 0
    assert (texts / "again/lines.txt").read_text() == (texts / "small/lines.txt").read_text()


def test_sample_makes_disjoint_parts_and_keeps_documents_together(texts, run):
    (texts / "src.txt").write_text("".join(f"{n}\n" for n in range(60)), encoding="utf-8")
    documents = "".join(f"news\tdoc{n // 6}\n" for n in range(60))
    (texts / "docs.tsv").write_text(documents, encoding="utf-8")
    done = run(
        "sample", "src.txt", "--train", -1, "--validation", 12, "--test", 12,
        "--documents", "docs.tsv", "-o", "parts",
    )  # fmt: skip
    assert done.exit_code == 0
    parts = {
        name: [int(line) for line in (texts / "parts" / name / "src.txt").read_text().split()]
        for name in ("train", "validation", "test")
    }
    assert sorted(number for part in parts.values() for number in part) == list(range(60))
    owners = [{number // 6 for number in part} for part in parts.values()]
    assert not (owners[0] & owners[1] or owners[0] & owners[2] or owners[1] & owners[2])
    assert [len(parts[name]) for name in ("validation", "test")] == [12, 12]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--size", 9], 1, "9 segments are asked for, but there are 2"),
        (["--size", 1, "--test", 1], 2, "give either --size"),
        ([], 2, "give either --size"),
    ],
)
def test_sample_refuses_what_cannot_be(texts, run, arguments, code, message):
    done = run("sample", "ref.txt", *arguments, "-o", "out")
    assert done.exit_code == code
    assert message in done.stderr
    assert not (texts / "out").exists()


def test_sample_wants_parallel_files_of_different_names(texts, run):
    (texts / "long.txt").write_text("1\n2\n3\n", encoding="utf-8")
    done = run("sample", "ref.txt", "long.txt", "--size", 1, "-o", "out")
    assert done.exit_code == 1
    assert "long.txt has 3 lines, but ref.txt has 2; expected parallel files" in done.stderr
    (texts / "other").mkdir()
    (texts / "other/ref.txt").write_text("1\n2\n", encoding="utf-8")
    done = run("sample", "ref.txt", "other/ref.txt", "--size", 1, "-o", "out")
    assert "two of the files are called 'ref.txt'" in done.stderr
    assert not (texts / "out").exists()


def test_sample_overwrites_nothing(texts, run):
    (texts / "out").mkdir()
    done = run("sample", "ref.txt", "--size", 1, "-o", "out")
    assert done.exit_code == 1
    assert "exists" in done.stderr
    assert list((texts / "out").iterdir()) == []


def test_demo_runs_everything(tmp_path, run):
    done = run("demo", "-o", tmp_path / "demo")
    assert done.exit_code == 0
    report = tmp_path / "demo" / "report.html"
    assert f"\nThe report: {report.as_uri()}\n" in done.stdout
    assert done.stdout.endswith(f"{SERVER}\n")
    for word in ("$ rankwise score", "$ rankwise rank", "$ rankwise meta", "cluster", "Pearson"):
        assert word in done.stdout
    assert "<svg" in report.read_text(encoding="utf-8")


def test_a_missing_file_is_one_line(run):
    done = run("rank", "no-such-file.csv")
    assert done.exit_code == 1
    assert done.stderr == "rankwise: no-such-file.csv: cannot be read: No such file or directory\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [["formats"], ["completion", "bash"], ["--help"], ["--version"], ["rank", "--help"]],
    ids=" ".join,
)
def test_a_full_disk_behind_stdout_is_one_line(arguments):
    command = [sys.executable, "-m", "rankwise", *arguments]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert done.returncode == 1
    assert done.stderr == "rankwise: <stdout>: cannot be written: No space left on device\n"


def test_an_unknown_command_is_wrong_usage(run):
    done = run("rnak")
    assert done.exit_code == 2
    assert "No such command 'rnak'" in done.stderr


def test_version(run):
    assert run("--version").stdout == f"rankwise, version {rankwise.__version__}\n"


def test_the_list_of_commands_says_what_each_command_says(run):
    for name, line in COMMANDS.items():
        first = " ".join(run(name, "--help").stdout.split("\n\n")[1].split())
        assert line.rstrip(".").split()[0] == first.split()[0]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(run, shell):
    assert "_RANKWISE_COMPLETE" in run("completion", shell).stdout


def test_completion_completes(monkeypatch):
    environment = os.environ | {
        "_RANKWISE_COMPLETE": "bash_complete",
        "COMP_WORDS": "rankwise co",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [str(Path(sys.executable).parent / "rankwise")],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["plain,compare", "plain,convert", "plain,completion"]


def every_command():
    for name in COMMANDS:
        found = cli.get_command(click.Context(cli), name)
        if isinstance(found, click.Group):
            within = click.Context(found)
            for each in found.list_commands(within):
                yield f"{name} {each}", found.get_command(within, each)
        else:
            yield name, found


@pytest.mark.parametrize(("name", "command"), [*every_command()])
def test_no_command_shows_more_than_twenty_options(run, name, command):
    options = [p for p in command.params if isinstance(p, click.Option) and p.name != "help_all"]
    rare = getattr(command, "rare", frozenset())
    assert len(options) - len(rare) <= 20
    assert rare <= {spelt for option in options for spelt in option.opts}
    text = run(*name.split(), "--help").stdout
    for option in options:
        assert (option.opts[-1] in text.split()) != bool(rare & {*option.opts}), option.opts
    if rare:
        everything = run(*name.split(), "--help-all").stdout.split()
        assert {option.opts[-1] for option in options} <= {*everything}


def test_a_name_in_a_file_is_no_command_for_the_terminal(run, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("judge,segment,system,\x1b]0;title\x07\x9b2J\r\na,1,A,2\n", "utf-8")
    for asked in (["rank", path], ["convert", path, tmp_path / "out.jsonl"]):
        found = run(*asked)
        assert found.exit_code == 1
        assert found.stderr.isascii()
        assert found.stderr.rstrip("\n").isprintable()
        assert "title" in found.stderr
