"""The texts of the files that named test sets are made of, line by line as sacreBLEU takes them.

Scores are only comparable if everybody scores the same characters: white space is made single,
and what stands in SGML files is taken as it is, entities too.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import read_lines
from rankwise.io.named_sets.set_list import NamedSet
from rankwise.io.parts.xml_events import Start, read_xml

#: Lines of texts by the name of the field.
Fields = dict[str, list[str]]

_SEGMENT = re.compile(r"<seg.*?>(.*)</seg>.*?")
#: What the tags of documents say about every segment.
_OF_DOCUMENTS = ("docid", "genre", "origlang")
_OWN_FIELDS = ("src", "docid", "origlang", "domain")


def field_names(found: NamedSet, pair: str) -> list[str] | None:
    """The fields of a language pair; None where only the file can tell, as of WMT's XML."""
    if found.kind == "wmt-xml":
        return None
    count = len(found.must_have(pair)) - 1
    references = ["ref"] if count == 1 else [f"ref:{number}" for number in range(count)]
    has_documents = found.kind.startswith("sgml") and not found.name.startswith("wmt08")
    return ["src", *references, *(_OF_DOCUMENTS if has_documents else ())]


def read_fields(found: NamedSet, pair: str, raw: Path) -> Fields:
    """All fields of a language pair, from the unpacked files in the folder *raw*."""
    files = found.must_have(pair)
    if found.kind == "wmt-xml":
        return _wmt_xml(raw / files[0])
    names = field_names(found, pair)
    assert names is not None
    fields = {
        name: _lines(found, raw, file, name) for name, file in zip(names, files, strict=False)
    }
    of_documents = [name for name in names if name in _OF_DOCUMENTS]
    return fields | _documents(raw / files[0], of_documents)


def _lines(found: NamedSet, raw: Path, file: str, field: str) -> list[str]:
    if found.kind == "tsv":
        column, _, name = file.rpartition(":")
        place = int(column) if column else int(field != "src")
        return [_cell(raw / name, number, line, place) for number, line in _numbered(raw / name)]
    if found.kind == "sgml" or file.endswith(".sgm"):
        tagged = (line for _, line in _numbered(raw / file) if line.startswith("<seg "))
        return [_one_spaced(_SEGMENT.sub(r"\1", line)) for line in tagged]
    return [line.rstrip() for _, line in _numbered(raw / file)]


def _cell(path: Path, number: int, line: str, place: int) -> str:
    cells = line.split("\t")
    if place >= len(cells):
        raise DataError(f"{path}:{number}: found {len(cells)} columns; expected {place + 1}")
    return cells[place]


def _documents(path: Path, names: list[str]) -> Fields:
    """What the tags of documents say, once for every segment."""
    fields: Fields = {name: [] for name in names}
    patterns = {name: re.compile(f'{name}="(.*?)"') for name in names}
    said = dict.fromkeys(names, "")
    for _, line in _numbered(path) if names else ():
        if line.startswith("<doc "):
            matches = {name: pattern.search(line) for name, pattern in patterns.items()}
            said |= {name: match[1] for name, match in matches.items() if match}
        elif line.startswith("<seg "):
            for name in names:
                fields[name].append(said[name])
    return fields


def _numbered(path: Path) -> Iterator[tuple[int, str]]:
    yield from read_lines(path)


def _one_spaced(text: str) -> str:
    return " ".join(text.split())


# -- WMT XML ---------------------------------------------------------------------------------------


class _Document:
    """The texts of a document by segment: the source, references and systems by field."""

    def __init__(self, attributes: Mapping[str, str]) -> None:
        self.attributes = attributes
        self.texts: dict[str, dict[int, str]] = {"src": {}}


def _wmt_xml(path: Path) -> Fields:
    """Source, references, systems, documents, original languages and, if stated, domains.

    Test suites, and segments that nobody translated, are left out.
    """
    documents = [doc for doc in _read_documents(path) if "testsuite" not in doc.attributes]
    named = [*dict.fromkeys(name for doc in documents for name in doc.texts if name != "src")]
    references = sorted(name for name in named if _is_reference(name))
    systems = [name for name in named if not _is_reference(name)]
    fields: Fields = {name: [] for name in ("src", *references, "docid", "origlang", *systems)}
    domains: list[str] = []
    for document in documents:
        translated = [document.texts.get(name, {}) for name in references]
        for number in sorted(document.texts["src"]):
            if not any(texts.get(number) for texts in translated):
                continue
            for name in ("src", *references, *systems):
                text = document.texts.get(name, {}).get(number, "")
                fields[name].append(_one_spaced(text))
            fields["docid"].append(document.attributes.get("id", ""))
            fields["origlang"].append(document.attributes.get("origlang", ""))
            domains.append(document.attributes.get("domain", ""))
    return fields | ({"domain": domains} if any(domains) else {})


def _is_reference(field: str) -> bool:
    return field == "ref" or field.startswith("ref:")


def _read_documents(path: Path) -> list[_Document]:
    documents: list[_Document] = []
    texts: dict[int, str] = {}
    number = 0
    for event in read_xml(path, text_of=("seg",)):
        if not isinstance(event, Start):
            if event.name == "seg":
                texts[number] = event.text
        elif event.name == "doc":
            documents.append(_Document(event.attributes))
        elif event.name in ("src", "ref", "hyp"):
            if not documents:
                raise DataError(f"{path}:{event.line}: <{event.name}> is in no <doc>")
            texts = documents[-1].texts.setdefault(_field_of(event), {})
        elif event.name == "seg":
            number = _number(path, event)
    return documents


def _field_of(event: Start) -> str:
    if event.name == "src":
        return "src"
    if event.name == "hyp":
        return event.attributes.get("system", "")
    return reference_field(event.attributes.get("translator", ""))


def reference_field(translator: str) -> str:
    """The field of a translator's reference: ``ref:A``, or ``ref`` of one who has no name."""
    return f"ref:{translator}" if translator else "ref"


def _number(path: Path, event: Start) -> int:
    said = event.attributes.get("id", "")
    if not said.isdecimal():
        raise DataError(f"{path}:{event.line}: the id of a <seg> is {said!r}; expected a number")
    return int(said)
