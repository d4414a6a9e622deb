"""What judgments say, apart from how a file writes it: one digest for the same judgments anywhere.

A ranking is its pairs, a screen of values its values: a format may take screens apart, or forget
which systems shared a text. Judges are told apart, not named, because some formats rename them.
Times, the order on the page, comments and why a screen was skipped are in few formats: not here.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from rankwise.server.records import FinishedJudgment

#: What was judged and what was said about it, as JSON.
Statement = str

_CHOICES = {"left": [1, 2], "right": [2, 1], "equal": [1, 1], "both_bad": [1, 1]}
_SCALES = ("scores", "fluency", "adequacy")


def digest_of(finished: Iterable[FinishedJudgment]) -> str:
    """SHA-256 of judgments in any order: two files that say the same have the same."""
    judges: dict[str, list[Statement]] = defaultdict(list)
    skips: dict[str, list[Statement]] = defaultdict(list)
    for one in finished:
        found = judges if one.kind == "answer" else skips
        found[one.judge] += _statements(one)
    said = sorted(sorted(statements) for statements in (judges or skips).values())
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _statements(one: FinishedJudgment) -> Iterator[Statement]:
    """Everything that a judgment says, a line each."""
    segment, answer = one.screen.segment, one.answer
    if one.kind == "skip":
        yield json.dumps([segment, sorted(name for name, _ in _systems(one))])
    elif "segments" in answer:
        names = (one.screen.payload or {}).get("segments") or [segment] * len(answer["segments"])
        for name, said in zip(names, answer["segments"], strict=True):
            yield from _said(one, name, said)
    else:
        yield from _said(one, segment, answer)


def _said(one: FinishedJudgment, segment: Any, answer: Any) -> Iterator[Statement]:
    """What was said about one segment: cells with errors, an order, or values."""
    if not isinstance(answer, Mapping):
        yield from _values(one, segment, answer)
    elif "ranks" in answer or "choice" in answer:
        ranks = answer["ranks"] if "ranks" in answer else _CHOICES[answer["choice"]]
        yield from _pairs(one, segment, ranks)
    else:
        scales = [answer[name] for name in _SCALES if name in answer]
        yield from _values(one, segment, list(zip(*scales, strict=True)))


def _systems(one: FinishedJudgment) -> Iterator[tuple[str, int]]:
    """Every system of a screen with the number of its text; controls are marked."""
    for number, slot in enumerate(one.screen.slots):
        mark = "" if slot.role == "TGT" else f"#{slot.role}"
        for name in slot.systems or ("",):
            yield name + mark, number


def _pairs(one: FinishedJudgment, segment: Any, ranks: Sequence[int]) -> Iterator[Statement]:
    for (left, x), (right, y) in combinations(sorted(_systems(one)), 2):
        sign = (ranks[x] > ranks[y]) - (ranks[x] < ranks[y])
        yield json.dumps([segment, left, right, sign])


def _values(one: FinishedJudgment, segment: Any, values: Sequence[Any]) -> Iterator[Statement]:
    for name, number in _systems(one):
        yield json.dumps([segment, name, values[number]], sort_keys=True)
