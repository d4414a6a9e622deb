"""A campaign with its texts as a packed test set of mt-metrics-eval, which ``meta -t`` reads.

In the archive lies one folder, called as the campaign: sources, references, documents, system
outputs, and under ``human-scores`` what people gave, as ``evalset_values`` writes it.
"""

import gzip
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_bytes
from rankwise.io.formats.assessments import evalset_values
from rankwise.server.campaign.plan.plan import Plan
from rankwise.types import Assessments, TestSet

#: What mt-metrics-eval calls the scores of a protocol.
NAMES = {"direct-assessment": "da", "adequacy-fluency": "af"}


def write_evalset(plan: Plan, testset: TestSet, values: Assessments, path: StrPath) -> list[str]:
    """Write the archive (``.tar.gz``); a sentence for what the folder cannot hold."""
    if not plan.rules.is_scalar:
        raise DataError(f"mt-metrics-eval holds values; {plan.protocol} gives rankings")
    pair = "-".join(code.replace("-", "_") for code in plan.languages)
    names = (pair, NAMES.get(plan.protocol, plan.protocol))

    def penalty(span: Mapping[str, object]) -> float:
        return plan.spans.penalty([{key: said for key, said in span.items() if said is not None}])

    with tempfile.TemporaryDirectory(prefix="rankwise-") as place:
        folder = Path(place) / plan.slug
        folder.mkdir()
        losses = evalset_values.fill(values, testset, folder, names, penalty, plan.slug)
        _pack(folder, path)
    return losses


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
