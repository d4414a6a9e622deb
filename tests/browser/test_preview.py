"""The check list shows the judge's own page: to go through by arrows, never to answer."""

import pytest
from playwright.sync_api import expect

from browser.campaign_server import PROTOCOLS, SYSTEMS
from browser.people import PHONE
from browser.test_organiser import PASSWORD, sign_in
from rankwise.server.campaign.plan.plan_files import example_plan

pytestmark = pytest.mark.requires_program("chromium")


@pytest.fixture(scope="module")
def live(server):
    """The server of all tests here, with an organiser."""
    _, token = server.store.accounts.create("ann", "owner", "test")
    server.store.accounts.use_setup(token, PASSWORD)
    return server


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_arrows_go_through_every_screen(come, live, protocol):
    campaign = live.campaign(protocol, control_share=0.1)
    ann = sign_in(come, live)
    ann.page.goto(f"{live.url}/campaigns/{campaign.slug}/preview")
    steps = 10 if protocol == "adequacy-fluency" else 5  # fluency and adequacy are two looks
    seen = []
    for step in range(steps):
        ann.sees("#outputs :is(.output, .column) >> nth=0")
        place = ann.find("#preview-place").inner_text()
        seen.append((place, ann.find("#question").inner_text(), tuple(ann.outputs())))
        assert (ann.findings(), ann.overflows()) == ([], 0)
        expect(ann.find("#preview-after")).to_be_enabled(enabled=step < steps - 1)
        ann.press("ArrowRight")
    assert len(set(seen)) == steps
    assert seen[-1][0] == "5 of 5, a control."
    ann.press("ArrowLeft")
    expect(ann.find("#preview-place")).to_have_text(seen[-2][0])
    assert live.stored(campaign) == []
    assert live.store.judges.judges(campaign.id) == []
    assert not any(name in ann.page.content() for name in SYSTEMS)


def test_it_is_the_page_of_a_judge_but_takes_no_answer(come, live):
    tutorial = example_plan().to_json()["tutorial"]
    campaign = live.campaign("ranking", k=3, tutorial=tutorial, instructions="*Rank* them.")
    ann = sign_in(come, live)
    sent = []
    ann.page.on("request", lambda request: sent.append((request.method, request.url)))
    ann.page.goto(f"{live.url}/campaigns/{campaign.slug}/preview")
    ann.reads("#progress-text", "Practice")
    ann.reads("#feedback-text", tutorial[0]["feedback"])
    ann.press("ArrowRight")
    ann.reads("#progress-text", "1 of 30")
    ann.press("a", "1", "2", "3", "0")
    ann.reads("#summary", "")
    for name in ("submit", "skip-button", "comment-button", "back-button", "pause-button"):
        expect(ann.find(f"#{name}")).to_have_attribute("inert", "")
    ann.press("d")
    expect(ann.find("mark.difference").first).to_be_visible()
    ann.press("g")
    expect(ann.find("#guidelines em")).to_have_text("Rank")
    ann.press("ArrowRight", "Escape")
    ann.reads("#preview-place", "2 of 5.")
    ann.press("+")
    ann.page.wait_for_timeout(800)
    assert {method for method, _ in sent} == {"GET"}
    kept = "Object.keys(localStorage).filter((key) => key !== 'rankwise-theme')"
    assert ann.page.evaluate(kept) == []


@pytest.mark.parametrize(
    "options", [{}, {"color_scheme": "dark"}, PHONE], ids=["light", "dark", "phone"]
)
def test_the_check_list_frames_it(come, live, options):
    campaign = live.campaign("ranking", k=4)
    ann = sign_in(come, live, **options)
    ann.page.goto(f"{live.url}/campaigns/{campaign.slug}/check")
    frame = ann.page.frame_locator("iframe.judge-preview")
    expect(frame.locator("#outputs .output")).to_have_count(4)
    frame.locator("#preview-after").click()
    expect(frame.locator("#preview-place")).to_have_text("2 of 4.")
    ann.press("ArrowRight")
    expect(frame.locator("#preview-place")).to_have_text("3 of 4.")
    assert (ann.findings(), ann.overflows()) == ([], 0)
    ann.page.get_by_role("link", name="See it alone").click()
    ann.reads("#preview-place", "1 of 4.")
    assert (ann.findings(), ann.overflows()) == ([], 0)
