"""Many rankings, one by one, into compact columns."""

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.judging.judgments import Judgments
from rankwise.types.judging.ranking import Info, check_ranking

_NAN = float("nan")
_UNNAMED = -1  # the number of a screen without a name, until ``build``
_MOST = 32767  # what an int16 column can number


class _Names(dict[Any, int]):
    """Gives every new name the next number."""

    def __missing__(self, name: Any) -> int:
        code = self[name] = len(self)
        return code


class JudgmentsBuilder:
    """Collects rankings one by one; ``build`` returns the record and ends the builder's life.

    ``add`` checks what no reader may let through (see ``check_ranking``); nothing of a refused
    ranking stays.
    """

    def __init__(self) -> None:
        self._systems, self._segments, self._judges = _Names(), _Names(), _Names()
        self._languages, self._screens = _Names(), _Names()
        self._starts, self._system = array("q", [0]), array("i")
        self._rank, self._output = array("d"), array("h")
        self._segment, self._judge = array("i"), array("i")
        self._language, self._screen = array("h"), array("q")
        self._numbered, self._unnamed = True, 0
        self._last_screen = ("", _UNNAMED)
        self._info: dict[str, list[str | float | None]] = {}

    def __len__(self) -> int:
        return len(self._segment)

    def declare(
        self,
        *,
        systems: Sequence[str] = (),
        segments: Sequence[str] = (),
        judges: Sequence[str] = (),
        languages: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Give names their numbers before any ranking does, used or not."""
        for table, names in (
            (self._systems, systems),
            (self._segments, segments),
            (self._judges, judges),
            (self._languages, languages),
        ):
            for name in names:
                table[name]

    def add(
        self,
        segment: str,
        judge: str,
        systems: Sequence[str],
        ranks: Sequence[float | None],
        *,
        screen: str = "",
        outputs: Sequence[int] | None = None,
        languages: tuple[str, str] = ("", ""),
        info: Info | None = None,
    ) -> None:
        """Append one ranking; without a *screen* it gets one of its own, named by its number."""
        check_ranking(systems, ranks, outputs)
        size = len(systems)
        if size > _MOST or len(self._languages) >= _MOST:
            raise DataError(
                f"a ranking of {size} systems, {len(self._languages)} language pairs before it; "
                f"at most {_MOST} of each can be held"
            )
        self._system.fromlist(list(map(self._systems.__getitem__, systems)))
        self._rank.extend([_NAN if r is None else r for r in ranks] if None in ranks else ranks)  # type: ignore[arg-type]
        self._output.extend(_numbered(size) if outputs is None else _renumbered(outputs))
        self._starts.append(len(self._system))
        self._segment.append(self._segments[segment])
        self._judge.append(self._judges[judge])
        self._language.append(self._languages[languages])
        self._screen.append(self._screen_number(screen))
        if info:
            self._add_info(info)

    def _add_info(self, info: Info) -> None:
        before = len(self._segment) - 1
        for name, value in info.items():
            column = self._info.setdefault(name, [])
            column.extend([None] * (before - len(column)))
            column.append(value)

    def _screen_number(self, screen: str) -> int:
        """The screen's own number while all are canonical numbers, a code from then on."""
        if not screen:
            self._unnamed += 1
            return _UNNAMED
        if screen == self._last_screen[0]:
            return self._last_screen[1]
        if self._numbered and not _is_canonical(screen):
            self._numbered = False
            for position, number in enumerate(self._screen):
                if number != _UNNAMED:
                    self._screen[position] = self._screens[str(number)]
        number = int(screen) if self._numbered else self._screens[screen]
        self._last_screen = (screen, number)
        return number

    def build(self) -> Judgments:
        """The rankings added, as columns; the builder takes no more after this."""
        self._name_screens()
        count = len(self._segment)
        return Judgments(
            tuple(self._systems),
            tuple(self._segments),
            tuple(self._judges),
            tuple(self._languages),
            starts=_frozen(self._starts, np.int64),
            system=_frozen(self._system, np.int32),
            rank=_frozen(self._rank, np.float64),
            output=_frozen(self._output, np.int16),
            segment=_frozen(self._segment, np.int32),
            judge=_frozen(self._judge, np.int32),
            language=_frozen(self._language, np.int16),
            screen=_frozen(self._screen, np.int64),
            screens=None if self._numbered else tuple(self._screens),
            info={name: _column(values, count) for name, values in self._info.items()},
        )

    def _name_screens(self) -> None:
        """Name the screens without a name by their ranking's number, from 1, or near it."""
        if self._unnamed == len(self._screen):
            self._screen = array("q", range(1, len(self._screen) + 1))
            return
        if not self._unnamed:
            return
        taken = {str(n) for n in self._screen} if self._numbered else set(self._screens)
        for position, number in enumerate(self._screen):
            if number == _UNNAMED:
                name = str(position + 1)
                while name in taken:
                    name += "~"
                taken.add(name)
                self._last_screen = ("", _UNNAMED)
                self._screen[position] = self._screen_number(name)


def _is_canonical(name: str) -> bool:
    """Whether *name* is a number that prints as it was written and fits 64 bits."""
    return name.isascii() and name.isdigit() and len(name) < 19 and (name[0] != "0" or name == "0")


@cache
def _numbered(size: int) -> "array[int]":
    return array("h", range(size))


def _renumbered(outputs: Sequence[int]) -> "array[int]":
    """*outputs* numbered by first appearance from 0."""
    numbers = _Names()
    return array("h", [numbers[output] for output in outputs])


def _frozen(values: "array[Any]", dtype: type) -> NDArray[Any]:
    """The memory of *values* without a copy."""
    return np.frombuffer(values, dtype) if len(values) else np.empty(0, dtype)


def _column(values: list[str | float | None], count: int) -> NDArray[Any]:
    padded = values + [None] * (count - len(values))
    if any(isinstance(value, str) for value in padded):
        column = np.empty(count, dtype=object)
        column[:] = [v if v is None or isinstance(v, str) else float(v) for v in padded]
        return column
    return np.array([np.nan if v is None else v for v in padded], dtype=np.float64)
