"""Files read side by side: the lines of whole files, however they are cut into blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.errors import DataError
from rankwise.io import files
from rankwise.io.parts.candidates import read_candidates
from rankwise.io.parts.parallel_lines import parallel_blocks

texts = st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]), max_size=9)


def lines_of(paths):
    columns = [[] for _ in paths]
    for block in parallel_blocks(paths):
        assert len({len(lines) for lines in block}) == 1
        for column, lines in zip(columns, block, strict=True):
            column += lines
    return columns


@given(st.lists(st.tuples(texts, texts, texts), max_size=30), st.integers(1, 40))
def test_blocks_hold_the_lines_of_the_files(tmp_path_factory, rows, size):
    folder = tmp_path_factory.mktemp("parallel")
    expected = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    paths = []
    for number, column in enumerate(expected):
        path = folder / str(number)
        # A reader drops U+FEFF at the start of a file; a second one saves the first.
        path.write_text("\ufeff" * bool(column) + "".join(f"{line}\n" for line in column), "utf-8")
        paths.append(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_BLOCK_BYTES", size)
        assert lines_of(paths) == expected


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_files_that_do_not_end_together_are_counted(tmp_path, monkeypatch, size):
    monkeypatch.setattr(files, "_BLOCK_BYTES", size)
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("a\n" * 20)
    two.write_text("b\n" * 33)
    for paths, message in (
        ([one, two], "two has 33 lines, but .*one has 20; expected parallel files"),
        ([two, one], "one has 20 lines, but .*two has 33; expected parallel files"),
    ):
        with pytest.raises(DataError, match=message):
            lines_of(paths)


def test_candidates_between_blank_lines(tmp_path):
    path = tmp_path / "n-best"
    path.write_text("\n\na\nb\n \n\nc\n")
    assert list(read_candidates(path)) == [["a", "b"], ["c"]]
    path.write_text("a\n\nb\nc\n")
    assert list(read_candidates(path, size=2)) == [["a", ""], ["b", "c"]]
