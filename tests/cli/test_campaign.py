"""``rankwise campaign``: a whole campaign by commands, what they print, and what they refuse."""

import csv
import gzip
import io
import json
import re
import sqlite3
import zipfile
from contextlib import closing
from importlib.resources import as_file, files

import pytest

from rankwise.cli.campaign import COMMANDS
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.types import Segment, TestSet

PLAN = """
name = "Spring test"
source_language = "de"
target_language = "en"
judges = ["Ann Example", "=Bob"]

[texts]
source = "{folder}/source.txt"
references = {{ refA = "{folder}/ref.a.txt", refB = "{folder}/ref.b.txt" }}
outputs = ["systems/*.txt"]

[stop]
max_judgments = 600
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the example's files and a plan."""
    with as_file(files("rankwise.bundled").joinpath("example")) as folder:
        (tmp_path / "plan.toml").write_text(PLAN.format(folder=folder), encoding="utf-8")
        (tmp_path / "systems").mkdir()
        for path in folder.glob("systems/*.txt"):
            (tmp_path / "systems" / path.name).write_bytes(path.read_bytes())
        judgments = (folder / "judgments.jsonl").read_bytes()
        (tmp_path / "judgments.jsonl").write_bytes(judgments)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def filled(here, run):
    """The same with a campaign that has the example's judgments."""
    assert run("campaign", "create", "plan.toml", "--open").exit_code == 0
    done = run("campaign", "import", "spring-test", "judgments.jsonl")
    assert done.stderr == "600 judgments added to 'spring-test'; left out: nothing\n"
    return here


def test_check_prints_findings_and_numbers(here, run):
    done = run("campaign", "check", "plan.toml", "--format", "tsv")
    assert done.exit_code == 0
    head, row = done.stdout.splitlines()
    assert head.split("\t") == ["level", "finding", "segment/system"]
    assert row.startswith("info\t40 outputs in 24 of 60 segments look the same")
    assert "Screens to reach it: about 188, repeats and controls among them\n" in done.stderr


def test_check_fails_on_what_cannot_be_launched(here, run):
    text = PLAN.format(folder="none").replace('"none/source.txt"', '"systems/alder.txt"')
    text = re.sub("references.*\n", "control_kind = 1\n", text)
    (here / "plan.toml").write_text(text, encoding="utf-8")
    done = run("campaign", "check", "plan.toml")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "plan.toml: unknown key 'texts.control_kind'" in done.stderr
    text = text.replace("control_kind = 1\n", "").replace(
        "[texts]", "show_reference = true\n[texts]"
    )
    (here / "plan.toml").write_text(text, encoding="utf-8")
    done = run("campaign", "check", "plan.toml", "--format", "tsv")
    assert done.exit_code == 1
    assert "error\tThe reference is to be shown, but there is none." in done.stdout


def test_create_invites_the_judges_and_keeps_no_names_in_the_plan(here, run):
    done = run("campaign", "create", "plan.toml", "--base-url", "https://judge.example/")
    assert done.exit_code == 0
    head, ann, bob = csv.reader(done.stdout.splitlines())
    assert head == ["judge", "name", "email", "link"]
    assert ann[1:3] == ["Ann Example", ""] and bob[1:3] == ["'=Bob", ""]
    assert re.fullmatch(r"https://judge\.example/j/[\w-]{22,}", ann[3])
    assert "campaign 'spring-test' is draft; 60 segments\nnobody gets a screen" in done.stderr
    backup = here / "backup.zip"
    assert run("campaign", "backup", backup).exit_code == 0
    with zipfile.ZipFile(backup) as archive:
        assert "Example" not in archive.read("campaigns.jsonl").decode()
        assert "Ann Example" in archive.read("identities.jsonl").decode()
        assert ann[3].rsplit("/", 1)[1] not in archive.read("judges.jsonl").decode()


def test_a_second_campaign_of_that_name_is_refused(filled, run):
    done = run("campaign", "create", "plan.toml")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1].startswith("rankwise: there is a campaign 'spring-test'")


def test_invite_writes_a_sheet(filled, run):
    done = run("campaign", "invite", "spring-test", "Carl", "--count", 2, "-o", "links.csv")
    assert (done.exit_code, done.stdout) == (0, "")
    rows = list(csv.DictReader((filled / "links.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["name"] for row in rows] == ["Carl", "", ""]
    assert len({row["link"] for row in rows}) == 3
    assert (
        filled / "links.csv"
    ).stat().st_mode & 0o777 == 0o600  # whoever reads it can be those judges
    assert run("campaign", "invite", "spring-test").exit_code == 2


def test_pay_is_a_sheet_that_only_its_owner_reads(filled, run):
    done = run("campaign", "pay", "spring-test", "-o", "pay.csv")
    assert done.exit_code == 0, done.output
    with (filled / "pay.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) > 0
    assert sum(int(row["screens"]) for row in rows) > 0
    assert (filled / "pay.csv").stat().st_mode & 0o777 == 0o600
    printed = run("campaign", "pay", "spring-test")
    assert printed.stdout.splitlines()[0].startswith("judge,name,email,parameters,screens")


def test_an_address_is_told_from_a_name(filled, run):
    done = run(
        "campaign", "invite", "spring-test", "Ann Example <ann@example.org>", "b@example.org"
    )
    rows = list(csv.reader(done.stdout.splitlines()))
    assert [row[1:3] for row in rows[1:]] == [
        ["Ann Example", "ann@example.org"],
        ["", "b@example.org"],
    ]
    database = Database.open(sqlite_url(filled / "rankwise.db"), read_only=True)
    found = [(i.name, i.email) for i in CampaignStore(database).judges.identities(1).values()]
    database.close()
    assert ("Ann Example", "ann@example.org") in found and (None, "b@example.org") in found


def test_the_same_file_is_imported_once(filled, run):
    done = run("campaign", "import", "spring-test", "judgments.jsonl")
    assert done.exit_code == 1
    assert done.stderr == (
        "rankwise: judgments.jsonl: these 600 judgments were imported into this campaign already; "
        "--again adds them once more\n"
    )
    assert run("campaign", "import", "spring-test", "judgments.jsonl", "--again").exit_code == 0


def test_status_of_all_and_of_one(filled, run):
    done = run("campaign", "status", "--format", "tsv")
    _, row = done.stdout.splitlines()
    assert row.split("\t")[:4] == ["spring-test", "open", "ranking", "de-en"]
    done = run("campaign", "status", "spring-test", "--format", "json")
    rows = json.loads(done.stdout)["rows"]
    assert [row["system"] for row in rows][:2] == ["rowan", "willow"]
    assert "of at most 600 judgments" in done.stderr
    people = run("campaign", "status", "spring-test", "--people", "--format", "json")
    assert sum(row["n"] for row in json.loads(people.stdout)["rows"]) == 600
    assert run("campaign", "status", "spring-test", "--model", "elo").exit_code == 2


def rows_in(folder):
    with closing(sqlite3.connect(folder / "rankwise.db")) as connection:
        tables = ("judges", "identities", "screens", "leases", "judgments", "events")
        return [connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables]


def broken_at_the_end(folder):
    """The campaign's own records, the last of which says who judged with a number."""
    path = folder / "out" / "spring-test.campaign.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    last = json.loads(lines[-1])
    return "\n".join([*lines[:-1], json.dumps(last | {"judge": 7})]).encode()


HOSTILE = {
    "brackets.jsonl": b'{"format": "rankwise-campaign", "x": ' + b"[" * 100_000,
    "line.jsonl": b'{"segment": "1", "judge": "' + b"a" * 10_000_000 + b'"}',
    "junk.csv": b"\0" * 1000,
    "formula.csv": b"=cmd()\n",
    "newlines.jsonl.gz": gzip.compress(b"\n" * (64 << 20)),
    "line.jsonl.gz": gzip.compress(b'{"format": "rankwise-campaign", "x": "' + b"a" * (64 << 20)),
    "twice.csv.gz": gzip.compress(gzip.compress(b"1\n" * (32 << 20))),
    "cut.jsonl.gz": gzip.compress(b"1\n" * 1000)[:-9],
    "broken.jsonl": broken_at_the_end,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_a_sentence_and_nothing_is_stored(filled, run, name):
    assert run("campaign", "export", "spring-test", "--to", "records", "-o", "out").exit_code == 0
    content = HOSTILE[name]
    (filled / name).write_bytes(content if isinstance(content, bytes) else content(filled))
    before = rows_in(filled)
    done = run("campaign", "import", "spring-test", name, "--again")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"rankwise: {name}:") and done.stderr.count("\n") == 1
    assert len(done.stderr) < 500
    assert rows_in(filled) == before


def test_a_file_that_bursts_is_told_so(filled, run):
    (filled / "b.jsonl.gz").write_bytes(HOSTILE["newlines.jsonl.gz"])
    done = run("campaign", "import", "spring-test", "b.jsonl.gz")
    assert done.stderr == (
        "rankwise: b.jsonl.gz: unpacks to more than 100 times its size; "
        "expected texts, which do not\n"
    )


def test_a_packed_file_of_many_judgments_is_imported(filled, run):
    packed = gzip.compress((filled / "judgments.jsonl").read_bytes())
    (filled / "judgments.jsonl.gz").write_bytes(packed)
    assert run("campaign", "import", "spring-test", "judgments.jsonl.gz", "--again").exit_code == 0


def test_export_and_import_into_another_campaign_is_the_same(filled, run):
    done = run("campaign", "export", "spring-test", "--to", "records", "--to", "jsonl", "-o", "out")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "out/spring-test.campaign.jsonl",
        "out/spring-test.campaign.jsonl.about.json",
        "out/spring-test.jsonl",
        "out/spring-test.jsonl.about.json",
    ]
    plan = (filled / "plan.toml").read_text(encoding="utf-8")
    (filled / "plan.toml").write_text(plan.replace("Spring", "Autumn"), encoding="utf-8")
    assert run("campaign", "create", "plan.toml").exit_code == 0
    done = run("campaign", "import", "autumn-test", "out/spring-test.campaign.jsonl")
    assert done.stderr == "600 judgments added to 'autumn-test'; left out: nothing\n"
    assert run("campaign", "export", "autumn-test", "--to", "records", "-o", "out").exit_code == 0
    one, two = (
        _comparable(filled / "out" / f"{name}-test.campaign.jsonl") for name in ("spring", "autumn")
    )
    assert one == two and len(one) == 600


def _comparable(path):
    """Judgments without what numbers and pseudonyms of another campaign change."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    judges = {}
    for row in rows:
        row["judge"] = judges.setdefault(row["judge"], len(judges))
        for key in ("id", "receipt", "screen"):
            del row[key]
    return rows


def test_export_for_spreadsheets_and_with_filters(filled, run):
    done = run("campaign", "export", "spring-test", "--spreadsheet", "--no-skips", "-o", "out")
    path = filled / "out" / "spring-test.spreadsheet.csv"
    assert done.stdout.splitlines()[0] == "out/spring-test.spreadsheet.csv"
    about = json.loads((path.parent / f"{path.name}.about.json").read_text(encoding="utf-8"))
    assert about["judgments"]["left_out"] == {"skips": 6}
    assert about["is_spreadsheet_safe"]
    assert "left out: 6 skips" in done.stderr
    assert run("campaign", "export", "spring-test", "--to", "xls").exit_code == 2


def test_backup_and_restore_elsewhere(filled, run):
    assert run("campaign", "backup", "all.zip").exit_code == 0
    assert run("campaign", "restore", "all.zip", "--folder", "other").exit_code == 0
    here = run("campaign", "status", "spring-test", "--format", "tsv")
    there = run("campaign", "status", "spring-test", "--format", "tsv", "--folder", "other")
    assert here.stdout == there.stdout and here.stdout
    again = run("campaign", "restore", "all.zip", "--folder", "other")
    assert again.exit_code == 1 and again.stderr.endswith("already; --force replaces it\n")
    assert run("campaign", "restore", "all.zip", "--folder", "other", "--force").exit_code == 0


def test_a_late_system_joins(here, run):
    plan = (here / "plan.toml").read_text(encoding="utf-8")
    (here / "plan.toml").write_text(plan.replace("600", "900"), encoding="utf-8")
    run("campaign", "create", "plan.toml", "--open")
    run("campaign", "import", "spring-test", "judgments.jsonl")
    database = Database.open(sqlite_url(here / "rankwise.db"))
    assert CampaignStore(database).queue.top_up(1) == 40
    database.close()
    lines = [f"what another one made of {number}" for number in range(60)]
    (here / "late.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run("campaign", "add", "spring-test", "late", "late.txt")
    assert (done.exit_code, done.stderr) == (0, "system 'late' is in 'spring-test'; 60 segments\n")
    database = Database.open(sqlite_url(here / "rankwise.db"))
    store = CampaignStore(database)
    judge, _ = store.judges.invite(store.campaigns.get("spring-test").id, actor="test")
    task = store.judging.next(judge)
    database.close()
    assert {*task.outputs} & {*lines}  # nobody was seen less, and what waited was chosen anew
    again = run("campaign", "add", "spring-test", "late", "late.txt")
    assert again.exit_code == 1
    assert again.stderr == (
        "rankwise: there is a system 'late' already, and what was judged stays as it is; choose "
        "another name\n"
    )
    (here / "short.txt").write_text("one\n", encoding="utf-8")
    short = run("campaign", "add", "spring-test", "short", "short.txt")
    assert short.stderr == (
        "rankwise: system 'short' has 1 outputs; expected one for each of the 60 segments\n"
    )


def test_documents_may_come_later(filled, run, here):
    for path in (here / "systems").glob("*.txt"):
        made = f"{path.stem} one\n{path.stem} two\n"
        (here / path.name).write_text(made, encoding="utf-8")
    (here / "more.txt").write_text("Neu eins\nNeu zwei\n", encoding="utf-8")
    texts = '[texts]\nsource = "more.txt"\noutputs = ["%s"]\n'
    names = sorted(path.name for path in (here / "systems").glob("*.txt"))
    (here / "more.toml").write_text(texts % '", "'.join(names), encoding="utf-8")
    done = run("campaign", "extend", "spring-test", "more.toml")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.endswith("2 segments are added to 'spring-test'; 62 in all\n")
    status = run("campaign", "status", "spring-test")
    assert "campaign 'spring-test' is open; 8 systems, 62 segments\n" in status.stderr
    run("campaign", "export", "spring-test", "--to", "testset")
    lines = (here / "spring-test.testset.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines[-2:]] == ["61", "62"]
    (here / "more.toml").write_text(texts % '", "'.join(names[1:]), encoding="utf-8")
    refused = run("campaign", "extend", "spring-test", "more.toml")
    assert refused.exit_code == 1
    assert f"no outputs of {names[0].removesuffix('.txt')}; expected outputs of" in refused.stderr
    (here / "empty.toml").write_text("name = 'x'", encoding="utf-8")
    refused = run("campaign", "extend", "spring-test", "empty.toml")
    assert refused.stderr == "rankwise: empty.toml: expected a table 'texts', as a plan has it\n"


def test_a_draft_with_errors_that_was_closed_is_not_opened(here, run):
    store = CampaignStore(Database.open(sqlite_url(here / "rankwise.db")))
    plan = Plan.from_json({"name": "Odd", "source_language": "de", "target_language": "en"})
    store.campaigns.add(plan, TestSet((Segment("1", "x"),), {"A": ("a",)}), actor="test")
    store.database.close()
    assert run("campaign", "close", "odd").exit_code == 0
    refused = run("campaign", "open", "odd")
    assert refused.exit_code == 1
    assert "cannot be launched" in refused.stderr


def test_close(filled, run):
    assert run("campaign", "close", "spring-test").stderr == "campaign 'spring-test' is closed\n"
    assert "closed" in run("campaign", "status").stdout
    again = run("campaign", "close", "spring-test")
    assert (again.exit_code, again.stderr) == (0, "campaign 'spring-test' is closed already\n")


def test_open_pause_and_open_again(here, run):
    run("campaign", "create", "plan.toml")
    for command, state in (("open", "open"), ("pause", "paused"), ("open", "open")):
        done = run("campaign", command, "spring-test")
        assert (done.exit_code, done.stderr) == (0, f"campaign 'spring-test' is {state}\n")
    assert run("campaign", "open", "spring-test").stderr.endswith("is open already\n")
    run("campaign", "close", "spring-test")
    refused = run("campaign", "pause", "spring-test")
    assert (refused.exit_code, refused.stderr) == (
        1, "rankwise: campaign 'spring-test' is closed; it cannot become paused\n",
    )  # fmt: skip


def test_a_draft_with_errors_is_not_opened(here, run):
    store = CampaignStore(Database.open(sqlite_url(here / "rankwise.db")))
    texts = TestSet((Segment("1", "Quelle"),), {"A": ("one",)}, "Bad", "de", "en")
    keys = {"name": "Bad", "source_language": "de", "target_language": "en"}
    store.campaigns.add(Plan.from_json(keys), texts, actor="test")
    store.database.close()
    done = run("campaign", "open", "bad")
    assert done.exit_code == 1
    assert done.stderr.startswith("rankwise: campaign 'bad' cannot be launched: ")


def test_edit_a_draft_and_what_was_judged(here, run):
    run("campaign", "create", "plan.toml")
    (here / "more.toml").write_text('consent = "May we?"\n[recruiting]\nmost_judges = 9\n')
    words = ("name=Spring, second", "k=4", "stop.max_judgments=", "--file", "more.toml")
    done = run("campaign", "edit", "spring-test", *words)
    assert done.exit_code == 0
    assert "name: Spring test → Spring, second\nk: 5 → 4\n" in done.stderr
    assert "consent:  → May we?\n" in done.stderr
    run("campaign", "open", "spring-test")
    run("campaign", "import", "spring-test", "judgments.jsonl")
    assert run("campaign", "edit", "spring-test", "sitting=12").stderr == (
        "sitting: 30 → 12\ncampaign 'spring-test': 1 key changed\n"
    )
    refused = run("campaign", "edit", "spring-test", "k=3")
    assert (refused.exit_code, refused.stderr) == (
        1,
        "rankwise: campaign 'spring-test' has judgments, so its 'k' cannot change; "
        "clone it and edit the clone\n",
    )
    assert run("campaign", "edit", "spring-test").exit_code == 2
    assert run("campaign", "edit", "spring-test", "sitting").stderr == (
        "rankwise: 'sitting' is no change; expected KEY=VALUE, such as sitting=20\n"
    )


def test_clone_with_judges(filled, run):
    done = run("campaign", "clone", "spring-test", "--name", "Autumn test", "--judges")
    assert done.exit_code == 0
    assert done.stderr == ("campaign 'autumn-test' is draft; a clone of 'spring-test', 2 invited\n")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["name"] for row in rows] == ["Ann Example", "'=Bob"]
    status = run("campaign", "status", "--format", "tsv").stdout.splitlines()
    assert status[2].split("\t")[-2:] == ["2", "0"]
    alone = run("campaign", "clone", "spring-test", "--name", "Winter test")
    assert (alone.stdout, alone.stderr.endswith("0 invited\n")) == ("", True)


def test_delete_asks_before(here, run, monkeypatch):
    run("campaign", "create", "plan.toml")
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    kept = run("campaign", "delete", "spring-test")
    assert kept.exit_code == 1
    assert "Delete 'spring-test' (Spring test; 8 systems, 2 judges)?" in kept.stderr
    assert "spring-test" in run("campaign", "status").stdout
    done = run("campaign", "delete", "spring-test", "--yes")
    assert (done.exit_code, done.stderr) == (0, "campaign 'spring-test' is deleted\n")
    assert "spring-test" not in run("campaign", "status").stdout
    assert run("campaign", "create", "plan.toml").exit_code == 0


def test_judgments_keep_a_campaign_from_being_deleted(filled, run):
    done = run("campaign", "delete", "spring-test")
    assert (done.exit_code, done.stderr) == (
        1,
        "rankwise: campaign 'spring-test' has judgments, which are never deleted; "
        "close it instead\n",
    )


@pytest.mark.parametrize("command", ["invite x y", "status", "export x", "close x", "backup y"])
def test_no_database_is_one_sentence(tmp_path, monkeypatch, run, command):
    monkeypatch.chdir(tmp_path)
    done = run("campaign", *command.split())
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("rankwise: there is no rankwise.db in ")
    assert not list(tmp_path.iterdir())


def test_an_unknown_campaign_is_one_sentence(filled, run):
    done = run("campaign", "export", "nope")
    assert (done.exit_code, done.stderr) == (1, "rankwise: there is no campaign 'nope'\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(run, name):
    done = run("campaign", name, "--help")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"Usage: rankwise campaign {name}")


def test_looking_and_taking_away_work_beside_a_running_server(filled, run):
    held = Database.open(sqlite_url(filled / "rankwise.db"))  # as `rankwise serve` holds it
    try:
        assert run("campaign", "status", "spring-test", "--format", "tsv").exit_code == 0
        assert run("campaign", "backup", "all.zip").exit_code == 0
        done = run("campaign", "export", "spring-test", "-o", "out")
        assert done.exit_code == 0
        assert "does not have this export in its audit log" in done.stderr
        refused = run("campaign", "close", "spring-test")
    finally:
        held.close()
    assert refused.exit_code == 1
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1
    assert "the server holds this database; do this on its pages, or stop it" in refused.stderr


def test_a_campaign_of_pearmut_comes_in_and_goes_out(run, tmp_path):
    items = [{"item_id": "1", "src": "Dům.", "tgt": {"a": "A house.", "b": "House."}}]
    info = {"assignment": "dynamic", "protocol": "ESA", "users": ["ann"], "show_progress": False}
    path = tmp_path / "in.json"
    content = {"campaign_id": "demo_cs-en", "info": info, "data": [items]}
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    made = run("campaign", "create", path, "--folder", tmp_path, "-o", tmp_path / "links.csv")
    assert made.exit_code == 0, made.stderr
    assert "'info.show_progress' is not taken over: a judge sees how much is done" in made.stderr
    assert (tmp_path / "links.csv").stat().st_mode & 0o777 == 0o600
    assert "ann" in (tmp_path / "links.csv").read_text(encoding="utf-8")
    given = ("--to", "pearmut", "-o", tmp_path, "--folder", tmp_path)
    out = run("campaign", "export", "demo-cs-en", *given)
    assert out.exit_code == 0, out.stderr
    again = json.loads((tmp_path / "demo-cs-en.pearmut.json").read_text(encoding="utf-8"))
    assert again["data"] == [items]
    pair = run("campaign", "check", tmp_path / "x.toml", "--language-pair", "cs-en")
    assert pair.exit_code == 2 and "names its languages itself" in pair.stderr


def test_a_campaign_is_converted_there_and_back(run, tmp_path):
    items = [{"item_id": "1", "src": "Dům.", "tgt": {"a": "A house.", "b": "House."}}]
    info = {"assignment": "dynamic", "protocol": "ESA", "users": ["ann"]}
    content = {"campaign_id": "demo", "info": info, "data": [items]}
    path = tmp_path / "in.json"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    pair = ("--option", "language_pair=cs-en")
    first = run("convert", path, tmp_path / "first.json", *pair)
    assert first.exit_code == 0, first.stderr
    assert "campaign 'demo': 2 systems, 1 segments" in first.stderr
    for source, target in (("first.json", "plan.toml"), ("plan.toml", "again.json")):
        done = run("convert", tmp_path / source, tmp_path / target)
        assert done.exit_code == 0, done.stderr
    texts = [(tmp_path / name).read_text(encoding="utf-8") for name in ("first.json", "again.json")]
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["info"]["users"] == ["ann"]
    assert 'judges = ["ann"]' in (tmp_path / "plan.toml").read_text(encoding="utf-8")
    only = run("convert", tmp_path / "plan.toml", tmp_path / "texts.testset.jsonl")
    assert "Everything but the texts is left out." in only.stderr
    checked = run("campaign", "check", tmp_path / "plan.toml")
    assert checked.exit_code == 0, checked.stderr
    wrong = run("convert", path, tmp_path / "x.toml", "--option", "collapsed=true")
    assert wrong.exit_code == 2 and "a campaign has language_pair only" in wrong.stderr
    pairless = run("convert", path, tmp_path / "x.toml")
    assert pairless.exit_code == 1 and "--option language_pair=cs-en" in pairless.stderr


def test_only_a_closed_campaign_is_published(run, tmp_path):
    items = [{"item_id": "1", "src": "Dům.", "tgt": {"a": "A house.", "b": "House."}}]
    info = {"assignment": "dynamic", "protocol": "ESA"}
    path, where = tmp_path / "in.json", ("--folder", tmp_path)
    content = {"campaign_id": "demo_cs-en", "info": info, "data": [items]}
    path.write_text(json.dumps(content), encoding="utf-8")
    assert run("campaign", "create", path, *where).exit_code == 0
    refused = run("campaign", "publish", "demo-cs-en", "-o", tmp_path / "pages", *where)
    assert refused.exit_code == 1 and "is draft; close it before" in refused.stderr
    answer = {
        "user_id": "ann",
        "item_i": 0,
        "item": items,
        "annotation": [{"a": {"score": 80, "error_spans": []}, "b": {"score": 30}}],
    }
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps(answer), encoding="utf-8")
    assert run("campaign", "import", "demo-cs-en", answers, *where).exit_code == 0
    again = run("campaign", "import", "demo-cs-en", answers, *where)
    assert again.exit_code == 1 and "were imported into this campaign already" in again.stderr
    assert run("campaign", "close", "demo-cs-en", *where).exit_code == 0
    made = run("campaign", "publish", "demo-cs-en", "-o", tmp_path / "pages", *where)
    assert made.exit_code == 0, made.stderr
    assert (tmp_path / "pages" / "screens" / "1.html").is_file()
    assert "1 judgments on 1 screens" in made.stderr


def test_an_event_of_two_plans(here, run):
    plan = (here / "plan.toml").read_text(encoding="utf-8")
    czech = plan.replace("Spring test", "Czech").replace('"en"', '"cs"').replace(', "=Bob"', "")
    (here / "plans").mkdir()
    for name, text in (("a", plan), ("b", czech)):
        text = text.replace("systems/*.txt", f"{here}/systems/*.txt")
        (here / "plans" / f"{name}.toml").write_text(text, encoding="utf-8")
    made = run("campaign", "create", "plans", "--event", "WMT 27", "--open")
    assert made.exit_code == 0
    assert "event 'wmt-27': 2 campaigns" in made.stderr
    rows = list(csv.DictReader(io.StringIO(made.stdout)))
    assert [(row["name"], len(row["judge"].split())) for row in rows] == [
        ("Ann Example", 2), ("'=Bob", 1),
    ]  # fmt: skip
    again = run("campaign", "create", "plans", "--event", "WMT 27")
    assert (again.exit_code, "there is a campaign 'spring-test' already" in again.stderr) == (
        1, True,
    )  # fmt: skip
    run("campaign", "import", "spring-test", "judgments.jsonl")
    assert run("campaign", "pause", "wmt-27", "--event").stderr == (
        "campaign 'spring-test' is paused\ncampaign 'czech' is paused\n"
    )
    table = run("campaign", "event", "wmt-27", "--format", "tsv")
    assert table.stdout.splitlines()[0] == "system\tmean_rank\tmean_score\tspring-test\tczech"
    assert len(table.stdout.splitlines()) == 9
    assert "event 'wmt-27': 2 campaigns, 2 people with one link each" in table.stderr
    assert "wmt-27  spring-test, czech       2" in run("campaign", "event").stdout
    invited = run("campaign", "invite", "wmt-27", "Carla", "--event", "--campaign", "czech")
    assert len(invited.stdout.splitlines()) == 2
    odd = run("campaign", "invite", "wmt-27", "Carla", "--event", "--campaign", "x")
    assert "the event 'wmt-27' has no campaign 'x'" in odd.stderr
    done = run("campaign", "export", "wmt-27", "--event", "-o", "out")
    assert done.stdout.splitlines()[0] == "out/wmt-27.csv"
    lines = (here / "out" / "wmt-27.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("campaign,source_language,target_language,judgment,")
    assert len({line.split(",")[3] for line in lines[1:]}) == 600
    assert (here / "out" / "czech" / "czech.csv").is_file()
    safe = run("campaign", "export", "wmt-27", "--event", "--spreadsheet", "-o", "safe")
    assert safe.stdout.splitlines()[0] == "safe/wmt-27.spreadsheet.csv"
    lost = run("campaign", "event", "absent")
    assert (lost.exit_code, lost.stderr) == (1, "rankwise: there is no event 'absent'\n")
