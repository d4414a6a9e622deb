"""Every number recorded from RankEval (2013) or worked out for it, with ours beside it.

A *value* is (path, recorded, ours); a crash is recorded as a string ``error: ...``, and ours is a
string too where we refuse an input.
"""

import csv
import gzip
import json
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from scipy.special import erfc

from rankwise.agreement import (
    AveragePredicted,
    Err,
    Mrr,
    Ndcg,
    RankedLists,
    Tau,
    best_predicted_vs_human,
    normalise,
)
from rankwise.agreement.lists.kendall import inverse_variance
from rankwise.compat import rankeval
from rankwise.errors import DataError
from shared_data import shared

TIES = ("minimize", "floor", "ceiling", "middle")
Value = tuple[str, object, object]


def golden() -> dict:
    """The recorded numbers."""
    return json.loads(shared("golden/rankeval.json").read_text(encoding="utf-8"))


def paired(path: str, recorded, ours) -> Iterator[Value]:
    """The leaves of two equal structures; what is missing in ours is None there."""
    if isinstance(recorded, dict) and "error" in recorded:
        yield path, f"error: {recorded['error']}", ours
    elif isinstance(recorded, dict):
        keys = set(recorded) | (set(ours) if isinstance(ours, dict) else set())
        for key in sorted(keys):
            found = ours.get(key) if isinstance(ours, dict) else ours
            yield from paired(f"{path}/{key}", recorded.get(key), found)
    elif isinstance(recorded, list):
        for place, entry in enumerate(recorded):
            found = ours[place] if isinstance(ours, list) and place < len(ours) else ours
            yield from paired(f"{path}[{place}]", entry, found)
    else:
        yield path, recorded, ours


def is_equal(recorded, ours) -> bool:
    """Equal numbers: 1e-9 of their size; undefined is None or NaN there and nan here."""
    if isinstance(recorded, str) and recorded != "NaN":
        return recorded == ours
    if recorded in (None, "NaN"):
        return isinstance(ours, float) and math.isnan(ours)
    if isinstance(ours, str) or ours is None:
        return False
    return math.isclose(recorded, ours, rel_tol=1e-9, abs_tol=1e-14)


def attempt(function, *arguments, **options):
    """What a call gives, or the sentence of its refusal."""
    try:
        return function(*arguments, **options)
    except DataError as error:
        return f"refused: {error}"


def options_of(key: str) -> dict:
    """``ties=floor,invert_ranks=True`` as keyword arguments."""
    if key in ("default", "(no ties argument)"):
        return {}
    words = [part.split("=") for part in key.split(",")]
    plain = {"True": True, "False": False, "None": None}
    return {k: plain.get(v, int(v) if v.isdigit() else v) for k, v in words}


# -- one list --------------------------------------------------------------------------------------


def of_segment(case: dict) -> Iterator[Value]:
    """The values of a case with one list."""
    name, original, correct = case["id"], case["original"], case["correct"]
    lists = [case["predicted"]], [case["gold"]]
    ours = {
        "avg_predicted_ranked": {"avg_predicted_ranked": AveragePredicted().micro(*lists)},
        "best_predicted_vs_human": rankeval.best_predicted_vs_human(*lists),
        "kendall_tau": {
            key: rankeval.kendall_tau(*lists, **options_of(key))[0].tolist()
            for key in original["kendall_tau"]
        },
        "ndgc_err": {key: _ndgc_err(lists, **options_of(key)) for key in original["ndgc_err"]},
        "normalize_gold": _normalised(case["gold"], original["normalize_gold"]),
        "normalize_predicted": _normalised(case["predicted"], original["normalize_predicted"]),
        "reciprocal_rank": {
            key: Mrr(ties="ceiling" if key == "default" else key).micro(*lists)
            for key in original["reciprocal_rank"]
        },
    }
    yield from paired(f"{name}/original", original, ours)
    yield from paired(f"{name}/correct", correct, _correct_segment(lists, correct))


def _ndgc_err(lists, k=None) -> list[float]:
    found = rankeval.avg_ndgc_err(*lists, k=k)
    return [found["ndgc"], found["err"]]


def _normalised(ranks, keys) -> dict:
    # RankEval's default of normalize() was minimize.
    names = {key: "minimize" if key.startswith("(") else key for key in keys}
    return {key: normalise(ranks, ties=ties).tolist() for key, ties in names.items()}


def tau_p_value(tau, items):
    """Avramidis (2013), PBML 100, eq. 3 and 4, of one list or of several."""
    tau, n = np.asarray(tau, float), np.asarray(items, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.sqrt((4 * n + 10) / (9 * n * (n - 1)))
    return np.where(n >= 2, erfc(np.abs(tau) / deviation / math.sqrt(2)), np.nan)[()]


def _correct_segment(lists, recorded) -> dict:
    (predicted,), (gold,) = lists
    tau, inverted = Tau().micro(*lists), Tau().micro([predicted], [[-rank for rank in gold]])
    fraction = tau if math.isnan(tau) else str(Fraction(tau).limit_denominator(10_000))
    return {
        "tau": tau,
        "tau_fraction": fraction,
        "tau_prob (eq.3-4, n = items)": tau_p_value(tau, len(gold)),
        "tau_unpenalised": Tau(variant="original").micro(*lists),
        "tau_inverted_gold": inverted,
        "tau_inverted_gold_prob (n = items)": tau_p_value(inverted, len(gold)),
        "ndcg": {ties: Ndcg(ties=ties).micro(*lists) for ties in TIES},
        "ndcg_at_k_ceiling": {
            key: Ndcg(**options_of(key)).micro(*lists) for key in recorded["ndcg_at_k_ceiling"]
        },
        "ndcg_ceiling_bounds_over_tie_orders [worst,best]": _bounds(Ndcg, lists),
        "err": {ties: Err(ties=ties).micro(*lists) for ties in TIES},
        "err_ceiling_bounds_over_tie_orders [worst,best]": _bounds(Err, lists),
        "err_if_rel_max_is_observed_max (ceiling)": Err(rel_max="observed").micro(*lists),
        "gold_rank_of_predicted_best (worst of tied best)": {
            ties: AveragePredicted(ties=ties).micro(*lists) for ties in TIES
        },
    }


def _bounds(measure, lists) -> list[float]:
    return [measure(order=order).micro(*lists) for order in ("worst", "best")]


# -- sets of lists ---------------------------------------------------------------------------------


def of_set(case: dict, lists) -> Iterator[Value]:
    """The values of a case with several lists."""
    name, original, correct = case["id"], case["original"], case["correct"]
    yield from paired(f"{name}/original", original, _original_set(lists, original))
    if isinstance(correct, dict):
        yield from paired(f"{name}/correct", correct, _correct_set(lists, correct))


def _original_set(lists, recorded) -> dict:
    def avg_predicted():
        return {"avg_predicted_ranked": AveragePredicted().micro(*lists)}

    def mrr():
        return {"mrr": Mrr().micro(*lists)}

    each = {
        "allmetrics": lambda: rankeval.allmetrics(*lists),
        "allmetrics(k=3)": lambda: rankeval.allmetrics(*lists),
        "avg_predicted_ranked": avg_predicted,
        "best_predicted_vs_human": lambda: rankeval.best_predicted_vs_human(*lists),
        "mrr": mrr,
        "mrr(ties='floor') [keyword is ignored]": mrr,
        "Ranking()": lambda: RankedLists.of(*lists),
    }
    ours = {key: attempt(call) for key, call in each.items() if key in recorded}
    for key, function in (
        ("avg_ndgc_err", rankeval.avg_ndgc_err),
        ("kendall_tau_set", rankeval.kendall_tau_set),
    ):
        ours[key] = {
            options: attempt(function, *lists, **options_of(options))
            for options in recorded.get(key, ())
        }
    return {key: value for key, value in ours.items() if value != {} or recorded.get(key) == {}}


def _correct_set(lists, recorded) -> dict:
    lists = RankedLists.of(*lists)
    pairs = Tau().statistics(lists)
    concordant, discordant, gold_tied, predicted_tied, both_tied, _ = pairs.sum(axis=0).tolist()
    taus, count = Tau().segments(lists), len(lists)
    tied = int(((pairs[:, 3] + pairs[:, 4]) > 0).sum())
    all_pairs, predicted_ties = pairs[:, :5].sum(), predicted_tied + both_tied
    p_values = tau_p_value(taus, lists.sizes)
    weights = inverse_variance(lists.sizes.astype(float))[~np.isnan(taus)]
    weighted = Tau(average="weighted").micro(lists)
    bph = best_predicted_vs_human(lists)
    per_ties = {
        "mrr": Mrr,
        "avg_predicted_rank (worst of tied best)": AveragePredicted,
        "ndcg (k = own length; predicted ties averaged)": Ndcg,
        "err (rel_max = n; predicted ties averaged)": Err,
    }
    return {
        "tau_micro": Tau().micro(lists),
        "tau_macro_defined_segments": Tau(average="macro").micro(lists),
        "tau_macro_undefined_as_zero": float(np.nan_to_num(taus).mean()),
        "n_segments": count,
        "n_undefined_tau": int(np.isnan(taus).sum()),
        "n_zero_tau": int((taus == 0).sum()),
        "tau_micro_unpenalised (eq.1, predicted ties ignored)": Tau(variant="original").micro(
            lists
        ),
        "concordant": concordant,
        "discordant": discordant + predicted_tied,
        "valid_pairs": concordant + discordant + predicted_tied,
        "all_pairs": all_pairs,
        "gold_ties": gold_tied + both_tied,
        "predicted_ties": predicted_ties,
        "predicted_ties_percent_of_all_pairs": 100 * predicted_ties / all_pairs,
        "sentences_with_predicted_ties": tied,
        "sentences_with_predicted_ties_percent": 100 * tied / count,
        "product_of_segment_p_values (n = items)": float(np.prod(p_values[~np.isnan(p_values)])),
        "tau_inverse_variance_weighted [NOT in release; author's later repo]": weighted,
        "tau_inverse_variance_weighted_prob [NOT in release; author's later repo]": math.erfc(
            abs(weighted) * math.sqrt(weights.sum()) / math.sqrt(2)
        ),
        "bph_counts (minimize, worst of tied best)": {str(int(r)): n for r, n in bph.items()},
        "bph_percent_unrounded": {str(int(r)): 100 * n / count for r, n in bph.items()},
        "ndcg_ceiling_bounds_over_tie_orders [worst,best]": _bounds(Ndcg, [lists]),
        "ndcg_at_k_ceiling (predicted ties averaged)": {
            key: Ndcg(**options_of(key)).micro(lists)
            for key in recorded["ndcg_at_k_ceiling (predicted ties averaged)"]
        },
        "err_ceiling_bounds_over_tie_orders [worst,best]": _bounds(Err, [lists]),
    } | {name: {t: m(ties=t).micro(lists) for t in TIES} for name, m in per_ties.items()}


def lists_of(case: dict):
    """Predicted and gold lists of a case; those of the large one are made from the WMT13 file."""
    if "segments [predicted, gold]" in case:
        predicted, gold = zip(*case["segments [predicted, gold]"], strict=True)
        return list(predicted), list(gold)
    if "predicted" in case:
        return [_numbers(ranks) for ranks in case["predicted"]], case["gold"]
    return _wmt13_train()


def _numbers(ranks):
    return [float(rank) if rank in ("inf", "nan") else rank for rank in ranks]


def _wmt13_train():
    """Predicted: the order of the systems' mean ranks in the same file; gold: the ranks."""
    path = shared("data/rankings/wmt13_fr-en_train.csv.gz")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    systems = [[row[f"system{i}Id"] for i in range(1, 6)] for row in rows]
    gold = [[int(row[f"system{i}rank"]) for i in range(1, 6)] for row in rows]
    sums: dict[str, list[int]] = {}
    for names, ranks in zip(systems, gold, strict=True):
        for name, rank in zip(names, ranks, strict=True):
            total = sums.setdefault(name, [0, 0])
            total[0] += rank
            total[1] += 1
    means = {name: Fraction(*total) for name, total in sums.items()}
    predicted = [[1 + sum(means[o] < means[n] for o in names) for n in names] for names in systems]
    return predicted, gold
