"""Opening and writing: compression, standard streams, pipes, encodings, half-written files."""

import bz2
import gc
import gzip
import io
import lzma
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from pathlib import Path

import pytest

import rankwise as rw
from rankwise.errors import DataError, MissingExtra, StoreError
from rankwise.io.files import peek_bytes, read_blocks, read_lines, stem_of, write_text
from rankwise.io.parts.line_text import all_lines
from rankwise.io.sniffing import read_head, sniff


@pytest.fixture
def stdin(monkeypatch):
    def replace(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return replace


def test_lines_are_numbered_and_lose_only_their_ends(tmp_path):
    path = tmp_path / "file"
    path.write_bytes("\ufeffone\r\ntwo\x0c\u2028\n\nfour".encode())
    assert list(read_lines(path)) == [(1, "one"), (2, "two\x0c\u2028"), (3, ""), (4, "four")]


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_gzip_is_known_by_its_first_bytes(tmp_path, suffix):
    path = tmp_path / f"file{suffix}"
    path.write_bytes(gzip.compress(b"one\ntwo\n", mtime=0))
    assert [line for _, line in read_lines(path)] == ["one", "two"]
    assert peek_bytes(path, 3) == b"one"


@pytest.mark.parametrize(
    "content",
    [
        b"plain",
        gzip.compress(b"one\n" * 9999, mtime=0)[:-12],
        gzip.compress(bytes(range(256)) * 99, mtime=0)[:40],
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff\xff\xff\xff\xff",
        b"\x1f\x8b",
        gzip.compress(b"one\n", mtime=0)[:-8] + b"12345678",
    ],
)
def test_broken_gzip_is_reported(tmp_path, content):
    path = tmp_path / "file.gz"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"file\.gz: expected an intact gzip file, but "):
        list(read_lines(path))


def test_blocks_hold_whole_lines_and_all_of_the_text(tmp_path, monkeypatch):
    monkeypatch.setattr("rankwise.io.files._BLOCK_BYTES", 5)
    path = tmp_path / "file"
    path.write_bytes("\ufeffæ\nlonger line\r\n\nx".encode())
    assert list(read_blocks(path)) == [(1, "æ\n"), (2, "longer line\r\n"), (3, "\nx")]


@pytest.mark.parametrize("reader", [read_lines, read_blocks])
def test_a_byte_that_is_not_utf8_is_reported_with_its_place(tmp_path, reader):
    path = tmp_path / "file"
    path.write_bytes(b"one\n\ntw\xe9\n")
    with pytest.raises(DataError, match=r"file:3: byte 3 of the line is 0xe9; expected valid UTF"):
        list(reader(path))


def test_standard_input_is_still_whole_after_a_peek(stdin):
    stdin(b"one\ntwo\n")
    assert peek_bytes("-", 3) == b"one"
    assert peek_bytes("-", 5) == b"one\nt"
    assert read_head("-").lines == ("one", "two")
    assert [line for _, line in read_lines("-")] == ["one", "two"]
    stdin(b"other\n")
    assert [line for _, line in read_lines("-")] == ["other"]


def test_a_peek_at_another_standard_input_is_forgotten(stdin):
    stdin(b"one\n")
    peek_bytes("-", 3)
    stdin(b"two\n")
    assert peek_bytes("-", 3) == b"two"
    assert list(read_lines("-")) == [(1, "two")]


def test_standard_input_may_be_gzip(stdin):
    stdin(gzip.compress(b"one\ntwo\n", mtime=0))
    assert read_head("-").lines == ("one", "two")
    assert [line for _, line in read_lines("-")] == ["one", "two"]
    stdin(b"\x1f\x8b\x08\x00" + b"\xff" * 99)
    with pytest.raises(DataError, match="<stdin>: expected an intact gzip file"):
        read_head("-")


def test_standard_input_stays_open():
    code = "from rankwise.io.files import *; import sys; list(read_lines('-')); sys.stdin.read()"
    subprocess.run([sys.executable, "-c", code], input=b"x\n", check=True)


def test_a_pipe_that_is_written_in_parts_is_read_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def feed() -> None:
        with path.open("wb", buffering=0) as stream:
            for part in (b"on", b"e\n", b"two\n"):
                stream.write(part)

    writer = threading.Thread(target=feed)
    writer.start()
    assert read_head(path).lines == ("one", "two")
    assert [line for _, line in read_lines(path)] == ["one", "two"]
    writer.join()


# -- writing ---------------------------------------------------------------------------------------


def test_nothing_appears_before_all_is_written(tmp_path):
    target = tmp_path / "file"
    target.write_text("before")

    def fail() -> None:
        with write_text(target) as stream:
            stream.write("half")
            assert target.read_text() == "before"
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_equal_text_gives_equal_gzip(tmp_path):
    for name in ("a.gz", "b.gz"):
        with write_text(tmp_path / name) as stream:
            stream.write("æ\r\n")
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == "æ\r\n".encode()
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_place_that_cannot_be_written_is_a_store_error(tmp_path):
    with (
        pytest.raises(StoreError, match="cannot be written: No such file"),
        write_text(tmp_path / "none" / "file"),
    ):
        pass
    with pytest.raises(StoreError, match="cannot be written: Is a directory"), write_text(tmp_path):
        pass


def test_text_without_utf8_is_refused(tmp_path):
    with (
        pytest.raises(DataError, match=r"found '\\ud800'; expected text that has UTF-8"),
        write_text(tmp_path / "file") as stream,
    ):
        stream.write("\ud800")
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_the_locale_lacks_is_told(tmp_path, monkeypatch):
    def in_latin_5(prefix, dir):
        f"{dir}/{prefix}".encode("iso8859-9")

    monkeypatch.setattr(tempfile, "mkstemp", in_latin_5)
    said = r"cannot be made: names of files have no '\\u0436' in this locale .*; set LC_ALL=C.UTF-8"
    with pytest.raises(DataError, match=said), write_text(tmp_path / "жук"):
        pass


def test_standard_output_is_written(capsys):
    with write_text("-") as stream:
        stream.write("one\n")
    assert capsys.readouterr().out == "one\n"


def test_permissions_follow_the_mask(tmp_path):
    with write_text(tmp_path / "file"):
        pass
    mask = os.umask(0)
    os.umask(mask)
    assert Path(tmp_path / "file").stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_pipe_is_written_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    with write_text(pipe) as stream:
        stream.write("one\n")
    reader.join(timeout=120)
    assert found == [b"one\n"]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to("file")
    with write_text(tmp_path / "link") as stream:
        stream.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_standard_input_is_not_a_folder_called_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-").mkdir()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\n")))
    assert read_head("-").lines == ("one",)


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_what_fails_in_the_middle_writes_nothing_later(tmp_path, name):
    with pytest.raises(KeyError), write_text(tmp_path / name) as stream:
        stream.write("half of it")
        raise KeyError(name)
    del stream
    gc.collect()  # what Python says about a stream that it clears away is an error here
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("suffix", "pack"), [(".xz", lzma.compress), (".bz2", bz2.compress)])
def test_xz_and_bzip2_are_known_by_their_first_bytes(tmp_path, stdin, suffix, pack):
    for name in ("plain.txt", f"system.txt{suffix}"):
        path = tmp_path / name
        path.write_bytes(pack(b"one\ntwo\n"))
        assert list(read_lines(path)) == [(1, "one"), (2, "two")]
        assert peek_bytes(path, 3) == b"one"
    assert stem_of(tmp_path / f"system.txt{suffix}") == "system"
    stdin(pack(b"one\ntwo\n"))
    assert peek_bytes("-", 4096) == b"one\ntwo\n"
    assert list(read_lines("-")) == [(1, "one"), (2, "two")]
    path.write_bytes(pack(b"one\n" * 9999)[:-20])
    with pytest.raises(DataError, match=r"expected an intact (xz|bzip2) file, but"):
        list(read_lines(path))


ZSTD = "zstandard" if sys.version_info < (3, 14) else "compression.zstd"


def zstd_packed(content: bytes) -> bytes:
    found = pytest.importorskip(ZSTD, reason="the extra zstd is not installed")
    whole = found.compress(content)
    return whole if ZSTD != "zstandard" else bytes(whole)


def test_zstd_is_known_by_its_first_bytes(tmp_path, stdin):
    packed = zstd_packed(b"one\ntwo\n")
    for name in ("plain.txt", "system.txt.zst"):
        path = tmp_path / name
        path.write_bytes(packed)
        assert list(read_lines(path)) == [(1, "one"), (2, "two")]
        assert peek_bytes(path, 3) == b"one"
    assert stem_of(tmp_path / "system.txt.zst") == "system"
    stdin(packed)
    assert peek_bytes("-", 4096) == b"one\ntwo\n"
    assert list(read_lines("-")) == [(1, "one"), (2, "two")]
    with pytest.raises(DataError, match=r"bad.txt.zst: expected an intact zstd file, but"):
        (tmp_path / "bad.txt.zst").write_bytes(b"one\n")
        list(read_lines(tmp_path / "bad.txt.zst"))


def test_zstd_of_several_frames_is_read_whole(tmp_path):
    """As ``cat one.zst two.zst`` and pzstd write it, and of many pieces."""
    lines = [f"line {number * 7919 % 10_007}" for number in range(30_000)]
    frames = [lines[:3], lines[3:9000], [], lines[9000:]]
    parts = ["".join(f"{line}\n" for line in some).encode() for some in frames]
    path = tmp_path / "system.txt.zst"
    path.write_bytes(b"".join(map(zstd_packed, parts)))
    assert [line for _, line in read_lines(path)] == lines
    whole = path.read_bytes()
    for cut in (len(whole) - 1, len(whole) // 2):
        path.write_bytes(whole[:cut])
        with pytest.raises(DataError, match=r"system.txt.zst: expected an intact zstd file, but"):
            list(read_lines(path))


def test_zstd_says_what_to_install(tmp_path, stdin, monkeypatch):
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    packed = b"\x28\xb5\x2f\xfd" + bytes(9)
    path = tmp_path / "file.txt"
    path.write_bytes(packed)
    message = r"file.txt: files packed by zstd need zstandard: pip install 'rankwise\[zstd\]'"
    with pytest.raises(MissingExtra, match=message):
        list(read_lines(path))
    stdin(packed)
    with pytest.raises(MissingExtra, match=r"<stdin>: files packed by zstd need zstandard"):
        peek_bytes("-", 4096)


def test_utf16_is_named(tmp_path):
    path = tmp_path / "file.txt"
    for encoding in ("utf-16", "utf-16-be"):
        mark = "" if encoding == "utf-16" else "\ufeff"
        path.write_bytes(f"{mark}één\n".encode(encoding))
        with pytest.raises(DataError, match=r"file.txt:1: is UTF-16; expected UTF-8 \(iconv"):
            list(read_lines(path))


def made(kind, path):
    """A file of a kind that is no text."""
    if kind == "tar":
        with tarfile.open(path, "w") as archive:
            archive.addfile(tarfile.TarInfo("a.txt"))
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.txt", "a\nb\n")
    else:
        path.write_bytes("system\tscore\nA\t1\n".encode(kind))
    return path


KINDS = {
    "zip": "file.txt:1: is a ZIP archive, as workbooks are; expected text (unpack it",
    "tar": "file.txt:1: is a tar archive; expected text (unpack it)",
    "utf-16": "file.txt:1: is UTF-16; expected UTF-8 (iconv -f UTF-16 -t UTF-8)",
    "utf-16-le": "file.txt:1: is UTF-16LE; expected UTF-8 (iconv -f UTF-16LE -t UTF-8)",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "read", [all_lines, sniff, rw.read_scores], ids=["lines", "sniff", "scores"]
)
def test_what_is_no_text_is_named(kind, read, tmp_path):
    with pytest.raises(DataError, match=re.escape(KINDS[kind])):
        read(made(kind, tmp_path / "file.txt"))
