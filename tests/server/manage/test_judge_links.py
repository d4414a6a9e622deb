"""Links of judges: a table to keep right after they are made, and all of them renewed at once."""

import base64
import csv
import re

from server.manage.conftest import judge_some
from web_client import BROWSER, browser, session_csrf


def send(client, path, **fields):
    token = session_csrf(client, "/")
    return client.post(path, data={"csrf": token, **fields}, headers=BROWSER)


def sheet(page):
    packed = re.search(r'href="data:text/csv;charset=utf-8;base64,([^"]+)"', page)[1]
    return list(csv.DictReader(base64.b64decode(packed).decode().splitlines()))


def test_links_are_kept_as_a_table(organiser, store, campaign):
    names = "Ann <ann@example.org>\n=1+1"
    page = send(organiser, f"/campaigns/{campaign.slug}/invite", names=names, count="1").text
    rows = sheet(page)
    assert [row["name"] for row in rows] == ["Ann", "'=1+1", ""]
    assert rows[0]["email"] == "ann@example.org"
    assert [row["judge"] for row in rows] == [
        judge.pseudonym for judge in store.judges.judges(campaign.id)
    ]
    for row in rows:
        assert store.judges.by_link(row["link"].rsplit("/", 1)[1]).pseudonym == row["judge"]


def test_a_link_for_everybody_is_kept_too(organiser, campaign):
    (row,) = sheet(send(organiser, f"/campaigns/{campaign.slug}/open-link").text)
    assert (row["judge"], row["name"], "/o/" in row["link"]) == ("", "For everybody", True)


def test_all_open_links_are_renewed(app, organiser, store, campaign):
    path = f"/campaigns/{campaign.slug}/people/renew"
    assert send(organiser, path, sure="true").status_code == 409
    made = [store.judges.invite(campaign.id, name=str(n), actor="test") for n in range(4)]
    store.judges.revoke(made[1][0].id, "test")
    store.judges.exclude(made[2][0].id, "why", "test")
    assert send(organiser, path).status_code == 422
    rows = sheet(send(organiser, path, sure="true").text)
    assert [row["judge"] for row in rows] == [made[0][0].pseudonym, made[3][0].pseudonym]
    assert [row["name"] for row in rows] == ["0", "3"]
    live = [store.judges.by_link(token) is not None for _, token in made]
    assert live == [False, False, True, False]
    new = rows[0]["link"].rsplit("/", 1)[1]
    assert browser(app).get(f"/j/{new}", headers=BROWSER).status_code == 200


def test_people_lets_in_once_more_who_failed_and_pays_everybody(organiser, store, campaign):
    judge_some(store, campaign, 3, judges=1)
    (judge,) = store.judges.judges(campaign.id)
    path = f"/campaigns/{campaign.slug}/people"
    assert send(organiser, f"{path}/{judge.id}/tutorial").status_code == 409
    answer = organiser.get(f"{path}/pay.csv", headers=BROWSER)
    (row,) = csv.DictReader(answer.text.splitlines())
    assert (row["judge"], row["screens"]) == (judge.pseudonym, "3")
    assert "attachment" in answer.headers["content-disposition"]
