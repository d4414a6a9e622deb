"""Reading and writing: one module per format, sniffing in one place."""

from rankwise.io.convert import ConversionReport, convert
from rankwise.io.formats import FORMATS, Format, find_format
from rankwise.io.judgments import read_judgments, write_judgments
from rankwise.io.sniff import sniff

__all__ = [
    "FORMATS",
    "ConversionReport",
    "Format",
    "convert",
    "find_format",
    "read_judgments",
    "sniff",
    "write_judgments",
]
