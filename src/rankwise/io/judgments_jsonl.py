r"""``jsonl``: Rankwise's own format for judgments, JSON lines that lose nothing.

The first line is a header::

    {"format": "rankwise-judgments", "version": 1}

It may have ``names``, an object with any of the lists ``systems``, ``segments``, ``judges`` and
``languages``, where the names are ordered otherwise than by first use or are not used at all. Every
further line is one ranking::

    {"segment": "17", "judge": "ann", "systems": ["A", "B", "C"], "ranks": [1, 2, 2],
     "screen": "4", "outputs": [0, 1, 1], "languages": ["cs", "en"], "info": {"duration": 35.337}}

==========  =========================================================================  ============
key         value                                                                      when absent
==========  =========================================================================  ============
segment     str, the segment's id                                                      an error
judge       str                                                                        an error
systems     list of str, none twice                                                    an error
ranks       list of finite numbers (1 is best, equal is tied) or null (not ranked)     an error
screen      str, not empty: which look the ranking comes from                          its own
outputs     list of int: systems with the same number had the same text                all differ
languages   list of two str: source, target                                            ``["", ""]``
info        object: str to str or finite number                                        empty
==========  =========================================================================  ============

Unknown keys and other versions are errors, so that nothing is overlooked.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_lines, write_text
from rankwise.io.json_objects import parse_json
from rankwise.io.sniff import Head
from rankwise.types import Judgments, JudgmentsBuilder, Ranking

FORMAT, VERSION = "rankwise-judgments", 1
_REQUIRED = ("segment", "judge", "systems", "ranks")
_KEYS = frozenset((*_REQUIRED, "screen", "outputs", "languages", "info"))
_NAMES = ("systems", "segments", "judges", "languages")


def sniff(head: Head) -> bool:
    """Whether the first object is the header."""
    return head.first_object is not None and head.first_object.get("format") == FORMAT


def read(path: StrPath) -> Judgments:
    """The rankings of a file, exactly as they were written."""
    lines = read_lines(path)
    builder = JudgmentsBuilder()
    place = f"{name_of(path)}:1"
    _read_header(parse_json(next(lines, (1, ""))[1], place), builder, place)
    for number, line in lines:
        if not line:
            continue
        try:
            _add(builder, parse_json(line, ""))
        except DataError as error:
            message = str(error).removeprefix(": ")
            raise DataError(f"{name_of(path)}:{number}: {message}") from error
    return builder.build()


def _read_header(header: Any, builder: JudgmentsBuilder, place: str) -> None:
    expected = f'{{"format": "{FORMAT}", "version": {VERSION}}}'
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise DataError(f"{place}: found {json.dumps(header)[:60]}; expected {expected}")
    if header.get("version") != VERSION or isinstance(header["version"], bool):
        raise DataError(f"{place}: found version {header.get('version')!r}; expected {VERSION}")
    unknown = header.keys() - {"format", "version", "names"}
    names = header.get("names", {})
    if unknown or not isinstance(names, dict) or not names.keys() <= set(_NAMES):
        raise DataError(f"{place}: unknown keys in the header; expected {expected}, names")
    for key, values in names.items():
        wanted = _is_pair if key == "languages" else _is_text
        if not isinstance(values, list) or not all(map(wanted, values)):
            raise DataError(f"{place}: {key} are not a list of names; expected one")
    languages = [tuple(pair) for pair in names.get("languages", [])]
    builder.declare(**(names | {"languages": languages}))


def _add(builder: JudgmentsBuilder, value: Any) -> None:
    if not isinstance(value, dict) or not value.keys() <= _KEYS:
        raise DataError(f"found {_unknown(value)}; expected an object with {', '.join(_KEYS)}")
    segment, judge, systems, ranks = [value.get(key) for key in _REQUIRED]
    if type(segment) is not str or type(judge) is not str:
        raise DataError(f"found segment {segment!r}, judge {judge!r}; expected two strings")
    if not _is_list(systems, _TEXT) or not _is_list(ranks, _RANK):
        raise DataError("systems or ranks are wrong; expected lists of names and of numbers")
    builder.add(segment, judge, systems, ranks, **_optional(value) if len(value) > 4 else {})


def _optional(value: dict[str, Any]) -> dict[str, Any]:
    options = {key: value[key] for key in value if key not in _REQUIRED}
    if "screen" in options and (type(options["screen"]) is not str or not options["screen"]):
        raise DataError(f"found screen {options['screen']!r}; expected a string, not empty")
    if "outputs" in options and not _is_list(options["outputs"], _INTEGER):
        raise DataError(f"found outputs {options['outputs']!r}; expected a list of integers")
    if "languages" in options:
        if not _is_pair(options["languages"]):
            raise DataError(f"found languages {options['languages']!r}; expected two strings")
        options["languages"] = tuple(options["languages"])
    if "info" in options and not _is_info(options["info"]):
        raise DataError(f"found info {options['info']!r}; expected strings and finite numbers")
    return options


_TEXT: frozenset[type] = frozenset((str,))
_RANK: frozenset[type] = frozenset((int, float, type(None)))
_INTEGER: frozenset[type] = frozenset((int,))


def _is_list(value: Any, types: frozenset[type]) -> TypeGuard[list[Any]]:
    return type(value) is list and types.issuperset(map(type, value))


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_pair(value: Any) -> bool:
    return _is_list(value, _TEXT) and len(value) == 2


def _is_info(value: Any) -> bool:
    return type(value) is dict and all(
        type(cell) is str or (type(cell) in (int, float) and abs(cell) <= sys.float_info.max)
        for cell in value.values()
    )


def _unknown(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value)[:60]
    return f"unknown key {min(value.keys() - _KEYS)!r}"


def write(judgments: Judgments, path: StrPath) -> list[str]:
    """Write the header and one line per ranking; nothing is ever lost."""
    with write_text(path) as stream:
        stream.write(_dumps(_header(judgments)) + "\n")
        stream.writelines(_dumps(_object(ranking)) + "\n" for ranking in judgments)
    return []


_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _header(judgments: Judgments) -> dict[str, Any]:
    names = dict(_names_to_declare(judgments))
    return {"format": FORMAT, "version": VERSION} | ({"names": names} if names else {})


def _names_to_declare(judgments: Judgments) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The tables of names that reading the rankings alone would not give back."""
    for key in _NAMES:
        names, codes = getattr(judgments, key), getattr(judgments, key.removesuffix("s"))
        used, first = np.unique(codes, return_index=True)
        if len(used) != len(names) or not np.array_equal(used[np.argsort(first)], used):
            yield key, names


def _object(ranking: Ranking) -> Mapping[str, Any]:
    value: dict[str, Any] = {
        "segment": ranking.segment,
        "judge": ranking.judge,
        "systems": ranking.systems,
        "ranks": [_number(rank) for rank in ranking.ranks],
        "screen": ranking.screen,
    }
    if ranking.outputs is not None:
        value["outputs"] = ranking.outputs
    if ranking.source_language or ranking.target_language:
        value["languages"] = (ranking.source_language, ranking.target_language)
    if ranking.info:
        value["info"] = ranking.info
    return value


def _number(rank: float | None) -> float | None:
    """Whole ranks without a point."""
    return rank if rank is None or rank % 1 or abs(rank) > 1e15 else int(rank)
