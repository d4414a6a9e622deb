"""An open link: parameters are kept apart, places and screens are counted, codes tell the end."""

import pytest

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Submission
from server.judge.conftest import PLAN
from server.judge.judge_client import JudgeClient
from web_client import BROWSER, browser, post, read_instructions, session_csrf


def open_link(store, campaign) -> str:
    return f"/o/{store.open_links.make(campaign.id, actor='test')}"


def test_parameters_are_kept_with_who_somebody_is(app, invited, store):
    campaign, _ = invited(recruiting={"most_judges": 2})
    link = open_link(store, campaign)
    first = browser(app)
    page = first.get(f"{link}?PROLIFIC_PID=abc&x=1", headers=BROWSER)
    assert (page.status_code, len(store.judges.judges(campaign.id))) == (200, 1)
    assert post(first, f"{link}?PROLIFIC_PID=abc&x=1").headers["location"] == "/judge"
    assert post(first, f"{link}?PROLIFIC_PID=abc&x=1").status_code == 303
    judges = store.judges.judges(campaign.id)
    assert len(judges) == 2  # one was invited
    assert store.judges.identity(judges[1].id).parameters == {"PROLIFIC_PID": "abc", "x": "1"}
    assert post(browser(app), f"{link}?PROLIFIC_PID=abc&x=1").status_code == 409
    assert post(browser(app), f"{link}?PROLIFIC_PID=other").status_code == 303
    assert post(browser(app), f"{link}?PROLIFIC_PID=third").status_code == 409
    store.judges.forget(judges[1].id, "test")
    assert store.judges.identity(judges[1].id).parameters is None


def test_a_link_ends_with_the_next_one(app, invited, store):
    campaign, _ = invited()
    old, new = open_link(store, campaign), open_link(store, campaign)
    assert browser(app).get(old, headers=BROWSER).status_code == 410
    assert browser(app).get(new, headers=BROWSER).status_code == 200
    store.open_links.end(campaign.id, actor="test")
    assert browser(app).get(new, headers=BROWSER).status_code == 410


def test_the_code_comes_when_the_share_is_done(app, invited):
    recruiting = {"screens_per_judge": 2, "code_pass": "GOOD-1", "code_fail": "BAD-1"}
    _, link = invited(recruiting=recruiting)
    judge = JudgeClient(app, link)
    for _ in range(2):
        task = judge.next()["task"]
        reply = judge.answer(task["token"], [1, 2, 3]).json()
    assert reply["next"]["nothing"]["reason"] == "quota-done"
    assert "GOOD-1" in reply["next"]["nothing"]["message"]


def test_the_last_page_leads_back_with_the_parameters(app, invited, store):
    there = "https://example.org/done?who={PID}&study={x}"
    campaign, _ = invited(
        recruiting={"screens_per_judge": 1, "code_pass": "GOOD", "redirect_pass": there}
    )
    link = open_link(store, campaign)
    client = browser(app)
    post(client, f"{link}?PID=a%26b%2F%22")
    judge = store.judges.judges(campaign.id)[1]
    task = store.judging.next(judge)
    store.judging.submit(judge, task.token, Submission("answer", {"ranks": [1, 2, 3]}, 5))
    read_instructions(client)
    headers = {"x-csrf-token": session_csrf(client, "/judge"), "sec-fetch-site": "same-origin"}
    nothing = client.post("/judge/next", json={}, headers=headers).json()["nothing"]
    assert nothing["go"] == "https://example.org/done?who=a%26b%2F%22&study="
    assert "GOOD" not in nothing["message"]
    assert "Finish" in nothing["message"]


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "javascript:alert(1)",
        "https://{PID}.example.org/",
        "https://ann@example.org/",
        "https://example.org/a b",
        "https://example.org\\x",
        "//example.org/",
    ],
)
def test_only_https_and_a_host_of_its_own_is_led_to(address):
    with pytest.raises(DataError, match="begins with https://"):
        Plan.from_json({**PLAN, "recruiting": {"redirect_fail": address}})
