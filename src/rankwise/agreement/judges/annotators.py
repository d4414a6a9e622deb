"""How far judges agree on which of two translations is better, with each other and themselves.

    inter_agreement(judgments)              # different judges on the same two texts
    intra_agreement(judgments)              # a judge who saw the same two texts again
    inter_agreement(judgments, compat="wmt")    # the figures of the WMT papers, digit for digit

The WMT scripts compare labels only where both judges had the two systems in the same order, which
forgets about half of what can be compared, and count a judge's own repeats among the agreement of
different judges. Here neither happens unless ``compat="wmt"`` asks for it.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.judges.judge_labels import labels
from rankwise.agreement.judges.krippendorff import Level, alpha_of_values
from rankwise.agreement.judges.label_pairs import (
    LabelCounts,
    in_repeating_blocks,
    own_pairs_by_judge,
    pairs_by_segment,
    shared_pairs_by_judge,
    ties_and_labels,
)
from rankwise.types import Judgments
from rankwise.types.named import check_choice

Compat = Literal["wmt"]
Kind = Literal["inter", "intra"]


class WmtKappa:
    r"""Cohen's kappa with the chance agreement of WMT, from rows that may be added.

    A row is ``[identical, comparable, ties, labels]``: of ``comparable`` pairs of labels of one
    item ``identical`` are equal; of all ``labels`` so many are ``ties``.

    .. math:: \kappa = \frac{p_A - p_E}{1 - p_E}, \quad
              p_A = \frac{\text{identical}}{\text{comparable}}, \quad
              p_E = p_=^2 + 2 \left(\frac{1 - p_=}{2}\right)^2, \quad
              p_= = \frac{\text{ties}}{\text{labels}}

    Undefined (nan) without comparable labels, or where all labels are ties. Bojar et al. (2013),
    WMT.

    >>> round(WmtKappa().score(np.array([10532, 16144, 9131, 58947])), 3)  # WMT15, English-Czech
    0.438
    """

    signature = "wmt-kappa"
    higher_is_better = True

    def observed(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """The share of comparable pairs of labels that are equal."""
        return _share(rows[..., 0], rows[..., 1])

    def expected(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """The share that would be equal by chance, given how many labels are ties."""
        tied = _share(rows[..., 2], rows[..., 3])
        chance: NDArray[np.float64] = tied**2 + 2 * ((1 - tied) / 2) ** 2
        return chance

    def score(self, rows: NDArray[Any]) -> Any:
        """Kappa of (sums of) rows: a float for one row, an array for a stack of rows."""
        rows = np.asarray(rows)
        expected = self.expected(rows)
        kappa = _share(self.observed(rows) - expected, 1 - expected)
        return float(kappa) if kappa.ndim == 0 else kappa


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatorAgreement:
    """How often labels of the same two texts are equal.

    ``rows[segment]`` is what :class:`WmtKappa` scores, so that segments can be resampled.
    ``per_judge[judge]`` is such a row for every name in ``judges``: all that the judge took part
    in. ``reason`` says why kappa is nan, where it is.
    """

    kind: Kind
    rows: NDArray[np.int64]
    judges: tuple[str, ...]
    per_judge: NDArray[np.int64]
    compat: Compat | None = None
    totals: tuple[int, int, int, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "totals", tuple(self.rows.sum(axis=0).tolist()))

    @property
    def identical(self) -> int:
        """Pairs of labels that are equal."""
        return self.totals[0]

    @property
    def comparable(self) -> int:
        """Pairs of labels of the same two texts."""
        return self.totals[1]

    @property
    def ties(self) -> int:
        """Labels that say "equal"."""
        return self.totals[2]

    @property
    def labels(self) -> int:
        """Labels that chance agreement is estimated from."""
        return self.totals[3]

    @property
    def observed(self) -> float:
        """The share of comparable labels that are equal; nan without any."""
        return float(WmtKappa().observed(np.array(self.totals)))

    @property
    def expected(self) -> float:
        """The share that chance would make equal; nan without labels."""
        return float(WmtKappa().expected(np.array(self.totals)))

    @property
    def kappa(self) -> float:
        """Agreement beyond chance: 1 is perfect, 0 is chance, nan is undefined."""
        return float(WmtKappa().score(np.array(self.totals)))

    @property
    def reason(self) -> str:
        """Why kappa is undefined; empty where it is not."""
        if self.comparable == 0:
            return _NOTHING[self.kind]
        return "every label is a tie, which chance explains" if self.expected == 1 else ""


_NOTHING = {
    "inter": "no two texts were compared by two judges",
    "intra": "no judge compared the same two texts twice",
}


def inter_agreement(
    judgments: Judgments, *, compat: Compat | None = None, expanded: bool = False
) -> AnnotatorAgreement:
    """How far different judges agree on the same two texts.

    All pairs of labels by two different judges on one item are compared. Chance is estimated from
    the ties among all labels. ``compat="wmt"`` compares labels only if the systems came in the
    same order, and a judge's own repeats too. Systems that shared a text are one text unless
    *expanded*: as every judge ties them, expanding inflates the agreement. The rows ``per_judge``
    hold the labels a judge shares with others, and all labels for chance, so that judges can be
    compared.

    >>> from rankwise.types import Ranking
    >>> looks = [("ann", ("A", "B"), (1, 2)), ("bob", ("B", "A"), (2, 1))]
    >>> found = inter_agreement(Judgments.from_rankings(Ranking("1", *look) for look in looks))
    >>> found.identical, found.comparable, found.kappa
    (1, 1, 1.0)
    """
    found = labels(judgments, expanded=expanded, mirrored=_is_mirrored(compat))
    counts = LabelCounts.of(found)
    pairs = pairs_by_segment(counts, found, own=compat == "wmt", others=True)
    rows = ties_and_labels(found.segment_of[found.item], found.sign, found.segments)
    shared = shared_pairs_by_judge(counts, found)
    if compat == "wmt":
        shared += own_pairs_by_judge(counts, found)
    every = np.broadcast_to(rows.sum(axis=0), shared.shape)
    return AnnotatorAgreement(
        "inter", np.hstack([pairs, rows]), judgments.judges, np.hstack([shared, every]), compat
    )


def intra_agreement(
    judgments: Judgments, *, compat: Compat | None = None, expanded: bool = False
) -> AnnotatorAgreement:
    """How far judges agree with themselves when they see the same two texts again.

    Chance is estimated from the labels of those judges on those segments where a judge repeats at
    least one item, as WMT does. ``compat="wmt"`` compares labels only if the systems came in the
    same order; *expanded* is explained at :func:`inter_agreement`.

    >>> from rankwise.types import Ranking
    >>> seen = [Ranking("1", "ann", ("A", "B"), ranks) for ranks in ((1, 2), (1, 2), (2, 1))]
    >>> found = intra_agreement(Judgments.from_rankings(seen))
    >>> found.identical, found.comparable
    (1, 3)
    """
    found = labels(judgments, expanded=expanded, mirrored=_is_mirrored(compat))
    counts = LabelCounts.of(found)
    repeating = in_repeating_blocks(counts, found)
    sign, segment = found.sign[repeating], found.segment_of[found.item[repeating]]
    pairs = pairs_by_segment(counts, found, own=True, others=False)
    own = own_pairs_by_judge(counts, found)
    return AnnotatorAgreement(
        "intra",
        np.hstack([pairs, ties_and_labels(segment, sign, found.segments)]),
        judgments.judges,
        np.hstack([own, ties_and_labels(found.judge[repeating], sign, found.judges)]),
        compat,
    )


def preference_alpha(
    judgments: Judgments,
    *,
    kind: Kind = "inter",
    level: Level = "nominal",
    expanded: bool = False,
) -> float:
    """Krippendorff's alpha of the preferences of judges.

    A unit is two texts of one segment; its values are the first labels of all judges (``inter``) or
    all labels of one judge (``intra``): -1, 0 and +1. Which of two texts comes first is arbitrary,
    so every unit counts once from either side. On the ``ordinal`` and ``interval`` levels a tie is
    nearer to either preference than these are to each other. Undefined (nan) without two labels of
    one unit, or if all labels are ties. See :func:`~rankwise.agreement.krippendorff_alpha`.

    >>> from rankwise.types import Ranking
    >>> seen = [Ranking("1", judge, ("A", "B"), (1, 2)) for judge in ("ann", "bob")]
    >>> preference_alpha(Judgments.from_rankings(seen))
    1.0
    """
    check_choice("preference_alpha", "kind", kind, _NOTHING)
    found = labels(judgments, expanded=expanded)
    by_judge = found.item * max(1, found.judges) + found.judge
    if kind == "inter":
        first = np.unique(by_judge, return_index=True)[1]
        unit, sign = found.item[first], found.sign[first]
    else:
        unit, sign = np.unique(by_judge, return_inverse=True)[1], found.sign
    both = np.concatenate([2 * unit, 2 * unit + 1])
    return alpha_of_values(both, np.concatenate([sign, -sign]), level=level)


def _is_mirrored(compat: Compat | None) -> bool:
    """Whether (A, B) and (B, A) are the same."""
    if compat is not None:
        check_choice("agreement", "compat", compat, ("wmt",))
    return compat is None


def _share(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    shares: NDArray[np.float64] = np.full(part.shape, np.nan)
    np.divide(part, whole, out=shares, where=whole != 0)
    return shares
