"""Replay finished campaigns: what strategies find, after how many judgments, against uniform.

    python experiments/replay.py RANKINGS... --seeds 10 --k 2 --output replay

prints a table in Markdown and writes the curves to ``replay.json`` and ``replay.svg``. RANKINGS
are files of judgments, one campaign each. For the campaigns of WMT15 take the *collapsed* files:
they say which systems had the same text, and what is known to tie is not asked.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from limit import limits

import rankwise as rw
from rankwise.aggregate.asking.campaign_replay import replay
from rankwise.aggregate.asking.posterior import Evidence

STRATEGIES = ["uniform", "paper", "thompson", "information", "clusters"]


def main():
    options = _options()
    results = []
    for path in options.rankings:
        judgments = rw.read_judgments(path)
        results.append(_campaign(_name(path), judgments, options))
        print(f"{results[-1]['name']} done", file=sys.stderr, flush=True)
        Path(f"{options.output}.json").write_text(json.dumps(results))
    report(results, options.strategies, f"{options.output}.svg")


def report(results, strategies, picture):
    print(_table(results, strategies))
    _plot(results, strategies, picture)


def _options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rankings", nargs="+")
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES)
    parser.add_argument("--k", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--output", default="replay")
    return parser.parse_args()


def _name(path):
    return Path(path).name.removesuffix(".gz").removesuffix(".csv").removesuffix("_train")


def _campaign(name, judgments, options):
    uniform, capped, free = limits(judgments)
    found = replay(
        judgments, options.strategies, k=options.k, runs=options.seeds, points=options.points
    )
    curves = {
        strategy: [_values(curve) for curve in curves] for strategy, curves in found.curves.items()
    }
    return {
        "name": name,
        "systems": len(found.board),
        "clusters": int(found.board.clusters.max()),
        "comparisons": len(Evidence.of(judgments)),
        "limit": [capped / uniform, free / uniform],
        "curves": curves,
    }


def _values(curve):
    columns = ("spent", "clusters", "found", "wrong", "distance")
    values = {column: getattr(curve, column).tolist() for column in columns}
    return values | {"first": curve.first, "kept": curve.kept}


def _table(results, strategies):
    """Judgments until all boundaries are found: median (10 % to 90 % of seeds), ratio to uniform.

    After the ratio comes its 95 % interval over resampled seeds, and in brackets the ratio for
    boundaries found and never lost again.
    """
    head = ["campaign", "systems", "clusters", strategies[0], *strategies[1:], "limit", "no pool"]
    lines = [f"| {' | '.join(head)} |", "|---|" + "---:|" * (len(head) - 1)]
    ratios = {strategy: [] for strategy in strategies[1:]}
    for result in results:
        base = _median(result, strategies[0], "first"), _median(result, strategies[0], "kept")
        cells = [result["name"], str(result["systems"]), str(result["clusters"])]
        cells.append(_range(result, strategies[0]))
        for strategy in strategies[1:]:
            pair = [
                _median(result, strategy, key) / whole
                for key, whole in zip(("first", "kept"), base, strict=True)
            ]
            ratios[strategy].append(pair)
            low, high = _interval(result, strategies[0], strategy)
            ratio = f"{pair[0]:.2f} [{low:.2f}–{high:.2f}] ({pair[1]:.2f})"
            cells.append(f"{_range(result, strategy)} {ratio}")
        cells += [f"{value:.2f}" for value in result["limit"]]
        lines.append(f"| {' | '.join(cells)} |")
    median = [np.median(ratios[strategy], axis=0) for strategy in strategies[1:]]
    cells = ["median", "", "", "1.00", *(f"{one:.2f} ({two:.2f})" for one, two in median)]
    cells += [f"{value:.2f}" for value in np.nanmedian([r["limit"] for r in results], axis=0)]
    lines.append(f"| {' | '.join(cells)} |")
    wrong = [f"{strategy} {_wrong(results, strategy):.3f}" for strategy in strategies]
    return "\n".join([*lines, "", f"Boundaries against the full data: {', '.join(wrong)}."])


def _median(result, strategy, key):
    return float(np.median([curve[key] for curve in result["curves"][strategy]]))


def _interval(result, base, strategy):
    """The middle 95 % of the ratio of medians, over seeds drawn with replacement."""
    random = np.random.default_rng(1)
    drawn = []
    for name in (strategy, base):
        found = np.array([curve["first"] for curve in result["curves"][name]])
        drawn.append(np.median(random.choice(found, size=(2000, len(found))), axis=1))
    return np.percentile(drawn[0] / drawn[1], [2.5, 97.5])


def _range(result, strategy):
    found = [curve["first"] for curve in result["curves"][strategy]]
    low, middle, high = np.percentile(found, [10, 50, 90])
    return f"{middle:,.0f} ({low:,.0f}–{high:,.0f})"


def _wrong(results, strategy):
    curves = [curve for result in results for curve in result["curves"][strategy]]
    wrong = sum(sum(curve["wrong"]) for curve in curves)
    return wrong / max(1, sum(sum(curve["clusters"]) - len(curve["clusters"]) for curve in curves))


def _plot(results, strategies, path):
    """For each campaign, the share of boundaries found and the Kendall distance."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    columns = min(4, len(results))
    rows = -(-len(results) // columns)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(1 + 4 * columns, 1 + 3 * rows), squeeze=False
    )
    for axis in axes.ravel()[len(results) :]:
        axis.set_axis_off()
    for result, axis in zip(results, axes.ravel(), strict=False):
        for number, strategy in enumerate(strategies):
            _lines(axis, result["curves"][strategy], strategy, f"C{number}")
        axis.set_title(result["name"], fontsize=9)
        axis.set_xscale("log")
        axis.set_ylim(0, 1.02)
    axes[0, 0].legend(fontsize=7, loc="upper left")
    figure.supxlabel("judgments", fontsize=9)
    figure.supylabel("boundaries found (solid), Kendall distance × 5 (dotted)", fontsize=9)
    figure.tight_layout(rect=(0.03, 0.0, 1.0, 1.0))
    figure.savefig(path)


def _lines(axis, curves, label, colour):
    least = max(curve["spent"][0] for curve in curves)
    places = np.geomspace(least, max(curves[0]["spent"]), 60)
    for column, style, times in (("found", "-", 1.0), ("distance", ":", 5.0)):
        values = [np.interp(places, curve["spent"], curve[column]) for curve in curves]
        shown = label if column == "found" else None
        axis.plot(places, times * np.mean(values, axis=0), style, color=colour, label=shown, lw=1.2)


if __name__ == "__main__":
    main()
