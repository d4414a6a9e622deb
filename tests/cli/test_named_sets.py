"""Test sets by name: found, fetched when asked for, never by themselves; paths come first."""

import io
import multiprocessing
import tarfile
from pathlib import Path

import pytest

import rankwise as rw
from evalset_folders import make_evalset
from http_files import serving
from rankwise.compat import sacrebleu
from rankwise.compat.sacrebleu import dataset
from rankwise.errors import DataError, StoreError
from rankwise.io.named_sets import set_list
from rankwise.io.named_sets.set_files import download, set_files

LINES = [f"the cat number {number} sat on the mat" for number in range(9)]
XML = """<?xml version="1.0" encoding="utf-8"?>
<dataset id="toy"><doc id="d1" origlang="en" domain="news">
<src lang="en"><p>{}</p></src><ref lang="de" translator="A"><p>{}</p></ref>
<ref lang="de" translator="B"><p>{}</p></ref><hyp system="owl"><p>{}</p></hyp></doc></dataset>
"""


def segments(lines):
    return "".join(f'<seg id="{number}">{line}</seg>' for number, line in enumerate(lines, 1))


def packed(files):
    """A tar archive of texts by path."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            raw = content.encode()
            member = tarfile.TarInfo(name)
            member.size = len(raw)
            archive.addfile(member, io.BytesIO(raw))
    return buffer.getvalue()


TOY = XML.format(
    segments(LINES),
    segments([line.upper() for line in LINES]),
    segments(LINES),
    segments([line.replace("cat", "dog") for line in LINES]),
)


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A home folder without anything, and a folder to work in."""
    for name in ("SACREBLEU", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    Path("mine.txt").write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    return tmp_path / "home"


@pytest.fixture
def server(home, monkeypatch):
    """Serves the archive of a test set called toy, of which two language pairs are known."""
    with serving() as found:
        found.content = packed({"in/toy.xml": TOY, "in/../../out": "x", "/etc/out": "x"})
        use(found, monkeypatch)
        yield found
    clear()


def toy(archive):
    """The table of the one set that the tests have."""
    return {
        "toy": {
            "title": "A toy.",
            "kind": "wmt-xml",
            "archives": [[archive.url, archive.md5]],
            "references": ["B"],
            "files": {"en-de": ["in/toy.xml"], "de-en": ["in/other.xml"]},
        }
    }


def use(server, monkeypatch, **others):
    table = {
        "sets": toy(server.archive("toy.tar.gz")),
        "evalsets": {"archive": server.archive("all.tgz").url, "folder": "all", "names": ["eval"]},
    }
    monkeypatch.setattr(set_list, "_table", lambda: table | others)
    clear()
    monkeypatch.setattr(
        dataset,
        "DATASETS",
        {name: dataset.Dataset(one) for name, one in set_list.named_sets().items()},
    )


def clear():
    set_list.named_sets.cache_clear()
    set_list.evalsets.cache_clear()


def test_nothing_is_fetched_by_itself(server, run, home):
    for arguments in (
        ("score", "-m", "bleu", "mine.txt"),
        ("report", "mine.txt", "-o", "x.html"),
        ("sacrebleu",),
    ):
        done = run(*arguments, "-t", "toy", "-l", "en-de")
        assert (done.exit_code, done.stdout) == (1, "")
        assert "toy" in done.stderr and "--download" in done.stderr
        assert "~/.sacrebleu/toy" in done.stderr and "~/.cache/rankwise/testsets/toy" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    with pytest.raises(StoreError, match=r"is not in ~/\.sacrebleu/toy"):
        sacrebleu.get_source_file("toy", "en-de")
    assert server.asked == []
    assert not home.exists()


@pytest.mark.parametrize("command", ["score", "report", "meta"])
def test_a_download_needs_a_name(run, home, command):
    others = {"report": ("-o", "x.html"), "meta": ("--human", "x")}.get(command, ())
    done = run(command, "--download", "-r", "mine.txt", "mine.txt", *others)
    assert done.exit_code == 2
    assert "--download needs --testset" in done.stderr


def test_a_set_is_fetched_once_and_scored(server, run, home):
    for _ in range(2):
        done = run("sacrebleu", "--download", "toy", "-l", "en-de")
        assert (done.exit_code, done.stdout) == (0, "")
    assert len(server.asked) == 1
    place = home / ".cache" / "rankwise" / "testsets" / "toy"
    assert {path.name for path in place.iterdir() if path.is_file()} == {
        f"toy.en-de.{field}"
        for field in ("src", "ref-A", "ref-B", "docid", "origlang", "owl", "domain")
    }
    assert not list(home.rglob("out"))
    done = run("sacrebleu", "-t", "toy", "-l", "en-de", "-i", "mine.txt", "-b")
    assert (done.exit_code, done.stdout) == (0, "100.0\n")
    echoed = run("sacrebleu", "-t", "toy", "-l", "en-de", "--echo", "ref", "docid")
    assert echoed.stdout.splitlines()[0] == f"{LINES[0].upper()}\td1"


def test_score_takes_the_reference_that_counts_and_the_systems_of_the_set(server, run):
    done = run("score", "-t", "toy", "-l", "en-de", "--download", "-m", "bleu", "mine.txt",
               "--format", "tsv")  # fmt: skip
    assert done.exit_code == 0
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {row[0] for row in rows[1:]} | {row[-1] for row in rows[1:]} >= {"mine", "owl"}
    assert "toy: en-de in ~/.cache/rankwise/testsets/toy, scored against B" in done.stderr
    assert "100" in next(line for line in done.stdout.splitlines() if "mine" in line)
    other = run(
        "score", "-t", "toy", "-l", "en-de", "-m", "bleu", "mine.txt", "--reference-set", "A"
    )
    assert "scored against A" in other.stderr
    by_domain = run("score", "-t", "toy", "-l", "en-de", "-m", "bleu", "--by", "domain")
    assert "news" in by_domain.stdout
    assert len(server.asked) == 1


def test_a_report_names_the_set(server, run, tmp_path):
    done = run("report", "-t", "toy", "-l", "en-de", "--download", "-o", "page.html", "-m", "chrf")
    assert done.exit_code == 0
    assert "owl" in Path("page.html").read_text(encoding="utf-8")


def test_what_sacrebleu_fetched_is_used(server, run, home, monkeypatch, tmp_path):
    for folder in (home / ".sacrebleu", tmp_path / "elsewhere"):
        raw = folder / "toy" / "raw" / "in"
        raw.mkdir(parents=True)
        (raw / "toy.xml").write_text(TOY, encoding="utf-8")
        done = run("sacrebleu", "-t", "toy", "-l", "en-de", "-i", "mine.txt", "-b")
        assert done.stdout == "100.0\n"
        assert (folder / "toy" / "toy.en-de.src").is_file()
        monkeypatch.setenv("SACREBLEU", str(tmp_path / "elsewhere"))
    assert server.asked == []


def test_it_is_fetched_into_the_folder_that_sacrebleu_is_told(server, monkeypatch, tmp_path):
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "told"))
    assert download("toy", "en-de") == tmp_path / "told" / "toy"


def test_a_path_comes_before_a_name(server, run):
    Path("toy").write_text(TOY, encoding="utf-8")
    done = run("score", "-t", "toy", "-m", "bleu")
    assert done.exit_code == 0
    assert (
        "toy is a path here, which is read; the published test set is sacrebleu:toy" in done.stderr
    )
    done = run("score", "-t", "sacrebleu:toy", "-l", "en-de", "-m", "bleu")
    assert done.exit_code == 1
    assert "the test set toy is not on this machine" in done.stderr
    unknown = run("score", "-t", "mtme:toy", "-m", "bleu")
    assert "there is no published test set 'mtme:toy'" in unknown.stderr


def test_pairs_that_are_not_there_are_named(server, run):
    done = run("score", "-t", "toy", "-l", "fr-de", "-m", "bleu", "mine.txt")
    assert "the test set toy has no fr-de; it has en-de, de-en" in done.stderr
    done = run("score", "-t", "toy", "-m", "bleu", "mine.txt")
    assert "toy needs one --language-pair; it has en-de, de-en" in done.stderr


def test_an_archive_without_a_file_is_an_error(server):
    with pytest.raises(DataError, match=r"the archive of toy does not hold in/other\.xml"):
        download("toy")


def test_a_broken_archive_is_an_error(server, monkeypatch):
    server.content = b"no archive"
    use(server, monkeypatch)
    with pytest.raises(DataError, match="cannot be unpacked; delete it and fetch it again"):
        download("toy", "en-de")


def test_evalsets_are_found_and_fetched(server, run, home, monkeypatch):
    folder = make_evalset(Path("made"))
    files = {
        f"all/eval/{path.relative_to(folder)}": path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }
    server.content = packed(files)
    use(server, monkeypatch)
    arguments = ("meta", "-t", "eval", "-l", "en-de", "--draws", 20)
    assert (
        "--download of rankwise score, compare, meta and report fetches it"
        in run(*arguments).stderr
    )
    done = run(*arguments, "--download")
    assert done.exit_code == 0
    assert "eval: the EvalSet in ~/.cache/rankwise/all/eval" in done.stderr
    assert "Good" in done.stdout
    assert len(server.asked) == 1
    (home / ".mt-metrics-eval").mkdir()
    (home / ".cache" / "rankwise" / "all").rename(home / ".mt-metrics-eval" / "all")
    again = run("score", "-t", "mtme:eval", "-l", "he-en", "-m", "bleu")
    assert again.exit_code == 0
    assert "~/.mt-metrics-eval/all/eval" in again.stderr
    Path("beside.txt").write_text("the cat\n" * 12, encoding="utf-8")
    both = run("score", "-t", "eval", "-l", "he-en", "-m", "bleu", "beside.txt")
    assert both.exit_code == 0
    assert "beside" in both.stdout
    assert len(server.asked) == 1


def test_python_reads_a_set_by_name(server):
    with pytest.raises(StoreError, match="toy is not on this machine"):
        rw.read_study(testset="toy", language_pair="en-de")
    study = rw.read_study(testset="toy", language_pair="en-de", download=True)
    assert study.texts.systems == ("owl",)
    assert study.notes[0].startswith("toy: en-de in ")
    assert sacrebleu.download_test_set("toy", "en-de")[0].endswith("toy.en-de.src")
    assert [*set_files("toy", "en-de").references] == ["ref:B"]


def download_in_process(url, md5, results):
    """Fetch the toy set in a process of its own, which knows nothing of the table here."""
    table = {"sets": toy(set_list.Archive(url, md5)), "evalsets": {}}
    set_list._table = lambda: table
    clear()
    results.put(str(download("toy", "en-de")))


def test_two_processes_fetch_and_unpack_one_set(server):
    server.wait = 0.3
    archive = server.archive("toy.tar.gz")
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    children = [
        context.Process(target=download_in_process, args=(archive.url, archive.md5, results))
        for _ in range(3)
    ]
    for child in children:
        child.start()
    assert len({results.get(timeout=60) for _ in children}) == 1
    for child in children:
        child.join(30)
        assert child.exitcode == 0
    assert len(server.asked) == 1
    assert [*set_files("toy", "en-de").systems] == ["owl"]
