"""Test sets from files and folders of any format, and into them."""

from typing import Any

from rankwise.io.files import StrPath
from rankwise.io.formats import find_format
from rankwise.io.records import read_as, read_record, write_record
from rankwise.io.sniff import read_head
from rankwise.types import TestSet


def read_testset(path: StrPath, *, format: str | None = None, **options: Any) -> TestSet:
    """The test set in a file or folder, in any supported format.

    *options* are those of the format's reader, such as ``language_pair`` of an EvalSet, or
    ``references`` and ``outputs`` of parallel files.
    """
    if format is None and options.keys() & {"references", "outputs"}:
        format = _parallel_format(path)
    testset: TestSet = (
        read_record(path, kind="testset", **options)
        if format is None
        else read_as(find_format(format, "testset"), path, options)
    )
    return testset


def write_testset(
    testset: TestSet, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write a test set; one sentence for everything that the format could not hold."""
    return write_record(testset, path, kind="testset", format=format, **options)


def _parallel_format(path: StrPath) -> str:
    """Any text could be a source, so plain text is never sniffed: the other files say so."""
    head = read_head(path)
    fitting = [name for name in ("sgml", "tsv") if find_format(name).load().sniff(head)]
    return fitting[0] if fitting else "text"
