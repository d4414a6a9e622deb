"""The tree can be seen at a glance: folders are small, and a name says one thing."""

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "rankwise"
MODULES = [path for path in SOURCE.rglob("*.py") if path.name != "__init__.py"]
# A drop-in has the names of what it replaces; a migration has the number of its turn.
DROP_INS = {
    "bleu.py",
    "chrf.py",
    "ter.py",
    "base.py",
    "score.py",
    "significance.py",
    "sacrebleu.py",
}
OURS = [
    path
    for path in MODULES
    if "versions" not in path.parts and not ("compat" in path.parts and path.name in DROP_INS)
]
MOST_MODULES = 16


def shared(pairs):
    """The names that stand in more than one place."""
    places = defaultdict(set)
    for name, path in pairs:
        places[name].add(str(path.relative_to(SOURCE)))
    return {name: sorted(found) for name, found in places.items() if len(found) > 1}


def classes(path):
    tree = ast.parse(path.read_text("utf-8"))
    return [n.name for n in tree.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]


def test_no_folder_is_too_full():
    folders = defaultdict(list)
    for path in MODULES:
        folders[str(path.parent.relative_to(SOURCE))].append(path.name)
    assert {name: len(f) for name, f in folders.items() if len(f) > MOST_MODULES} == {}


def test_no_two_modules_have_one_name():
    assert shared((path.name, path) for path in OURS) == {}


def test_no_two_classes_have_one_name():
    assert shared((name, path) for path in OURS for name in classes(path)) == {}
