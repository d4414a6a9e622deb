"""Instructions come first, and again when they changed; what was read is recorded."""

from rankwise import __version__
from web_client import BROWSER, come_in, csrf_of, read_instructions


def boots(client) -> bool:
    return 'id="boot"' in client.get("/judge", headers=BROWSER).text


def test_they_are_shown_before_work_and_the_version_is_kept(app, invited, store):
    campaign, link = invited(instructions="Read *this*. <b>no</b>")
    client = come_in(app, link, reads=False)
    page = client.get("/judge", headers=BROWSER).text
    assert "<em>this</em>" in page
    assert "<b>no" not in page
    assert f"Rankwise {__version__}" in page
    assert not boots(client)
    form = {"csrf": csrf_of(page), "version": "older"}
    client.post("/judge/instructions", data=form, headers=BROWSER)
    assert not boots(client)
    read_instructions(client)
    assert boots(client)
    (judge,) = store.judges.judges(campaign.id)
    assert judge.instructions_version == campaign.plan.instructions_version
    assert "judge.instructions" in [event.action for event in store.events.list(campaign.id)]


def test_others_stop_the_work_until_they_are_read(app, invited, store):
    campaign, link = invited()
    client = come_in(app, link)
    token = csrf_of(client.get("/judge", headers=BROWSER).text)
    headers = {"x-csrf-token": token, "sec-fetch-site": "same-origin"}
    task = client.post("/judge/next", json={}, headers=headers).json()["task"]
    changed = store.campaigns.set_instructions(campaign.slug, "Now otherwise.", actor="test")
    assert changed.plan.instructions == "Now otherwise."
    body = {"answer": {"ranks": [1, 2, 3]}, "active_ms": 5}
    path = f"/judge/tasks/{task['token']}/answer"
    sent = client.post(path, json=body, headers=headers).json()
    assert (bool(sent["receipt"]), sent["next"]) == (True, None)
    refused = client.post("/judge/next", json={}, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "instructions")
    assert "have changed" in client.get("/judge", headers=BROWSER).text
    read_instructions(client)
    assert client.post("/judge/next", json={}, headers=headers).status_code == 200


def test_empty_ones_are_those_of_the_protocol(invited, store):
    campaign, _ = invited(instructions="Mine.")
    assert (
        "Rank" in store.campaigns.set_instructions(campaign.slug, " ", actor="t").plan.instructions
    )
