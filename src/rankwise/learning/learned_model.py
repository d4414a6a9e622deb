"""A learned metric as a record, and as a JSON text that a person can read.

The text holds no code and nothing is executed on loading. It is checked: a corrupt text, or one
of a later form, is an error that says what was found.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise import __version__
from rankwise.errors import DataError
from rankwise.learning.curve import Curve, along, checked_curve, fitted_curve
from rankwise.learning.scorers import SCORERS, Scorer, is_number

Floats = NDArray[np.float64]

_FORMAT = "rankwise-model"
# Version 2 may have a curve; a model without one is written as version 1, for older readers.
_FORMAT_VERSION = 3
# What a value is called in messages.
_KINDS = {str: "text", int: "a whole number", list: "a list", dict: "an object"}
# A list that ends in a number, over several lines: no text of JSON holds a line end of its own.
_NUMBERS = re.compile(r'\[\n(?:\s*["\d-][^\n]*,\n)*\s*-?\d[^\n]*\n\s*\]')


@dataclass(frozen=True, slots=True, eq=False)
class LearnedModel:
    """Features by name, what was learned of them, and where it comes from.

    ``features`` names the feature set, ``columns`` its features in order. ``slope`` stretches
    margins to scores; where there is a ``curve``, that does: points of a distance from a perfect
    output and its score, rising to (0, 1). Where no output is known to be perfect, as a feature
    reads more than references, there is an ``anchor``, the margin whose score is one half, and no
    curve. ``training`` says what it was learned from and how;
    ``measured`` holds its agreement with people by the name of the test.
    """

    features: str
    columns: tuple[str, ...]
    scorer: Scorer
    slope: float = 1.0
    training: str = ""
    measured: Mapping[str, float] = field(default_factory=dict)
    version: str = __version__
    curve: Curve = ()
    anchor: float | None = None

    def margins(self, rows: Floats) -> Floats:
        """Margins (...,) of rows (..., k): larger is better."""
        if rows.shape[-1] != len(self.columns):
            found = f"rows of {rows.shape[-1]} features"
            raise DataError(f"{found} for a model of {len(self.columns)}")
        return self.scorer.margins(rows)

    def scores(self, rows: Floats, perfect: Floats) -> Floats:
        r"""Scores in [0, 1] of outputs, given the rows of a perfect output of each segment.

        .. math:: s = \min(1, 2 / (1 + e^{-\text{slope} \cdot (m - m^*)}))

        or along the curve; so that an output equal to its reference gets 1, and a larger margin
        never a lower score.
        """
        return self.stretched(self.margins(rows) - self.margins(perfect))

    def stretched(self, distance: Floats) -> Floats:
        """Scores of margins that are so far from those of a perfect output, or from the anchor."""
        if self.anchor is not None:
            return _logistic(distance * self.slope)
        below = np.minimum(0.0, distance)
        if self.curve:
            return along(self.curve, below, slope=self.slope)
        grown = np.exp(below * self.slope)
        return np.asarray(2 * grown / (1 + grown), np.float64)

    def calibrated(self, distance: Floats, human: Floats) -> "LearnedModel":
        """The model with the slope whose scores are nearest to human scores on the scale 0-1.

        *distance* is the margin of each output less that of a perfect one; nearest in the sum of
        squares. Outputs without a human score (nan) are left out; without any the model is
        unchanged.
        """
        from scipy.optimize import minimize_scalar

        known = ~np.isnan(human)
        if not known.any():
            return self
        below, wanted = np.minimum(0.0, distance[known]), human[known]

        def error(log_slope: float) -> float:
            grown = np.exp(below * np.exp(log_slope))
            return float(((2 * grown / (1 + grown) - wanted) ** 2).sum())

        found = minimize_scalar(error, bounds=(-10, 10), method="bounded")
        return replace(self, slope=float(np.exp(found.x)))

    def anchored(self, margins: Floats, human: Floats) -> "LearnedModel":
        """The model with an anchor, for outputs of which none is known to be perfect.

        Anchor and slope are those whose scores are nearest to human scores on the scale 0-1;
        outputs without one (nan) are left out. Without any, the anchor is the mean margin, and the
        slope as it was.
        """
        from scipy.optimize import minimize

        known = ~np.isnan(human)
        centre = float(margins.mean()) if len(margins) else 0.0
        spread = float(margins[known].std()) if known.any() else 0.0
        if not spread > 0:
            return replace(self, anchor=centre)
        unit = (margins[known] - centre) / spread

        def error(found: Floats) -> float:
            wrong = _logistic((unit - found[1]) * np.exp(found[0])) - human[known]
            return float((wrong**2).sum())

        bounds = ((-10.0, 10.0), (-10.0, 10.0))
        log_slope, shift = minimize(error, [0.0, 0.0], method="Nelder-Mead", bounds=bounds).x
        return replace(
            self, slope=float(np.exp(log_slope)) / spread, anchor=centre + float(shift) * spread
        )

    def on_curve(self, distance: Floats, human: Floats, *, points: int = 16) -> "LearnedModel":
        """The model with the curve that human scores on the scale 0-1 follow.

        Takes what ``calibrated`` does, and wants many scores: every point is the mean of a share of
        them. Without any score the model is unchanged.
        """
        known = ~np.isnan(human)
        if not known.any():
            return self
        return replace(self, curve=fitted_curve(distance[known], human[known], points=points))

    def to_json(self) -> str:
        """The model as text; the same model, the same text."""
        content = {
            "format": _FORMAT,
            "format_version": self._format_version,
            "rankwise": self.version,
            "features": self.features,
            "columns": list(self.columns),
            "slope": self.slope,
            **({"curve": [list(point) for point in self.curve]} if self.curve else {}),
            **({} if self.anchor is None else {"anchor": self.anchor}),
            "training": self.training,
            "measured": dict(self.measured),
            "form": self.scorer.form,
            "learned": self.scorer.as_dict(self.columns),
        }
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
        return _NUMBERS.sub(lambda found: re.sub(r"\n\s*", " ", found[0]), text) + "\n"

    @property
    def _format_version(self) -> int:
        """The first version of the format that holds what the model has."""
        if self.anchor is not None:
            return 3
        return 2 if self.curve else 1

    @classmethod
    def from_json(cls, text: str, *, name: str = "model") -> "LearnedModel":
        """The model of a text; *name* is what messages call it."""
        try:
            content = _parsed(text)
            columns = tuple(_expected(content, "columns", list))
            scorer = SCORERS[content["form"]].from_dict(content["learned"], columns)
            measured = _expected(content, "measured", dict)
            return cls(
                _expected(content, "features", str),
                columns,
                scorer,
                _number(content, "slope", above=0.0),
                _expected(content, "training", str),
                {name: _number(measured, name) for name in measured},
                _expected(content, "rankwise", str),
                checked_curve(content.get("curve", [])),
                _number(content, "anchor") if "anchor" in content else None,
            )
        except DataError as error:
            raise DataError(f"{name}: {error}") from error


def _logistic(values: Floats) -> Floats:
    """1 / (1 + exp(-v)), without overflow on either side."""
    grown = np.exp(-np.abs(values))
    return np.asarray(np.where(values < 0, grown, 1.0) / (1 + grown), np.float64)


def _parsed(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not a model: {error}") from error
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise DataError(f"not a model: no 'format' of {_FORMAT!r}")
    version = _expected(content, "format_version", int)
    if not 1 <= version <= _FORMAT_VERSION:
        advice = ": update rankwise to read it" if version > 1 else ""
        raise DataError(
            f"its format is version {version!s:.40}, this is for 1 to {_FORMAT_VERSION}{advice}"
        )
    if _expected(content, "form", str) not in SCORERS:
        raise DataError(f"unknown form {content['form']!r:.40}; expected {', '.join(SCORERS)}")
    _expected(content, "learned", dict)
    if "anchor" in content and "curve" in content:
        raise DataError("it has an 'anchor' and a 'curve'; expected one of them")
    if not all(isinstance(column, str) for column in _expected(content, "columns", list)):
        raise DataError("'columns' holds what is not a name")
    return content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, if no key occurs twice: Python would take the last."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"key {key!r:.40} occurs twice in one object")
        found[key] = value
    return found


def _expected(content: Mapping[str, Any], key: str, kind: type) -> Any:
    found = content.get(key)
    if not isinstance(found, kind) or isinstance(found, bool):
        raise DataError(f"{key!r} is {found!r:.40}; expected {_KINDS[kind]}")
    return found


def _number(content: Mapping[str, Any], key: str, *, above: float = -np.inf) -> float:
    """A finite number; *above* is what it must exceed."""
    found = content.get(key)
    if not is_number(found) or found <= above:
        limit = "" if above < 0 else f" above {above:g}"
        raise DataError(f"{key!r} is {found!r:.40}; expected a number{limit}")
    return float(found)
