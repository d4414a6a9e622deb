"""The score files of an EvalSet folder: what people and metrics say about one language pair.

``human-scores/PAIR.NAME.LEVEL.score`` and ``metric-scores/PAIR/METRIC-REFERENCE.LEVEL.score``;
levels are ``seg`` and ``sys`` here. A metric that needs no reference has ``src`` in its place.
"""

from collections.abc import Sequence
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import StrPath
from rankwise.io.folders import text_files
from rankwise.io.formats.scores import mtme_scores
from rankwise.io.parts.line_text import joined
from rankwise.types import LevelScores

#: Names of gold scores, the one to take first.
GOLD_NAMES = ("mqm", "esa", "wmt-z", "wmt", "wmt-appraise", "da-sqm")

WITHOUT_REFERENCE = "src"


def gold_names(folder: StrPath, pair: str) -> tuple[str, ...]:
    """The names of the human scores of a language pair."""
    files = text_files(Path(folder) / "human-scores", ".score")
    found = [name.removeprefix(f"{pair}.") for name in files if name.startswith(f"{pair}.")]
    levels = (".seg", ".sys")
    names = [name.rsplit(".", 1)[0] for name in found if name.endswith(levels)]
    return tuple(dict.fromkeys(names))


def read_gold(folder: StrPath, pair: str, name: str | None = None) -> LevelScores:
    """The human scores called *name*; the usual ones unless told, MQM before others."""
    return _levels(Path(folder) / "human-scores", f"{pair}.{chosen_gold(folder, pair, name)}")


def chosen_gold(folder: StrPath, pair: str, name: str | None = None) -> str:
    """The name of the human scores to read: *name* if there are such scores, else the usual one."""
    names = gold_names(folder, pair)
    name = usual_gold(names) if name is None else name
    if name is None or name not in names:
        problem = "there are several" if name is None else f"there are none called {name!r}"
        raise DataError(
            f"{folder}: human scores of {pair}: {problem}; choose from {joined(names) or 'none'}"
        )
    return name


def usual_gold(names: Sequence[str]) -> str | None:
    """The scores to take where several have names: the best known kind, or the only one.

    ``NAME.JUDGE`` is what one judge gave, beside the ``NAME`` of all.

    >>> usual_gold(["da", "da.ann", "da.bob"])
    'da'
    """
    names = [name for name in names if not any(name.startswith(f"{one}.") for one in names)]
    usual = next((name for name in GOLD_NAMES if name in names), None)
    return names[0] if usual is None and len(names) == 1 else usual


def metric_files(folder: StrPath, pair: str) -> dict[str, str]:
    """Every metric of a language pair, ``METRIC-REFERENCE``, with its reference."""
    files = text_files(Path(folder) / "metric-scores" / pair, ".score")
    levels = (".seg", ".sys")
    names = dict.fromkeys(name.rsplit(".", 1)[0] for name in files if name.endswith(levels))
    return {name: name.rpartition("-")[2] for name in names}


def read_metric(folder: StrPath, pair: str, name: str) -> LevelScores:
    """The scores of one metric, called as :func:`metric_files` calls it."""
    return _levels(Path(folder) / "metric-scores" / pair, name)


def reference_names(folder: StrPath, pair: str) -> tuple[str, ...]:
    """The names of the references of a language pair, sorted."""
    files = text_files(Path(folder) / "references")
    return tuple(name.removeprefix(f"{pair}.") for name in files if name.startswith(f"{pair}."))


def _levels(folder: Path, stem: str) -> LevelScores:
    found = [folder / f"{stem}.{level}.score" for level in ("seg", "sys")]
    segments, systems = (mtme_scores.read(path) if path.is_file() else None for path in found)
    return LevelScores(segments, systems)
