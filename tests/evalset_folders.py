"""A small EvalSet folder with human and metric scores, made up."""

from pathlib import Path

import numpy as np

SYSTEMS = ("finch", "heron", "raven", "stork")
SEGMENTS = 12


def make_evalset(folder: Path, pairs: tuple[str, ...] = ("en-de", "he-en")) -> Path:
    """Two language pairs, four systems and a reference, three metrics; one is noise."""
    for number, pair in enumerate(pairs):
        _pair(folder, pair, np.random.default_rng(number))
    return folder


def _pair(folder: Path, pair: str, random: np.random.Generator) -> None:
    source = [f"line {i} of {pair}" for i in range(SEGMENTS)]
    _write(folder / "sources" / f"{pair}.txt", source)
    _write(folder / "documents" / f"{pair}.docs", [f"news\tdoc{i // 4}" for i in range(SEGMENTS)])
    reference = [f"the cat number {i} sat on the mat of {pair}" for i in range(SEGMENTS)]
    _write(folder / "references" / f"{pair}.refA.txt", reference)
    quality = {name: -3.0 * place for place, name in enumerate(SYSTEMS)} | {"refA": -0.5}
    human, good, noise = {}, {}, {}
    for name, level in quality.items():
        keep = int(10 + level)
        texts = [" ".join(line.split()[:keep]) for line in reference]
        _write(folder / "system-outputs" / pair / f"{name}.txt", texts)
        human[name] = np.round(level + random.normal(size=SEGMENTS), 1)
        good[name] = np.round(human[name] + random.normal(size=SEGMENTS), 3)
        noise[name] = np.round(random.normal(size=SEGMENTS), 3)
    _scores(folder / "human-scores", f"{pair}.mqm", human, missing=(2, 7))
    _scores(folder / "metric-scores" / pair, "Good-refA", good)
    _scores(folder / "metric-scores" / pair, "Noise-src", noise)
    _scores(folder / "metric-scores" / pair, "Other-synthetic", noise)


def _scores(folder: Path, name: str, rows: dict, missing: tuple[int, ...] = ()) -> None:
    lines = [
        f"{system}\t{'None' if i in missing else float(score)}"
        for system, scores in rows.items()
        for i, score in enumerate(scores)
    ]
    _write(folder / f"{name}.seg.score", lines)
    kept = [i for i in range(SEGMENTS) if i not in missing]
    means = [f"{system}\t{float(np.mean(scores[kept]))}" for system, scores in rows.items()]
    _write(folder / f"{name}.sys.score", means)


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
