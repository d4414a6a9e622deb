"""How far judges agree, with each other and with themselves, with intervals.

Rankings are compared pair by pair (kappa with WMT's chance, Krippendorff's alpha); values are
compared output by output (alpha on the interval scale).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.judges.annotators import (
    AnnotatorAgreement,
    WmtKappa,
    inter_agreement,
    intra_agreement,
)
from rankwise.agreement.judges.judge_labels import labels
from rankwise.agreement.judges.krippendorff import alpha_of_values
from rankwise.server.campaign.shares import LEVEL, QUANTILE, plain
from rankwise.server.campaign.standings.contents import AgreementPanel, AlphaCell, KappaCell
from rankwise.server.campaign.standings.kappa_errors import kappa_widths
from rankwise.server.records import StoredJudgment
from rankwise.significance.few_items import level_of_few
from rankwise.types import Assessments, Judgments

#: Above so many pairs or values, alpha is found on a seeded sample of segments of about this size.
SAMPLE = 200_000
_RUNS = 200


@dataclass(frozen=True, slots=True)
class JudgeMeasure:
    """How far one judge agrees, by kappa or a correlation (r), with its interval; nan: undefined.

    ``n`` is on how many pairs of labels or values it rests.
    """

    measure: str = ""
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: int = 0


_UNDEFINED = JudgeMeasure()


@dataclass(frozen=True, slots=True, eq=False)
class AgreementByJudge:
    """Rows of two kinds of agreement for every judge; see ``AnnotatorAgreement.per_judge``."""

    others: Mapping[str, JudgeMeasure]
    selves: Mapping[str, JudgeMeasure]

    def replaced_by(self, other: "AgreementByJudge") -> "AgreementByJudge":
        """The same with the judges of *other* as they are there."""
        return AgreementByJudge({**self.others, **other.others}, {**self.selves, **other.selves})

    def with_others(self, judge: str) -> JudgeMeasure:
        """Agreement with the others, undefined where nobody else saw the same."""
        return self.others.get(judge, _UNDEFINED)

    def with_self(self, judge: str) -> JudgeMeasure:
        """Agreement with oneself, undefined where nothing was repeated."""
        return self.selves.get(judge, _UNDEFINED)


def ranking_agreement(
    work: Judgments, repeated: Judgments, *, seed: int
) -> tuple[AgreementPanel, AgreementByJudge, dict[str, tuple[int, int]]]:
    """The panel, the agreement of every judge, and (identical, comparable) by segment.

    *work* is what different judges are compared on, *repeated* the screens that judges saw twice.
    """
    inter, intra = inter_agreement(work), intra_agreement(repeated)
    content: AgreementPanel = {
        "inter": _kappa(inter, seed),
        "intra": _kappa(intra, seed),
        "alpha": _preference_alpha(_sampled(work, seed), seed),
        "level": LEVEL,
        "n": len(work),
    }
    names = [work.segments[code] for code in np.unique(work.segment).tolist()]
    rows = zip(names, inter.rows[:, :2].tolist(), strict=True)
    by_segment = {name: (same, compared) for name, (same, compared) in rows}
    by_judge = AgreementByJudge(_judges(inter, work), _judges(intra, repeated))
    return plain(content), by_judge, by_segment


def _sampled(judgments: Judgments, seed: int) -> Judgments:
    """Whole segments drawn until there are about ``SAMPLE`` pairs."""
    pairs = judgments.pair_count
    if pairs <= SAMPLE:
        return judgments
    chance = np.random.default_rng((seed, 6)).random(len(judgments.segments))
    return judgments.select(chance[judgments.segment] < SAMPLE / pairs)


def _kappa(found: AnnotatorAgreement, seed: int) -> KappaCell:
    low, high = _bootstrap(found.rows.astype(np.float64), seed, WmtKappa().score)
    return {
        "kappa": found.kappa,
        "low": low,
        "high": high,
        "n": found.comparable,
        "identical": found.identical,
        "observed": found.observed,
        "expected": found.expected,
        "reason": found.reason,
    }


def _preference_alpha(judgments: Judgments, seed: int) -> AlphaCell:
    """Krippendorff's alpha of preferences with its interval, from rows that may be added."""
    rows = alpha_rows(judgments)
    low, high = _bootstrap(rows, seed, alpha_of_rows)
    found = float(alpha_of_rows(rows.sum(axis=0)))
    reason = "" if np.isfinite(found) else "no two texts were compared by two judges"
    return {"alpha": found, "low": low, "high": high, "n": int(rows[:, 1].sum()), "reason": reason}


def alpha_rows(judgments: Judgments) -> NDArray[np.float64]:
    """Per segment: disagreements, values and ties of items with labels of two judges or more.

    The same as ``preference_alpha`` on the nominal level, as rows that resampling can add.
    """
    found = labels(judgments)
    by_judge = found.item * max(1, found.judges) + found.judge
    first = np.unique(by_judge, return_index=True)[1]
    item, sign = found.item[first], found.sign[first]
    size = len(found.segment_of)
    counts = np.bincount(item * 3 + sign + 1, minlength=3 * size).reshape(-1, 3).astype(np.float64)
    judges = counts.sum(axis=1)
    several = judges > 1
    counts, judges = counts[several], judges[several]
    apart = (judges**2 - (counts**2).sum(axis=1)) / np.maximum(judges - 1, 1)
    segment = found.segment_of[several]
    columns = [np.bincount(segment, c, found.segments) for c in (apart, judges, counts[:, 1])]
    return np.stack(columns, axis=1)


def alpha_of_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Alpha of (sums of) rows; every item counts from either side, so ± are equally frequent."""
    apart, values, ties = 2 * rows[..., 0], 2 * rows[..., 1], 2 * rows[..., 2]
    expected = values**2 - ties**2 - (values - ties) ** 2 / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(1 - (values - 1) * apart / np.where(expected > 0, expected, np.nan))


def _bootstrap(
    rows: NDArray[np.float64],
    seed: int,
    score: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> tuple[float, float]:
    """The interval of a score over segments drawn with replacement; nan for one segment.

    Of few segments it is wider, as that of ``rankwise rank`` is.
    """
    compared = int(np.count_nonzero(rows[:, 1]))
    if compared < 2:
        return float("nan"), float("nan")
    random, size = np.random.default_rng((seed, 7)), len(rows)
    drawn = random.multinomial(size, np.full(size, 1 / size), size=_RUNS)
    scores = score(drawn @ rows)
    if np.isnan(scores).any():
        return float("nan"), float("nan")
    return _ends(scores, compared)


def _ends(drawn: NDArray[np.float64], items: int) -> tuple[float, float]:
    """The ends of the interval of scores drawn of so many items."""
    cut = (1 - level_of_few(LEVEL, items)) / 2
    low, high = np.quantile(drawn, [cut, 1 - cut])
    return float(low), float(high)


def _judges(found: AnnotatorAgreement, judgments: Judgments) -> dict[str, JudgeMeasure]:
    """Kappa of every judge, its interval over segments (see ``kappa_errors``)."""
    rows = found.per_judge
    kappa = WmtKappa().score(rows)
    wide = kappa_widths(judgments, rows, own=found.kind == "intra")
    return {
        name: JudgeMeasure(
            "kappa",
            float(kappa[place]),
            float(np.maximum(-1.0, kappa[place] - wide[place])),
            float(np.minimum(1.0, kappa[place] + wide[place])),
            int(rows[place, 1]),
        )
        for place, name in enumerate(found.judges)
    }


def value_agreement(
    work: Assessments, repeated: Assessments, *, seed: int
) -> tuple[AgreementPanel, AgreementByJudge, dict[str, tuple[float, int]]]:
    """The panel for values, the agreement of every judge, and (spread, values) by segment.

    Different judges are compared on standardised values of one output; a judge with himself on
    raw values. A judge's agreement is the correlation with the mean of the others, or of the two
    looks.
    """
    values, unit = work.standardised(), _units(work)
    own = _units(repeated) * max(len(repeated.judges), 1) + repeated.judge
    none: KappaCell = {
        "kappa": None,
        "low": None,
        "high": None,
        "n": 0,
        "reason": "values have no kappa",
    }
    content: AgreementPanel = {
        "inter": none,
        "intra": none,
        "alpha": _alpha(unit, values, seed),
        "intra_alpha": _alpha(own, repeated.value, seed),
        "level": LEVEL,
        "n": len(work),
    }
    others = _others_mean(unit, values)
    twice = _others_mean(own, repeated.value)
    by_judge = AgreementByJudge(
        _correlations(work, values, others),
        _correlations(repeated, repeated.value, _once(own, twice)),
    )
    return plain(content), by_judge, _spread_by_segment(work, values, unit)


def _units(assessments: Assessments) -> NDArray[np.int64]:
    size = max(len(assessments.systems), 1)
    return assessments.segment.astype(np.int64) * size + assessments.system


def _alpha(unit: NDArray[np.int64], value: NDArray[np.float64], seed: int) -> AlphaCell:
    """Alpha on the interval scale, its interval over units drawn with replacement.

    Of few units it is wider, as other intervals are.
    """
    if len(unit) == 0:
        return {"alpha": None, "low": None, "high": None, "n": 0, "reason": "no values"}
    code = np.unique(unit, return_inverse=True)[1]
    several = np.bincount(code)[code] > 1
    code, value = np.unique(code[several], return_inverse=True)[1], value[several]
    if len(code) == 0:
        reason = "no output was judged twice"
        return {"alpha": None, "low": None, "high": None, "n": 0, "reason": reason}
    random, units = np.random.default_rng((seed, 8)), int(code.max()) + 1
    order = np.argsort(code, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(code))))
    drawn = []
    for _ in range(_RUNS if len(code) <= SAMPLE // 10 else _RUNS // 10):
        chosen = random.integers(0, units, units)
        sizes = np.diff(starts)[chosen]
        begin = np.repeat(starts[chosen] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
        rows = order[begin + np.arange(sizes.sum())]
        drawn.append(
            alpha_of_values(np.repeat(np.arange(units), sizes), value[rows], level="interval")
        )
    low, high = _ends(np.array(drawn), units)
    found = alpha_of_values(code, value, level="interval")
    return {"alpha": found, "low": low, "high": high, "n": len(code), "reason": ""}


def _others_mean(unit: NDArray[np.int64], value: NDArray[np.float64]) -> NDArray[np.float64]:
    """For every value the mean of the other values of its unit; nan without any."""
    if len(unit) == 0:
        return np.empty(0)
    code = np.unique(unit, return_inverse=True)[1]
    count, total = np.bincount(code)[code], np.bincount(code, value)[code]
    found: NDArray[np.float64] = np.full(len(value), np.nan)
    np.divide(total - value, count - 1, out=found, where=count > 1)
    return found


def _once(unit: NDArray[np.int64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """*other* for the first value of every unit alone: two looks are one pair, not two."""
    first = np.unique(unit, return_index=True)[1]
    found: NDArray[np.float64] = np.full(len(other), np.nan)
    found[first] = other[first]
    return found


def _correlations(
    assessments: Assessments, value: NDArray[np.float64], other: NDArray[np.float64]
) -> dict[str, JudgeMeasure]:
    found = {}
    for code, name in enumerate(assessments.judges):
        rows = (assessments.judge == code) & ~np.isnan(other)
        found[name] = _correlation(value[rows], other[rows])
    return found


def _correlation(left: NDArray[np.float64], right: NDArray[np.float64]) -> JudgeMeasure:
    r"""Pearson's r with Fisher's interval, :math:`\tanh(\tanh^{-1} r \pm z / \sqrt{n - 3})`."""
    n = len(left)
    if n < 4 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return JudgeMeasure("r", n=n)
    r = float(np.corrcoef(left, right)[0, 1])
    middle, wide = np.arctanh(np.clip(r, -0.999999, 0.999999)), QUANTILE / np.sqrt(n - 3)
    low, high = float(np.tanh(middle - wide)), float(np.tanh(middle + wide))
    return JudgeMeasure("r", r, low, high, n)


def _spread_by_segment(
    work: Assessments, values: NDArray[np.float64], unit: NDArray[np.int64]
) -> dict[str, tuple[float, int]]:
    """The mean deviation of values from their unit's mean, by segment, and how many values."""
    if len(unit) == 0:
        return {}
    code = np.unique(unit, return_inverse=True)[1]
    count, mean = np.bincount(code)[code], (np.bincount(code, values) / np.bincount(code))[code]
    several = count > 1
    size = len(work.segments)
    total = np.bincount(work.segment[several], np.abs(values - mean)[several], size)
    held = np.bincount(work.segment[several], minlength=size)
    return {
        name: (float(total[place] / held[place]), int(held[place]))
        for place, name in enumerate(work.segments)
        if held[place]
    }


def repeated_only(judgments: Sequence[StoredJudgment]) -> list[StoredJudgment]:
    """The repeated screens and the judgments that they repeat."""
    originals = {(j.repeats, j.judge) for j in judgments if j.role == "repeat"}
    return [
        j
        for j in judgments
        if j.role == "repeat" or (j.role == "work" and (j.screen, j.judge) in originals)
    ]
