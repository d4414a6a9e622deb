"""``rankwise sacrebleu`` against the sacrebleu program: stdout, exit code and messages."""

import contextlib
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parity.cli_cases import GROUPS, make_sets, make_texts
from rankwise.compat.sacrebleu import sacrebleu as sacrebleu_module
from rankwise.compat.sacrebleu.version import __version__

RUNS = Path(__file__).with_name("cli_runs.py")
CASES = {group: [*cases()] for group, cases in GROUPS.items()}
EVERY = [(group, number) for group, cases in CASES.items() for number in range(len(cases))]


def named(found):
    group, number = found
    return f"{group}: {' '.join(CASES[group][number][0])}"


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """The results of both programs by group: [exit code, stdout, stderr] of every case."""
    folder = tmp_path_factory.mktemp("sacrebleu")
    texts = folder / "texts"
    ref, outputs = make_texts(texts)
    make_sets(folder / "sets", ref, outputs)
    cases = [with_input(found, outputs) for group in CASES.values() for found in group]
    (folder / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    programs = {}
    for name in ("sacrebleu", "rankwise"):
        shutil.copytree(folder / "sets", folder / name)
        programs[name] = started(name, folder)
    found = {name: json.loads(each.communicate(timeout=600)[0]) for name, each in programs.items()}
    assert all(program.returncode == 0 for program in programs.values())
    return {
        key: (theirs, ours)
        for key, theirs, ours in zip(EVERY, found["sacrebleu"], found["rankwise"], strict=True)
    } | {"folder": folder}


def with_input(found, outputs):
    """The case with the lines that its word for standard input stands for."""
    arguments, given, environment = found
    lines = {
        "GOOD": outputs["good"],
        "NIUTRANS": niutrans(outputs["good"]),
        "GOOD+BAD": [f"{a}\t{b}" for a, b in zip(outputs["good"], outputs["bad"], strict=True)],
    }.get(given)
    text = given if lines is None else "".join(f"{line}\n" for line in lines)
    return [arguments, text, environment]


def niutrans(lines):
    """The segments of the WMT XML: without the test suite, and without what nobody translated."""
    documents = [lines[number::4] for number in range(3)]
    return [documents[0][0], *documents[0][2:], *documents[1], *documents[2]]


def started(name, folder):
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("SACREBLEU")},
        "SACREBLEU": str(folder / name),
        "HOME": str(folder),
        "OPENBLAS_NUM_THREADS": "1",
        "RANKWISE_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }
    environment.pop("NO_COLOR", None)
    return subprocess.Popen(
        [sys.executable, str(RUNS), name, str(folder / "cases.json")],
        cwd=folder / "texts",
        env=environment,
        stdout=subprocess.PIPE,
    )


def as_theirs(text, folder):
    """Our text with sacreBLEU's version, and its folder in place of ours."""
    return text.replace(__version__, "2.6.0").replace(str(folder / "rankwise"), "SETS")


#: How to get a test set again, which sacreBLEU does by itself.
AGAIN = re.compile(r"  rm -r |re-downloaded the next time|and fetch it again")


def messages(text):
    """What scripts read of standard error: not the lines of usage, nor what led to an error."""
    text = text.replace("subset=nothingnothing", "subset=nothing")  # it says the subset twice
    text = re.sub(r"usage: .*?(?=sacrebleu: error)", "", text, flags=re.DOTALL)
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("key", EVERY, ids=named)
def test_the_same_is_printed(runs, key):
    (code, out, err), (own_code, own_out, own_err) = runs[key]
    own_out = as_theirs(own_out, runs["folder"])
    assert "Traceback" not in own_err
    if "Traceback" in err:
        ended = own_code == 0 if key[0] == "mended" else own_code == code == 1
        assert ended and (own_out or own_err)
        return
    assert key[0] != "mended"
    assert own_out == out
    assert own_code == code
    theirs = messages(err.replace(str(runs["folder"] / "sacrebleu"), "SETS"))
    ours = messages(as_theirs(own_err, runs["folder"]))
    if "parallel workers" in err:  # which talk at once, and which we do not have
        theirs = sorted(line for line in theirs if "parallel workers" not in line)
        ours.sort()
    assert [line for line in ours if not AGAIN.search(line)] == [
        line for line in theirs if not AGAIN.search(line)
    ]
    assert len(ours) == len(theirs)


def test_text_files_of_test_sets_are_the_same(runs):
    theirs, ours = (
        {
            str(path.relative_to(runs["folder"] / name)): path.read_bytes()
            for path in (runs["folder"] / name).rglob("*")
            if path.is_file() and "/raw/" not in str(path)
        }
        for name in ("sacrebleu", "rankwise")
    )
    assert len(theirs) > 20
    assert {name: ours[name] for name in theirs if name in ours} == {
        name: theirs[name] for name in theirs if name in ours
    }
    assert {*theirs} - {*ours} == set()


def test_every_example_of_the_readme_is_counted():
    """The number that docs/how-to/come-from-sacrebleu.md gives."""
    page = (Path(__file__).parents[2] / "docs/how-to/come-from-sacrebleu.md").read_text("utf-8")
    assert f"All {len(CASES['README'])} examples of its README" in page
    total = sum(len(cases) for group, cases in CASES.items() if group != "mended")
    assert f"in {total} command lines" in page


def test_numbers_of_resamples_are_printed_as_json(runs):
    """Where sacreBLEU stumbles over numbers of single precision, which JSON does not take."""
    key = next(key for key in EVERY if key[0] == "mended" and "chrf" in CASES["mended"][key[1]][0])
    (_, _, err), (code, out, _) = runs[key]
    assert "float32 is not JSON serializable" in err
    assert code == 0
    assert [*json.loads(out)[1]["chrF2"]] == ["score", "p_value", "mean", "ci"]


@pytest.mark.parametrize(
    "line",
    [
        "ref1 -i good same bad --paired-bs -pbsn 50 -f text -m bleu ter",
        "ref1 -i good same bad --paired-ar -parn 50 -f latex",
        "ref1 -i good -ci -cin 50 -f text -m bleu chrf",
        "ref1 -i good bad -f text --no-color",
    ],
)
def test_colours_are_the_same_on_a_terminal(line, tmp_path):
    make_texts(tmp_path)
    programs = (["-m", "sacrebleu"], ["-m", "rankwise", "sacrebleu"])
    theirs, ours = (on_terminal([*program, *line.split()], tmp_path) for program in programs)
    reset = "\x1b[0m"  # which colorama sends once more when it ends
    assert as_theirs(ours, tmp_path) == theirs.removesuffix(reset)
    assert ("\x1b[" in ours) == ("--no-color" not in line)


def on_terminal(arguments, folder):
    """What a program prints on a terminal."""
    leader, follower = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    program = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=subprocess.DEVNULL,
    )
    os.close(follower)
    parts = []
    with contextlib.suppress(OSError):  # what reading says when the program has gone
        while part := os.read(leader, 1 << 16):
            parts.append(part)
    os.close(leader)
    assert program.wait(60) == 0
    return b"".join(parts).decode()


@pytest.mark.parametrize(
    ("arguments", "code", "printed"),
    [
        (["ref1", "-i", "ref1", "-b"], 0, "100.0\n"),
        (["ref1", "-i", "missing"], 1, "sacrebleu: missing: cannot be read: No such file"),
        (["ref1", "-w", "x"], 2, "sacrebleu: error: argument --width/-w: invalid int value: 'x'"),
    ],
)
def test_a_program_may_call_main(arguments, code, printed, tmp_path, monkeypatch, capsys):
    make_texts(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        sacrebleu_module.main(arguments)
    assert ended.value.code == code
    assert printed in "".join(capsys.readouterr())
