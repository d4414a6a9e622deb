"""Reading and writing: one module per format, sniffing in one place."""

from rankwise.io.formats import FORMATS, Format
from rankwise.io.sniff import sniff

__all__ = ["FORMATS", "Format", "sniff"]
