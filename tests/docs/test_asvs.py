"""The checklist of security names tests that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/explanation/asvs.md"
ROWS = re.findall(
    r"^\| (\d[\d.–, ]*) \| (.+?) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
)


#: The points of level 1 in version 4.0.3, by section; others were deleted or are of level 2.
POINTS = {
    "2.1": range(1, 13),
    "2.2": range(1, 4),
    "2.3": [1],
    "2.5": range(1, 7),
    "2.7": range(1, 5),
    "2.8": [1],
    "3.1": [1],
    "3.2": range(1, 4),
    "3.3": [1, 2],
    "3.4": range(1, 6),
    "3.7": [1],
    "4.1": [1, 2, 3, 5],
    "4.2": [1, 2],
    "4.3": [1, 2],
    "5.1": range(1, 6),
    "5.2": range(1, 9),
    "5.3": range(1, 11),
    "5.5": range(1, 5),
    "6.2": [1],
    "7.1": [1, 2],
    "7.4": [1],
    "8.2": range(1, 4),
    "8.3": range(1, 5),
    "9.1": range(1, 4),
    "10.3": range(1, 4),
    "11.1": range(1, 6),
    "12.1": [1],
    "12.3": range(1, 6),
    "12.4": [1, 2],
    "12.5": [1, 2],
    "12.6": [1],
    "13.1": [1, 3],
    "13.2": range(1, 4),
    "13.3": [1],
    "14.2": range(1, 4),
    "14.3": [2, 3],
    "14.4": range(1, 8),
    "14.5": range(1, 4),
}


def points_of(numbers):
    """The points that the first column of a row names: one, a range, or several of these.

    >>> points_of("12.3.1–12.3.3, 12.3.5")
    ['12.3.1', '12.3.2', '12.3.3', '12.3.5']
    """
    found = []
    for part in numbers.split(", "):
        first, _, last = part.partition("–")
        section, _, number = first.rpartition(".")
        end = int((last or first).rpartition(".")[2])
        found += [f"{section}.{each}" for each in range(int(number), end + 1)]
    return found


def test_every_point_of_level_1_is_there_once():
    asked = [f"{section}.{number}" for section, of in POINTS.items() for number in of]
    assert len(asked) == 128
    assert sorted(point for numbers, _, _ in ROWS for point in points_of(numbers)) == sorted(asked)


def test_rows_are_in_order():
    rows = [[int(part) for part in points_of(numbers)[0].split(".")] for numbers, _, _ in ROWS]
    assert rows == sorted(rows)


def test_every_point_has_a_test_or_a_reason():
    assert not [number for number, _, held in ROWS if len(held.strip()) < 8]


def test_the_tests_that_are_named_are_there():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 50
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path, _ in named}
    missing = [(path, name) for path, name in named if f"\ndef {name}(" not in texts[path]]
    assert missing == []
