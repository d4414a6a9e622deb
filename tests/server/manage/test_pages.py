"""The organiser's pages: what they show, and what their forms do."""

import re
from dataclasses import replace
from typing import Any

import pytest

from rankwise.server.records import Submission
from rankwise.server.web.manage.campaign_pages import TRAIL
from server.manage.conftest import judge_some, renew
from web_client import BROWSER, TestClient, come_in, csrf_of, session_csrf

PAGES = ("", "/people", "/items", "/items/3", "/floor", "/exports", "/audit", "/check")


def send(client: TestClient, path: str, fields: dict[str, Any] | None = None, **more: Any) -> Any:
    token = session_csrf(client, "/")
    return client.post(path, data={"csrf": token, **(fields or {})}, headers=BROWSER, **more)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_shows_before_and_after_the_first_judgments(organiser, store, campaign, page):
    path = f"/campaigns/{campaign.slug}{page}"
    assert organiser.get(path, headers=BROWSER).status_code == 200
    judge_some(store, campaign, 12)
    assert organiser.get(path, headers=BROWSER).status_code == 200


def test_the_list_counts_judgments_and_judges(organiser, store, campaign):
    judge_some(store, campaign, 7, judges=2)
    page = organiser.get("/", headers=BROWSER).text
    assert re.search(r"<dt>Judgments</dt><dd>7; [0-7] that count, of at most 600</dd>", page)
    assert "<dt>Judges</dt><dd>2</dd>" in page


def test_the_leaderboard_has_every_system_and_switches_models(organiser, store, campaign):
    judge_some(store, campaign, 40)
    path = f"/campaigns/{campaign.slug}"
    page = organiser.get(path, headers=BROWSER).text
    for system in store.campaigns.testset(campaign.id).systems:
        assert f'<th scope="row"><bdi>{system}</bdi></th>' in page
    assert "trueskill:" in page  # as ``campaign status`` and the API, which ask for no model
    other = organiser.get(path + "?model=expected-wins", headers=BROWSER).text
    assert "expected-wins:" in other
    assert "trueskill:" not in other
    assert organiser.get(path + "?model=nonsense", headers=BROWSER).status_code == 200


def test_a_system_without_answers_stays_on_the_leaderboard(organiser, store, campaign):
    judge_some(store, campaign, 1)
    page = organiser.get(f"/campaigns/{campaign.slug}", headers=BROWSER).text
    for system in store.campaigns.testset(campaign.id).systems:
        assert f'<th scope="row"><bdi>{system}</bdi></th>' in page
    assert "no answers yet" in page


def test_the_live_part_alone_is_no_whole_page(organiser, store, campaign):
    judge_some(store, campaign, 12)
    part = organiser.get(f"/campaigns/{campaign.slug}?part=live", headers=BROWSER).text
    assert "Leaderboard" in part
    assert "<html" not in part


def test_the_json_behind_a_picture(organiser, store, campaign):
    judge_some(store, campaign, 12)
    found = organiser.get(f"/campaigns/{campaign.slug}/data/heat.json").json()
    assert found["judgments"] == 12
    assert len(found["content"]["systems"]) == 8
    assert organiser.get(f"/campaigns/{campaign.slug}/data/none.json").status_code == 404


def test_inviting_shows_links_that_work_once(organiser, store, campaign, app):
    path = f"/campaigns/{campaign.slug}/invite"
    fields = {"names": "Ann Example <ann@example.org>\nBob", "count": "1"}
    page = send(organiser, path, fields).text
    links = re.findall(r"http://testserver(/j/[\w-]+)", page)
    assert len(links) == 3
    judges = store.judges.judges(campaign.id)
    identities = [store.judges.identity(judge.id) for judge in judges]
    assert [(one.name, one.email) for one in identities] == [
        ("Ann Example", "ann@example.org"),
        ("Bob", None),
        (None, None),
    ]
    come_in(app, links[0])
    people = organiser.get(f"/campaigns/{campaign.slug}/people", headers=BROWSER).text
    assert "Ann Example" in people
    assert "/j/" not in people


@pytest.mark.parametrize("fields", [{}, {"names": " \n "}, {"count": "501"}])
def test_an_invitation_of_nobody_or_too_many(organiser, campaign, fields):
    answer = send(organiser, f"/campaigns/{campaign.slug}/invite", fields)
    assert answer.status_code == 422


def test_excluding_needs_a_reason_and_shows_both_numbers(organiser, store, campaign):
    judge_some(store, campaign, 30)
    judge = store.judges.judges(campaign.id)[0]
    path = f"/campaigns/{campaign.slug}/people/{judge.id}"
    assert send(organiser, path + "/exclude", {"reason": " "}).status_code == 422
    assert send(organiser, path + "/exclude", {"reason": "clicks blindly"}).status_code == 303
    renew(store, campaign)
    page = organiser.get(f"/campaigns/{campaign.slug}", headers=BROWSER).text
    assert "With excluded judges" in page
    assert "of excluded judges are left out" in page
    assert (
        "clicks blindly"
        in organiser.get(f"/campaigns/{campaign.slug}/people", headers=BROWSER).text
    )
    assert send(organiser, path + "/include").status_code == 303
    renew(store, campaign)
    page = organiser.get(f"/campaigns/{campaign.slug}", headers=BROWSER).text
    assert "With excluded judges" not in page
    trail = organiser.get(f"/campaigns/{campaign.slug}/audit", headers=BROWSER).text
    assert "clicks blindly" in trail


def test_a_revoked_link_a_new_one_and_a_forgotten_judge(organiser, store, campaign, app):
    ann = {"name": "Ann", "email": "ann@example.org"}
    judge, token = store.judges.invite(campaign.id, **ann, actor="test")
    path = f"/campaigns/{campaign.slug}/people/{judge.id}"
    revoked = send(organiser, path + "/revoke")
    assert revoked.status_code == 303
    # back to the row, which may be the hundredth
    assert revoked.headers["location"] == f"/campaigns/{campaign.slug}/people#{judge.pseudonym}"
    people = organiser.get(f"/campaigns/{campaign.slug}/people", headers=BROWSER).text
    assert f'<tr id="{judge.pseudonym}">' in people
    assert store.judges.by_link(token) is None
    page = send(organiser, path + "/reissue").text
    assert f"Ann ({judge.pseudonym})" in page
    assert "ann@example.org" in page
    [fresh] = re.findall(r"http://testserver/j/([\w-]+)", page)
    assert store.judges.by_link(fresh).id == judge.id
    assert send(organiser, path + "/forget").status_code == 303
    assert store.judges.identity(judge.id).name is None
    assert store.judges.by_link(fresh) is None


def test_the_trail_goes_back_to_the_beginning(organiser, store, campaign):
    path = f"/campaigns/{campaign.slug}/audit"
    for number in range(TRAIL):
        store.events.add(f"judge-{number}", "judge.sign-in", campaign=campaign.id)
    filters = {"filters": ["skips are left out", "repeats are left out"]}
    store.events.add("ann", "campaign.export", campaign=campaign.id, details=filters)
    first = organiser.get(path, headers=BROWSER).text
    assert "<bdi>skips are left out, repeats are left out</bdi>" in first
    assert first.count("judge.sign-in") == TRAIL - 1
    assert "campaign.add" not in first
    [older] = re.findall(r'href="(\?before=\d+)"', first)
    last = organiser.get(path + older, headers=BROWSER).text
    assert "campaign.add" in last
    assert "before=" not in last
    brief = organiser.get(path + "?brief=true", headers=BROWSER).text
    assert "campaign.add" in brief
    assert "judge.sign-in" not in brief
    assert re.search(r">\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC<", brief)  # what came first in a minute


def test_a_judge_of_another_campaign_is_not_found(organiser, store, campaign):
    other = store.campaigns.add(
        replace(campaign.plan, slug="other"), store.campaigns.testset(campaign.id), actor="test"
    )
    judge, _ = store.judges.invite(other.id, actor="test")
    path = f"/campaigns/{campaign.slug}/people/{judge.id}/exclude"
    assert send(organiser, path, {"reason": "x"}).status_code == 404


def test_the_item_page_says_who_said_what_and_keeps_revisions(organiser, store, campaign):
    judge, _ = store.judges.invite(campaign.id, actor="test")
    task = store.judging.next(judge)
    ranks = list(range(1, len(task.outputs) + 1))
    receipt = store.judging.submit(judge, task.token, Submission("answer", {"ranks": ranks}, 9000))
    again = store.judging.revise(judge, receipt.receipt)
    ties = Submission("answer", {"ranks": [1] * len(ranks)}, 1000, comment="<i>all</i> alike")
    store.judging.submit(judge, again.token, ties)
    [stored] = store.log.stored(campaign.id)
    testset = store.campaigns.testset(campaign.id)
    position = [segment.id for segment in testset.segments].index(stored.segment)
    page = organiser.get(f"/campaigns/{campaign.slug}/items/{position}", headers=BROWSER).text
    assert page.count(f'<th scope="row">{judge.pseudonym}</th>') == 2
    assert " &gt; " in page
    assert " = ".join("+".join(slot.systems) for slot in stored.slots) in page
    assert "&lt;i&gt;all&lt;/i&gt; alike" in page
    assert organiser.get(f"/campaigns/{campaign.slug}/items/60", headers=BROWSER).status_code == 404


def test_items_are_searched_and_paged(organiser, store, campaign):
    judge_some(store, campaign, 20)
    path = f"/campaigns/{campaign.slug}/items"
    assert "No item matches" in organiser.get(path + "?search=zzzz", headers=BROWSER).text
    source = store.campaigns.testset(campaign.id).segments[0].source
    found = organiser.get(path, params={"search": source, "sort": "n"}, headers=BROWSER).text
    assert "<caption>1 items" in found or "No item matches" in found
    assert organiser.get(path + "?page=999&sort=nonsense", headers=BROWSER).status_code == 200


def test_pausing_and_closing_stop_the_work(organiser, store, campaign):
    judge, _ = store.judges.invite(campaign.id, actor="test")
    path = f"/campaigns/{campaign.slug}/state"
    for state, reason in (("paused", "paused"), ("closed", "closed")):
        assert send(organiser, path, {"state": state}).status_code == 303
        assert store.judging.next(judge).reason == reason
    assert send(organiser, path, {"state": "draft"}).status_code == 409


def test_a_viewer_sees_the_standing_of_one_campaign_and_nobody(organiser, store, campaign, app):
    judge_some(store, campaign, 30)
    page = send(organiser, f"/campaigns/{campaign.slug}/viewers").text
    [link] = re.findall(r"http://testserver(/v/[\w-]+)", page)
    viewer = come_in(app, link)
    shown = viewer.get(f"/view/{campaign.slug}", headers=BROWSER)
    assert shown.status_code == 200
    assert "Leaderboard" in shown.text
    for judge in store.judges.judges(campaign.id):
        assert judge.pseudonym not in shown.text
    assert viewer.get("/view/other", headers=BROWSER).status_code == 404
    assert viewer.get(f"/campaigns/{campaign.slug}", headers=BROWSER).status_code in (303, 401)
    [stored] = store.accounts.viewers(campaign.id)
    send(organiser, f"/campaigns/{campaign.slug}/viewers/{stored.id}/revoke")
    assert viewer.get(f"/view/{campaign.slug}", headers=BROWSER).status_code == 401


def test_the_form_token_of_the_page_is_needed(organiser, campaign):
    path = f"/campaigns/{campaign.slug}/state"
    answer = organiser.post(path, data={"state": "closed"}, headers=BROWSER)
    assert answer.status_code == 403
    assert csrf_of(organiser.get("/", headers=BROWSER).text)


def test_an_organiser_tries_it_as_a_judge_who_does_not_count(organiser, store, campaign, app):
    answer = send(organiser, f"/campaigns/{campaign.slug}/try")
    link = answer.headers["location"]
    assert link.startswith("/j/")
    come_in(app, link)
    [judge] = store.judges.judges(campaign.id)
    assert judge.excluded_reason == "dry run"


def test_the_owner_reads_what_happened_on_the_server(organiser, store, campaign):
    page = organiser.get("/audit", headers=BROWSER).text
    assert "account.sign-in" in page
    assert "campaign.state" in page


def test_a_campaign_of_values_has_no_heat_map_and_says_r(organiser, store, campaign):
    plan = replace(campaign.plan, slug="values", protocol="direct-assessment", k=1)
    made = store.campaigns.add(plan, store.campaigns.testset(campaign.id), actor="test")
    values = store.campaigns.set_state(made.slug, "open", actor="test")
    judge, _ = store.judges.invite(values.id, actor="test")
    for score in range(20, 80, 3):
        task = store.judging.next(judge)
        answer = {"scores": [score] * len(task.outputs)}
        store.judging.submit(judge, task.token, Submission("answer", answer, 9000))
    renew(store, values)
    page = organiser.get("/campaigns/values", headers=BROWSER).text
    assert "What was asked" not in page
    assert "α of judges with themselves" in page
    assert ">r with others<" in organiser.get("/campaigns/values/people", headers=BROWSER).text
