"""Appraise's batches as a test set: the JSON of its campaigns since 2018, the XML of WMT13 to 16.

JSON: a list of batches with ``items``, each with ``itemID``, ``itemType``, ``sourceText`` and
either ``targetID`` and ``targetText`` or a list of ``targets`` with both; ``documentID`` where
there is one, with ESA and MQM ``document#system``. Only items of the type TGT are outputs of
systems, and no tutorial; ``a+b`` is a text of both. The text of a REF item is a reference.

XML: ``<seg id="7" doc-id="news">`` with ``<source>``, perhaps ``<reference>``, and
``<translation system="a">``, within any elements. Entities are refused.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.json_values import read_objects
from rankwise.io.parts.xml_events import Start, read_xml
from rankwise.io.sniffing import read_head
from rankwise.server.records import Json
from rankwise.types import Segment, TestSet

_SECOND = re.compile(r"#dup[0-9]*$")
_TEXTS = ("source", "reference", "translation")


@dataclass(slots=True)
class _BatchItem:
    """A segment on its way: what all items about it said."""

    source: str
    document: str | None = None
    reference: str | None = None
    outputs: dict[str, str] = field(default_factory=dict)


def read_batches(path: StrPath) -> TestSet:
    """The test set of a file of batches; what a system has no output for is missing."""
    head = read_head(path)
    items = _from_xml(path) if head.is_xml else _from_json(path)
    found: dict[str, _BatchItem] = {}
    for line, name, new in items:
        old = found.setdefault(name, new)
        if old.source != new.source:
            raise DataError(f"{name_of(path)}:{line}: segment {name!r} has two different sources")
        old.reference = old.reference or new.reference
        old.outputs |= new.outputs
    if not found:
        raise DataError(f"{name_of(path)}: no item with a source; expected batches of Appraise")
    return _testset(found)


def _testset(found: dict[str, _BatchItem]) -> TestSet:
    segments = tuple(
        Segment(
            name, item.source, () if item.reference is None else (item.reference,), item.document
        )
        for name, item in found.items()
    )
    systems = dict.fromkeys(name for item in found.values() for name in item.outputs)
    outputs = {s: tuple(item.outputs.get(s) for item in found.values()) for s in sorted(systems)}
    return TestSet(segments, outputs)


def _from_json(path: StrPath) -> Iterator[tuple[int, str, _BatchItem]]:
    for line, batch in read_objects(path):
        rows = batch.get("items")
        if not isinstance(rows, list):
            raise DataError(f"{name_of(path)}:{line}: a batch without a list of 'items'")
        for row in rows:
            try:
                if row.get("itemType", "TGT") in ("TGT", "REF") and not _is_practice(row):
                    yield line, *_json_item(row)
            except (KeyError, TypeError) as error:
                message = f"an item lacks {error}" if isinstance(error, KeyError) else str(error)
                raise DataError(f"{name_of(path)}:{line}: {message}") from error


def _is_practice(row: Json) -> bool:
    """Whether it is there to learn on, or the row that asks about a whole document."""
    marked = row.get("mqm")
    return bool(row.get("isCompleteDocument")) or (
        isinstance(marked, dict) and "tutorial" in marked
    )


def _document(row: Json) -> str | None:
    """The document; ESA's ids say the system too, and whether it is there a second time."""
    if row.get("documentID") is None:
        return None
    document = _SECOND.sub("", str(row["documentID"]))
    return document.removesuffix(f"#{row['targetID']}") if "targetID" in row else document


def _json_item(row: Json) -> tuple[str, _BatchItem]:
    kind = row.get("itemType", "TGT")
    document = _document(row)
    item = _BatchItem(str(row["sourceText"]), document)
    targets = row.get("targets", [row])
    for target in targets:
        text = str(target["targetText"])
        if kind == "REF":
            item.reference = text
        elif kind == "TGT":
            item.outputs |= dict.fromkeys(str(target["targetID"]).split("+"), text)
    name = str(row["itemID"])
    return (name if document is None else f"{document}:{name}"), item


def _from_xml(path: StrPath) -> Iterator[tuple[int, str, _BatchItem]]:
    item, name, system = _BatchItem(""), "", ""
    for event in read_xml(path, text_of=_TEXTS):
        if isinstance(event, Start):
            if event.name == "seg":
                name = event.attributes.get("id", "")
                item = _BatchItem("", event.attributes.get("doc-id"))
            elif event.name == "translation":
                system = event.attributes.get("system", "")
        elif event.name == "source":
            item.source = event.text.strip()
        elif event.name == "reference":
            item.reference = event.text.strip()
        elif event.name == "translation" and system:
            item.outputs |= dict.fromkeys(system.split(","), event.text.strip())
        elif event.name == "seg" and name:
            yield event.line, name, item
