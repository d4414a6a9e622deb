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

from rankwise.io import read_judgments
from rankwise.io.files import read_lines
from rankwise.types import Assessments, Judgments, Segment, TestSet


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
            assessments=_assessments(folder / "assessments.tsv"),
            truth=MappingProxyType(json.loads("\n".join(_lines(folder / "truth.json")))),
        )


def _testset(folder: Path) -> TestSet:
    """The parallel files; ``documents.tsv`` has the domain and the document of each line."""
    systems = sorted((folder / "systems").glob("*.txt"))
    columns = zip(
        _lines(folder / "source.txt"),
        _lines(folder / "ref.a.txt"),
        _lines(folder / "ref.b.txt"),
        _lines(folder / "documents.tsv"),
        strict=True,
    )
    segments = []
    for number, (source, reference_a, reference_b, place) in enumerate(columns, 1):
        domain, document = place.split("\t")
        references = (reference_a, reference_b)
        segment = Segment(str(number), source, references, document, domain, ("refA", "refB"))
        segments.append(segment)
    outputs = {path.stem: tuple(_lines(path)) for path in systems}
    return TestSet(tuple(segments), outputs, "example", "de", "en")


def _assessments(path: Path) -> Assessments:
    """A table with a header: judge, system, segment, role, score."""
    _header, *rows = (line.split("\t") for line in _lines(path))
    return Assessments.from_rows(
        (
            (system, segment, judge, role, float(score))
            for judge, system, segment, role, score in rows
        ),
        name="DA",
    )


def _lines(path: Path) -> list[str]:
    return [line for _, line in read_lines(path)]
