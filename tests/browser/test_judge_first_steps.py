"""What comes before work, in a browser: questions, instructions, practice with a hint."""

import pytest
from playwright.sync_api import expect

from browser.people import DESKTOP, PHONE, ZOOMED

pytestmark = pytest.mark.requires_program("chromium")

QUESTIONS = [
    {"key": "years", "text": "For how many years have you translated?", "kind": "number"},
    {
        "key": "first",
        "text": "Is it your first language?",
        "kind": "choice",
        "choices": ["Yes", "No"],
    },
]
PRACTICE = {
    "source": "Der Hund schläft.",
    "outputs": ["The dog sleeps.", "The cat sleeps."],
    "feedback": "The second is about another animal.",
    "rules": [{"text": 1, "above": 2, "hint": "Which animal is it?"}],
}


@pytest.mark.parametrize("where", [DESKTOP, PHONE, ZOOMED], ids=["desktop", "phone", "zoomed"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_from_the_link_to_the_work(server, come, where, scheme, tmp_path):
    campaign = server.campaign(
        "ranking", questions=QUESTIONS, tutorial=[PRACTICE], tutorial_tries=3
    )
    judge = come(server.invite(campaign), color_scheme=scheme, allow=("422",), **where).arrive()

    def fits(name):
        assert judge.findings() == []
        assert judge.overflows() == 0
        judge.page.screenshot(path=tmp_path / f"{name}.png", full_page=True)

    fits("questions")
    judge.page.get_by_role("button", name="Keep the answers").click()
    expect(judge.find(".wrong").first).to_have_text("Please answer this.")
    fits("questions-again")
    judge.page.get_by_label("For how many years").fill("12")
    judge.page.get_by_label("Yes").check()
    judge.page.get_by_role("button", name="Keep the answers").click()
    expect(judge.page.get_by_role("button", name="I have read them")).to_be_visible()
    fits("instructions")
    judge.read_instructions()
    judge.sees("#task")
    for place, rank in ((0, 2), (1, 1)):
        judge.find(f".output[data-place='{place}'] .chip:has(input[value='{rank}'])").click()
    judge.page.locator("#submit").click()
    expect(judge.find("[data-reason='hint']")).to_contain_text("Which animal is it? 2 more tries.")
    expect(judge.find("[data-reason='hint'] bdi")).to_have_text("Which animal is it?")
    fits("hint")
    for place, rank in ((0, 1), (1, 2)):
        judge.find(f".output[data-place='{place}'] .chip:has(input[value='{rank}'])").click()
    judge.page.locator("#submit").click()
    judge.sees("#feedback")
    expect(judge.find("[data-reason='hint']")).to_have_count(0)
    (stored,) = server.stored(campaign)
    assert stored.details["lesson"] == {"passed": False, "tries": 2, "right": True}
