"""The checklist of security names tests that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/explanation/asvs.md"
ROWS = re.findall(
    r"^\| (\d[\d.–]*) \| (.+?) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
)


def first(number):
    return [int(part) for part in number.split("–")[0].split(".")]


def test_every_point_is_there_once_and_in_order():
    points = [first(number) for number, _, _ in ROWS]
    assert len(points) > 100
    assert points == sorted(points)
    assert len({tuple(point) for point in points}) == len(points)


def test_every_point_has_a_test_or_a_reason():
    assert not [number for number, _, held in ROWS if len(held.strip()) < 8]


def test_the_tests_that_are_named_are_there():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 50
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path, _ in named}
    missing = [(path, name) for path, name in named if f"\ndef {name}(" not in texts[path]]
    assert missing == []
