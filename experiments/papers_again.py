"""The questions of Duh (2008) and of BEER (2014) again, on sets judged against the source.

    python experiments/papers_again.py TEXTS GOLDEN --cache CACHE --meteor METEOR

The folders are those of experiments/default_metric.py, and so are the ten sets and the measure.
Every set is left out once; what is learned from the other nine is tested on it. Prints tables as
Markdown: learners that rank beside learners that fit scores; parts of BEER's features; shares of
the training segments. With METEOR, the folder of METEOR 1.5 with its jar and data/paraphrase-en.gz
(the package pycocoevalcap carries both), also what BEER's features and METEOR gain by stems,
synonyms and paraphrases on the three sets into English, where there are such tables; BEER is then
learned from the two other sets. Differences have a 95 % interval: segments of every set are
resampled. --only prints one of the tables.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from default_metric import (
    ROUND,
    SOURCE_BASED,
    Set,
    Signs,
    arguments_of,
    duh_columns,
    less,
    mean,
    read_sets,
)
from tracks import read_track

import rankwise as rw
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
SHARES = (0.01, 0.03, 0.1, 0.3)
#: Ways to match words of English, each with those before it.
MATCHERS = ("exact", "exact,stem", "exact,stem,synonym", "exact,stem,synonym,paraphrase")
TABLES = ("ranking", "parts", "shares", "matchers")


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


def print_rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in Markdown."""
    print("\n|", " | ".join(head), "|\n" + "|---" * len(head) + "|")
    for row in rows:
        print("|", " | ".join(row), "|", flush=True)


def main() -> None:
    """Print the tables."""
    parser = arguments_of(__doc__ or "")
    parser.add_argument("--meteor", type=Path)
    parser.add_argument("--only", choices=TABLES)
    options = parser.parse_args()
    sets = read_sets(SOURCE_BASED, options.texts, options.golden, options.cache)
    wanted = TABLES if options.only is None else (options.only,)

    def learned(names: Sequence[str], method: str, share: float = 1.0) -> Signs:
        return held_out(sets, names, method, share=share, seed=options.seed)

    def difference(signs: Signs, others: Signs) -> str:
        return less(sets, signs, others, seed=options.seed)

    for title, show in (("ranking", print_ranking), ("parts", print_parts)):
        if title in wanted:
            show(learned, difference)
    if "shares" in wanted:
        print_shares(learned, difference)
    if "matchers" in wanted and options.meteor is not None:
        print_matchers(matched(sets, options.texts, options.meteor), seed=options.seed)


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


def print_shares(learned: Learned, difference: Difference) -> None:
    """Shares of the training segments, less all of them."""
    rows = []
    for title in ("BEER's 33", "soft's 8"):
        for method in ("logistic", "ridge"):
            whole = learned(FEATURES[title], method)
            parts = [learned(FEATURES[title], method, share) for share in SHARES]
            cells = [f"{mean(part):.3f}, {difference(part, whole)}" for part in parts]
            rows.append([f"{title}, {method}", *cells, f"{mean(whole):.3f}"])
    print_rows(["learned from", *(f"{share:.0%}" for share in SHARES), "100%"], rows)


def matched(sets: Mapping[str, Set], texts: Path, meteor: Path) -> dict[str, Set]:
    """The sets into English with BEER's features and METEOR for every way to match words."""
    found = {}
    for name, one in sets.items():
        if not name.endswith("-en"):
            continue
        track, columns = read_track(texts, name, SOURCE_BASED[name]), dict(one.columns)
        for matchers in MATCHERS:
            options = f"language=en:modules={matchers}:resources={meteor}"
            features = feature_set(f"beer:{options}")
            rows = features.values(track.outputs, track.references)
            columns |= dict(zip(matched_columns(matchers), rows.T, strict=True))
            metric = rw.metric(f"meteor:{options}")
            columns[f"meteor {matchers}"] = metric.segments(track.outputs, track.references)
        found[name] = replace(one, columns=columns)
    return found


def matched_columns(matchers: str) -> list[str]:
    """What BEER's features are called for a way to match words."""
    return [f"beer {matchers} {name}" for name in BEER]


def print_matchers(sets: Mapping[str, Set], *, seed: int) -> None:
    """BEER and METEOR with more and more ways to match words, less the exact one."""

    def beer(matchers: str) -> Signs:
        return held_out(sets, matched_columns(matchers), "logistic", seed=seed)

    def meteor(matchers: str) -> Signs:
        column = f"meteor {matchers}"
        return {name: one.signs(one.columns[column]) for name, one in sets.items()}

    def line(title: str, signs: Signs, exact: Signs) -> list[str]:
        taus = [f"{values.mean():.3f}" for values in signs.values()]
        leads = [less(sets, signs, others, seed=seed) for others in (exact, ours)]
        return [title, *taus, f"{mean(signs):.3f}", *leads]

    ours = {name: one.signs(one.total(ROUND["plain"])) for name, one in sets.items()}
    rows = [
        line(f"{title}: {matchers}", score(matchers), score(MATCHERS[0]))
        for title, score in (("BEER's 33, learned", beer), ("METEOR", meteor))
        for matchers in MATCHERS
    ]
    print_rows(["words match by", *sets, "mean", "less exact", "less softmatch"], rows)


if __name__ == "__main__":
    main()
