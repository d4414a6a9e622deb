"""Make the word tables of the feature set `soft` from texts of WMT21 and WMT22.

    python scripts/make_soft_words.py TEXTS

TEXTS has a folder per year and language pair (wmt21/en-de) with segments.tsv.gz (seg, doc, domain,
source, ref:NAME ...) and outputs.tsv.gz (system, seg, text). No human judgment is read.

Rarity: ln((n + 1) / (k + 1/2)) of a word in k of n segments, from references and sources, k >= 4;
the least of several languages. Substitutes: words of two texts of one segment, neither in the other
text, with the same neighbour to the left or to the right. In k of the Na and Nb segments in which
either is replaced by anything, they stand for each other with sqrt((k - 1) / (sqrt(Na Nb) + 5)).
"""

import gzip
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from rankwise.text.soft_words import soft_words

PAIRS = {
    "wmt21": ["en-de", "is-en", "ja-en", "ru-en", "zh-en"],
    "wmt22": ["cs-en", "de-en", "en-de", "ja-en", "liv-en", "ru-en", "uk-en", "zh-en"],
}
TRACKS = [f"{year}/{pair}" for year, pairs in PAIRS.items() for pair in pairs]
MINED = ("en", "de")
LEAST_SEGMENTS = 4
MOST_RARE = 7.0
LEAST_LIKENESS = 0.2
PAIRS_OF_TEXTS = 40
DATA = Path(__file__).parents[1] / "src/rankwise/text/data"

Segments = dict[str, list[list[str]]]  # language -> segments -> texts of the same meaning


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a table by the names of its columns."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        names = next(lines).rstrip("\n").split("\t")
        for line in lines:
            yield dict(zip(names, line.rstrip("\n").split("\t"), strict=False))


def read_tracks(folder: Path, tracks: Sequence[str]) -> tuple[Segments, Segments]:
    """For each language: texts that people wrote, and those with all outputs."""
    written: Segments = defaultdict(list)
    everything: Segments = defaultdict(list)
    for track in tracks:
        source, target = track.split("/")[1].split("-")
        outputs = defaultdict(list)
        for row in read_rows(folder / track / "outputs.tsv.gz"):
            outputs[row["seg"]].append(row["text"])
        for row in read_rows(folder / track / "segments.tsv.gz"):
            references = [text for name, text in row.items() if name.startswith("ref:") and text]
            written[source].append([row["source"]])
            written[target].append(references)
            everything[target].append(sorted({*references, *outputs[row["seg"]]}))
    return written, everything


def rarity(written: Segments) -> dict[str, float]:
    """How rare words are in the language in which they are most frequent."""
    found: dict[str, float] = {}
    for segments in written.values():
        seen = Counter(
            word for texts in segments for word in {w for text in texts for w in soft_words(text)}
        )
        for word, count in seen.items():
            if count >= LEAST_SEGMENTS:
                value = min(MOST_RARE, math.log((len(segments) + 1) / (count + 0.5)))
                found[word] = max(0.05, min(value, found.get(word, MOST_RARE)))
    return found


def replaced(first: list[str], second: list[str]) -> set[tuple[str, str]]:
    """Words of one text that stand where the other has another word."""
    ours = [place for place in in_context(first) if place[1] not in second]
    theirs = [place for place in in_context(second) if place[1] not in first]
    return {
        (min(a, b), max(a, b))
        for left, a, right in ours
        for other_left, b, other_right in theirs
        if left == other_left or right == other_right
    }


def in_context(words: list[str]) -> list[tuple[str, str, str]]:
    """Every word with its neighbours."""
    padded = ["", *words, ""]
    return list(zip(padded, words, padded[2:], strict=False))


def substitutes(segments: list[list[str]], *, seed: int = 0) -> dict[tuple[str, str], float]:
    """How well words stand for each other, from texts of the same meaning."""
    draw = random.Random(seed)
    together: Counter[tuple[str, str]] = Counter()
    alone: Counter[str] = Counter()
    for texts in segments:
        words = [soft_words(text) for text in texts]
        pairs = list(combinations(words, 2))
        chosen = draw.sample(pairs, min(len(pairs), PAIRS_OF_TEXTS))
        found = {pair for first, second in chosen for pair in replaced(first, second)}
        together.update(found)
        alone.update({word for pair in found for word in pair})
    return {
        (a, b): math.sqrt((count - 1) / (math.sqrt(alone[a] * alone[b]) + 5))
        for (a, b), count in together.items()
        if count > 1 and a.isalpha() and b.isalpha()
    }


def write_rows(name: str, rows: Sequence[tuple[str | int, ...]]) -> None:
    """A gzipped table; the same rows, the same bytes."""
    text = "".join("\t".join(map(str, row)) + "\n" for row in sorted(rows))
    (DATA / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def tables(
    folder: Path, tracks: Sequence[str]
) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
    """Rarity and substitutes from some tracks."""
    written, everything = read_tracks(folder, tracks)
    pairs: dict[tuple[str, str], float] = {}
    for language in MINED:
        pairs |= substitutes(everything[language])
    return rarity(written), {k: v for k, v in pairs.items() if v >= LEAST_LIKENESS}


def main() -> None:
    """Write both tables."""
    rare, pairs = tables(Path(sys.argv[1]), TRACKS)
    DATA.mkdir(exist_ok=True)
    write_rows("rarity.tsv.gz", [(word, round(100 * value)) for word, value in rare.items()])
    write_rows("substitutes.tsv.gz", [(*pair, round(100 * value)) for pair, value in pairs.items()])


if __name__ == "__main__":
    main()
