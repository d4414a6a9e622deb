"""Human rankings from files of any format, and into files of any format."""

import os
from collections.abc import Sequence
from typing import Any

from rankwise.errors import DataError
from rankwise.io.any_format import read_record, write_record
from rankwise.io.files import StrPath, must_differ
from rankwise.types import Judgments


def read_judgments(
    path: StrPath | Sequence[StrPath], *, format: str | None = None, **options: Any
) -> Judgments:
    """The rankings of one file, or of several one after the other.

    The format is sniffed for each file unless *format* names it; ``-`` is standard input.
    *options* are those of the format's reader. Screens of different files stay different; the same
    file twice is an error.
    """
    if isinstance(path, str | os.PathLike):
        return _read(path, format, options)
    paths = list(path)
    if not paths:
        raise DataError("no files to read judgments from; expected at least one")
    must_differ(paths)
    return Judgments.concatenate([_read(one, format, options) for one in paths])


def _read(path: StrPath, format: str | None, options: dict[str, Any]) -> Judgments:
    judgments: Judgments = read_record(path, "judgments", format=format, **options)
    return judgments


def write_judgments(
    judgments: Judgments, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write rankings; the result is one sentence for everything that the format cannot hold.

    Without *format* the file's suffix decides: ``.jsonl`` holds everything, ``.csv`` is
    ``wmt-pairwise``, ``.xml`` is ``appraise-xml``, ``.jcml`` is ``jcml``, ``.json`` is
    ``fastchat``; ``.gz`` may follow.
    """
    return write_record(judgments, path, "judgments", format=format, **options)
