"""WMT XML (2021 and later): one ``dataset`` with sources, references and outputs by document.

``dataset`` > (``collection`` >) ``doc`` (``id``, ``domain``) > ``src``, ``ref`` (``translator``),
``hyp`` (``system``) > ``p`` > ``seg`` (``id``). Ids of segments start again in every document, so
segments are numbered from 1 over the file, as in the text files that WMT publishes.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import TextIO

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_text
from rankwise.io.formats.testsets.documents import Document, add_text, testset_of
from rankwise.io.formats.testsets.testset_columns import ReferenceColumns, lost, reference_columns
from rankwise.io.parts.xml_events import follow_xml
from rankwise.io.parts.xml_text import Escaper
from rankwise.io.sniffing import Head
from rankwise.types import TestSet

NOT_READ = (
    "Paragraphs, collections, test-suite marks and the original languages of documents are not "
    "read.",
)


def read(path: StrPath) -> TestSet:
    """The test set in *path*."""
    reader = _Reader()
    follow_xml(path, reader.start, reader.end, text_of=("seg",))
    return testset_of(
        reader.documents,
        path,
        has_names=reader.has_names,
        name=reader.name,
        languages=reader.languages(),
    )


class _Reader:
    """Follows the elements and fills documents."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.name, self.has_names = "", False
        self._languages: dict[str, set[str]] = {"src": set(), "ref": set(), "hyp": set()}
        self._has_begun = False
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

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins; nearly all are segments."""
        if name == "seg" and self._has_begun:
            if self._inside is None or self._segment is not None:
                raise DataError("found <seg> here; expected it within <src>, <ref> or <hyp>")
            if "id" not in attributes:
                raise DataError("a <seg> has no attribute 'id'; expected one")
            self._segment = attributes["id"]
        elif not self._has_begun:
            self._begin(name, attributes)
        elif name == "doc":
            if self._inside is not None:
                raise DataError(f"a <doc> lies within a <{self._inside}>; expected it outside")
            self.documents.append(Document(attributes.get("id"), attributes.get("domain")))
        elif name in self._languages:
            self._open(name, attributes)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if name != "dataset":
            raise DataError(f"the file holds a <{name}>; expected a <dataset>")
        self.name, self._has_begun = attributes.get("id", ""), True

    def _open(self, kind: str, attributes: dict[str, str]) -> None:
        if not self.documents or self._inside is not None:
            raise DataError(f"found <{kind}> here; expected it within a <doc>")
        document = self.documents[-1]
        if "lang" in attributes:
            self._languages[kind].add(attributes["lang"])
        self._inside = kind
        if kind == "src":
            self._texts = document.source
            return
        if kind == "hyp" and "system" not in attributes:
            raise DataError("a <hyp> has no attribute 'system'; expected the system's name")
        self.has_names |= "translator" in attributes
        group = document.outputs if kind == "hyp" else document.references
        name = attributes.get("system" if kind == "hyp" else "translator", "ref")
        if name in group and "translator" not in attributes and kind == "ref":
            name = f"ref{len(group) + 1}"
        if name in group:
            raise DataError(f"a second <{kind}> of {name!r}; expected one in a document")
        self._texts = group.setdefault(name, {})

    def end(self, name: str, text: str) -> None:
        """An element ends, a segment with its text."""
        if name == "seg" and self._segment is not None:
            add_text(self._texts, self._segment, text)
            self._segment = None
        elif name == self._inside:
            self._inside = None


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
