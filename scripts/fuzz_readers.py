"""Mutates every example file and every real file, and gives them to commands for some minutes.

    python scripts/fuzz_readers.py [SECONDS] [--seed N] [--keep FOLDER]

A finding is a traceback, another exit code than 0, 1 or 2, over 10 seconds of CPU or 60 of the
clock (a busy machine takes longer without a fault), or over 1 GB. The file of each finding is kept.
It ends with 1 if there was one.
"""

import argparse
import contextlib
import io
import os
import pkgutil
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import rankwise
from rankwise.cli import main as command_line

ROOT = Path(__file__).resolve().parent.parent
SECONDS, PATIENCE, BYTES = 10, 60, 1_000_000_000
LARGEST = 200_000  # of a longer file the beginning is taken: what breaks a reader is rarely far in
SPLINTERS = [
    *(b"", b"\t", b",", b";", b'"', b"\n", b"\r", b"\r\n", b"\0", b"-1", b"+", b"1e400", b"\xc3"),
    *(b"null", b"true", b"NaN", b"inf", b"[]", b"]", b"{", b"}", b"\\", b"\\ud800", b"9" * 5000),
    *(b"<", b"</", b"&", b"&#0;", b"&x;", b"<seg>", b"</doc>", b"<!DOCTYPE a [", b"\xff\xfe"),
    *(b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"../", b"=cmd()", b"a" * 70_000, b"\t" * 3000),
]
#: What may stand where a number stood; the largest are whole numbers that no float can hold.
NUMBERS = [b"9" * 400, b"-" + b"9" * 400, b"9" * 19, b"1e308", b"1e-400", b"-0", b"0.1", b"1e0"]
NUMBER = re.compile(rb"-?\d+(\.\d+)?")
EXAMPLE = ROOT / "src/rankwise/bundled/example"
TEXTS = [*map(str, sorted((EXAMPLE / "systems").glob("*.txt"))), "-r", str(EXAMPLE / "ref.a.txt")]
#: What may be done with a file, whose place is {}; the first is done where another does not fit.
COMMANDS = [
    ["convert", "{}", "OUT.jsonl"],
    ["convert", "{}", "OUT.csv"],
    ["convert", "{}", "OUT.tsv"],
    ["rank", "{}", "--runs", "2"],
    ["score", "-r", "{}", "{}", "-m", "bleu"],
    ["agree", "{}", "{}"],
    ["next", "{}", "--count", "2"],
    ["compare", "-r", "{}", "{}", "{}", "-m", "bleu"],
    ["sample", "{}", "--size", "2", "-o", "OUT"],
    ["meta", *TEXTS, "-m", "bleu", "--human", "{}"],
    ["meta", *TEXTS, "-m", "bleu", "-j", "{}"],
]


@dataclass(frozen=True)
class Ended:
    """How one run of a command ended."""

    code: int
    said: str
    seconds: float
    most: int

    @property
    def finding(self) -> str | None:
        """What is wrong with it, if anything."""
        if "Traceback" in self.said:
            return "traceback"
        if self.seconds > SECONDS or self.code == -signal.SIGALRM:
            return "too slow"
        if self.most > BYTES:
            return "too much memory"
        return None if self.code in (0, 1, 2) else f"exit code {self.code}"


def run(arguments: list[str], folder: Path) -> Ended:
    """Run a command in a child of this process, which has everything imported."""
    said = folder / "said"
    child = os.fork()
    if child == 0:
        _be_the_command(arguments, said)
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    text = said.read_text(encoding="utf-8", errors="replace") if said.exists() else ""
    said.unlink(missing_ok=True)
    return Ended(code, text, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def _be_the_command(arguments: list[str], said: Path) -> None:
    """Never returns."""
    code = 99
    try:
        signal.alarm(PATIENCE)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 2, SECONDS + 2))
        resource.setrlimit(resource.RLIMIT_DATA, (2 * BYTES, 2 * BYTES))
        with said.open("w", encoding="utf-8", errors="replace") as err:
            out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
            with contextlib.redirect_stderr(err), contextlib.redirect_stdout(out):
                try:
                    command_line(arguments)
                    code = 0
                except SystemExit as ended:
                    code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
                except BaseException:
                    traceback.print_exc(file=err)
    finally:
        os._exit(code)


def sources() -> list[Path]:
    """Every example file, and every real file where there are some."""
    told = os.environ.get("RANKWISE_SHARED", str(ROOT.parent / "shared"))
    folders = [
        ROOT / "tests/io/examples",
        EXAMPLE,
        Path(told, "data"),
    ]
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]


def mutated(content: bytes, others: list[bytes], draw: random.Random) -> bytes:
    """*content* with one to five places damaged."""
    made = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 5))):
        begin = draw.randrange(len(made) + 1)
        end = min(len(made), begin + draw.choice((0, 1, 1, 3, 20, 300)))
        kind = draw.randrange(7)
        if kind == 0:
            made[begin:end] = draw.choice(SPLINTERS)
        elif kind == 1:
            del made[begin:end]
        elif kind == 2:
            made[begin:begin] = made[begin:end] * draw.choice((1, 2, 50))
        elif kind == 3 and begin < len(made):
            made[begin] ^= 1 << draw.randrange(8)
        elif kind == 4:
            other = draw.choice(others)
            place = draw.randrange(len(other) + 1)
            made[begin:end] = other[place : place + draw.choice((10, 200, 2000))]
        elif kind == 5 and (found := NUMBER.search(made, begin) or NUMBER.search(made)):
            made[found.start() : found.end()] = draw.choice(NUMBERS)
        else:
            lines = bytes(made).split(b"\n")
            at = draw.randrange(len(lines))
            lines[at:at] = [draw.choice(lines)] * draw.choice((1, 3, 40))
            made = bytearray(b"\n".join(lines))
    return bytes(made)


class Trials:
    """Mutated files, and what is to be done with each."""

    def __init__(self, seed: int, folder: Path) -> None:
        """Read the sources."""
        self._draw, self._folder = random.Random(seed), folder
        self._files = [(path, path.read_bytes()[:LARGEST]) for path in sources()]
        self._contents = [content for _, content in self._files]
        self._fitting: dict[tuple[object, ...], bool] = {}

    def __iter__(self) -> Iterator[tuple[str, bytes, list[str]]]:
        """The suffix and content of a file and a command, without end."""
        while True:
            self._draw.shuffle(self._files)
            for path, content in self._files:
                command = self._draw.choice(COMMANDS)
                if not self._is_fitting(path, content, command):
                    command = COMMANDS[0]
                yield suffix_of(path), mutated(content, self._contents, self._draw), command

    def _is_fitting(self, path: Path, content: bytes, command: list[str]) -> bool:
        """Whether a command takes the file as it is: only then is it worth to damage it."""
        key = (path, *command)
        if key not in self._fitting:
            found = tried(suffix_of(path), content, command, self._folder)
            self._fitting[key] = found.code == 0
        return self._fitting[key]


def suffix_of(path: Path) -> str:
    """What tells a reader the kind of a file, if anything in its name does."""
    return "".join(path.suffixes)[-20:]


def tried(suffix: str, content: bytes, command: list[str], folder: Path) -> Ended:
    """Give a file to a command in *folder*, which is empty afterwards."""
    file = folder / f"in{suffix}"
    file.write_bytes(content)
    ended = run([word.replace("{}", str(file)) for word in command], folder)
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return ended


def fuzz(seconds: float, seed: int, keep: Path) -> Counter[str]:
    """Try for *seconds*; how often what came of it. Files of findings lie in *keep*."""
    counts: Counter[str] = Counter()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for number, (suffix, content, command) in enumerate(Trials(seed, Path(name))):
            if time.monotonic() > end:
                break
            ended = tried(suffix, content, command, Path(name))
            counts[ended.finding or f"exit code {ended.code}"] += 1
            if ended.finding is not None:
                keep.mkdir(parents=True, exist_ok=True)
                kept = keep / f"{number}-{command[0]}{suffix}"
                kept.write_bytes(content)
                tail = ended.said.strip().splitlines()[-1:] or [""]
                print(
                    f"{ended.finding}: rankwise {' '.join(command)}: {kept}: {tail[0]}", flush=True
                )
    return counts


def import_everything() -> None:
    """Import what commands import when they need it, so that no child has to."""
    for found in pkgutil.walk_packages(rankwise.__path__, "rankwise."):
        if not found.name.startswith(("rankwise.neural.export", "rankwise.__main__")):
            import_module(found.name)


def main() -> None:
    """Read the arguments, try, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=300)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--keep", type=Path, default=ROOT / "build/fuzz/readers")
    given = parser.parse_args()
    import_everything()
    print(f"seed {given.seed}, {len(sources())} files", flush=True)
    counts = fuzz(given.seconds, given.seed, given.keep)
    fine = {f"exit code {code}" for code in (0, 1, 2)}
    print(
        f"{counts.total():,} runs:", ", ".join(f"{n:,} {what}" for what, n in counts.most_common())
    )
    sys.exit(1 if set(counts) - fine else 0)


if __name__ == "__main__":
    main()
