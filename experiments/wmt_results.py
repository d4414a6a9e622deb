"""The published results of WMT13 and WMT15 beside ours: the tables of ``wmt-results.md``.

    python experiments/wmt_results.py --wmt13 TRAIN.csv --wmt15 FOLDER --published RESULTS.json

TRAIN.csv holds the rankings of WMT13 French-English. FOLDER has ``expanded`` and ``collapsed``,
each with the judgments of the ten language pairs of WMT15 by name (``wmt15.ces-eng.csv.gz``).
RESULTS.json has, for each of ``pairs``, the ``official`` clusters (lists of objects with
``system``, ``score`` and ``rank_range``) and those of the original's own rerun (``plain``,
``result``), and under ``agreement``, ``official`` the published agreement. ``--keep`` saves runs,
so that what was interrupted goes on where it stopped.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import rankwise as rw
from rankwise.aggregate import recipe_runs
from rankwise.aggregate.recipes import script_leaderboard
from rankwise.aggregate.run_batch import Batch
from rankwise.agreement.judges.annotators import inter_agreement, intra_agreement

# Table 1 of Sakaguchi, Post and Van Durme (2014): score, ranks; lines between clusters come after
# the numbers in LINES.
TABLE_1 = {
    "uedin-heafield": (0.638, "1"),
    "uedin-wmt13": (0.604, "2–3"),
    "online-B": (0.591, "2–3"),
    "LIMSI": (0.571, "4–5"),
    "KIT": (0.562, "4–5"),
    "online-A": (0.541, "5–6"),
    "MES": (0.512, "7"),
    "DCU": (0.486, "8"),
    "RWTH": (0.439, "9–10"),
    "CMU": (0.429, "9–11"),
    "cu-zeman": (0.420, "10–11"),
    "JHU": (0.389, "12"),
    "Shef": (0.322, "13"),
}
LINES = (1, 3, 6, 7, 8, 11, 12)
LANGUAGES = {
    "ces": "Czech",
    "deu": "German",
    "eng": "English",
    "fin": "Finnish",
    "fre": "French",
    "rus": "Russian",
}
BATCHES = 200  # of resampled runs, to see what chance does


def main():
    options = _options()
    judgments = rw.read_judgments(options.wmt13)
    print(_table_1(judgments), "\n")
    print(_seeds_13(judgments, 2 * options.seeds), "\n")
    published = json.loads(Path(options.published).read_text())
    names = sorted(published["pairs"])
    found = {name: _pair(name, published["pairs"][name], options) for name in names}
    for against in ("official", "rerun"):
        print(_table_15(found, options.seeds, against), "\n")
    print(_noise(found, options.runs), "\n")
    print(_agreement(published["agreement"]["official"], names, options.wmt15))


def _options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--wmt13", required=True)
    parser.add_argument("--wmt15", required=True)
    parser.add_argument("--published", required=True)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--keep")
    return parser.parse_args()


# -- WMT13 ----------------------------------------------------------------------------------------


def _table_1(judgments):
    """Three ways to rank the judgments behind Table 1."""
    boards = [
        rw.rank(judgments, recipe="wmt13"),
        rw.rank(judgments, "expected-wins"),
        rw.rank(judgments, "trueskill"),
    ]
    head = ["system", "paper", "ranks", "recipe `wmt13`", "ranks", "default", "ranks"]
    lines = [_row([*head, "`trueskill`", "ranks"]), "|---|" + "---:|---|" * 4]
    for place, (name, (score, ranks)) in enumerate(TABLE_1.items(), 1):
        cells = [name, f"{score:.3f}", ranks + " ¶" * (place in LINES)]
        for board in boards:
            cells += _system_cells(board, name)
        lines.append(_row(cells))
    counts = [len(LINES) + 1, *(int(board.clusters[-1]) for board in boards)]
    lines.append(_row(["**clusters**", *(cell for count in counts for cell in (str(count), ""))]))
    return "\n".join(lines)


def _seeds_13(judgments, seeds):
    """What other seeds say: how many ranges of Table 1 the recipe has, and how many clusters."""
    cells = []
    for seed in range(1, seeds + 1):
        board = rw.rank(judgments, recipe="wmt13", seed=seed)
        ranges = [_system_cells(board, name)[1].removesuffix(" ¶") for name in TABLE_1]
        equal = sum(
            own == printed for own, (_, printed) in zip(ranges, TABLE_1.values(), strict=True)
        )
        cells.append(f"{equal} of {len(TABLE_1)} and {board.clusters[-1]}")
    return f"Ranges and clusters of Table 1 by seed: {'; '.join(cells)}."


def _system_cells(board, name):
    place = next(i for i, system in enumerate(board.systems) if f".{name}" in system)
    ends = place + 1 in (np.flatnonzero(np.diff(board.clusters)) + 1).tolist()
    ranks = _range(int(board.rank_low[place]), int(board.rank_high[place]))
    return [f"{board.scores[place]:.3f}", ranks + " ¶" * ends]


# -- WMT15 ----------------------------------------------------------------------------------------


def _pair(name, published, options):
    """What was published, what the original's rerun gave, and our runs of every seed."""
    seeds = range(1, options.seeds + 1)
    runs = [_runs(name, seed, options) for seed in seeds]
    return {
        "official": published["official"],
        "rerun": published["plain"]["result"],
        "systems": runs[0][0],
        "runs": [scores for _, scores in runs],
    }


def _runs(name, seed, options):
    kept = None if options.keep is None else Path(options.keep, f"{name}.{seed}.npz")
    if kept is not None and kept.exists():
        saved = np.load(kept)
        return tuple(saved["systems"].tolist()), saved["scores"]
    judgments = rw.read_judgments(Path(options.wmt15, "expanded", f"{name}.csv.gz"))
    systems, scores, _ = recipe_runs(judgments, "wmt15", Batch(options.runs, seed, unit=None))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.savez(kept, systems=np.array(systems), scores=scores)
    return systems, scores


def _clusters(board):
    """Systems of each cluster, as in the published results."""
    return [
        {name for name, own in zip(board.systems, board.clusters, strict=True) if own == number}
        for number in range(1, int(board.clusters[-1]) + 1)
    ]


def _ranges(clusters):
    return {one["system"]: tuple(one["rank_range"]) for cluster in clusters for one in cluster}


def _compared(official, clusters, ranges):
    """Whether the clusters are the official ones, and how many ranges."""
    wanted = _ranges(official)
    same = [{one["system"] for one in cluster} for cluster in official] == clusters
    return same, sum(ranges[name] == wanted[name] for name in wanted)


def _of_board(official, board):
    ranges = zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    return _compared(official, _clusters(board), dict(zip(board.systems, ranges, strict=True)))


def _of_rerun(pair, against):
    clusters = [{one["system"] for one in cluster} for cluster in pair["rerun"]]
    return _compared(pair[against], clusters, _ranges(pair["rerun"]))


def _table_15(found, seeds, against):
    """Clusters and ranges of the rerun and of every seed, held *against* one of the two."""
    head = ["pair", "systems", "clusters", "rerun", *(f"seed {s + 1}" for s in range(seeds))]
    lines = [_row(head), "|---|---:|---:|" + "---|" * (seeds + 1)]
    totals = np.zeros((seeds + 1, 2), np.int64)
    for name, pair in found.items():
        boards = [script_leaderboard(pair["systems"], scores) for scores in pair["runs"]]
        results = [_of_rerun(pair, against), *(_of_board(pair[against], one) for one in boards)]
        totals += np.array(results, np.int64)
        cells = [f"{'same' if same else '**differ**'}, {ranges}" for same, ranges in results]
        sizes = [str(len(pair["systems"])), str(len(pair[against]))]
        lines.append(_row([name.removeprefix("wmt15."), *sizes, *cells]))
    count = sum(len(pair["systems"]) for pair in found.values())
    cells = [f"{same} of {len(found)}, {ranges}" for same, ranges in totals.tolist()]
    lines.append(_row(["**all**", str(count), "", *cells]))
    return "\n".join(lines)


def _noise(found, runs):
    """What chance alone does to the figures, and how far the scores of the rerun are from ours."""
    head = ["pair", "same clusters", "ranges", "rerun − ours", "official − ours", "expected"]
    lines = [_row(head), "|---|---:|---|---:|---:|---:|"]
    total = np.zeros((BATCHES, 2), np.int64)
    squares = []
    for name, pair in found.items():
        batches = _batches(pair, runs)
        total += batches
        distances = [_distances(pair, pair[key]) for key in ("rerun", "official")]
        squares.append((distances[0] / _error(pair, runs)) ** 2)
        cells = [f"{batches[:, 0].mean():.0%}", _interval(batches[:, 1])]
        cells += [f"{np.sqrt((values**2).mean()):.4f}" for values in distances]
        cells.append(f"{np.sqrt((_error(pair, runs) ** 2).mean()):.4f}")
        lines.append(_row([name.removeprefix("wmt15."), *cells]))
    cells = [_interval(total[:, 0]), _interval(total[:, 1])]
    lines.append(_row(["**all**", *cells, "", "", ""]))
    ratio = np.sqrt(np.mean(np.concatenate(squares)))
    return "\n".join([*lines, "", f"Differences of the rerun, in standard errors: {ratio:.2f}."])


def _batches(pair, runs):
    """Same clusters and ranges (batches, 2) of random batches of all runs."""
    everything, random = np.concatenate(pair["runs"]), np.random.default_rng(1)
    found = []
    for _ in range(BATCHES):
        chosen = everything[random.integers(len(everything), size=runs)]
        found.append(_of_board(pair["official"], script_leaderboard(pair["systems"], chosen)))
    return np.array(found, np.int64)


def _distances(pair, clusters):
    """Printed scores minus the means of our runs."""
    printed = {one["system"]: one["score"] for cluster in clusters for one in cluster}
    ours = np.concatenate(pair["runs"]).mean(axis=0)
    return np.array([printed[name] for name in pair["systems"]]) - ours


def _error(pair, runs):
    """The standard errors of the differences: a printed mean of *runs* runs, and ours."""
    everything = np.concatenate(pair["runs"])
    variance = everything.var(axis=0) * (1 / runs + 1 / len(everything))
    return np.sqrt(variance + 0.001**2 / 12)  # three decimals are printed


def _interval(values):
    low, middle, high = np.percentile(values, [2.5, 50, 97.5])
    return f"{middle:.0f} ({low:.0f}–{high:.0f})"


# -- agreement of judges --------------------------------------------------------------------------


def _agreement(official, names, folder):
    head = ["pair", "inter, expanded", "inter, collapsed", "intra, expanded", "intra, collapsed"]
    lines = [_row([*head, "equal"]), "|---|" + "---:|" * 5]
    rows = 0
    for name in names:
        cells, equal = [], 0
        for kind, count in (("inter", inter_agreement), ("intra", intra_agreement)):
            for form in ("expanded", "collapsed"):
                judgments = rw.read_judgments(Path(folder, form, f"{name}.csv.gz"))
                printed = official[f"wmt15/{form}/{kind}/{_languages(name)}"]
                found = count(judgments, compat="wmt")
                cells.append(f"{found.kappa:.3f} ({printed['kappa']:.3f})")
                equal += _is_equal(found, printed)
        rows += equal
        lines.append(_row([name.removeprefix("wmt15."), *cells, f"{equal} of 4"]))
    lines.append(_row(["**all**", "", "", "", "", f"{rows} of {4 * len(names)}"]))
    return "\n".join(lines)


def _is_equal(found, printed):
    """Three decimals of the three figures, and all four counts."""
    figures = [(found.observed, "pA"), (found.expected, "pE"), (found.kappa, "kappa")]
    counts = [(found.identical, "agree"), (found.comparable, "comparable"), (found.ties, "ties")]
    counts.append((found.labels, "total"))
    return all(f"{value:.3f}" == f"{printed[key]:.3f}" for value, key in figures) and all(
        value == printed[key] for value, key in counts
    )


def _languages(name):
    return "-".join(LANGUAGES[code] for code in name.removeprefix("wmt15.").split("-"))


def _range(low, high):
    return str(low) if low == high else f"{low}–{high}"


def _row(cells):
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
