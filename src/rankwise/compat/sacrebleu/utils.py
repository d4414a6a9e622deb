"""What ``sacrebleu.utils`` offers to others: files, and test sets by name."""

import gzip
import os
from pathlib import Path
from typing import Any

from rankwise.errors import DataError

#: Where sacreBLEU keeps what it has downloaded; test sets and models are looked up there.
SACREBLEU_DIR = os.environ.get("SACREBLEU", str(Path.home() / ".sacrebleu"))


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    """An open text file whose lines end at newlines only; compressed if its name ends in .gz."""
    opened = gzip.open if file.endswith(".gz") else open
    return opened(file, mode=mode, encoding=encoding, newline="\n")


def _dataset(test_set: str) -> Any:
    from rankwise.compat.sacrebleu.dataset import DATASETS

    if test_set not in DATASETS:
        raise DataError(f"No such test set {test_set}")
    return DATASETS[test_set]


def get_source_file(test_set: str, langpair: str) -> str:
    """The file of the source; an error where the set was not downloaded."""
    found: str = _dataset(test_set).get_source_file(langpair)
    return found


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The files of the references; an error where the set was not downloaded."""
    found: list[str] = _dataset(test_set).get_reference_files(langpair)
    return found


def get_files(test_set: str, langpair: str) -> list[str]:
    """The files of all fields; an error where the set was not downloaded."""
    found: list[str] = _dataset(test_set).get_files(langpair)
    return found


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Download a test set unless it is here; the files of *langpair*, or of the last pair."""
    dataset = _dataset(test_set)
    dataset.maybe_download(langpair)
    pair = [*dataset.langpairs][-1] if langpair is None else langpair
    found: list[str] = dataset.get_files(pair)
    return found


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set; none of one that is not known.

    >>> get_langpairs_for_testset("wmt17/tworefs")
    ['en-fi']
    """
    from rankwise.compat.sacrebleu.dataset import DATASETS

    return [*DATASETS[testset].langpairs] if testset in DATASETS else []


def get_available_testsets() -> list[str]:
    """The names of all test sets, the last first."""
    from rankwise.io.named_sets.set_list import named_sets

    return sorted(named_sets(), reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The names of the test sets of two languages, in either direction."""
    from rankwise.io.named_sets.set_list import named_sets

    source, _, target = langpair.partition("-")
    either = {langpair, f"{target}-{source}"}
    return [name for name, found in named_sets().items() if either & {*found.files}]
