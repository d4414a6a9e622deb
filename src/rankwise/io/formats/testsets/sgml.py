"""WMT and NIST SGML (before 2021): one file each for the source, a reference, a system.

``srcset``, ``refset`` or ``tstset`` > ``doc`` (``docid``, ``sysid``, ``genre``) > ``seg`` (``id``).
The files were never proper SGML, so the reader is tolerant: tags in any case, attributes without
quotes, ``&`` and ``<`` unescaped inside segments, any other tags between them. White space at the
ends of a text is dropped and inside it becomes one space. A folder that ``write`` made holds
``source.sgm``, ``references/NAME.sgm`` and ``outputs/SYSTEM.sgm``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import StrPath, is_folder, name_of, stem_of, write_text
from rankwise.io.folders import file_name, new_folder, text_files
from rankwise.io.formats.testsets.documents import Document, add_text, testset_of
from rankwise.io.formats.testsets.sgml_tags import Tag, first_tag, one_spaced, tags
from rankwise.io.formats.testsets.testset_columns import lost, reference_columns, sorted_files
from rankwise.io.parts.line_text import all_lines, counted
from rankwise.io.parts.xml_text import Escaper
from rankwise.io.sniffing import Head
from rankwise.types import TestSet

SETS = {"srcset": "source", "refset": "reference", "tstset": "output"}
NOT_READ = ("Paragraphs, headlines and the original languages of documents are not read.",)


@dataclass(frozen=True, slots=True)
class _Part:
    """One document of one set: what was between ``<doc>`` and ``</doc>``."""

    role: str
    system: str
    document: str
    genre: str | None
    texts: dict[str, str]


def read(
    path: StrPath, *, references: Iterable[StrPath] = (), outputs: Iterable[StrPath] = ()
) -> TestSet:
    """The test set of a file and those that belong to it, or of a folder that ``write`` made.

    *references* and *outputs* are further files; the file itself may be of any kind, and without a
    source file the sources are empty. A document without ``sysid`` belongs to the system (or
    reference) that its file is called after. A folder brings its own files.
    """
    if is_folder(path):
        return _read_folder(Path(path))
    reader = _Reader()
    reader.add(path, tuple(SETS))
    for other in references:
        reader.add(other, ("refset", "tstset"), role="reference")
    for other in outputs:
        reader.add(other, ("tstset", "refset"), role="output")
    return testset_of(
        reader.documents(path),
        path,
        has_names=True,
        name=reader.name,
        languages=(reader.source_language, reader.target_language),
    )


def _read_folder(folder: Path) -> TestSet:
    return read(
        folder / "source.sgm",
        references=text_files(folder / "references", ".sgm").values(),
        outputs=text_files(folder / "outputs", ".sgm").values(),
    )


class _Reader:
    """Collects the documents of several files."""

    def __init__(self) -> None:
        self.name = self.source_language = self.target_language = ""
        self._parts: list[tuple[StrPath, _Part]] = []

    def add(self, path: StrPath, sets: tuple[str, ...], *, role: str | None = None) -> None:
        """Read one file, whose root must be one of *sets*."""
        text = "\n".join(all_lines(path))
        root, attributes, parts = _parse(text, path, sets)
        self.name = self.name or attributes.get("setid", "")
        languages = {
            key: value if value.lower() != "any" else "" for key, value in attributes.items()
        }
        self.source_language = self.source_language or languages.get("srclang", "")
        self.target_language = self.target_language or languages.get("trglang", "")
        self._parts += [(path, _Part(role or SETS[root], *part)) for part in parts]

    def documents(self, path: StrPath) -> list[Document]:
        """The documents of all files, matched by their ids; the first file gives their order."""
        documents: dict[str, Document] = {}
        has_source = any(part.role == "source" for _, part in self._parts)
        for origin, part in self._parts:
            document = documents.get(part.document)
            if document is None:
                if has_source and part.role != "source":
                    raise DataError(
                        f"{name_of(origin)}: there is no document {part.document!r} "
                        f"in {name_of(path)}; expected only its documents"
                    )
                document = documents[part.document] = Document(part.document or None, part.genre)
            self._place(document, part, origin)
        return list(documents.values())

    def _place(self, document: Document, part: _Part, origin: StrPath) -> None:
        if part.role == "source":
            if document.source:
                raise DataError(
                    f"{name_of(origin)}: document {document.id!r} again; expected it once"
                )
            document.source.update(part.texts)
            return
        group = document.references if part.role == "reference" else document.outputs
        if part.system in group:
            raise DataError(
                f"{name_of(origin)}: {part.role} {part.system!r} has document {document.id!r} "
                "twice; expected it once"
            )
        group[part.system] = part.texts


_Row = tuple[str, str, str | None, dict[str, str]]


def _parse(
    text: str, path: StrPath, sets: tuple[str, ...]
) -> tuple[str, dict[str, str], list[_Row]]:
    """The root's name and attributes, and (system, document, genre, texts) of each document."""
    found = tags(text, path)
    root = next(found, Tag("nothing", 1))
    if root.name not in sets or root.is_end:
        expected = " or ".join(f"<{name}>" for name in sets)
        raise DataError(
            f"{name_of(path)}:{root.line}: the first tag is <{root.name}>; expected {expected}"
        )
    rows: list[_Row] = []
    is_open = False
    for tag in found:
        if tag.name == root.name and tag.is_end and not is_open:
            return root.name, root.attributes, rows
        if tag.name == "doc" and tag.is_end == is_open:
            if not is_open:
                get = tag.attributes.get
                system = get("sysid") or root.attributes.get("sysid") or stem_of(path)
                rows.append((system, get("docid", ""), get("genre"), {}))
            is_open = not is_open
        elif tag.name == "seg" and is_open:
            texts = rows[-1][3]
            key = tag.attributes.get("id") or str(len(texts) + 1)
            try:
                add_text(texts, key, tag.text)
            except DataError as error:
                raise DataError(f"{name_of(path)}:{tag.line}: {error}") from error
        else:
            mark = "/" if tag.is_end else ""
            raise DataError(
                f"{name_of(path)}:{tag.line}: found <{mark}{tag.name}>; expected it elsewhere"
            )
    raise DataError(
        f"{name_of(path)}:{text.count(chr(10)) + 1}: the file ends; expected </{root.name}>"
    )


def sniff(head: Head) -> bool:
    """Whether the first known tag is one of the three sets, or it is a folder of such files."""
    if "source.sgm" in head.entries:
        return True
    return head.is_xml and first_tag(head.text) in SETS


def write(testset: TestSet, path: StrPath) -> list[str]:
    """Write a folder with one file each for the source, each reference and each system."""
    writer = _Writer(testset)
    references = reference_columns(testset)
    with new_folder(path) as folder:
        source: list[str | None] = [segment.source for segment in testset.segments]
        writer.write(folder / "source.sgm", "srcset", "", source)
        for name, texts in zip(references.names, references.texts, strict=True):
            place = folder / "references" / file_name(name, ".sgm")
            writer.write(place, "refset", name, texts)
        for name, outputs in testset.outputs.items():
            place = folder / "outputs" / file_name(name, ".sgm")
            writer.write(place, "tstset", name, list(outputs))
    losses = references.losses + sorted_files(testset, references)
    return losses + writer.losses(is_named=references.is_named or not references.names)


class _Writer:
    """Writes one file per set, all with the same documents."""

    def __init__(self, testset: TestSet) -> None:
        self._testset = testset
        self._escape = Escaper()
        self._runs = self._find_runs()
        self._respaced = 0

    def _find_runs(self) -> list[tuple[str, str | None, list[int]]]:
        """Documents with their positions; a name that comes back later gets a number."""
        place = [(segment.document, segment.domain) for segment in self._testset.segments]
        runs: list[tuple[str, str | None, list[int]]] = []
        used: set[str] = set()
        for (document, domain), group in groupby(range(len(place)), key=place.__getitem__):
            name, number = document or "document", 1
            while name in used:
                number += 1
                name = f"{document or 'document'}#{number}"
            used.add(name)
            runs.append((name, domain, list(group)))
        return runs

    def write(self, path: Path, tag: str, system: str, texts: list[str | None]) -> None:
        """Write one set."""
        path.parent.mkdir(exist_ok=True)
        escape, testset = self._escape, self._testset
        target = testset.target_language if tag != "srcset" else ""
        attributes = (
            escape.attribute("setid", testset.name)
            + escape.attribute("srclang", testset.source_language or "any")
            + escape.attribute("trglang", target or None)
        )
        with write_text(path) as stream:
            stream.write(f"<{tag}{attributes}>\n")
            for document, genre, positions in self._runs:
                place = escape.attribute("sysid", system or None)
                place += escape.attribute("docid", document) + escape.attribute("genre", genre)
                stream.write(f"<doc{place}>\n")
                for number, position in enumerate(positions, 1):
                    text = texts[position]
                    if text is not None:
                        stream.write(f'<seg id="{number}">{self._fit(text)}</seg>\n')
                stream.write("</doc>\n")
            stream.write(f"</{tag}>\n")

    def _fit(self, text: str) -> str:
        clean = one_spaced(text)
        self._respaced += clean != text
        return self._escape(clean)

    def losses(self, *, is_named: bool) -> list[str]:
        """One sentence for everything that the files do not hold."""
        testset, losses = self._testset, []
        names = [segment.document for segment in testset.segments]
        written = [name for name, _, positions in self._runs for _ in positions]
        if names != written:
            losses.append("Documents without a name, or in several places, got new names.")
        if not is_named:
            losses.append("The references got numbers as names.")
        if self._respaced:
            losses.append(f"{counted(self._respaced, 'text')} lost white space.")
        has_target = bool(testset.systems or any(testset.references))
        if testset.target_language and not has_target:
            losses.append("The target language was dropped: no file is in it.")
        if testset.systems and not testset.segments:
            losses.append("Systems without any segment were dropped.")
        held = lost(testset, holds=("documents", "domains", "name", "languages", "missing outputs"))
        return held + losses + self._escape.losses()
