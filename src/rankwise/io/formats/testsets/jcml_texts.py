"""The texts in a JCML file (Judged Corpus Markup Language, as of RankEval): a test set.

``jcml`` > ``judgedsentence`` (``id``, ``testset``, ``langsrc``, ``langtgt``) > ``src``, ``tgt``
(``system``), ``ref``. A sentence that was judged several times occurs several times; its texts must
agree and its outputs add up. Read as judgments, the same file gives its ranks.
"""

from dataclasses import dataclass, field
from typing import NoReturn

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, write_text
from rankwise.io.formats.testsets.testset_columns import lost
from rankwise.io.parts.xml_events import End, Start, read_xml
from rankwise.io.parts.xml_text import Escaper
from rankwise.io.sniffing import Head
from rankwise.types import Segment, TestSet

NOT_READ = ("Ranks and other attributes of judged sentences and outputs are not read.",)


@dataclass(slots=True)
class _Sentence:
    """A judged sentence while it is read."""

    id: str
    attributes: dict[str, str]
    sources: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    reference_names: list[str] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)


def read(path: StrPath) -> TestSet:
    """The test set of all judged sentences, in the order in which they first occur."""
    reader = _Reader(path)
    for event in read_xml(path, text_of=("src", "tgt", "ref")):
        reader.start(event) if isinstance(event, Start) else reader.end(event)
    if not reader.has_root:
        raise DataError(f"{name_of(path)}: there is no <jcml>; expected one")
    return reader.testset()


class _Reader:
    """Follows the elements and merges sentences with one id."""

    def __init__(self, path: StrPath) -> None:
        self._path, self.has_root = path, False
        self._sentence: _Sentence | None = None
        self._system: str | None = None
        self._segments: dict[str, Segment] = {}
        self._outputs: dict[str, dict[str, str]] = {}
        self._about: dict[str, set[str]] = {"testset": set(), "langsrc": set(), "langtgt": set()}
        self._count = 0

    def start(self, event: Start) -> None:
        """An element begins."""
        self.has_root |= event.name == "jcml"
        if event.name == "judgedsentence":
            self._count += 1
            attributes = event.attributes
            name = attributes.get("id", attributes.get("segment_id", str(self._count)))
            self._sentence = _Sentence(name, attributes)
            for key, values in self._about.items():
                values.add(attributes.get(key, ""))
        elif event.name in ("src", "tgt", "ref"):
            if self._sentence is None:
                self._fail(
                    event.line, f"<{event.name}> lies alone; expected it in a <judgedsentence>"
                )
            elif event.name == "tgt":
                self._system = event.attributes.get("system")
                if self._system is None:
                    self._fail(event.line, "a <tgt> has no attribute 'system'; expected one")
            elif event.name == "ref" and "name" in event.attributes:
                self._sentence.reference_names.append(event.attributes["name"])

    def end(self, event: End) -> None:
        """An element ends, with its text."""
        sentence = self._sentence
        if sentence is None:
            return
        if event.name == "src":
            sentence.sources.append(event.text)
        elif event.name == "ref":
            sentence.references.append(event.text)
        elif event.name == "tgt" and self._system is not None:
            if sentence.outputs.setdefault(self._system, event.text) != event.text:
                self._fail(
                    event.line, f"system {self._system!r} has two outputs here; expected one"
                )
        elif event.name == "judgedsentence":
            self._close(sentence, event.line)
            self._sentence = None

    def _close(self, sentence: _Sentence, line: int) -> None:
        if len(sentence.sources) > 1:
            self._fail(
                line, f"sentence {sentence.id!r} has {len(sentence.sources)} <src>; expected one"
            )
        named = len(sentence.reference_names) == len(sentence.references)
        try:
            segment = Segment(
                sentence.id,
                "".join(sentence.sources),
                tuple(sentence.references),
                sentence.attributes.get("document"),
                sentence.attributes.get("domain"),
                tuple(sentence.reference_names) if named else (),
            )
        except DataError as error:
            self._fail(line, f"{error}; expected one name for each")
        if self._segments.setdefault(segment.id, segment) != segment:
            self._fail(
                line, f"sentence {segment.id!r} comes with other texts; expected the same as before"
            )
        for system, text in sentence.outputs.items():
            if self._outputs.setdefault(system, {}).setdefault(segment.id, text) != text:
                self._fail(
                    line, f"system {system!r} has another output for {segment.id!r}; expected one"
                )

    def testset(self) -> TestSet:
        """Everything read so far."""
        columns = {
            system: tuple(texts.get(name) for name in self._segments)
            for system, texts in self._outputs.items()
        }
        about = [next(iter(v)) if len(v) == 1 else "" for v in self._about.values()]
        return TestSet(tuple(self._segments.values()), columns, *about)

    def _fail(self, line: int, message: str) -> NoReturn:
        raise DataError(f"{name_of(self._path)}:{line}: {message}")


def sniff(head: Head) -> bool:
    """Whether the first element is a jcml."""
    return head.is_xml and "<jcml" in head.text


def write(testset: TestSet, path: StrPath) -> list[str]:
    """Write one judged sentence per segment, without ranks."""
    escape = Escaper()
    common = (
        escape.attribute("langsrc", testset.source_language)
        + escape.attribute("langtgt", testset.target_language)
        + escape.attribute("testset", testset.name)
    )
    with write_text(path) as stream:
        stream.write('<?xml version="1.0" encoding="utf-8"?>\n<jcml>\n')
        for position, segment in enumerate(testset.segments):
            outputs = {name: texts[position] for name, texts in testset.outputs.items()}
            stream.write(_sentence_lines(segment, outputs, common, escape))
        stream.write("</jcml>\n")
    losses = _losses(testset)
    return losses + escape.losses()


def _sentence_lines(
    segment: Segment, outputs: dict[str, str | None], common: str, escape: Escaper
) -> str:
    if segment.id != escape.allowed(segment.id):
        raise DataError(f"segment id {segment.id!r} cannot be written into XML; rename it first")
    place = escape.attribute("document", segment.document)
    place += escape.attribute("domain", segment.domain)
    lines = [f" <judgedsentence{escape.attribute('id', segment.id)}{common}{place}>"]
    lines.append(f"  <src>{escape(segment.source)}</src>")
    for system, text in outputs.items():
        if text is not None:
            lines.append(f"  <tgt{escape.attribute('system', system)}>{escape(text)}</tgt>")
    names: tuple[str | None, ...] = segment.reference_names or (None,) * len(segment.references)
    for name, text in zip(names, segment.references, strict=True):
        lines.append(f"  <ref{escape.attribute('name', name)}>{escape(text)}</ref>")
    return "\n".join([*lines, " </judgedsentence>", ""])


def _losses(testset: TestSet) -> list[str]:
    holds = ("ids", "documents", "domains", "missing outputs")
    if testset.segments:
        losses = []
        silent = [n for n, texts in testset.outputs.items() if all(t is None for t in texts)]
        if silent:
            losses.append(f"Systems without any output were dropped: {', '.join(silent)}.")
        first = [
            next((i for i, t in enumerate(c) if t is not None), 0) for c in testset.outputs.values()
        ]
        if first != sorted(first):
            losses.append("Systems are read back in the order of their first outputs.")
        return losses
    losses = lost(testset, holds=holds)
    return losses + (["Systems without any segment were dropped."] if testset.systems else [])
