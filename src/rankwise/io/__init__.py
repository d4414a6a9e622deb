"""Reading and writing: one module per format, sniffing in one place.

Names are loaded when they are first used: whoever reads text files does not wait for XML.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.io.assessment_files import read_assessments, write_assessments
    from rankwise.io.conversion import ConversionReport, convert
    from rankwise.io.format_table import FORMATS, Format, find_format
    from rankwise.io.formats.testsets.text_files import read_parallel
    from rankwise.io.judgment_files import read_judgments, write_judgments
    from rankwise.io.score_files import read_scores, write_scores
    from rankwise.io.sniffing import sniff
    from rankwise.io.study import StudyFiles, read_study
    from rankwise.io.testset_files import read_testset, write_testset

__all__ = [
    "FORMATS",
    "ConversionReport",
    "Format",
    "StudyFiles",
    "convert",
    "find_format",
    "read_assessments",
    "read_judgments",
    "read_parallel",
    "read_scores",
    "read_study",
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
        "read_assessments": "assessment_files",
        "read_judgments": "judgment_files",
        "read_parallel": "formats.testsets.text_files",
        "read_scores": "score_files",
        "StudyFiles": "study",
        "read_study": "study",
        "read_testset": "testset_files",
        "sniff": "sniffing",
        "write_assessments": "assessment_files",
        "write_judgments": "judgment_files",
        "write_scores": "score_files",
        "write_testset": "testset_files",
    },
)
