"""A campaign with its texts as a packed test set of mt-metrics-eval, which ``meta -t`` reads.

In the archive lies one folder, called as the campaign: sources, references, documents, system
outputs, and under ``human-scores`` the means of what people gave (``PAIR.NAME.seg.score``,
``.doc.score``, ``.domain.score``, ``.sys.score``) and of errors what every judge marked
(``PAIR.NAME.JUDGE.seg.rating``).
"""

import gzip
import json
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_bytes, write_text
from rankwise.io.formats.scores import mtme_scores
from rankwise.io.formats.testsets import evalset
from rankwise.server.campaign.plan.plan import Plan
from rankwise.types import Assessments, ScoreTable, TestSet
from rankwise.types.judging.assessments import REAL_ROLES

#: What mt-metrics-eval calls the scores of a protocol.
NAMES = {"direct-assessment": "da", "adequacy-fluency": "af"}


def write_evalset(plan: Plan, testset: TestSet, values: Assessments, path: StrPath) -> list[str]:
    """Write the archive (``.tar.gz``); a sentence for what the folder cannot hold."""
    if not plan.rules.is_scalar:
        raise DataError(f"mt-metrics-eval holds values; {plan.protocol} gives rankings")
    with tempfile.TemporaryDirectory(prefix="rankwise-") as place:
        folder = Path(place) / plan.slug
        pair = f"{plan.source_language}-{plan.target_language}"
        losses = evalset.write(testset, folder, language_pair=pair)
        scores = folder / "human-scores"
        scores.mkdir()
        name = NAMES.get(plan.protocol, plan.protocol)
        _write_scores(testset, values, scores, f"{pair}.{name}")
        raters = _write_ratings(plan, testset, values, scores, f"{pair}.{name}")
        _pack(folder, path)
    losses.append("Of several values of one output their mean is held, without judges and times.")
    controls = int(sum(values.roles[code] not in REAL_ROLES for code in values.role.tolist()))
    if controls:
        losses.append(f"Controls are not held ({controls} values).")
    if raters:
        losses.append("Of several judgments of one output by one judge the first one's errors are.")
    return losses


def _write_scores(testset: TestSet, values: Assessments, folder: Path, name: str) -> None:
    """Means of segments, and their means by document, domain and system."""
    segments = tuple(one.id for one in testset.segments)
    held, cells = values.scores(), np.full((len(testset.systems), len(segments)), np.nan)
    columns = {segment: place for place, segment in enumerate(segments)}
    chosen = [place for place, segment in enumerate(held.segments) if segment in columns]
    for row, system in enumerate(testset.systems):
        if system in held.systems:
            found = held.values[held.systems.index(system)]
            cells[row, [columns[held.segments[place]] for place in chosen]] = found[chosen]
    levels: dict[str, Sequence[object]] = {
        "seg": list(range(len(segments))),
        "doc": [segment.document for segment in testset.segments],
        "domain": [segment.domain for segment in testset.segments],
        "sys": ["all"] * len(segments),
    }
    for level, groups in levels.items():
        if not any(group is None for group in groups):
            table = _means(testset.systems, groups, cells, level)
            mtme_scores.write(table, folder / f"{name}.{level}.score")


def _means(
    systems: Sequence[str], groups: Sequence[object], cells: np.ndarray, level: str
) -> ScoreTable:
    """The mean over the segments of every group that have a value, in the order they come in."""
    codes = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    column = np.array([codes[group] for group in groups])
    found = np.full((len(systems), len(codes)), np.nan)
    for row, own in enumerate(cells):
        known = ~np.isnan(own)
        count = np.bincount(column[known], minlength=len(codes))
        total = np.bincount(column[known], own[known], len(codes))
        np.divide(total, count, out=found[row], where=count > 0)
    names = tuple(str(code + 1 if level == "seg" else group) for group, code in codes.items())
    return ScoreTable(tuple(systems), names, found, level=mtme_scores.LEVELS[level])


def _write_ratings(
    plan: Plan, testset: TestSet, values: Assessments, folder: Path, name: str
) -> int:
    """What every judge marked, a file each; how many files."""
    spans = values.info.get("spans")
    if spans is None:
        return 0
    marked: dict[str, dict[tuple[str, str], str]] = {}
    for row, (system, segment, judge, role, _) in enumerate(values.rows()):
        if role in REAL_ROLES and spans[row]:
            marked.setdefault(judge, {}).setdefault((system, segment), spans[row])
    for judge, ratings in marked.items():
        with write_text(folder / f"{name}.{judge}.seg.rating") as stream:
            for system in testset.systems:
                for one in testset.segments:
                    given = ratings.get((system, one.id))
                    rating = "None" if given is None else _rating(plan, given)
                    stream.write(f"{system}\t{rating}\t{judge}\n")
    return len(marked)


def _rating(plan: Plan, spans: str) -> str:
    errors = [
        {
            "start": span["start"],
            "end": span["end"],
            "category": span["category"],
            "severity": span["severity"],
            "score": plan.spans.penalty([_marked(span)]),
            "is_source_error": False,
        }
        for span in json.loads(spans)
    ]
    return json.dumps({"errors": errors}, ensure_ascii=False)


def _marked(span: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in span.items() if value is not None}


def _pack(folder: Path, path: StrPath) -> None:
    """The folder as a tar file that is the same whenever it is made."""
    with (
        write_bytes(path) as stream,
        gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for file in sorted(folder.rglob("*")):
            archive.add(file, str(file.relative_to(folder.parent)), recursive=False, filter=_plain)


def _plain(file: tarfile.TarInfo) -> tarfile.TarInfo:
    file.uid = file.gid = file.mtime = 0
    file.uname = file.gname = ""
    file.mode = 0o755 if file.isdir() else 0o644
    return file
