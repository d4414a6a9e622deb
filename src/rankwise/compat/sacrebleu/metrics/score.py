"""A score as an object: the number, its name, its interval, and how they are printed."""

import json
from collections.abc import Sequence
from typing import Any

from rankwise.errors import DataError


class Score:
    """A metric's name and score; printed with the interval of a bootstrap if there was one."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        # Not estimated yet; nothing is printed unless the mean is above 0.
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """The score with *width* decimals: alone, in a line with its name, or as JSON.

        >>> score = Score("TER", 25.0)
        >>> score.format(signature="nrefs:1|case:lc")
        'TER|nrefs:1|case:lc = 25.00'
        >>> score.format(width=1, score_only=True)
        '25.0'
        """
        if score_only:
            return self._numbers(width)
        if is_json:
            return json.dumps(self._fields(width, signature), indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        line = f"{name} = {self._numbers(width)}"
        return f"{line} {self._verbose}" if self._verbose else line

    def estimate_ci(self, scores: Sequence["Score"]) -> None:
        """Take mean and interval from the scores of resamples."""
        self.set_interval([score.score for score in scores])

    def set_interval(self, scores: Sequence[float]) -> None:
        """Mean of resampled *scores*, and half the length of their central 95 per cent."""
        import statistics  # slow to import, and most runs have no interval

        if not scores:
            raise DataError("no resampled score; expected at least one")
        ordered = sorted(scores)
        cut = len(ordered) // 40
        self._mean = statistics.mean(ordered)
        self._ci = 0.5 * (ordered[-1 - cut] - ordered[cut])

    def _numbers(self, width: int) -> str:
        number = f"{self.score:.{width}f}"
        return f"{number} ({self._interval(width)})" if self._mean > 0 else number

    def _interval(self, width: int) -> str:
        return f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}"

    def _fields(self, width: int, signature: str) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": signature,
        }
        if self._mean > 0:
            fields["confidence_mean"] = float(f"{self._mean:.{width}f}")
            fields["confidence_var"] = float(f"{self._ci:.{width}f}")
            fields["confidence"] = self._interval(width)
        if self._verbose:
            fields["verbose_score"] = self._verbose
        options = (part.partition(":") for part in signature.split("|") if part)
        return fields | {key: value for key, _, value in options}

    def __repr__(self) -> str:
        """The line that :meth:`format` gives."""
        return self.format()
