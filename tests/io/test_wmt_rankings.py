"""WMT's two ranking files: what rows mean, what is refused, and the real files byte for byte."""

import csv
import gzip
import time
from pathlib import Path

import pytest

from examples import EXAMPLES
from rankwise.errors import DataError
from rankwise.io import read_judgments, write_judgments
from rankwise.io.formats.judgments import wmt_csv, wmt_pairwise
from rankwise.io.formats.judgments.wmt_cells import Names
from rankwise.types import Judgments, Ranking
from shared_data import SHARED, needs_shared

PAIRS = (EXAMPLES / "wmt-pairwise.csv").read_text().splitlines()[0]
FIVE = (EXAMPLES / "wmt-csv.csv").read_text().splitlines()[0]


def pairs_of(tmp_path: Path, *rows: str, end: str = "\n", **options) -> list[Ranking]:
    """Rankings of rows written short: ``A1 B2 #7`` is A rank 1, B rank 2 on screen 7."""
    lines = [PAIRS]
    for row in rows:
        left, right, screen = row.split()
        cells = (left[:-1], left[-1], right[:-1], right[-1], screen[1:])
        lines.append("da,en,4,4,kim," + ",".join(cells).replace("*", "-1"))
    path = tmp_path / "pairs.csv"
    path.write_bytes(end.join([*lines, ""]).encode())
    return list(wmt_pairwise.read(path, **options))


def ranked(rankings: list[Ranking]) -> list[tuple]:
    return [(r.systems, r.ranks, r.screen) for r in rankings]


# -- five systems per row --------------------------------------------------------------------------


def test_five_way_example():
    kim, lou, skipped = wmt_csv.read(EXAMPLES / "wmt-csv.csv")
    assert kim == Ranking(
        "4", "kim", ("north", "south", "east", "west", "centre"), (2, 1, 2, 4, 5), "1",
        source_language="Danish", target_language="English",
    )  # fmt: skip
    assert (lou.systems, lou.ranks) == (("east", "north", "west", "south"), (1, 3, 3, None))
    assert lou.outputs == (0, 1, 1, 2)
    assert skipped.is_skipped
    assert skipped.info == {"documentId": "news", "segmentId": "2"}


def test_columns_are_found_by_name_in_any_order_and_number(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text(
        "JUDGEID,system1rank,system2rank,system3rank,extra,srcIndex,system1Id,system2Id,system3Id,"
        "trglang,srclang\nkim,2,1,1,?,7,A,B,C,en,da\n"
    )
    (ranking,) = wmt_csv.read(path)
    assert ranking == Ranking("7", "kim", ("A", "B", "C"), (2, 1, 1), "1", None, "da", "en")


def test_a_file_of_more_systems_is_written_with_more_columns(tmp_path):
    seven = Ranking("1", "kim", tuple("ABCDEFG"), (1, 2, 3, 4, 5, 6, 7), "1")
    target = tmp_path / "seven.csv"
    wmt_csv.write(Judgments.from_rankings([seven]), target)
    assert target.read_text().splitlines()[0].endswith("system6rank,system7rank")
    assert list(wmt_csv.read(target)) == [seven]


def test_numbers_of_systems_are_kept(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text(f"{FIVE}\nda,en,4,-1,4,kim,7,A,8,B,9,C,10,D,11,E,1,2,3,4,5\n")
    judgments = wmt_csv.read(path)
    assert judgments[0].info == {"systemNumbers": "7 8 9 10 11"}
    wmt_csv.write(judgments, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("da,en,4,-1,4,kim,-1,A,-1,B,-1,C,-1,D,-1,E,1,2,3,4", ":2: found 20 cells; expected 21"),
        ("da,en,4,-1,4,kim,-1,A,-1,B,-1,C,-1,D,-1,E,1,2,3,4,5,6", ":2: found 22 cells"),
        ("da,en,4,-1,4,kim,-1,A,-1,B,-1,C,-1,D,-1,E,1,2,3,4,x", ":2: found rank 'x'; expected"),
        ("da,en,4,-1,4,kim,-1,A,-1,B,-1,C,-1,D,-1,E,1,2,3,4,-2", ":2: found rank '-2'; expected"),
        ("da,en,4,-1,4,kim,-1,A,-1,B,-1,C,-1,D,-1,E,1,2,3,4,", ":2: found rank ''; expected"),
        ("da,en,4,-1,4,kim,-1,A,-1,A,-1,C,-1,D,-1,E,1,2,3,4,5", ":2: system 'A' occurs twice"),
        ("da,en,4,-1,4,kim,-1,A,-1,,-1,C,-1,D,-1,E,1,2,3,4,5", ":2: found system ''"),
        ("da,en,4,-1,4,kim,-1,A,-1,B+,-1,C,-1,D,-1,E,1,2,3,4,5", r":2: found system 'B\+'"),
        ('da,en,4,-1,4,kim,-1,"A', ":2: unexpected end of data; expected CSV with closed"),
        ('"da"n,en', ":2: ',' expected after '\"'; expected CSV"),
    ],
)
def test_wrong_rows_are_refused(tmp_path, row, message):
    path = tmp_path / "five.csv"
    path.write_text(f"{FIVE}\n{row}\n")
    with pytest.raises(DataError, match=f"five.csv{message}"):
        wmt_csv.read(path)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("srclang,trglang,srcIndex,judgeId", "expected system1Id"),
        ("srclang,trglang,srcIndex,system1Id,system1rank", "expected judgeId"),
        ("srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank", "system2rank"),
        ("srclang,srclang", "a column occurs twice"),
        ("", "begins with no text; expected a CSV header"),
    ],
)
def test_wrong_headers_are_refused(tmp_path, header, message):
    path = tmp_path / "five.csv"
    path.write_text(header)
    with pytest.raises(DataError, match=rf"five.csv:1: .*{message}"):
        wmt_csv.read(path)


@pytest.mark.parametrize("module", [wmt_csv, wmt_pairwise])
def test_a_header_alone_holds_no_rankings(tmp_path, module):
    path = tmp_path / "head.csv"
    path.write_text(f"{FIVE if module is wmt_csv else PAIRS}\n")
    assert len(module.read(path)) == 0


def test_thousands_of_names_in_a_cell_take_no_time():
    """Every run of names was joined and looked up: 2,000 took three minutes."""
    parts = [f"s{n}" for n in range(3000)]
    whole = ["+".join(parts[begin : begin + 40]) for begin in range(0, 3000, 500)]
    begun = time.thread_time()
    assert Names()["+".join(parts)] == tuple(parts)
    found = Names(whole)["+".join(parts)]
    assert time.thread_time() - begun < 5
    assert [name for name in found if "+" in name] == whole
    assert len(found) == 3000 - 6 * 39


def test_the_longest_whole_name_counts():
    names = Names(["a+b", "a+b+c", "c+d"])
    assert names["a+b+c+d"] == ("a+b+c", "d")
    assert names["a+b+d+a+c+d"] == ("a+b", "d", "a", "c+d")
    assert names["a+b+c+d+a"] == ("a+b+c", "d", "a")


def test_names_with_a_plus_can_be_kept_whole(tmp_path):
    rows = ["a+Big+R2L1 c2 #1"]
    assert pairs_of(tmp_path, *rows)[0].systems == ("a", "Big", "R2L", "c")
    (ranking,) = pairs_of(tmp_path, *rows, whole_names=["Big+R2L"])
    assert (ranking.systems, ranking.outputs) == (("a", "Big+R2L", "c"), (0, 0, 1))


def test_a_ranking_below_zero_cannot_be_written(tmp_path):
    judgments = Judgments.from_rankings([Ranking("1", "k", ("A", "B"), (-1.0, 2))])
    for name in ("wmt-csv", "wmt-pairwise", "jcml", "appraise-xml"):
        with pytest.raises(DataError, match=r"rank -1\.0 cannot be written"):
            write_judgments(judgments, tmp_path / "x", format=name)
    assert list(tmp_path.iterdir()) == []


# -- a pair of systems per row ---------------------------------------------------------------------


def test_complete_runs_become_one_ranking(tmp_path):
    found = pairs_of(tmp_path, "A1 B2 #7", "A1 C2 #7", "B2 C2 #7", "A1 B1 #8")
    assert ranked(found) == [(("A", "B", "C"), (1, 2, 2), "7"), (("A", "B"), (1, 1), "8")]


def test_complete_runs_in_any_order_become_one_ranking(tmp_path):
    found = pairs_of(tmp_path, "C2 B2 #7", "A1 C2 #7", "B2 A1 #7")
    assert ranked(found) == [(("C", "B", "A"), (2, 2, 1), "7")]


def test_incomplete_runs_stay_pairs_of_one_screen(tmp_path):
    found = pairs_of(tmp_path, "A1 B2 #7", "B2 C3 #7")
    assert ranked(found) == [(("A", "B"), (1, 2), "7"), (("B", "C"), (2, 3), "7")]


def test_a_screen_that_comes_back_is_a_further_ranking(tmp_path):
    found = pairs_of(tmp_path, "A1 B2 #7", "A1 C2 #8", "A2 B1 #7")
    assert ranked(found) == [
        (("A", "B"), (1, 2), "7"),
        (("A", "C"), (1, 2), "8"),
        (("A", "B"), (2, 1), "7"),
    ]


def test_a_pair_that_comes_back_within_a_run_begins_a_further_ranking(tmp_path):
    screen = ["A1 B2 #7", "A1 C2 #7", "B2 C2 #7"]
    once = [(("A", "B", "C"), (1, 2, 2), "7")]
    assert ranked(pairs_of(tmp_path, *screen, *screen, *screen)) == once * 3
    assert ranked(pairs_of(tmp_path, "A1 B2 #7", "B2 A1 #7")) == [
        (("A", "B"), (1, 2), "7"),
        (("B", "A"), (2, 1), "7"),
    ]
    # Six rows are as many as four systems have pairs: the number of rows alone does not decide.
    assert ranked(pairs_of(tmp_path, *screen, *screen)) == once * 2


def test_two_ranks_of_a_system_in_one_run_name_both_lines(tmp_path):
    message = r"pairs\.csv:4: system 'B' has rank 3, but 2 on line 2 of the same screen"
    with pytest.raises(DataError, match=message):
        pairs_of(tmp_path, "A1 B2 #7", "A1 C2 #7", "B3 C2 #7")
    with pytest.raises(DataError, match=r"pairs\.csv:3: system 'A' has rank -1, but 1 on line 2"):
        pairs_of(tmp_path, "A1 B2 #7", "A* B2 #7")


def test_a_wrong_cell_within_a_complete_run_is_reported_on_its_own_line(tmp_path):
    with pytest.raises(DataError, match=r"pairs\.csv:3: found rank 'x'"):
        pairs_of(tmp_path, "A1 B2 #7", "A1 Cx #7", "B2 Cx #7")
    with pytest.raises(DataError, match=r"pairs\.csv:4: found system 'C\+'"):
        pairs_of(tmp_path, "A1 B2 #6", "A1 B2 #7", "A1 C+2 #7", "B2 C+2 #7")


def test_a_system_against_itself_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"pairs\.csv:2: system 'A' is compared with itself"):
        pairs_of(tmp_path, "A1 A1 #7")
    with pytest.raises(DataError, match=r"pairs\.csv:2: system 'A' occurs twice"):
        pairs_of(tmp_path, "A+B1 A+C1 #7")


def test_a_run_ends_where_judge_segment_or_language_change(tmp_path):
    rows = ["da,en,4,4,kim,A,1,B,2,7", "da,en,4,4,lou,A,1,C,2,7", "da,en,5,5,lou,B,2,C,2,7"]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join([PAIRS, *rows, "no,en,5,5,lou,B,2,C,2,7"]))
    assert len(wmt_pairwise.read(path)) == 4


def test_minus_one_is_not_a_rank(tmp_path):
    (ranking,) = pairs_of(tmp_path, "A* B2 #7", "A* C1 #7", "B2 C1 #7")
    assert ranking.ranks == (None, 2, 1)
    (ranking,) = pairs_of(tmp_path, "A* B* #7")
    assert ranking.is_skipped


def test_ranks_are_compared_as_numbers(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(
        f"{PAIRS}\nda,en,4,4,k,A,1,B,2,7\nda,en,4,4,k,A,1.0,C,2,7\nda,en,4,4,k,B,2,C,2,7\n"
    )
    assert ranked(list(wmt_pairwise.read(path))) == [(("A", "B", "C"), (1, 2, 2), "7")]


def test_shared_texts_expand_under_one_screen(tmp_path):
    (ranking,) = pairs_of(tmp_path, "A+B1 C2 #7")
    assert (ranking.systems, ranking.ranks, ranking.outputs) == (
        ("A", "B", "C"),
        (1, 1, 2),
        (0, 0, 1),
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
def test_line_ends_do_not_matter(tmp_path, end):
    assert ranked(pairs_of(tmp_path, "A1 B2 #7", end=end)) == [(("A", "B"), (1, 2), "7")]


def test_quotes_and_line_breaks_within_names(tmp_path):
    name = 'a "big", bad\nname'
    ranking = Ranking("4", "kim", (name, "B"), (1, 2), "7")
    target = tmp_path / "quoted.csv"
    assert wmt_pairwise.write(Judgments.from_rankings([ranking]), target) == []
    assert list(wmt_pairwise.read(target)) == [ranking]
    with target.open("a") as stream:
        stream.write(",,,,,,,,\n")
    with pytest.raises(DataError, match=r"quoted\.csv:4: found 9 cells"):
        wmt_pairwise.read(target)


def test_blank_lines_and_copies_of_the_header_are_skipped(tmp_path):
    text = f"{PAIRS}\nda,en,4,4,kim,A,1,B,2,7\n"
    path = tmp_path / "cat.csv"
    path.write_text(f"{text}\n{text}\n")
    assert len(wmt_pairwise.read(path)) == 2


def test_a_segment_id_that_differs_is_kept(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(f"{PAIRS}\nda,en,4,9,kim,A,1,B,2,7\n")
    judgments = wmt_pairwise.read(path)
    assert (judgments[0].segment, judgments[0].info) == ("4", {"segmentId": "9"})
    wmt_pairwise.write(judgments, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()


def test_a_screen_without_a_name_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"pairs\.csv:2: found an empty rankingID"):
        pairs_of(tmp_path, "A1 B2 #")


def test_contradicting_rankings_of_one_screen_cannot_be_written(tmp_path):
    two = [Ranking("1", "k", ("A", "B"), ranks, "7") for ranks in ((1, 2), (2, 1))]
    with pytest.raises(DataError, match=r"'A' has ranks 1\.0 and 2\.0 in two rankings of"):
        write_judgments(Judgments.from_rankings(two), tmp_path / "x.csv")


def test_losses_of_pairs(tmp_path):
    shared = Ranking("1", "k", ("A", "B"), (1, 1), "7", (0, 0))
    target = tmp_path / "x.csv"
    judgments = Judgments.from_rankings([shared])
    assert wmt_pairwise.write(judgments, target) == [
        "Which systems shared a text is not held (1 ranking)."
    ]
    assert wmt_pairwise.write(judgments, target, collapsed=True) == [
        "Rankings without a pair of items are not held (1)."
    ]


# -- the real files --------------------------------------------------------------------------------


def real(pattern: str) -> list[Path]:
    return sorted((SHARED / "data/rankings").glob(pattern)) if SHARED else []


@needs_shared
@pytest.mark.parametrize("path", real("*.csv.gz"), ids=lambda path: path.name)
def test_wmt13_comes_back_byte_for_byte(path, tmp_path):
    native, target = tmp_path / "native.jsonl", tmp_path / "again.csv"
    write_judgments(read_judgments(path), native)
    assert write_judgments(read_judgments(native), target, format="wmt-csv") == []
    assert target.read_bytes() == gzip.decompress(path.read_bytes())


@needs_shared
@pytest.mark.parametrize(
    "path", real("*/*.csv.gz"), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_wmt15_comes_back_byte_for_byte(path, tmp_path):
    native, target = tmp_path / "native.jsonl", tmp_path / "again.csv"
    write_judgments(read_judgments(path), native)
    collapsed = path.parent.name == "collapsed"
    assert write_judgments(read_judgments(native), target, collapsed=collapsed) == []
    assert target.read_bytes() == gzip.decompress(path.read_bytes())


@needs_shared
@pytest.mark.parametrize("path", real("collapsed/*.csv.gz"), ids=lambda path: path.name)
def test_collapsed_files_expand_to_the_shipped_expanded_ones(path, tmp_path):
    """Screens whose texts were all the same have no pairs in a collapsed file."""
    target = tmp_path / "expanded.csv"
    judgments = read_judgments(path)
    write_judgments(judgments, target)
    screens = {ranking.screen for ranking in judgments} | {"rankingID"}
    shipped = (
        gzip.decompress((path.parents[1] / "expanded" / path.name).read_bytes())
        .decode()
        .splitlines()
    )
    expected = [line for line in shipped if line.rsplit(",", 1)[1] in screens]
    assert target.read_text().splitlines() == expected


@needs_shared
@pytest.mark.parametrize("path", real("expanded/*.csv.gz"), ids=lambda path: path.name)
def test_pairs_of_the_rebuilt_rankings_are_the_rows_of_the_file(path):
    """The csv module is the oracle: rows with -1 are no comparisons."""
    with gzip.open(path, "rt", newline="") as stream:
        rows = [row for row in csv.reader(stream) if "-1" not in (row[6], row[8])][1:]
    pairs = read_judgments(path).pairs()
    names = pairs.systems
    assert [row[5] for row in rows] == [names[code] for code in pairs.left]
    assert [row[7] for row in rows] == [names[code] for code in pairs.right]
    signs = [(int(row[6]) < int(row[8])) - (int(row[6]) > int(row[8])) for row in rows]
    assert signs == pairs.sign.tolist()


@needs_shared
def test_one_ranking_of_wmt15_has_an_output_that_was_not_ranked():
    """English-Czech, rankingID 3678: 9 collapsed rows with -1 (stated in the notes on WMT15)."""
    path = SHARED / "data/rankings/collapsed/wmt15.eng-ces.csv.gz"
    partly = [r for r in read_judgments(path) if None in r.ranks]
    assert [ranking.screen for ranking in partly] == ["3678"]
