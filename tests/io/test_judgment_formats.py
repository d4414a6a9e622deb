"""Laws for every format of judgments, and for the table they are in."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from any_rankings import letters, rankings, texts
from examples import JUDGMENT_FILES, JUDGMENTS
from rankwise.errors import DataError, StoreError
from rankwise.io import FORMATS, read_judgments, sniff, write_judgments
from rankwise.io.format_table import find_format, formats_of
from rankwise.io.sniffing import read_head
from rankwise.types import Judgments, Ranking

NAMES = [f.name for f in formats_of("judgments")]
WRITABLE = [f.name for f in formats_of("judgments") if f.writable]
BY_FILE = pytest.mark.parametrize(("name", "path"), JUDGMENT_FILES)

#: what a format needs in order to give back exactly what was written
OPTIONS_TO_READ = {"appraise-xml": {"keep_judges": True}}
OPTIONS_TO_WRITE = {"fastchat": {"question_ids": True}}


def test_every_format_has_an_example():
    assert sorted(JUDGMENTS) == sorted(NAMES)


def test_names_of_formats_are_different_within_a_kind():
    keys = [(f.kind, f.name) for f in FORMATS]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", NAMES)
def test_a_format_module_reads_writes_sniffs_and_says_what_it_is(name):
    module = find_format(name, "judgments").load()
    assert callable(module.read)
    assert callable(module.sniff)
    assert callable(getattr(module, "write", None)) == (name in WRITABLE)
    assert module.__doc__.startswith(f"``{name}``: ")


@BY_FILE
def test_an_example_is_recognised_by_its_own_format_alone(name, path):
    head = read_head(path)
    assert [f.name for f in formats_of("judgments") if f.load().sniff(head)] == [name]
    assert sniff(path, "judgments").name == name


@BY_FILE
def test_native_lines_hold_everything(name, path, tmp_path):
    judgments = read_judgments(path, **OPTIONS_TO_READ.get(name, {}))
    target = tmp_path / "all.jsonl"
    assert write_judgments(judgments, target) == []
    again = read_judgments(target)
    assert again == judgments
    for names in ("systems", "segments", "judges", "languages"):
        assert getattr(again, names) == getattr(judgments, names)


@pytest.mark.parametrize(("name", "path"), [f for f in JUDGMENT_FILES if f[0] in WRITABLE])
def test_what_a_format_read_it_writes_back(name, path, tmp_path):
    judgments = read_judgments(path, **OPTIONS_TO_READ.get(name, {}))
    options = OPTIONS_TO_WRITE.get(name, {})
    if name == "wmt-pairwise":
        options = {"collapsed": True}
    target = tmp_path / "again"
    write_judgments(judgments, target, format=name, **options)
    again = read_judgments(target, format=name, **OPTIONS_TO_READ.get(name, {}))
    if path.name == "appraise-xml-older.xml":  # has doc-id, which the layout of WMT does not
        judgments = Judgments.from_rankings([_without(r, "doc-id") for r in judgments])
    if path.name == "fastchat-log.jsonl":  # has no languages and not every turn
        again = Judgments.from_rankings([_without(r, "language", "turn") for r in again])
        judgments = Judgments.from_rankings([_without(r, "turn") for r in judgments])
    assert again == judgments


def _without(ranking: Ranking, *columns: str) -> Ranking:
    info = {name: cell for name, cell in ranking.info.items() if name not in columns}
    return Ranking(
        ranking.segment,
        ranking.judge,
        ranking.systems,
        ranking.ranks,
        ranking.screen,
        ranking.outputs,
        ranking.source_language,
        ranking.target_language,
        info,
    )


#: columns that the format holds; those it always writes are compared only where they were given
HELD = {
    "jsonl": ("duration", "note"),
    "wmt-pairwise": (),
    "wmt-csv": ("documentId",),
    "pwcmp": ("session",),
    "appraise-xml": (),
    "jcml": ("note",),
    "fastchat": (),
}
ADDED = {"pwcmp": {"session"}, "fastchat": {"label", "turn", "anony", "language", "tstamp"}}


@pytest.mark.parametrize("name", WRITABLE)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_without_a_reported_loss_nothing_is_lost(name, data, tmp_path):
    columns = (*HELD[name], "other") if data.draw(st.booleans()) else HELD[name]
    names = data.draw(st.sampled_from([letters, texts]))
    one = rankings(systems=names, columns=columns)
    given_rankings = data.draw(st.lists(one, max_size=4))
    if data.draw(st.booleans()):  # screens that follow the rankings' numbers
        numbered = enumerate(given_rankings, 1)
        given_rankings = [_with_screen(ranking, str(number)) for number, ranking in numbered]
    judgments = Judgments.from_rankings(given_rankings)
    target = tmp_path / "file"
    try:
        losses = write_judgments(judgments, target, format=name, **OPTIONS_TO_WRITE.get(name, {}))
    except DataError:
        return  # refused, nothing was written
    assert all(loss.endswith(".") and loss[0].isupper() for loss in losses)
    if not losses:
        again = read_judgments(target, format=name, **OPTIONS_TO_READ.get(name, {}))
        again = [_without(ranking, *(ADDED.get(name, set()) - set(columns))) for ranking in again]
        if columns == HELD[name] and name != "pwcmp":
            assert again == given_rankings
        else:
            assert [_without(r, *columns) for r in again] == [
                _without(r, *columns) for r in given_rankings
            ]


def _with_screen(r: Ranking, screen: str) -> Ranking:
    return Ranking(
        r.segment, r.judge, r.systems, r.ranks, screen, r.outputs, r.source_language,
        r.target_language, r.info,
    )  # fmt: skip


# -- choosing the format ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("out.jsonl", "jsonl"),
        ("out.csv", "wmt-pairwise"),
        ("out.csv.gz", "wmt-pairwise"),
        ("out.xml", "appraise-xml"),
        ("out.jcml", "jcml"),
        ("out.json", "fastchat"),
    ],
)
def test_the_suffix_chooses_the_format_of_output(file, name, tmp_path):
    judgments = Judgments.from_rankings([Ranking("1", "kim", ("A", "B"), (1, 2))])
    write_judgments(judgments, tmp_path / file)
    assert sniff(tmp_path / file).name == name
    assert len(read_judgments(tmp_path / file)) == 1


def test_an_unknown_suffix_names_the_candidates(tmp_path):
    with pytest.raises(DataError, match=r"out\.txt: .*name one of jsonl, wmt-pairwise, wmt-csv"):
        write_judgments(Judgments.from_rankings([]), tmp_path / "out.txt")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_names_the_candidates():
    with pytest.raises(DataError, match=r"unknown format 'csv'; choose from jsonl, wmt-pairwise"):
        read_judgments("file", format="csv")


def test_an_unknown_option_names_those_there_are(tmp_path):
    path = JUDGMENT_FILES[1][1]
    with pytest.raises(DataError, match=r"'wmt-pairwise' has no option 'rank'; it has whole_names"):
        read_judgments(path, rank="x")
    with pytest.raises(DataError, match=r"'jsonl' has no option 'rank'; it has none"):
        write_judgments(read_judgments(path), tmp_path / "x.jsonl", rank="x")


def test_an_unknown_file_says_how_it_begins_and_names_the_candidates(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n")
    with pytest.raises(DataError, match=r"notes\.txt:1: .*'dear diary'; expected judgments.*jcml"):
        read_judgments(path)
    path.write_text("")
    with pytest.raises(DataError, match=r"notes\.txt:1: the file is empty"):
        read_judgments(path)


def test_a_missing_file_is_a_store_error(tmp_path):
    with pytest.raises(StoreError, match=r"none\.csv: cannot be read: No such file"):
        read_judgments(tmp_path / "none.csv")
    with pytest.raises(StoreError, match="cannot be read: Is a directory"):
        read_judgments(tmp_path)


# -- several files ---------------------------------------------------------------------------------


def test_several_files_are_read_one_after_the_other():
    paths = [path for _, path in JUDGMENT_FILES]
    parts = [read_judgments(path) for path in paths]
    joined = read_judgments(paths)
    assert len(joined) == sum(map(len, parts))
    assert len({r.screen for r in joined}) == sum(len({r.screen for r in p}) for p in parts)


def test_no_files_at_all_are_refused():
    with pytest.raises(DataError, match="expected at least one"):
        read_judgments([])
