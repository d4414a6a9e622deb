"""``fastchat``: battles of two models, as FastChat's arena logs and publishes them.

*Clean* battles are objects with ``model_a``, ``model_b``, ``winner`` (``model_a``, ``model_b``,
``tie`` or ``tie (bothbad)``), ``judge``, ``turn``, ``anony``, ``language`` and ``tstamp``, in one
JSON list or one per line. The *raw log* has a line per event; those whose ``type`` is ``leftvote``,
``rightvote``, ``tievote`` or ``bothbad_vote`` are battles, the others are passed over.

A battle is a ranking of two systems. Both kinds of tie give equal ranks; what was said is kept in
``info["label"]``, and ``turn``, ``anony`` (1 or 0), ``language`` and ``tstamp`` beside it. The
segment is ``question_id`` (in the log: the first conversation). Addresses in the log are never
kept: judges become judge1, judge2, ... by first appearance.
"""

import json
from collections.abc import Iterator
from itertools import combinations
from math import isfinite
from typing import Any, TypeGuard

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, write_text
from rankwise.io.parts import losses
from rankwise.io.parts.json_values import read_objects
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder, Ranking
from rankwise.types.judging.ranking import Info

NOT_READ = ("Conversations, addresses and events that are not votes are not read.",)

_RANKS = {
    "model_a": (1.0, 2.0),
    "model_b": (2.0, 1.0),
    "tie": (1.0, 1.0),
    "tie (bothbad)": (1.0, 1.0),
}
_VOTES = {
    "leftvote": "model_a",
    "rightvote": "model_b",
    "tievote": "tie",
    "bothbad_vote": "tie (bothbad)",
}
_NUMBERS = ("turn", "anony", "tstamp")


def sniff(head: Head) -> bool:
    """Whether the first object is a battle or an event of the log."""
    keys = head.first_keys
    return keys >= {"model_a", "model_b", "winner"} or keys >= {"tstamp", "type"}


def read(path: StrPath) -> Judgments:
    """The battles of a file."""
    builder = JudgmentsBuilder()
    judges: dict[Any, str] = {}
    for line, value in read_objects(path):
        try:
            battle = value if "winner" in value else _battle_of_event(value, judges)
            if battle:
                _add(builder, battle)
        except DataError as error:
            raise DataError(f"{name_of(path)}:{line}: {error}") from error
    return builder.build()


def _add(builder: JudgmentsBuilder, battle: dict[str, Any]) -> None:
    models = battle.get("model_a"), battle.get("model_b")
    winner = battle["winner"]
    if not all(isinstance(model, str) and model for model in models):
        raise DataError(f"found model_a {models[0]!r}, model_b {models[1]!r}; expected two names")
    if not isinstance(winner, str) or winner not in _RANKS:
        raise DataError(f"found winner {winner!r}; expected one of {', '.join(_RANKS)}")
    builder.add(
        str(battle.get("question_id") or ""),
        str(battle.get("judge") or ""),
        [str(model) for model in models],
        _RANKS[winner],
        info={"label": winner} | dict(_further(battle)),
    )


def _further(battle: dict[str, Any]) -> Iterator[tuple[str, str | float]]:
    for name in _NUMBERS:
        value = battle.get(name)
        if value is None:
            continue
        if not isinstance(value, int | float) or abs(value) > 1e300 or not isfinite(value):
            raise DataError(f"found {name} {value!r}; expected a number")
        yield name, float(value)
    if battle.get("language") is not None:
        yield "language", str(battle["language"])


def _battle_of_event(event: dict[str, Any], judges: dict[Any, str]) -> dict[str, Any] | None:
    """A vote of the log as a clean battle; ``None`` for other events."""
    kind = event.get("type")
    if not isinstance(kind, str):
        raise DataError("found no winner and no type; expected a battle or an event of the log")
    if kind not in _VOTES:
        return None
    states, models = event.get("states"), event.get("models") or ["", ""]
    if not _are_two(states, dict) or not _are_two(models, str | None):
        raise DataError(f"found a {kind} without two states and two models; expected two of each")
    left, right = states
    address = json.dumps(event.get("ip"))
    return {
        "model_a": left.get("model_name") or models[0],
        "model_b": right.get("model_name") or models[1],
        "winner": _VOTES[kind],
        "judge": judges.setdefault(address, f"judge{len(judges) + 1}"),
        "question_id": left.get("conv_id"),
        "turn": _turns(left),
        "anony": not any(models),
        "tstamp": event.get("tstamp"),
    }


def _are_two(value: Any, kind: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(v, kind) for v in value)


def _turns(state: dict[str, Any]) -> int | None:
    messages, offset = state.get("messages"), state.get("offset", 0)
    if not isinstance(messages, list) or not isinstance(offset, int):
        return None
    return (len(messages) - offset) // 2


def write(judgments: Judgments, path: StrPath, *, question_ids: bool = False) -> list[str]:
    """Write a list of clean battles with exactly their eight keys; larger rankings as pairs.

    Where the judgments do not say, turn is 1, anony is true, language is unknown and tstamp is 0.
    *question_ids* adds the segment as ``question_id``, as in FastChat's releases.
    """
    battles = (b for r in judgments for b in _battles(r, question_ids=question_ids))
    with write_text(path) as stream:
        separator = "[\n"
        for battle in battles:
            stream.write(separator + json.dumps(battle, ensure_ascii=False, allow_nan=False))
            separator = ",\n"
        stream.write("[]\n" if separator == "[\n" else "\n]\n")
    return [
        *losses.lost_unranked(judgments),
        *losses.lost_larger(judgments),
        *losses.lost_outputs(judgments),
        *losses.lost_screens(judgments),
        *losses.lost_languages(judgments),
        *losses.lost_info(judgments, kept=("label", "language"), numbers=_NUMBERS),
        *([] if question_ids else losses.lost_segments(judgments)),
    ]


def _battles(ranking: Ranking, *, question_ids: bool) -> Iterator[dict[str, Any]]:
    items = zip(ranking.systems, ranking.ranks, strict=True)
    info = ranking.info
    for (left, x), (right, y) in combinations(items, 2):
        if x is None or y is None:
            continue
        tie = "tie (bothbad)" if info.get("label") == "tie (bothbad)" else "tie"
        turn = _number(info, "turn", 1.0)
        battle = {
            "model_a": left,
            "model_b": right,
            "winner": tie if x == y else "model_a" if x < y else "model_b",
            "judge": ranking.judge,
            "turn": int(turn) if turn.is_integer() else turn,
            "anony": bool(_number(info, "anony", 1.0)),
            "language": str(info.get("language", "unknown")),
            "tstamp": _number(info, "tstamp", 0.0),
        }
        yield {"question_id": ranking.segment} | battle if question_ids else battle


def _number(info: Info, name: str, default: float) -> float:
    value = info.get(name, default)
    if isinstance(value, str):
        raise DataError(f"column {name!r} holds {value!r}; fastchat can hold a number there")
    return value
