"""A copy of the package that a page may change, and running it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import rankwise
from rankwise import _core

# An editable install finds the package by a finder of its own, which would come first.
BEGIN = """
import sys
sys.meta_path = [one for one in sys.meta_path if "editable" not in type(one).__module__]
sys.path.insert(0, {folder!r})
import rankwise
assert rankwise.__file__.startswith({folder!r}), rankwise.__file__
"""
COMMAND = "from rankwise.cli import main; sys.argv[0] = 'rankwise'; sys.exit(main())"


def copied(folder):
    """The package, its native core too, in *folder*, where it may be changed."""
    target = folder / "src" / "rankwise"
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(Path(rankwise.__file__).parent, target, ignore=ignored)
    shutil.copy(_core.__file__, target)
    return folder


def change(block, folder):
    """Write the file that a block is, or change one as a block of the language diff says."""
    path = folder / block.title
    if block.language != "diff":
        assert not path.exists(), f"{block.title} is there already"
        path.write_text(block.code, encoding="utf-8")
        return
    text = path.read_text(encoding="utf-8")
    for hunk in re.split(r"^@@.*\n", block.code, flags=re.MULTILINE):
        before, after = (_side(hunk, other) for other in "+-")
        assert text.count(before) == 1, f"{block.title} has {text.count(before)} times\n{before}"
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")


def _side(hunk, other):
    """A hunk as it was (without lines that begin with +) or will be (without those with -)."""
    return "".join(f"{line[1:]}\n" for line in hunk.splitlines() if line[:1] != other)


def doctests(name, folder):
    """Run the examples in a module of the changed copy."""
    module = ".".join(Path(name).with_suffix("").parts[1:])
    code = f"import doctest, importlib; module = importlib.import_module({module!r})\n"
    python(f"{code}assert doctest.testmod(module, optionflags=1 << 1).failed == 0", folder)


def python(code, folder, *arguments):
    """What Python code prints on the changed copy."""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN.format(folder=str(folder / "src")) + code, *arguments],
        cwd=folder,
        env={**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "120"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout
