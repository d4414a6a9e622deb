"""Which documents and systems to show next: ours, uniform and WMT26's rule, on real scores.

    python experiments/document_choice.py TEXTS --runs 40 -o experiments/document-choice

TEXTS holds ``wmt24/en-cs``, ``wmt24/en-ja`` and ``wmt23/en-de``, each with segments.tsv.gz and
judgments.tsv.gz. A campaign is drawn from each: documents with replacement, so that the truth is
known exactly, it is the means of all documents in the data. A screen shows three systems on a
document to one judge. The score of a column is the real one, the severity of its judge (a mixed
model's estimate over all data) replaced by that of the judge who sees the screen. Ours and uniform
are chosen by the very function that a campaign's server calls. It prints tables, draws curves, and
saves every run (``--report`` prints what was saved).
"""

import argparse
import csv
import gzip
import json
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import numpy as np
from scipy.stats import t as student
from scipy.stats import ttest_rel

from rankwise.aggregate.asking.score_posterior import DocumentScores, score_posterior
from rankwise.aggregate.scalar.judged_values import JudgedValues
from rankwise.aggregate.scalar.mixed_effects import mixed_fit, noise_of
from rankwise.aggregate.scalar.value_models import Mixed
from rankwise.server.campaign.ask.chooser import choose_screens
from rankwise.server.campaign.plan.plan import Plan
from rankwise.types import Assessments, Segment, TestSet

SETS = (("wmt24/en-cs", "ESA"), ("wmt24/en-ja", "ESA"), ("wmt23/en-de", "MQM"))
K, COLD, BATCH = 3, 20, 40
RULES = ("uniform", "WMT26", "clusters", "clusters:top=5")
ANALYSES = ("posterior", "mixed", "t-tests")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--screens", type=int, default=800)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--rules", nargs="+", default=list(RULES))
    parser.add_argument("--sets", nargs="+", default=[name for name, _ in SETS])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--report", action="store_true", help="what was saved, and no new runs")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    saved = options.output.with_suffix(".jsonl")
    if not options.report:
        saved.write_text("")
        run_all(options, saved)
    results = defaultdict(list)
    for line in saved.read_text().splitlines():
        row = json.loads(line)
        results[row["set"], row["rule"]].append(row["looks"])
    for name in dict.fromkeys(name for name, _ in results):
        report(results, name, options.rules)
    draw(results, options.output)


def run_all(options, saved):
    """Every run of every set and rule, each saved as a line when it is done."""
    truths = {
        f"{name} {kind}": Truth(options.texts / name, kind)
        for name, kind in SETS
        if name in options.sets
    }
    jobs = {}
    with ProcessPoolExecutor(options.processes) as pool:
        for run in range(options.runs):
            for name, truth in truths.items():
                for rule in options.rules:
                    jobs[pool.submit(campaign, truth, rule, run, options)] = name, rule
        for job in as_completed(jobs):
            name, rule = jobs[job]
            with saved.open("a") as lines:
                row = {"set": name, "rule": rule, "looks": job.result()}
                lines.write(json.dumps(row) + "\n")


class Truth:
    """The documents of a finished evaluation: every system's score without its judge's severity."""

    def __init__(self, folder, kind):
        with gzip.open(folder / "segments.tsv.gz", "rt", encoding="utf-8") as lines:
            reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            place = {row["seg"]: (row["doc"], row["domain"]) for row in reader}
        cells, judge = defaultdict(list), {}
        with gzip.open(folder / "judgments.tsv.gz", "rt", encoding="utf-8") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["kind"] == kind:
                    cell = place[row["seg"]][0], row["system"]
                    cells[cell].append(float(row["score"]))
                    judge[cell] = row["annotator"]
        domain = dict(place.values())
        self.systems = tuple(sorted({system for _, system in cells}))
        names = sorted({document for document, _ in cells})
        names = [d for d in names if all((d, s) in cells for s in self.systems)]
        self.domains = [domain[name] for name in names]
        keys = [(d, s) for d in names for s in self.systems]
        value = np.array([np.mean(cells[key]) for key in keys])
        judges = np.unique([judge[key] for key in keys], return_inverse=True)[1]
        system = np.tile(np.arange(len(self.systems)), len(names))
        document = np.repeat(np.arange(len(names)), len(self.systems))
        severity = _severities(value, system, judges, document)
        self.values = (value - severity[judges]).reshape(len(names), -1)
        self.severity = severity
        self.mean = self.values.mean(axis=0)
        self.order = np.argsort(-self.mean, kind="stable")


def _severities(value, system, judge, document):
    """How mild every judge is, by the mixed model over all data."""
    size = int(judge.max()) + 1
    if size == 1:
        return np.zeros(1)
    fit = mixed_fit(value, system, judge, document)
    rest = noise_of(value[None], system, judge, document, fit)[0]
    # the model's equations: the effect of a judge is its share of what is left
    found = np.bincount(judge, rest, size) * fit.judge_variance / fit.noise_variance
    return found - found.mean()


class Campaign:
    """A campaign with documents drawn from the data; it answers screens as they come."""

    def __init__(self, truth, run, options):
        self.truth = truth
        self.random = np.random.default_rng((run, 11))
        count = options.documents
        self.drawn = self.random.integers(len(truth.domains), size=count)
        segments = tuple(
            Segment(str(n), "", document=f"d{n}", domain=truth.domains[self.drawn[n]])
            for n in range(count)
        )
        outputs = {s: tuple(f"{s} {n}" for n in range(count)) for s in truth.systems}
        self.testset = TestSet(segments, outputs)
        self.rows, self.screens = [], 0
        self.shown = np.zeros((count, len(truth.systems)), np.int64)

    def ask(self, document, systems):
        judge = int(self.random.integers(len(self.truth.severity)))
        for system in systems:
            value = self.truth.values[self.drawn[document], system] + self.truth.severity[judge]
            self.rows.append((document, system, judge, value, self.screens))
            self.shown[document, system] += 1
        self.screens += 1

    def assessments(self):
        if not self.rows:
            return None
        names = self.truth.systems
        rows = [(names[s], str(d), str(j), "TGT", v) for d, s, j, v, _ in self.rows]
        document = np.array([row[1] for row in rows], object)
        judgment = np.array([row[4] for row in self.rows], np.int64)
        return Assessments.from_rows(rows, info={"document": document, "judgment": judgment})


def campaign(truth, rule, run, options):
    """What is known every so often: a row for every look and way to analyse."""
    held = Campaign(truth, run, options)
    looks = np.linspace(options.screens / 4, options.screens, 4).astype(int).tolist()
    found = []
    for goal in looks:
        while held.screens < goal:
            ask(held, rule, run, min(BATCH, goal - held.screens))
        found.append(
            {
                "screens": goal,
                "posterior": by_posterior(held),
                "mixed": by_model(held),
                "t-tests": by_tests(held),
            }
        )
    return found


def ask(held, rule, run, count):
    if rule == "WMT26":
        for _ in range(count):
            held.ask(*wmt26(held))
        return
    keys = {"name": "x", "source_language": "en", "target_language": "cs", "protocol": "esa"}
    plan = Plan.from_json({**keys, "k": K, "strategy": rule, "seed": run + 1})
    number = {name: place for place, name in enumerate(held.truth.systems)}
    chosen = choose_screens(
        plan, held.testset, held.assessments(), count=count, seed=run * 10**5 + held.screens
    )
    for screen in chosen:
        held.ask(int(screen.segment), [number[slot.systems[0]] for slot in screen.slots])


def wmt26(held):
    """Twenty documents with all systems; then weights 1/2, 1/2, 1/3, ... by the mean score."""
    size = len(held.truth.systems)
    cold = np.argwhere(held.shown[:COLD] == 0)
    if len(cold):
        document = int(cold[0, 0])
        new = held.random.permutation(cold[cold[:, 0] == document, 1])
        rest = held.random.permutation(np.setdiff1d(np.arange(size), new))
        return document, [*new.tolist(), *rest.tolist()][:K]
    sums = np.zeros((2, size))
    for _, system, _, value, _ in held.rows:
        sums[:, system] += value, 1
    rank = np.argsort(np.argsort(-sums[0] / sums[1]))
    weight = 1 / np.maximum(rank + 1, 2)
    systems = held.random.choice(size, K, replace=False, p=weight / weight.sum()).tolist()
    times = held.shown[:, systems].sum(axis=1)
    ties = np.flatnonzero(times == times.min())
    return int(held.random.choice(ties)), systems


def by_posterior(held):
    """The model that chooses: boundaries, ranks, and whether intervals hold the truth."""
    names = held.truth.systems
    known = score_posterior(DocumentScores.of(held.assessments(), names))
    board = known.leaderboard(level=0.95)
    order = [names.index(name) for name in board.systems]
    cuts = (np.flatnonzero(np.diff(board.clusters)) + 1).tolist()
    wide, mean, truth = 1.96 * np.sqrt(known.variances), known.mean, held.truth.mean
    off = np.abs((mean[:, None] - mean) - (truth[:, None] - truth))
    inside = (off <= wide)[np.triu_indices(len(truth), 1)]
    return {**scored(held.truth, order, cuts), "coverage": float(inside.mean())}


def by_model(held):
    """The campaign's leaderboard, whose errors are of other judges and other documents."""
    assessments = held.assessments()
    judged = JudgedValues.of(assessments)
    board = Mixed().ranked(judged, runs=1000, seed=1, level=0.95).board
    means, errors = Mixed().estimates(judged)
    number = [held.truth.systems.index(name) for name in judged.systems]
    truth = held.truth.mean[number]
    variance = np.diag(errors.covariance)
    wide = np.sqrt(np.maximum(variance[:, None] + variance - 2 * errors.covariance, 0))
    wide *= student.ppf(0.975, errors.difference_freedom)
    off = np.abs((means[:, None] - means) - (truth[:, None] - truth))
    inside = (off <= wide)[np.triu_indices(len(truth), 1)]
    order = [held.truth.systems.index(name) for name in board.systems]
    cuts = (np.flatnonzero(np.diff(board.clusters)) + 1).tolist()
    return {**scored(held.truth, order, cuts), "coverage": float(inside.mean())}


def by_tests(held):
    """WMT26's: means, and a boundary where t-tests tell all above from all below (p < .05)."""
    size = len(held.truth.systems)
    table = np.full(held.shown.shape, np.nan)
    for document, system, _, value, _ in held.rows:
        table[document, system] = value
    mean, count = np.nanmean(table, axis=0), (~np.isnan(table)).sum(axis=0)
    variance = np.nanvar(table, axis=0, ddof=1) / count
    order = np.argsort(-mean, kind="stable")
    is_apart = np.zeros((size, size), bool)
    for i in range(size):
        for j in range(i + 1, size):
            is_apart[i, j] = _apart(table, mean, variance, count, order[i], order[j])
    cuts = [cut for cut in range(1, size) if is_apart[:cut, cut:].all()]
    return scored(held.truth, order.tolist(), cuts)


def _apart(table, mean, variance, count, one, other):
    """Whether the independent (Welch) or the paired test says so."""
    total = variance[one] + variance[other]
    parts = variance[one] ** 2 / (count[one] - 1) + variance[other] ** 2 / (count[other] - 1)
    if total > 0:
        p = 2 * student.sf(abs(mean[one] - mean[other]) / total**0.5, total**2 / parts)
        if p < 0.05:
            return True
    both = ~np.isnan(table[:, one]) & ~np.isnan(table[:, other])
    if both.sum() < 3:
        return False
    a, b = table[both, one], table[both, other]
    return bool(a.mean() > b.mean() and ttest_rel(a, b).pvalue < 0.05)


def scored(truth, order, cuts):
    right = {frozenset(truth.order[:cut].tolist()) for cut in range(1, len(truth.order))}
    claimed = [frozenset(order[:cut]) for cut in cuts]
    place = {system: rank for rank, system in enumerate(order)}
    top = [abs(place[int(s)] - rank) for rank, s in enumerate(truth.order[:5])]
    return {
        "found": sum(cut in right for cut in claimed),
        "false": sum(cut not in right for cut in claimed),
        "top": float(np.mean(top)),
    }


def report(results, name, rules):
    print(f"\n### {name}\n")
    print("| rule | analysis | screens | found | false | rank error, top five | coverage |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for rule in rules:
        runs = results[name, rule]
        for analysis in ANALYSES:
            for look in range(len(runs[0])):
                cells = [
                    _cell([run[look][analysis].get(key, np.nan) for run in runs])
                    for key in ("found", "false", "top", "coverage")
                ]
                n = runs[0][look]["screens"]
                print(f"| {rule} | {analysis} | {n} | {' | '.join(cells)} |", flush=True)


def _cell(values):
    if np.isnan(values).any():
        return ""
    return f"{np.mean(values):.2f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.2f}"


def draw(results, path):
    """Right boundaries, false ones and the rank error against screens, one picture each set."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    shown = [
        ("uniform", "posterior", "C7"),
        ("WMT26", "t-tests", "C1"),
        ("clusters", "posterior", "C0"),
        ("clusters:top=5", "posterior", "C2"),
    ]
    words = {"found": "right boundaries", "false": "false boundaries", "top": "rank error, top 5"}
    names = list(dict.fromkeys(name for name, _ in results))
    for name in names:
        figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.0), layout="constrained")
        for axis, (key, title) in zip(axes, words.items(), strict=True):
            for rule, analysis, colour in shown:
                runs = results.get((name, rule), [])
                if runs:
                    x = [look["screens"] for look in runs[0]]
                    y = np.array([[look[analysis][key] for look in run] for run in runs])
                    error = 1.96 * y.std(axis=0, ddof=1) / len(y) ** 0.5
                    axis.plot(x, y.mean(axis=0), color=colour, label=f"{rule}, {analysis}")
                    low, high = y.mean(axis=0) - error, y.mean(axis=0) + error
                    axis.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
            axis.set_title(title, fontsize=9)
            axis.set_xlabel("screens of three", fontsize=8)
            axis.set_ylim(bottom=0)
        axes[0].legend(frameon=False, fontsize=7)
        figure.suptitle(name, fontsize=10)
        short = name.split()[0].replace("/", "-")
        figure.savefig(f"{path}-{short}.svg", metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    main()
