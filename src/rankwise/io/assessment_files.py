"""Scalar human judgments from files of any format, and into files of any format."""

from typing import Any

from rankwise.io.any_format import read_record, write_record
from rankwise.io.files import StrPath
from rankwise.types import Assessments


def read_assessments(path: StrPath, *, format: str | None = None, **options: Any) -> Assessments:
    """The scalar judgments of a file; the format is sniffed unless *format* names it.

    *options* are those of the format's reader. What it left out or changed is in the ``notes``.
    """
    assessments: Assessments = read_record(path, "assessments", format=format, **options)
    return assessments


def write_assessments(
    assessments: Assessments, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write assessments; the result is one sentence for everything that the format cannot hold."""
    return write_record(assessments, path, "assessments", format=format, **options)
