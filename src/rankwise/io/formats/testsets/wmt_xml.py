"""WMT XML (2021 and later): one ``dataset`` with sources, references and outputs by document.

``dataset`` > (``collection`` >) ``doc`` (``id``, ``domain``) > ``src``, ``ref`` (``translator``),
``hyp`` (``system``) > ``p`` > ``seg`` (``id``). Ids of segments start again in every document, so
segments are numbered from 1 over the file, as in the text files that WMT publishes.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NoReturn, TextIO

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, write_text
from rankwise.io.formats.testsets.documents import Document, add_text, testset_of
from rankwise.io.formats.testsets.testset_columns import ReferenceColumns, lost, reference_columns
from rankwise.io.parts.xml_events import End, Start, read_xml
from rankwise.io.parts.xml_text import Escaper
from rankwise.io.sniffing import Head
from rankwise.types import TestSet

NOT_READ = (
    "Paragraphs, collections, test-suite marks and the original languages of documents are not "
    "read.",
)


def read(path: StrPath) -> TestSet:
    """The test set in *path*."""
    reader = _Reader(path)
    for event in read_xml(path, text_of=("seg",)):
        reader.start(event) if isinstance(event, Start) else reader.end(event)
    return testset_of(
        reader.documents,
        path,
        has_names=reader.has_names,
        name=reader.name,
        languages=reader.languages(),
    )


class _Reader:
    """Follows the elements and fills documents."""

    def __init__(self, path: StrPath) -> None:
        self._path = path
        self.documents: list[Document] = []
        self.name, self.has_names = "", False
        self._languages: dict[str, set[str]] = {"src": set(), "ref": set(), "hyp": set()}
        self._depth = 0
        self._inside: str | None = None  # src, ref or hyp while within one
        self._texts: dict[str, str] = {}
        self._segment: str | None = None

    def languages(self) -> tuple[str, str]:
        """Source and target language, where the file says one."""
        source = self._languages["src"]
        target = self._languages["ref"] | self._languages["hyp"]
        return (
            next(iter(source)) if len(source) == 1 else "",
            next(iter(target)) if len(target) == 1 else "",
        )

    def start(self, event: Start) -> None:
        self._depth += 1
        if self._depth == 1:
            if event.name != "dataset":
                self._fail(event, f"the file holds a <{event.name}>; expected a <dataset>")
            self.name = event.attributes.get("id", "")
        elif event.name == "doc":
            if self._inside is not None:
                self._fail(event, f"a <doc> lies within a <{self._inside}>; expected it outside")
            get = event.attributes.get
            self.documents.append(Document(get("id"), get("domain")))
        elif event.name in self._languages:
            self._open(event)
        elif event.name == "seg":
            self._open_segment(event)

    def _open(self, event: Start) -> None:
        if not self.documents or self._inside is not None:
            self._fail(event, f"found <{event.name}> here; expected it within a <doc>")
        document, attributes = self.documents[-1], event.attributes
        if "lang" in attributes:
            self._languages[event.name].add(attributes["lang"])
        self._inside = event.name
        if event.name == "src":
            self._texts = document.source
            return
        if event.name == "hyp" and "system" not in attributes:
            self._fail(event, "a <hyp> has no attribute 'system'; expected the system's name")
        self.has_names |= "translator" in attributes
        group = document.outputs if event.name == "hyp" else document.references
        name = attributes.get("system" if event.name == "hyp" else "translator", "ref")
        if name in group and "translator" not in attributes and event.name == "ref":
            name = f"ref{len(group) + 1}"
        if name in group:
            self._fail(event, f"a second <{event.name}> of {name!r}; expected one in a document")
        self._texts = group.setdefault(name, {})

    def _open_segment(self, event: Start) -> None:
        if self._inside is None or self._segment is not None:
            self._fail(event, "found <seg> here; expected it within <src>, <ref> or <hyp>")
        if "id" not in event.attributes:
            self._fail(event, "a <seg> has no attribute 'id'; expected one")
        self._segment = event.attributes["id"]

    def end(self, event: End) -> None:
        self._depth -= 1
        if event.name == "seg" and self._segment is not None:
            add_text(self._texts, self._segment, event.text, self._path, event.line)
            self._segment = None
        elif event.name == self._inside:
            self._inside = None

    def _fail(self, event: Start, message: str) -> NoReturn:
        raise DataError(f"{name_of(self._path)}:{event.line}: {message}")


def sniff(head: Head) -> bool:
    """Whether the first element is a dataset."""
    return head.is_xml and "<dataset" in head.text


def write(testset: TestSet, path: StrPath) -> list[str]:
    """Write one file; consecutive segments of one document make one ``doc``."""
    escape = Escaper()
    references = reference_columns(testset)
    with write_text(path) as stream:
        stream.write('<?xml version="1.0" encoding="utf-8"?>\n')
        stream.write(f"<dataset{escape.attribute('id', testset.name)}>\n")
        for positions in _runs(testset):
            _write_document(stream, testset, references, positions, escape)
        stream.write("</dataset>\n")
    holds = ["documents", "domains", "name", "missing outputs"]
    if testset.segments and (references.names or testset.systems or not testset.target_language):
        holds.append("languages")
    losses = lost(testset, holds=holds, read_name=testset.name)
    if not testset.segments and testset.systems:
        losses.append("Systems without any segment were dropped.")
    return losses + references.losses + escape.losses()


def _runs(testset: TestSet) -> Iterator[list[int]]:
    place = [(segment.document, segment.domain) for segment in testset.segments]
    for _, group in groupby(range(len(place)), key=place.__getitem__):
        yield list(group)


def _write_document(
    stream: TextIO,
    testset: TestSet,
    references: ReferenceColumns,
    positions: list[int],
    escape: Escaper,
) -> None:
    first = testset.segments[positions[0]]
    source, target = (
        escape.attribute("lang", language or None)
        for language in (testset.source_language, testset.target_language)
    )
    place = escape.attribute("id", first.document) + escape.attribute("domain", first.domain)
    stream.write(f"  <doc{place}>\n")
    texts: list[str | None] = [segment.source for segment in testset.segments]
    _write_texts(stream, "src", source, texts, positions, escape)
    for name, texts in zip(references.names, references.texts, strict=True):
        mark = escape.attribute("translator", name if references.is_named else None)
        _write_texts(stream, "ref", target + mark, texts, positions, escape)
    for name, outputs in testset.outputs.items():
        mark = escape.attribute("system", name)
        _write_texts(stream, "hyp", target + mark, list(outputs), positions, escape)
    stream.write("  </doc>\n")


def _write_texts(
    stream: TextIO,
    tag: str,
    attributes: str,
    texts: list[str | None],
    positions: list[int],
    escape: Escaper,
) -> None:
    stream.write(f"    <{tag}{attributes}>\n      <p>\n")
    for number, position in enumerate(positions, 1):
        text = texts[position]
        if text is not None:
            stream.write(f'        <seg id="{number}">{escape(text)}</seg>\n')
    stream.write(f"      </p>\n    </{tag}>\n")
