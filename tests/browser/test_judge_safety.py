"""Nothing is lost: other devices, double clicks, ended sessions, no network, late work."""

import pytest
from playwright.sync_api import expect

from browser.people import PHONE

pytestmark = pytest.mark.requires_program("chromium")

NETWORK = ("Failed to load resource",)
DONE = "This screen was submitted in another window"


@pytest.fixture
def pairwise(server):
    return server.campaign("pairwise")


@pytest.fixture
def answered_elsewhere(server, come):
    """A campaign, and the second of two windows whose screen the first one has submitted."""
    campaign = server.campaign("ranking", k=2)
    link = server.invite(campaign)
    first, second = come(link).begin(), come(link, allow=NETWORK).begin()
    first.press("a", "1", "b", "2", "Enter")
    first.is_at("2 of 30")
    return campaign, second


def change_the_stored_answer(window) -> None:
    window.page.get_by_role("button", name="Change the stored answer").click()
    window.reads("#progress-text", "Changing an answer")
    window.reads("#summary", "B > A")
    window.press("Enter")
    window.is_at("2 of 30")


def end_sessions(server, campaign) -> None:
    for judge in server.store.judges.judges(campaign.id):
        server.store.sessions.end_all("judge", judge.id)


def test_a_draft_goes_on_on_another_device(server, come):
    campaign = server.campaign("ranking")
    link = server.invite(campaign)
    first = come(link, allow=NETWORK).begin()
    first.press("a", "2", "c", "1")
    first.press("Shift+C")
    first.page.keyboard.type("not sure")
    first.page.get_by_role("button", name="Keep the comment").click()
    first.reads("#comment-words", "Comment ✓")
    first.is_saved()
    second = come(link, **PHONE).begin()
    assert second.outputs() == first.outputs()
    second.reads("#summary", "C > A")
    second.reads("#comment-words", "Comment ✓")
    for place, rank in ((1, 3), (3, 3), (4, 4)):
        second.tick(place, rank)
    second.find("#submit").tap()
    second.is_at("2 of 30")
    (judgment,) = server.stored(campaign)
    assert [judgment.answer["ranks"][slot] for slot in judgment.shown] == [2, 3, 1, 3, 4]
    assert judgment.comment == "not sure"
    # the first window knows nothing of it
    first.press("b", "5", "d", "5", "e", "5", "Enter")
    first.reads("#notice-title", DONE)
    first.page.get_by_role("button", name="Go on").click()
    first.is_at("2 of 30")
    assert len(server.stored(campaign)) == 1
    assert first.outputs() == second.outputs()


def test_a_draft_that_never_reached_the_server_survives_closing_the_tab(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign), allow=NETWORK).begin()
    judge.context.set_offline(True)
    judge.press("b", "1", "d", "2")
    judge.reads("#saved", "Not saved, retrying")
    judge.page.close()
    judge.context.set_offline(False)
    judge.page = judge.new_page()
    judge.page.goto(f"{server.url}/judge")
    judge.reads("#summary", "B > D")
    judge.is_saved()


@pytest.fixture
def two_windows(server, come):
    """One link in two windows with a draft each; the second is asked which of them is right."""
    link = server.invite(server.campaign("ranking"))
    first = come(link, allow=NETWORK).begin()
    second = come(link, allow=NETWORK).begin()
    first.press("a", "1", "b", "2", "c", "3")
    first.is_saved()
    second.press("a", "5")
    second.reads("#saved", "Changed elsewhere")
    return first, second


def test_two_windows_ask_which_draft_is_right(two_windows):
    first, second = two_windows
    second.page.get_by_role("button", name="Show that version").click()
    second.reads("#summary", "A > B > C")
    first.page.reload()
    first.reads("#summary", "A > B > C")


@pytest.mark.parametrize(
    ("button", "summary"), [("Show that version", "A > B > C"), ("Keep this one", "A")]
)
def test_which_draft_is_right_can_be_said_again_without_a_network(two_windows, button, summary):
    _, second = two_windows
    second.context.set_offline(True)
    second.page.get_by_role("button", name=button).click()
    expect(second.find("#banners")).to_contain_text("Try again in a moment.")
    second.reads("#summary", "A")
    second.context.set_offline(False)
    second.page.get_by_role("button", name=button).click()
    second.reads("#summary", summary)
    expect(second.find("#banners")).to_be_empty()


def test_a_draft_of_a_screen_submitted_in_another_window(server, answered_elsewhere):
    campaign, second = answered_elsewhere
    second.press("a", "2", "b", "1")
    second.reads("#saved", "Submitted elsewhere")
    expect(second.find("#banners")).to_contain_text(DONE)
    change_the_stored_answer(second)
    expect(second.find("#banners")).to_be_empty()
    (judgment,) = server.stored(campaign)
    assert [judgment.answer["ranks"][slot] for slot in judgment.shown] == [2, 1]


def test_another_answer_to_a_screen_submitted_in_another_window(server, answered_elsewhere):
    campaign, second = answered_elsewhere
    second.press("a", "2", "b", "1", "Enter")
    second.reads("#notice-title", DONE)
    change_the_stored_answer(second)
    (judgment,) = server.stored(campaign)
    assert [judgment.answer["ranks"][slot] for slot in judgment.shown] == [2, 1]


def test_the_question_about_an_answer_takes_the_place_of_that_about_its_draft(
    server, answered_elsewhere
):
    campaign, second = answered_elsewhere
    second.press("a", "2", "b", "1")
    expect(second.find("#banners")).to_contain_text(DONE)
    second.press("Enter")
    second.reads("#notice-title", DONE)
    expect(second.find("#banners")).to_be_empty()
    second.page.get_by_role("button", name="Go on").click()
    second.is_at("2 of 30")
    (judgment,) = server.stored(campaign)
    assert [judgment.answer["ranks"][slot] for slot in judgment.shown] == [1, 2]


def test_the_same_answer_in_two_windows_is_no_question(server, come):
    campaign = server.campaign("ranking", k=2)
    link = server.invite(campaign)
    first, second = come(link).begin(), come(link, allow=NETWORK).begin()
    for window in (first, second):
        window.press("a", "1", "b", "2", "Enter")
        window.is_at("2 of 30")
    assert len(server.stored(campaign)) == 1


@pytest.mark.parametrize("status", [403, 404, 502, 200])
def test_a_page_of_a_proxy_is_no_refusal(server, come, pairwise, status):
    judge = come(server.invite(pairwise), allow=NETWORK)
    page = {"status": status, "content_type": "text/html", "body": "<h1>Not here</h1>"}
    judge.page.route("**/answer", lambda route: route.fulfill(**page))  # long before it is needed
    judge.begin().press("ArrowLeft", "Enter")
    judge.reads("#notice-title", "Waiting for the connection")
    judge.page.unroute("**/answer")
    judge.is_at("2 of 30")  # it was sent again by itself
    assert len(server.stored(pairwise)) == 1


def test_a_banner_that_stays_is_not_put_up_again(server, come, pairwise):
    judge = come(server.invite(pairwise)).begin()
    count = """async () => {
      const main = document.querySelector('script[type="module"]').src;
      const { banner } = await import(new URL("frame.js", main));
      banner("x", "one");
      const first = document.querySelector('[data-reason="x"]');
      banner("x", "one");
      const isSame = first.isConnected;
      banner("x", "two");
      return [isSame, first.isConnected, document.querySelectorAll('[data-reason="x"]').length];
    }"""
    assert judge.page.evaluate(count) == [True, False, 1]


def test_a_slow_draft_is_not_taken_for_another_device(server, come):
    campaign = server.campaign("ranking")
    link = server.invite(campaign)
    judge = come(link).begin()
    held = judge.held("**/draft", "a", "1")
    judge.press("b", "2")
    judge.page.wait_for_timeout(1000)  # the second draft is due, and waits for the first
    judge.reads("#saved", "Saving…")
    held.continue_()
    judge.is_saved()
    expect(judge.find("#banners")).to_be_empty()
    come(link).begin().reads("#summary", "A > B")


def test_a_draft_on_its_way_is_called_back_by_the_answer(server, come, pairwise):
    """Or the server would have to refuse it, as one for a screen that is done."""
    judge = come(server.invite(pairwise)).begin()
    judge.held("**/draft", "ArrowLeft")
    with judge.page.expect_event("requestfailed") as gone:
        judge.press("Enter")
    assert gone.value.url.endswith("/draft")
    judge.is_at("2 of 30")
    assert len(server.stored(pairwise)) == 1


def test_submitting_twice_gives_one_judgment(server, come, pairwise):
    judge = come(server.invite(pairwise)).begin()
    judge.press("ArrowLeft")
    judge.find("#submit").dblclick()
    judge.is_at("2 of 30")
    judge.press("ArrowRight", "Enter", "Enter", "Enter")
    judge.is_at("3 of 30")
    assert len(server.stored(pairwise)) == 2


def test_keys_do_nothing_while_an_answer_is_on_its_way(server, come, pairwise):
    judge = come(server.invite(pairwise)).begin()
    held = judge.held("**/answer", "ArrowLeft", "Enter")
    judge.press("ArrowRight", "Enter", "b", "z")
    judge.find(".chip").first.click()
    held.continue_()
    judge.is_at("2 of 30")
    judge.reads("#summary", "")
    assert len(server.stored(pairwise)) == 1


def test_the_session_ends_and_the_link_is_pasted(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign), allow=NETWORK).begin()
    judge.press("1", "2", "3", "4", "5")
    judge.is_saved()
    end_sessions(server, campaign)
    judge.press("Enter")
    judge.sees("#sign-in")
    assert judge.findings() == []
    judge.find("#sign-in-link").fill("https://elsewhere.example/nothing")
    judge.press("Enter")
    judge.sees("#sign-in-wrong")
    judge.find("#sign-in-link").fill(judge.link)
    judge.press("Enter")
    judge.is_at("2 of 30")
    judge.misses("#sign-in")
    assert len(server.stored(campaign)) == 1
    judge.press("0", "Enter")  # the new session's token is in use
    judge.is_at("3 of 30")


def test_the_session_ends_and_the_link_is_opened_in_another_window(server, come, pairwise):
    judge = come(server.invite(pairwise), allow=NETWORK).begin()
    end_sessions(server, pairwise)
    judge.press("ArrowRight")  # the draft finds out
    judge.sees("#sign-in")
    other = judge.new_page()
    other.goto(judge.link)
    other.get_by_role("button", name="Begin").click()
    other.wait_for_url("**/judge")
    other.close()
    judge.page.bring_to_front()
    judge.page.evaluate("dispatchEvent(new Event('focus'))")
    judge.misses("#sign-in")
    judge.is_saved()
    judge.press("Enter")
    judge.is_at("2 of 30")


def test_another_judge_in_the_same_browser_gets_nothing_of_the_first(server, come, pairwise):
    judge = come(server.invite(pairwise), allow=NETWORK).begin()
    other = judge.new_page()
    other.goto(server.invite(pairwise))
    other.get_by_role("button", name="Begin").click()
    other.get_by_role("button", name="I have read them").click()
    expect(other.locator("#task")).to_be_visible()
    judge.page.bring_to_front()
    judge.press("ArrowRight", "Enter")
    expect(judge.find("#banners")).to_contain_text("Another judge is signed in")
    assert server.stored(pairwise) == []
    other.goto(judge.link)
    other.get_by_role("button", name="Begin").click()
    judge.is_at("2 of 30")  # sent by itself once the first is back
    (judgment,) = server.stored(pairwise)
    assert judgment.judge == server.store.judges.judges(pairwise.id)[0].pseudonym


def test_offline_and_back(server, come, pairwise):
    judge = come(server.invite(pairwise), allow=NETWORK).begin()
    judge.context.set_offline(True)
    judge.press("ArrowRight")
    judge.reads("#saved", "Not saved, retrying")
    judge.press("ArrowLeft", "Enter")
    judge.reads("#notice-title", "Waiting for the connection")
    expect(judge.find("#banners")).to_contain_text("kept in this browser")
    assert server.stored(pairwise) == []
    judge.context.set_offline(False)
    judge.is_at("2 of 30")
    expect(judge.find("#banners")).to_be_empty()
    assert len(server.stored(pairwise)) == 1


def test_an_answer_waits_for_the_next_visit(server, come, pairwise):
    judge = come(server.invite(pairwise), allow=NETWORK).begin()
    judge.page.route("**/answer", lambda route: route.abort())
    judge.press("ArrowRight", "Enter")
    judge.reads("#notice-title", "Waiting for the connection")
    judge.page.goto("about:blank")  # before the page sends it again by itself
    judge.page.unroute("**/answer")
    judge.page.goto(f"{server.url}/judge")
    judge.is_at("2 of 30")
    (judgment,) = server.stored(pairwise)
    assert judgment.answer["choice"] in ("left", "right")


def test_a_lost_reply_is_asked_for_again(server, come, pairwise):
    """The server stored it, the browser never heard: the same receipt comes, nothing twice."""
    judge = come(server.invite(pairwise), allow=NETWORK).begin()

    def lose(route):
        route.fetch()
        route.abort()

    judge.page.route("**/answer", lose, times=1)
    judge.press("ArrowRight", "Enter")
    judge.is_at("2 of 30")
    assert len(server.stored(pairwise)) == 1


def test_the_server_cannot_save_for_a_moment(server, come, pairwise):
    judge = come(server.invite(pairwise), allow=NETWORK).begin()
    error = {"error": {"code": "unavailable", "message": "The disk is full.", "request": "1"}}
    judge.page.route("**/answer", lambda route: route.fulfill(status=503, json=error))
    judge.press("ArrowRight", "Enter")
    expect(judge.find("#banners")).to_contain_text("The disk is full.")
    judge.page.unroute("**/answer")
    judge.is_at("2 of 30")
    assert len(server.stored(pairwise)) == 1


def test_the_lease_expires_while_reading(server, come, pairwise):
    judge = come(server.invite(pairwise))
    judge.stop_time()
    judge.begin()
    judge.page.route("**/renew", lambda route: route.abort())
    judge.allow = NETWORK
    judge.page.clock.fast_forward(29 * 60_000)
    expect(judge.find("#banners")).to_contain_text("reserved for you for")
    judge.page.clock.fast_forward(2 * 60_000)
    expect(judge.find("#banners")).to_contain_text("The reservation of this screen has ended")
    with server.later(31 * 60_000):
        assert server.store.judging.release_expired() >= 1
        judge.press("ArrowLeft", "Enter")
        judge.is_at("2 of 30")
    (judgment,) = server.stored(pairwise)
    assert not judgment.surplus  # nobody else had it: it counts


def test_activity_renews_the_lease(server, come, pairwise):
    judge = come(server.invite(pairwise))
    judge.stop_time()
    judge.begin()
    judge.page.clock.fast_forward(16 * 60_000)
    with judge.page.expect_response("**/renew") as renewed:
        judge.page.mouse.move(300, 300)
        judge.page.clock.run_for(2000)
    assert renewed.value.json()["expires_at"]


def test_only_active_time_counts(server, come, pairwise):
    judge = come(server.invite(pairwise))
    judge.stop_time()
    judge.begin()
    judge.page.clock.run_for(5000)
    judge.press("ArrowLeft")
    judge.page.clock.run_for(200_000)  # a minute of it counts, then the clock stands still
    expect(judge.find("#banners")).to_contain_text("Your clock stands still")
    with server.later(300_000):  # the server saw that time pass too
        judge.press("ArrowRight", "Enter")
        judge.is_at("2 of 30")
    (judgment,) = server.stored(pairwise)
    assert judgment.active_ms == 65_000
    expect(judge.find("#banners")).to_be_empty()


def test_undo_brings_the_answer_back(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign))
    judge.stop_time()  # undo is offered for ten seconds
    judge.begin()
    texts = judge.outputs()
    judge.press("1", "2", "3", "4", "5", "Enter")
    judge.is_at("2 of 30")
    judge.sees("#undo")
    judge.press("z")
    judge.sees("#revision-note")
    judge.reads("#summary", "A > B > C > D > E")
    assert judge.outputs() == texts
    judge.is_at("Changing an answer")
    with judge.page.expect_response("**/leave") as left:
        judge.page.get_by_role("button", name="Leave it as it was").click()
    assert left.value.status == 204
    judge.is_at("2 of 30")
    judge.press("v")
    judge.find("#history-rows button").click()
    judge.reads("#summary", "A > B > C > D > E")
    judge.press("a", "5", "Enter")
    judge.is_at("2 of 30")
    first, second = server.stored(campaign, superseded=True)
    assert second.supersedes == first.id
    assert len(server.stored(campaign)) == 1


def test_undo_covers_no_text(server, come, pairwise):
    judge = come(server.invite(pairwise), viewport={"width": 700, "height": 520})
    judge.stop_time()
    judge.begin()
    judge.press("ArrowLeft", "Enter")
    judge.sees("#undo")
    judge.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    box = judge.find("#undo-bar").bounding_box()
    for part in ("#outputs", "#hint"):
        text = judge.find(part).bounding_box()
        assert text["y"] + text["height"] <= box["y"]
    foot = judge.find("#bottom").bounding_box()
    assert box["y"] + box["height"] <= foot["y"] + 1


def test_undo_goes_away(server, come, pairwise):
    judge = come(server.invite(pairwise))
    judge.stop_time()
    judge.begin()
    judge.press("ArrowLeft", "Enter")
    judge.sees("#undo")
    judge.page.clock.run_for(9_900)
    judge.sees("#undo")
    judge.page.clock.run_for(200)
    judge.misses("#undo")


def test_back_and_revise(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign)).begin()
    judge.press("1", "2", "3", "4", "5", "Enter")
    judge.is_at("2 of 30")
    judge.press("0", "Enter")
    judge.is_at("3 of 30")
    judge.press("b", "2")
    judge.is_saved()
    judge.press("v")
    expect(judge.find("#history-rows li")).to_have_count(2)
    assert judge.findings() == []
    judge.find("#history-rows li").last.get_by_role("button", name="Change").click()
    judge.reads("#summary", "A > B > C > D > E")
    judge.press("e", "1", "Enter")
    judge.is_at("3 of 30")
    judge.reads("#summary", "B")  # the screen that was in hand, with its draft
    stored = server.stored(campaign, superseded=True)
    assert [judgment.supersedes for judgment in stored] == [None, None, stored[0].id]
    assert stored[0].shown == stored[2].shown
    revised = [stored[2].answer["ranks"][slot] for slot in stored[2].shown]
    assert revised == [1, 2, 3, 4, 1]


def test_skip_with_a_reason_and_a_comment(server, come, pairwise):
    judge = come(server.invite(pairwise)).begin()
    judge.press("c")
    judge.page.keyboard.type("half the sentence is missing")
    judge.page.get_by_role("button", name="Keep the comment").click()
    judge.press("s")
    assert judge.findings() == []
    judge.page.get_by_label("The source is broken").check()
    judge.page.get_by_role("button", name="Skip it").click()
    judge.is_at("2 of 30")
    (judgment,) = server.stored(pairwise)
    assert (judgment.kind, dict(judgment.answer)) == ("skip", {"reason": "source-broken"})
    assert judgment.comment == "half the sentence is missing"


def test_several_judges_get_different_screens(server, come, pairwise):
    links = [server.invite(pairwise) for _ in range(3)]
    screens = [(tuple(come(link).begin().outputs())) for link in links]
    assert len(set(screens)) == 3
