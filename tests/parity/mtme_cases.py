"""Every number of the golden file of mt-metrics-eval, with ours beside it."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from rankwise.agreement.lists import pair_formulas as variants
from rankwise.agreement.lists.pair_formulas import count_pairs
from rankwise.agreement.tables.correlation import pearson
from rankwise.agreement.tables.exchange import Exchanged
from rankwise.agreement.tables.exchange_coins import Coins
from rankwise.agreement.tables.score_cells import pack
from rankwise.agreement.tables.table_measures import table_measure
from rankwise.agreement.tables.williams import williams
from shared_data import shared

GROUPINGS = {"none": "none", "sys": "system", "item": "item"}

#: Name in the golden file -> our measure.
VALUES = {
    "Pearson": "pearson",
    "Spearman": "spearman",
    "Kendall_scipy_b": "kendall",
    "KendallLike@0": "kendall-like:threshold=0",
    "KendallLike@1": "kendall-like:threshold=1",
    "KendallLike@25": "kendall-like:threshold=25",
    "KendallVariants_b": "kendall",
    "KendallVariants_c": "kendall:variant=c",
    "KendallVariants_23": "kendall:variant=eq",
    "KendallVariants_acc23": "acc-eq:epsilon=0",
    "KendallVariants_acc23_eps0.05": "acc-eq:epsilon=0.05",
    "KendallVariants_acc23_eps0.5": "acc-eq:epsilon=0.5",
    "KendallVariants_acc23_eps5.0": "acc-eq:epsilon=5",
    "Pearson_nan0": "pearson:undefined=zero",
    "Kendall_b_nan0": "kendall:undefined=zero",
    "Kendall_b_micro": "kendall:average=weighted",
}

TESTS = {
    "PERM_pearson_none": "pearson:test=scores",
    "PERM_pearson_none_early100": "pearson:test=scores",
    "PERM_pearson_item": "pearson:grouping=item:test=scores",
    "PERM_kendall_none": "kendall:test=scores",
    "PERM_kendall_item": "kendall:grouping=item:test=scores",
    "PERM_acc23_none": "acc-eq:epsilon=0:grouping=none:test=scores",
    "PERM_acc23_item": "acc-eq:epsilon=0:test=scores",
    "PERM_acc23opt_item": "acc-eq:test=scores",
    "PAIRPERM_acc23_item": "acc-eq:test=pairs",
    "PAIRPERM_acc23_item_eps": "acc-eq:epsilon=0.1:test=pairs",
}

MICRO = {
    "tau_a": variants.tau_a,
    "tau_b": variants.tau_b,
    "tau_10": variants.tau_10,
    "tau_13": variants.tau_13,
    "tau_14": variants.tau_14,
    "tau_xties": variants.tau_xties,
    "acc_eq": variants.acc_eq,
    "tau_eq": variants.tau_eq,
}

COUNTS = {
    "C": "concordant",
    "D": "discordant",
    "Th": "gold_ties",
    "Tm": "metric_ties",
    "Thm": "both_ties",
}


@dataclass(frozen=True)
class Number:
    """One golden number: where it is, ours, theirs (a text where they failed).

    ``bounds`` are the p-values that ties with the observed difference leave open.
    """

    case: str
    name: str
    ours: float
    theirs: float | str
    bounds: tuple[float, float] | None = None

    @property
    def is_equal(self) -> bool:
        if isinstance(self.theirs, str):
            return False
        if math.isnan(self.ours) or math.isnan(self.theirs):
            return math.isnan(self.ours) and math.isnan(self.theirs)
        return abs(self.ours - self.theirs) <= 1e-9 * max(1.0, abs(self.theirs))


@cache
def golden() -> dict:
    return json.loads(shared("golden/mtme.json").read_text(encoding="utf-8"))


def table(values, case) -> np.ndarray:
    numbers = [math.nan if value is None else value for value in values]
    return np.array(numbers, float).reshape(case["num_sys"], case["num_items"])


def numbers() -> Iterator[Number]:
    for name, case in golden()["cases"].items():
        gold = table(case["gold"], case)
        metrics = [table(metric, case) for metric in case["metrics"]]
        for metric, results in zip(metrics, case["results"], strict=True):
            yield from _values(name, gold, metric, results)
            yield from _pairs(name, gold, metric, results)
            ours = table_measure("spa:compat=mtme").of(gold, metric).value
            yield Number(name, "SPA", ours, first(results["SPA_mtme"]))
        yield from _significance(name, gold, metrics, case["significance_2_vs_1"])


def _values(name, gold, metric, results) -> Iterator[Number]:
    for short, grouping in GROUPINGS.items():
        for key, measure in VALUES.items():
            ours = table_measure(f"{measure}:grouping={grouping}").of(gold, metric).value
            yield Number(name, f"{key} {short}", ours, first(results[short][key]))
        yield from _calibrations(name, gold, metric, results[short], short)
    if results["item"]["PearsonPDP"] is not None:
        ours = table_measure("pdp").of(gold, metric).value
        yield Number(name, "PearsonPDP item", ours, first(results["item"]["PearsonPDP"]))


def _calibrations(name, gold, metric, results, short) -> Iterator[Number]:
    measure = f"acc-eq:grouping={GROUPINGS[short]}"
    found = table_measure(measure).of(gold, metric)
    # tau_eq = 2 acc_eq - 1: the same threshold is best for both.
    for key, ours in (("acc23", found.value), ("23", 2 * found.value - 1)):
        theirs = results[f"KendallWithTiesOpt_{key}"]
        if isinstance(theirs, str):
            yield Number(name, f"calibrated {key} {short}", ours, theirs)
            continue
        yield Number(name, f"calibrated {key} {short}", ours, theirs["value"])
        yield Number(name, f"epsilon {key} {short}", found.epsilon, theirs["threshold"])
        curve = zip(theirs.get("thresholds", []), theirs.get("taus", []), strict=True)
        for epsilon, tau in curve:
            value = table_measure(f"{measure}:epsilon={epsilon!r}").of(gold, metric).value
            at = value if key == "acc23" else 2 * value - 1
            yield Number(name, f"{key} at {epsilon!r} {short}", at, tau)


def _pairs(name, gold, metric, results) -> Iterator[Number]:
    flat = count_pairs(pack([gold, metric])).total
    right = int(flat.concordant[0] + flat.both_ties[0])
    yield Number(name, "Agreement", right, results["Agreement"][0])
    yield Number(name, "Agreement pairs", int(flat.pairs[0]), results["Agreement"][1])
    within = count_pairs(pack([gold, metric], "item")).total
    for total, counts, micro in (
        (flat, "counts_flat", "variants_flat"),
        (within, "counts_within_items", "variants_within_items_micro"),
    ):
        for key, column in COUNTS.items():
            ours = int(getattr(total, column)[0])
            yield Number(name, f"{counts} {key}", ours, results[counts][key])
        for key, function in MICRO.items():
            if results[micro].get(key) is not None:
                theirs = first(results[micro][key])
                yield Number(name, f"{micro} {key}", float(function(total)[0]), theirs)


def _significance(name, gold, metrics, results) -> Iterator[Number]:
    correlations = [pearson(gold.ravel(), metric.ravel()) for metric in metrics]
    between = pearson(metrics[0].ravel(), metrics[1].ravel())
    for key, one_sided in (("Williams_pearson", True), ("Williams_two_sided", False)):
        p = williams(*correlations, between, gold.size, one_sided=one_sided)
        yield Number(name, key, p, first(results[key]))
    for key, measure in TESTS.items():
        theirs = results.get(key)
        if not isinstance(theirs, dict):
            if theirs is not None:
                yield Number(name, key, math.nan, theirs)
            continue
        coins = Coins(theirs["k_used"], 12345, "mtme")
        found = table_measure(measure).exchanged(gold, metrics, [(0, 1)], coins)
        found = Exchanged(-found.observed, -found.drawn)  # theirs: the second minus the first
        yield Number(name, f"{key} delta", float(found.observed[0]), theirs["delta"])
        for number, (left, right) in enumerate(theirs["first3"]):
            yield Number(name, f"{key} draw", float(found.drawn[0, number]), left - right)
        p = float(found.p_values(compat="mtme")[0])
        yield Number(name, f"{key} p", p, theirs["p"], _bounds(found))


def _bounds(found: Exchanged) -> tuple[float, float]:
    distance = found.drawn[0] - found.observed[0]
    return float((distance > 1e-9).mean()), float((distance >= -1e-9).mean())


def first(value):
    value = value[0] if isinstance(value, list) else value
    return math.nan if value == "nan" else value
