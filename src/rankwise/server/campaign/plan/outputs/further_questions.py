"""What a plan asks about every output besides errors and a score: sliders, comment, post-edit."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankwise.errors import DataError
from rankwise.server.campaign.plan.answer_parts import quoted
from rankwise.server.campaign.plan.plan_keys import PlanKeys

#: How many sliders an output may have, and how many steps one of them.
MOST_SLIDERS, MOST_STEPS = 10, 10_000
#: How many characters a comment on an output and a corrected output may have.
MOST_COMMENT, MOST_EDIT = 2_000, 10_000


@dataclass(frozen=True, slots=True)
class Slider:
    """A scale of the organiser's own: numbers from ``low`` to ``high`` in steps.

    ``anchors`` are pairs (value, words) that stand below the line.
    """

    name: str
    low: float = 0
    high: float = 100
    step: float = 1
    anchors: tuple[tuple[float, str], ...] = ()

    def to_json(self) -> dict[str, object]:
        """The slider as a table of a plan."""
        found: dict[str, object] = {"name": self.name, "low": self.low, "high": self.high}
        anchors = [{"at": value, "words": words} for value, words in self.anchors]
        return found | {"step": self.step, "anchors": anchors}

    def value(self, given: object) -> float:
        """A value on the scale, whole if it is a whole number; or a DataError.

        >>> Slider("Fluency", 1, 5, 0.5).value(3.5), Slider("Fluency", 1, 5).value(4.0)
        (3.5, 4)
        """
        is_number = not isinstance(given, bool)
        if is_number and isinstance(given, int | float) and self.low <= given <= self.high:
            steps = (given - self.low) / self.step
            if abs(steps - round(steps)) < 1e-6:
                return plain_number(round(self.low + round(steps) * self.step, 10))
        expected = f"a number from {self.low:g} to {self.high:g} in steps of {self.step:g}"
        raise DataError(f"slider {self.name!r} is {quoted(given)}; expected {expected}")


@dataclass(frozen=True, slots=True)
class FurtherQuestions:
    """The sliders of every output, and whether it may be commented on and corrected.

    An ``edit`` is the whole output as the judge corrected it; none says that it stays as it is.
    """

    sliders: tuple[Slider, ...] = ()
    comments: bool = False
    post_edits: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that an answer about one output may have."""
        asked = (self.sliders, self.comments, self.post_edits)
        names = ("sliders", "comment", "edit")
        return tuple(name for name, is_asked in zip(names, asked, strict=True) if is_asked)

    def normal(self, cell: Mapping[str, Any]) -> dict[str, Any]:
        """What was said, in its normal form: every slider, texts only where there are some."""
        found: dict[str, Any] = {}
        if self.sliders:
            found["sliders"] = self._sliders(cell.get("sliders"))
        for key, most in (("comment", MOST_COMMENT), ("edit", MOST_EDIT)):
            if key in self.keys and cell.get(key) is not None:
                text = _text(cell[key], key, most)
                found |= {key: text} if text or key == "edit" else {}
        return found

    def _sliders(self, given: object) -> dict[str, float]:
        names = [slider.name for slider in self.sliders]
        if not isinstance(given, Mapping):
            raise DataError(f"the sliders are {quoted(given)}; expected {', '.join(names)}")
        odd = [key for key in given if key not in names]
        if odd:
            raise DataError(f"there is no slider {quoted(odd[0])}; expected {', '.join(names)}")
        return {slider.name: slider.value(given.get(slider.name)) for slider in self.sliders}


def _text(given: object, key: str, most: int) -> str:
    if not isinstance(given, str) or len(given) > most:
        found = f"{len(given):,} characters" if isinstance(given, str) else quoted(given)
        raise DataError(f"the {key} is {found}; expected a text of at most {most:,} characters")
    return given if key == "edit" else given.strip()


NOTHING_FURTHER = FurtherQuestions()


def read_further(keys: PlanKeys) -> FurtherQuestions:
    """What the keys ``sliders``, ``output_comments`` and ``post_edits`` of a plan ask."""
    sliders = tuple(_slider(one) for one in keys.inners("sliders"))
    names = [slider.name for slider in sliders]
    if len(sliders) > MOST_SLIDERS or len(set(names)) < len(names):
        raise keys.error("sliders", names, f"at most {MOST_SLIDERS} with different names")
    comments = keys.flag("output_comments", False)
    return FurtherQuestions(sliders, comments, keys.flag("post_edits", False))


def _slider(keys: PlanKeys) -> Slider:
    name = keys.text("name").strip()
    low = keys.number("low", 0, least=-1e6, most=1e6)
    high = keys.number("high", 100, least=-1e6, most=1e6)
    step = keys.number("step", 1, least=1e-4, most=1e6)
    if len(name) > 60:
        raise keys.error("name", name, "at most 60 characters")
    steps = (high - low) / step
    if not 1 <= steps <= MOST_STEPS or abs(steps - round(steps)) > 1e-6:
        expected = f"1 to {MOST_STEPS:,} whole steps from low to high"
        raise keys.error("step", [low, high, step], expected)
    found = Slider(name, plain_number(low), plain_number(high), plain_number(step))
    anchors = tuple(_anchor(one, found) for one in keys.inners("anchors"))
    keys.finish()
    return replace(found, anchors=anchors)


def _anchor(keys: PlanKeys, slider: Slider) -> tuple[float, str]:
    value = keys.number("at", least=slider.low, most=slider.high)
    words = keys.text("words").strip()
    if len(words) > 60:
        raise keys.error("words", words, "at most 60 characters")
    keys.finish()
    return plain_number(value), words


def plain_number(value: float) -> float:
    """A number as people write it: whole ones without a point.

    >>> plain_number(3.0), plain_number(0.5)
    (3, 0.5)
    """
    return int(value) if float(value).is_integer() else float(value)
