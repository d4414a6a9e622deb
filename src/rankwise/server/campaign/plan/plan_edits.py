"""A plan with other values for some of its keys, and which of them may change when."""

from collections.abc import Iterable, Mapping

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.plan_keys import toml_of

#: What decides no answer: it may change while people judge, and after.
ALWAYS = (
    "name",
    "instructions",
    "domain_instructions",
    "language",
    "translations",
    "sitting",
    "lease_seconds",
    "stop",
    "recruiting",
    "seconds_per_screen",
    "pay_per_hour",
    "currency",
)
_ELSEWHERE = {
    "texts": "texts that are there never change; add a system or documents, or make another "
    "campaign of other texts",
    "judges": "judges are invited, not edited",
}
_WHO = ("name", "slug", "source_language", "target_language", "protocol", "by_document")


def edited(plan: Plan, changes: Mapping[str, object]) -> Plan:
    """The plan with *changes*: keys as in its file, ``None`` for the usual value.

    Keys of a table such as ``stop`` change one by one. What was left at its usual value follows
    the protocol.

    >>> keys = {"name": "Try it", "source_language": "de", "target_language": "en"}
    >>> new = edited(Plan.from_json(keys), {"protocol": "pairwise", "stop": {"max_judgments": 9}})
    >>> new.k, new.stop.max_judgments
    (2, 9)
    """
    table = _said(plan)
    for key, value in changes.items():
        if key in _ELSEWHERE:
            raise DataError(_ELSEWHERE[key])
        table[key] = _merged(table.get(key), value) if isinstance(value, Mapping) else value
    return Plan.from_json(table, where="the edit")


def changed_keys(old: Plan, new: Plan) -> dict[str, str]:
    """What differs between two plans, by key: from what to what, where that is short."""
    before, after = old.to_json(), new.to_json()
    return {key: _words(before[key], after[key]) for key in before if before[key] != after.get(key)}


def changes_of(words: Iterable[str]) -> dict[str, object]:
    """The changes that ``KEY=VALUE`` says; values as in a plan's file, quotes may be left out.

    >>> changes_of(["name=Second round", "k=3", "stop.max_judgments=900", "pay_per_hour="])
    {'name': 'Second round', 'k': 3, 'stop': {'max_judgments': 900}, 'pay_per_hour': None}
    """
    found: dict[str, object] = {}
    for word in words:
        key, sign, value = word.partition("=")
        outer, _, inner = key.strip().partition(".")
        if not sign or not outer:
            raise DataError(f"{word!r} is no change; expected KEY=VALUE, such as sitting=20")
        if inner:
            found[outer] = _merged(found.get(outer), {inner: _value(value)}, keeps_none=True)
        else:
            found[outer] = _value(value)
    return found


def _value(text: str) -> object:
    """A value as TOML writes it, or the text itself; nothing is the usual value."""
    if not text.strip():
        return None
    try:
        return toml_of(f"value = {text}")["value"]
    except DataError:
        return text


def _said(plan: Plan) -> dict[str, object]:
    """The keys of a plan that are not at their usual value, and those that name it."""
    table = plan.to_json()
    named = {key: table[key] for key in _WHO}
    bare = Plan.from_json(named)
    usual = Plan.from_json(named | {"k": plan.k, "window": plan.window}).to_json()
    usual["k"], usual["window"] = bare.k, bare.window
    return named | {key: value for key, value in table.items() if value != usual[key]}


def _merged(
    old: object, new: Mapping[str, object], *, keeps_none: bool = False
) -> dict[str, object]:
    table = {**(old if isinstance(old, Mapping) else {}), **new}
    return {key: value for key, value in table.items() if keeps_none or value is not None}


def _words(old: object, new: object) -> str:
    words = f"{_word(old)} → {_word(new)}"
    return words if len(words) <= 120 else "changed"


def _word(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {item}" for key, item in value.items() if item is not None)
    return "–" if value is None else str(value)
