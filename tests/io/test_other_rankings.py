"""jcml, jsonl, fastchat and pwcmp: what is read, what is written, what is refused."""

import json
from pathlib import Path

import pytest

from examples import EXAMPLES
from rankwise.errors import DataError
from rankwise.io.formats.judgments import fastchat, jcml, judgments_jsonl, pwcmp
from rankwise.types import Judgments, Ranking

HEADER = '{"format": "rankwise-judgments", "version": 1}'


def refused(module, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(DataError, match=rf"file:{message}"):
        module.read(path)


# -- jcml ------------------------------------------------------------------------------------------


def test_jcml_example():
    first, empty = jcml.read(EXAMPLES / "jcml.jcml")
    assert first == Ranking(
        "4", "kim", ("north", "south", "east"), (1, 2, None), "s1", None, "da", "en",
        {"testset": "rain"},
    )  # fmt: skip
    assert (empty.segment, empty.systems) == ("9", ())


def test_jcml_reads_the_attribute_that_is_asked_for(tmp_path):
    predicted = jcml.read(EXAMPLES / "jcml.jcml", rank="predicted")
    assert predicted[0].ranks == (2, 1.5, 3)
    target = tmp_path / "x.jcml"
    assert jcml.write(predicted, target, rank="predicted") == []
    assert jcml.read(target, rank="predicted") == predicted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<x/>", "1: found no jcml element; expected one"),
        ("<jcml>\n<judgedsentence/></jcml>", "2: found a judgedsentence without id"),
        (
            '<jcml><judgedsentence id="1">\n<tgt system="A" human="1"/></judgedsentence></jcml>',
            "2: found a tgt with system, human; expected the attribute 'rank'",
        ),
        (
            '<jcml><judgedsentence id="1">\n<tgt rank="1"/></judgedsentence></jcml>',
            "2: found a tgt with rank; expected the attribute 'system'",
        ),
        (
            '<jcml><judgedsentence id="1">\n<tgt system="A" rank="low"/></judgedsentence></jcml>',
            "2: found rank 'low'",
        ),
    ],
)
def test_wrong_jcml_is_refused(tmp_path, text, message):
    refused(jcml, tmp_path, text, message)


def test_jcml_losses(tmp_path):
    ranking = Ranking("1", "k", ("A", "B"), (1, 1), "x", (0, 0), info={"id": "a", "n": 1.0})
    assert jcml.write(Judgments.from_rankings([ranking]), tmp_path / "x") == [
        "Which systems shared a text is not held (1 ranking).",
        "Further columns are not held: id.",
        "Numbers become text in the columns n.",
    ]


# -- jsonl -----------------------------------------------------------------------------------------


def test_jsonl_example():
    first, unranked, empty = judgments = judgments_jsonl.read(EXAMPLES / "jsonl.jsonl")
    assert judgments.systems == ("east", "north", "south", "west", "unused")
    assert first == Ranking(
        "4", "kim", ("north", "south", "west"), (1, 2.5, 2.5), "11", (0, 1, 1), "da", "en",
        {"duration": 35.337, "browser": "Løve"},
    )  # fmt: skip
    assert (unranked.ranks, unranked.screen) == ((None, None), "b")
    assert (empty.systems, empty.screen) == ((), "11")


def test_jsonl_comes_back_byte_for_byte(tmp_path):
    path, target = EXAMPLES / "jsonl.jsonl", tmp_path / "again.jsonl"
    judgments_jsonl.write(judgments_jsonl.read(path), target)
    assert target.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("number", [0.1 + 0.2, 5e-324, 1.7976931348623157e308, 1e16, 123456789.0])
def test_jsonl_numbers_are_exact(tmp_path, number):
    ranking = Ranking("1", "k", ("A", "B"), (number, 1.0), "1", info={"x": -number})
    judgments_jsonl.write(Judgments.from_rankings([ranking]), tmp_path / "x")
    assert list(judgments_jsonl.read(tmp_path / "x")) == [ranking]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("", "1: expecting value; expected JSON, found ''"),
        ("{}", "1: found {}; expected"),
        ("[1]", r"1: found \[1\]; expected"),
        ('{"format": "rankwise-judgments"}', "1: found version None; expected 1"),
        ('{"format": "rankwise-judgments", "version": 2}', "1: found version 2; expected 1"),
        ('{"format": "rankwise-judgments", "version": true}', "1: found version True"),
        ('{"format": "rankwise-judgments", "version": 1, "x": 1}', "1: unknown keys"),
        ('{"format": "rankwise-judgments", "version": 1, "names": {"x": []}}', "1: unknown keys"),
        ('{"format": "rankwise-judgments", "version": 1, "names": {"judges": [1]}}', "1: judges"),
        (
            '{"format": "rankwise-judgments", "version": 1, "names": {"languages": ["da"]}}',
            "1: languages",
        ),
    ],
)
def test_wrong_headers_are_refused(tmp_path, header, message):
    refused(judgments_jsonl, tmp_path, f"{header}\n", message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"segment": "1", "segment": "2"}', "2: key 'segment' occurs twice in one object"),
        ('{"segment": "\\ud800"}', "2: half a surrogate pair; expected text that has UTF-8"),
        ('{"segment": NaN}', "2: NaN is no JSON"),
        ('{"segment": 1,}', "2: .*; expected JSON, found .* at column 1[45]"),
    ],
)
def test_lines_that_are_no_json_are_refused(tmp_path, line, message):
    header = '{"format": "rankwise-judgments", "version": 1}'
    refused(judgments_jsonl, tmp_path, f"{header}\n{line}\n", message)


RANKING = {"segment": "1", "judge": "k", "systems": ["A", "B"], "ranks": [1, 2]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"extra": 1},
            "unknown key 'extra'; expected an object with segment, judge, systems, ranks, screen, "
            "outputs, languages, info",
        ),
        ({"segment": 1}, "found segment 1; expected a string"),
        ({"judge": None}, "found judge null; expected a string"),
        ({"systems": "AB"}, "expected a list of"),
        ({"systems": ["A", 1]}, "expected a list of"),
        ({"systems": ["A", "A"]}, "system 'A' occurs twice"),
        ({"ranks": [1, True]}, "expected a list of"),
        ({"ranks": [1]}, "2 systems, 1 ranks"),
        ({"ranks": [1, 10**400]}, "expected finite"),
        ({"screen": ""}, 'found screen ""'),
        ({"screen": 7}, "found screen 7"),
        ({"outputs": [0, 0.5]}, "expected a list of integers"),
        ({"outputs": [0, 0]}, "shares an output"),
        ({"outputs": [0]}, "1 outputs"),
        ({"languages": ["da"]}, "expected a list of two strings"),
        ({"info": {"x": None}}, "expected an object of strings and finite"),
        ({"info": {"x": 10**400}}, "expected an object of strings and finite"),
        ({"info": []}, "expected an object of strings and finite"),
    ],
)
def test_wrong_rankings_are_refused(tmp_path, change, message):
    lines = [HEADER, json.dumps(RANKING), json.dumps(RANKING | change)]
    refused(judgments_jsonl, tmp_path, "\n".join(lines), f"3: .*{message}")


@pytest.mark.parametrize(
    "line",
    ["[]", "1", "{", '{"segment": NaN}', "[" * 100_000, '{"ranks": [Infinity]}', "1" * 5000],
)
def test_wrong_lines_are_refused(tmp_path, line):
    refused(judgments_jsonl, tmp_path, f"{HEADER}\n{line}\n", "2: .*expected")


def test_keys_that_are_missing_are_errors(tmp_path):
    for key in RANKING:
        cut = {k: v for k, v in RANKING.items() if k != key}
        refused(judgments_jsonl, tmp_path, f"{HEADER}\n{json.dumps(cut)}", "2: .*expected")


# -- fastchat --------------------------------------------------------------------------------------


def test_clean_battles():
    first, tie, both_bad = fastchat.read(EXAMPLES / "fastchat.json")
    assert first == Ranking(
        "q4", "arena_user_kim", ("north", "south"), (2, 1), "1",
        info={
            "label": "model_b", "turn": 2, "anony": 1, "language": "Danish",
            "tstamp": 1700000000.25,
        },
    )  # fmt: skip
    assert tie.ranks == both_bad.ranks == (1, 1)
    assert (tie.info["label"], both_bad.info["label"]) == ("tie", "tie (bothbad)")
    assert tie.info["anony"] == 0


def test_the_log_becomes_battles_without_addresses(tmp_path):
    judgments = fastchat.read(EXAMPLES / "fastchat-log.jsonl")
    first, second = judgments
    assert first == Ranking(
        "c4", "judge1", ("north", "south"), (2, 1), "1",
        info={"label": "model_b", "turn": 1, "anony": 1, "tstamp": 1700000001.0},
    )  # fmt: skip
    assert (second.judge, second.systems, second.info["anony"]) == ("judge2", ("east", "west"), 0)
    judgments_jsonl.write(judgments, tmp_path / "x")
    assert "203.0" not in (tmp_path / "x").read_text()


def test_battles_are_written_with_exactly_the_clean_keys(tmp_path):
    target = tmp_path / "x.json"
    fastchat.write(fastchat.read(EXAMPLES / "fastchat.json"), target)
    keys = ("model_a", "model_b", "winner", "judge", "turn", "anony", "language", "tstamp")
    original = json.loads((EXAMPLES / "fastchat.json").read_text())
    written = json.loads(target.read_text())
    assert written == [{key: battle[key] for key in keys} for battle in original]
    assert all(tuple(battle) == keys for battle in written)
    assert isinstance(written[0]["turn"], int)
    fastchat.write(fastchat.read(EXAMPLES / "fastchat.json"), target, question_ids=True)
    assert [battle["question_id"] for battle in json.loads(target.read_text())] == [
        "q4",
        "q9",
        "q9",
    ]


def test_larger_rankings_become_battles(tmp_path):
    ranking = Ranking("1", "k", ("A", "B", "C", "D"), (1, 2, 1, None))
    losses = fastchat.write(Judgments.from_rankings([ranking]), tmp_path / "x")
    battles = json.loads((tmp_path / "x").read_text())
    assert [(b["model_a"], b["model_b"], b["winner"]) for b in battles] == [
        ("A", "B", "model_a"),
        ("A", "C", "tie"),
        ("B", "C", "model_b"),
    ]
    assert losses == [
        "Outputs that were not ranked are not held (1 ranking).",
        "Rankings of more than two systems become pairs (1), each a screen of its own: ranges of "
        "ranks come out too narrow.",
        "Segments are not held.",
    ]


def test_no_battles_are_an_empty_list(tmp_path):
    fastchat.write(Judgments.from_rankings([]), tmp_path / "x")
    assert json.loads((tmp_path / "x").read_text()) == []
    assert len(fastchat.read(tmp_path / "x")) == 0


BATTLE = '{"model_a": "A", "model_b": "B", "winner": "tie"}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"model_a": "A", "model_b": "B", "winner": "A"}', "1: found winner 'A'; expected one of"),
        ('{"model_a": "A", "model_b": "B", "winner": ["tie"]}', "1: found winner"),
        ('{"model_a": "A", "winner": "tie"}', "1: found model_a 'A', model_b None; expected two"),
        ('{"model_a": "A", "model_b": "A", "winner": "tie"}', "1: system 'A' occurs twice"),
        ('{"x": 1}', "1: found no winner and no type"),
        ('{"type": "leftvote"}', "1: found a leftvote without two states"),
        ('{"type": "leftvote", "states": [{}, {}]}', "1: found model_a '', model_b ''"),
        (BATTLE[:-1] + ', "turn": "one"}', "1: found turn 'one'; expected a number"),
        (BATTLE[:-1] + f', "tstamp": {"9" * 400}}}', "1: found tstamp 9+; expected a number"),
        (f"[\n{BATTLE},\n\n{BATTLE[:-1]}]", "4: .*expected a list of objects"),
        (f"[\n{BATTLE},\n7]", "3: found '7'; expected a JSON object"),
        (f"[\n{BATTLE}\n{BATTLE}]", "3: found '{' behind a value of the list"),
        (f"[{BATTLE},]", "1: .*expected a list of objects"),
        (f"[{BATTLE}", "1: found '' behind a value of the list"),
        (f"[{BATTLE}]\nx", "2: text behind the list"),
        (f"{BATTLE}\n{BATTLE}x", "2: extra data; expected JSON"),
    ],
)
def test_wrong_battles_are_refused(tmp_path, text, message):
    refused(fastchat, tmp_path, text, message)


def test_columns_that_battles_cannot_hold_are_refused(tmp_path):
    ranking = Ranking("1", "k", ("A", "B"), (1, 2), info={"turn": "first"})
    with pytest.raises(DataError, match="column 'turn' holds 'first'"):
        fastchat.write(Judgments.from_rankings([ranking]), tmp_path / "x")


# -- pwcmp -----------------------------------------------------------------------------------------


def test_choices_come_back_byte_for_byte(tmp_path):
    path = EXAMPLES / "pwcmp.csv"
    first, second = judgments = pwcmp.read(path)
    assert first == Ranking("rain:4", "kim", ("north", "south"), (1, 2), "1", info={"session": "1"})
    assert (second.systems, second.ranks) == (("east", "west, far"), (2, 1))
    assert pwcmp.write(judgments, tmp_path / "x") == []
    assert (tmp_path / "x").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("cell", ["", "2", "0.5", "yes"])
def test_other_choices_are_refused(tmp_path, cell):
    text = f"observer,session,scene,condition_A,condition_B,is_A_selected\nk,1,s,A,B,{cell}\n"
    refused(pwcmp, tmp_path, text, f"2: found is_A_selected '{cell}'; expected 1 or 0")


def test_ties_are_not_held_and_said_to_be_lost(tmp_path):
    judgments = Judgments.from_rankings([Ranking("1", "k", ("A", "B"), (1, 1))])
    assert pwcmp.write(judgments, tmp_path / "x") == ["Tied pairs are not held (1)."]
    assert len((tmp_path / "x").read_text().splitlines()) == 1
