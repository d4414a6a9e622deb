"""XML as a stream of elements with line numbers; entities and document types do nothing.

Built on expat, without loading anything from elsewhere and without expanding declared entities, so
that a small file cannot become a large one and cannot make the reader open other files.
"""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, open_bytes

_CHUNK_BYTES = 1 << 16

OnStart = Callable[[str, dict[str, str]], None]
OnEnd = Callable[[str, str], None]


class Start(NamedTuple):  # made three times as fast as a frozen dataclass, and there are many
    """An element begins."""

    name: str
    attributes: dict[str, str]
    line: int


class End(NamedTuple):
    """An element ends; ``text`` is all text within, where it was asked for."""

    name: str
    text: str
    line: int


def read_xml(
    path: StrPath, *, text_of: Collection[str] = (), repair: re.Pattern[bytes] | None = None
) -> Iterator[Start | End]:
    """The elements of a file in document order.

    The text of the elements named in *text_of* arrives with their end, the text of elements inside
    them included; other text is dropped at once. *repair* matches element names that XML does not
    allow because of their first character; they are read with ``_`` before them.
    """
    events: list[Start | End] = []
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        events.append(Start(tag, attributes, parser.CurrentLineNumber))

    def end(tag: str, text: str) -> None:
        events.append(End(tag, text, parser.CurrentLineNumber))

    _listen(parser, name_of(path), start, end, frozenset(text_of))
    for _ in _fed(parser, path, repair):
        yield from events
        events.clear()


def follow_xml(
    path: StrPath,
    start: OnStart,
    end: OnEnd,
    *,
    text_of: Collection[str] = (),
    repair: re.Pattern[bytes] | None = None,
) -> None:
    """Give the elements of :func:`read_xml` to two functions, which takes half the time.

    *start* gets name and attributes, *end* name and text. File and line come before what a
    ``DataError`` of theirs says.
    """
    parser = expat.ParserCreate()
    _listen(parser, name_of(path), start, end, frozenset(text_of))
    for _ in _fed(parser, path, repair):
        pass


def _fed(
    parser: expat.XMLParserType, path: StrPath, repair: re.Pattern[bytes] | None
) -> Iterator[None]:
    """Feed a file to a parser, part by part."""
    with open_bytes(path) as stream:
        for chunk in _chunks(stream, repair):
            _feed(parser, chunk, path, is_last=False)
            yield
        _feed(parser, b"", path, is_last=True)
        yield


def _feed(parser: expat.XMLParserType, chunk: bytes, path: StrPath, *, is_last: bool) -> None:
    try:
        parser.Parse(chunk, is_last)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        message = f"{name_of(path)}:{error.lineno}: {reason}; expected well-formed XML"
        raise DataError(message) from error
    except DataError:
        raise
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        message = f"{name_of(path)}:1: {error}; expected XML in UTF-8 or another known encoding"
        raise DataError(message) from error


def _chunks(stream: Any, repair: re.Pattern[bytes] | None) -> Iterator[bytes]:
    """Parts of a stream; with *repair* no part ends inside a tag's name."""
    kept = b""
    while chunk := stream.read(_CHUNK_BYTES):
        if repair is None:
            yield chunk
            continue
        chunk = kept + chunk
        cut = chunk.rfind(b"<", max(0, len(chunk) - 256))
        cut = len(chunk) if cut < 0 else cut
        yield _repaired(chunk[:cut], repair)
        kept = chunk[cut:]
    if kept and repair is not None:
        yield _repaired(kept, repair)


def _repaired(chunk: bytes, repair: re.Pattern[bytes]) -> bytes:
    return re.sub(rb"(</?)(?=" + repair.pattern + rb")", rb"\1_", chunk)


def _listen(
    parser: expat.XMLParserType, name: str, start: OnStart, end: OnEnd, text_of: frozenset[str]
) -> None:
    """Call *start* and *end* for every element, and refuse entities."""
    parser.buffer_text = True
    texts: list[list[str]] = []  # what was found so far within the wanted elements that are open

    def placed(message: object) -> DataError:
        return DataError(f"{name}:{parser.CurrentLineNumber}: {message}")

    def begin(tag: str, attributes: dict[str, str]) -> None:
        try:
            start(tag, attributes)
        except DataError as error:
            raise placed(error) from error
        if tag in text_of:
            texts.append([])
            parser.CharacterDataHandler = texts[-1].append

    def finish(tag: str) -> None:
        text = ""
        if tag in text_of:
            text = "".join(texts.pop())
            parser.CharacterDataHandler = texts[-1].append if texts else None
            if texts:
                texts[-1].append(text)
        try:
            end(tag, text)
        except DataError as error:
            raise placed(error) from error

    def refuse(*declaration: Any) -> NoReturn:
        found = f"entity {declaration[0]!r} is declared or used"
        raise placed(f"{found}; expected XML without entities of its own (they are never expanded)")

    parser.StartElementHandler = begin
    parser.EndElementHandler = finish
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    parser.ExternalEntityRefHandler = refuse
