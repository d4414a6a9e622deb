"""What every public function gives on the bundled example, as one digest each, to the last bit.

``python tests/every_function.py`` prints the digests as JSON; tests compare them between threads,
hash seeds, places of work and versions of Python.
"""

import dataclasses
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

import rankwise as rw

DATA = cache(rw.example)


def pieces(value: object) -> Iterator[bytes]:
    """Everything that a value holds, in the order in which it holds it."""
    yield type(value).__name__.encode()
    if isinstance(value, float | np.floating):
        yield float(value).hex().encode()
    elif isinstance(value, np.ndarray) and value.dtype != object:
        yield str((value.dtype.str, value.shape)).encode() + value.tobytes()
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from pieces(pair)
    elif isinstance(value, set | frozenset):
        yield repr(sorted(map(repr, value))).encode()
    elif isinstance(value, list | tuple | np.ndarray):
        for one in value:
            yield from pieces(one)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield field.name.encode()
            yield from pieces(getattr(value, field.name))
    elif callable(value):
        yield getattr(value, "__qualname__", "").encode()
    elif value is None or isinstance(value, str | int | bytes | np.integer):
        yield repr(value).encode("utf-8", "surrogatepass")
    elif hasattr(value, "__dict__"):
        yield from pieces(vars(value))
    else:
        raise TypeError(f"no way to look into {type(value)}")


def digest(value: object) -> str:
    """One word for everything that a value holds."""
    found = hashlib.sha256()
    for piece in pieces(value):
        found.update(len(piece).to_bytes(8, "big") + piece)
    return found.hexdigest()[:20]


def study() -> rw.Study:
    data = DATA()
    return rw.Study(texts=data.testset, judgments=data.judgments, assessments=data.assessments)


def halves(judgments: rw.Judgments) -> tuple[rw.Judgments, rw.Judgments]:
    is_even = np.arange(len(judgments)) % 2 == 0
    return judgments.select(is_even), judgments.select(~is_even)


def written(write: Callable[..., object], value: object, suffix: str) -> bytes:
    """What a writer wrote."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"written{suffix}")
        write(value, path)
        return path.read_bytes()


def read_back(read: Callable[..., object], write: Callable[..., object], value, suffix) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"written{suffix}")
        write(value, path)
        found = read(path)
    return dataclasses.replace(found, name="") if hasattr(found, "name") else found


def converted() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.jsonl"), Path(folder, "out.csv")
        rw.write_judgments(DATA().judgments, source)
        rw.convert(source, target)
        return target.read_bytes()


def shards(site: rw.Site | None = None) -> object:
    """Scores of the example as files of text, of two parts a system."""
    testset = DATA().testset
    with tempfile.TemporaryDirectory() as folder:
        lines = {name: testset.outputs[name] for name in testset.systems[:3]}
        lines["references"] = [segment.references[0] for segment in testset.segments]
        files = {}
        for name, texts in lines.items():
            files[name] = [Path(folder, f"{name}.{part}.txt") for part in range(2)]
            for path, part in zip(files[name], (texts[:30], texts[30:]), strict=True):
                path.write_text("".join(f"{text}\n" for text in part), encoding="utf-8")
        references = [files.pop("references")]
        names = ["bleu", "chrf", "ter"]
        found = rw.score_table(
            files, [rw.metric(n) for n in names], references=references, site=site
        )
        return found.systems, found.values


def learned(site: rw.Site | None = None) -> object:
    return rw.learn(DATA().testset, DATA().judgments, site=site).model


def people() -> rw.ScoreTable:
    return DATA().assessments.scores()


def marked() -> rw.Assessments:
    """Errors that three judges marked in the same texts, by a rule."""
    rows, spans = [], []
    for number in range(60):
        start, judge = (number * 7) % 11, f"judge{number % 3}"
        span = {"start": start, "end": start + 3 + number % 4, "category": None}
        severity = "major" if number % 5 else "minor"
        rows.append(("A", str(number // 3), judge, "TGT", float(number % 13)))
        spans.append(json.dumps([span | {"severity": severity}] if number % 7 else []))
    return rw.Assessments.from_rows(rows, info={"spans": np.array(spans, object)})


def proxy() -> rw.ScoreTable:
    """Scores of a metric that knows nothing, for every output."""
    testset = DATA().testset
    values = [[len(text) for text in testset.outputs[name]] for name in testset.systems]
    names = tuple(segment.id for segment in testset.segments)
    return rw.ScoreTable(testset.systems, names, np.array(values, dtype=float), name="length")


def read_study() -> rw.Study:
    """The example, from its files."""
    folder = Path(str(files("rankwise.bundled").joinpath("example")))
    return rw.read_study(
        outputs=sorted((folder / "systems").glob("*.txt")),
        references=[folder / "ref.a.txt"],
        source=folder / "source.txt",
        human=folder / "assessments.tsv",
    )


def scored_by_each() -> list[object]:
    """What every metric that needs nothing but texts says of one system, and what it is called."""
    data = DATA().testset
    outputs, references = data.outputs[data.systems[0]], [one.references for one in data.segments]
    made = [rw.metric(name) for name in METRICS]
    return [
        (one.signature, one.corpus(outputs, references), one.segments(outputs, references))
        for one in made
    ]


def chrf() -> object:
    [found] = rw.score_systems(DATA().testset, [rw.metric("chrf")])
    return found


def board(site: rw.Site | None = None) -> rw.Leaderboard:
    return rw.rank(DATA().judgments, runs=40, site=site)


RESAMPLING = rw.Resampling(samples=100)
METRICS = (
    *("beer", "bleu", "bleu:tokenize=char", "cer", "chrf", "chrf:word_order=2", "f1", "meteor"),
    *("precision", "recall", "softmatch", "ter", "wer"),
)
#: How each public function is called; a new one needs a line here or among the others below.
CALLS: dict[str, Callable[[], object]] = {
    "agree": lambda: rw.agree([[1, 2, 3]], [[2, 1, 3]]),
    "agreement_with_people": lambda: rw.agreement_with_people(
        chrf(), board(), DATA().judgments, samples=20
    ),
    "cohen_kappa": lambda: rw.cohen_kappa([1, 2, 2, 1], [1, 2, 1, 1]),
    "compare": lambda: rw.compare(DATA().testset, "birch", "willow", "chrf", resampling=RESAMPLING),
    "convert": converted,
    "example": DATA,
    "fleiss_kappa": lambda: rw.fleiss_kappa([[3, 0], [2, 1], [0, 3], [1, 2]]),
    "span_agreement": lambda: rw.span_agreement(marked(), samples=50),
    "judge_agreement": lambda: rw.judge_agreement(DATA().judgments, samples=50),
    "krippendorff_alpha": lambda: rw.krippendorff_alpha([[1.0, 2, 2], [1, 2, 1]]),
    "learn": learned,
    "list_measure": lambda: rw.list_measure("kendall").signature,
    "mbr": lambda: rw.mbr(["a cat sat", "the cat sat", "a dog sat"]),
    "meta": lambda: rw.meta(read_study(), [rw.metric("chrf"), rw.metric("bleu")]).to_dict(),
    "metric": scored_by_each,
    "next_comparisons": lambda: rw.next_comparisons(DATA().judgments, count=5),
    "next_segments": lambda: rw.next_segments(proxy(), count=5),
    "order_effects": lambda: rw.order_effects(DATA().judgments),
    "permutation_tree": lambda: str(rw.permutation_tree([2, 1, 4, 3])),
    "predict": lambda: rw.predict(*halves(DATA().judgments)),
    "prediction_curve": lambda: rw.prediction_curve(*halves(DATA().judgments), sizes=[50], runs=3),
    "rank": board,
    "rank_assessments": lambda: rw.rank_assessments(DATA().assessments, runs=40),
    "rank_with_proxy": lambda: rw.rank_with_proxy(DATA().assessments, proxy(), runs=40),
    "read_assessments": lambda: read_back(
        rw.read_assessments, rw.write_assessments, DATA().assessments, ".tsv"
    ),
    "read_judgments": lambda: read_back(
        rw.read_judgments, rw.write_judgments, DATA().judgments, ".jsonl"
    ),
    "read_scores": lambda: read_back(rw.read_scores, rw.write_scores, people(), ".json"),
    "read_study": read_study,
    "read_testset": lambda: read_back(
        rw.read_testset, rw.write_testset, DATA().testset, ".testset.jsonl"
    ),
    "relative_rankings": lambda: rw.relative_rankings(people()),
    "replay": lambda: rw.replay(DATA().judgments, runs=2, points=3),
    "report": lambda: rw.report(study(), ["chrf"]).html,
    "sample": lambda: rw.sample(DATA().testset, 5, seed=1),
    "score": lambda: rw.score(study(), ["bleu", "chrf"], resampling=RESAMPLING).to_dict(),
    "score_systems": chrf,
    "score_table": shards,
    "split": lambda: rw.split(DATA().testset, {"a": 0.5, "b": 0.5}, seed=1),
    "table_measure": lambda: rw.table_measure("spa").signature,
    "write_assessments": lambda: written(rw.write_assessments, DATA().assessments, ".tsv"),
    "write_judgments": lambda: written(rw.write_judgments, DATA().judgments, ".csv"),
    "write_scores": lambda: written(rw.write_scores, people(), ".json"),
    "write_testset": lambda: written(rw.write_testset, DATA().testset, ".testset.jsonl"),
    "write_model": lambda: written(rw.write_model, learned(), ".json"),
}
#: Those that are not called, and why.
LEFT_OUT = {"judge": "a model elsewhere answers; tests/judging holds that its questions are seeded"}
#: Those that take a place of work.
ELSEWHERE: dict[str, Callable[[rw.Site], object]] = {
    "learn": learned,
    "rank": board,
    "score_table": shards,
}


def digests() -> dict[str, str]:
    """One digest for each function."""
    return {name: digest(call()) for name, call in CALLS.items()}


if __name__ == "__main__":
    json.dump(digests(), sys.stdout)
