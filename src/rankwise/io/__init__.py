"""Reading and writing: one module per format, sniffing in one place.

Names are loaded when they are first used: whoever reads text files does not wait for XML.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.io.assessments import read_assessments, write_assessments
    from rankwise.io.conversion import ConversionReport, convert
    from rankwise.io.format_table import FORMATS, Format, find_format
    from rankwise.io.formats.testsets.text_files import read_parallel
    from rankwise.io.judgments import read_judgments, write_judgments
    from rankwise.io.scores import read_scores, write_scores
    from rankwise.io.sniffing import sniff
    from rankwise.io.testsets import read_testset, write_testset

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

__getattr__ = loader(
    __name__,
    {
        "FORMATS": "format_table",
        "ConversionReport": "conversion",
        "Format": "format_table",
        "convert": "conversion",
        "find_format": "format_table",
        "read_assessments": "assessments",
        "read_judgments": "judgments",
        "read_parallel": "formats.testsets.text_files",
        "read_scores": "scores",
        "read_testset": "testsets",
        "sniff": "sniffing",
        "write_assessments": "assessments",
        "write_judgments": "judgments",
        "write_scores": "scores",
        "write_testset": "testsets",
    },
)
