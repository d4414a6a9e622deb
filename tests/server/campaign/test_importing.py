"""Judgments made elsewhere: another campaign's records, WMT's CSV, Appraise's XML, values."""

import json
from dataclasses import replace

import pytest

from rankwise import DataError, example, write_assessments, write_judgments
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.importing import from_judgments, read_finished
from rankwise.server.campaign.plan.other_tools.appraise_batches import read_batches
from rankwise.server.campaign.plan.plan_files import example_campaign, load_testset
from rankwise.server.campaign.standings.counted import EVERYTHING, judgments_of
from rankwise.types import Assessments, Judgments, Ranking
from server.campaign.made import make_plan, make_testset, simulated, stored

PROTOCOLS = [("ranking", 4), ("pairwise", 2), ("adequacy-fluency", 3), ("direct-assessment", 2)]


@pytest.mark.parametrize(("protocol", "k"), PROTOCOLS)
def test_raw_export_and_import_are_the_same_judgments(tmp_path, protocol, k):
    plan, testset = make_plan(protocol=protocol, k=k), make_testset(6, 9)
    judgments = simulated(testset, 30, k=k, protocol=protocol)
    path = tmp_path / "x.campaign.jsonl"
    export.write(plan, testset, judgments, path, format="records", keep=EVERYTHING)
    found = read_finished(path, plan, testset)
    assert found.left_out == {}
    for one, other in zip(found.finished, judgments, strict=True):
        assert (one.judge, one.kind, one.answer) == (other.judge, other.kind, other.answer)
        assert (one.screen.slots, one.screen.segment) == (other.slots, other.segment)
        assert (one.active_ms, one.received_at) == (other.active_ms, other.received_at)
        assert one.details["shown"] == list(other.shown)
        assert one.comment == other.comment


def test_what_was_revised_or_repeated_is_left_out(tmp_path):
    plan, testset, both = make_plan(k=2), make_testset(), ["s00", "s01"]
    judgments = [
        stored(1, both, {"ranks": [1, 2]}),
        stored(2, both, {"ranks": [2, 1]}, supersedes=1),
        stored(3, both, {"ranks": [2, 1]}, role="repeat", repeats=1),
    ]
    path = tmp_path / "x.campaign.jsonl"
    export.write(plan, testset, judgments, path, format="records", keep=EVERYTHING)
    found = read_finished(path, plan, testset)
    assert [one.answer for one in found.finished] == [{"ranks": [2, 1]}]
    assert found.left_out == {"repeat": 1, "superseded": 1}


@pytest.mark.parametrize("name", ["jsonl", "wmt-csv", "wmt-pairwise", "appraise-xml", "jcml"])
def test_rankings_of_every_format_come_in(tmp_path, name):
    plan, testset = example_campaign()
    path = tmp_path / "judgments"
    write_judgments(example().judgments, path, format=name)
    found = read_finished(path, plan, testset)
    again = [
        stored(n, one.screen.slots, one.answer, segment=one.screen.segment, judge=one.judge)
        for n, one in enumerate(found.finished, 1)
    ]
    expected = example().judgments
    mine = judgments_of(again, plan)
    assert mine.pair_count == expected.pair_count
    assert len(again) + sum(found.left_out.values()) <= len(expected)


def test_a_shared_text_is_one_slot_and_unranked_ones_go(tmp_path):
    plan, testset = make_plan(k=3), make_testset(4)
    rankings = [
        Ranking("1", "ann", ("s00", "s01", "s02"), (1, 1, 7), outputs=(0, 0, 1)),
        Ranking("2", "ann", ("s00", "s01", "s02"), (3, None, 1)),
        Ranking("3", "ann", ("s00", "s01"), (None, None)),
        Ranking("4", "ann", ("s00", "s01"), (1, None)),
    ]
    path = tmp_path / "j.jsonl"
    write_judgments(Judgments.from_rankings(rankings), path)
    found = read_finished(path, plan, testset)
    assert [slot.systems for slot in found.finished[0].screen.slots] == [("s00", "s01"), ("s02",)]
    assert [one.answer for one in found.finished] == [
        {"ranks": [1, 2]},
        {"ranks": [2, 1]},
        {"reason": "other"},
    ]
    assert found.left_out == {"screens of 1 texts": 1}


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), -1.0, 1e300])
def test_a_time_that_cannot_be_is_none(seconds):
    plan, info = make_plan(k=2), {"active_seconds": seconds}
    judgments = Judgments.from_rankings([Ranking("1", "ann", ("s00", "s01"), (1, 2), info=info)])
    (found,) = from_judgments(judgments, plan, make_testset()).finished
    assert found.active_ms == 0


def test_pairs_become_choices(tmp_path):
    plan, testset = make_plan(protocol="pairwise"), make_testset()
    ranks = [(1, 2), (2, 1), (1, 1)]
    rankings = [Ranking("1", "ann", ("s00", "s01"), pair) for pair in ranks]
    write_judgments(Judgments.from_rankings(rankings), tmp_path / "j.jsonl")
    found = read_finished(tmp_path / "j.jsonl", plan, testset)
    assert [one.answer["choice"] for one in found.finished] == ["left", "right", "equal"]


def test_names_that_the_campaign_does_not_have(tmp_path):
    path = tmp_path / "j.jsonl"
    for ranking, sentence in (
        (Ranking("1", "ann", ("s00", "zz"), (1, 2)), "system 'zz' is none of the test set's"),
        (Ranking("77", "ann", ("s00", "s01"), (1, 2)), "segment '77' is none of the test set's"),
    ):
        write_judgments(Judgments.from_rankings([ranking]), path)
        with pytest.raises(DataError, match=rf"j\.jsonl: {sentence}"):
            read_finished(path, make_plan(), make_testset())


def test_values_come_in_one_by_one(tmp_path):
    plan, testset = make_plan(protocol="direct-assessment"), make_testset()
    rows = [("s00", "1", "ann", "TGT", 55.0), ("s00", "1", "ann", "BAD", 3.0)]
    path = tmp_path / "da.tsv"
    write_assessments(Assessments.from_rows(rows, name="DA"), path, format="wmt-da-tsv")
    found = read_finished(path, plan, testset)
    assert [one.answer for one in found.finished] == [{"scores": [55]}]
    assert found.left_out == {"BAD": 1}
    with pytest.raises(DataError, match="import records instead"):
        read_finished(path, make_plan(protocol="adequacy-fluency"), testset)


def test_half_points_are_refused(tmp_path):
    rows = [("s00", "1", "ann", "TGT", 55.5)]
    write_assessments(Assessments.from_rows(rows), tmp_path / "da.tsv", format="wmt-da-tsv")
    with pytest.raises(DataError, match=r"gave 55\.5; expected whole numbers"):
        read_finished(tmp_path / "da.tsv", make_plan(protocol="direct-assessment"), make_testset())


def test_records_of_another_protocol(tmp_path):
    plan, testset = make_plan(k=2), make_testset()
    path = tmp_path / "x.campaign.jsonl"
    export.write(plan, testset, simulated(testset, 3, k=2), path, format="records")
    with pytest.raises(DataError, match="are of protocol 'ranking'; expected 'pairwise'"):
        read_finished(path, make_plan(protocol="pairwise"), testset)


# -- Appraise's batches as a test set ------------------------------------------------------------

ITEM = {"itemID": 7, "itemType": "TGT", "sourceID": "src", "sourceText": "Guten Tag"}


def test_batches_of_json(tmp_path):
    items = [
        ITEM | {"targetID": "a", "targetText": "Good day"},
        ITEM | {"targetID": "b+c", "targetText": "Hello"},
        ITEM | {"itemType": "BAD", "targetID": "a", "targetText": "Good cheese"},
        ITEM | {"itemType": "REF", "targetID": "ref", "targetText": "Good day!"},
        ITEM
        | {"itemID": 8, "sourceText": "Nein", "targets": [{"targetID": "a", "targetText": "No"}]},
    ]
    path = tmp_path / "batches.json"
    path.write_text(json.dumps([{"items": items, "task": {}}]), encoding="utf-8")
    found = read_batches(path)
    assert dict(found.outputs) == {
        "a": ("Good day", "No"),
        "b": ("Hello", None),
        "c": ("Hello", None),
    }
    assert [(s.id, s.source, s.references) for s in found.segments] == [
        ("7", "Guten Tag", ("Good day!",)),
        ("8", "Nein", ()),
    ]
    plan = make_plan(texts={"source": "batches.json", "format": "appraise-batches"})
    assert load_testset(plan, tmp_path).systems == ("a", "b", "c")


def test_batches_of_esa(tmp_path):
    """The ids of documents say the system; what is there to learn on or to catch is no segment."""
    one = ITEM | {"documentID": "news#a", "targetID": "a", "targetText": "Good day", "mqm": []}
    lesson = {"tutorial": {"instruction": "Mark it."}, "payload": []}
    items = [
        one | {"documentID": "learn", "targetID": "learn", "mqm": lesson, "itemID": 1000},
        one,
        one | {"documentID": "news#a#dup1"},
        one | {"documentID": "news#a#bad1", "itemType": "BAD", "targetText": "Good cheese"},
        one | {"documentID": "news#b", "targetID": "b", "targetText": "Hello"},
        one | {"documentID": "news#b", "targetID": "b", "isCompleteDocument": True},
    ]
    path = tmp_path / "batches.json"
    path.write_text(json.dumps([{"items": items, "task": {}}]), encoding="utf-8")
    found = read_batches(path)
    assert dict(found.outputs) == {"a": ("Good day",), "b": ("Hello",)}
    assert [(s.id, s.document) for s in found.segments] == [("news:7", "news")]


@pytest.mark.parametrize("protocol", ["esa", "mqm", "direct-assessment"])
def test_batches_that_we_write_are_the_same_texts(tmp_path, protocol):
    plan, testset = make_plan(protocol=protocol, k=1), make_testset(7, 60)
    outputs = {**testset.outputs, "s03": (None, *testset.outputs["s03"][1:])}
    testset = replace(testset, outputs=outputs)
    severity = {"esa": {"severity": "minor"}, "mqm": {"severity": "minor", "category": "Other"}}
    span = {"start": 0, "end": 4, **severity.get(protocol, {})}
    missing = {"mark": "[missing]", **severity.get(protocol, {})}
    given = {"s01": [[span, missing], *[None] * 59]} if protocol in severity else {}
    path = tmp_path / "x.batches.json"
    export.write(plan, testset, [], path, format="appraise-batches", given=given)
    found = read_batches(path)
    assert found.systems == testset.systems
    ours = {f"{s.document}:{n}": (n - 1, s) for n, s in enumerate(testset.segments, 1)}
    assert {s.id for s in found.segments} == set(ours)
    for place, segment in enumerate(found.segments):
        number, own = ours[segment.id]
        assert (segment.source, segment.document) == (own.source, own.document)
        assert all(found.outputs[n][place] == testset.outputs[n][number] for n in found.systems)
    batches = json.loads(path.read_text(encoding="utf-8"))
    items = [item for batch in batches for item in batch["items"]]
    assert len(items) == 60 * 7 - 1
    assert {len(b["items"]) <= 100 for b in batches} == {True}
    where = {(item["documentID"], n) for n, b in enumerate(batches) for item in b["items"]}
    assert len(where) == len({document for document, _ in where}), "a run is in one batch"
    task = batches[0]["task"]
    assert (task["sourceLanguage"], task["targetLanguage"]) == ("deu", "eng")
    marked = [item["mqm"] for item in items if item.get("mqm")]
    if protocol in severity:
        kind = {"error_type": "Other"} if protocol == "mqm" else {}
        place = {"start_i": 0, "end_i": 3, "severity": "minor", **kind}
        assert marked == [[place, place | {"start_i": "missing", "end_i": "missing"}]]
    else:
        assert "mqm" not in items[0]


def test_batches_of_xml(tmp_path):
    path = tmp_path / "batch.xml"
    path.write_text(
        """<set id="x" source-language="deu" target-language="eng">
        <seg id="7" doc-id="news"><source>Guten Tag</source><reference>Good day!</reference>
        <translation system="a">Good &lt;day&gt;</translation>
        <translation system="b,c">Hello</translation></seg></set>""",
        encoding="utf-8",
    )
    found = read_batches(path)
    assert dict(found.outputs) == {"a": ("Good <day>",), "b": ("Hello",), "c": ("Hello",)}
    assert (found.segments[0].document, found.segments[0].references) == ("news", ("Good day!",))


def test_entities_are_never_expanded(tmp_path):
    path = tmp_path / "bomb.xml"
    path.write_text(
        '<!DOCTYPE s [<!ENTITY a "b">]><set><seg id="1">&a;</seg></set>', encoding="utf-8"
    )
    with pytest.raises(DataError, match=r"bomb\.xml:1: entity"):
        read_batches(path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ([{"task": 1}], "without a list of 'items'"),
        ([{"items": [{"itemID": 1}]}], "an item lacks 'sourceText'"),
        ([{"items": []}], "no item with a source"),
        (
            [
                {
                    "items": [
                        ITEM | {"targetID": "a", "targetText": "x"},
                        ITEM | {"sourceText": "other", "targetID": "a", "targetText": "x"},
                    ]
                }
            ],
            "segment '7' has two different sources",
        ),
    ],
)
def test_broken_batches(tmp_path, content, sentence):
    path = tmp_path / "batches.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(DataError, match=sentence):
        read_batches(path)
