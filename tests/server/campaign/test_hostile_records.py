"""Records from strangers: a value that is none is refused in a sentence, nothing is stored."""

import json
from dataclasses import replace

import pytest
from sqlalchemy import text

from rankwise import DataError
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.importing import read_finished
from rankwise.server.campaign.exchange.judgment_lines import read_records
from rankwise.server.campaign.standings.counted import EVERYTHING
from rankwise.server.campaign.standings.standings import compute
from server.campaign.made import make_plan, make_testset, simulated, stored

HUGE = int("9" * 400)
VALUES = [None, True, -1, 1.5, 2**63, HUGE, 1e308, "\0", "a" * 70_000, [], [[]], {"a": HUGE}]
#: What is taken with some of these values, such as no comment or a judge whose name is a NUL.
TAKEN = {
    *("comment", "is_excluded", "judge", "probability", "repeats", "seed"),
    *("slots.text", "slots.texts", "supersedes", "surplus"),
}
TABLES = ("judges", "identities", "screens", "leases", "judgments", "events")
ERROR = {"start": 0, "end": 3, "severity": "major"}


def documents(*, end=3):
    """Judgments of error spans, in documents of three segments."""
    cell = {"spans": [ERROR | {"end": end}], "score": 50}
    return [
        stored(n, ["s00"], {"segments": [[cell]] * 3}, segment="1", segments=("1", "2", "3"))
        for n in range(1, 4)
    ]


def records_of(plan, testset, judgments, path):
    """The header, and every judgment as the object of its line."""
    export.write(plan, testset, judgments, path, format="records", keep=EVERYTHING)
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    return head, [json.loads(line) for line in lines]


def damaged(row):
    """The name of what was replaced, and the judgment."""
    for key in row:
        for value in VALUES:
            yield key, row | {key: value}
    for part in ("slots", "shown"):
        for value in VALUES:
            yield part, row | {part: [value, *row[part][1:]]}
    first, *others = row["slots"]
    for key in first:
        for value in VALUES:
            yield f"slots.{key}", row | {"slots": [first | {key: value}, *others]}
    for key in row["answer"]:
        for value in VALUES:
            yield f"answer.{key}", row | {"answer": {key: value}}
    for key in ERROR if "segments" in row["answer"] else ():
        for value in VALUES:
            cells = [[{"spans": [ERROR | {key: value}], "score": 50}]] * 3
            yield f"error.{key}", row | {"answer": {"segments": cells}}


def rows_in(database):
    with database.read() as connection:
        return [connection.execute(text(f"SELECT count(*) FROM {t}")).scalar() for t in TABLES]


@pytest.mark.parametrize("protocol", ["ranking", "pairwise", "adequacy-fluency", "esa"])
def test_no_value_of_a_judgment_breaks_anything(store, tmp_path, protocol):
    testset, path = make_testset(6, 9), tmp_path / "x.campaign.jsonl"
    plan = make_plan(protocol=protocol, **({} if protocol == "esa" else {"k": 2}))
    is_document = protocol == "esa"
    made = documents() if is_document else simulated(testset, 3, k=2, protocol=protocol)
    head, (row, *others) = records_of(plan, testset, made, path)
    campaign = store.campaigns.add(plan, testset, actor="test")
    before, taken = rows_in(store.database), []
    for what, damage in damaged(row):
        lines = [head, *map(json.dumps, (damage, *others))]
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            found = read_finished(path, plan, testset)
        except DataError as error:
            said = str(error)
            assert said.startswith(str(path)), said
            assert "\n" not in said and len(said) < len(str(path)) + 300, said[:600]
        else:
            taken.append(what)
            store.judging.add_finished(campaign.id, found.finished, actor="test", again=True)
    assert before != rows_in(store.database), "what may stand there is taken"
    assert set(taken) - {"segments"} == TAKEN
    # all that was taken can be counted and exported, and read again
    found = list(store.log.stored(campaign.id, superseded=True))
    assert compute(plan, testset, found, seed=1).people
    for name in ("records", "long"):
        export.write(plan, testset, found, tmp_path / f"out.{name}", format=name, keep=EVERYTHING)
    protocol_again, again = read_records(tmp_path / "out.records", plan.rules)
    assert (protocol_again, len(again)) == (protocol, len(found))


def lines_of(tmp_path):
    plan, testset = make_plan(k=2), make_testset(6, 9)
    return records_of(plan, testset, simulated(testset, 3, k=2), tmp_path / "made")


SLOT = {"systems": ["s00"], "role": "TGT", "text": None, "texts": None}
FILES = {
    "a name twice": (
        lambda head, rows: [head, json.dumps(rows[0])[:-1] + ', "judge": "x"}'],
        r":2: key 'judge' occurs twice in one object",
    ),
    "the same judgment twice": (
        lambda head, rows: [head, *[json.dumps(rows[0])] * 2],
        r":3: judgment 1 occurs twice; expected it once",
    ),
    "a system on both sides": (
        lambda head, rows: [head, json.dumps(rows[0] | {"slots": [SLOT, SLOT]})],
        r": judgment 1 has the systems .*; expected every text of a screen to have systems of its",
    ),
    "a text of no system": (
        lambda head, rows: [
            head,
            json.dumps(rows[0] | {"slots": [SLOT, SLOT | {"systems": []}]}),
        ],
        r": judgment 1 has the systems .*; expected every text of a screen to have systems of its",
    ),
    "another campaign's segments": (
        lambda head, rows: [head, json.dumps(rows[0] | {"segment": "news:77"})],
        r": segment 'news:77' is none of the test set's",
    ),
    "brackets without end": (
        lambda head, rows: [head, json.dumps(rows[0])[:-1] + ', "x": ' + "[" * 100_000],
        r":2: too deeply nested; expected JSON",
    ),
    "brackets within a detail": (
        lambda head, rows: [
            head,
            json.dumps(rows[0] | {"details": {}}).replace(
                '"details": {}', '"details": {"a": ' + "[" * 900 + "]" * 900 + "}"
            ),
        ],
        r":2: 'details' is .*; expected an object of numbers, words and truth values",
    ),
    "digits without end": (
        lambda head, rows: [head, json.dumps(rows[0]).replace('"seed": ', '"seed": ' + "9" * 5000)],
        r":2: .*expected JSON",
    ),
    "half a surrogate pair": (
        lambda head, rows: [head, json.dumps(rows[0] | {"judge": "\ud800"})],
        r":2: half a surrogate pair; expected text that has UTF-8",
    ),
    "no UTF-8": (
        lambda head, rows: [head, "\udcff" + json.dumps(rows[0])],
        r":2: byte 1 of the line is 0xff; expected valid UTF-8",
    ),
    "a line of 10 MB": (
        lambda head, rows: [head, json.dumps(rows[0] | {"comment": "a" * 10_000_000})],
        r":2: the line is longer than 4,194,304 bytes; expected a shorter one",
    ),
    "a comment of 1 MB": (
        lambda head, rows: [head, json.dumps(rows[0] | {"comment": "a" * 1_000_000})],
        r":2: 'comment' is .*; expected null or at most 4000 characters",
    ),
    "no object": (
        lambda head, rows: [head, "[" * 9],
        r":2: expecting value; expected JSON",
    ),
    "a protocol that is a list": (
        lambda head, rows: [head.replace('"ranking"', "[1]"), json.dumps(rows[0])],
        r":1: protocol is \[1\]; expected one of",
    ),
}


@pytest.mark.parametrize("what", FILES)
def test_a_hostile_file_is_a_sentence(tmp_path, what):
    make, sentence = FILES[what]
    path = tmp_path / "x.campaign.jsonl"
    made = "\n".join(make(*lines_of(tmp_path)))
    path.write_bytes(made.encode(errors="surrogateescape"))
    with pytest.raises(DataError, match=rf"^{path}{sentence}") as found:
        read_finished(path, make_plan(k=2), make_testset(6, 9))
    assert "\n" not in str(found.value) and len(str(found.value)) < len(str(path)) + 300


def test_an_error_beyond_the_end_of_a_text_is_refused(tmp_path):
    plan, testset = make_plan(protocol="esa"), make_testset(6, 9)
    path = tmp_path / "x.campaign.jsonl"
    records_of(plan, testset, documents(end=999), path)
    with pytest.raises(
        DataError, match=r"judgment 1: segment 1, text 1: an error ends at 999; the"
    ):
        read_finished(path, plan, testset)


def test_a_document_of_another_campaign_is_refused(tmp_path):
    plan, testset = make_plan(protocol="esa"), make_testset(6, 9)
    path = tmp_path / "x.campaign.jsonl"
    head, (row, *_) = records_of(plan, testset, documents(), path)
    for names in (["1", "3", "2"], ["2", "3", "4"], ["7", "8", "9"]):
        path.write_text(f"{head}\n{json.dumps(row | {'segments': names})}", encoding="utf-8")
        with pytest.raises(DataError, match="expected segments that follow each other in the test"):
            read_finished(path, plan, testset)


def test_an_output_that_the_campaign_lacks_is_refused(tmp_path):
    plan, whole = make_plan(k=2), make_testset(6, 9)
    path = tmp_path / "x.campaign.jsonl"
    records_of(plan, whole, [stored(1, ["s00", "s01"], {"ranks": [1, 2]})], path)
    lacking = {"s01": (None, *whole.outputs["s01"][1:])}
    less = replace(whole, outputs={**whole.outputs, **lacking})
    with pytest.raises(DataError, match=r"the campaign has no text of 's01' for '1'"):
        read_finished(path, plan, less)
