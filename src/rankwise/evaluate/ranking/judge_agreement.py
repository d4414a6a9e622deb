"""How far judges agree: kappa with intervals over segments, alpha, and every judge by itself."""

from dataclasses import dataclass

import numpy as np

from rankwise.agreement.judges.annotators import (
    AnnotatorAgreement,
    Compat,
    WmtKappa,
    inter_agreement,
    intra_agreement,
    preference_alpha,
)
from rankwise.agreement.judges.judge_pairs import pair_kappas
from rankwise.agreement.judges.shared_texts import with_shared_texts
from rankwise.significance import bootstrap
from rankwise.significance.few_items import intervals_of_few
from rankwise.types import Judgments
from rankwise.types.shown import Shown


@dataclass(frozen=True, slots=True, eq=False)
class KappaAndAlpha:
    """One kind of agreement: counts and kappa, its interval, Cohen's kappa, Krippendorff's alpha.

    The interval is of kappa over segments drawn with replacement, nan where kappa is, or where
    a resample leaves nothing to compare. ``cohen`` is the mean over pairs of judges, each with the
    chance of these two; nan for the agreement of judges with themselves.
    """

    counts: AnnotatorAgreement
    low: float
    high: float
    cohen: float
    alpha: float
    ordinal_alpha: float


@dataclass(frozen=True, slots=True, eq=False)
class JudgeAgreement(Shown):
    """Agreement between judges and of judges with themselves.

    ``found_texts`` counts the rankings in which systems that shared a text had to be found again,
    as they must be in expanded files of WMT.
    """

    inter: KappaAndAlpha
    intra: KappaAndAlpha
    found_texts: int = 0

    def __repr__(self) -> str:
        """Both kappas, in one line."""
        inter, intra = self.inter.counts.kappa, self.intra.counts.kappa
        return f"<JudgeAgreement: kappa {inter:.3f} with others, {intra:.3f} with themselves>"


def judge_agreement(
    judgments: Judgments,
    *,
    compat: Compat | None = None,
    samples: int = 1000,
    seed: int = 1,
    level: float = 0.95,
) -> JudgeAgreement:
    """Both kinds of agreement of *judgments*, with intervals from *samples* resamples.

    ``compat="wmt"`` counts as the scripts of WMT did, see
    :func:`rankwise.agreement.judges.annotators.inter_agreement`; Cohen's kappa and alpha do not
    depend on it.
    """
    texts = with_shared_texts(judgments)
    found_texts = int((texts.text_counts < judgments.text_counts).sum())
    judgments, found = texts, []
    for counts in (
        inter_agreement(judgments, compat=compat),
        intra_agreement(judgments, compat=compat),
    ):
        low, high = _interval(counts, samples, seed, level)
        nominal, ordinal = (
            preference_alpha(judgments, kind=counts.kind, level=scale)
            for scale in ("nominal", "ordinal")
        )
        cohen = pair_kappas(judgments).mean if counts.kind == "inter" else float("nan")
        found.append(KappaAndAlpha(counts, low, high, cohen, nominal, ordinal))
    inter, intra = found
    return JudgeAgreement(inter, intra, found_texts)


def _interval(
    counts: AnnotatorAgreement, samples: int, seed: int, level: float
) -> tuple[float, float]:
    if np.isnan(counts.kappa):
        return float("nan"), float("nan")
    drawn = bootstrap({"kappa": counts.rows}, WmtKappa(), samples=samples, seed=seed)
    compared = np.count_nonzero(counts.rows.any(axis=1))
    interval = intervals_of_few(drawn, [int(compared)], level=level)
    return float(interval.low[0]), float(interval.high[0])
