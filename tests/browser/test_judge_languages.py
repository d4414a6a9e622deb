"""The judge's page in every language: all of it, the right way round, and within the window."""

import importlib.util
import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.layout import Inspector
from browser.people import DESKTOP, PATIENCE, PHONE, STILL, ZOOMED
from rankwise.server.campaign.launch.judge_words import PLURALS, words_of
from rankwise.server.phrases import LANGUAGES, RIGHT_TO_LEFT

pytestmark = pytest.mark.requires_program("chromium")
OTHERS = [code for code in LANGUAGES if code != "en"]
IN_EVERY_LANGUAGE = pytest.mark.parametrize("code", OTHERS)
PROTOCOLS = ("ranking", "pairwise", "adequacy-fluency", "direct-assessment", "esa", "mqm")
#: A folder for pictures of what the walks come by, to be looked at; none by default.
PICTURES = os.environ.get("RANKWISE_LANGUAGE_PICTURES")
#: What stands on the page outside the texts that others wrote, hidden or not.
SAID = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest("bdi, script, noscript, kbd, template")) found.push(node.data);
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"])
      if (one.hasAttribute(name)) found.push(one.getAttribute(name));
  return found.map((text) => text.trim()).filter(Boolean);
}"""


@pytest.fixture(scope="module")
def english():
    path = Path(__file__).parents[2] / "scripts" / "judge_words.py"
    spec = importlib.util.spec_from_file_location("judge_words", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return set(module.sentences())


@pytest.fixture(scope="module")
def links(server):
    """The link of a judge, by protocol and language; every judge is another one."""
    campaigns = {}

    def link(protocol, code):
        if protocol not in campaigns:
            campaigns[protocol] = server.campaign(
                protocol, k=1 if protocol == "direct-assessment" else 2, questions=QUESTIONS
            )
        campaign = campaigns[protocol]
        del code
        return server.invite(campaign)

    return link


QUESTIONS = [{"key": "years", "text": "1 2 3?", "kind": "number"}]


def test_plurals_are_those_of_the_browser(chromium):
    page = chromium.new_page()
    script = """(codes) => Object.fromEntries(codes.map((code) => {
      const rules = new Intl.PluralRules(code);
      return [code, [...Array(1001).keys()].map((n) => rules.select(n))];
    }))"""
    found = page.evaluate(script, list(LANGUAGES))
    page.close()
    assert found == {code: [PLURALS[code](n) for n in range(1001)] for code in LANGUAGES}


def walk(page, link, protocol, code):
    """From the link to the first screen, its windows, and an answer; names of what is shown."""
    say = words_of(code)
    page.goto(link)
    page.locator(".language-choice summary").click()
    page.get_by_role("button", name=LANGUAGES[code], exact=True).click()
    yield "link"
    page.get_by_role("button", name=say("Begin")).click()
    page.wait_for_url("**/judge")
    page.locator("button.primary").click()
    expect(page.locator(".wrong")).to_be_visible()
    yield "questions"
    page.locator("#q-years").fill("3")
    page.locator("button.primary").click()
    expect(page.locator("form[action='/judge/instructions']")).to_be_visible()
    yield "instructions"
    page.locator("button.primary").click()
    expect(page.locator("#task")).to_be_visible()
    yield protocol
    for window in ("help", "skip", "guidelines", "pause", "sign-in", "history", "comment"):
        page.evaluate("(id) => document.getElementById(id).showModal()", window)
        if window in ("help", "sign-in"):
            yield window
        page.evaluate("(id) => document.getElementById(id).close()", window)


def leaks(page, code, english):
    """English sentences on a page in another language."""
    same = {key for key in english if words_of(code)(key) == key or "{" in key}
    return sorted(set(page.evaluate(SAID)) & (english - same))


@IN_EVERY_LANGUAGE
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_language_is_whole_and_fits(chromium, links, english, code, protocol):
    sizes = {"zoomed": {**ZOOMED, **STILL}, "desktop": DESKTOP}
    if PICTURES:
        sizes["phone"] = {**PHONE, **STILL}
        sizes["dark"] = {**DESKTOP, "color_scheme": "dark"}
    faults = []
    for size, options in sizes.items():
        context = chromium.new_context(**options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        for where in walk(page, links(protocol, code), protocol, code):
            attributes = page.locator("html").evaluate("(one) => [one.lang, one.dir]")
            assert attributes == [code, "rtl" if code in RIGHT_TO_LEFT else "ltr"]
            faults += [f"{where}: {text!r} is English" for text in leaks(page, code, english)]
            if size != "desktop":
                faults += [f"{where}, {size}: {fault}" for fault in Inspector(page).faults()]
            if PICTURES:
                page.screenshot(path=f"{PICTURES}/{code}-{protocol}-{where}-{size}.png")
        context.close()
    assert not faults, "\n".join(faults)


def test_where_one_reads_from_right_to_left_arrows_do_too(chromium, links):
    context = chromium.new_context(**DESKTOP)
    page = context.new_page()
    for _ in walk(page, links("pairwise", "ar"), "pairwise", "ar"):
        pass
    first, second = (page.locator(".output").nth(place).bounding_box() for place in (0, 1))
    assert first["x"] > second["x"]  # A stands at the right
    page.keyboard.press("ArrowRight")
    expect(page.locator("#summary")).to_have_text("A > B")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#summary")).to_have_text("B > A")
    context.close()


def test_a_line_begins_at_the_right(chromium, links):
    context = chromium.new_context(**DESKTOP)
    page = context.new_page()
    for _ in walk(page, links("direct-assessment", "ar"), "direct-assessment", "ar"):
        pass
    box = page.locator(".track").bounding_box()
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    expect(page.locator("#summary")).to_have_text("A 10")
    page.locator(".track").press("ArrowLeft")
    expect(page.locator("#summary")).to_have_text("A 11")
    context.close()
