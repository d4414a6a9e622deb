"""How far judges agree on where errors are: characters and whole errors, with intervals."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rankwise.agreement.judges.span_rows import (
    SPAN_MEASURES,
    WHOLE,
    SpanRows,
    SpanScore,
    chance_level,
    span_rows,
)
from rankwise.significance.few_items import intervals_of_few
from rankwise.significance.resample import bootstraps
from rankwise.types import Assessments, TestSet
from rankwise.types.shown import Shown


@dataclass(frozen=True, slots=True)
class SpanMeasure:
    """One measure of agreement, its interval over segments, and what chance would give.

    nan is what is not defined: nothing was marked, or the lengths of texts are not known.
    """

    name: str
    value: float
    low: float
    high: float
    chance: float


@dataclass(frozen=True, slots=True, eq=False)
class SpanAgreement(Shown):
    """How far judges agree on errors; ``pairs`` are two judges who marked the same text.

    ``errors`` counts what either marked in these texts. ``by_judge`` has the values of the measures
    of every judge with the others, in the order of ``measures``, and ``pairs_of`` on how many pairs
    they rest.
    """

    measures: tuple[SpanMeasure, ...]
    pairs: int
    segments: int
    errors: int
    by_judge: Mapping[str, tuple[float, ...]]
    pairs_of: Mapping[str, int]

    def __getitem__(self, name: str) -> SpanMeasure:
        """A measure by its name."""
        return next(one for one in self.measures if one.name == name)

    def __repr__(self) -> str:
        """The character F1 and that of errors, in one line."""
        characters, errors = (self[name].value for name in ("characters", "errors"))
        return f"<SpanAgreement: F1 {characters:.3f} of characters, {errors:.3f} of errors>"


def span_agreement(
    assessments: Assessments,
    *,
    texts: TestSet | None = None,
    samples: int = 1000,
    seed: int = 1,
    level: float = 0.95,
) -> SpanAgreement:
    r"""How far judges who marked errors in the same texts agree on where these are.

    Five measures, each summed over all pairs of judges of one text before it is divided:
    ``characters``, the character F1 of the shared tasks on quality estimation, in which a shared
    character counts .5 where the severities differ; ``characters-any``, whatever the severities;
    ``errors`` and ``errors-any``, the same of whole errors, matched one to one by the characters
    they share; and ``some-or-none``, the share of pairs in which both found errors or neither did.

    .. math:: F_1 = \frac{2 \sum \text{credit}}{\sum (\text{left} + \text{right})}

    Two judges who both find nothing add nothing to an F1. Intervals are over segments drawn with
    replacement *samples* times. *texts* tell how long outputs are, which the chance level of
    characters needs: that of marks turned to any place of their text. Blain et al. (2023), Findings
    of the WMT 2023 Shared Task on Quality Estimation.

    >>> spans = '[{"start": 0, "end": 4, "severity": "minor", "category": null}]'
    >>> rows = [("A", "1", judge, "TGT", 80.0) for judge in ("ann", "bob")]
    >>> marked = np.array([spans, spans.replace("minor", "major")], object)
    >>> span_agreement(Assessments.from_rows(rows, info={"spans": marked}))
    <SpanAgreement: F1 0.500 of characters, 0.500 of errors>
    """
    rows = span_rows(assessments, None if texts is None else _lengths(texts))
    pairs, errors = (int(rows.by_segment[:, place].sum()) for place in (0, 4))
    return SpanAgreement(
        _measures(rows, samples, seed, level),
        pairs,
        len(rows.segments),
        errors,
        {
            judge: tuple(float(SpanScore(name).score(row)) for name in SPAN_MEASURES)
            for judge, row in zip(rows.judges, rows.by_judge, strict=True)
        },
        dict(zip(rows.judges, rows.by_judge[:, 0].astype(int).tolist(), strict=True)),
    )


def _lengths(texts: TestSet) -> dict[tuple[str, str], int]:
    return {
        (system, segment.id): len(text)
        for system, column in texts.outputs.items()
        for segment, text in zip(texts.segments, column, strict=True)
        if text is not None
    }


def _measures(rows: SpanRows, samples: int, seed: int, level: float) -> tuple[SpanMeasure, ...]:
    nothing = float("nan")
    total = rows.by_segment.sum(axis=0)
    values = [float(SpanScore(name).score(total)) for name in SPAN_MEASURES]
    chance = [chance_level(name, rows.by_segment) for name in SPAN_MEASURES]
    low, high = [nothing] * len(values), [nothing] * len(values)
    if len(rows.segments) > 1:
        whole = rows.by_segment[:, :WHOLE].astype(np.int64)
        cases = [({name: whole}, SpanScore(name)) for name in SPAN_MEASURES]
        drawn = bootstraps(cases, samples=samples, seed=seed)
        for place, one in enumerate(drawn):
            if not np.isnan(one.resampled).any():
                found = intervals_of_few(one, [len(rows.segments)], level=level)
                low[place], high[place] = float(found.low[0]), float(found.high[0])
    return tuple(map(SpanMeasure, SPAN_MEASURES, values, low, high, chance))
