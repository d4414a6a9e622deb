"""Odd values in every form of the organiser's pages and in the answers of judges: never a 500.

``RANKWISE_REQUESTS`` makes it longer, as ``scripts/check-slow api`` does.
"""

import copy
import json
import os
import random
from html.parser import HTMLParser

import pytest

from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from web_client import BROWSER, browser, come_in, csrf_of, post
from web_world import PASSWORD, open_store, small_plan, small_testset

REQUESTS = int(os.environ.get("RANKWISE_REQUESTS", "30"))
LARGE = 10**400
TEXTS = (
    *(
        "",
        "\0",
        "a\0b",
        "9" * 400,
        str(2**63),
        "-1",
        "1e999",
        "NaN",
        "=cmd()",
        "<script>",
        "\u202e",
    ),
    *("../../x", "x" * 50_000, "\n\n", "[", "{", "null", "[]", '{"a": 1}', "[[" * 2000, "0", "0.5"),
    *("a\r\nX: y", "on", "{{7*7}}", "de:en", "۱۲", "²", "2026-99-99", "draft", "open", "closed"),
)
FILES = (b"", b"\0", b"a\nb\n", b"\xff\xfe", b"{}", b'{"a":', b"\x1f\x8b", b"PK\3\4", b"[" * 9000)
NAMES = ("a.txt", "x.json", "=c.csv", "p.toml", "a.tar.gz", "a.zip", "..", "\u202e.txt", "a.jsonl")
VALUES = (
    *(None, True, 0, -1, 2**31, 2**63, LARGE, -LARGE, float("inf"), float("nan"), 0.5, "", "\0"),
    *("\ud800", "x" * 20_000, [], [[]], [None], {}, {"": 1}, [{}], ["a", "a"], "1", [[[]]]),
)
#: These end the session that asks, or change how it is begun.
LEFT_OUT = ("/logout", "/account/sign-out-everywhere", "/account/password", "/accounts/")


class Page(HTMLParser):
    """The addresses that a page links to, and its forms: the names of fields with their values."""

    def __init__(self, page):
        super().__init__()
        self.links, self.forms = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        link = given.get("href") or ""
        if tag == "a" and link.startswith("/"):
            self.links.add(link.partition("#")[0])
        if tag == "form" and given.get("method", "").lower() == "post":
            self.forms.append((given.get("action"), {}))
        if given.get("name") and self.forms:
            kind = given.get("type", tag)
            self.forms[-1][1].setdefault(given["name"], (kind, given.get("value") or ""))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A server's application with a campaign, an event, and a judge; its owner."""
    store = open_store(tmp_path_factory.mktemp("odd"))
    app = create_app(store, Settings(refresher=False))
    owner = browser(app)
    _, token = store.accounts.create("owner", "owner", "test")
    post(owner, f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD})
    for name in ("first", "second"):
        campaign = store.campaigns.add(small_plan(name), small_testset(), actor="test")
        store.campaigns.set_state(campaign.slug, "open", actor="test")
        store.judges.invite(campaign.id, name="Ann", actor="test")
    event = {"csrf": csrf_of(owner.get("/", headers=BROWSER).text), "name": "An event"}
    assert owner.post("/events/new", data=event, headers=BROWSER).status_code == 303
    yield store, app, owner
    store.database.close()


def forms_of(client):
    """Every form that can be come by, once."""
    waiting, seen, found = ["/", "/account", "/campaigns/new"], set(), {}
    while waiting:
        path = waiting.pop(0)
        if path in seen or path.startswith("/static/"):
            continue
        seen.add(path)
        answer = client.get(path, headers=BROWSER)
        assert answer.status_code < 500, path
        if "html" in answer.headers["content-type"]:
            page = Page(answer.text)
            waiting += sorted(page.links)
            for action, fields in page.forms:
                found.setdefault((action or path, *sorted(fields)), fields)
    return found


def filled(fields, draw):
    """Values of a form's fields, some as they are, some odd, some missing; and its files."""
    data, files = {}, []
    for name, (kind, value) in fields.items():
        if kind == "file":
            if draw.random() < 0.6:
                files.append((name, (draw.choice(NAMES), draw.choice(FILES))))
        elif draw.random() < 0.85:
            data[name] = draw.choice([value or "first", draw.choice(TEXTS), draw.choice(TEXTS)])
    return data, files


def test_no_form_of_the_organisers_pages_fails(place):
    _, _, owner = place
    draw, forms = random.Random(1), forms_of(owner)
    asked = [(key[0], forms[key]) for key in forms if not key[0].startswith(LEFT_OUT)]
    assert len(asked) > 35
    wrong = []
    for path, fields in asked * -(-REQUESTS // 15):
        data, files = filled(fields, draw)
        data["csrf"] = csrf_of(owner.get("/api/docs", headers=BROWSER).text)
        answer = owner.post(path, data=data, files=files or None, headers=BROWSER)
        assert answer.status_code != 403, "the token of the session was sent"
        if answer.status_code >= 500:
            wrong.append((path, data, files))
    assert wrong == []


def places_in(value, path=()):
    """The way to every part of a value."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from places_in(part, (*path, key))


def odd(value, draw):
    """A copy with one part replaced, removed or added."""
    made = copy.deepcopy(value)
    *way, last = draw.choice(list(places_in(made)))
    inside = made
    for key in way:
        inside = inside[key]
    kind = draw.random()
    if kind < 0.75:
        inside[last] = copy.deepcopy(draw.choice(VALUES))
    elif kind < 0.85:
        del inside[last]
    elif isinstance(inside, dict):
        inside["spans"] = copy.deepcopy(draw.choice(VALUES))
    else:
        inside.append(copy.deepcopy(draw.choice(VALUES)))
    return made


FURTHER = {"sliders": [{"name": "F", "low": 1, "high": 5}], "output_comments": True}
CELL = {"spans": [{"start": 0, "end": 5, "severity": "minor"}], "sliders": {"F": 3}, "comment": "c"}
MARKED = {**CELL, "spans": [{**CELL["spans"][0], "category": "Fluency/Grammar"}]}
#: A plan and an answer for each text of its screens; documents have one segment here.
JUDGED = {
    "ranking": ({}, lambda k: {"ranks": [1] * k}),
    "adequacy-fluency": ({}, lambda k: {"fluency": [3] * k, "adequacy": [3] * k}),
    "direct-assessment": ({}, lambda k: {"scores": [50] * k}),
    "esa": ({**FURTHER, "window": 1}, lambda k: {"segments": [[{**CELL, "score": 50}] * k]}),
    "mqm": ({**FURTHER, "window": 1}, lambda k: {"segments": [[MARKED] * k]}),
}


@pytest.mark.parametrize("protocol", JUDGED)
def test_no_answer_of_a_judge_fails(place, protocol):
    store, app, _ = place
    keys, answered = JUDGED[protocol]
    plan = small_plan(f"of {protocol}", protocol=protocol, sitting=10_000, **keys)
    campaign = store.campaigns.add(plan, small_testset(), actor="test")
    store.campaigns.set_state(campaign.slug, "open", actor="test")
    _, token = store.judges.invite(campaign.id, actor="test")
    client, draw = come_in(app, f"/j/{token}"), random.Random(2)
    headers = {"x-csrf-token": csrf_of(client.get("/judge", headers=BROWSER).text)}
    headers["content-type"] = "application/json"

    def ask(method, path, body):
        sent = json.dumps(body).encode()
        answer = client.request(method, path, content=sent, headers=headers)
        assert answer.status_code < 500, (path, body)
        return answer

    for turn in range(-(-REQUESTS // 10)):
        task = ask("POST", "/judge/next", {"new_sitting": True}).json()["task"]
        path = f"/judge/tasks/{task['token']}"
        answer = {"answer": answered(len(task["outputs"])), "active_ms": 9, "comment": "c"}
        for _ in range(10 if turn else 0):
            ask("PUT", f"{path}/draft", odd({"version": 1, "content": answer}, draw))
            ask("POST", f"{path}/skip", odd({"answer": {"reason": "odd"}, "active_ms": 9}, draw))
            ask("POST", f"{path}/answer", odd(answer, draw))
            ask("PUT", "/judge/settings", odd({"font": "large"}, draw))
        # 409: something else was stored
        assert ask("POST", f"{path}/answer", answer).status_code in ((200, 409) if turn else (200,))
        assert client.get("/judge/history").status_code == 200
