"""What an answer says: ranks, a score, or errors with their places; or why it says nothing.

An answer either fits the protocol or it does not. A score of 101 is no score of 100, a ranking
that forgets an output is no ranking, and two answers in one text are none.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rankwise.errors import DataError
from rankwise.io.formats.assessments.error_spans import WMT24, weight
from rankwise.judging.questions.answer_text import is_refusal, objects_in
from rankwise.judging.questions.question import Question

Status = Literal["answered", "refused", "cut short", "not understood"]
#: Every status but the first leaves a question without a judgment.
STATUSES: tuple[Status, ...] = ("answered", "refused", "cut short", "not understood")

_TIES = ("tie", "tied", "equal", "same")
_LONGEST_QUOTE = 2000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said to a question.

    ``ranks`` are those of the outputs as shown, ``value`` is that of the only one, ``spans`` its
    errors as JSON text, of which ``unplaced`` quote words that the output does not have.
    """

    status: Status
    ranks: tuple[int, ...] | None = None
    value: float | None = None
    spans: str | None = None
    unplaced: int = 0


Reading = Callable[[dict[str, Any], Question], Answer | None]


def read_answer(
    text: str, question: Question, reading: Reading, *, refused: bool = False, cut: bool = False
) -> Answer:
    """The answer of a *text*, read by the protocol's *reading*.

    *refused* and *cut* are what the endpoint says of it. An answer that was cut still counts if
    its object was complete.
    """
    if refused:
        return Answer("refused")
    found = [answer for one in objects_in(text) if (answer := reading(_lowered(one), question))]
    if found and all(answer == found[0] for answer in found):
        return found[0]
    if cut:
        return Answer("cut short")
    return Answer("refused" if not found and is_refusal(text) else "not understood")


def read_ranks(said: dict[str, Any], question: Question) -> Answer | None:
    """Ranks of all outputs: ``{"ranks": {"A": 2, "B": 1}}``, or a list ``ranking``, best first."""
    if isinstance(said.get("ranking"), list):
        by_label = _ranks_of_list(said["ranking"])
    else:
        ranks = said.get("ranks", said)
        by_label = ranks if isinstance(ranks, dict) else None
    if by_label is None:
        return None
    named = {_label(key): value for key, value in by_label.items()}
    if set(named) != set(question.labels) or len(named) != len(by_label):
        return None
    ranks = [_whole(named[label], 1, len(question.labels)) for label in question.labels]
    return None if None in ranks else Answer("answered", ranks=tuple(r for r in ranks if r))


def read_choice(said: dict[str, Any], question: Question) -> Answer | None:
    """The better of two, or a tie: ``{"better": "A"}``."""
    better = said.get("better")
    if not isinstance(better, str):
        return None
    if better.strip().lower() in _TIES:
        return Answer("answered", ranks=(1, 1))
    label = _label(better)
    if label not in question.labels:
        return None
    return Answer("answered", ranks=(1, 2) if label == question.labels[0] else (2, 1))


def read_score(said: dict[str, Any], _: Question) -> Answer | None:
    """A score from 0 to 100."""
    value = _score(said.get("score"))
    return None if value is None else Answer("answered", value=value)


def read_esa(said: dict[str, Any], question: Question) -> Answer | None:
    """Errors that are minor or major, and a score from 0 to 100."""
    value = _score(said.get("score"))
    spans = _spans(said.get("errors"), question.texts[0], ("minor", "major"), with_category=False)
    if value is None or spans is None:
        return None
    return _with_spans(value, spans)


def read_mqm(said: dict[str, Any], question: Question) -> Answer | None:
    """Errors with categories; the value is minus the sum of their weights, those of WMT24."""
    severities = ("neutral", "minor", "major", "critical")
    spans = _spans(said.get("errors"), question.texts[0], severities, with_category=True)
    if spans is None:
        return None
    try:
        penalty = sum(weight(span["severity"], span["category"], WMT24) for span in spans)
    except DataError:
        return None
    return _with_spans(0.0 - penalty, spans)


def _with_spans(value: float, spans: Sequence[dict[str, Any]]) -> Answer:
    unplaced = sum(span["start"] is None and bool(span["text"]) for span in spans)
    text = json.dumps(spans, ensure_ascii=False)
    return Answer("answered", value=value, spans=text, unplaced=unplaced)


def _spans(
    errors: Any, output: str, severities: Sequence[str], *, with_category: bool
) -> list[dict[str, Any]] | None:
    """The errors with their places; None unless every one of them fits."""
    if not isinstance(errors, list):
        return None
    found: list[dict[str, Any]] = []
    taken: dict[str, int] = {}
    for error in errors:
        said = _lowered(error) if isinstance(error, dict) else {}
        quote, severity = said.get("text") or "", said.get("severity")
        category = said.get("category") if with_category else ""
        if not (isinstance(quote, str) and isinstance(severity, str) and isinstance(category, str)):
            return None
        severity = severity.strip().lower()
        if severity not in severities or len(quote) > _LONGEST_QUOTE:
            return None
        start = _place(output, quote, taken.get(quote, 0)) if quote else -1
        end = start + len(quote)
        if start >= 0:
            taken[quote] = end  # the same words quoted again are the next ones
        found.append(
            {
                "start": start if start >= 0 else None,
                "end": end if start >= 0 else None,
                "severity": severity,
                "category": category.strip().lower() or None,
                "text": quote,
            }
        )
    return found


def _place(output: str, quote: str, start: int) -> int:
    """Where the words of *quote* begin: as whole words if they stand so, else within others.

    >>> _place("Since in", "in", 0), _place("Since", "in", 0)
    (6, 1)
    """
    place = output.find(quote, start)
    while place >= 0:
        before, after = output[:place][-1:], output[place + len(quote) :][:1]
        if not (_joins(before, quote[0]) or _joins(quote[-1], after)):
            return place
        place = output.find(quote, place + 1)
    return output.find(quote, start)


def _joins(left: str, right: str) -> bool:
    """Whether two characters belong to one word."""
    return left.isalnum() and right.isalnum()


def _lowered(said: dict[str, Any]) -> dict[str, Any]:
    """The object with the names of its keys in small letters, unless two would be one."""
    lowered = {key.lower(): value for key, value in said.items()}
    return lowered if len(lowered) == len(said) else said


def _label(name: str) -> str:
    """The letter of an output: ``A`` of ``a`` or ``Translation A``."""
    return name.strip().upper().removeprefix("TRANSLATION ").removeprefix("OUTPUT ").strip()


def _ranks_of_list(ranking: list[Any]) -> dict[str, Any] | None:
    """The ranks of a list of labels, or of lists of labels that tie, best first."""
    ranks: dict[str, Any] = {}
    for group in ranking:
        tied = group if isinstance(group, list) else [group]
        if not all(isinstance(label, str) and _label(label) not in ranks for label in tied):
            return None
        place = len(ranks) + 1
        ranks |= {_label(label): place for label in tied}
    return ranks


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):  # a whole number may be beyond the range of floats
        return None
    return number if math.isfinite(number) else None


def _score(value: Any) -> float | None:
    number = _number(value)
    return number if number is not None and 0 <= number <= 100 else None


def _whole(value: Any, least: int, most: int) -> int | None:
    number = _number(value)
    if number is None or number % 1 or not least <= number <= most:
        return None
    return int(number)
