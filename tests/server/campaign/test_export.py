"""What leaves a campaign: every format, a side-car that tells the truth, nothing about people."""

import csv
import hashlib
import json
import re
from dataclasses import replace

import pytest

from rankwise import DataError, read_assessments, read_judgments, read_testset
from rankwise.io.format_table import FORMATS
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.event_export import EventPart, write_event
from rankwise.server.campaign.exchange.judgment_lines import read_records
from rankwise.server.campaign.exchange.long_table import COLUMNS, long_rows
from rankwise.server.campaign.exchange.spreadsheets import guarded
from rankwise.server.campaign.standings.counted import (
    EVERYTHING,
    Keep,
    assessments_of,
    judgments_of,
)
from rankwise.server.records import Slot
from server.campaign.made import make_plan, make_testset, simulated, stored

PROTOCOLS = [("ranking", 4), ("pairwise", 2), ("adequacy-fluency", 3), ("direct-assessment", 2)]
RANKINGS = [f.name for f in FORMATS if f.kind == "judgments" and f.writable]


def campaign(protocol="ranking", k=4, count=40):
    plan = make_plan(protocol=protocol, k=k, judges=["Ann Person"])
    testset = make_testset(6, 9)
    judgments = simulated(testset, count, k=k, protocol=protocol)
    return plan, testset, judgments


def exported(tmp_path, format, *, protocol="ranking", k=4, judgments=None, **options):
    plan, testset, simulated_ones = campaign(protocol, k)
    chosen = simulated_ones if judgments is None else judgments
    path = tmp_path / export.file_name(plan, format)
    return export.write(plan, testset, chosen, path, format=format, **options)


@pytest.mark.parametrize(("protocol", "k"), PROTOCOLS)
def test_every_format_is_written_with_a_side_car(tmp_path, protocol, k):
    plan, testset, judgments = campaign(protocol, k)
    for name, sentence in export.formats(plan):
        assert sentence
        path = tmp_path / export.file_name(plan, name)
        made = export.write(plan, testset, judgments, path, format=name)
        about = json.loads(made.sidecar.read_text(encoding="utf-8"))
        assert about["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert about["judgments"] == {"all": 40, "exported": 40, "left_out": {}}
        assert all(file.exists() for file in made.files)
        assert "Ann Person" not in made.sidecar.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RANKINGS)
def test_rankings_read_back_as_they_are(tmp_path, name):
    k, protocol = (2, "pairwise") if name in ("pwcmp", "fastchat") else (4, "ranking")
    made = exported(tmp_path, name, protocol=protocol, k=k)
    plan, _, judgments = campaign(protocol, k)
    found, expected = read_judgments(made.path, format=name), judgments_of(judgments, plan)
    assert len(found) == len(expected) == 40
    for one, other in zip(found, expected, strict=True):
        assert dict(zip(one.systems, one.ranks, strict=True)) == dict(
            zip(other.systems, other.ranks, strict=True)
        )


def test_jsonl_holds_everything(tmp_path):
    made = exported(tmp_path, "jsonl")
    plan, _, judgments = campaign()
    assert read_judgments(made.path) == judgments_of(judgments, plan, info=True)
    assert made.losses == () and made.screens is None


def test_values_read_back_as_they_are(tmp_path):
    made = exported(tmp_path, "wmt-da-tsv", protocol="direct-assessment", k=2)
    plan, _, judgments = campaign("direct-assessment", 2)
    expected = assessments_of(judgments, plan)
    assert list(read_assessments(made.path).rows()) == list(expected.rows())


def test_the_texts_read_back(tmp_path):
    made = exported(tmp_path, "testset")
    assert read_testset(made.path).outputs == make_testset(6, 9).outputs


@pytest.mark.parametrize(("protocol", "k"), PROTOCOLS)
def test_records_lose_nothing(tmp_path, protocol, k):
    _, _, judgments = campaign(protocol, k)
    hostile = replace(
        judgments[0],
        comment='=1+1\t"quoted",\r\n\u202e\x00 end',
        details={"device": "phone", "differences": 2},
        probability=0.1 + 0.2,
        supersedes=None,
        surplus=True,
        slots=(*judgments[0].slots[:-1], Slot((), "REF", "the\u2028reference")),
    )
    every = [hostile, *judgments[1:], stored(99, ["s00", "s01"], {"reason": "technical"})]
    made = exported(tmp_path, "records", protocol=protocol, k=k, judgments=every, keep=EVERYTHING)
    assert read_records(made.path) == (protocol, every)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{}", "missing key"),
        ('{"colour": 1}', "missing key|unknown key"),
        ("not json", "expected"),
    ],
)
def test_broken_records_are_refused(tmp_path, line, sentence):
    path = tmp_path / "broken.campaign.jsonl"
    header = '{"format": "rankwise-campaign", "version": 1, "protocol": "ranking"}'
    path.write_text(f"{header}\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=rf"broken\.campaign\.jsonl:2: .*({sentence})"):
        read_records(path)
    path.write_text('{"format": "other"}\n', encoding="utf-8")
    with pytest.raises(DataError, match="expected the header of rankwise-campaign"):
        read_records(path)


def test_an_answer_that_cannot_be_is_refused(tmp_path):
    made = exported(tmp_path, "records")
    text = made.path.read_text(encoding="utf-8").replace('{"ranks": [', '{"ranks": [9, ', 1)
    made.path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="5 entries; expected a list of 4 numbers"):
        read_records(made.path)


# -- the long table ------------------------------------------------------------------------------


def test_the_long_table_row_by_row():
    plan = make_plan(protocol="pairwise")
    judgments = [
        stored(
            5,
            [Slot(("A", "C")), Slot(("B",))],
            {"choice": "left"},
            shown=(1, 0),
            probability=0.125,
            comment="good",
            screen=3,
        ),
        stored(6, ["A", "B"], {"choice": "right"}, supersedes=5, screen=3, surplus=True),
    ]
    rows = list(long_rows(plan, judgments, EVERYTHING))
    assert [(r["judgment"], r["system"], r["rank"], r["text"], r["place"]) for r in rows] == [
        (5, "A", 1, 1, 2),
        (5, "C", 1, 1, 2),
        (5, "B", 2, 2, 1),
        (6, "A", 2, 1, 1),
        (6, "B", 1, 2, 2),
    ]
    assert [row["choice"] for row in rows] == ["right", "right", "right", "right", "right"]
    assert [row["superseded"] for row in rows] == [1, 1, 1, 0, 0]
    assert [row["surplus"] for row in rows] == [0, 0, 0, 1, 1]
    assert (rows[0]["probability"], rows[0]["comment"], rows[0]["screen"]) == ("0.125", "good", 3)
    assert rows[0]["received_at"] == "2023-11-14T22:18:50.000Z"
    assert all(list(row) == list(COLUMNS) for row in rows)


def test_the_long_table_of_values_and_skips():
    plan = make_plan(protocol="adequacy-fluency", k=1)
    answer = {"fluency": [3], "adequacy": [4]}
    judgments = [stored(1, ["A"], answer), stored(2, ["A"], {"reason": "offensive"})]
    first, second = long_rows(plan, judgments)
    assert (first["fluency"], first["adequacy"], first["rank"]) == (3, 4, "")
    assert (second["kind"], second["skip_reason"], second["fluency"]) == ("skip", "offensive", "")


def test_every_column_is_explained(tmp_path):
    made = exported(tmp_path, "long")
    with made.path.open(encoding="utf-8", newline="") as stream:
        assert next(csv.reader(stream)) == list(made.about["columns"])


# -- spreadsheets, filters, snapshots ------------------------------------------------------------


@pytest.mark.parametrize("cell", ["=1", "+x", "-x", "@x", "\tx", "\rx", "\0x", " =1", "＝1"])
def test_a_cell_that_would_run_is_guarded(cell):
    assert guarded(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["", "x=1", "-1", "+3", "-1.5e-7", "text", "a\tb"])
def test_other_cells_stay(cell):
    assert guarded(cell) == cell


def test_the_spreadsheet_table_guards_and_the_raw_one_does_not(tmp_path):
    judgments = [stored(1, ["s00", "s01"], {"ranks": [1, 2]}, comment='=HYPERLINK("x")\n-2+3')]
    raw = exported(tmp_path, "long", judgments=judgments)
    with raw.path.open(encoding="utf-8", newline="") as stream:
        assert next(csv.DictReader(stream))["comment"] == '=HYPERLINK("x")\n-2+3'
    safe = exported(tmp_path, "long", judgments=judgments, spreadsheet=True)
    with safe.path.open(encoding="utf-8", newline="") as stream:
        row = next(csv.DictReader(stream))
    assert row["comment"] == '\'=HYPERLINK("x")\n-2+3'
    assert row["rank"] == "1"
    assert safe.about["is_spreadsheet_safe"] and not raw.about["is_spreadsheet_safe"]


def test_the_tables_of_an_event_are_guarded_too(tmp_path):
    plan, testset, _ = campaign()
    judgments = [stored(1, ["s00", "s01"], {"ranks": [1, 2]}, comment="=cmd|' /C calc'!A0")]
    parts = [EventPart(plan, testset, judgments, {})]
    formats = ("long", "records")
    for name in ("raw", "safe"):
        (tmp_path / name).mkdir()
    raw = write_event("wmt", parts, tmp_path / "raw", formats=formats)
    safe = write_event("wmt", parts, tmp_path / "safe", formats=formats, spreadsheet=True)
    assert safe.files[0].name == "wmt.spreadsheet.csv"
    for files, quote in ((raw.files, ""), (safe.files, "'")):
        tables = [path for path in files if path.suffix == ".csv"]
        assert len(tables) == 2
        for path in tables:
            with path.open(encoding="utf-8", newline="") as stream:
                rows = list(csv.DictReader(stream))
            assert {row["comment"] for row in rows} == {f"{quote}=cmd|' /C calc'!A0"}
            assert [row["rank"] for row in rows] == ["1", "2"]


def test_a_hostile_name_is_guarded_in_every_table(tmp_path):
    testset = make_testset(2, 2)
    testset = replace(testset, outputs={"=cmd|' /C calc'!A0": ("a", "b"), "good": ("c", "d")})
    names = list(testset.systems)
    cases = [("ranking", {"ranks": [1, 2]}), ("direct-assessment", {"scores": [50, 60]})]
    for protocol, answer in cases:
        plan, judgments = make_plan(protocol=protocol, k=2), [stored(1, names, answer)]
        for name, _ in export.formats(plan):
            if name not in export.GUARDS:
                continue
            path = tmp_path / f"{protocol}-{name}"
            export.write(plan, testset, judgments, path, format=name, spreadsheet=True)
            text = path.read_text(encoding="utf-8")
            assert "'=cmd" in text
            assert not re.search(r"(^|[,\t\n\"])=cmd", text)


def test_a_long_cell_with_every_line_end_survives_the_guard(tmp_path):
    comment = "a\r\nb\rc\nd" + "x" * 200_000
    judgments = [stored(1, ["s00", "s01"], {"ranks": [1, 2]}, comment=comment)]
    made = exported(tmp_path, "long", judgments=judgments, spreadsheet=True)
    limit = csv.field_size_limit(10**6)
    with made.path.open(encoding="utf-8", newline="") as stream:
        assert next(csv.DictReader(stream))["comment"] == comment
    csv.field_size_limit(limit)


def test_only_tables_have_a_spreadsheet_version(tmp_path):
    with pytest.raises(DataError, match="'jsonl' is no table for spreadsheets; choose from long"):
        exported(tmp_path, "jsonl", spreadsheet=True)
    with pytest.raises(DataError, match="unknown format 'xls'; choose from long, records"):
        plan, testset, judgments = campaign()
        export.write(plan, testset, judgments, tmp_path / "x", format="xls")


def test_what_is_left_out_is_counted_and_said(tmp_path):
    plan, testset, judgments = campaign(count=10)
    judgments[0] = replace(judgments[0], role="control")
    judgments[1] = replace(judgments[1], is_excluded=True)
    made = export.write(plan, testset, judgments, tmp_path / "x.csv", format="long")
    assert made.left_out == {"control": 1, "excluded": 1}
    assert made.about["judgments"] == {"all": 10, "exported": 8, "left_out": made.left_out}
    assert "judgments of excluded judges are left out" in made.about["filters_in_words"]
    rows = {int(row["judgment"]) for row in long_rows(plan, judgments)}
    assert rows == set(range(3, 11))


def test_the_snapshot_names_the_judgments_not_the_format(tmp_path):
    one, two = (exported(tmp_path, name).about["snapshot"] for name in ("long", "jsonl"))
    assert one == two
    fewer = exported(tmp_path, "long", keep=Keep(("control",))).about["snapshot"]
    assert fewer != one


def test_a_format_without_room_has_the_probabilities_beside_it(tmp_path):
    plan, testset, judgments = campaign(count=3)
    judgments[1] = replace(judgments[1], probability=1 / 3, strategy="uniform")
    made = export.write(plan, testset, judgments, tmp_path / "x.csv", format="wmt-csv")
    with made.screens.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert tuple(rows[0]) == export.SCREEN_COLUMNS
    assert [row["probability"] for row in rows] == ["", repr(1 / 3), ""]


def test_no_name_of_a_person_leaves(tmp_path):
    plan, testset, judgments = campaign()
    plan = replace(plan, judges=("Dr. Erika Mustermann",))
    for name, _ in export.formats(plan):
        made = export.write(plan, testset, judgments, tmp_path / f"x-{name}", format=name)
        for file in made.files:
            assert b"Mustermann" not in file.read_bytes()
