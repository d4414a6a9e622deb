"""Texts that attack: every page and answer shows them as the texts they are."""

import html
import json
from html.parser import HTMLParser
from urllib.parse import quote

import pytest

from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from rankwise.text.line_limits import LONGEST_TEXT
from rankwise.types import Segment, TestSet
from web_client import BROWSER, browser, come_in, csrf_of, post
from web_world import PASSWORD, open_store, small_plan

HOSTILE = {
    "script": "</script><script>alert(1)</script>",
    "form": '</form></div><form action="https://evil.example">',
    "image": "<img src=x onerror=alert(1)>",
    "attribute": "\"' onmouseover='alert(1)",
    "template": "{{7*7}} {% raise %} ${7*7}",
    "entity": "&amp; &lt;b&gt; &#x41;",
    "link": "javascript:alert(1)",
    "nul": "before\0after",
    "override": "abc\u202edef\u2066",
    "surrogate": "half \ud800 character",
    "long": "x" * (LONGEST_TEXT - 1),  # one system puts a full stop behind it
    "marks": "o" + "\u0301" * 10_000,
    "formula": '=HYPERLINK("http://evil.example")',
    "comment": "<!-- --!> <![CDATA[ ]]>",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    store = open_store(tmp_path_factory.mktemp("hostile"))
    texts = tuple(HOSTILE.values())
    segments = tuple(
        Segment(f"{n} {name}", text, (text,), document=text[:50])
        for n, (name, text) in enumerate(HOSTILE.items())
    )
    outputs = {f"{name}</td><script>": texts for name in ("one", "two")}
    outputs["three"] = tuple(text + "." for text in texts)
    testset = TestSet(segments, outputs, "hostile", "de", "en")
    words = "<script>alert(1)</script> {{7*7}}"
    plan = small_plan(f"Name {words}", slug="hostile", instructions=words, consent="", k=2)
    campaign = store.campaigns.add(plan, testset, actor=words)
    store.campaigns.set_state("hostile", "open", actor=words)
    app = create_app(store, Settings(refresher=False))
    yield store, app, campaign
    store.database.close()


@pytest.fixture(scope="module")
def judge(place):
    store, app, campaign = place
    _, token = store.judges.invite(campaign.id, name=HOSTILE["script"], actor="test")
    return come_in(app, f"/j/{token}")


@pytest.fixture(scope="module")
def owner(place):
    store, app, _ = place
    _, token = store.accounts.create("<img>owner", "owner", "test")
    client = browser(app)
    assert post(client, f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD}).is_redirect
    return client


class Tags(HTMLParser):
    """What a browser would make of a page: its tags with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def assert_harmless(text):
    """No tag, attribute or script of a text is part of the page."""
    tags = Tags(text).found
    assert tags[0] == ("html", {"lang": "en", "dir": "ltr"})
    for tag, attributes in tags:
        assert tag not in ("img", "object", "style"), attributes
        if tag == "iframe":  # the check list has one, for our own page
            assert set(attributes) == {"class", "src", "title"}
            assert attributes["src"] == "/campaigns/hostile/preview"
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        if tag == "script":
            assert attributes.get("src", "").startswith("/static/") or "json" in attributes["type"]
        target = attributes.get("href") or attributes.get("action") or attributes.get("src") or "/"
        assert target.startswith(("/", "#", "?")), target
    assert "49" not in text.replace("7*7", "").split(), "a text was run as a template"


def page_of(client, path):
    answer = client.get(path, headers=BROWSER)
    assert answer.status_code == 200, answer.text[:2000]
    return answer.text


@pytest.fixture(scope="module")
def tasks(judge):
    """Every task that the judge got, each answered with a hostile comment."""
    token = csrf_of(judge.get("/judge", headers=BROWSER).text)
    headers = {"x-csrf-token": token}
    got = []
    while (task := next_task(judge, headers)) is not None and len(got) < 3 * len(HOSTILE):
        body = {"answer": {"ranks": [1, 2]}, "active_ms": 1000, "comment": HOSTILE["surrogate"]}
        sent = judge.post(
            f"/judge/tasks/{task['token']}/answer",
            content=json.dumps(body),
            headers={**headers, "content-type": "application/json"},
        )
        assert sent.status_code == 200, sent.text
        got.append(task)
    return got


def next_task(judge, headers):
    answer = judge.post("/judge/next", json={"new_sitting": True}, headers=headers)
    assert answer.headers["content-type"].startswith("application/json")
    return answer.json().get("task")


def test_every_task_holds_the_very_text(tasks):
    seen = {name for task in tasks for name, text in HOSTILE.items() if task["source"] == text}
    assert len(seen) >= len(HOSTILE) // 2
    for task in tasks:
        assert all(text.rstrip(".") in HOSTILE.values() for text in task["outputs"])


def test_the_judge_page_is_harmless(judge):
    page = page_of(judge, "/judge")
    assert_harmless(page)
    assert "{{7*7}}" in html.unescape(page)


def organiser_pages():
    parts = ("", "/check", "/preview", "/people", "/items", "/floor", "/audit", "/exports")
    yield from (f"/campaigns/hostile{part}" for part in parts)
    yield from (f"/campaigns/hostile/items/{place}" for place in range(len(HOSTILE)))
    yield from ("/", "/account", "/campaigns/new")


@pytest.mark.parametrize("path", list(organiser_pages()))
def test_the_organisers_pages_are_harmless(place, owner, tasks, path):
    assert_harmless(page_of(owner, path))


def test_a_landing_page_is_harmless(place):
    store, app, campaign = place
    _, token = store.judges.invite(campaign.id, actor="test")
    assert_harmless(page_of(browser(app), f"/j/{token}"))


@pytest.mark.parametrize(
    "text", [HOSTILE["script"], HOSTILE["attribute"], "\u202e\0", "%ff", "a" * 5000]
)
def test_an_error_page_is_harmless(place, text):
    _, app, _ = place
    client = browser(app)
    for answer in (
        client.get("/login", params={"next": text}, headers=BROWSER),
        client.get("/" + quote(text, safe=""), headers=BROWSER),
        post(client, "/login", {"name": text, "password": text, "next": text}),
    ):
        assert answer.status_code in (200, 400, 403, 404, 422, 429)
        assert_harmless(answer.text)


def test_programs_get_the_very_text(place, owner, tasks):
    store, app, campaign = place
    account = next(iter(store.accounts.all()))
    token = store.accounts.add_token(account.id, "t", ["read", "export"])
    headers = {"authorization": f"Bearer {token}"}
    client = browser(app)
    found = client.get("/api/v1/campaigns/hostile", headers=headers).json()
    assert found["systems"] == list(store.campaigns.testset(campaign.id).systems)
    lines = client.get("/api/v1/campaigns/hostile/judgments", headers=headers).text.splitlines()
    assert len(lines) == len(tasks) >= 5
    for line in lines:
        row = json.loads(line)
        assert row["comment"] == HOSTILE["surrogate"].replace("\ud800", "\ufffd")
        assert {system for slot in row["slots"] for system in slot["systems"]} <= {
            *found["systems"]
        }
