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
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_blocks, write_text
from rankwise.io.parts.json_values import parse
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder, Ranking

FORMAT, VERSION = "rankwise-judgments", 1
_HEADER = f'{{"format": "{FORMAT}", "version": {VERSION}}}'
_REQUIRED = ("segment", "judge", "systems", "ranks")
_KEYS = dict.fromkeys((*_REQUIRED, "screen", "outputs", "languages", "info"))
_NAMES = ("systems", "segments", "judges", "languages")


def sniff(head: Head) -> bool:
    """Whether the first object is the header."""
    return head.first_object is not None and head.first_object.get("format") == FORMAT


def read(path: StrPath) -> Judgments:
    """The rankings of a file, exactly as they were written."""
    builder = JudgmentsBuilder()
    has_header = False
    for first, block in read_blocks(path):
        for number, line in enumerate(block.removesuffix("\n").split("\n"), first):
            if not has_header:
                _read_header(parse(line, path, number), builder, f"{name_of(path)}:{number}")
                has_header = True
            elif line and line != "\r":
                _read_ranking(builder, line, path, number)
    if not has_header:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected {_HEADER}")
    return builder.build()


def _read_ranking(builder: JudgmentsBuilder, line: str, path: StrPath, number: int) -> None:
    value = parse(line, path, number)
    try:
        _add(builder, value)
    except DataError as error:
        raise DataError(f"{name_of(path)}:{number}: {error}") from error


def _read_header(header: Any, builder: JudgmentsBuilder, place: str) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise DataError(f"{place}: found {_shown(header)}; expected {_HEADER}")
    if header.get("version") != VERSION or isinstance(header["version"], bool):
        raise DataError(f"{place}: found version {header.get('version')!r}; expected {VERSION}")
    unknown = header.keys() - {"format", "version", "names"}
    names = header.get("names", {})
    if unknown or not isinstance(names, dict) or not names.keys() <= set(_NAMES):
        raise DataError(f"{place}: unknown keys in the header; expected {_HEADER}, names")
    for key, values in names.items():
        wanted = _is_pair if key == "languages" else _is_text
        if not isinstance(values, list) or not all(map(wanted, values)):
            raise DataError(f"{place}: {key} are not a list of names; expected one")
    languages = [tuple(pair) for pair in names.get("languages", [])]
    builder.declare(**(names | {"languages": languages}))


def _add(builder: JudgmentsBuilder, value: Any) -> None:
    if not isinstance(value, dict) or not value.keys() <= _KEYS.keys():
        raise DataError(f"found {_unknown(value)}; expected an object with {', '.join(_KEYS)}")
    for key, cell in value.items():
        if not _CHECKS[key](cell):
            raise DataError(f"found {key} {_shown(cell)}; expected {_EXPECTED[key]}")
    for key in _REQUIRED:
        if key not in value:
            raise DataError(f"found no {key}; expected {_EXPECTED[key]}")
    languages = value.get("languages")
    builder.add(
        value["segment"],
        value["judge"],
        value["systems"],
        value["ranks"],
        screen=value.get("screen", ""),
        outputs=value.get("outputs"),
        languages=tuple(languages) if languages else ("", ""),
        info=value.get("info"),
    )


_TEXT: frozenset[type] = frozenset((str,))
_RANK: frozenset[type] = frozenset((int, float, type(None)))
_INTEGER: frozenset[type] = frozenset((int,))


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_pair(value: Any) -> bool:
    return type(value) is list and len(value) == 2 and _TEXT.issuperset(map(type, value))


def _is_info(value: Any) -> bool:
    return type(value) is dict and all(
        type(cell) is str or (type(cell) in (int, float) and abs(cell) <= sys.float_info.max)
        for cell in value.values()
    )


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "segment": _is_text,
    "judge": _is_text,
    "systems": lambda v: type(v) is list and _TEXT.issuperset(map(type, v)),
    "ranks": lambda v: type(v) is list and _RANK.issuperset(map(type, v)),
    "screen": lambda v: type(v) is str and v != "",
    "outputs": lambda v: type(v) is list and _INTEGER.issuperset(map(type, v)),
    "languages": _is_pair,
    "info": _is_info,
}
_EXPECTED = {
    "segment": "a string",
    "judge": "a string",
    "systems": "a list of strings",
    "ranks": "a list of numbers or null",
    "screen": "a string, not empty",
    "outputs": "a list of integers",
    "languages": "a list of two strings",
    "info": "an object of strings and finite numbers",
}


def _shown(value: Any) -> str:
    return json.dumps(value)[:60]


def _unknown(value: Any) -> str:
    if not isinstance(value, dict):
        return _shown(value)
    return f"unknown key {min(value.keys() - _KEYS.keys())!r}"


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
