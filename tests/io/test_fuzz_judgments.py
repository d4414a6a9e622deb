"""Damaged files: every reader reads them or says where and what, and never fails otherwise."""

import gzip
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import JUDGMENT_FILES
from rankwise.errors import DataError, StoreError
from rankwise.io import read_judgments
from rankwise.io.format_table import formats_of

NAMES = [f.name for f in formats_of("judgments")]
BY_FILE = pytest.mark.parametrize(
    ("name", "path"), JUDGMENT_FILES, ids=lambda value: getattr(value, "name", value)
)

SPLINTERS = [
    *(b"", b",", b'"', b"\n", b"\r", b"\0", b"-1", b"+", b"1e400", b"\xc3", b"\xff"),
    *(b"null", b"true", b"NaN", b"1e999", b"[]", b"]", b"{", b"\\", b"<", b"</", b"&", b"&#0;"),
]


def check_read_or_explained(path: Path, name: str | None) -> None:
    """Read *path*; an error must say where (file:line, or file for gzip) and what was expected."""
    try:
        list(read_judgments(path, format=name))
    except (DataError, StoreError) as error:
        message = str(error)
        gzipped = "expected an intact gzip file" in message
        place = rf"{re.escape(str(path))}:" if gzipped else rf"{re.escape(str(path))}:\d+: "
        assert re.match(place, message), message
        assert "expected" in message or "occurs twice" in message or "compared" in message, message
        assert "\n" not in message, message


@cache
def content(path: Path) -> bytes:
    return path.read_bytes()


def lines(path: Path) -> list[bytes]:
    return content(path).splitlines(keepends=True)


def damaged(path: Path) -> dict[str, bytes]:
    """The same file, damaged by hand in the ways files are damaged."""
    raw, text = content(path), content(path).decode()
    shuffled = lines(path)
    return {
        "empty": b"",
        "blank": b"\n\n \n",
        "first line only": shuffled[0],
        "header without its line end": shuffled[0].rstrip(),
        "cut in half": raw[: len(raw) // 2],
        "cut before the end": raw[:-3],
        "without the first line": b"".join(shuffled[1:]),
        "first line twice": shuffled[0] + raw,
        "twice": raw + raw,
        "backwards": b"".join(reversed(shuffled)),
        "last line longer": raw.rstrip() + b",,x\n",
        "latin-1": text.replace("o", "ø").encode("latin-1"),
        "utf-16": text.encode("utf-16"),
        "utf-16 without mark": text.encode("utf-16-le"),
        "utf-8 with mark": text.encode("utf-8-sig"),
        "utf-7": text.encode("utf-7"),
        "nul inside": raw[:40] + b"\0" + raw[40:],
        "nul at the end": raw + b"\0\0",
        "all nul": b"\0" * 500,
        "binary": bytes(range(256)) * 4,
        "carriage returns only": raw.replace(b"\n", b"\r"),
        "doubled carriage returns": raw.replace(b"\n", b"\r\r\n"),
        "an open quote": raw.replace(b"north", b'"north', 1),
        "a quote within": raw.replace(b"north", b'no"rth"', 1),
        "other header": b"a,b,c\n" + b"".join(shuffled[1:]),
        "only commas": b",,,,,,\n" * 5,
        "a long line": raw + b"x" * 300_000 + b"\n",
        "brackets": b"[" * 50_000,
        "braces": b'{"a":' * 50_000,
        "tags": b"<a>" * 50_000,
        "a surrogate": raw.replace(b"north", b"\\ud800"),
    }


@BY_FILE
def test_damaged_files_are_read_or_explained(name, path, tmp_path):
    for number, raw in enumerate(damaged(path).values()):
        target = tmp_path / str(number)
        target.write_bytes(raw)
        check_read_or_explained(target, name)
        check_read_or_explained(target, None)


@BY_FILE
def test_files_of_another_format_are_read_or_explained(name, path):
    for other in NAMES:
        check_read_or_explained(path, other)


@BY_FILE
def test_truncated_gzip_is_explained(name, path, tmp_path):
    packed = gzip.compress(content(path) * 3)
    target = tmp_path / "file.gz"
    for size in (0, 1, 2, 9, 12, len(packed) // 2, len(packed) - 9, len(packed) - 1):
        target.write_bytes(packed[:size])
        check_read_or_explained(target, name)
    flipped = bytearray(packed)
    for position in range(10, len(packed), 7):
        flipped[position] ^= 0x55
        target.write_bytes(bytes(flipped))
        check_read_or_explained(target, name)
        flipped[position] ^= 0x55


@BY_FILE
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_random_damage_is_read_or_explained(name, path, data, tmp_path):
    raw = bytearray(content(path))
    pieces = st.one_of(
        st.sampled_from(SPLINTERS), st.binary(max_size=4), st.sampled_from(lines(path))
    )
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(raw)))
        size = data.draw(st.integers(0, 12))
        raw[begin : begin + size] = data.draw(pieces)
    target = tmp_path / "file"
    target.write_bytes(bytes(raw))
    check_read_or_explained(target, name)


@pytest.mark.parametrize("name", NAMES)
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(raw=st.binary(max_size=200))
def test_noise_is_read_or_explained(name, raw, tmp_path):
    target = tmp_path / "file"
    target.write_bytes(raw)
    check_read_or_explained(target, name)
