"""Run sacreBLEU's own offline tests against the drop-in, which takes the name ``sacrebleu``.

python scripts/run_sacrebleu_tests.py sacrebleu-2.6.0/test              # all that need no network
python scripts/run_sacrebleu_tests.py sacrebleu-2.6.0/test -k tokenizer # options go to pytest

The tests are in the source distribution: pip download --no-deps --no-binary=:all: sacrebleu==2.6.0
"""

import argparse
import importlib
import os
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

OURS = "rankwise.compat.sacrebleu"
OFFLINE = (
    "test_bleu.py",
    "test_sentence_bleu.py",
    "test_chrf.py",
    "test_ter.py",
    "test_tokenizer_ter.py",
    "test_significance.py",
)


def modules() -> list[ModuleType]:
    """The drop-in and all modules in it."""
    package = importlib.import_module(OURS)
    inner = pkgutil.walk_packages(package.__path__, f"{OURS}.")
    return [package, *(importlib.import_module(found.name) for found in inner)]


def take_the_name() -> None:
    """Let ``import sacrebleu`` and all imports below it find the drop-in, and nothing else."""
    for module in modules():
        sys.modules["sacrebleu" + module.__name__.removeprefix(OURS)] = module


def main() -> int:
    """Run the tests in the given directory; the exit status is pytest's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="sacreBLEU's test directory")
    arguments, options = parser.parse_known_args()
    directory = arguments.directory.resolve()
    files = [str(directory / name) for name in OFFLINE if (directory / name).is_file()]
    if not files:
        print(f"{directory}: none of {', '.join(OFFLINE)} is there", file=sys.stderr)
        return 1
    take_the_name()
    print(f"sacrebleu is {sys.modules['sacrebleu'].__version__}", file=sys.stderr)
    os.chdir(directory.parent)  # one of them opens its data as ./test/...
    return int(pytest.main(["-q", "-p", "no:cacheprovider", *options, *files]))


if __name__ == "__main__":
    sys.exit(main())
