"""Lines of bytes: the native core against Python's own methods, byte by byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from rankwise.errors import DataError
from rankwise.io import files
from rankwise.io.parts.line_text import all_lines

#: What makes and hides line ends, letters of every width, halves of letters, and odd bytes.
PIECES = [b"\n", b"\r", b"\r\n", b"a", b" ", b"0123456789abcdef", "é".encode(), "語".encode()]
PIECES += ["😀".encode(), "\u2028".encode(), b"\xc3", b"\xed\xa0\x80", b"\xff", b"\0", b"\x85"]
blocks = st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)


def lines(block):
    """The lines of a block, the slow way; None where it holds a NUL or is no UTF-8."""
    try:
        text = block.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    return text.replace("\r\n", "\n").removesuffix("\r").removesuffix("\n").split("\n")


@given(blocks)
def test_native_lines_equal_those_of_python(block):
    found = _core.utf8_lines(block)
    assert found == lines(block)
    # Strings are as narrow as Python makes them; kernels and comparisons rely on it.
    assert found is None or [str(line).isascii() for line in found] == [
        line.encode().isascii() for line in found
    ]


@given(blocks, st.integers(1, 9))
def test_files_in_small_blocks_have_the_same_lines(tmp_path_factory, block, size):
    path = tmp_path_factory.mktemp("lines") / "file"
    path.write_bytes(block)
    expected = lines(block.removeprefix(b"\xef\xbb\xbf"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_BLOCK_BYTES", size)
        if expected is None:
            with pytest.raises(DataError, match=r"expected (valid UTF-8|text in UTF-8)"):
                all_lines(path)
        elif "\r" not in block.decode()[-2:]:  # an end that is cut through ends two lines
            assert all_lines(path) == (expected if block else [])
