"""The example that ships with the package, so that documentation and tests have data to show.

``scripts/make_example.py`` generates it from a seed: German sentences with two English references,
eight simulated systems of graded quality, and simulated judges whose noise is known.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rankwise.io import read_assessments, read_judgments, read_parallel
from rankwise.io.parts.place_lines import with_places
from rankwise.types import Assessments, Judgments, TestSet


@dataclass(frozen=True, slots=True)
class Example:
    """A test set, what simulated people said about its outputs, and what is true of both.

    ``truth`` holds the ``model`` of the simulation in words, its ``seed``, the true ``ability`` of
    every system, the ``noise`` and ``tie_width`` of every judge, and the true ``quality`` of every
    output (system by segment). The seed was picked so that noise puts two systems of almost equal
    ability, birch and willow, in the wrong order: what clusters and intervals are for.
    """

    testset: TestSet
    judgments: Judgments
    assessments: Assessments
    truth: Mapping[str, Any]


def example() -> Example:
    """The bundled example, read as any other data is.

    >>> data = example()
    >>> len(data.testset), len(data.testset.systems), len(data.judgments), len(data.assessments)
    (60, 8, 600, 504)
    >>> data.testset.segments[5].source, data.testset.segments[5].references
    ('Wer bezahlt das?', ('Who is paying for this?', 'Who will foot the bill?'))
    """
    with as_file(files(__name__).joinpath("example")) as folder:
        return Example(
            testset=_testset(folder),
            judgments=read_judgments(folder / "judgments.jsonl"),
            assessments=read_assessments(folder / "assessments.tsv"),
            truth=MappingProxyType(json.loads((folder / "truth.json").read_text("utf-8"))),
        )


def _testset(folder: Path) -> TestSet:
    """The parallel files; ``documents.tsv`` has the domain and the document of each line."""
    texts = read_parallel(
        folder / "source.txt",
        {"refA": folder / "ref.a.txt", "refB": folder / "ref.b.txt"},
        sorted((folder / "systems").glob("*.txt")),
    )
    placed = with_places(texts, folder / "documents.tsv")
    return TestSet(placed.segments, texts.outputs, "example", "de", "en")
