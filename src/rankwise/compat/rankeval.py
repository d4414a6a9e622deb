"""What RankEval (2013) prints, its known mistakes included, for numbers that must be comparable.

Its ways, none of which are ours by default: p-values take the number of pairs for the number of
items; the macro-averaged tau leaves out lists whose tau is 0; ``invert_ranks`` loses the item that
gold puts first; of tied predictions only the last in input order keeps its gain; NDCG of all lists
is cut at the length of the first; two percentages look at the last list only. Where it crashes, the
value here is nan. Avramidis (2013), PBML 100, 63-72.
"""

import math
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.agreement.lists.best_item import AveragePredicted
from rankwise.agreement.lists.err import Err
from rankwise.agreement.lists.gain import Ndcg
from rankwise.agreement.lists.list_measure import Request, Rows, columns_of, ratio
from rankwise.agreement.lists.normalisation import ties_code
from rankwise.agreement.lists.ranked_lists import Lists, RankedLists
from rankwise.agreement.lists.reciprocal import Mrr
from rankwise.errors import DataError

#: What RankEval calls measures that have another name here.
NAMES: Mapping[str, str] = {
    "kendall": "tau",
    "kendall:average=macro": "tau_avg_seg",
    "ndcg": "ndgc",
    "avg-predicted": "avg_predicted_ranked",
}

_SQUARE_ROOT_OF_TWO = 1.4142136  # as many digits as it had
_PAIRS = Request("pairs")
_FIRST, _AVERAGE = AveragePredicted(ties="minimize").request, AveragePredicted().request


def allmetrics(predicted: Lists | RankedLists, gold: Lists | None = None) -> Mapping[str, float]:
    """All results of RankEval by its names, as its command line prints them.

    >>> found = allmetrics([[1, 2, 3], [1, 1, 2]], [[1, 2, 3], [1, 2, 3]])
    >>> found["tau"], found["bph_2.0"], found["mrr"]
    (0.6666666666666666, 50.0, 0.75)
    """
    lists = RankedLists.of(predicted, gold)
    ndcg, err = _gains(lists, None)
    requests = [_PAIRS, Mrr().request, ndcg, err, _FIRST, _AVERAGE]
    columns = columns_of(requests, lists)
    return {
        **_tau_set(_Counts.of(columns[_PAIRS]), lists),
        "mrr": _mean(columns[Mrr().request][:, 0]),
        **_bph(columns[_FIRST][:, 0]),
        "avg_predicted_ranked": _mean(columns[_AVERAGE][:, 0]),
        "ndgc": _mean(ratio(*columns[ndcg].T)),
        "err": _mean(columns[err][:, 0]),
    }


def results_named(lists: RankedLists, names: Sequence[str]) -> Mapping[str, float]:
    """Some results of RankEval by *names*, its own or those of our measures.

    >>> results_named(RankedLists.of([[1, 2]], [[1, 2]]), ["ndgc", "kendall"])
    {'ndgc': 1.0, 'kendall': 1.0}
    """
    found = allmetrics(lists)
    unknown = [name for name in names if NAMES.get(name, name) not in found]
    if unknown:
        raise DataError(f"RankEval has no {unknown[0]!r}; choose from {', '.join(sorted(found))}")
    return {name: found[NAMES.get(name, name)] for name in names}


def kendall_tau_set(
    predicted: Lists | RankedLists,
    gold: Lists | None = None,
    *,
    ties: str = "ceiling",
    exclude_ties: bool = True,
    penalize_predicted_ties: bool = True,
    invert_ranks: bool = False,
) -> Mapping[str, float]:
    """The results about tau of all lists, with the options of RankEval's function."""
    lists = RankedLists.of(predicted, gold)
    options = {"exclude_ties": exclude_ties, "penalize_predicted_ties": penalize_predicted_ties}
    return _tau_set(_counts(lists, ties, invert_ranks, **options), lists)


def kendall_tau(
    predicted: Lists | RankedLists,
    gold: Lists | None = None,
    *,
    ties: str = "ceiling",
    exclude_ties: bool = True,
    penalize_predicted_ties: bool = True,
    invert_ranks: bool = False,
) -> Rows:
    """Tau, its p-value and six counts of every list, (n, 8), in the order of RankEval's tuple."""
    lists = RankedLists.of(predicted, gold)
    options = {"exclude_ties": exclude_ties, "penalize_predicted_ties": penalize_predicted_ties}
    return _counts(lists, ties, invert_ranks, **options).rows


def tau_prob(tau: Any, pairs: Any) -> Any:
    """RankEval's p-value of tau: the paper's, but with the number of pairs for that of items.

    >>> round(tau_prob(1.0, 10), 6)
    5.7e-05
    """
    from scipy.special import erfc  # slow to import

    m = np.asarray(pairs, np.float64)
    variance = np.ones(m.shape)
    np.divide(4 * m + 10, 9 * m * (m - 1), out=variance, where=m > 1)
    values = erfc(np.abs(np.asarray(tau) / np.sqrt(variance)) / _SQUARE_ROOT_OF_TWO)
    return float(values) if values.ndim == 0 else values


def avg_ndgc_err(
    predicted: Lists | RankedLists, gold: Lists | None = None, *, k: int | None = None
) -> Mapping[str, float]:
    """Mean NDCG, by default at the length of the first list, and mean ERR."""
    lists = RankedLists.of(predicted, gold)
    requests = _gains(lists, k)
    columns = columns_of(requests, lists)
    ndcg, err = (columns[request] for request in requests)
    return {"ndgc": _mean(ratio(*ndcg.T)), "err": _mean(err[:, 0])}


def best_predicted_vs_human(
    predicted: Lists | RankedLists, gold: Lists | None = None
) -> Mapping[str, float]:
    """Percentages of lists, two decimals, by the human rank of the item predicted best."""
    return _bph(columns_of([_FIRST], RankedLists.of(predicted, gold))[_FIRST][:, 0])


class _Counts:
    """RankEval's counts of pairs of every list."""

    def __init__(self, kept: Rows, everything: Rows, *, exclude: bool, penalize: bool) -> None:
        concordant, discordant, gold_tied, predicted_tied, both_tied = kept[:, :5].T
        self.concordant = concordant if exclude else concordant + both_tied
        self.discordant = discordant if exclude else discordant + gold_tied
        self.discordant = self.discordant + predicted_tied if penalize else self.discordant
        self.valid = self.concordant + self.discordant
        self.gold_ties = everything[:, 2] + everything[:, 4]
        self.predicted_ties = everything[:, 3] + everything[:, 4]
        self.pairs = everything[:, :5].sum(axis=1)
        self.tau: Rows = ratio(self.concordant - self.discordant, self.valid)
        self.prob: Rows = np.where(self.valid > 0, tau_prob(self.tau, self.valid), np.nan)

    @classmethod
    def of(cls, columns: Rows) -> "_Counts":
        return cls(columns, columns, exclude=True, penalize=True)

    @property
    def rows(self) -> Rows:
        counts = (self.concordant, self.discordant, self.valid)
        ties = (self.gold_ties, self.predicted_ties, self.pairs)
        return np.column_stack([self.tau, self.prob, *counts, *ties])


def _counts(
    lists: RankedLists,
    ties: str,
    invert_ranks: bool,
    *,
    exclude_ties: bool,
    penalize_predicted_ties: bool,
) -> _Counts:
    code = ties_code("rankeval", ties)
    everything = columns_of([_PAIRS], lists)[_PAIRS]
    kept = everything
    if invert_ranks:
        ranks = _core.normalise_ranks(lists.starts, lists.gold, code)[0]
        # A gold rank of 1 becomes -1, which it takes for "not ranked".
        inverted = RankedLists(lists.starts, lists.predicted, np.where(ranks == 1, np.nan, -ranks))
        kept = columns_of([_PAIRS], inverted)[_PAIRS]
    return _Counts(kept, everything, exclude=exclude_ties, penalize=penalize_predicted_ties)


def _tau_set(counts: _Counts, lists: RankedLists) -> dict[str, float]:
    concordant, discordant = counts.concordant.sum(), counts.discordant.sum()
    tau = ratio(concordant - discordant, concordant + discordant)
    used = (counts.prob > 0) & (counts.tau != 0)  # neither undefined, nor 0, nor of p = 0
    with_ties = float((counts.predicted_ties > 0).sum())
    last_ties = float(counts.predicted_ties[-1]) if len(lists) else math.nan
    last_size = int(lists.sizes[-1]) if len(lists) else 0
    return {
        "tau": tau,
        "tau_prob": float(tau_prob(tau, concordant + discordant)),
        "tau_avg_seg": _mean(counts.tau[used]),
        "tau_avg_seg_prob": float(np.prod(counts.prob[used])),
        "tau_concordant": float(concordant),
        "tau_discordant": float(discordant),
        "tau_valid_pairs": float(concordant + discordant),
        "tau_all_pairs": float(counts.pairs.sum()),
        "tau_original_ties": float(counts.gold_ties.sum()),
        "tau_predicted_ties": float(counts.predicted_ties.sum()),
        "tau_predicted_ties_per": _percent(last_ties, counts.pairs.sum()),
        "tau_sentence_ties": with_ties,
        "tau_sentence_ties_per": _percent(with_ties, last_size),
    }


def _gains(lists: RankedLists, k: int | None) -> tuple[Request, Request]:
    depth = int(lists.sizes[0]) if k is None and len(lists) and lists.sizes[0] else k
    return Ndcg(k=depth, compat="rankeval").request, Err(compat="rankeval").request


def _bph(ranks: Rows) -> dict[str, float]:
    found, counts = np.unique(ranks[~np.isnan(ranks)], return_counts=True)
    shares: NDArray[np.float64] = 100 * counts / max(1, len(ranks))
    return {
        f"bph_{rank}": _rounded(share)
        for rank, share in zip(found.tolist(), shares.tolist(), strict=True)
    }


def _rounded(value: float) -> float:
    """Two decimals, exact halves away from zero, as Python 2 rounded."""
    return float(Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _mean(values: Rows) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else math.nan


def _percent(part: float, whole: float) -> float:
    return 100 * part / float(whole) if whole else math.nan
