"""Studies from any mix of files: one rule for every command."""

import gzip
import io
import tarfile

import numpy as np
import pytest

import rankwise as rw
from evalset_folders import SEGMENTS, SYSTEMS, make_evalset
from rankwise.errors import DataError
from rankwise.io.study import read_people, studies_of
from rankwise.io.study_files import StudyFiles
from rankwise.io.study_texts import text_blocks


@pytest.fixture
def folder(tmp_path):
    return make_evalset(tmp_path / "set")


@pytest.fixture
def two_references(folder):
    """An EvalSet whose second reference was made by a machine, and nobody scored."""
    lines = "a cat that sat\n" * SEGMENTS
    (folder / "references" / "en-de.synthetic.txt").write_text(lines, encoding="utf-8")
    (folder / "system-outputs" / "en-de" / "synthetic.txt").write_text(lines, encoding="utf-8")
    return folder


def lines(path, *texts):
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


# -- texts -----------------------------------------------------------------------------------------


def test_line_aligned_files(tmp_path):
    study = rw.read_study(
        source=lines(tmp_path / "source.txt", "x", "y"),
        references=[lines(tmp_path / "ref.txt", "a", "b")],
        outputs=[lines(tmp_path / "one.txt", "a", "c"), lines(tmp_path / "two.txt", "d", "e")],
        documents=lines(tmp_path / "docs.tsv", "en\tnews\td1", "en\ttalk\td2"),
    )
    assert study.systems == ("one", "two")
    first, second = study.texts.segments
    assert (first.source, first.references, first.document, first.domain) == (
        "x",
        ("a",),
        "d1",
        "news",
    )
    assert (second.id, second.domain) == ("2", "talk")
    assert study.notes == ()


def test_texts_in_memory_are_as_those_of_files(tmp_path):
    files = rw.read_study(
        references=[lines(tmp_path / "refA.txt", "a", "b")],
        outputs=[lines(tmp_path / "one.txt", "a", "c")],
    )
    memory = rw.Study.from_texts({"one": ["a", "c"]}, {"refA": ["a", "b"]})
    assert memory.texts == files.texts
    with pytest.raises(DataError, match="'reference' has 1 lines, but system 'one' has 2"):
        rw.Study.from_texts({"one": ["a", "b"]}, ["a"])
    with pytest.raises(DataError, match="there is no text"):
        rw.Study.from_texts({})


def test_an_evalset_is_scored_by_its_standard_reference(two_references):
    study = rw.read_study(testset=two_references, language_pair="en-de")
    assert study.texts.reference_names == ("refA",)
    assert study.systems == SYSTEMS  # neither reference is a system
    assert study.notes == (
        "scored against refA of refA, synthetic; references, not systems: refA, synthetic",
    )


def test_references_can_be_named_and_be_systems(two_references):
    files = {"testset": two_references, "language_pair": "en-de"}
    other = rw.read_study(**files, reference_set=["synthetic"])
    assert other.texts.reference_names == ("synthetic",)
    assert other.systems == SYSTEMS
    assert "refA" not in other.human.scored
    said = (
        "people scored references too, which are no systems unless --human-systems asks for them: "
        "refA"
    )
    choice = "scored against synthetic of refA, synthetic; references, not systems: synthetic, refA"
    assert other.notes == (choice, said)
    assert said in rw.read_study(**files, reference_set=["synthetic"], with_texts=False).notes
    assert rw.read_study(**files, reference_set=["he-en=refA"]).texts.reference_names == ("refA",)
    both = rw.read_study(**files, reference_set=["refA", "synthetic"])
    assert both.texts.reference_names == ("refA", "synthetic")
    without = rw.read_study(**files, reference_set=["synthetic"], human_systems=False)
    assert (without.systems, without.notes) == (SYSTEMS, (choice,))
    scored = rw.read_study(**files, reference_set=["synthetic"], human_systems="scored")
    assert scored.systems == (*SYSTEMS[:2], "raven", "refA", "stork")
    assert "refA" in scored.human.scored
    assert scored.notes[1].endswith("(--no-human-systems leaves them out): refA")
    everyone = rw.read_study(**files, human_systems=True)
    assert rw.read_study(**files, human_systems=1).systems == everyone.systems
    with pytest.raises(DataError, match="human_systems is 'yes'; expected True, False, None or"):
        rw.read_study(**files, human_systems="yes")
    assert everyone.systems == (*SYSTEMS, "synthetic")
    with pytest.raises(DataError, match="en-de has no reference 'refB'; it has refA, synthetic"):
        rw.read_study(**files, reference_set=["refB"])


def test_the_standard_reference_of_a_task(tmp_path):
    folder = make_evalset(tmp_path / "wmt23")
    pair = {"testset": folder, "language_pair": "he-en"}
    assert rw.read_study(**pair).texts.reference_names == ("refA",)  # there is no refB
    (folder / "references" / "he-en.refB.txt").write_text("a\n" * SEGMENTS, encoding="utf-8")
    assert rw.read_study(**pair).texts.reference_names == ("refB",)


def test_a_converted_evalset_has_the_same_reference(two_references, tmp_path):
    whole = rw.read_testset(two_references, language_pair="en-de")
    assert set(whole.reference_names) < set(whole.systems)
    rw.write_testset(whole, tmp_path / "set.jsonl")
    study = rw.read_study(testset=tmp_path / "set.jsonl")
    assert study.texts.reference_names == ("refA",)
    assert study.systems == SYSTEMS


def test_references_that_are_no_systems_all_count(tmp_path):
    texts = rw.Study.from_texts({"A": ["a"]}, {"one": ["a"], "two": ["b"]}).texts
    rw.write_testset(texts, tmp_path / "set.jsonl")
    study = rw.read_study(testset=tmp_path / "set.jsonl")
    assert (study.texts.reference_names, study.notes) == (("one", "two"), ())


def test_blocks_are_the_texts_of_the_study(two_references, tmp_path):
    files = StudyFiles(testset=two_references, language_pair="en-de", excluded=["heron"])
    streamed = text_blocks(files)
    assert streamed.references == ("refA",)
    [block] = streamed.blocks
    study = rw.read_study(testset=two_references, language_pair="en-de", excluded=["heron"])
    assert {name: tuple(texts) for name, texts in block.outputs.items()} == study.texts.outputs
    assert [(text,) for text in block.references] == study.texts.references


# -- archives --------------------------------------------------------------------------------------


@pytest.fixture
def archive(folder, tmp_path):
    path = tmp_path / "wmt.tgz"
    with tarfile.open(path, "w:gz") as packed:
        packed.add(folder, "mtme/set")
        packed.add(folder / "sources", "mtme/other/sources")
    return path


def test_an_evalset_in_an_archive_is_as_its_folder(folder, archive):
    files = {"language_pair": "en-de", "stored": True}
    packed = rw.read_study(testset=archive / "set", **files)
    plain = rw.read_study(testset=folder, **files)
    assert packed.texts == plain.texts
    assert packed.scores["Good"].segments == plain.scores["Good"].segments
    assert packed.human.segments == plain.human.segments
    assert [s.name for s in studies_of(StudyFiles(testset=archive / "mtme" / "set"))] == [
        "en-de",
        "he-en",
    ]
    [block] = text_blocks(StudyFiles(testset=archive / "set", language_pair="en-de")).blocks
    assert tuple(block.outputs) == SYSTEMS


def test_messages_name_the_archive_and_not_where_it_was_unpacked(archive):
    with pytest.raises(DataError) as refused:
        rw.read_study(testset=archive / "set")
    assert str(refused.value).startswith(f"{archive}: ")
    assert "choose from en-de, he-en" in str(refused.value)


def test_an_archive_is_converted_as_its_folder(folder, archive, tmp_path):
    for number, source in enumerate((folder, archive / "set")):
        target = tmp_path / f"{number}.jsonl"
        rw.io.convert(source, target, language_pair="en-de")
    assert (tmp_path / "0.jsonl").read_text() == (tmp_path / "1.jsonl").read_text()


def test_an_archive_packed_by_zstd_is_as_the_others(archive, tmp_path):
    zstandard = pytest.importorskip("zstandard", reason="the extra zstd is not installed")
    path = tmp_path / "wmt.tar.zst"
    path.write_bytes(zstandard.compress(gzip.decompress(archive.read_bytes())))
    packed = rw.read_study(testset=path / "set", language_pair="en-de")
    assert packed.texts == rw.read_study(testset=archive / "set", language_pair="en-de").texts
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DataError, match=r"wmt.tar.zst: expected an intact zstd file"):
        rw.read_study(testset=path / "set", language_pair="en-de")


def test_an_archive_must_hold_the_evalset(archive, tmp_path):
    with pytest.raises(DataError, match=r"wmt.tgz holds other, set; .* as in wmt.tgz/other"):
        rw.read_study(testset=archive)
    with pytest.raises(DataError, match="holds other, set; expected one of them"):
        rw.read_study(testset=archive / "wmt99")
    bad = tmp_path / "bad.tgz"
    for content in (b"no archive", archive.read_bytes()[:2000]):
        bad.write_bytes(content)
        with pytest.raises(DataError, match=r"bad.tgz: cannot be unpacked; expected a whole arch"):
            rw.read_study(testset=bad)


def test_nothing_is_written_outside_the_folder_of_an_archive(folder, tmp_path):
    path = tmp_path / "evil.tar"
    with tarfile.open(path, "w") as packed:
        packed.add(folder, "set")
        for name in ("set/../../evil.txt", "/evil.txt", "set/sources/../../../evil.txt"):
            member = tarfile.TarInfo(name)
            member.size = 4
            packed.addfile(member, io.BytesIO(b"evil"))
        link = tarfile.TarInfo("set/references/en-de.refB.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    study = rw.read_study(testset=path, language_pair="en-de")
    assert study.texts.reference_names == ("refA",)
    assert not (tmp_path / "evil.txt").exists()


# -- scores and judgments --------------------------------------------------------------------------


def test_scores_of_an_evalset_and_of_files(folder, tmp_path):
    given = lines(tmp_path / "comet.tsv", "system\tsegment\tscore", "finch\t1\t0.5")
    files = {"testset": folder, "language_pair": "en-de", "scores": [given], "stored": True}
    study = rw.read_study(**files, lower_is_better=True)
    assert list(study.scores) == ["Good", "Noise-src", "comet"]
    assert study.errors == ("comet",)
    assert study.human.name == "mqm"
    assert repr(study) == (
        "<Study: 'en-de'; 12 segments of 4 systems; scores Good, Noise-src, comet; "
        "human scores mqm>"
    )


def test_a_study_of_each_language_pair(folder):
    found = studies_of(StudyFiles(testset=folder), with_texts=False)
    assert [(study.name, study.texts) for study in found] == [("en-de", None), ("he-en", None)]
    assert [study.human.scored for study in found] == [set(SYSTEMS)] * 2  # the reference is used
    [only] = studies_of(StudyFiles(testset=folder, excluded=["stork"]), ["he-en"])
    assert only.systems == only.human.segments.systems == SYSTEMS[:3]


def test_human_scores_that_nobody_can_choose_are_said(folder):
    (folder / "human-scores" / "en-de.mqm.seg.score").rename(
        folder / "human-scores" / "en-de.one.seg.score"
    )
    (folder / "human-scores" / "en-de.mqm.sys.score").rename(
        folder / "human-scores" / "en-de.two.sys.score"
    )
    study = rw.read_study(testset=folder, language_pair="en-de")
    assert study.human is None
    assert study.notes[0] == "en-de: human scores one, two; none is the usual, so choose one"
    assert rw.read_study(testset=folder, language_pair="en-de", human="one").human.name == "one"


def test_files_of_numbers_are_of_systems(tmp_path):
    paths = [lines(tmp_path / "A.txt", 1, 2), lines(tmp_path / "B.txt", 3, 4)]
    study = rw.read_study(scores=paths)
    table = study.scores["score"].segments
    assert (table.systems, table.values.tolist()) == (("A", "B"), [[1, 2], [3, 4]])


def test_what_is_left_out_stays_in_rankings(tmp_path):
    said = rw.Judgments.from_rankings([rw.Ranking("1", "ann", ("A", "B"), (1, 2))])
    rw.write_judgments(said, tmp_path / "said.jsonl")
    outputs = [lines(tmp_path / f"{name}.txt", "x") for name in "AB"]
    files = {"outputs": outputs, "judgments": [tmp_path / "said.jsonl"]}
    study = rw.read_study(**files, excluded=["B"])
    assert (study.systems, study.judgments.systems) == (("A",), ("A", "B"))
    with pytest.raises(DataError, match="no system 'C' to leave out; there are A, B"):
        rw.read_study(**files, excluded=["C"])
    with pytest.raises(DataError, match="every system is left out"):
        rw.read_study(**files, excluded=["A", "B"])


def test_rankings_of_one_language_pair(tmp_path):
    said = rw.Judgments.from_rankings(
        rw.Ranking("1", "ann", ("A", "B"), (1, 2), source_language=language, target_language="en")
        for language in ("de", "fr", "fr")
    )
    rw.write_judgments(said, tmp_path / "said.jsonl")
    paths = [tmp_path / "said.jsonl"]
    assert len(rw.read_study(judgments=paths, language_pair="French-English").judgments) == 2
    assert len(rw.read_study(judgments=paths).judgments) == 3


def test_what_people_said_in_any_form(tmp_path):
    said = rw.Judgments.from_rankings([rw.Ranking("1", "ann", ("A", "B"), (1, 2))])
    rw.write_judgments(said, tmp_path / "said.jsonl")
    assert isinstance(read_people(tmp_path / "said.jsonl"), rw.Judgments)
    table = rw.ScoreTable(("A",), ("1",), np.array([[1.0]]))
    rw.write_scores(table, tmp_path / "scores.json")
    assert isinstance(read_people(tmp_path / "scores.json"), rw.ScoreTable)
    rw.write_testset(rw.Study.from_texts({"A": ["a"]}).texts, tmp_path / "set.jsonl")
    with pytest.raises(DataError, match="found a testset; expected rankings"):
        read_people(tmp_path / "set.jsonl")


def test_a_test_set_is_scored_as_the_study_of_its_file(two_references):
    testset = rw.read_testset(two_references, language_pair="en-de")
    study = rw.read_study(testset=two_references, language_pair="en-de")
    assert len(testset.reference_names) == 2
    one, two = rw.score(testset, "bleu"), rw.score(study, "bleu")
    assert one.systems == two.systems
    assert str(one) == str(two)
    found, expected = (rw.compare(known, *SYSTEMS[:2], "bleu") for known in (testset, study))
    assert found.differences[0].difference == expected.differences[0].difference
