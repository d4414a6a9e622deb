"""``rankwise campaign`` with pictures and sounds as sources: what it takes, says, refuses."""

import json

import pytest

from media import png, wav
from rankwise.server.records import Submission
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url

PLAN = """
name = "With pictures"
source_language = "de"
target_language = "en"
protocol = "direct-assessment"
k = 1
control_share = 0

[texts]
source = "source.txt"
outputs = ["a.txt", "b.txt"]
documents = "documents.txt"
assets = "files"
media = "media.tsv"
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "sun.png").write_bytes(png())
    (tmp_path / "files" / "tone.wav").write_bytes(wav())
    (tmp_path / "files" / "page.png").write_bytes(b"<!DOCTYPE html>")
    for name, text in {
        "plan.toml": PLAN,
        "source.txt": "\nzwei\n\n",
        "a.txt": "one\ntwo\nthree\n",
        "b.txt": "1\n2\n3\n",
        "documents.txt": "x\nx\nx\n",
        "media.tsv": "sun.png\tA sun.\n\ntone.wav\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def media_in(folder, slug="with-pictures"):
    store = CampaignStore(Database.open(sqlite_url(folder / "rankwise.db")))
    found = store.campaigns.assets(store.campaigns.get(slug).id)
    store.database.close()
    return {place: (one.asset.name, one.words) for place, one in found.items()}


def test_the_tutorial_takes_its_picture_from_the_same_folder(here, run):
    lesson = (
        '\n[[tutorial]]\nsource = ""\nasset = "sun.png"\nasset_words = "A sun."\n'
        'outputs = ["sun"]\nanswer = { scores = [90] }\n'
    )
    (here / "plan.toml").write_text(PLAN.replace('media = "media.tsv"', "") + lesson)
    done = run("campaign", "create", "plan.toml")
    assert done.exit_code == 0, done.stderr
    assert media_in(here) == {}, "segments have none"
    (here / "files" / "sun.png").unlink()
    done = run("campaign", "check", "plan.toml")
    assert done.exit_code == 1 and "there is no file 'sun.png'" in done.stderr


def test_check_counts_them_and_misses_no_text(here, run):
    done = run("campaign", "check", "plan.toml", "--format", "tsv")
    assert done.exit_code == 0, done.stderr
    assert "Segments with a picture, sound or video: 2\n" in done.stderr
    assert "empty" not in done.stdout


def test_they_come_with_the_campaign_further_segments_and_a_clone(here, run):
    assert run("campaign", "create", "plan.toml").exit_code == 0
    (here / "more.toml").write_text(
        '[texts]\nsource = "s2"\noutputs = ["2/a.txt", "2/b.txt"]\n'
        'documents = "d2"\nassets = "files"\nmedia = "m2"\n'
    )
    (here / "2").mkdir()
    for name, text in {"s2": "\n", "2/a.txt": "x\n", "2/b.txt": "y\n", "d2": "new\n"}.items():
        (here / name).write_text(text)
    (here / "m2").write_text("tone.wav\tA tone.\n")
    done = run("campaign", "extend", "with-pictures", "more.toml")
    assert done.exit_code == 0, done.stderr
    assert run("campaign", "clone", "with-pictures", "--name", "Copy").exit_code == 0
    wanted = {0: ("sun.png", "A sun."), 2: ("tone.wav", ""), 3: ("tone.wav", "A tone.")}
    assert media_in(here) == media_in(here, "copy") == wanted


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("page.png\n\n\n", "media.tsv:1: 'page.png' is none of these by its content; expected PNG"),
        ("\n../a.txt\n\n", "media.tsv:2: found '../a.txt'; expected the name of a file within"),
        ("sun.png\n", "media.tsv has 1 line for 3 segments; expected one for each"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_makes_nothing(here, run, lines, message):
    (here / "media.tsv").write_text(lines)
    for command in ("check", "create"):
        done = run("campaign", command, "plan.toml")
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1 and message in done.stderr
    assert not (here / "rankwise.db").exists()


def test_limits_are_options(here, run):
    done = run("campaign", "create", "plan.toml", "--asset-limit", "0.001")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "'sun.png' has 2.3 KiB; expected at most 1.0 KiB" in done.stderr
    done = run("campaign", "create", "plan.toml", "--assets-limit", "0.03")
    assert "have 33.6 KiB together; expected at most 30.7 KiB" in done.stderr


def test_exports_say_what_is_not_in_them(here, run):
    run("campaign", "create", "plan.toml")
    done = run("campaign", "export", "with-pictures", "--to", "testset", "--to", "long")
    sentence = "testset: The picture, sound or video of 2 segments is not in it."
    assert sentence in done.stderr.splitlines()
    assert done.stderr.count("is not in it") == 1


def test_an_export_with_them_makes_the_campaign_again(here, run):
    run("campaign", "create", "plan.toml")
    more = ("--to", "testset", "--media", "-o", "out")
    done = run("campaign", "export", "with-pictures", *more)
    assert done.exit_code == 0 and "is not in it" not in done.stderr
    there = here / "out" / "with-pictures.media"
    assert (there / "1.png").read_bytes() == png() and (there / "2.wav").read_bytes() == wav()
    listed = (here / "out" / "with-pictures.media.tsv").read_text()
    assert listed == "1.png\tA sun.\n\n2.wav\t\n"
    plan = PLAN.replace("With pictures", "Again").replace('"files"', '"out/with-pictures.media"')
    plan = plan.replace('"media.tsv"', '"out/with-pictures.media.tsv"')
    (here / "again.toml").write_text(plan)
    done = run("campaign", "create", "again.toml")
    assert done.exit_code == 0, done.stderr
    assert media_in(here, "again") == {0: ("1.png", "A sun."), 2: ("2.wav", "")}
    refused = run("campaign", "export", "with-pictures", "--event", "--media")
    assert (refused.exit_code, "--media goes with one campaign" in refused.stderr) == (2, True)


def judged(run, slug="with-pictures"):
    """Open it, let somebody judge the first two segments, close it."""
    assert run("campaign", "open", slug).exit_code == 0
    store = CampaignStore(Database.open(sqlite_url("rankwise.db")))
    judge, _ = store.judges.invite(store.campaigns.get(slug).id, actor="t")
    for _ in range(2):
        task = store.judging.next(judge)
        given = Submission("answer", {"scores": [50] * len(task.outputs)}, 1000)
        store.judging.submit(judge, task.token, given)
    shown = {one.segment for one in store.log.stored(store.campaigns.get(slug).id)}
    store.campaigns.set_state(slug, "closed", actor="t")
    store.database.close()
    return shown


def test_published_pages_have_those_that_were_seen_under_other_names(here, run):
    run("campaign", "create", "plan.toml")
    shown = judged(run)
    done = run("campaign", "publish", "with-pictures", "-o", "site")
    assert done.exit_code == 0, done.stderr
    wanted = {"1": png(), "3": wav()}
    seen = [wanted[name] for name in ("1", "3") if name in shown]
    files = sorted((here / "site" / "media").iterdir()) if seen else []
    assert [file.read_bytes() for file in files] == seen
    assert ("are they yours to publish?" in done.stderr) == bool(seen)
    pages = "".join(page.read_text() for page in here.glob("site/screens/*.html"))
    assert "sun.png" not in pages and "tone.wav" not in pages
    for file in files:
        assert f'src="../media/{file.name}"' in pages


def test_published_pages_without_them_have_the_descriptions(here, run):
    run("campaign", "create", "plan.toml")
    shown = judged(run)
    done = run("campaign", "publish", "with-pictures", "-o", "site", "--no-media")
    assert done.exit_code == 0 and not (here / "site" / "media").exists()
    assert "The picture, sound or video of 2 segments is not in it." in done.stderr
    pages = "".join(page.read_text() for page in here.glob("site/screens/*.html"))
    assert ("A picture: A sun." in pages) == ("1" in shown) and "<img" not in pages


@pytest.mark.parametrize("target", ["out.toml", "out.json", "out.jsonl"])
def test_a_converted_campaign_has_none_and_says_so(here, run, target):
    plan = (here / "plan.toml").read_text().replace("direct-assessment", "esa")
    (here / "plan.toml").write_text(plan)
    more = ("--to", "testset-jsonl") if target == "out.jsonl" else ()
    done = run("convert", "plan.toml", target, *more)
    assert done.exit_code == 0, done.stderr
    assert done.stderr.count("'texts.media' is not taken over") == 1
    assert "media.tsv" not in (here / target).read_text()
    (here / "plan.toml").write_text(
        plan.replace('media = "media.tsv"', "").replace('assets = "files"', "")
    )
    assert "texts.media" not in run("convert", "plan.toml", target, *more).stderr


def test_those_of_pearmut_come_along(here, run):
    items = [
        {"item_id": "1", "src": "<img src='assets/x/sun.png' alt='A sun.'>", "tgt": {"A": "one"}},
        {"item_id": "2", "src": "<img src='https://example.org/a.png'>", "tgt": {"A": "two"}},
    ]
    info = {
        "assignment": "dynamic",
        "protocol": "ESA",
        "assets": {"source": "files", "destination": "assets/x"},
    }
    content = {"campaign_id": "demo_cs-en", "info": info, "data": [items]}
    (here / "demo.json").write_text(json.dumps(content), encoding="utf-8")
    done = run("campaign", "create", "demo.json")
    assert done.exit_code == 0, done.stderr
    assert "the picture, sound or video of 1 sources is shown as its HTML" in done.stderr
    assert media_in(here, "demo-cs-en") == {0: ("sun.png", "A sun.")}
