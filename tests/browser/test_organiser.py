"""An organiser in a real browser: makes a campaign, invites, watches, exports; axe everywhere."""

import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.campaign_server import campaign_server
from browser.organiser_screenshots import large_testset
from browser.people import PHONE, Person, wait_for_keys
from rankwise.server.records import JudgeTask, Submission

PASSWORD = "correct horse battery"
pytestmark = pytest.mark.requires_program("chromium")
#: A process has to start, and to compute the standings of every campaign, on a busy machine.
LONG = 180_000


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A server whose background work runs, with one organiser."""
    with campaign_server(tmp_path_factory.mktemp("live"), refresher=True) as running:
        _, token = running.store.accounts.create("ann", "owner", "test")
        running.store.accounts.use_setup(token, PASSWORD)
        yield running


def sign_in(come: Any, live: Any, *, name: str = "ann", **options: Any) -> Person:
    person = come(f"{live.url}/login", **options)
    person.page.goto(person.link)
    wait_for_keys(person.page)
    person.page.get_by_label("Name").fill(name)
    person.page.get_by_label("Password").fill(PASSWORD)
    person.page.get_by_role("button", name="Sign in").click()
    expect(person.page.get_by_role("heading", name="Campaigns")).to_be_visible()
    return person


def answer_some(live: Any, campaign: Any, link: str, count: int) -> None:
    """A judge who likes long texts best answers so many screens."""
    judge = live.store.judges.by_link(link.rsplit("/", 1)[1])
    for _ in range(count):
        task = live.store.judging.next(judge)
        assert isinstance(task, JudgeTask)
        lengths = sorted({-len(text) for text in task.outputs})
        ranks = [lengths.index(-len(text)) + 1 for text in task.outputs]
        live.store.judging.submit(judge, task.token, Submission("answer", {"ranks": ranks}, 30_000))


def test_create_invite_watch_and_export(come, live, tmp_path):
    ann = sign_in(come, live)
    page = ann.page
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Name", exact=True).fill("Spring test")
    page.get_by_label("Source language").fill("de")
    page.get_by_label("Target language").fill("en")
    page.get_by_label("Outputs on a screen").fill("4")
    page.get_by_label("The bundled example").check()
    page.get_by_role("button", name="Make the draft").click()

    expect(page.get_by_role("heading", name="Check list")).to_be_visible()
    expect(page.get_by_role("heading", name="What a judge will see")).to_be_visible()
    page.get_by_role("button", name="Launch").click()
    expect(page.locator(".badge", has_text="open")).to_be_visible()

    page.get_by_role("link", name="People").click()
    page.get_by_label("Names, one per line").fill("Bea <bea@example.org>")
    page.get_by_role("button", name="Make links").click()
    link = page.locator("[data-link]").inner_text()
    assert link.startswith(f"{live.url}/j/")
    who = page.locator("[data-who]").inner_text()
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy all").click()
    expect(page.get_by_role("status")).to_have_text("1 copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{who}\tbea@example.org\t{link}"

    page.goto(f"{live.url}/campaigns/spring-test")
    expect(page.locator(".card .empty").first).to_be_visible()
    campaign = live.store.campaigns.get("spring-test")
    answer_some(live, campaign, link, 15)
    # nobody touches the page: it renews itself once the background work has the judgments
    expect(page.locator("table.board tbody tr")).to_have_count(8, timeout=LONG)
    before = page.locator("table.board").inner_text()
    answer_some(live, campaign, link, 15)
    # controls and repeats do not count: some number above the 15 that there were
    over = page.get_by_text(re.compile(r"over (1[6-9]|2\d|30) judgments"))
    expect(over).to_be_visible(timeout=LONG)
    assert page.locator("table.board").inner_text() != before

    page.get_by_role("link", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    archive = tmp_path / "export.zip"
    waiting.value.save_as(archive)
    check_export(archive)
    page.get_by_role("link", name="Audit").click()
    expect(page.get_by_role("cell", name="campaign.export")).to_be_visible()


def check_export(path: Path) -> None:
    """A table and its side-car, by pseudonym."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        about = json.loads(archive.read(next(n for n in names if n.endswith(".about.json"))))
        table = archive.read(next(n for n in names if n.endswith(".csv"))).decode()
    assert len(names) >= 2
    assert "Bea" not in table
    assert "probability" in table.splitlines()[0]
    assert about["filters"]


@pytest.fixture(scope="module")
def busy(live):
    """A campaign with judgments, controls and repeats."""
    campaign = live.campaign("ranking", repeat_share=0.1, control_share=0.1)
    for _ in range(2):
        answer_some(live, campaign, live.invite(campaign), 25)
    return campaign


PAGES = (
    "",
    "/people",
    "/items",
    "/items/0",
    "/floor",
    "/exports",
    "/audit",
    "/check",
    "/edit",
    "/delete",
)


@pytest.mark.parametrize(
    "options", [{}, {"color_scheme": "dark"}, PHONE], ids=["light", "dark", "phone"]
)
def test_every_page_is_accessible_and_fits(come, live, busy, options):
    ann = sign_in(come, live, **options)
    found = {}
    for path in ("/", "/campaigns/new", "/account", *(f"/campaigns/{busy.slug}{p}" for p in PAGES)):
        ann.page.goto(live.url + path)
        if path == f"/campaigns/{busy.slug}":
            expect(ann.page.locator("table.board")).to_be_visible(timeout=LONG)
        problems = ann.findings() + ([f"{ann.overflows()} px too wide"] if ann.overflows() else [])
        if problems:
            found[path] = problems
    assert found == {}


def test_links_are_copied_without_https(come, live, busy):
    page = sign_in(come, live).page
    # as a page that did not come by HTTPS, where there is no such thing
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(f"{live.url}/campaigns/{busy.slug}/people")
    page.get_by_label("Names, one per line").fill("Cem\nDua")
    page.get_by_role("button", name="Make links").click()
    links = page.locator("[data-link]").all_inner_texts()
    page.get_by_role("button", name="Copy all").click()
    expect(page.get_by_role("status")).to_have_text("2 copied.")
    page.goto(f"{live.url}/campaigns/{busy.slug}/people")
    field = page.get_by_label("Names, one per line")
    field.press("Control+V")
    assert [line.split("\t")[2] for line in field.input_value().splitlines()] == links


def test_thirty_systems_are_seen_whole(come, live):
    large = large_testset()
    unbroken = {name.replace("-", "_"): texts for name, texts in large.outputs.items()}
    testset = replace(large, outputs=unbroken)
    campaign = live.campaign("ranking", testset=testset, coverage_floor=1)
    answer_some(live, campaign, live.invite(campaign), 25)
    ann = sign_in(come, live)
    ann.page.goto(f"{live.url}/campaigns/{campaign.slug}")
    expect(ann.page.locator("table.board tbody tr")).to_have_count(30, timeout=LONG)
    board = ann.page.get_by_role("region", name="Leaderboard table")
    assert board.evaluate("one => one.scrollWidth - one.clientWidth") == 0
    # all comparisons, and below them the first half beside the second, once enough are counted
    expect(ann.page.locator(".pictures > .picture")).to_have_count(3, timeout=LONG)
    tops = {
        round(one.bounding_box()["y"]) for one in ann.page.locator(".pictures > .picture").all()
    }
    assert len(tops) == 2


def test_a_viewer_sees_the_results(come, live, busy):
    viewer = come(f"{live.url}/v/{live.store.accounts.add_viewer(busy.id)}")
    viewer.page.goto(viewer.link)
    viewer.page.get_by_role("button").last.click()
    expect(viewer.page.get_by_role("heading", name="Leaderboard")).to_be_visible(timeout=LONG)
    assert viewer.findings() == []
    shown = viewer.page.content()
    for judge in live.store.judges.judges(busy.id):
        assert judge.pseudonym not in shown


def test_files_stay_chosen_where_something_is_wrong(come, live):
    ann = sign_in(come, live, allow=("422",))
    page = ann.page
    page.goto(f"{live.url}/campaigns/new")
    page.get_by_label("Name", exact=True).fill("Kept files")
    page.get_by_label("Source language").fill("de")
    page.get_by_label("Target language").fill("not a language")

    def chosen(name, *lines):
        return {"name": name, "mimeType": "text/plain", "buffer": "\n".join(lines).encode()}

    page.get_by_label("Source (or a whole test set)").set_input_files(
        chosen("s.de", "eins", "zwei")
    )
    outputs = [chosen(f"{name}.en", f"{name} one", f"{name} two") for name in "abcde"]
    page.get_by_label("Outputs, one file per system").set_input_files(outputs)
    for _ in range(2):  # a second sentence takes the place of the first
        page.get_by_role("button", name="Make the draft").click()
        expect(page.get_by_role("alert")).to_contain_text("Everything is as you left it.")
        expect(page.get_by_role("alert")).to_have_count(1)
    page.get_by_label("Target language").fill("en")
    page.get_by_role("button", name="Make the draft").click()
    expect(page).to_have_url(f"{live.url}/campaigns/kept-files/check", timeout=LONG)
    assert live.store.campaigns.get("kept-files").systems == 5


def test_a_new_campaign_asks_only_what_its_protocol_needs(come, live):
    page = sign_in(come, live).page
    page.goto(f"{live.url}/campaigns/new")
    page.get_by_text("What is asked, quality, when to stop, cost").click()
    window = page.get_by_label("Segments of a document on a screen")
    first = page.get_by_label("Documents on which all systems are judged first")
    one_pass = page.get_by_label("Adequacy and fluency in one pass")
    number = page.get_by_label("Direct assessment: show the number")
    needs = {"ranking": (), "adequacy-fluency": (one_pass,), "direct-assessment": (number,)}
    needs |= {"esa": (window, first), "mqm": (window, first), "pairwise": ()}
    for protocol, shown in needs.items():
        page.locator(f"[name=protocol][value={protocol}]").check()
        for option in (window, first, one_pass, number):
            expect(option).to_be_visible(visible=option in shown)


def test_a_new_campaign_that_is_wrong_says_so_and_keeps_what_was_typed(come, live):
    ann = sign_in(come, live, allow=("422",))
    page = ann.page
    page.goto(f"{live.url}/campaigns/new")
    page.get_by_label("Name", exact=True).fill("No files")
    page.get_by_label("Source language").fill("de")
    page.get_by_label("Target language").fill("en")
    page.get_by_role("button", name="Make the draft").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was made.")
    expect(page.get_by_label("Name", exact=True)).to_have_value("No files")
