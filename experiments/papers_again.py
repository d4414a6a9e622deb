"""The questions of Duh (2008) and of BEER (2014) again, on sets judged against the source.

    python experiments/papers_again.py TEXTS GOLDEN --cache CACHE

The folders are those of experiments/default_metric.py, and so are the ten sets and the measure.
Every set is left out once; what is learned from the other nine is tested on it. Prints three tables
as Markdown: learners that rank beside learners that fit scores; parts of BEER's features; shares of
the training segments. Differences have a 95 % interval: segments of every set are resampled.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from default_metric import SOURCE_BASED, Floats, Set, arguments_of, duh_columns, read_sets

from rankwise.learning.examples import Examples
from rankwise.learning.features import feature_set
from rankwise.learning.learners import learner

BEER = feature_set("beer:language=other:modules=exact").names
#: Feature sets by what they see.
FEATURES = {
    "words: Duh's 1-13": duh_columns(feature_set("duh:subset=1-13").names),
    "words and the set: Duh's 1-20": duh_columns(feature_set("duh:subset=1-20").names),
    "BEER's 33": BEER,
    "soft's 8": feature_set("soft").names,
}
RANKING, REGRESSION = ("logistic", "ranksvm", "rankboost"), ("ridge", "svr")
PARTS = {
    "all 33": BEER,
    "without character n-grams": tuple(n for n in BEER if not n.startswith("char")),
    "without word order": tuple(n for n in BEER if not n.startswith(("kendall", "trees"))),
    "without words": tuple(n for n in BEER if n.startswith(("char", "kendall", "trees"))),
    "character n-grams alone": tuple(n for n in BEER if n.startswith("char")),
    "words alone": tuple(n for n in BEER if n.startswith(("function", "content", "all"))),
}
SHARES = (0.01, 0.03, 0.1, 0.3, 1.0)
DRAWS = 2000

Signs = dict[str, Floats]


def examples(sets: Sequence[Set], names: Sequence[str], share: float, seed: int) -> Examples:
    """What a learner sees of some sets; every set has the same weight and the same scale."""
    random, parts, first = np.random.default_rng(seed), [], 0
    for one in sets:
        size = int(one.place.max()) + 1
        kept = random.permutation(size)[: max(1, round(share * size))]
        pairs = np.isin(one.segment, kept)
        human = (one.human - one.human.mean()) / one.human.std()
        parts.append(
            (
                np.stack([one.columns[name] for name in names], axis=1),
                one.place,
                one.better[pairs] + first,
                one.worse[pairs] + first,
                np.full(pairs.sum(), 1 / max(1, pairs.sum())),
                np.where(np.isin(one.place, kept), human, np.nan),
            )
        )
        first += len(one.place)
    rows, place, better, worse, weight, human = map(np.concatenate, zip(*parts, strict=True))
    track = np.repeat(np.arange(len(sets)), [len(one.place) for one in sets])
    group = np.unique(np.stack([track, place]), axis=1, return_inverse=True)[1]
    weight = weight * len(weight) / weight.sum()
    titles = tuple(map(str, range(len(sets))))
    found = Examples(tuple(names), rows, group.ravel(), track, titles, better, worse, weight, human)
    return found.select(~np.isnan(human))


def held_out(
    sets: Mapping[str, Set], names: Sequence[str], method: str, *, share: float = 1.0, seed: int
) -> Signs:
    """Which pairs of every set are ordered as people do by what was learned from the others."""
    found = {}
    for title, one in sets.items():
        others = [other for key, other in sets.items() if key != title]
        scorer = learner(method).fit(examples(others, names, share, seed), seed=seed)
        rows = np.stack([one.columns[name] for name in names], axis=1)
        found[title] = one.signs(scorer.margins(rows))
    return found


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


def print_rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in Markdown."""
    print("\n|", " | ".join(head), "|\n" + "|---" * len(head) + "|")
    for row in rows:
        print("|", " | ".join(row), "|", flush=True)


def main() -> None:
    """Print the tables."""
    options = arguments_of(__doc__ or "").parse_args()
    sets = read_sets(SOURCE_BASED, options.texts, options.golden, options.cache)

    def learned(names: Sequence[str], method: str, share: float = 1.0) -> Signs:
        return held_out(sets, names, method, share=share, seed=options.seed)

    def difference(signs: Signs, others: Signs) -> str:
        return less(sets, signs, others, seed=options.seed)

    print_ranking(learned, difference)
    print_parts(learned, difference)
    print_shares(learned)


Learned = Callable[..., Signs]
Difference = Callable[[Signs, Signs], str]


def print_ranking(learned: Learned, difference: Difference) -> None:
    """Learners that rank beside those that fit scores."""
    rows = []
    for title, names in FEATURES.items():
        found = {method: learned(names, method) for method in (*RANKING, *REGRESSION)}
        cells = [f"{mean(signs):.3f}" for signs in found.values()]
        best = (max((found[m] for m in methods), key=mean) for methods in (RANKING, REGRESSION))
        rows.append([title, *cells, difference(*best)])
    print_rows(["features", *RANKING, *REGRESSION, "best ranking less best regression"], rows)


def print_parts(learned: Learned, difference: Difference) -> None:
    """BEER with parts of its features."""
    whole, rows = learned(BEER, "logistic"), []
    for title, names in PARTS.items():
        signs = learned(names, "logistic")
        rows.append([title, str(len(names)), f"{mean(signs):.3f}", difference(signs, whole)])
    print_rows(["BEER's features", "number", "tau", "less all 33"], rows)


def print_shares(learned: Learned) -> None:
    """Shares of the training segments."""
    rows = [
        [f"{title}, {method}"]
        + [f"{mean(learned(FEATURES[title], method, share)):.3f}" for share in SHARES]
        for title in ("BEER's 33", "soft's 8")
        for method in ("logistic", "ridge")
    ]
    print_rows(["learned from", *(f"{share:.0%}" for share in SHARES)], rows)


if __name__ == "__main__":
    main()
