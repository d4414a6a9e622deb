"""A campaign from the form: files become a draft, mistakes come back as a sentence."""

import bz2
import gzip
import json
import lzma
from dataclasses import replace
from typing import Any

import pytest

from rankwise.server.web.manage import create_page
from server.manage.test_pages import send
from web_client import BROWSER

FIELDS = {
    "name": "Größte Übung",
    "source_language": "de",
    "target_language": "en",
    "protocol": "ranking",
    "k": "3",
    "texts": "files",
    "judges": "Ann\nBob <bob@example.org>",
    "strategy": "uniform",
}


def file(name: str, *lines: str) -> tuple[str, bytes]:
    return name, "".join(line + "\n" for line in lines).encode()


def files(*outputs: tuple[str, bytes]) -> list[tuple[str, tuple[str, bytes]]]:
    return [
        ("source", file("source.de", "eins", "zwei")),
        ("references", file("ref.en", "one", "two")),
        *(("outputs", output) for output in outputs),
    ]


THREE = files(
    file("a.en", "one", "two"), file("b.en", "a one", "a two"), file("../../c.en", "1", "2")
)


def test_files_become_a_draft_and_judges_get_links(organiser, store):
    page = send(organiser, "/campaigns/new", FIELDS, files=THREE).text
    assert page.count("/j/") == 2
    assert "bob@example.org" in page
    campaign = store.campaigns.get("grosste-ubung")
    assert (campaign.state, campaign.plan.k) == ("draft", 3)
    testset = store.campaigns.testset(campaign.id)
    assert testset.systems == ("a", "b", "c")
    assert testset.outputs["c"] == ("1", "2")
    assert testset.segments[1].references == ("two",)
    assert campaign.plan.judges == (), "names stand in the table of identities alone"
    names = {one.name for one in store.judges.identities(campaign.id).values()}
    assert names == {"Ann", "Bob"}
    assert organiser.get("/campaigns/grosste-ubung/check", headers=BROWSER).status_code == 200
    send(organiser, "/campaigns/grosste-ubung/state", {"state": "open"})
    assert store.campaigns.get("grosste-ubung").state == "open"


def test_the_bundled_example_with_another_protocol(organiser, store):
    fields = {**FIELDS, "texts": "example", "protocol": "direct-assessment", "k": "1"}
    answer = send(organiser, "/campaigns/new", fields | {"judges": ""})
    assert answer.headers["location"] == "/campaigns/grosste-ubung/check"
    campaign = store.campaigns.get("grosste-ubung")
    assert campaign.plan.protocol == "direct-assessment"
    assert len(store.campaigns.testset(campaign.id).systems) == 8


def test_a_document_protocol_has_its_window_and_spans(organiser, store):
    further = '[spans]\nseverities = ["small", "large"]\nweights = { small = 1, large = 5 }'
    fields = {**FIELDS, "judges": "", "protocol": "esa", "k": "2", "window": "4"}
    fields |= {"texts": "example", "further": further}
    done = send(organiser, "/campaigns/new", fields)
    assert done.status_code == 303, done.text
    plan = store.campaigns.all()[0].plan
    assert plan.window == 4
    assert plan.spans.severities == ("small", "large")


def test_a_ranking_of_documents_has_its_window_and_no_spans(organiser, store):
    fields = {**FIELDS, "judges": "", "protocol": "ranking", "by_document": "on", "window": "4"}
    fields |= {"texts": "example", "k": "3", "highlight": "on", "output_comments": "on"}
    done = send(organiser, "/campaigns/new", fields)
    assert done.status_code == 303, done.text
    plan = store.campaigns.all()[0].plan
    assert (plan.by_document, plan.window, plan.highlight) == (True, 4, True)
    assert plan.rules.is_document


@pytest.mark.parametrize("texts", ["example", "files"])
def test_a_form_without_a_protocol_means_the_usual_one(organiser, store, texts):
    fields = {key: value for key, value in FIELDS.items() if key not in ("protocol", "judges")}
    send(organiser, "/campaigns/new", fields | {"texts": texts}, files=THREE)
    assert store.campaigns.get("grosste-ubung").plan.protocol == "ranking"


def refused(organiser: Any, fields: dict[str, str], uploads: Any = THREE) -> str:
    answer = send(organiser, "/campaigns/new", {**FIELDS, **fields}, files=uploads)
    assert answer.status_code == 422
    assert "Größte Übung" in answer.text, "what was typed must not be lost"
    return answer.text


def test_a_look_makes_nothing(organiser, store):
    fields = {**FIELDS, "texts": "example", "look": "on"}
    assert send(organiser, "/campaigns/new", fields).status_code == 204
    assert store.campaigns.all() == []
    wrong = send(organiser, "/campaigns/new", fields | {"k": "99"})
    assert (wrong.status_code, "Nothing was made." in wrong.text) == (422, True)
    send(organiser, "/campaigns/new", fields | {"look": ""})
    again = send(organiser, "/campaigns/new", fields)
    assert (again.status_code, "already" in again.text) == (422, True)


def test_mistakes_are_named(organiser, store):
    assert "“Source language”" in refused(organiser, {"source_language": "!"})
    assert "a whole number" in refused(organiser, {"k": "three"})
    assert "expected TOML" in refused(organiser, {"further": "[1"})
    assert "expected one of tutorial" in refused(organiser, {"further": "k = 1"})
    twice = files(file("x/a.en", "1", "2"), file("a.txt", "1", "2"))
    assert "Two files are called" in refused(organiser, {}, twice)
    short = files(file("a.en", "one"), file("b.en", "one", "two"))
    assert "1" in refused(organiser, {}, short)
    assert "No source was chosen" in refused(organiser, {}, THREE[1:])
    assert store.campaigns.all() == []


def test_a_slug_is_taken_once(organiser):
    assert send(organiser, "/campaigns/new", FIELDS, files=THREE).status_code == 200
    assert "already" in refused(organiser, {})


def test_a_file_that_is_no_text(organiser, store):
    uploads = [*files(file("b.en", "1", "2")), ("outputs", ("a.en", b"\xff\xfe\x00\n\xff\n"))]
    refused(organiser, {}, uploads)
    assert store.campaigns.all() == []


def test_a_table_of_very_many_columns_is_one_sentence(organiser, store):
    names = "\t".join(f"system:s{number}" for number in range(200_000))
    table = file("set.tsv", f"source\t{names}", "q" + "\tx" * 200_000)
    found = refused(organiser, {}, [("source", table)])
    assert "200,000 systems; expected at most 2,000" in found
    assert len(found) < 100_000, "the table itself is not sent back"
    assert store.campaigns.all() == []


def test_an_output_of_two_megabytes_is_one_sentence(organiser, store):
    found = refused(
        organiser, {}, files(file("a.en", "x" * 2_000_000, "2"), file("b.en", "1", "2"))
    )
    assert "300,000" in found
    assert len(found) < 100_000, "the text itself is not sent back"
    assert store.campaigns.all() == []


@pytest.mark.parametrize(
    "name",
    [
        *("<script>alert(1)</script>", "{{7*7}}", "=HYPERLINK(1)", "'; DROP TABLE judgments;--"),
        *("\u202etxet", "..\\..\\etc", "a\nb", "\x07", "", " ", "x" * 5000, "\U0001f600" * 300),
    ],
)
def test_hostile_names_of_files_are_names_or_a_sentence(organiser, store, name):
    uploads = files(file(f"{name}.en", "1", "2"), file("b.en", "1", "2"), file("c.en", "3", "4"))
    answer = send(organiser, "/campaigns/new", FIELDS, files=uploads)
    # a name of 5,000 characters is past what the head of a file may have
    assert answer.status_code in ((400,) if len(name) > 4000 else (200, 422))
    pages = [answer.text]
    if answer.status_code == 200:
        for part in ("/check", ""):
            page = organiser.get(f"/campaigns/grosste-ubung{part}", headers=BROWSER)
            assert page.status_code == 200
            pages.append(page.text)
        assert len(store.campaigns.testset(1).systems) == 3
    else:
        assert store.campaigns.all() == []
    assert not any("<script>alert" in page or ">49<" in page for page in pages)


def packed(name: str, text: bytes) -> tuple[str, bytes]:
    return name, gzip.compress(text)


def test_packed_files_are_unpacked(organiser, store):
    uploads = files(packed("a.en.gz", b"one\ntwo\n"), packed("b.en", b"1\n2\n"))
    assert send(organiser, "/campaigns/new", FIELDS, files=uploads).status_code == 200
    campaign = store.campaigns.get("grosste-ubung")
    assert store.campaigns.testset(campaign.id).outputs == {"a": ("one", "two"), "b": ("1", "2")}


@pytest.mark.parametrize("sizes", [(30_000, 1), (9_000, 9_000)])
def test_a_small_file_that_unpacks_to_much_is_refused(app, organiser, store, sizes):
    app.state.settings = replace(app.state.settings, upload_limit=16_000)
    uploads = files(*(packed(f"{n}.en.gz", b"x" * size) for n, size in enumerate(sizes)))
    assert "unpack to more than 16,000 bytes" in refused(organiser, {}, uploads)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_a_file_that_would_be_unpacked_again_is_refused(organiser, store, pack):
    """Whoever reads it would unpack it without a limit."""
    name, twice = packed("a.en.gz", pack(b"one\ntwo\n"))
    uploads = files((name, twice), file("b.en", "1", "2"))
    assert "send it as gzip, once, or unpacked" in refused(organiser, {}, uploads)
    assert store.campaigns.all() == []


def test_millions_of_empty_lines_are_refused_before_they_are_read(organiser, store, monkeypatch):
    """4 MiB of them, packed to 4 kB, took gigabytes."""
    monkeypatch.setattr(create_page, "load_testset", lambda *_: pytest.fail("it was read"))
    many = b"\n" * (4 << 20)
    uploads = files(packed("a.en.gz", many), file("b.en", "1", "2"))
    assert "expected at most 100,000 lines" in refused(organiser, {}, uploads)
    alone = [("source", packed("set.jsonl.gz", many))]
    assert "expected at most 2,000,000 lines" in refused(organiser, {}, alone)
    assert store.campaigns.all() == []


def test_a_packed_file_that_is_cut_is_named(organiser, store):
    uploads = files(("a.en.gz", gzip.compress(b"one\ntwo\n")[:-9]), file("b.en", "1", "2"))
    assert "intact gzip file" in refused(organiser, {}, uploads)


def pearmut(info=None, **more):
    texts = {"alpha": "one", "beta": "two"}
    item = {"item_id": "i1", "src": "eins", "tgt": texts}
    rules = {"alpha": {"score_greaterthan": "beta", "warning": "Look."}}
    info = {"assignment": "dynamic", "protocol": "cESA", **(info or {})}
    content = {"campaign_id": "wmt <27> de-en", "info": info, "data": [[item]]}
    content["data_welcome"] = [[item | {"validation": rules}]]
    return json.dumps(content | more).encode()


def take_over(client, content, name="wmt.json", **fields):
    path = "/campaigns/new/pearmut"
    return send(client, path, fields, files=[("campaign", (name, content))])


def test_a_campaign_of_pearmut_becomes_a_draft(organiser, store):
    users = [{"user_id": name, "token_pass": "GOOD"} for name in ("ann", "bob <bob@example.org>")]
    page = take_over(organiser, pearmut({"users": users, "odd <key>": 1})).text
    assert page.count("/j/") == 2
    assert "bob@example.org" in page
    assert "info.odd &lt;key&gt;" in page, "what has no counterpart is said"
    campaign = store.campaigns.get("wmt-27-de-en")
    assert (campaign.state, campaign.plan.protocol) == ("draft", "esa")
    assert campaign.plan.judges == ()
    assert len(campaign.plan.tutorial) == 1
    assert campaign.plan.recruiting.code_pass == "GOOD"
    assert store.campaigns.testset(campaign.id).systems == ("alpha", "beta")


def test_without_judges_and_warnings_its_check_list_comes(organiser, store):
    done = take_over(organiser, gzip.compress(pearmut()), "wmt.json.gz", language_pair="de-cs")
    assert done.status_code == 303
    assert done.headers["location"].endswith("/campaigns/wmt-27-de-en/check")
    assert store.campaigns.get("wmt-27-de-en").plan.languages == ("de", "cs")
    page = organiser.get("/campaigns/new", headers=BROWSER).text
    assert "Or take over a campaign of Pearmut" in page


def test_only_what_was_not_taken_over_is_shown_where_nobody_is_invited(organiser):
    page = take_over(organiser, pearmut({"odd": 1})).text
    assert "What was not taken over" in page
    assert "data-link" not in page
    assert "/campaigns/wmt-27-de-en/check" in page


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "“wmt.json”"),
        (b"[]", "“wmt.json”"),
        (pearmut(campaign_id="x"), "nothing says the languages"),
        (pearmut({"protocol": "<b>"}), "&#39;&lt;b&gt;&#39;; expected one of DA"),
        (b"\xff\xfe{}", "“wmt.json”"),
    ],
)
def test_what_is_no_campaign_of_pearmut(organiser, store, content, words):
    answer = take_over(organiser, content)
    assert answer.status_code == 422
    assert words in answer.text
    assert "/tmp" not in answer.text
    assert "<b>" not in answer.text
    assert "--language-pair" not in answer.text
    assert store.campaigns.all() == []


def test_no_campaign_of_pearmut_was_chosen(organiser):
    answer = send(organiser, "/campaigns/new/pearmut", {})
    assert answer.status_code == 422
    assert "No campaign was chosen" in answer.text


def test_the_same_campaign_of_pearmut_twice(organiser):
    assert take_over(organiser, pearmut()).status_code == 303
    again = take_over(organiser, pearmut())
    assert again.status_code == 422
    assert "choose another name" in again.text
