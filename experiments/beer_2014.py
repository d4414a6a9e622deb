"""BEER learned on WMT21-22 and tested on pairs it has not seen: Stanojević and Sima'an (2014).

    RANKWISE_SHARED=FOLDER python experiments/beer_2014.py --cache FOLDER --seed 1

Prints Markdown: Kendall's tau with single human preferences (WMT12 and WMT14 variants) of learned
models, of models without a part of the features, and of other metrics. Learned by logistic ranking
with its default cost: nothing is tuned. The second table leaves out one language pair at a time,
in both years. References that were judged as systems are neither learned from nor tested.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
from wmt_texts import DA_TRACKS, HUMAN_SYSTEMS, read_pairs, read_texts

from rankwise.agreement.lists.kendall import kendall_of_signs
from rankwise.evaluate.metric_learning.computed_features import features
from rankwise.io.learned.feature_cache import FeatureCache
from rankwise.learning.examples import Examples
from rankwise.learning.learners import learner
from rankwise.text.matchers import matcher_problem

Floats = NDArray[np.float64]

TESTS = (
    ("wmt23/en-de", "MQM"),
    ("wmt23/en-de", "DA+SQM"),
    ("wmt23/he-en", "MQM"),
    ("wmt21/en-de", "MQM"),
    ("wmt21/zh-en", "MQM"),
)
#: Other metrics, as names of features; TER is turned round.
OTHERS = {
    "METEOR": "meteor:language={language}:modules=exact,stem",
    "chrF": "chrf",
    "chrF++": "chrf:word_order=2",
    "sentence BLEU": "bleu:smooth=exp",
    "TER": "ter",
}
#: Learned models: their features, and which columns they do without.
WORD_CLASSES = ("function.", "content.")
ORDER = ("kendall", "trees.")
LEARNED: dict[str, tuple[str, tuple[str, ...]]] = {
    "BEER": ("beer:language={language}:modules=exact,stem", ()),
    "BEER, any language": ("beer:language=other:modules=exact", ()),
    "without character n-grams": ("beer:language={language}:modules=exact,stem", ("char",)),
    "without order": ("beer:language={language}:modules=exact,stem", ORDER),
    "without function words": ("beer:language={language}:modules=exact,stem", WORD_CLASSES),
}
#: Synonyms are for English; other languages do without.
SYNONYMS = "beer:language={language}:modules=exact,stem{synonym}"
METEOR_SYNONYMS = "meteor:language={language}:modules=exact,stem{synonym}"


@dataclass(frozen=True)
class Track:
    """Outputs of a language pair and year, and pairs of them that people told apart."""

    name: str
    language: str
    hypotheses: list[str]
    references: list[str]
    segment: NDArray[np.int64]
    better: NDArray[np.int64]
    worse: NDArray[np.int64]


def read_track(name: str, kind: str) -> Track:
    """The outputs that are in some pair, and the pairs."""
    testset = read_texts(name)
    places = {segment.id: place for place, segment in enumerate(testset.segments)}
    rows: dict[tuple[str, str], int] = {}
    better, worse = [], []
    for segment, *systems in read_pairs(name, kind):
        if any(fnmatchcase(s, pattern) for s in systems for pattern in HUMAN_SYSTEMS):
            continue
        if any(testset.outputs[s][places[segment]] is None for s in systems):
            continue
        first, second = (rows.setdefault((segment, s), len(rows)) for s in systems)
        better.append(first)
        worse.append(second)
    return Track(
        f"{name} {kind}",
        testset.target_language,
        [testset.outputs[system][places[segment]] or "" for segment, system in rows],
        [testset.segments[places[segment]].references[0] for segment, _ in rows],
        np.array([places[segment] for segment, _ in rows], np.int64),
        np.array(better, np.int64),
        np.array(worse, np.int64),
    )


def named(name: str, language: str) -> str:
    """The features for a language."""
    return name.format(language=language, synonym=",synonym" if language == "en" else "")


def values(track: Track, name: str, cache: str) -> Floats:
    """The features of a track, from the cache if they are there."""
    found = features(named(name, track.language))
    texts = track.hypotheses, track.references
    kept = FeatureCache(cache)
    return kept(found.signature, found.names, *texts, None, lambda: found.values(*texts))


def columns(name: str, without: Sequence[str]) -> NDArray[np.intp]:
    """The columns that are left."""
    names = features(named(name, "en")).names
    kept = [not any(column.startswith(part) for part in without) for column in names]
    return np.flatnonzero(kept)


def examples(tracks: Sequence[Track], tables: Sequence[Floats]) -> Examples:
    """Tracks as one set of examples."""
    starts = np.cumsum([0, *(len(table) for table in tables)])
    moved = list(zip(tracks, starts, strict=False))
    better = np.concatenate([track.better + start for track, start in moved])
    count = int(starts[-1])
    return Examples(
        tuple(str(k) for k in range(tables[0].shape[1])),
        np.concatenate(tables),
        np.concatenate([track.segment + (k << 32) for k, track in enumerate(tracks)]),
        np.repeat(np.arange(len(tracks)), np.diff(starts)),
        tuple(track.name for track in tracks),
        better,
        np.concatenate([track.worse + start for track, start in moved]),
        np.ones(len(better)),
        np.full(count, np.nan),
    )


def signs(track: Track, scores: Floats) -> NDArray[np.int8]:
    """+1 where a pair is ordered as people do, 0 where tied, -1 where not."""
    return np.sign(scores[track.better] - scores[track.worse]).astype(np.int8)


def taus(found: NDArray[np.int8]) -> tuple[float, float]:
    """The WMT12 and WMT14 variants."""
    human = np.ones(len(found), np.int8)
    first, second = (kendall_of_signs(human, found, variant=v) for v in ("wmt12", "wmt14"))
    return first, second


def difference(
    track: Track, first: NDArray[np.int8], second: NDArray[np.int8], seed: int
) -> tuple[float, float]:
    """The 95 % interval of the difference in tau (WMT14), over 1000 resamples of segments."""
    _, segment = np.unique(track.segment[track.better], return_inverse=True)
    lead = np.bincount(segment, first.astype(float) - second)
    pairs = np.bincount(segment)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(len(pairs), np.full(len(pairs), 1 / len(pairs)), 1000)
    low, high = np.quantile(drawn @ lead / (drawn @ pairs), (0.025, 0.975))
    return float(low), float(high)


Results = dict[str, NDArray[np.int8]]


def learned_results(
    train: Sequence[Track], tests: Sequence[Track], cache: str, seed: int
) -> list[Results]:
    """For every test track what every model learned from *train* says of its pairs."""
    found: list[Results] = [{} for _ in tests]
    for title, (name, without) in LEARNED.items():
        print(f"{title}, {len(train)} tracks", file=sys.stderr, flush=True)
        kept = columns(name, without)
        tables = [values(track, name, cache)[:, kept] for track in train]
        scorer = learner("logistic").fit(examples(train, tables), seed=seed)
        for track, results in zip(tests, found, strict=True):
            margins = scorer.margins(values(track, name, cache)[:, kept])
            results[title] = signs(track, margins)
    return found


def other_results(track: Track, cache: str) -> Results:
    """What the other metrics say."""
    found = {title: values(track, name, cache)[:, 0] for title, name in OTHERS.items()}
    return {t: signs(track, -v if t == "TER" else v) for t, v in found.items()}


def table(rows: Mapping[str, tuple[Track, Results]], seed: int) -> Iterator[str]:
    """A line per metric, a column per track, tau WMT12 / WMT14; the mean; the lead over chrF."""
    titles = list(next(iter(rows.values()))[1])
    yield f"| tau (wmt12 / wmt14) | {' | '.join(rows)} | mean |"
    yield f"|---|{'---|' * (len(rows) + 1)}"
    pairs = " | ".join(f"{len(track.better):,}" for track, _ in rows.values())
    yield f"| pairs | {pairs} | |"
    for title in titles:
        both = np.array([taus(results[title]) for _, results in rows.values()])
        cells = [f"{a:.3f} / {b:.3f}" for a, b in [*both, both.mean(axis=0)]]
        yield f"| {title} | {' | '.join(cells)} |"
    cells = []
    for track, results in rows.values():
        low, high = difference(track, results["BEER"], results["chrF"], seed)
        cells.append(f"{low:+.3f} to {high:+.3f}")
    yield f"| BEER less chrF, 95 % | {' | '.join(cells)} | |"


def language_pair(name: str) -> str:
    """``cs-en`` of ``wmt22/cs-en DA``."""
    return name.partition("/")[2].partition(" ")[0]


def show(title: str, rows: Mapping[str, tuple[Track, Results]], seed: int) -> None:
    """Print a table under its heading."""
    print(f"\n## {title}\n", *table(rows, seed), sep="\n", flush=True)


def left_out(
    tracks: Sequence[Track], run: Callable[[Sequence[Track], Sequence[Track]], list[Results]]
) -> dict[str, tuple[Track, Results]]:
    """Every track tested on models of the other language pairs."""
    rows = {}
    for pair in dict.fromkeys(language_pair(track.name) for track in tracks):
        tests = [track for track in tracks if language_pair(track.name) == pair]
        train = [track for track in tracks if language_pair(track.name) != pair]
        for track, results in zip(tests, run(train, tests), strict=True):
            rows[track.name.removesuffix(" DA")] = (track, results)
    return {
        track.name.removesuffix(" DA"): rows[track.name.removesuffix(" DA")] for track in tracks
    }


def main() -> None:
    """Read, learn, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--cache", required=True, help="a folder to keep features in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["unseen-years", "leave-one-out"])
    options = parser.parse_args()
    if matcher_problem("synonym", "en") is None:
        LEARNED["with synonyms"] = (SYNONYMS, ())
        OTHERS["METEOR with synonyms"] = METEOR_SYNONYMS
    tracks = [read_track(name, "DA") for name in DA_TRACKS]

    def run(train: Sequence[Track], tests: Sequence[Track]) -> list[Results]:
        found = learned_results(train, tests, options.cache, options.seed)
        return [
            {**results, **other_results(track, options.cache)}
            for results, track in zip(found, tests, strict=True)
        ]

    if options.only != "leave-one-out":
        tests = [read_track(*test) for test in TESTS]
        rows = dict(
            zip((t.name for t in tests), zip(tests, run(tracks, tests), strict=True), strict=True)
        )
        show(
            "Learned on all of WMT21-22 DA, tested on other years and protocols", rows, options.seed
        )
    if options.only != "unseen-years":
        show(
            "One language pair of WMT21-22 left out at a time", left_out(tracks, run), options.seed
        )


if __name__ == "__main__":
    main()
