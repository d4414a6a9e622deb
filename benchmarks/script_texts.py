"""Texts to measure on: those of WMT where the shared data is, else made-up sentences."""

import gzip
import os
import random
from pathlib import Path

FOLDER = Path(os.environ.get("RANKWISE_SHARED", Path(__file__).parents[2] / "shared"))
WMT23 = FOLDER / "data" / "texts" / "wmt23" / "de-en"

#: Scripts by name: a folder of shared data, its column, the first and last letter of made-up words,
#: and how many letters they have.
SCRIPTS = {
    "Latin": ("wmt24/en-cs", "ref:refA", 0x61, 0x7A, (2, 9)),
    "Cyrillic": ("wmt21/ru-en", "source", 0x430, 0x44F, (2, 9)),
    "Devanagari": ("wmt21-wiki/bn-hi", "ref:A", 0x905, 0x939, (2, 6)),
    "Hebrew": ("wmt23/he-en", "source", 0x5D0, 0x5EA, (2, 7)),
    "Han": ("wmt22/zh-en", "source", 0x4E00, 0x5200, (10, 30)),
    "Japanese": ("wmt24/en-ja", "ref:refA", 0x3042, 0x3093, (10, 30)),
}


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


def texts_in(script: str, count: int) -> tuple[list[str], list[str], str]:
    """*count* hypotheses and references in a script of :data:`SCRIPTS`, and where they are from.

    References are lines of people, hypotheses the same with one word in five changed or left out
    (where words are not written apart, one character in five). Every line has a number at its end.
    """
    path, column, *letters = SCRIPTS[script]
    folder = FOLDER / "data" / "texts" / path
    lines, source = (
        (_column(folder, column), path) if folder.is_dir() else (_words(*letters), "made-up text")
    )
    rng = random.Random(2)
    references = [f"{lines[i % len(lines)]} {i}" for i in range(count)]
    return [_edited(line, rng) for line in references], references, source


def _column(folder: Path, name: str) -> list[str]:
    with gzip.open(folder / "segments.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    place = rows[0].index(name)
    return [row[place] for row in rows[1:] if row[place].strip()]


def _words(first: int, last: int, lengths: tuple[int, int]) -> list[str]:
    rng = random.Random(3)
    letters = [chr(code) for code in range(first, last + 1)]
    words = ["".join(rng.choices(letters, k=rng.randint(*lengths))) for _ in range(3000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    return [" ".join(rng.choices(words, weights, k=rng.randint(5, 25))) for _ in range(2000)]


def _edited(line: str, rng: random.Random) -> str:
    words = line.split()
    gap = " " if len(words) > len(line) / 20 else ""
    units = words if gap else list(line)
    kept = [rng.choice(units) if rng.random() < 0.1 else u for u in units if rng.random() < 0.9]
    return gap.join(kept)
