"""Which metric without an encoder orders outputs as people do who see the source.

    python experiments/default_metric.py TEXTS GOLDEN --cache CACHE -o softmatch.json

TEXTS is a folder as in experiments/tracks.py; GOLDEN has beer-weights.json, the published
weights of BEER 1.1, and beer2.json.gz, margins of BEER 2.0, from which its weights follow; Japanese
words are found by MeCab, which the extra ``ja`` installs. The rule of experiments/default-metric.md
is applied here; prints its tables as Markdown. -o writes the model that ships: round weights, and a
curve from sums to scores that is fitted to assessments of 0 to 100 against the source.
"""

import argparse
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from tracks import CLASSICAL, read_cells, read_rows, read_track, texts_of

from rankwise.learning.features import feature_set
from rankwise.learning.features.beer_2_0 import Beer20
from rankwise.learning.learned_model import LearnedModel
from rankwise.learning.published import beer_1_model
from rankwise.learning.scorers import LinearScorer
from rankwise.learning.text_scorer import TextScorer
from rankwise.metrics import metrics_of
from rankwise.text.languages import language_of

Floats = NDArray[np.float64]

#: Sets judged against the source, and the kind of judgment that counts.
SOURCE_BASED = {
    "wmt21/en-de": "MQM",
    "wmt21/zh-en": "MQM",
    "wmt22/liv-en": "DA+SQM-src",
    "wmt21-ted/en-de": "MQM",
    "wmt21-wiki/bn-hi": "DA",
    "wmt21-wiki/xh-zu": "DA",
    "wmt23/en-de": "MQM",
    "wmt23/he-en": "MQM",
    "wmt24/en-cs": "ESA",
    "wmt24/en-ja": "ESA",
}
#: Of these, the ones whose judgments were seen when `close` and `soft` were made.
SEEN = ("wmt21/en-de", "wmt21/zh-en", "wmt22/liv-en")
#: Direct assessments against the reference.
REFERENCE_BASED = {
    **{f"wmt21/{pair}-en": "DA" for pair in ("is", "ja", "ru")},
    **{f"wmt22/{pair}-en": "DA" for pair in ("cs", "de", "ja", "ru", "uk", "zh")},
}
#: Published models of BEER 1.1 by target language.
BEER_11 = {
    "de": "de_func_exact_stem_weka",
    "en": "en_func_exact_stem_weka",
    "cs": "cs_exact_weka",
    "hi": "hi_exact_weka",
    "other": "other_exact_weka",
}
OTHERS = ("bleu", "chrf", "chrf++", "ter", "meteor", "beer-1.1", "beer-2.0")
CLOSE = ("words_f2", "pairs_f1", "chrf", "letters", "first", "length")
WIDE = (*CLOSE, "bleu", "chrf++", "ter", "meteor-exact")
#: Assessments of 0 to 100 against the source, which the curve is fitted to.
ASSESSED = (
    ("wmt21-wiki/bn-hi", "DA"),
    ("wmt21-wiki/xh-zu", "DA"),
    ("wmt22/liv-en", "DA+SQM-src"),
    ("wmt23/en-de", "DA+SQM"),
    ("wmt23/en-de", "ESA"),
    ("wmt24/en-cs", "ESA"),
    ("wmt24/en-ja", "ESA"),
)
_WORDS = {"words_f2": 1.0, "pairs_f1": 0.5, "chrf": 1.0}
_PLAIN = {**_WORDS, "letters": 1.0}
#: Sums with round weights, by the names of columns.
ROUND = {
    "soft": _WORDS,
    "close": {**_PLAIN, "first": 0.2, "length": 0.2},
    "plain": _PLAIN,
    "letters": {"chrf": 1.0, "letters": 1.0},
    "whole": {**_PLAIN, "chrf++": 1.0, "ter": 1.0},
}
#: What may ship, from the simplest on.
ORDER = (
    "letters",
    "soft",
    "plain",
    "close",
    "whole",
    "learned close",
    "learned wide",
    "beer",
    "learned beer",
)
NEAR = 0.003
#: Sets of fewer documents, or whose documents are not known, are resampled by segments.
FEWEST_DOCUMENTS = 20
DRAWS = 2000

Signs = dict[str, Floats]  # +1, 0 or -1 for every pair, by set


@dataclass(frozen=True)
class Set:
    """The outputs of a set with numbers about each, and pairs of them that people told apart.

    ``human`` are the scores that people gave, ``place`` the segment of every output.
    """

    columns: dict[str, Floats]
    human: Floats
    place: NDArray[np.intp]
    better: NDArray[np.intp]
    worse: NDArray[np.intp]
    segment: NDArray[np.intp]
    document: NDArray[np.intp]

    def signs(self, values: Floats) -> Floats:
        """+1, 0 or -1 for every pair."""
        return np.sign(values[self.better] - values[self.worse])

    def tau(self, values: Floats) -> float:
        """Kendall's tau; a tie counts 0."""
        return float(self.signs(values).mean())

    def total(self, weights: Mapping[str, float]) -> Floats:
        """The sum of columns with weights."""
        return np.asarray(sum(weight * self.columns[name] for name, weight in weights.items()))

    def differences(self, names: Sequence[str]) -> Floats:
        """Better minus worse, a row per pair."""
        table = np.stack([self.columns[name] for name in names], axis=1)
        return table[self.better] - table[self.worse]

    def interval(self, difference: Floats, unit: str, *, seed: int) -> tuple[float, float]:
        """A 95 % interval of the mean over pairs, by resampling segments or documents."""
        has_documents = self.document.max() + 1 >= FEWEST_DOCUMENTS
        groups = self.document if unit == "document" and has_documents else self.segment
        sums = np.bincount(groups, difference)
        sizes = np.bincount(groups).astype(np.float64)
        random = np.random.default_rng(seed)
        times = random.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), 5000)
        low, high = np.quantile((times @ sums) / (times @ sizes), [0.025, 0.975])
        return float(low), float(high)


def mean(signs: Signs) -> float:
    """Kendall's tau, the mean over sets."""
    return float(np.mean([values.mean() for values in signs.values()]))


def less(sets: Mapping[str, Set], signs: Signs, others: Signs, *, seed: int) -> str:
    """The difference of two means with its interval."""
    random, totals = np.random.default_rng(seed), np.zeros(DRAWS)
    for title, one in sets.items():
        sums = np.bincount(one.segment, signs[title] - others[title])
        sizes = np.bincount(one.segment).astype(np.float64)
        times = random.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), DRAWS)
        totals += (times @ sums) / (times @ sizes) / len(sets)
    low, high = np.quantile(totals, [0.025, 0.975])
    return f"{mean(signs) - mean(others):+.3f} ({low:+.3f} … {high:+.3f})"


# -- numbers about outputs -------------------------------------------------------------------------


@dataclass(frozen=True)
class Published:
    """The published weights of BEER."""

    golden: Path

    @cached_property
    def _beer_2(self) -> Floats:
        with gzip.open(self.golden / "beer2.json.gz", "rt", encoding="utf-8") as stream:
            segments = json.load(stream)["segments"]
        rows = Beer20().values([s["hyp"] for s in segments], [s["ref"] for s in segments])
        margins = [s["scores"]["default"]["margin"] for s in segments]
        return np.linalg.lstsq(rows, np.array(margins), rcond=1e-12)[0]

    def beer_1_1(self, outputs: list[str], references: list[str], target: str) -> Floats:
        """Scores of BEER 1.1 with the weights for a language."""
        document = json.loads((self.golden / "beer-weights.json").read_text(encoding="utf-8"))
        name = BEER_11.get(target, BEER_11["other"])
        return beer_1_model(document, f"beer_1.1/{name}").segments(outputs, references)

    def beer_2_0(self, outputs: list[str], references: list[str]) -> Floats:
        """Margins of BEER 2.0."""
        return np.asarray(Beer20().values(outputs, references) @ self._beer_2)


def numbers(
    outputs: list[str],
    references: list[str],
    target: str,
    published: Published,
    segments: Sequence[str],
) -> dict[str, Floats]:
    """Every number about the outputs; what a metric says is larger for better ones."""
    found: dict[str, Floats] = {}

    language = language_of(references, target)

    def add(title: str, name: str) -> None:
        (metric,) = metrics_of(name, language)
        values = np.asarray(metric.segments(outputs, references), np.float64)
        found[title] = (values if metric.higher_is_better else -values) / (metric.best or 100.0)

    for name in CLASSICAL.values():
        title = {"bleu:effective_order=true": "bleu", "chrf:word_order=2": "chrf++"}.get(name, name)
        add(title, name)
    add("meteor-exact", "meteor:language=other:modules=exact")
    add("beer", "beer")
    found["beer-1.1"] = published.beer_1_1(outputs, references, target)
    found["beer-2.0"] = published.beer_2_0(outputs, references)
    for name in ("soft", "beer:language=other:modules=exact", "duh"):
        features = feature_set(name)
        rows = features.values(outputs, references, groups=segments)
        titles = duh_columns(features.names) if name == "duh" else features.names
        found = dict(zip(titles, rows.T, strict=True)) | found  # chrF is the metric's own
    return found


def duh_columns(names: Sequence[str]) -> list[str]:
    """What Duh's features are called here: one of them is another BLEU."""
    return [f"duh {name}" for name in names]


def read_set(folder: Path, name: str, kind: str, published: Published, cache: Path) -> Set:
    """A set with its numbers, which are kept in *cache*."""
    track = read_track(folder, name, kind)
    names = [segment for _, segment in track.keys]
    kept = cache / f"{name.replace('/', '_')}_{kind}.npz"
    if not kept.exists():
        target = name.rpartition("-")[2]
        columns = numbers(track.outputs, track.references, target, published, names)
        np.savez(kept, **columns)
    with np.load(kept) as stored:
        columns = {title: stored[title] for title in stored.files}
    human = read_cells(folder, name, "score", kind)
    place = np.unique(names, return_inverse=True)[1]
    written = {row["seg"]: row["doc"] for row in read_rows(folder / name / "segments.tsv.gz")}
    documents = np.unique([written[segment] for segment in names], return_inverse=True)[1]
    return Set(
        columns,
        np.array([human[key] for key in track.keys]),
        place,
        track.better,
        track.worse,
        track.segment,
        documents[track.better],
    )


def read_sets(names: Mapping[str, str], folder: Path, golden: Path, cache: Path) -> dict[str, Set]:
    """Sets by their names, each of the kind of judgment that is named with it."""
    cache.mkdir(parents=True, exist_ok=True)
    published = Published(golden)
    return {name: read_set(folder, name, kind, published, cache) for name, kind in names.items()}


def arguments_of(description: str) -> argparse.ArgumentParser:
    """What is typed: the folders of texts and of published weights, the cache, a seed."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("golden", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    return parser


# -- candidates ------------------------------------------------------------------------------------


def learned(sets: Sequence[Set], names: Sequence[str]) -> dict[str, float]:
    """Weights not below zero of logistic ranking, with a little shrinkage; sets count alike."""
    rows = [one.differences(names) for one in sets]
    scale = np.sqrt(np.mean([np.mean(r**2, axis=0) for r in rows], axis=0)) + 1e-12
    rows = [r / scale for r in rows]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 1e-3 * float(weights @ weights), 2e-3 * weights
        for r in rows:
            margins = r @ weights
            total += float(np.logaddexp(0, -margins).mean()) / len(rows)
            slope = slope - (r / (1 + np.exp(margins))[:, None]).mean(axis=0) / len(rows)
        return total, slope

    start = np.full(len(names), 1 / len(names))
    bounds = [(0, None)] * len(names)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return dict(zip(names, (found / scale).tolist(), strict=True))


Scorer = Callable[[Set], Floats]


def candidates(training: Sequence[Set], crowd: Mapping[str, float]) -> dict[str, Scorer]:
    """How every candidate scores a set, learned from others; *crowd* are weights of `close`."""
    beer = feature_set("beer:language=other:modules=exact").names
    weights = {name: {name: 1.0} for name in (*OTHERS, "beer")} | ROUND
    weights["learned close"] = learned(training, CLOSE)
    weights["learned wide"] = learned(training, WIDE)
    weights["learned beer"] = learned(training, beer)
    weights["learned close, crowd"] = crowd
    return {name: (lambda one, w=w: one.total(w)) for name, w in weights.items()}


def chosen(taus: Mapping[str, Mapping[str, float]], below: set[tuple[str, str]]) -> str:
    """The candidate that the rule takes, of those that are nowhere clearly below chrF."""
    sets = set(next(iter(taus.values())))
    left = [n for n in ORDER if not any((n, one) in below for one in sets)]
    if not left:
        return "chrf"
    means = {name: float(np.mean(list(taus[name].values()))) for name in left}
    best = max(means.values())
    return next(name for name in left if means[name] >= best - NEAR)


# -- the model -------------------------------------------------------------------------------------


def shipped(folder: Path, weights: Mapping[str, float], measured: Mapping[str, float]) -> str:
    """The text of the model: the weights, and the curve that assessments follow."""
    features = feature_set("soft")
    values = np.array([weights.get(name, 0.0) for name in features.names])
    scorer = LinearScorer(values, np.zeros(len(values)), np.ones(len(values)))
    model = LearnedModel(str(features), features.names, scorer)
    distances, human = [], []
    for name, kind in ASSESSED:
        cells = read_cells(folder, name, "score", kind)
        texts = texts_of(folder, name, list(cells))
        distances.append(TextScorer(model, features).distances(*texts))
        human.append(np.array(list(cells.values())) / 100)
    found = model.on_curve(np.concatenate(distances), np.concatenate(human))
    training = (
        "round weights; word tables from texts of WMT21-22 (scripts/make_soft_words.py); curve "
        f"from {sum(map(len, human)):,} assessments against the source of WMT21-24 "
        "(experiments/default_metric.py)"
    )
    return replace(found, training=training, measured=measured).to_json()


# -- tables ----------------------------------------------------------------------------------------


def main() -> None:
    """Print the tables."""
    parser = arguments_of(__doc__ or "")
    parser.add_argument("-o", "--model", type=Path)
    options = parser.parse_args()
    folders = options.texts, options.golden, options.cache
    source, reference = read_sets(SOURCE_BASED, *folders), read_sets(REFERENCE_BASED, *folders)
    crowd = learned(list(reference.values()), CLOSE)
    taus: dict[str, dict[str, float]] = {}
    signs: dict[tuple[str, str], Floats] = {}
    for name, one in source.items():
        others = [other for key, other in source.items() if key != name]
        for title, score in candidates(others, crowd).items():
            signs[title, name] = one.signs(score(one))
            taus.setdefault(title, {})[name] = float(signs[title, name].mean())
    print_taus("judged against the source", taus, SEEN)
    below = set()
    for title, name in signs:
        difference = signs[title, name] - signs["chrf", name]
        if source[name].interval(difference, "document", seed=options.seed)[1] < 0:
            below.add((title, name))
    print("\nclearly below chrF:", sorted(below))
    choice = chosen(taus, below)
    print("\nchosen:", choice)
    if options.model and choice in ROUND:
        measured = {f"tau {name}": round(tau, 4) for name, tau in taus[choice].items()}
        text = shipped(options.texts, ROUND[choice], measured)
        options.model.write_text(text, encoding="utf-8")
    print_each(source, signs, choice, seed=options.seed)
    choices = print_nested(source, taus, signs, below, seed=options.seed)
    print_means(source, signs, dict.fromkeys(source, choice), seed=options.seed)
    print_means(source, signs, choices, seed=options.seed)
    from_source = candidates(list(source.values()), crowd)
    beside: dict[str, dict[str, float]] = {}
    for name, one in reference.items():
        others = learned([other for key, other in reference.items() if key != name], CLOSE)
        scorers = from_source | {"learned close, crowd": lambda one, w=others: one.total(w)}
        for title, score in scorers.items():
            beside.setdefault(title, {})[name] = one.tau(score(one))
    print_taus("judged against the reference", beside, ())


def print_taus(title: str, taus: Mapping[str, Mapping[str, float]], seen: Sequence[str]) -> None:
    """A line per candidate: its tau on every set, the mean, and that over sets never seen."""
    names = list(next(iter(taus.values())))
    unseen = [name for name in names if name not in seen]
    print(f"\n| {title} |", " | ".join(names), "| mean |" + (" not seen |" if seen else ""))
    print("|---" * (len(names) + 2 + bool(seen)) + "|")
    for candidate, found in taus.items():
        cells = [f"{found[name]:.3f}" for name in names]
        cells.append(f"{np.mean([found[n] for n in names]):.4f}")
        if seen:
            cells.append(f"{np.mean([found[n] for n in unseen]):.4f}")
        print("|", " | ".join([candidate, *cells]), "|")


def print_each(
    source: Mapping[str, Set], signs: Mapping[tuple[str, str], Floats], choice: str, *, seed: int
) -> None:
    """What is chosen less every classical metric, on every set, by resampled documents."""
    print(f"\n| {choice} less |", " | ".join(OTHERS), "|\n" + "|---" * (len(OTHERS) + 1) + "|")
    for name, one in source.items():
        cells = []
        for other in OTHERS:
            difference = signs[choice, name] - signs[other, name]
            low, high = one.interval(difference, "document", seed=seed)
            cells.append(f"{difference.mean():+.3f} ({low:+.3f} … {high:+.3f})")
        print("|", " | ".join([name, *cells]), "|")


def print_nested(
    source: Mapping[str, Set],
    taus: Mapping[str, Mapping[str, float]],
    signs: Mapping[tuple[str, str], Floats],
    below: set[tuple[str, str]],
    *,
    seed: int,
) -> dict[str, str]:
    """The choice without each set, and what it is worth there; returns the choices."""
    head = ["left out", "chosen", "tau", "less chrF", "95 %, segments", "documents"]
    head += ["best classical", "less it", "95 %, segments", "documents"]
    print("\n|", " | ".join(head), "|\n" + "|---" * len(head) + "|")
    leads, choices = [], {}
    for name, one in source.items():
        rest = {c: {n: v for n, v in found.items() if n != name} for c, found in taus.items()}
        choice = choices[name] = chosen(rest, {(c, n) for c, n in below if n != name})
        best = max(OTHERS, key=lambda c: taus[c][name])
        cells = [name, choice, f"{taus[choice][name]:.3f}"]
        for other in ("chrf", best):
            difference = signs[choice, name] - signs[other, name]
            cells += [other] if other == best else []
            cells.append(f"{difference.mean():+.3f}")
            for unit in ("segment", "document"):
                low, high = one.interval(difference, unit, seed=seed)
                cells.append(f"{low:+.3f} … {high:+.3f}")
        leads.append([taus[choice][name] - taus[other].get(name, 0.0) for other in ("chrf", best)])
        leads[-1].append(taus[choice][name])
        print("|", " | ".join(cells), "|", flush=True)
    over = np.mean(leads, axis=0)
    print(f"| mean | | {over[2]:.4f} | {over[0]:+.4f} | | | | {over[1]:+.4f} | | |")
    return choices


def print_means(
    source: Mapping[str, Set],
    signs: Mapping[tuple[str, str], Floats],
    choices: Mapping[str, str],
    *,
    seed: int,
) -> None:
    """What the candidates chosen for the sets have more on average than every classical metric."""
    ours = {name: signs[choice, name] for name, choice in choices.items()}
    others = {title: {name: signs[title, name] for name in source} for title in OTHERS}
    best = {name: max((others[c][name] for c in OTHERS), key=np.mean) for name in source}
    print("\n| mean over sets, less |", " | ".join([*OTHERS, "the best of each set"]), "|")
    print("|---" * (len(OTHERS) + 2) + "|")
    cells = (less(source, ours, other, seed=seed) for other in (*others.values(), best))
    print(f"| {mean(ours):.4f} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
