"""Ranking, pairs and values over documents in a browser: keys, touch, drafts, what is stored."""

import pytest
from playwright.sync_api import expect

from browser.campaign_server import texts_of
from browser.people import PHONE, wait_for_keys
from rankwise.server.campaign.launch.judge_words import words_of
from rankwise.server.web.page_languages import COOKIE

pytestmark = pytest.mark.requires_program("chromium")

OUTPUTS = ("The old cat sat on the mat.", "An old cat was on a mat.", "Cats sit on old mats.")


@pytest.fixture
def opened(server, come):
    """``opened(protocol, k)``: a campaign of documents of two segments, and its judge."""

    def open_it(protocol, k, **people):
        testset = texts_of("Die alte Katze saß auf der Matte.", OUTPUTS, count=2)
        campaign = server.campaign(protocol, testset=testset, k=k, by_document=True, context=0)
        return campaign, come(server.invite(campaign), **people).begin()

    return open_it


def said(campaign, server):
    """What was said about every segment, in the order shown."""
    (judgment,) = server.stored(campaign)
    rules = campaign.plan.rules
    return rules.reorder(judgment.answer, judgment.shown, back=False)["segments"]


def test_ranks_by_number_keys_and_what_is_missing(opened, server):
    campaign, judge = opened("ranking", 3)
    expect(judge.find(".segment")).to_have_count(2)
    judge.press("Enter")
    judge.reads(
        "#missing", "2 segments are not finished: next, segment 1 needs a rank for output A."
    )
    judge.press("a", "2", "1", "3")
    expect(judge.find(".segment").first.locator(".relative")).to_have_text(
        ["between", "best", "worst"]
    )
    judge.reads("#missing", "1 segment is not finished: segment 2 needs a rank for output A.")
    judge.press("n", "3", "3", "1")
    judge.press("Enter")
    judge.is_at("2 of 30")
    assert said(campaign, server) == [{"ranks": [2, 1, 3]}, {"ranks": [2, 2, 1]}]


def test_pairs_by_keys_and_a_change_taken_back(opened, server):
    campaign, judge = opened("pairwise", 2)
    judge.press("ArrowLeft", "n", "b", "e")
    judge.press("z")
    judge.press("Enter")
    judge.is_at("2 of 30")
    assert said(campaign, server) == [{"choice": "left"}, {"choice": "both_bad"}]


def test_where_one_reads_from_right_to_left_arrows_of_pairs_do_too(opened, server):
    campaign, judge = opened("pairwise", 2)
    judge.context.add_cookies([{"name": COOKIE, "value": "ar", "url": judge.page.url}])
    judge.page.reload()
    wait_for_keys(judge.page)
    first, second = (judge.find(".column").nth(place).bounding_box() for place in (0, 1))
    assert first["x"] > second["x"]  # A stands at the right
    assert judge.find(".verdict .chip").first.inner_text().startswith("→")
    judge.press("ArrowRight", "n", "ArrowLeft", "Enter")
    judge.is_at(words_of("ar")("{done} of {all}", done=2, all=30))
    assert said(campaign, server) == [{"choice": "left"}, {"choice": "right"}]


def test_ratings_by_touch(opened, server):
    campaign, judge = opened("adequacy-fluency", 1, **PHONE)
    for row, (fluency, adequacy) in enumerate(((4, 5), (2, 3))):
        groups = judge.find(".segment").nth(row).locator("[role=radiogroup]")
        groups.nth(0).locator(".chip").nth(fluency - 1).tap()
        groups.nth(1).locator(".chip").nth(adequacy - 1).tap()
    judge.find("#submit").tap()
    judge.is_at("2 of 30")
    assert said(campaign, server) == [
        {"fluency": [4], "adequacy": [5]},
        {"fluency": [2], "adequacy": [3]},
    ]


def test_scores_come_back_in_the_middle_of_a_document(opened, server, come):
    campaign, judge = opened("direct-assessment", 2)
    for place, score in enumerate(("40", "90")):
        judge.find(".column").nth(place).locator(".track").focus()
        judge.press(*score)
    expect(judge.find(".segment").first.locator(".relative")).to_have_text(["lowest", "highest"])
    expect(judge.find("#saved")).to_have_attribute("data-state", "saved")
    judge.page.reload()
    expect(judge.find(".score-entry").nth(1)).to_have_value("90")
    judge.reads("#missing", "1 segment is not finished: segment 2 needs a score for output A.")
    for place, score in ((2, "10"), (3, "20")):
        judge.find(".column").nth(place).locator(".track").focus()
        judge.press(*score)
    judge.press("Enter")
    judge.is_at("2 of 30")
    assert said(campaign, server) == [{"scores": [40, 90]}, {"scores": [10, 20]}]
