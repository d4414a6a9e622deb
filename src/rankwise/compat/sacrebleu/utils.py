"""Two names of ``sacrebleu.utils`` that do not concern test sets."""

import gzip
import os
from pathlib import Path
from typing import Any

#: Where sacreBLEU keeps what it has downloaded; only models of tokenizers are looked up there.
SACREBLEU_DIR = os.environ.get("SACREBLEU", str(Path.home() / ".sacrebleu"))


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    """An open text file whose lines end at newlines only; compressed if its name ends in .gz."""
    opened = gzip.open if file.endswith(".gz") else open
    return opened(file, mode=mode, encoding=encoding, newline="\n")
