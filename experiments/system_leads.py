"""Outputs ranked as a set: scores with the lead of their system, beside the scores alone.

    python experiments/system_leads.py TEXTS wmt23/en-de wmt23/he-en --seed 1
    python experiments/system_leads.py TEXTS --apart 1 wmt21/en-de ... wmt22/zh-en

TEXTS is a folder as in experiments/tracks.py. Prints Markdown: Kendall's tau over pairs of
outputs (ties count 0) of every metric, as it is and with half of the lead of systems
(`rankwise.evaluate.with_lead`), and what the lead adds to the last metric, with a 95 % interval
from resampled segments. The pairs are those of pairs.tsv.gz, or with --apart those of outputs
whose mean standardised direct assessments are so far apart. Leads are means over all segments that
have a pair, of all systems but people and references under other names; no human score is in them.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tracks import (
    ASSESSED,
    CLASSICAL,
    HUMAN,
    Pair,
    Track,
    agreement,
    clear_pairs,
    interval,
    read_rows,
    scores_by,
    texts_of,
)

from rankwise.evaluate import with_lead
from rankwise.types import ScoreTable

METRICS = {**CLASSICAL, "softmatch": "softmatch"}

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outputs:
    """All outputs of a track, each by system and segment, and the pairs of people."""

    keys: list[tuple[str, str]]
    track: Track


def read_outputs(folder: Path, name: str, apart: float | None) -> Outputs:
    """The outputs of every system on the segments that have a pair."""
    pairs = list(
        published_pairs(folder, name)
        if apart is None or name not in ASSESSED
        else clear_pairs(folder, name, apart)
    )
    number = {segment: k for k, segment in enumerate(sorted({s for s, _, _ in pairs}))}
    keys = [
        (row["system"], row["seg"])
        for row in read_rows(folder / name / "outputs.tsv.gz")
        if row["seg"] in number and not HUMAN.match(row["system"])
    ]
    place = {key: k for k, key in enumerate(keys)}
    columns = [[place[a, s], place[b, s], number[s]] for s, a, b in pairs]
    return Outputs(keys, Track(*texts_of(folder, name, keys), *np.array(columns).T))


def published_pairs(folder: Path, name: str) -> list[Pair]:
    """As in the file, but those with a person."""
    rows = read_rows(folder / name / "pairs.tsv.gz")
    found = [(row["seg"], row["better"], row["worse"]) for row in rows]
    return [pair for pair in found if not any(map(HUMAN.match, pair[1:]))]


def led(keys: Sequence[tuple[str, str]], values: Floats) -> Floats:
    """The values with the leads of their systems."""
    systems, segments = (tuple(dict.fromkeys(part)) for part in zip(*keys, strict=True))
    row = {system: k for k, system in enumerate(systems)}
    column = {segment: k for k, segment in enumerate(segments)}
    places = tuple(np.array([(row[s], column[i]) for s, i in keys]).T)
    table = np.full((len(systems), len(segments)), np.nan)
    table[places] = values
    return with_lead(ScoreTable(systems, segments, table)).values[places]


def line(name: str, outputs: Outputs, *, seed: int) -> str:
    """A line of the table."""
    track, cells = outputs.track, [name, f"{len(outputs.track.better):,}"]
    for metric in METRICS.values():
        values = scores_by(metric, track, name.rpartition("-")[2])
        alone, with_leads = agreement(track, values), agreement(track, led(outputs.keys, values))
        cells.append(f"{alone.mean():.3f} → {with_leads.mean():.3f}")
    difference = with_leads - alone
    low, high = interval(track, difference, seed=seed)
    return " | ".join([*cells, f"{difference.mean():+.3f} [{low:+.3f}, {high:+.3f}]"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("tracks", nargs="+")
    parser.add_argument("--apart", type=float, help="standard deviations between the two of a pair")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    head = ["track", "pairs", *METRICS, "the lead adds to softmatch"]
    print("|", " | ".join(head), "|")
    print("|", " | ".join("---" for _ in head), "|")
    for name in options.tracks:
        outputs = read_outputs(options.texts, name, options.apart)
        print("|", line(name, outputs, seed=options.seed), "|", flush=True)


if __name__ == "__main__":
    main()
