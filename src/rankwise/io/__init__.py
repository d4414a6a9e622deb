"""Reading and writing: one module per format, sniffing in one place."""

from rankwise.io.assessments import read_assessments, write_assessments
from rankwise.io.convert import ConversionReport, convert
from rankwise.io.formats import FORMATS, Format, find_format
from rankwise.io.judgments import read_judgments, write_judgments
from rankwise.io.scores import read_scores, write_scores
from rankwise.io.sniff import sniff
from rankwise.io.testsets import read_testset, write_testset
from rankwise.io.text_files import read_parallel

__all__ = [
    "FORMATS",
    "ConversionReport",
    "Format",
    "convert",
    "find_format",
    "read_assessments",
    "read_judgments",
    "read_parallel",
    "read_scores",
    "read_testset",
    "sniff",
    "write_assessments",
    "write_judgments",
    "write_scores",
    "write_testset",
]
