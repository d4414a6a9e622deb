"""The list of named test sets: where each is published and which files it is made of."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from rankwise.errors import DataError

SetKind = Literal["wmt-xml", "sgml", "sgml-and-text", "text", "tsv"]


@dataclass(frozen=True, slots=True)
class Archive:
    """A file to fetch, and the MD5 digest that is published with it; empty where none is."""

    url: str
    md5: str = ""

    @property
    def file_name(self) -> str:
        """The last part of the address."""
        return self.url.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A test set: its archives, and by language pair the files in them, the source first.

    The files of ``wmt-xml`` hold source, references and systems together; *references* are the
    translators whose references count, unless *references_of* names others for a pair.
    """

    name: str
    title: str
    kind: SetKind
    archives: tuple[Archive, ...]
    files: Mapping[str, tuple[str, ...]]
    references: tuple[str, ...]
    references_of: Mapping[str, tuple[str, ...]]
    citation: str

    @property
    def folder_name(self) -> str:
        """The name as a part of file names: ``wmt21_dev`` for ``wmt21/dev``."""
        return self.name.replace("/", "_")

    def must_have(self, pair: str) -> tuple[str, ...]:
        """The files of a language pair; an error names the pairs that there are."""
        if pair not in self.files:
            listed = ", ".join(self.files)
            raise DataError(f"the test set {self.name} has no {pair}; it has {listed}")
        return self.files[pair]


@dataclass(frozen=True, slots=True)
class EvalSets:
    """The EvalSets of mt-metrics-eval: one archive, a folder in it, and the names of the sets."""

    archive: Archive
    folder: str
    names: tuple[str, ...]


@cache
def named_sets() -> Mapping[str, NamedSet]:
    """All test sets by name, in the order of the list."""
    return {name: _named_set(name, found) for name, found in _table()["sets"].items()}


@cache
def evalsets() -> EvalSets:
    """Where EvalSets come from."""
    found = _table()["evalsets"]
    return EvalSets(Archive(found["archive"]), found["folder"], tuple(found["names"]))


@cache
def _table() -> dict[str, Any]:
    text = Path(__file__).with_name("named_sets.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def _named_set(name: str, found: dict[str, Any]) -> NamedSet:
    return NamedSet(
        name=name,
        title=found["title"],
        kind=found["kind"],
        archives=tuple(Archive(url, md5) for url, md5 in found["archives"]),
        files={pair: tuple(files) for pair, files in found["files"].items()},
        references=tuple(found.get("references", ())),
        references_of={p: tuple(names) for p, names in found.get("references_of", {}).items()},
        citation=found.get("citation", ""),
    )
