"""Outputs of WMT with pairs that people told apart, and how well a metric orders them.

A folder TEXTS has a folder per year and language pair, as in scripts/make_soft_words.py, with
pairs.tsv.gz (kind, seg, better, worse) and segscores.tsv.gz (kind, system, seg, score, z, n) beside
the texts. Outputs of people and references under other names (ref, HUMAN, synthetic) are left out.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rankwise as rw

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
from make_soft_words import read_rows

CLASSICAL = {
    "BLEU": "bleu:effective_order=true",
    "chrF": "chrf",
    "chrF++": "chrf:word_order=2",
    "TER": "ter",
    "METEOR": "meteor",
}
HUMAN = re.compile("ref|human|synthetic", re.IGNORECASE)
#: Tracks of several references: the one that people compared with, or that was not judged.
REFERENCE = {"wmt21/en-de": "ref:C", "wmt22/cs-en": "ref:B", "wmt23/he-en": "ref:refB"}

#: Direct assessments that the curve is fitted to.
ASSESSED = [
    *(f"wmt21/{pair}-en" for pair in ("is", "ja", "ru")),
    *(f"wmt22/{pair}-en" for pair in ("cs", "de", "ja", "liv", "ru", "uk", "zh")),
]

Floats = NDArray[np.float64]
Cells = dict[tuple[str, str], float]  # by system and segment
Pair = tuple[str, str, str]  # segment, better system, worse system


@dataclass(frozen=True, slots=True)
class Track:
    """Outputs with their references, and pairs of them: which is better, of which segment."""

    outputs: list[str]
    references: list[str]
    better: NDArray[np.intp]
    worse: NDArray[np.intp]
    segment: NDArray[np.intp]
    keys: Sequence[tuple[str, str]] = ()  # system and segment of every output, where known


def read_track(folder: Path, name: str, kind: str | None = None) -> Track:
    """The judged outputs of a track that no person wrote; of one kind of judgment, if named."""
    segments = {row["seg"]: row for row in read_rows(folder / name / "segments.tsv.gz")}
    first = next(key for key in next(iter(segments.values())) if key.startswith("ref:"))
    reference = REFERENCE.get(name, first)
    texts = {
        (r["system"], r["seg"]): r["text"] for r in read_rows(folder / name / "outputs.tsv.gz")
    }
    pairs = [
        ((row["better"], row["seg"]), (row["worse"], row["seg"]))
        for row in read_rows(folder / name / "pairs.tsv.gz")
        if kind in (None, row["kind"])
        and not HUMAN.match(row["better"])
        and not HUMAN.match(row["worse"])
    ]
    place = {key: k for k, key in enumerate(sorted({key for pair in pairs for key in pair}))}
    number = {segment: k for k, segment in enumerate(sorted({a[1] for a, _ in pairs}))}
    return Track(
        [texts.get(key, "") for key in place],
        [segments[key[1]][reference] for key in place],
        np.array([place[a] for a, _ in pairs]),
        np.array([place[b] for _, b in pairs]),
        np.array([number[a[1]] for a, _ in pairs]),
        list(place),
    )


def read_cells(folder: Path, name: str, column: str, kind: str = "DA") -> Cells:
    """The mean assessment of every output that no person wrote."""
    return {
        (row["system"], row["seg"]): float(row[column])
        for row in read_rows(folder / name / "segscores.tsv.gz")
        if row["kind"] == kind and not HUMAN.match(row["system"])
    }


def texts_of(folder: Path, name: str, keys: Sequence[tuple[str, str]]) -> tuple[list[str], ...]:
    """Outputs and references of systems and segments; read as `read_track` does."""
    segments = {row["seg"]: row for row in read_rows(folder / name / "segments.tsv.gz")}
    first = next(key for key in next(iter(segments.values())) if key.startswith("ref:"))
    outputs = {
        (row["system"], row["seg"]): row["text"]
        for row in read_rows(folder / name / "outputs.tsv.gz")
    }
    reference = REFERENCE.get(name, first)
    return [outputs[key] for key in keys], [segments[segment][reference] for _, segment in keys]


def clear_pairs(folder: Path, name: str, apart: float) -> list[Pair]:
    """All outputs of a segment whose standardised assessments are far apart."""
    by_segment = defaultdict(list)
    for (system, segment), value in read_cells(folder, name, "z").items():
        by_segment[segment].append((value, system))
    return [
        (segment, max(pair)[1], min(pair)[1])
        for segment, cells in by_segment.items()
        for pair in combinations(cells, 2)
        if abs(pair[0][0] - pair[1][0]) >= apart
    ]


def chosen_track(folder: Path, name: str, apart: float | None) -> Track:
    """The clear pairs of a track of direct assessments, if asked for; else those published."""
    if apart is None or name not in ASSESSED:
        return read_track(folder, name)
    pairs = clear_pairs(folder, name, apart)
    keys = sorted({(system, segment) for segment, *both in pairs for system in both})
    place = {key: k for k, key in enumerate(keys)}
    number = {segment: k for k, segment in enumerate(dict.fromkeys(s for s, _, _ in pairs))}
    return Track(
        *texts_of(folder, name, keys),
        np.array([place[better, segment] for segment, better, _ in pairs]),
        np.array([place[worse, segment] for segment, _, worse in pairs]),
        np.array([number[segment] for segment, _, _ in pairs]),
    )


def scores_by(name: str, track: Track, language: str) -> Floats:
    """What a metric says of the outputs, larger for better ones; METEOR knows German."""
    german = name == "meteor" and language == "de"
    metric = rw.metric(f"{name}:language=de" if german else name)
    values = np.asarray(metric.segments(track.outputs, track.references), np.float64)
    return values if metric.higher_is_better else -values


def agreement(track: Track, values: Floats) -> NDArray[np.float64]:
    """+1, 0 or -1 for every pair."""
    return np.sign(values[track.better] - values[track.worse])


def interval(track: Track, difference: Floats, *, seed: int) -> tuple[float, ...]:
    """A 95 % interval of the mean over pairs, by resampling segments 2,000 times."""
    sums = np.bincount(track.segment, difference)
    sizes = np.bincount(track.segment).astype(np.float64)
    random = np.random.default_rng(seed)
    times = random.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), 2000)
    return tuple(np.quantile((times @ sums) / (times @ sizes), [0.025, 0.975]).tolist())
