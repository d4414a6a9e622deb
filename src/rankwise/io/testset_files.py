"""Test sets from files of any format, and into files of any format."""

from typing import Any

from rankwise.io.any_format import read_record, write_record
from rankwise.io.files import StrPath, is_folder
from rankwise.io.format_table import find_format
from rankwise.io.sniffing import read_head
from rankwise.types import TestSet


def read_testset(path: StrPath, *, format: str | None = None, **options: Any) -> TestSet:
    """The test set of a file or folder; the format is sniffed unless *format* names it.

    *options* are those of the format's reader, such as ``language_pair`` of an EvalSet. With
    ``references`` or ``outputs`` a file that looks like nothing else is the source of parallel
    plain-text files.
    """
    if format is None and options.keys() & {"references", "outputs"} and not is_folder(path):
        format = _of_several_files(path)
    testset: TestSet = read_record(path, "testset", format=format, **options)
    return testset


def _of_several_files(path: StrPath) -> str:
    head = read_head(path)
    fitting = [name for name in ("sgml", "tsv") if find_format(name, "testset").load().sniff(head)]
    return fitting[0] if fitting else "text"


def write_testset(
    testset: TestSet, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write a test set; the result is one sentence for everything that the format cannot hold.

    Without *format* the file's suffix decides: ``.jsonl`` holds everything, ``.xml`` is
    ``wmt-xml``, ``.sgm`` is ``sgml``, ``.jcml`` is ``jcml``, ``.tsv`` is ``tsv``. ``sgml``,
    ``evalset`` and ``text`` make a folder.
    """
    return write_record(testset, path, "testset", format=format, **options)
