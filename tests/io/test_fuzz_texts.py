"""Damaged test sets, scores and assessments: read, or explained; never anything else."""

import gzip
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankwise.errors import DataError, StoreError
from rankwise.io import read_assessments, read_parallel, read_scores, read_testset
from rankwise.io.format_table import formats_of

EXAMPLES = Path(__file__).parent / "examples" / "texts"
READERS = {"testset": read_testset, "scores": read_scores, "assessments": read_assessments}

#: (kind, format, example file); formats that are folders are damaged file by file below.
FILES = [
    ("testset", "testset-jsonl", "harbour.testset.jsonl"),
    ("testset", "wmt-xml", "wmt21.xml"),
    ("testset", "sgml", "sgml/source.sgm"),
    ("testset", "jcml", "harbour.jcml"),
    ("testset", "tsv", "testset.tsv"),
    ("testset", "tsv", "outputs.tsv"),
    ("testset", "text", "text/source.txt"),
    ("scores", "scores-json", "scores.json"),
    ("scores", "scores-tsv", "scores.tsv"),
    ("scores", "wmt-metrics", "wmt-metrics.tsv"),
    ("scores", "mtme-scores", "lark.seg.score"),
    ("scores", "mtme-scores", "lark.domain.score"),
    ("scores", "numbers", "tern.txt"),
    ("assessments", "wmt-da-tsv", "judgments.tsv"),
    ("assessments", "campaign-values", "campaign.csv"),
    ("assessments", "wmt-esa", "esa.jsonl"),
    ("assessments", "pearmut", "pearmut.jsonl"),
    ("assessments", "mqm-tsv", "mqm.tsv"),
    ("assessments", "mtme-ratings", "mqm.seg.rating"),
    ("assessments", "appraise-scores", "appraise-da.csv"),
    ("assessments", "appraise-scores", "appraise-esa.csv"),
    ("assessments", "values-table", "values.csv"),
]
BY_FILE = pytest.mark.parametrize(("kind", "name", "file"), FILES)
NAMES = [(f.kind, f.name) for kind in READERS for f in formats_of(kind) if f.name != "evalset"]

SPLINTERS = [
    *(b"", b"\t", b",", b'"', b"\n", b"\r", b"\0", b"-1", b"+", b"1e400", b"\xc3", b"\xff"),
    *(b"null", b"true", b"NaN", b"None", b"[]", b"]", b"{", b"\\", b"\\ud800", b"9" * 5000),
    *(b"<", b"</", b"&", b"&#0;", b"<seg>", b"</seg>", b"<doc>", b"<v>", b"</v>", b"missing"),
]


def check_read_or_explained(kind, path, name):
    try:
        READERS[kind](path, format=name)
    except (DataError, StoreError) as error:
        message = str(error)
        assert message.startswith(str(path)), message
        assert re.search("expected|choose from|cannot be read", message), message
        assert "\n" not in message, message


@cache
def content(file):
    return (EXAMPLES / file).read_bytes()


def damaged(file):
    """The same file, damaged by hand in the ways files are damaged."""
    raw, text = content(file), content(file).decode()
    lines = raw.splitlines(keepends=True)
    return [
        b"",
        b"\n\n \n",
        lines[0],
        lines[0].rstrip(),
        raw[: len(raw) // 2],
        raw[:-3],
        b"".join(lines[1:]),
        lines[0] + raw,
        raw + raw,
        raw + lines[-1],
        b"".join(reversed(lines)),
        raw.rstrip() + b"\tx\n",
        raw.rstrip() + b",x\n",
        raw.replace(b"\t", b" "),
        raw.replace(b"\t", b"\t\t"),
        text.replace("e", "é").encode("latin-1", "replace"),
        text.encode("utf-16"),
        text.encode("utf-16-le"),
        text.encode("utf-32"),
        text.encode("utf-8-sig"),
        raw[:40] + b"\0" + raw[40:],
        raw + b"\0\0",
        b"\0" * 500,
        bytes(range(256)) * 4,
        raw.replace(b"\n", b"\r"),
        raw.replace(b"\n", b"\r\r\n"),
        b"a\tb\tc\n" + b"".join(lines[1:]),
        b"\t\t\t\t\t\n" * 5,
        b",,,,,,,,\n" * 5,
        raw + b"x" * 300_000 + b"\n",
        b"[" * 50_000,
        b'{"a":' * 50_000,
        b"<a>" * 50_000,
        b"<srcset><doc>" + b"<seg id=1>" * 20_000,
        raw.replace(b"tern", b"\\ud800"),
        raw.replace(b"1", b"9" * 5000),
        raw.replace(b"1", b"-"),
    ]


@BY_FILE
def test_damaged_files_are_read_or_explained(kind, name, file, tmp_path):
    for number, raw in enumerate(damaged(file)):
        target = tmp_path / f"{number}.{Path(file).name}"
        target.write_bytes(raw)
        check_read_or_explained(kind, target, name)
        if name != "text":
            check_read_or_explained(kind, target, None)


@BY_FILE
def test_files_of_another_format_are_read_or_explained(kind, name, file):
    for other_kind, other in NAMES:
        check_read_or_explained(other_kind, EXAMPLES / file, other)


@BY_FILE
def test_truncated_gzip_is_explained(kind, name, file, tmp_path):
    packed = gzip.compress(content(file) * 3)
    target = tmp_path / "file.gz"
    for size in (0, 1, 2, 9, 12, len(packed) // 2, len(packed) - 9, len(packed) - 1):
        target.write_bytes(packed[:size])
        check_read_or_explained(kind, target, name)


@pytest.mark.parametrize("size", [0, 5, -9])
def test_truncated_gzip_is_never_read_as_if_it_were_whole(size, tmp_path):
    packed = gzip.compress(b"one\ntwo\n" * 1000)
    target = tmp_path / "file.gz"
    target.write_bytes(packed[:size] if size else packed[:1] + packed[3:])
    with pytest.raises(DataError, match="expected an intact gzip file"):
        read_parallel(target)


@BY_FILE
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_random_damage_is_read_or_explained(kind, name, file, data, tmp_path):
    raw = bytearray(content(file))
    lines = content(file).splitlines(keepends=True)
    pieces = st.one_of(st.sampled_from(SPLINTERS), st.binary(max_size=4), st.sampled_from(lines))
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(raw)))
        size = data.draw(st.integers(0, 12))
        raw[begin : begin + size] = data.draw(pieces)
    target = tmp_path / Path(file).name
    target.write_bytes(bytes(raw))
    check_read_or_explained(kind, target, name)


@pytest.mark.parametrize(("kind", "name"), NAMES)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(raw=st.binary(max_size=120))
def test_noise_is_read_or_explained(kind, name, raw, tmp_path):
    target = tmp_path / "file"
    target.write_bytes(raw)
    check_read_or_explained(kind, target, name)


LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY c SYSTEM "file:///etc/passwd">]>"""


@pytest.mark.parametrize("head", [LAUGHS, OUTSIDE], ids=["billion laughs", "external"])
@pytest.mark.parametrize("name", ["wmt-xml", "jcml"])
def test_entities_are_refused(head, name, tmp_path):
    bodies = {
        "wmt-xml": b'<dataset><doc><src><seg id="1">&c;</seg></src></doc></dataset>',
        "jcml": b'<jcml><judgedsentence id="1"><src>&c;</src></judgedsentence></jcml>',
    }
    path = tmp_path / "file.xml"
    path.write_bytes(head + bodies[name])
    with pytest.raises(DataError, match=r"file\.xml:\d+: entity .* is declared or used"):
        read_testset(path, format=name)


@pytest.mark.parametrize("name", ["wmt-xml", "jcml", "sgml"])
def test_a_deep_or_unclosed_file_takes_no_time(name, tmp_path):
    # Each of these is quadratic or worse for a careless reader.
    for raw in (b"<srcset " + b"a=" * 100_000, b"<doc a='" * 50_000, b"<seg>" * 100_000):
        path = tmp_path / "file"
        path.write_bytes(raw)
        check_read_or_explained("testset", path, name)


@pytest.mark.parametrize(
    "file",
    [
        "sources/de-en.txt",
        "documents/de-en.docs",
        "references/de-en.A.txt",
        "system-outputs/de-en/tern.txt",
    ],
)
@pytest.mark.parametrize("raw", [b"", b"\xff\n", b"a\n", b"a\0\n", b"\t\t\n" * 3])
def test_a_damaged_evalset_names_the_file(file, raw, tmp_path):
    for path in (EXAMPLES / "evalset").rglob("*.*"):
        if path.is_file():
            target = tmp_path / path.relative_to(EXAMPLES / "evalset")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (tmp_path / file).write_bytes(raw)
    try:
        read_testset(tmp_path)
    except DataError as error:
        assert str(tmp_path / file) in str(error)
    else:
        assert raw == b"\t\t\n" * 3
        assert "documents" not in file


def test_a_folder_where_a_file_is_expected(tmp_path):
    for kind, name in NAMES:
        if name in ("text", "sgml"):
            continue
        with pytest.raises(StoreError, match="cannot be read"):
            READERS[kind](tmp_path, format=name)
