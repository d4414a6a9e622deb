"""The beginning of a file, as formats see it."""

import pytest

import rankwise as rw
from rankwise.errors import DataError
from rankwise.io import sniff
from rankwise.io.sniffing import HEAD_BYTES, Head, read_head


def test_lines_and_columns():
    head = Head("x", 'a, "b",c\r\n1,2\n\n')
    assert head.lines == ('a, "b",c', "1,2", "")
    assert head.first_line == 'a, "b",c'
    assert head.columns == ("a", "b", "c")
    assert Head("x", "").lines == ()
    assert Head("x", "").columns == ("",)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}\n{"b": 2}', {"a": 1}),
        (' [ {"a": 1}, 2]', {"a": 1}),
        ("[1]", None),
        ("{", None),
        ("", None),
        ('{"a":' * 100_000, None),
    ],
)
def test_first_object(text, value):
    assert Head("x", text).first_object == value


def test_keys_of_an_object_that_is_cut_short():
    assert Head("x", '[{"a": 1, "b": "long').first_keys == {"a", "b"}
    assert Head("x", '{"a": 1, "b": {"c": 2}}').first_keys == {"a", "b"}
    assert Head("x", 'text "a": 1').first_keys == frozenset()


def test_a_first_battle_longer_than_the_head_is_recognised(tmp_path):
    path = tmp_path / "long.json"
    conversation = "x" * (2 * HEAD_BYTES)
    path.write_text(
        f'[{{"model_a": "A", "model_b": "B", "winner": "tie", "conversation_a": "{conversation}"}}]'
    )
    assert sniff(path).name == "fastchat"
    assert not read_head(path).is_whole


def test_bytes_that_are_not_utf8_do_not_disturb(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbfa\xff\n")
    assert read_head(path).text == "a\ufffd\n"


@pytest.mark.parametrize("read", [sniff, rw.read_scores, rw.read_judgments])
def test_what_is_not_recognised_can_be_named_where_the_message_says(read, tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("x\ty\tz\n1\t2\t3\n")
    with pytest.raises(DataError, match=r"can be named: rankwise convert --from, or format= in"):
        read(path)
