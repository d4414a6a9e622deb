"""What reaches a judge's browser: no system name, no markup from texts; and axe finds nothing."""

import re

import pytest
from playwright.sync_api import expect

from browser.campaign_server import PROTOCOLS, SYSTEMS, texts_of
from browser.people import PATIENCE, PHONE, ZOOMED

pytestmark = pytest.mark.requires_program("chromium")

HOSTILE = (
    "</form></script><script>document.title = 'taken'</script>",
    "<img src=x onerror=\"document.title = 'taken'\"> &amp; {{7*7}}",
    "safe \u202egnp.exe\u202c text \u200bwith hidden characters",
    "Z" + "\u0301" * 10_000,
    "long " * 20_000,
)


def recorded(judge) -> list[str]:
    """The body of every answer that this browser gets from now on."""
    bodies: list[str] = []

    def pass_on(route):
        response = route.fetch(max_redirects=0, timeout=PATIENCE)
        bodies.append(response.text())
        route.fulfill(response=response)

    judge.context.route("**/*", pass_on)
    return bodies


def test_a_whole_session_names_no_system(server, come):
    """Controls and repeated screens are in; nothing tells them from the others."""
    campaign = server.campaign(
        "ranking",
        control_share=0.5,
        repeat_share=0.3,
        context=2,
        show_reference=True,
        sitting=8,
    )
    judge = come(server.invite(campaign))
    bodies = recorded(judge)
    judge.begin()
    for number in range(1, 9):
        judge.is_at(f"{number} of 8")
        judge.press("1", "2", "3", "4", "5")
        if number == 2:
            judge.press("Shift+D")
            expect(judge.find("#differences")).to_have_attribute("aria-pressed", "true")
        judge.press("Enter")
    judge.reads("#notice-title", "This sitting is done")
    judge.page.get_by_role("button", name="Look back").click()
    judge.find("#history-rows button").first.click()
    judge.sees("#revision-note")
    roles = {judgment.role for judgment in server.stored(campaign)}
    assert roles - {"work"}, "the session had neither a control nor a repeated screen"
    assert sum(len(body) for body in bodies) > 20_000
    inside = {word for body in bodies for word in SYSTEMS if word in body}
    # Receipts are random letters, in which any three may stand: these are looked for as words.
    words = {word for body in bodies for word in re.findall(r"[\w-]+", body)}
    strings = {
        word
        for body in bodies
        for word in ("control", "repeats", "degraded")
        if f'"{word}"' in body
    }
    assert inside | (words & {"BAD", "TGT"}) | strings == set()
    assert {response.url.split("/")[2] for response in judge.responses} == {
        server.url.removeprefix("http://")
    }


def test_hostile_texts_are_texts(server, come):
    testset = texts_of("</textarea><script>alert(1)</script>", HOSTILE)
    campaign = server.campaign("ranking", testset=testset)
    judge = come(server.invite(campaign)).begin()
    shown = judge.find(".output > .text").evaluate_all("all => all.map(one => one.textContent)")
    assert sorted(shown) == sorted(HOSTILE)
    assert judge.find("#source").text_content() == "</textarea><script>alert(1)</script>"
    assert "taken" not in judge.page.title()
    assert judge.overflows() == 0
    judge.press("?")
    judge.find("#show-hidden").check()
    judge.press("Escape")
    expect(judge.find(".hidden-character").first).to_have_text("U+202E")
    judge.press("1", "2", "3", "4", "5", "Enter")
    judge.is_at("2 of 30")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(server, come, protocol, scheme):
    judge = come(server.invite(server.campaign(protocol)), color_scheme=scheme).begin()
    assert judge.findings() == []
    judge.press("a", "3", "?")
    judge.sees("#help")
    assert judge.findings() == []


def test_axe_finds_nothing_with_everything_open(server, come):
    judge = come(server.invite(server.campaign("ranking", context=2, show_reference=True))).begin()
    judge.press("1", "2", "3", "x", "Shift+D")
    expect(judge.find(".difference").first).to_be_visible()
    judge.find("#layout").click()
    expect(judge.find(".shelf").first).to_be_visible()
    assert judge.findings() == []


@pytest.mark.parametrize("options", [PHONE, ZOOMED], ids=["phone", "zoom"])
def test_axe_finds_nothing_on_small_screens(server, come, options):
    for protocol in PROTOCOLS:
        judge = come(server.invite(server.campaign(protocol)), **options).begin()
        assert judge.findings() == []
        assert judge.overflows() == 0


def test_the_landing_page_changes_nothing_by_looking(server, come):
    campaign = server.campaign("pairwise")
    judge = come(server.invite(campaign))
    judge.page.goto(judge.link)
    assert judge.findings() == []
    judge.page.reload()
    judge.begin()
    assert "/j/" not in judge.page.url
