"""``rankwise score --by``: every group has the intervals and tests of its own segments."""

import json
import random
from pathlib import Path

import pytest

from rankwise.significance.holm import holm

WORDS = ("the", "cat", "sat", "on", "a", "mat", "and", "saw", "some", "old", "green", "house")


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def texts(tmp_path, monkeypatch) -> Path:
    """Thirty segments of two domains, ten of them in small documents, and three systems."""
    draw = random.Random(3)
    reference = [" ".join(draw.choices(WORDS, k=8)) for _ in range(60)]
    write(tmp_path / "ref.txt", *reference)
    for name, share in {"one": 0.9, "two": 0.7, "three": 0.6}.items():
        lines = [" ".join(w for w in line.split() if draw.random() < share) for line in reference]
        write(tmp_path / f"{name}.txt", *lines)
    domains = ["news"] * 30 + ["talk"] * 25 + ["mail"] * 5
    write(tmp_path / "docs.tsv", *(f"{name}\t{name}{i // 4}" for i, name in enumerate(domains)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


GIVEN = ("score", "-r", "ref.txt", "one.txt", "two.txt", "three.txt", "-m", "f1", "-m", "chrf")
BY = ("--by", "domain", "--documents", "docs.tsv")


def rows(done) -> list[dict]:
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)["rows"]


def of_domain(texts: Path, first: int, last: int) -> Path:
    """The lines of one group alone, in a folder."""
    folder = texts / f"{first}"
    folder.mkdir()
    for name in ("ref.txt", "one.txt", "two.txt", "three.txt"):
        write(folder / name, *(texts / name).read_text().splitlines()[first:last])
    return folder


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_a_group_has_the_numbers_of_its_own_lines(texts, run, monkeypatch, test):
    options = ("--baseline", "three", "--test", test, "--format", "json")
    grouped = rows(run(*GIVEN, *BY, *options))
    monkeypatch.chdir(of_domain(texts, 30, 55))
    alone = rows(run(*GIVEN, *options))
    names = [name for name in alone[0] if name.startswith(("f1", "chrf"))]
    assert {"f1", "f1 low", "f1 high", "f1 p", "chrf p"} <= {*names}
    talk = {row["system"]: row for row in grouped if row["domain"] == "talk"}
    assert {row["system"]: [talk[row["system"]][name] for name in names] for row in alone} == {
        row["system"]: [row[name] for name in names] for row in alone
    }


def test_a_correction_is_over_all_groups(texts, run):
    options = ("--baseline", "three", "--resamples", 2000, "--format", "json")
    plain, corrected = (
        rows(run(*GIVEN, *BY, *options, *more)) for more in ((), ("--correct", "holm"))
    )
    tested = [n for n, row in enumerate(plain) if row["f1 p"] is not None]
    assert len(tested) == 4  # two groups that are large enough, two systems
    expected = holm([plain[n]["f1 p"] for n in tested])
    assert [corrected[n]["f1 p holm"] for n in tested] == pytest.approx(expected)


def test_people_see_intervals_and_p_values(texts, run):
    done = run(*GIVEN, *BY, "--baseline", "three")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["domain", "segments", "system", "f1", "chrf"]
    assert "[" in lines[1] and "†" in lines[1]
    assert "p against three; † below 0.05" in lines
    assert "groups of fewer than 6 segments (1) are too small for intervals and tests" in lines
    assert "bootstrap resamples of segments" in done.stderr
    small = next(line for line in lines if line.startswith("mail"))
    assert "[" not in small


def test_documents_are_drawn_inside_a_domain(texts, run):
    drawn = ("--resample-by", "document", "--format", "json")
    found = rows(run(*GIVEN, *BY, *drawn))
    news = next(row for row in found if row["domain"] == "news")
    assert news["f1 low"] < news["f1"] < news["f1 high"]
    done = run(*GIVEN, *BY[2:], "--by", "document", "--resample-by", "document")
    assert done.exit_code == 2
    assert "--by document and --resample-by document do not go together" in done.stderr


def test_without_resamples_there_are_scores_alone(texts, run):
    lines = run(*GIVEN, *BY, "--resamples", 0).stdout.splitlines()
    assert len(lines) == 10  # no note either
    assert not any("[" in line for line in lines)


def test_groups_of_given_scores(texts, run):
    run(*GIVEN, "--segments", "-o", "rows.tsv")
    of_texts = rows(run(*GIVEN, *BY, "--scores", "given=rows.tsv", "--format", "json"))
    alone = rows(run("score", "--scores", "given=rows.tsv", *BY, "--format", "json"))
    by_place = {(row["domain"], row["system"]): row for row in alone}
    for row in of_texts:
        other = by_place[row["domain"], row["system"]]
        assert other["given chrf"] == row["given chrf"]
        assert other["given chrf low"] == row["given chrf low"]
    done = run("score", "--scores", "given=rows.tsv", "--by", "length")
    assert (done.exit_code, "--by length needs texts" in done.stderr) == (2, True)
    write(texts / "short.tsv", "news\ta")
    done = run("score", "--scores", "given=rows.tsv", "--by", "domain", "--documents", "short.tsv")
    assert "short.tsv has 1 line for 60 segments; expected one for each" in done.stderr


# -- rows of segments ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rows.tsv", "rows.jsonl", "rows.parquet"])
def test_rows_of_segments_keep_document_and_domain(texts, run, name):
    run(*GIVEN, "--segments", "--documents", "docs.tsv", "-o", name)
    found = _read(texts / name)
    assert list(found[0])[:5] == ["segment", "system", "document", "domain", "f1"]
    places = [line.split("\t") for line in (texts / "docs.tsv").read_text().splitlines()]
    assert [(row["domain"], row["document"]) for row in found[::3]] == [tuple(p) for p in places]
    plain = run("score", "--scores", name, "--resamples", 0, "--format", "json")
    run(*GIVEN, "--segments", "-o", "plain.tsv")
    bare = run("score", "--scores", "plain.tsv", "--resamples", 0, "--format", "json")
    assert rows(plain) == rows(bare)


@pytest.mark.parametrize("name", ["rows.tsv", "rows.jsonl", "rows.parquet"])
def test_documents_and_domains_are_read_back(texts, run, name):
    """--by and --resample-by of scores need no --documents where the file itself tells."""
    run(*GIVEN, "--segments", "--documents", "docs.tsv", "-o", name)
    for options in (["--by", "domain"], ["--by", "document"], ["--resample-by", "document"]):
        alone = run("score", "--scores", name, *options, "--format", "json")
        told = run("score", "--scores", name, *options, *BY[2:], "--format", "json")
        assert alone.exit_code == 0, alone.stderr
        assert rows(alone) == rows(told)
    done = run("report", "--scores", name, "-o", "page.html", "--resamples", 20)
    assert done.exit_code == 0, done.stderr
    assert "By domain" in (texts / "page.html").read_text()


def test_what_no_file_tells_is_asked_for(texts, run):
    run(*GIVEN, "--segments", "-o", "plain.tsv")
    done = run("score", "--scores", "plain.tsv", "--by", "domain")
    expected = "--by domain needs --documents, or scores of segments with a column 'domain' that"
    assert (done.exit_code, expected in " ".join(done.stderr.split())) == (2, True)
    lines = ["segment\tsystem\tdomain\tCOMET", "1\tA\tnews\t.5", "1\tB\tchat\t.5"]
    write(texts / "odd.tsv", *lines)
    done = run("score", "--scores", "odd.tsv", "--by", "domain")
    assert done.exit_code == 1
    assert "odd.tsv: segment '1' has the domains 'news' and 'chat'; expected one" in done.stderr


def test_the_lead_keeps_documents_too(texts, run):
    done = run(*GIVEN, "--segments", "--lead", "--documents", "docs.tsv")
    assert done.stdout.splitlines()[1].split("\t")[:4] == ["1", "one", "news0", "news"]


def test_without_documents_there_is_no_column_of_them(texts, run):
    assert run(*GIVEN, "--segments").stdout.startswith("segment\tsystem\tf1\tchrf\n")


def _read(path: Path) -> list[dict]:
    if path.suffix == ".parquet":
        return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    lines = path.read_text().splitlines()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in lines[:-1]]
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]
