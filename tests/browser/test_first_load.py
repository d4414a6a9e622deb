"""The judge's page over a slow line: scripts come while instructions are read, packed, and once."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.requires_program("chromium")

#: Of every script and style that the page has: its name, and how many bytes came over the line.
LOADED = """() => performance.getEntriesByType("resource")
  .filter((one) => one.name.includes("/static/"))
  .map((one) => [one.name, one.transferSize])"""


@pytest.fixture
def judge(server, come):
    return come(server.invite(server.campaign("pairwise")))


def test_scripts_come_while_the_first_page_is_read(judge):
    judge.page.goto(judge.link)
    judge.page.wait_for_load_state("networkidle")
    judge.page.get_by_role("button", name="Begin").click()
    judge.read_instructions()
    judge.sees("#task")
    loaded = judge.page.evaluate(LOADED)
    names = [name for name, _ in loaded]
    assert len(names) == len(set(names)) > 30
    assert [name for name, size in loaded if size] == []  # all of them were here already


def test_a_page_that_comes_again_asks_for_no_script(judge):
    judge.begin()
    judge.page.reload()
    judge.sees("#task")
    assert {size for _, size in judge.page.evaluate(LOADED)} == {0}


def test_a_browser_that_cannot_run_the_page_is_told(judge):
    judge.page.route("**/judge/work.js", lambda route: route.fulfill(status=200, body="export {};"))
    judge.allow = ("does not provide an export", "MIME type")
    judge.arrive().read_instructions()
    notice = judge.page.locator("#not-started")
    expect(notice).to_be_hidden()
    expect(notice).to_be_visible()
    expect(notice).to_contain_text("your browser is too old")


def test_a_page_that_runs_does_not_speak_of_old_browsers(judge):
    judge.begin()
    expect(judge.page.locator("#not-started")).to_have_count(0)
