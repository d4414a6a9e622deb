"""Files that hold several things: the message names a way that exists, and it works."""

import shlex
from pathlib import Path

import pytest

import rankwise as rw
from evalset_folders import make_evalset

EXAMPLE = Path(rw.__file__).parent / "bundled" / "example"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Scores of two kinds, an EvalSet of two pairs, judgments and texts."""
    cells = [(kind, s, i) for kind in ("DA", "z score") for s in ("one", "two") for i in (1, 2)]
    lines = ["kind\tsystem\tseg\tscore", *(f"{k}\t{s}\t{i}\t{i + len(s)}" for k, s, i in cells)]
    write(tmp_path / "kinds.tsv", *lines)
    write(tmp_path / "ref.txt", "a b", "c d")
    write(tmp_path / "one.txt", "a b", "c")
    write(tmp_path / "two.txt", "a", "c d")
    make_evalset(tmp_path / "wmt")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, *lines: str) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


TEXTS = ("-r", "ref.txt", "one.txt", "two.txt")


@pytest.mark.parametrize(
    "command",
    [
        ("score", "--scores", "kinds.tsv", "--resamples", 0),
        ("score", *TEXTS, "-m", "f1", "--scores", "kinds.tsv", "--resamples", 0),
        ("meta", *TEXTS, "--human", "kinds.tsv", "--draws", 20),
        ("meta", *TEXTS, "--human", "kinds.tsv", "--scores", "kinds.tsv", "--draws", 20),
        ("report", *TEXTS, "--human", "kinds.tsv", "--draws", 0, "-o", "page.html"),
        ("report", *TEXTS, "--scores", "kinds.tsv", "--draws", 0, "-o", "page.html"),
    ],
)
def test_what_the_message_says_works(run, command):
    done = run(*command)
    assert done.exit_code == 1
    said = done.stderr.partition("; rankwise ")[2]
    assert said.endswith(" writes one of them\n"), done.stderr
    words = shlex.split(said.removesuffix(" writes one of them\n").replace("OUT", "part.tsv"))
    assert run(*words).exit_code == 0
    again = run(*(str(word).replace("kinds.tsv", "part.tsv") for word in command))
    assert again.exit_code == 0 or "two" in again.stderr, again.stderr
    assert "there are several" not in again.stderr


@pytest.mark.parametrize(
    "command", [("score", "-t", "wmt"), ("report", "-t", "wmt", "-o", "page.html")]
)
def test_a_language_pair_has_an_option(run, command):
    done = run(*command)
    assert done.stderr == (
        "rankwise: wmt: option 'language_pair': there are several; choose from en-de, he-en, with "
        "--language-pair\n"
    )
    assert run(*command, "--language-pair", "he-en").exit_code == 0


def test_a_command_without_the_option_says_another_way(run):
    done = run("learn", "-t", "wmt", "-j", EXAMPLE / "judgments.jsonl", "-o", "m.json")
    assert "--language-pair" not in done.stderr
    assert "rankwise convert wmt OUT --option language_pair=en-de" in done.stderr
    done = run("convert", "wmt", "out.jsonl")
    assert done.stderr.endswith("choose from en-de, he-en, with --option language_pair=...\n")
    assert run("convert", "wmt", "out.jsonl", "--option", "language_pair=en-de").exit_code == 0


# -- columns that are no systems -------------------------------------------------------------------


def test_a_column_of_numbers_is_no_system(run, folder):
    head = "id\tsource\tref\tone\tlen\tcomet"
    write(folder / "set.tsv", head, "1\tx\ta b\ta b\t2\t0.5", "2\ty\tc d\tc\t1\t-.25")
    done = run("score", "-t", "set.tsv", "-m", "f1", "--resamples", 0, "--format", "tsv")
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["system", "one"]
    assert done.stderr.startswith("columns of numbers, not systems: len, comet\n")


def test_numbers_are_systems_where_the_references_are_numbers(run, folder):
    write(folder / "set.tsv", "id\tref\tone", "1\t12\t12", "2\t13\t14")
    done = run("score", "-t", "set.tsv", "-m", "f1", "--resamples", 0, "--format", "tsv")
    assert done.stdout.splitlines()[1].startswith("one\t")


@pytest.mark.parametrize("kind", ["tsv", "jsonl"])
def test_a_column_that_tells_where_is_no_metric(run, folder, kind):
    rows = [(i, s, 7 * i, i + len(s)) for i in (1, 2) for s in ("one", "two")]
    if kind == "tsv":
        lines = ["segment\tsystem\tlen\tcomet", *("\t".join(map(str, row)) for row in rows)]
    else:
        form = '{{"segment": "{}", "system": "{}", "len": {}, "comet": {}}}'
        lines = [form.format(*row) for row in rows]
    write(folder / f"rows.{kind}", *lines)
    done = run("score", "--scores", f"rows.{kind}", "--resamples", 0, "--format", "tsv")
    assert done.stdout.splitlines()[0] == "system\tcomet"
    assert done.stderr.startswith(f"rows.{kind}: columns that are no scores: len\n")
