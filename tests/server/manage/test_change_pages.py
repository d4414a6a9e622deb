"""Pages that change a campaign as a whole."""

import re

from server.manage.conftest import judge_some
from web_client import BROWSER, csrf_of, post, session_csrf


def test_the_form_changes_what_was_changed(organiser, store, campaign):
    store.campaigns.set_state("example", "paused", actor="test")
    page = organiser.get("/campaigns/example/edit", headers=BROWSER).text
    fields = dict(re.findall(r'name="([\w.]+)" type="\w+" value="([^"]*)"', page))
    assert (fields["sitting"], fields["stop.max_judgments"]) == ("1000", "600")
    sent = fields | {"name": "2027", "sitting": "", "stop.max_judgments": "40", "further": "k = 4"}
    done = post(organiser, "/campaigns/example/edit", sent)
    assert (done.status_code, done.headers["location"]) == (303, "/campaigns/example/check")
    plan = store.campaigns.get("example").plan
    assert (plan.name, plan.sitting, plan.stop.max_judgments, plan.k) == ("2027", 30, 40, 4)
    assert plan.stop.boundary_support == campaign.plan.stop.boundary_support
    changed = set(store.events.list(campaign.id)[0].details)
    assert changed == {"name", "sitting", "stop", "k", "seconds_per_screen"}


def test_a_wrong_field_keeps_what_was_typed(organiser, store, campaign):
    sent = {"name": "Another", "sitting": "0", "further": "k = 3"}
    store.campaigns.set_state("example", "paused", actor="test")
    done = post(organiser, "/campaigns/example/edit", sent)
    assert done.status_code == 422
    assert "Nothing was changed." in done.text
    assert 'value="Another"' in done.text
    assert ">k = 3</textarea>" in done.text
    assert store.campaigns.get("example").plan == campaign.plan


def test_what_was_judged_is_not_edited(organiser, store, campaign):
    judge_some(store, campaign, 1)
    page = organiser.get("/campaigns/example/edit", headers=BROWSER).text
    assert "It has judgments: what decides the answers stays as it is." in page
    assert 'name="further"' not in page
    done = post(organiser, "/campaigns/example/edit", {"further": "k = 3"})
    assert done.status_code == 422
    assert "clone it and edit the clone" in done.text
    assert post(organiser, "/campaigns/example/edit", {"sitting": "7"}).status_code == 303
    assert store.campaigns.get("example").plan.sitting == 7


def test_a_clone_is_a_draft_that_asks_the_same(organiser, store, campaign):
    judge_some(store, campaign, 2)
    token = session_csrf(organiser, "/campaigns/example/check")
    form = {"csrf": token, "name": " Once more "}
    done = organiser.post("/campaigns/example/clone", data=form, headers=BROWSER)
    assert (done.status_code, done.headers["location"]) == (303, "/campaigns/once-more/check")
    made = store.campaigns.get("once-more")
    assert (made.state, made.plan.redundancy, made.systems) == ("draft", 2, 8)
    assert store.judges.judges(made.id) == []
    again = organiser.post("/campaigns/example/clone", data=form, headers=BROWSER)
    assert again.status_code == 422
    assert "there is a campaign &#39;once-more&#39; already" in again.text


def test_a_clone_may_invite_the_same_people(organiser, store, campaign):
    store.judges.invite(campaign.id, name="Carla", email="c@example.org", actor="test")
    page = organiser.get("/campaigns/example/check", headers=BROWSER).text
    assert "Invite its 1 judge to the clone" in page
    form = {"csrf": csrf_of(page), "name": "Once more", "judges": "true"}
    done = organiser.post("/campaigns/example/clone", data=form, headers=BROWSER)
    assert done.status_code == 200
    assert "c@example.org" in done.text
    (link,) = re.findall(r"http://testserver/j/([\w-]+)", done.text)
    assert store.judges.by_link(link).campaign == store.campaigns.get("once-more").id


def test_a_draft_is_deleted_after_a_page_that_names_it(organiser, store, campaign):
    check = organiser.get("/campaigns/example/check", headers=BROWSER).text
    assert 'href="/campaigns/example/delete"' in check
    page = organiser.get("/campaigns/example/delete", headers=BROWSER).text
    assert "Delete “<bdi>Example</bdi>”?" in page
    assert "60 segments of 8 systems" in page
    done = post(organiser, "/campaigns/example/delete", {"confirm": "example"})
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert organiser.get("/campaigns/example", headers=BROWSER).status_code == 404
    assert "There is no campaign yet" in organiser.get("/", headers=BROWSER).text
    assert "campaign.delete" in organiser.get("/audit", headers=BROWSER).text


def test_another_name_deletes_nothing(organiser, store, campaign):
    done = post(organiser, "/campaigns/example/delete", {"confirm": "another"})
    assert done.status_code == 422
    assert "Nothing was deleted" in done.text
    assert store.campaigns.get("example").id == campaign.id


def test_a_campaign_with_judgments_stays(organiser, store, campaign):
    judge_some(store, campaign, 2)
    page = organiser.get("/campaigns/example/delete", headers=BROWSER).text
    assert "It has 2 judgments, which are never deleted." in page
    assert '<form method="post" action="/campaigns/example/delete"' not in page
    check = organiser.get("/campaigns/example/check", headers=BROWSER).text
    assert 'href="/campaigns/example/delete"' not in check
    done = post(organiser, "/campaigns/example/delete", {"confirm": "example"})
    assert done.status_code == 409
