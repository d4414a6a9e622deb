r"""What an automatic metric saves as a control variate of human comparisons.

    python experiments/control_variate.py FOLDERS...

A human comparison h of two systems on one of n segments, and the difference m of a metric that is
known on all N segments: the mean of h, corrected by the metric,

.. math:: \hat h = \bar h_n - b (\bar m_n - \bar m_N), \qquad
          \operatorname{Var} \hat h = \frac{\sigma_h^2}{n} \left(1 - \rho^2 (1 - n/N)\right)

needs a share :math:`\rho^2` fewer comparisons at best, with ρ the correlation of h and m over the
segments of one pair of systems. This prints the mean of ρ² over the pairs of systems, and the
share of segments on which the two outputs are the same, which need not be asked at all. Folders
hold ``segments``, ``outputs`` and ``segscores`` as gzipped TSV; the metric is chrF.
"""

import gzip
import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np

import rankwise as rw


def main(folders):
    print("| test set | judgments | systems | ρ | saved | same outputs |")
    print("|---|---|---:|---:|---:|---:|")
    for folder in map(Path, folders):
        if (folder / "segscores.tsv.gz").exists():
            _print_rows(folder)


def _print_rows(folder):
    segments = {row["seg"]: row for row in _rows(folder / "segments.tsv.gz")}
    reference = next(name for name in next(iter(segments.values())) if name.startswith("ref:"))
    references = {number: row[reference] for number, row in segments.items()}
    outputs = defaultdict(dict)
    for row in _rows(folder / "outputs.tsv.gz"):
        outputs[row["system"]][row["seg"]] = row["text"]
    for kind, human in _human(folder).items():
        systems = [name for name in human if name in outputs and len(human[name]) > 100]
        systems = [name for name in systems if not name.lower().startswith(("ref", "human"))]
        if len(systems) > 2:
            _print_row(
                f"{folder.parent.name} {folder.name}", kind, systems, human, outputs, references
            )


def _print_row(name, kind, systems, human, outputs, references):
    metric = {system: _scores(outputs[system], references) for system in systems}
    found, same = [], []
    for one, other in combinations(systems, 2):
        shared = [
            n for n in human[one] if n in human[other] and n in metric[one] and n in metric[other]
        ]
        preferred = np.sign([human[one][n] - human[other][n] for n in shared])
        difference = np.array([metric[one][n] - metric[other][n] for n in shared])
        if len(shared) >= 50 and np.std(preferred) > 0 and np.std(difference) > 0:
            found.append(np.corrcoef(preferred, difference)[0, 1])
            same.append(np.mean([outputs[one][n] == outputs[other][n] for n in shared]))
    if found:
        saved, equal = np.mean(np.square(found)), np.mean(same)
        cells = f"{len(systems)} | {np.mean(found):.3f} | {saved:.1%} | {equal:.1%}"
        print(f"| {name} | {kind} | {cells} |", flush=True)


def _scores(texts, references):
    numbers = [number for number in texts if references.get(number)]
    scores = rw.metric("chrf").segments(
        [texts[number] for number in numbers], [references[number] for number in numbers]
    )
    return dict(zip(numbers, scores.tolist(), strict=True))


def _human(folder):
    """Mean scores by kind, system and segment."""
    found = defaultdict(lambda: defaultdict(dict))
    for row in _rows(folder / "segscores.tsv.gz"):
        if row["score"]:
            found[row["kind"]][row["system"]][row["seg"]] = float(row["score"])
    return found


def _rows(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        names = next(lines).rstrip("\n").split("\t")
        for line in lines:
            yield dict(zip(names, line.rstrip("\n").split("\t"), strict=False))


if __name__ == "__main__":
    main(sys.argv[1:])
