"""Every format of test sets reads the same small test set, and gives back what it was given."""

import gzip
import io
import json
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankwise.errors import DataError, StoreError
from rankwise.io import FORMATS, read_parallel, read_study, read_testset, write_testset
from rankwise.types import Segment, TestSet

EXAMPLES = Path(__file__).parent / "examples" / "texts"

WRITABLE = [f.name for f in FORMATS if f.kind == "testset" and f.writable]


def harbour(
    *, second_reference=True, places=True, name="harbour", languages=("de", "en"), missing=None
):
    """The test set of the examples, without what a format does not hold."""
    rows = [
        (
            "Der Kran steht still.",
            "The crane stands still.",
            "The crane is idle.",
            "harbour",
            "news",
        ),
        ("Fünf Möwen & ein <Boot>.", "Five gulls & a <boat>.", None, "harbour", "news"),
        ("Gute Nacht!", "Good night!", "Sleep well!", "evening", "chat"),
    ]
    segments = []
    for number, (source, a, b, document, domain) in enumerate(rows, 1):
        both = second_reference and b is not None
        place = (document, domain) if places else (None, None)
        references, names = ((a, b), ("A", "B")) if both else ((a,), ("A",))
        segments.append(Segment(str(number), source, references, *place, names))
    tern = ("The crane stands silent.", "Five seagulls & one <boat>.", "Good night!")
    outputs = {"tern": tern, "wren": ("Crane still.", "", missing)}
    return TestSet(tuple(segments), outputs, name, *languages)


CASES = {
    "testset-jsonl": ("harbour.testset.jsonl", {}, harbour()),
    "wmt-xml": ("wmt21.xml", {}, harbour()),
    "sgml": ("sgml", {}, harbour()),
    "tsv": ("testset.tsv", {}, harbour(name="testset", languages=("", ""), missing="")),
    "evalset": ("evalset", {}, harbour(second_reference=False, name="evalset", missing="")),
    "text": (
        "text",
        {},
        harbour(second_reference=False, places=False, name="text", languages=("", ""), missing=""),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_example_reads_as_the_same_test_set(name):
    file, options, expected = CASES[name]
    assert read_testset(EXAMPLES / file, **options) == expected
    assert read_testset(EXAMPLES / file, format=name, **options) == expected


def test_jcml_merges_sentences_that_were_judged_twice():
    expected = harbour(second_reference=False, places=False)
    unnamed = tuple(Segment(s.id, s.source, s.references) for s in expected.segments)
    found = read_testset(EXAMPLES / "harbour.jcml")
    assert found == TestSet(unnamed, expected.outputs, "harbour", "de", "en")


SAMPLES = EXAMPLES / "lm-eval" / "wren" / "samples_harbour_2026-02-03T10-00-00.jsonl"


def test_samples_of_the_lm_evaluation_harness():
    found, expected = read_testset(SAMPLES), harbour(second_reference=False)
    assert found == read_testset(SAMPLES, format="lm-eval")
    assert [s.source for s in found.segments] == [s.source for s in expected.segments]
    assert found.references == expected.references
    assert [segment.id for segment in found.segments] == ["0", "1", "2"]
    assert found.outputs == {"wren": expected.outputs["tern"]}


def samples(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def sample(number, response, **others):
    row = {"doc_id": number, "doc": {"src": f"s{number}"}, "target": [f"r{number}", "other"]}
    return row | {"resps": [[response]], "bleu": float("nan")} | others


def test_samples_without_a_filter_and_with_several(tmp_path):
    path = samples(tmp_path / "mine.jsonl", [sample(0, "a"), sample(1, "b")])
    found = read_testset(path)
    assert found.outputs == {"mine": ("a", "b")}
    assert found.segments[1] == Segment("1", "s1", ("r1", "other"))
    both = [sample(0, "a", filter=name, filtered_resps=[name]) for name in ("strict", "loose")]
    path = samples(tmp_path / "both.jsonl", both)
    with pytest.raises(DataError, match="'filter': there are several; choose from strict, loose"):
        read_testset(path)
    assert read_testset(path, filter="loose").outputs == {"both": ("loose",)}


def test_samples_of_several_models_stand_side_by_side(tmp_path):
    rows = [sample(0, "a"), sample(1, "b")]
    first = samples(tmp_path / "one" / "samples_x.jsonl", rows)
    second = samples(tmp_path / "two" / "samples_x.jsonl", rows[::-1])
    (tmp_path / "lines.txt").write_text("c\nd\n", encoding="utf-8")
    lines = f"III={tmp_path / 'lines.txt'}"
    texts = read_study(testset=first, added=[str(second), lines]).texts
    assert texts.outputs == {"one": ("a", "b"), "two": ("a", "b"), "III": ("c", "d")}
    short = samples(tmp_path / "three" / "samples_x.jsonl", rows[:1])
    with pytest.raises(DataError, match="there is no document '1'; expected one for each"):
        read_study(testset=first, added=[str(short)])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (sample(0, 1.5), "the response is 1.5; expected a text"),
        (sample(0, "a", target=3), "'target' is 3; expected a text"),
        ([1], "expected an object"),
    ],
)
def test_samples_that_are_no_texts(tmp_path, row, message):
    path = samples(tmp_path / "x.jsonl", [sample(7, "a"), row])
    with pytest.raises(DataError, match=f"x.jsonl:2: .*{message}"):
        read_testset(path)


def test_sgml_files_named_one_by_one():
    folder = EXAMPLES / "sgml"
    found = read_testset(
        folder / "source.sgm",
        references=[folder / "references/A.sgm", folder / "references/B.sgm"],
        outputs=[folder / "outputs/tern.sgm", folder / "outputs/wren.sgm"],
    )
    assert found == harbour()


def test_a_reference_file_alone_has_empty_sources():
    found = read_testset(EXAMPLES / "sgml/references/B.sgm")
    assert [segment.references for segment in found.segments] == [
        ("The crane is idle.",),
        ("Sleep well!",),
    ]
    assert {segment.source for segment in found.segments} == {""}


def test_tsv_with_the_outputs_in_a_second_long_table():
    found = read_testset(
        EXAMPLES / "testset.tsv", outputs=EXAMPLES / "outputs.tsv", ignore=["tern", "wren"]
    )
    assert found == harbour(name="testset", languages=("", ""))


@pytest.mark.parametrize(("other", "name"), [("reference", "ref"), ("src", "source")])
def test_a_column_under_another_name_is_no_system(tmp_path, other, name):
    path = tmp_path / "set.tsv"
    header = {"source": "source", "ref": "ref", name: other}
    path.write_text(f"id\t{header['source']}\t{header['ref']}\tA\n1\tx\ty\tz\n", encoding="utf-8")
    with pytest.raises(DataError, match=f"set.tsv:1: found a column '{other}' .*expected '{name}'"):
        read_testset(path)
    assert read_testset(path, ignore=[other]).systems == ("A",)
    path.write_text("id\tsource\tref\treference\n1\tx\ty\ty\n", encoding="utf-8")
    assert read_testset(path).systems == ("reference",)  # people's own name, beside a reference


def test_tsv_in_long_form_only():
    found = read_testset(EXAMPLES / "outputs.tsv")
    assert found.outputs == harbour().outputs
    assert [segment.id for segment in found.segments] == ["1", "2", "3"]


def test_every_example_is_covered():
    covered = {*CASES, "jcml", "lm-eval"}
    assert covered == {f.name for f in FORMATS if f.kind == "testset"}


# -- parallel files -----------------------------------


def files(folder, **texts):
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return [folder / name for name in texts]


def test_parallel_files(tmp_path):
    source, ref, sys_a = files(tmp_path, src="a\nb\n", ref="x\r\ny", A="1\n2\n")
    found = read_parallel(source, [ref], [sys_a])
    assert found.references == [("x",), ("y",)]
    assert found.outputs == {"A": ("1", "2")}
    assert read_parallel(source, {"R": ref}, {"S": sys_a}).reference_names == ("R",)
    assert read_testset(source, references=[ref], outputs=[sys_a]) == found


def test_parallel_files_without_a_source(tmp_path):
    (out,) = files(tmp_path, out="1\n2\n")
    assert [s.source for s in read_parallel(None, outputs=[out]).segments] == ["", ""]


def test_parallel_files_compressed_and_from_standard_input(tmp_path, monkeypatch):
    source, out = files(tmp_path, src="a\nb\n", **{"A.txt.gz": gzip.compress(b"1\n2\n")})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\ny\n")))
    found = read_parallel(source, ["-"], [out])
    assert found.references == [("x",), ("y",)]
    assert found.systems == ("A",)


def test_a_line_ends_only_where_it_ends(tmp_path):
    (source,) = files(tmp_path, src="a\u2028b\x0cc\x85d\n\ufeffe\n")
    assert [s.source for s in read_parallel(source).segments] == ["a\u2028b\x0cc\x85d", "\ufeffe"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a, b: read_parallel(a, [b]), "/b has 1 line, but .*/a has 2; expected parallel"),
        (lambda a, b: read_parallel(a, [], {"S": b}), "/b has 1 line, but .*/a has 2"),
        (lambda a, b: read_parallel("-", ["-"]), "two files are read from standard input"),
        (lambda a, b: read_parallel(None), "no file is given"),
        (lambda a, b: read_parallel(a, outputs=[a, a]), "is given twice; expected every file once"),
        (lambda a, b: read_parallel(a, str(b)), "expected a list of paths"),
        (lambda a, b: read_testset(a), "expected a test set in one of the formats .*text"),
        (lambda a, b: read_testset(a, format="nothing"), "unknown format 'nothing'"),
        (lambda a, b: read_testset(a, format="text", nothing=1), "'text' has no option 'nothing'"),
        (lambda a, b: read_testset(a.parent, format="evalset"), "no sources/PAIR.txt"),
    ],
)
def test_what_cannot_be_read(tmp_path, call, message):
    with pytest.raises(DataError, match=message):
        call(*files(tmp_path, a="1\n2\n", b="1\n"))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(StoreError, match="cannot be read"):
        read_parallel(tmp_path / "absent")
    with pytest.raises(StoreError, match="cannot be read"):
        read_testset(tmp_path / "absent")
    with pytest.raises(StoreError, match="Is a directory, with nothing; expected a test set"):
        read_testset(tmp_path)


# -- messages name the line --------------------------


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("tsv", "id\tsource\n1\ta\n1\tb\n", ":3: segment '1' occurs again after line 2"),
        ("tsv", "id\tsource\n1\n", ":2: the line has 1 columns; expected 2: id, source"),
        ("tsv", "id\tseg\tsource\n", ":1: columns id and seg mean the same"),
        ("tsv", "source\tref\tref:A\n", ":1: some references have names"),
        ("tsv", "source\tA\tA\n", ":1: column 'A' occurs twice"),
        ("tsv", "", ":1: the file has no header line"),
        ("tsv", "system\tseg\ttext\nA\t1\tx\nA\t1\tx\n", ":3: system 'A' has a second output"),
        (
            "wmt-xml",
            "<dataset>\n<doc><src><seg>x</seg></src></doc></dataset>",
            ":2: a <seg> has no",
        ),
        ("wmt-xml", "<dataset>\n<doc><hyp/></doc></dataset>", ":2: a <hyp> has no attribute"),
        ("wmt-xml", "<data/>", ":1: the file holds a <data>; expected a <dataset>"),
        ("wmt-xml", "<dataset><doc>\n", "expected well-formed XML"),
        (
            "wmt-xml",
            '<dataset><doc>\n<src><seg id="1"/><seg id="1"/></src></doc></dataset>',
            ":2: segment '1' occurs twice in its document",
        ),
        (
            "wmt-xml",
            '<dataset><doc id="d"><src><seg id="1"/></src><hyp system="A"><seg id="2"/></hyp>'
            "</doc></dataset>",
            "system 'A' has segment '2' of document 'd'; expected only segments of the source",
        ),
        (
            "sgml",
            "<srcset>\n<doc docid=x>\n<seg id=1>a\n<seg id=2>b</seg>",
            ":3: found '<seg id=1>' alone",
        ),
        (
            "sgml",
            "<srcset>\n<doc docid=x>\n<seg id=1>a</seg>\n",
            ":3: the file ends; expected </srcset>",
        ),
        ("sgml", "<doc>", ":1: the first tag is <doc>; expected <srcset>"),
        ("sgml", "<srcset>\n<seg id=1>a</seg></srcset>", ":2: found <seg>; expected it elsewhere"),
        ("testset-jsonl", "{}", ":1: found no header"),
        (
            "testset-jsonl",
            '{"format": "rankwise-testset", "version": 1}\n{"id": "1"}',
            ":2: 'source' is nothing; expected text",
        ),
        (
            "testset-jsonl",
            '{"format": "rankwise-testset", "version": 1}\n{"id": "1", "id": "2", "source": ""}',
            ":2: key 'id' occurs twice",
        ),
        (
            "testset-jsonl",
            '{"format": "rankwise-testset", "version": 1}\n{"id": "1", "source": "\\ud800"}',
            ":2: half a surrogate pair; expected",
        ),
        (
            "jcml",
            '<jcml>\n<judgedsentence id="1"><src>a</src><tgt>b</tgt></judgedsentence></jcml>',
            ":2: a <tgt> has no attribute 'system'",
        ),
        (
            "jcml",
            '<jcml><judgedsentence id="1"><src>a</src></judgedsentence>\n'
            '<judgedsentence id="1"><src>b</src></judgedsentence></jcml>',
            ":2: sentence '1' comes with other texts",
        ),
    ],
)
def test_messages_say_where_and_what(tmp_path, name, text, message):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(DataError, match=message) as error:
        read_testset(path, format=name)
    assert str(error.value).startswith(str(path))


def test_an_evalset_with_several_pairs_needs_one_named(tmp_path):
    (tmp_path / "sources").mkdir()
    for pair in ("en-de", "he-en"):
        (tmp_path / "sources" / f"{pair}.txt").write_text("a\n")
    with pytest.raises(DataError, match="several; choose from en-de, he-en"):
        read_testset(tmp_path)
    with pytest.raises(DataError, match="there is no 'xx-yy'; choose from en-de, he-en"):
        read_testset(tmp_path, language_pair="xx-yy")
    found = read_testset(tmp_path, language_pair="he-en")
    assert (found.source_language, found.target_language) == ("he", "en")
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "he-en.docs").write_text("news\td1\nnews\td1\n")
    with pytest.raises(DataError, match=r"he-en.docs has 2 lines, but .*he-en.txt has 1"):
        read_testset(tmp_path, language_pair="he-en")


# -- round trips --------------------------------------


def written_and_read(testset, name, folder):
    """What comes back, and the losses."""
    path = Path(folder) / (testset.name or "x")
    options = (
        {"language_pair": "de-en"} if name == "evalset" and not testset.source_language else {}
    )
    losses = write_testset(testset, path, format=name, **options)
    return read_testset(path, format=name), losses


@pytest.mark.parametrize("name", WRITABLE)
def test_the_example_survives_or_the_losses_are_named(name, tmp_path):
    back, losses = written_and_read(harbour(), name, tmp_path)
    expected = {
        "testset-jsonl": [],
        "wmt-xml": [],
        "sgml": [],
        "jcml": [],
        "tsv": ["The languages, de, en, were dropped.", "1 missing output became empty."],
        "evalset": ["1 missing output became empty.", "1 missing reference became empty."],
        "text": [
            "The names of 2 documents were dropped.",
            "The names of 2 domains were dropped.",
            "The languages, de, en, were dropped.",
            "1 missing output became empty.",
            "1 missing reference became empty.",
        ],
    }
    assert losses == expected[name]
    assert (back == harbour()) == (not losses)
    assert [s.source for s in back.segments] == [s.source for s in harbour().segments]


any_text = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    [
        "",
        "a",
        "b c",
        "<seg id=1>&amp;</seg>",
        "a\r\nb",
        "\ufeff",
        " x ",
        "\t",
        "\x00",
        "\x1f",
        "a\u2028b",
    ]
)
plain_text = st.sampled_from(["a", "b c", "ä < & > ö", "quote \" and ' quote", "x\u2028y", "🏗"])
names = st.sampled_from(["A", "B", "Transformer+R2L", "ONLINE-Ä", "x y"])


@st.composite
def any_testset(draw, texts):
    count = draw(st.integers(0, 4))
    numbered = draw(st.booleans())
    ids = [str(i) for i in range(1, count + 1)]
    if not numbered:
        visible = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn"]), max_size=3)
        ids = draw(st.lists(visible, min_size=count, max_size=count, unique=True))
    named = draw(st.booleans())
    segments = []
    for name in ids:
        labels = draw(st.lists(names, max_size=3, unique=True))
        place = draw(
            st.sampled_from([(None, None), ("d", "news"), ("e", None), (None, "chat"), ("", "")])
        )
        references = tuple(draw(texts) for _ in labels)
        segments.append(
            Segment(name, draw(texts), references, *place, tuple(labels) if named else ())
        )
    systems = draw(st.lists(names, max_size=2, unique=True))
    outputs = {s: tuple(draw(st.none() | texts) for _ in ids) for s in systems}
    languages = draw(st.sampled_from([("", ""), ("de", "en"), ("de", "")]))
    return TestSet(tuple(segments), outputs, draw(st.sampled_from(["x", "harbour"])), *languages)


@pytest.mark.parametrize("name", WRITABLE)
@pytest.mark.parametrize("texts", [plain_text, any_text], ids=["plain", "any"])
def test_what_is_not_named_as_lost_comes_back(name, texts):
    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(any_testset(texts))
    def check(testset):
        with tempfile.TemporaryDirectory() as folder:
            try:
                back, losses = written_and_read(testset, name, folder)
            except DataError:
                assert name == "evalset"  # it needs both languages
                assert testset.target_language == "" != testset.source_language
                return
        if not losses:
            assert back == testset
        if name == "testset-jsonl":
            assert not losses
        if texts is plain_text:
            assert [s.source for s in back.segments] == [s.source for s in testset.segments]

    check()


@pytest.mark.parametrize("name", ["text", "evalset", "sgml"])
@pytest.mark.parametrize("system", ["../evil", "a/b", "", ".hidden", "x" * 300, "a\nb"])
def test_a_system_cannot_name_a_file_elsewhere(name, system, tmp_path):
    testset = TestSet((Segment("1", "a"),), {system: ("x",)}, "t", "de", "en")
    with pytest.raises(DataError, match="cannot be the name of a file"):
        write_testset(testset, tmp_path / "t", format=name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("system", ["source", "ref:A", "a\tb", ""])
def test_a_system_cannot_take_the_name_of_a_column(system, tmp_path):
    with pytest.raises(DataError, match="rename it first"):
        write_testset(TestSet((Segment("1", "a"),), {system: ("x",)}), tmp_path / "t.tsv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["tsv", "jcml"])
def test_an_id_is_written_as_it_is_or_not_at_all(name, tmp_path):
    testset = TestSet((Segment("a\x01", "a"), Segment("a\t", "a")))
    with pytest.raises(DataError, match=r"segment id .* cannot be written"):
        write_testset(testset, tmp_path / "t", format=name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_not_touched(tmp_path):
    (tmp_path / "t").mkdir()
    with pytest.raises(StoreError, match="already exists"):
        write_testset(harbour(), tmp_path / "t", format="text")
    assert list((tmp_path / "t").iterdir()) == []


def test_what_fails_while_writing_leaves_nothing(tmp_path):
    bad = TestSet((Segment("1", "a\ud800"),), {}, "t", "de", "en")
    for name in WRITABLE:
        with pytest.raises(DataError, match=r"found .*ud800.*; expected text"):
            write_testset(bad, tmp_path / "t", format=name)
    assert list(tmp_path.iterdir()) == []
