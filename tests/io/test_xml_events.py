"""XML as events: lines, texts, and what is refused."""

import re
from pathlib import Path

import pytest

from rankwise.errors import DataError
from rankwise.io.parts.xml_events import End, Start, follow_xml, read_xml


def events_of(tmp_path: Path, text: str | bytes, **options) -> list[Start | End]:
    path = tmp_path / "file.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(read_xml(path, **options))


def test_elements_arrive_in_order_with_their_lines(tmp_path):
    assert events_of(tmp_path, '<a>\n<b x="1"/>\n</a>') == [
        Start("a", {}, 1),
        Start("b", {"x": "1"}, 2),
        End("b", "", 2),
        End("a", "", 3),
    ]


def test_text_is_kept_only_where_asked_and_includes_inner_text(tmp_path):
    events = events_of(tmp_path, "<a>no<s>one <b>two</b> &amp; three</s></a>", text_of={"s"})
    assert [e.text for e in events if isinstance(e, End)] == ["", "one two & three", ""]


def test_nested_wanted_elements_both_hold_the_inner_text(tmp_path):
    events = events_of(tmp_path, "<s>a<s>b</s>c</s>", text_of={"s"})
    assert [e.text for e in events if isinstance(e, End)] == ["b", "abc"]


@pytest.mark.parametrize(
    "text",
    [
        '<a>\n<b x="1"/> <s>one <b>two</b> &amp; three</s>\n</a>',
        "<s>a<s>b<c/></s>c<s/></s>",
        "<a> <s>\u00e9" + "long " * 50_000 + "</s>\n<s/></a>",
    ],
)
def test_elements_are_followed_as_they_are_read(tmp_path, text):
    read = events_of(tmp_path, text, text_of={"s"})
    found = []
    follow_xml(
        tmp_path / "file.xml",
        lambda name, attributes: found.append((name, attributes)),
        lambda name, text: found.append((name, text)),
        text_of={"s"},
    )
    assert found == [event[:2] for event in read]


@pytest.mark.parametrize(("name", "line"), [("b", 3), ("c", 2)])
def test_what_a_follower_refuses_gets_its_place(tmp_path, name, line):
    path = tmp_path / "file.xml"
    path.write_text("<a>\n<c\n/><b/>\n</a><broken", encoding="utf-8")

    def start(found, _attributes):
        if found == name:
            raise DataError("not here")

    with pytest.raises(DataError) as refused:
        follow_xml(path, start, lambda _name, _text: None)
    assert str(refused.value) == f"{path}:{line}: not here"

    def end(found, _text):
        start(found, {})

    with pytest.raises(DataError) as refused:
        follow_xml(path, lambda _name, _attributes: None, end)
    assert str(refused.value).endswith(": not here")


def test_a_document_type_is_ignored_and_never_loaded(tmp_path):
    text = '<!DOCTYPE mteval SYSTEM "file:///etc/passwd">\n<mteval/>'
    assert [e.name for e in events_of(tmp_path, text)] == ["mteval", "mteval"]


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY x "y">]>\n<a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY % x "y">]>\n<a/>',
        '<!DOCTYPE a SYSTEM "none.dtd">\n<a>&undeclared;</a>',
        '<!DOCTYPE a [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;&b;&b;</a>',
    ],
)
def test_entities_are_refused(tmp_path, text):
    with pytest.raises(DataError, match=r"file\.xml:\d+: entity '.*expected XML without entities"):
        events_of(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<a>\n<b></a>", 2),
        ("<a>\n", 2),
        ("", 1),
        ("text", 1),
        ("<a/>\n<b/>", 2),
        ("<a>\n\n\xe9</a>".encode("latin-1"), 3),
        (b"\x00\x01", 1),
        ("<a>&nbsp;</a>", 1),
    ],
)
def test_what_is_not_well_formed_is_reported_with_its_line(tmp_path, text, line):
    with pytest.raises(DataError, match=rf"file\.xml:{line}: .*expected well-formed XML"):
        events_of(tmp_path, text)


@pytest.mark.parametrize("encoding", ["no-such", "utf-7", "shift_jis", "rot13", "idna"])
def test_unknown_encodings_are_reported(tmp_path, encoding):
    with pytest.raises(DataError, match=r"file\.xml:1: .*expected"):
        events_of(tmp_path, f'<?xml version="1.0" encoding="{encoding}"?><a>\x7f+é</a>')


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "iso-8859-2"])
def test_declared_encodings_are_read(tmp_path, encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?><s>é</s>'.encode(encoding)
    assert events_of(tmp_path, text, text_of={"s"})[-1].text == "é"


@pytest.mark.parametrize("padding", [*range(65520, 65540), 131060])
def test_names_that_begin_with_a_digit_are_repaired_across_chunks(tmp_path, padding):
    text = "<a>" + " " * padding + '<3-way-ranking-item x="<3"/></a>'.replace('<3"', '3"')
    events = events_of(tmp_path, text, repair=re.compile(rb"\d-way"))
    assert [e.name for e in events][1:3] == ["_3-way-ranking-item"] * 2
