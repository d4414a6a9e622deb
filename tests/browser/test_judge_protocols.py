"""Each protocol in a real browser, and the way from the link to the end of a sitting."""

import pytest
from playwright.sync_api import expect

from browser.people import PHONE, wait_for_keys

pytestmark = pytest.mark.requires_program("chromium")

CONSENT = "# What happens\n\nYour answers are kept **without your name**. <b>Yes</b>"
TUTORIAL = {
    "source": "Das Museum ist montags geschlossen.",
    "outputs": ["The museum is closed on Mondays.", "The museum is open on Mondays."],
    "answer": {"choice": "left"},
    "feedback": "The second says the opposite.",
}


def in_shown_order(judgment, scale: str) -> list[int]:
    return [judgment.answer[scale][slot] for slot in judgment.shown]


@pytest.mark.parametrize(
    ("key", "shown", "choice"),
    [
        ("ArrowLeft", "A > B", "left"),
        ("ArrowRight", "B > A", "right"),
        ("e", "A = B", "equal"),
        ("b", "A = B, both bad", "both_bad"),
    ],
)
def test_pairwise_by_keys(server, come, key, shown, choice):
    campaign = server.campaign("pairwise")
    judge = come(server.invite(campaign)).begin()
    judge.press("Enter")
    judge.reads("#missing", "Choose one of the four answers to submit.")
    judge.press(key)
    judge.reads("#summary", shown)
    judge.press("Enter")
    judge.is_at("2 of 30")
    (judgment,) = server.stored(campaign)
    is_swapped = judgment.shown == (1, 0)
    swapped = {"left": "right", "right": "left"} if is_swapped else {}
    assert judgment.answer == {"choice": swapped.get(choice, choice)}


def test_the_arrows_that_scroll_never_answer(server, come):
    judge = come(server.invite(server.campaign("pairwise")), viewport={"width": 700, "height": 500})
    judge.begin()
    for start in ([], ["ArrowLeft"]):  # then a button of the answer has the focus
        judge.press(*start)
        before = judge.find("#summary").inner_text()
        judge.page.evaluate("scrollTo(0, 0)")
        judge.press("ArrowDown")
        judge.until(lambda: judge.page.evaluate("scrollY") > 0)
        judge.press("ArrowUp")
        judge.until(lambda: judge.page.evaluate("scrollY") == 0)
        judge.reads("#summary", before)


def test_what_cannot_be_submitted_looks_the_same_under_the_mouse(server, come):
    judge = come(server.invite(server.campaign("pairwise"))).begin()
    colour = "getComputedStyle(document.getElementById('submit')).backgroundColor"
    before = judge.page.evaluate(colour)
    judge.find("#submit").hover()
    assert judge.page.evaluate(colour) == before
    judge.press("e")
    expect(judge.find("#submit")).to_have_attribute("aria-disabled", "false")
    assert judge.page.evaluate(colour) != before


def test_pairwise_by_touch_with_differences(server, come):
    campaign = server.campaign("pairwise")
    judge = come(server.invite(campaign), **PHONE).begin()
    assert judge.overflows() == 0
    judge.find("#differences").tap()
    expect(judge.find(".difference").first).to_be_visible()
    judge.find(".chip:has-text('Both bad')").tap()
    judge.find("#submit").tap()
    judge.is_at("2 of 30")
    assert server.stored(campaign)[0].answer == {"choice": "both_bad"}


def test_the_source_comes_though_an_older_draft_is_on_its_way(server, come):
    campaign = server.campaign("adequacy-fluency")
    judge = come(server.invite(campaign)).begin()
    draft = judge.held("**/draft", "4", "3")  # the fluency of two outputs, on its way
    judge.press("5", "Enter")
    draft.continue_()
    judge.sees("#source")


def test_fluency_comes_first_and_without_the_source(server, come):
    campaign = server.campaign("adequacy-fluency")
    judge = come(server.invite(campaign)).begin()
    judge.misses("#source")
    judge.press("Enter")
    judge.reads("#missing", "Rate the fluency of outputs A, B and C to go on.")
    judge.press("5", "2", "4")
    judge.reads("#submit-words", "Continue to adequacy")
    judge.press("Enter")
    judge.sees("#source")
    judge.reads("#missing", "Rate the adequacy of outputs A, B and C to go on.")
    judge.press("c", "1", "a", "3", "b", "5", "Enter")
    judge.is_at("2 of 30")
    judge.misses("#source")
    (judgment,) = server.stored(campaign)
    assert in_shown_order(judgment, "fluency") == [5, 2, 4]
    assert in_shown_order(judgment, "adequacy") == [3, 5, 1]
    assert judgment.details["fluency_before_source"] is True


def test_fluency_changed_after_the_source_is_noted(server, come):
    campaign = server.campaign("adequacy-fluency")
    judge = come(server.invite(campaign)).begin()
    judge.press("5", "2", "4", "Enter")
    judge.find("#step-back").click()
    judge.misses("#source")
    judge.press("a", "1", "Enter", "1", "1", "1", "Enter")
    judge.is_at("2 of 30")
    (judgment,) = server.stored(campaign)
    assert in_shown_order(judgment, "fluency") == [1, 2, 4]
    assert judgment.details["fluency_before_source"] is False


def test_both_scales_in_one_table(server, come):
    campaign = server.campaign("adequacy-fluency", single_pass=True, k=2)
    judge = come(server.invite(campaign)).begin()
    judge.sees("#source")
    for words in ("Flawless", "Non-native", "Most"):
        assert judge.page.get_by_text(words, exact=True).count() == 2
    judge.press("a", "5", "a", "4", "b", "1", "b", "2", "Enter")
    judge.is_at("2 of 30")
    (judgment,) = server.stored(campaign)
    assert in_shown_order(judgment, "fluency") == [5, 1]
    assert in_shown_order(judgment, "adequacy") == [4, 2]


def test_a_score_by_clicking_by_arrows_and_by_number(server, come):
    campaign = server.campaign("direct-assessment", k=3)
    judge = come(server.invite(campaign)).begin()
    expect(judge.find(".thumb:visible")).to_have_count(0)
    sliders = judge.page.get_by_role("slider")
    expect(sliders.first).to_have_attribute("aria-valuetext", "no score yet")
    box = sliders.nth(0).bounding_box()
    sliders.nth(0).click(position={"x": box["width"] / 4, "y": box["height"] / 2})
    judge.press("ArrowRight", "Shift+ArrowRight", "PageUp", "ArrowLeft")
    judge.reads("#summary", "A 40")  # 25 + 1 + 5 + 10 - 1
    judge.press("b", "7", "3")
    judge.reads("#missing", "Give output C a score to submit.")
    judge.press("Enter")  # from the field; what is missing gets the focus
    expect(sliders.nth(2)).to_be_focused()
    judge.press("End", "ArrowDown", "Enter")
    judge.is_at("2 of 30")
    (judgment,) = server.stored(campaign)
    assert in_shown_order(judgment, "scores") == [40, 73, 99]


@pytest.mark.parametrize("key", ["ArrowLeft", "ArrowRight", "PageUp", "Shift+ArrowDown"])
def test_the_first_arrow_puts_the_mark_in_the_middle(server, come, key):
    judge = come(server.invite(server.campaign("direct-assessment", k=1))).begin()
    judge.press("a", key)
    judge.reads("#summary", "A 50")
    judge.press("ArrowRight")
    judge.reads("#summary", "A 51")


def test_a_field_that_is_left_after_the_answer_changes_nothing(server, come):
    scored = {**TUTORIAL, "outputs": TUTORIAL["outputs"][:1], "answer": {"scores": [90]}}
    campaign = server.campaign("direct-assessment", k=1, tutorial=[scored])
    judge = come(server.invite(campaign)).begin()
    judge.press("a", "9", "0", "Enter")
    judge.sees("#feedback-go")
    judge.find("#feedback-go").click()  # the field loses the focus: a late event
    judge.is_at("1 of 30")
    judge.press("a", "4", "2", "Enter")
    judge.is_at("2 of 30")
    expect(judge.find("#banners > *")).to_have_count(0)
    assert server.stored(campaign)[-1].answer == {"scores": [42]}


def test_a_number_beyond_the_scale_is_no_score(server, come):
    judge = come(server.invite(server.campaign("direct-assessment", k=1))).begin()
    judge.find(".score-entry").fill("999")
    judge.reads("#missing", "Give output A a score to submit.")
    expect(judge.find(".score-entry")).to_have_attribute("aria-invalid", "true")


def test_the_value_can_be_hidden(server, come):
    campaign = server.campaign("direct-assessment", k=1, show_value=False)
    judge = come(server.invite(campaign), **PHONE).begin()
    judge.misses(".score-entry")
    box = judge.find(".track").bounding_box()
    judge.find(".track").tap(position={"x": box["width"] / 2, "y": box["height"] / 2})
    judge.sees(".thumb")
    judge.reads("#summary", "")
    judge.find("#submit").tap()
    judge.is_at("2 of 30")
    assert server.stored(campaign)[0].answer == {"scores": [50]}


def test_arrival_consent_tutorial_work(server, come):
    campaign = server.campaign("pairwise", consent=CONSENT, tutorial=[TUTORIAL])
    judge = come(server.invite(campaign)).arrive()
    expect(judge.page.get_by_role("heading", name="What happens")).to_be_visible()
    expect(judge.find(".prose")).to_contain_text("<b>Yes</b>")  # shown as text
    assert judge.findings() == []
    judge.page.get_by_role("button", name="I agree").click()
    judge.read_instructions()
    judge.is_at("Practice")
    wait_for_keys(judge.page)
    judge.press("ArrowRight", "Enter")
    expect(judge.find("#feedback-text")).to_contain_text("The second says the opposite.")
    judge.sees("#source")
    assert judge.findings() == []
    judge.press("Enter")
    judge.is_at("1 of 30")
    judge.page.reload()
    judge.is_at("1 of 30")  # the tutorial comes once
    (person,) = server.store.judges.judges(campaign.id)
    assert person.consented_at
    assert person.tutorial_done_at


def test_a_sitting_ends_and_goes_on(server, come):
    campaign = server.campaign("pairwise", sitting=2)
    judge = come(server.invite(campaign)).begin()
    judge.is_at("1 of 2")
    judge.press("ArrowLeft", "Enter")
    judge.is_at("2 of 2")
    judge.press("ArrowLeft", "Enter")
    judge.reads("#notice-title", "This sitting is done")
    assert judge.findings() == []
    judge.page.get_by_role("button", name="Continue").click()
    judge.is_at("1 of 2")
    expect(judge.find("#pace")).to_contain_text("per screen")


def test_pages_when_there_is_nothing_to_do(server, come):
    campaign = server.campaign("pairwise")
    link = server.invite(campaign)
    server.store.campaigns.set_state(campaign.slug, "paused", actor="test")
    judge = come(link).arrive().read_instructions()
    judge.reads("#notice-title", "The campaign is paused")
    server.store.campaigns.set_state(campaign.slug, "open", actor="test")
    judge.page.get_by_role("button", name="Look again").click()
    judge.is_at("1 of 30")
    judge.press("ArrowLeft")
    judge.is_saved()
    server.store.campaigns.set_state(campaign.slug, "closed", actor="test")
    judge.press("Enter")
    judge.reads("#notice-title", "The campaign is closed")
    (late,) = server.stored(campaign)
    assert late.surplus  # the person worked: it is kept


def test_guidelines_pause_and_signing_out(server, come):
    guidelines = "Read **both** first.\n\n![x](http://example.org/x.png)"
    campaign = server.campaign("pairwise", instructions=guidelines)
    judge = come(server.invite(campaign)).begin()
    judge.press("g")
    expect(judge.find("#guidelines strong")).to_have_text("both")
    assert judge.find("#guidelines img").count() == 0
    assert judge.findings() == []
    judge.press("Escape", "p")
    judge.sees("#pause")
    judge.page.get_by_role("button", name="Sign out on this device").click()
    expect(judge.page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert judge.findings() == []
    assert judge.context.request.get(f"{server.url}/judge/session").status == 401
