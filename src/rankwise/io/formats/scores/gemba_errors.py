"""What GEMBA-MQM prints with its list of errors: a dictionary of them a line, for one system.

A line is ``defaultdict(<class 'list'>, {'major': ['accuracy/omission - ...'], 'minor': [...]})``,
or ``None`` where the model gave no answer. The score is that of GEMBA-MQM: minus 25 for a critical
error, 5 for a major and 1 for a minor one, of the five gravest, and never under minus 25. Without
that list GEMBA prints numbers, which are read as such. A system is called by its file's name.

Kocmi and Federmann (2023), WMT.
"""

import ast
import math
import re
from typing import Any

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.parts.line_text import all_lines, shown
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable

#: How the scores are called.
NAME = "gemba-mqm"
#: What an error costs, the gravest first; how many count, and how much they may cost together.
COSTS = {"critical": 25, "major": 5, "minor": 1}
COUNTED, MOST = 5, 25

NOT_READ = ("The kinds of errors are not read, only their number and severity.",)

_LINE = re.compile(r"(?:defaultdict\(<class 'list'>, )?(\{.*\})\)?\s*")


def read(path: StrPath) -> ScoreTable:
    """The scores of one system."""
    scores = [_score(line, path, number) for number, line in enumerate(all_lines(path), 1)]
    if not scores:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected a line for each output")
    segments = tuple(str(number) for number in range(1, len(scores) + 1))
    values = np.array([scores])
    return ScoreTable((stem_of(path),), segments, values, NAME, is_by_line=True)


def _score(line: str, path: StrPath, number: int) -> float:
    if line.strip() == "None":
        return math.nan
    errors = _errors(line)
    if errors is None:
        raise DataError(
            f"{name_of(path)}:{number}: found {shown(line)}; expected errors by severity "
            f"({', '.join(COSTS)}), or None"
        )
    costs = [cost for severity, cost in COSTS.items() for _ in errors.get(severity, ())]
    return -float(min(MOST, sum(costs[:COUNTED])))


def _errors(line: str) -> dict[str, list[Any]] | None:
    """The errors of a line by severity; None where it is something else."""
    found = _LINE.fullmatch(line)
    try:
        errors = ast.literal_eval(found[1]) if found else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if not isinstance(errors, dict) or not errors.keys() <= COSTS.keys():
        return None
    return errors if all(isinstance(some, list) for some in errors.values()) else None


def sniff(head: Head) -> bool:
    """Whether the first line that is not None holds errors, as Python prints them."""
    lines = head.lines if head.is_whole else head.lines[:-1]
    first = next((line for line in lines if line.strip() != "None"), "")
    return first.startswith(("defaultdict(<class 'list'>", "{'")) and _errors(first) is not None
