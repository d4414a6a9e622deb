"""Texts to measure on: WMT23 German to English where the shared data is, else made-up sentences."""

import gzip
import os
import random
from pathlib import Path

FOLDER = Path(os.environ.get("RANKWISE_SHARED", Path(__file__).parents[2] / "shared"))
WMT23 = FOLDER / "data" / "texts" / "wmt23" / "de-en"


def texts(count: int) -> tuple[list[str], list[str], str]:
    """*count* hypotheses, their references, and where they are from.

    sacreBLEU caches the tokens of 65,536 lines; every line is made distinct by a number at its
    end, so that repeated references cost it what they cost anybody.
    """
    pairs, source = (_wmt23(), "WMT23 de-en") if WMT23.is_dir() else (_made_up(), "made-up text")
    pairs = [pairs[i % len(pairs)] for i in range(count)]
    hypotheses = [f"{hypothesis} {i}" for i, (hypothesis, _) in enumerate(pairs)]
    references = [f"{reference} {i}" for i, (_, reference) in enumerate(pairs)]
    return hypotheses, references, source


def _rows(name: str) -> list[list[str]]:
    with gzip.open(WMT23 / name, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]


def _wmt23() -> list[tuple[str, str]]:
    references = {row[0]: row[4] for row in _rows("segments.tsv.gz")}
    outputs = [row for row in _rows("outputs.tsv.gz") if not row[0].startswith("Human")]
    return [(text, references[segment]) for _, segment, text in outputs]


def _made_up() -> list[tuple[str, str]]:
    rng = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    weights = [1 / (rank + 1) for rank in range(5000)]
    words = ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in weights]
    pairs = []
    for _ in range(10_000):
        reference = rng.choices(words, weights, k=rng.randint(8, 30))
        changed = [rng.choice(words) if rng.random() < 0.3 else word for word in reference]
        pairs.append((" ".join(changed) + ".", " ".join(reference) + "."))
    return pairs
