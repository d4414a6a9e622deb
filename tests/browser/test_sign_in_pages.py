"""The pages where people come in, in a real browser: accessible, on a phone, light and dark."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.campaign_server import CampaignServer
from browser.people import PATIENCE, STILL, wait_for_keys

pytestmark = pytest.mark.requires_program("chromium")
PASSWORD = "a long enough password"
SIZES = {
    "light": {"viewport": {"width": 1200, "height": 800}},
    "dark": {"viewport": {"width": 1200, "height": 800}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(scope="session")  # as long as the server, which takes a name once
def owner(server: CampaignServer) -> str:
    """The name of an owner who has set the password."""
    _, token = server.store.accounts.create("Ada", "owner", "test")
    server.store.accounts.use_setup(token, PASSWORD)
    return "Ada"


@pytest.fixture(params=SIZES)
def page(request, chromium):
    context = chromium.new_context(**SIZES[request.param], **STILL)
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    # a page that is not found or refused says so on the console as well
    assert [one for one in problems if "Failed to load resource" not in one] == []


def assert_good(page):
    """Nothing for axe to find, and no wider than the screen."""
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]


def test_pages_that_anybody_sees(server, page):
    campaign = server.campaign("ranking")
    for path in ("/login", "/api/docs", "/nothing", "/j/unknown"):
        page.goto(server.url + path)
        assert_good(page)
    page.goto(server.invite(campaign))
    assert_good(page)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(f"{server.url}/judge")


def test_signing_in_with_keys_only(server, owner, page):
    page.goto(f"{server.url}/account")
    page.wait_for_url(f"{server.url}/login?next=/account")
    expect(page.get_by_label("Name")).to_be_focused()
    wait_for_keys(page)
    page.keyboard.type(owner)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server.url}/account")
    assert_good(page)
    page.get_by_label("Name of a new token").fill("nightly")
    page.get_by_label("read").check()
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("#secret")).to_have_text(re.compile("^rw_"))
    assert_good(page)
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url(f"{server.url}/login")


def test_a_new_owner_sets_a_password(server, page):
    name = f"owner {page.viewport_size['width']} {page.evaluate('Math.random()')}"
    _, token = server.store.accounts.create(name, "owner", "test")
    page.goto(f"{server.url}/setup/{token}")
    assert_good(page)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD + "!")
    page.get_by_role("button").last.click()
    expect(page.get_by_role("alert")).to_contain_text("differ")
    assert_good(page)


def test_the_theme_is_kept(server, page):
    page.goto(f"{server.url}/login")
    colour = "getComputedStyle(document.body).backgroundColor"
    switch = page.get_by_role("button", name="Theme")
    seen = [page.evaluate(colour)]
    for _ in range(2):
        switch.click()
        seen.append(page.evaluate(colour))
    assert seen[1] != seen[2]  # light, then dark
    page.reload()
    assert page.evaluate(colour) == seen[2]
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
