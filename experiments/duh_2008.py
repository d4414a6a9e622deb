"""Ranking against regression: Duh (2008), table 3 and figure 1, on WMT21 to 23.

    RANKWISE_SHARED=FOLDER python experiments/duh_2008.py --cache FOLDER --seed 1

Prints Markdown. Learned on tracks of WMT21-22 (direct assessment; regression on scores standardised
by judge, ranking on pairs over 25 points apart), cost or rounds chosen on three further tracks,
tested on WMT23 en-de and he-en (MQM). At sentence level the mean over segments of Spearman's
correlation of the outputs' scores with people's, where it is defined; for the corpus Spearman's of
the systems' Fligner-Verducci scores. References that were judged as systems are left out.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
from wmt_texts import DA_TRACKS, HUMAN_SYSTEMS, read_human, read_texts

from rankwise.aggregate import FlignerVerducci
from rankwise.agreement.tables.correlation import spearman
from rankwise.evaluate.metric_learning.learning_data import PairRules, Track, learning_data
from rankwise.io.learned.feature_cache import FeatureCache
from rankwise.learning.examples import Examples
from rankwise.learning.features import feature_set
from rankwise.learning.learners import Learner, learner
from rankwise.learning.tuning import tuned

Floats = NDArray[np.float64]

DEVELOPMENT = ("wmt21/is-en", "wmt22/de-en", "wmt22/zh-en")
TESTS = ("wmt23/en-de", "wmt23/he-en")
LEARNERS = ("svr", "ranksvm", "rankboost")
SUBSETS = ("1-12", "1-13", "1-20")
SHARES = (0.01, 0.1, 0.3, 1.0)


@dataclass(frozen=True)
class Test:
    """Scores by people, systems by segments, and the features of these outputs in that order."""

    __test__ = False

    name: str
    human: Floats
    rows: Floats


@dataclass(frozen=True)
class Agreement:
    """Spearman's correlation of sentences, with the spread of its mean, and of the corpus."""

    sentence: float
    error: float
    corpus: float

    def __str__(self) -> str:
        """As a cell of a table."""
        return f"{self.sentence:.3f} ± {self.error:.3f} ; {self.corpus:.3f}"


def read_tracks(names: Sequence[str], column: str) -> list[Track]:
    """Test sets with the mean scores of their outputs."""
    return [(read_texts(name), read_human(name, column=column)) for name in names]


def read_examples(names: Sequence[str], cache: FeatureCache) -> Examples:
    """All 20 features, pairs from raw scores, and scores by judge for regression."""
    features, rules = feature_set("duh"), PairRules(exclude=HUMAN_SYSTEMS)
    raw = learning_data(read_tracks(names, "score"), features, rules, cache=cache).examples
    by_judge = learning_data(read_tracks(names, "z"), features, rules, cache=cache).examples
    return replace(raw, human=by_judge.human)


def read_test(name: str) -> Test:
    """The outputs of judged segments."""
    testset, scores = read_texts(name), read_human(name, "MQM")
    systems = [
        system
        for system in testset.systems
        if system in scores.systems and not any(fnmatchcase(system, p) for p in HUMAN_SYSTEMS)
    ]
    places = {segment.id: place for place, segment in enumerate(testset.segments)}
    texts = [testset.outputs[s][places[i]] or "" for s in systems for i in scores.segments]
    references = [testset.segments[places[i]].references for i in scores.segments]
    rows = feature_set("duh").values(
        texts, references * len(systems), list(scores.segments) * len(systems)
    )
    return Test(name, np.array([scores.row(system) for system in systems]), rows)


def agreement(test: Test, values: Floats) -> Agreement:
    """How far values of the outputs agree with people."""
    metric = values.reshape(test.human.shape)
    found = []
    for human, predicted in zip(test.human.T, metric.T, strict=True):
        known = ~np.isnan(human)
        if known.sum() > 1 and len(set(human[known])) > 1:
            # An order without any difference agrees with nothing.
            constant = len(set(predicted[known])) == 1
            found.append(0.0 if constant else spearman(human[known], predicted[known]))
    hidden = np.where(np.isnan(test.human), np.nan, metric)
    corpus = spearman(consensus(test.human), consensus(hidden))
    return Agreement(float(np.mean(found)), float(np.std(found) / len(found) ** 0.5), corpus)


def consensus(values: Floats) -> Floats:
    """Fligner-Verducci scores of the systems from their values on segments."""
    wins = (values[:, None] > values[None]).sum(axis=2)
    ties = (values[:, None] == values[None]).sum(axis=2)
    np.fill_diagonal(ties, 0)
    return FlignerVerducci().scores(wins, ties)


def columns(examples: Examples, subset: str) -> Examples:
    """The examples with features 1-12, 1-13 or all."""
    count = int(subset.partition("-")[2])
    return examples.with_columns(examples.columns[:count], examples.rows[:, :count])


def part(examples: Examples, share: float, seed: int) -> Examples:
    """A random share of the segments."""
    groups, group = np.unique(examples.group, return_inverse=True)
    chosen = np.random.default_rng(seed).random(len(groups)) < share
    return examples.select(chosen[group]) if share < 1 else examples


def results(method: Learner, train: Examples, tests: Sequence[Test], seed: int) -> list[Agreement]:
    """What a learner agrees with people on every test."""
    scorer = method.fit(train, seed=seed)
    count = len(train.columns)
    return [agreement(test, scorer.margins(test.rows[:, :count])) for test in tests]


def table(first: str, tests: Sequence[Test], rows: Sequence[tuple[str, list[Agreement]]]) -> str:
    """Markdown: a line per method."""
    lines = [
        f"| {first} | {' | '.join(test.name for test in tests)} |",
        f"|---|{'---|' * len(tests)}",
    ]
    lines += [f"| {name} | {' | '.join(map(str, found))} |" for name, found in rows]
    return "\n".join(lines)


def compared(
    train: Examples, development: Examples, tests: Sequence[Test], seed: int
) -> Iterator[tuple[str, list[Agreement], Learner, str]]:
    """Every learner with every set of features, its option chosen on the development tracks."""
    for subset in SUBSETS:
        for name in LEARNERS:
            some = columns(train, subset)
            best, _ = tuned(learner(name), some, columns(development, subset), seed=seed)
            print(f"{best.learner} {subset}: {best.mean:.4f}", file=sys.stderr, flush=True)
            found = results(best.learner, some, tests, seed)
            yield f"{best.learner}, features {subset}", found, best.learner, subset


def main() -> None:
    """Read, learn, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--cache", required=True, help="a folder to keep features in")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = [name for name in DA_TRACKS if name not in DEVELOPMENT]
    cache = FeatureCache(options.cache)
    train = read_examples(names, cache)
    development = read_examples(DEVELOPMENT, cache)
    tests = [read_test(name) for name in TESTS]
    place = {name: train.columns.index(name) for name in ("bleu", "smooth_bleu")}
    rows = [
        (name, [agreement(test, test.rows[:, column]) for test in tests])
        for name, column in place.items()
    ]
    chosen = []
    for title, found, method, subset in compared(train, development, tests, options.seed):
        rows.append((title, found))
        chosen.append((method, subset))
    print("## Spearman of sentences ± standard error ; of the corpus\n")
    print(table("method", tests, rows), flush=True)
    print("\n## With less training data\n")
    curve = [
        (f"{method}, {subset}, {share:.0%}", results(method, some, tests, options.seed))
        for method, subset in chosen
        if subset != "1-13" and method.name != "rankboost"
        for share in SHARES
        for some in [part(columns(train, subset), share, options.seed)]
    ]
    print(table("learner, features, share", tests, curve))


if __name__ == "__main__":
    main()
