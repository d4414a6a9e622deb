"""Appraise's ranking results: both layouts, pseudonyms, what is refused."""

from pathlib import Path

import pytest

from examples import EXAMPLES
from rankwise.errors import DataError
from rankwise.io.formats.judgments import appraise_xml
from rankwise.types import Judgments, Ranking

WMT, OLDER = EXAMPLES / "appraise-xml.xml", EXAMPLES / "appraise-xml-older.xml"


def read_text(tmp_path: Path, text: str, **options) -> Judgments:
    path = tmp_path / "results.xml"
    path.write_text(text)
    return appraise_xml.read(path, **options)


def item(attributes: str, inside: str = "") -> str:
    return (
        f"<appraise-results>\n<ranking-item {attributes}>{inside}</ranking-item></appraise-results>"
    )


def test_the_layout_of_wmt():
    first, skipped, last = appraise_xml.read(WMT)
    about = {"hit-id": "f00d", "block-id": "3"}
    assert first == Ranking(
        "4", "judge1", ("north", "south", "west", "east"), (1, 2, 2, None), "1", (0, 1, 1, 2),
        "dan", "eng", about | {"duration": 35.337},
    )  # fmt: skip
    assert skipped == Ranking(
        "4", "judge2", (), (), "2", None, "dan", "eng", about | {"duration": 3723.0}
    )
    assert (last.segment, last.judge, last.ranks) == ("9", "judge1", (2, 2))


def test_the_older_layout():
    first, skipped, less, equal = appraise_xml.read(OLDER)
    assert first == Ranking(
        "4", "judge1", ("north", "south"), (1, 2), "1", None, "dan", "eng",
        {"duration": 35.337, "doc-id": "news"},
    )  # fmt: skip
    assert skipped.is_skipped
    assert (less.systems, less.ranks, equal.ranks) == (("A", "B"), (2, 1), (1, 1))


def test_users_are_kept_only_on_demand(tmp_path):
    assert appraise_xml.read(WMT).judges == ("judge1", "judge2")
    kept = appraise_xml.read(WMT, keep_judges=True)
    assert kept.judges == ("kim@example.org", "lou@example.org")
    target = tmp_path / "again.xml"
    assert appraise_xml.write(kept, target) == []
    assert appraise_xml.read(target, keep_judges=True) == kept


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [
        ("00:00:00", 0),
        ("0:01:02.5", 62.5),
        ("23:59:59.999999", 86399.999999),
        ("2 days, 1:00:00", 176400),
        ("1 day, 0:00:00.000001", 86400.000001),
    ],
)
def test_durations_are_seconds(tmp_path, duration, seconds):
    judgments = read_text(tmp_path, item(f'id="1" user="k" duration="{duration}"'))
    assert judgments[0].info == {"duration": seconds}


@pytest.mark.parametrize("seconds", [0.0, 35.337, 3599.999999, 86400.000001, 359999.1])
def test_durations_come_back(tmp_path, seconds):
    ranking = Ranking("1", "judge1", (), (), "1", info={"duration": seconds})
    target = tmp_path / "x.xml"
    assert appraise_xml.write(Judgments.from_rankings([ranking]), target) == []
    assert list(appraise_xml.read(target)) == [ranking]


def test_a_skipped_item_has_no_ranks_even_if_outputs_are_listed(tmp_path):
    inside = '<translation system="A" rank="1"/><translation system="B" rank="2"/>'
    (ranking,) = read_text(tmp_path, item('id="1" user="k" skipped="true"', inside))
    assert (ranking.systems, ranking.ranks) == (("A", "B"), (None, None))


def test_results_without_any_ranking_are_read(tmp_path):
    assert len(read_text(tmp_path, "<WMT16-results />")) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html/>", ":1: found no ranking; expected ranking-result"),
        (item('user="k"'), ":2: found an item without id; expected one there"),
        (item('id="1" user="k" duration="soon"'), ":2: found duration 'soon'; expected HH:MM:SS"),
        (item('id="1" user="k"', "\n<translation system='A'/>"), ":3: .*without rank; expected"),
        (item('id="1" user="k"', "\n<translation rank='1'/>"), ":3: .*without system; expected"),
        (item('id="1" user="k"', "<translation system='A' rank='best'/>"), ":2: found rank 'best'"),
        (
            item('id="1" user="k"', "<translation system='A,,B' rank='1'/>"),
            ":2: found system 'A,,B'",
        ),
        (item('id="1" user="k"', "<translation system='A,A' rank='1'/>"), ":2: system 'A' occurs"),
        (item('id="1" user="k" result="A?B"'), ":2: found result .*expected A>B, A=B, A<B"),
        ("<WMT15-results>\n<HIT>", ":2: .*expected well-formed XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><WMT15-results/>', ":1: entity 'b' is declared"),
    ],
)
def test_wrong_results_are_refused(tmp_path, text, message):
    with pytest.raises(DataError, match=rf"results\.xml{message}"):
        read_text(tmp_path, text)


def test_losses(tmp_path):
    ranking = Ranking("1", "k", ("A", "B,C"), (1, 2), "x", info={"note": "a", "duration": 1 / 3})
    assert appraise_xml.write(Judgments.from_rankings([ranking]), tmp_path / "x.xml") == [
        "Names of screens are not held.",
        "Further columns are not held: note.",
        "Durations are held to the microsecond.",
        "Names that are empty or have ',' do not come back: 'B,C'.",
    ]


@pytest.mark.parametrize("cell", ["soon", -1.0, 4e6])
def test_other_durations_cannot_be_written(tmp_path, cell):
    ranking = Ranking("1", "k", ("A",), (1,), info={"duration": cell})
    with pytest.raises(DataError, match="cannot be written"):
        appraise_xml.write(Judgments.from_rankings([ranking]), tmp_path / "x.xml")


def test_characters_that_xml_cannot_hold_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"has '\\x00', which XML cannot hold"):
        appraise_xml.write(
            Judgments.from_rankings([Ranking("1", "\0", ("A",), (1,))]), tmp_path / "x.xml"
        )
