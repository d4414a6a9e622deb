"""`softmatch`, its weights `close`, beside classical and older metrics.

    python experiments/close_metric.py TEXTS wmt23/en-de wmt23/he-en -o close.json
    python experiments/close_metric.py TEXTS --apart 1 wmt21/is-en ... wmt22/zh-en

TEXTS is a folder as in experiments/soft_metric.py, with segscores.tsv.gz (kind, system, seg,
score, z, n) beside the rest. Prints Markdown: Kendall's tau over pairs (ties count 0), and the
difference to the best classical metric of the track with a 95 % interval from resampled segments.
The pairs are those of pairs.tsv.gz, or with --apart those of outputs whose mean standardised
direct assessments are so far apart: raw scores of different judges differ in their scales, and
every tenth such pair is turned round by taking them out. Outputs of people and references under
other names are left out.

The weights are round; they were chosen on WMT21-22 alone. The curve from margins to scores is
fitted to all direct assessments of WMT21-22. -o writes both as the model that ships.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from soft_metric import (
    CLASSICAL,
    HUMAN,
    REFERENCE,
    Track,
    arguments_of,
    compare,
    read_rows,
    read_track,
    scores_by,
)

from rankwise.learning.features import feature_set
from rankwise.learning.learned_model import LearnedModel
from rankwise.learning.scorers import LinearScorer
from rankwise.learning.text_scorer import TextScorer

WEIGHTS = {
    "words_f2": 1.0,
    "pairs_f1": 0.5,
    "chrf": 1.0,
    "letters": 1.0,
    "first": 0.2,
    "length": 0.2,
}
#: Models that ship, beside the new one.
OLDER = {"beer": "beer", "soft": "softmatch:weights=soft"}
#: Direct assessments that the curve is fitted to.
ASSESSED = [
    *(f"wmt21/{pair}-en" for pair in ("is", "ja", "ru")),
    *(f"wmt22/{pair}-en" for pair in ("cs", "de", "ja", "liv", "ru", "uk", "zh")),
]

Floats = NDArray[np.float64]
Cells = dict[tuple[str, str], float]  # by system and segment
Pair = tuple[str, str, str]  # segment, better system, worse system


def read_cells(folder: Path, name: str, column: str) -> Cells:
    """The mean direct assessment of every output that no person wrote."""
    return {
        (row["system"], row["seg"]): float(row[column])
        for row in read_rows(folder / name / "segscores.tsv.gz")
        if row["kind"] == "DA" and not HUMAN.match(row["system"])
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


def close_model() -> LearnedModel:
    """The weights as a model."""
    features = feature_set("close")
    weights = np.array([WEIGHTS[name] for name in features.names])
    scorer = LinearScorer(weights, np.zeros(len(weights)), np.ones(len(weights)))
    return LearnedModel(str(features), features.names, scorer)


def fitted(folder: Path, model: LearnedModel, measured: Mapping[str, float]) -> LearnedModel:
    """The model with a curve, and with what was measured of it."""
    scorer = TextScorer(model, feature_set("close"))
    distances, human = [], []
    for name in ASSESSED:
        cells = read_cells(folder, name, "score")
        distances.append(scorer.distances(*texts_of(folder, name, list(cells))))
        human.append(np.array(list(cells.values())) / 100)
    found = model.on_curve(np.concatenate(distances), np.concatenate(human))
    training = (
        "round weights; word tables from texts of WMT21-22 (scripts/make_soft_words.py); curve "
        f"from {sum(map(len, human)):,} direct assessments of them (experiments/close_metric.py)"
    )
    return LearnedModel(
        found.features,
        found.columns,
        found.scorer,
        training=training,
        measured=measured,
        curve=found.curve,
    )


def scores(track: Track, language: str, metrics: Mapping[str, str]) -> dict[str, Floats]:
    """What every metric says of the outputs, larger for better ones; `close` last."""
    found = {}
    for title, name in metrics.items():
        found[title] = scores_by(name, track, language)
    features = feature_set("close")
    rows = features.values(track.outputs, track.references)
    return found | {"close": close_model().margins(rows)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write the model."""
    parser = arguments_of(__doc__ or "")
    parser.add_argument("--apart", type=float, help="standard deviations between the two of a pair")
    parser.add_argument("--also", nargs="*", default=[], help="TITLE=METRIC to compare with")
    options = parser.parse_args(arguments)
    metrics = {**CLASSICAL, **OLDER, **dict(entry.split("=", 1) for entry in options.also)}

    def read(name: str) -> Track:
        return chosen_track(options.texts, name, options.apart)

    measured = compare(options.tracks, read, partial(scores, metrics=metrics), seed=options.seed)
    if options.model:
        model = fitted(options.texts, close_model(), measured)
        options.model.write_text(model.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
