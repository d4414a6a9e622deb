"""Reading and writing: one module per format, sniffing in one place."""

from rankwise.io.formats import FORMATS, Format
from rankwise.io.records import (
    read_assessments,
    read_scores,
    read_testset,
    write_assessments,
    write_scores,
    write_testset,
)
from rankwise.io.sniff import sniff
from rankwise.io.text_files import read_parallel

__all__ = [
    "FORMATS",
    "Format",
    "read_assessments",
    "read_parallel",
    "read_scores",
    "read_testset",
    "sniff",
    "write_assessments",
    "write_scores",
    "write_testset",
]
