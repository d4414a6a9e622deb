"""What each value of a judgment in ``records`` may be: a stranger may have written the file."""

from collections.abc import Callable, Mapping
from typing import Any

from rankwise.errors import DataError
from rankwise.server.campaign.plan.answer_parts import quoted
from rankwise.server.campaign.plan.document_protocols import MOST_SEGMENTS
from rankwise.server.records import Json

#: The last millisecond of the year 9999, beyond which no calendar goes.
LAST_TIME = 253_402_300_799_999
LONGEST_NAME, LONGEST_COMMENT = 1000, 4000
#: Whole numbers of a database are below this.
_MOST = 2**63
#: Characters of a word, and texts of a screen.
_WORDS, _TEXTS = 200, 200

Test = Callable[[Any], bool]


def _is_whole(value: Any, least: int = -_MOST, most: int = _MOST - 1) -> bool:
    return type(value) is int and least <= value <= most


def _is_time(value: Any) -> bool:
    return _is_whole(value, 0, LAST_TIME)


def _is_text(value: Any, most: int = LONGEST_NAME) -> bool:
    return isinstance(value, str) and len(value) <= most


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_name(value: Any) -> bool:
    return _is_text(value) and value != ""


def _is_chance(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def _is_word(value: Any) -> bool:
    return _is_text(value, _WORDS) and value.isprintable()


def _is_list(value: Any, is_one: Test, most: int) -> bool:
    return isinstance(value, list) and len(value) <= most and all(map(is_one, value))


def _or_null(is_one: Test) -> Test:
    return lambda value: value is None or is_one(value)


def _is_one_of(*words: str) -> Test:
    return lambda value: isinstance(value, str) and value in words


def _is_noted(value: Any) -> bool:
    """What ``lesson_tries`` notes: ``passed`` and ``right``, and how many tries it took."""
    return isinstance(value, dict) and isinstance(value.get("passed"), bool) and _are_plain(value)


def _are_plain(value: Mapping[str, Any]) -> bool:
    return all(
        _is_word(key) and (isinstance(one, bool) or _is_whole(one) or _is_text(one, _WORDS))
        for key, one in value.items()
    )


def _are_details(value: Any) -> bool:
    if not isinstance(value, dict) or len(value) > 50:
        return False
    noted = [value[key] for key in ("check", "lesson") if key in value]
    others = {key: one for key, one in value.items() if key not in ("check", "lesson")}
    return all(map(_is_noted, noted)) and _are_plain(others)


_NUMBER = ("a whole number", lambda value: _is_whole(value, 0))
_NUMBER_OR_NULL = ("a whole number or null", _or_null(lambda value: _is_whole(value, 0)))
_TIME = ("a time in milliseconds", _is_time)
_TRUTH = ("true or false", lambda value: isinstance(value, bool))
_NAMES = (
    f"a list of at most {MOST_SEGMENTS} names",
    lambda value: _is_list(value, _is_text, MOST_SEGMENTS),
)

#: What is expected under each key of a judgment, in words and as a test.
JUDGMENT: Mapping[str, tuple[str, Test]] = {
    "id": _NUMBER,
    "receipt": ("a word", _is_word),
    "screen": _NUMBER,
    "role": (
        "work, control, repeat or tutorial",
        _is_one_of("work", "control", "repeat", "tutorial"),
    ),
    "repeats": _NUMBER_OR_NULL,
    "segment": ("a name or null", _or_null(_is_text)),
    "slots": ("a list of objects", lambda value: _is_list(value, _is_object, _TEXTS)),
    "shown": ("a list of whole numbers", lambda value: _is_list(value, _is_whole, _TEXTS)),
    "judge": (f"a name of 1 to {LONGEST_NAME} characters", _is_name),
    "is_excluded": _TRUTH,
    "kind": ("answer or skip", _is_one_of("answer", "skip")),
    "answer": ("an object", _is_object),
    "comment": (
        f"null or at most {LONGEST_COMMENT} characters",
        _or_null(lambda value: _is_text(value, LONGEST_COMMENT)),
    ),
    "surplus": _TRUTH,
    "supersedes": _NUMBER_OR_NULL,
    "shown_at": _TIME,
    "received_at": _TIME,
    "active_ms": _TIME,
    "probability": ("a number from 0 to 1, or null", _or_null(_is_chance)),
    "strategy": ("a word", _is_word),
    "seed": ("a whole number", _is_whole),
    "details": ("an object of numbers, words and truth values", _are_details),
    "segments": _NAMES,
    "judge_kind": ("person or machine", _is_one_of("person", "machine")),
}
#: The same for each text of its screen.
SLOT: Mapping[str, tuple[str, Test]] = {
    "systems": ("a list of names", lambda value: _is_list(value, _is_name, 2000)),
    "role": ("TGT, REF or BAD", _is_one_of("TGT", "REF", "BAD")),
    "text": ("text or null", _or_null(lambda value: isinstance(value, str))),
    "texts": (
        "a list of texts or null",
        _or_null(lambda value: _is_list(value, lambda one: isinstance(one, str), MOST_SEGMENTS)),
    ),
}


def check_values(row: Json, expected: Mapping[str, tuple[str, Test]]) -> None:
    """Refuse an object that has other keys than *expected*, or another value under one.

    >>> check_values({"role": "TGT"}, {"role": SLOT["role"]})
    """
    odd = set(row) ^ set(expected)
    if odd:
        what = "unknown" if odd & set(row) else "missing"
        raise DataError(f"{what} key {quoted(min(odd))}")
    for key, (what, is_fitting) in expected.items():
        if not is_fitting(row[key]):
            raise DataError(f"{key!r} is {quoted(row[key])}; expected {what}")
