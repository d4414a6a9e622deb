"""Who may call what: every route of the application, for everybody there is."""

import re

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from rankwise.server.web.manage.preview_page import FRAMED
from rankwise.server.web.security import HEADERS
from web_client import BROWSER, csrf_of
from web_world import SYSTEMS

# What a route asks for. A new route has to be entered here, or the first test fails.
OPEN, JUDGE, VIEWER, ACCOUNT, OWNER = "open", "judge", "viewer", "account", "owner"
READ, EXPORT, MANAGE = "read", "export", "manage"
ROUTES = {
    "GET /healthz": OPEN,
    "GET /static/{name:path}": OPEN,
    "GET /readyz": OPEN,
    "GET /api/openapi.json": OPEN,
    "GET /api/docs": OPEN,
    "GET /login": OPEN,
    "POST /login": OPEN,
    "POST /logout": OPEN,
    "GET /setup/{token}": OPEN,
    "POST /setup/{token}": OPEN,
    "GET /j/{token}": OPEN,
    "POST /j/{token}": OPEN,
    "GET /o/{token}": OPEN,
    "POST /o/{token}": OPEN,
    "GET /v/{token}": OPEN,
    "POST /v/{token}": OPEN,
    "GET /account": ACCOUNT,
    "POST /account/tokens": ACCOUNT,
    "POST /account/tokens/{number}/revoke": ACCOUNT,
    "POST /account/password": ACCOUNT,
    "POST /account/sign-out-everywhere": ACCOUNT,
    "POST /account/backup": OWNER,
    "POST /accounts": OWNER,
    "POST /accounts/{number}/setup": OWNER,
    "POST /accounts/{number}/disable": OWNER,
    "POST /judge/language": OPEN,
    "GET /judge": JUDGE,
    "GET /judge/pairs": JUDGE,
    "POST /judge/pairs/{number}": JUDGE,
    "GET /judge/session": JUDGE,
    "GET /judge/plan": JUDGE,
    "PUT /judge/settings": JUDGE,
    "POST /judge/consent": JUDGE,
    "POST /judge/instructions": JUDGE,
    "POST /judge/questions": JUDGE,
    "POST /judge/sign-out": JUDGE,
    "POST /judge/next": JUDGE,
    "GET /judge/tasks/{token}": JUDGE,
    "GET /judge/tasks/{token}/differences": JUDGE,
    "PUT /judge/tasks/{token}/draft": JUDGE,
    "POST /judge/tasks/{token}/leave": JUDGE,
    "POST /judge/tasks/{token}/renew": JUDGE,
    "POST /judge/tasks/{token}/answer": JUDGE,
    "POST /judge/tasks/{token}/skip": JUDGE,
    "GET /judge/assets/{key}": JUDGE,
    "GET /judge/history": JUDGE,
    "POST /judge/history/{receipt}/revise": JUDGE,
    "GET /": ACCOUNT,
    "GET /events/new": ACCOUNT,
    "POST /events/new": ACCOUNT,
    "GET /events/{slug}": ACCOUNT,
    "GET /events/{slug}/board": ACCOUNT,
    "POST /events/{slug}/campaigns": ACCOUNT,
    "POST /events/{slug}/state": ACCOUNT,
    "POST /events/{slug}/invite": ACCOUNT,
    "POST /events/{slug}/people/{person}/pairs": ACCOUNT,
    "POST /events/{slug}/people/{person}/reissue": ACCOUNT,
    "POST /events/{slug}/people/{person}/revoke": ACCOUNT,
    "POST /events/{slug}/people/{person}/forget": ACCOUNT,
    "POST /events/{slug}/people/{person}/mail": ACCOUNT,
    "POST /events/{slug}/mail": ACCOUNT,
    "POST /events/{slug}/export": ACCOUNT,
    "GET /campaigns/new": ACCOUNT,
    "POST /campaigns/new": ACCOUNT,
    "POST /campaigns/new/pearmut": ACCOUNT,
    "GET /campaigns/{slug}": ACCOUNT,
    "GET /campaigns/{slug}/check": ACCOUNT,
    "GET /campaigns/{slug}/preview": ACCOUNT,
    "GET /campaigns/{slug}/preview/{number}/differences": ACCOUNT,
    "POST /campaigns/{slug}/instructions": ACCOUNT,
    "POST /campaigns/{slug}/state": ACCOUNT,
    "GET /campaigns/{slug}/edit": ACCOUNT,
    "POST /campaigns/{slug}/edit": ACCOUNT,
    "POST /campaigns/{slug}/clone": ACCOUNT,
    "GET /campaigns/{slug}/add": ACCOUNT,
    "POST /campaigns/{slug}/systems": ACCOUNT,
    "POST /campaigns/{slug}/segments": ACCOUNT,
    "GET /campaigns/{slug}/delete": ACCOUNT,
    "POST /campaigns/{slug}/delete": ACCOUNT,
    "POST /campaigns/{slug}/viewers": ACCOUNT,
    "POST /campaigns/{slug}/viewers/{link}/revoke": ACCOUNT,
    "GET /campaigns/{slug}/audit": ACCOUNT,
    "GET /audit": OWNER,
    "POST /campaigns/{slug}/try": ACCOUNT,
    "GET /campaigns/{slug}/people": ACCOUNT,
    "POST /campaigns/{slug}/invite": ACCOUNT,
    "POST /campaigns/{slug}/invite-machine": ACCOUNT,
    "GET /campaigns/{slug}/people/questions.csv": ACCOUNT,
    "GET /campaigns/{slug}/people/judge/{pseudonym}": ACCOUNT,
    "POST /campaigns/{slug}/open-link": ACCOUNT,
    "POST /campaigns/{slug}/open-link/end": ACCOUNT,
    "POST /campaigns/{slug}/people/{judge}/exclude": ACCOUNT,
    "POST /campaigns/{slug}/people/{judge}/include": ACCOUNT,
    "POST /campaigns/{slug}/people/{judge}/revoke": ACCOUNT,
    "POST /campaigns/{slug}/people/{judge}/reissue": ACCOUNT,
    "POST /campaigns/{slug}/people/{judge}/forget": ACCOUNT,
    "POST /campaigns/{slug}/people/{judge}/mail": ACCOUNT,
    "POST /campaigns/{slug}/mail": ACCOUNT,
    "POST /campaigns/{slug}/people/{judge}/tutorial": ACCOUNT,
    "GET /campaigns/{slug}/people/pay.csv": ACCOUNT,
    "POST /campaigns/{slug}/people/renew": ACCOUNT,
    "GET /campaigns/{slug}/items": ACCOUNT,
    "GET /campaigns/{slug}/items/{position}": ACCOUNT,
    "GET /campaigns/{slug}/assets/{key}": ACCOUNT,
    "GET /campaigns/{slug}/exports": ACCOUNT,
    "POST /campaigns/{slug}/exports": ACCOUNT,
    "GET /campaigns/{slug}/floor": ACCOUNT,
    "GET /campaigns/{slug}/scores": ACCOUNT,
    "POST /campaigns/{slug}/scores": ACCOUNT,
    "POST /campaigns/{slug}/scores/remove": ACCOUNT,
    "GET /campaigns/{slug}/data/{kind}.json": ACCOUNT,
    "GET /view/{slug}": VIEWER,
    "GET /api/v1/events": READ,
    "POST /api/v1/events": MANAGE,
    "GET /api/v1/events/{slug}": READ,
    "POST /api/v1/events/{slug}/campaigns": MANAGE,
    "POST /api/v1/events/{slug}/state": MANAGE,
    "GET /api/v1/events/{slug}/people": READ,
    "POST /api/v1/events/{slug}/people": MANAGE,
    "PUT /api/v1/events/{slug}/people/{number}": MANAGE,
    "POST /api/v1/events/{slug}/people/{number}/mail": MANAGE,
    "GET /api/v1/events/{slug}/mails": READ,
    "POST /api/v1/events/{slug}/mails": MANAGE,
    "GET /api/v1/events/{slug}/leaderboard": READ,
    "GET /api/v1/events/{slug}/export": EXPORT,
    "GET /api/v1/campaigns": READ,
    "POST /api/v1/campaigns": MANAGE,
    "GET /api/v1/campaigns/{slug}": READ,
    "PATCH /api/v1/campaigns/{slug}": MANAGE,
    "DELETE /api/v1/campaigns/{slug}": MANAGE,
    "POST /api/v1/campaigns/{slug}/clone": MANAGE,
    "POST /api/v1/campaigns/{slug}/systems": MANAGE,
    "POST /api/v1/campaigns/{slug}/segments": MANAGE,
    "GET /api/v1/campaigns/{slug}/check": READ,
    "POST /api/v1/campaigns/{slug}/state": MANAGE,
    "POST /api/v1/campaigns/{slug}/viewers": MANAGE,
    "GET /api/v1/campaigns/{slug}/events": MANAGE,
    "GET /api/v1/campaigns/{slug}/mails": READ,
    "POST /api/v1/campaigns/{slug}/mails": MANAGE,
    "POST /api/v1/campaigns/{slug}/judges/{pseudonym}/mail": MANAGE,
    "GET /api/v1/campaigns/{slug}/judges": READ,
    "POST /api/v1/campaigns/{slug}/judges": MANAGE,
    "GET /api/v1/campaigns/{slug}/judges/{pseudonym}": READ,
    "POST /api/v1/campaigns/{slug}/judges/{pseudonym}/exclude": MANAGE,
    "POST /api/v1/campaigns/{slug}/judges/{pseudonym}/include": MANAGE,
    "POST /api/v1/campaigns/{slug}/judges/{pseudonym}/revoke": MANAGE,
    "POST /api/v1/campaigns/{slug}/judges/{pseudonym}/reissue": MANAGE,
    "GET /api/v1/campaigns/{slug}/leaderboard": READ,
    "GET /api/v1/campaigns/{slug}/standings/{kind}": READ,
    "GET /api/v1/campaigns/{slug}/scores": READ,
    "PUT /api/v1/campaigns/{slug}/scores": MANAGE,
    "DELETE /api/v1/campaigns/{slug}/scores": MANAGE,
    "GET /api/v1/campaigns/{slug}/judgments": EXPORT,
    "GET /api/v1/campaigns/{slug}/exports": EXPORT,
    "GET /api/v1/campaigns/{slug}/exports/{format}": EXPORT,
}
WHO = {
    OPEN: {"anonymous", "judge of first", "judge of second", "viewer of first", "viewer of second"},
    JUDGE: {"judge of first", "judge of second"},
    VIEWER: {"viewer of first"},
    ACCOUNT: {"organiser", "owner"},
    OWNER: {"owner"},
}
WHO[OPEN] |= WHO[ACCOUNT]
PEOPLE = tuple(sorted(WHO[OPEN]))
SCOPES = (READ, EXPORT, MANAGE)
#: Answers whose headers differ: our own page shows the preview in a frame.
OTHER_HEADERS = {"GET /campaigns/{slug}/preview": FRAMED}
#: These end the session that asks.
LAST = ("POST /account/sign-out-everywhere", "POST /logout", "POST /judge/sign-out")


def routes_of(app):
    """``METHOD /path`` of every route, however deep it was included; HEAD is a GET.

    What takes every method, as a folder or another application does, and a socket, is ``ANY``.
    """
    for context in iter_route_contexts(app.routes):
        for method in context.methods or ("ANY",):
            yield f"{'GET' if method == 'HEAD' else method} {context.path}"


def filled(path, world):
    """The path of a real thing of the first campaign, as far as there is one."""
    values = {
        "slug": world.campaigns["first"].slug,
        "pseudonym": "judge-nobody",
        "judge": "judge-nobody",
        "kind": "people",
        "number": "999",
        "name": "base.css",
        "format": "long",
        "link": "999",
        "person": "999",
        "position": "1",
        "key": "unknown",
        "token": "unknown",
        "receipt": "unknown",
    }
    return re.sub(r"\{(\w+)[^}]*\}", lambda match: values[match[1]], path)


def is_let_in(answer, asks_for=None):
    """Whether a request got past the doors; a redirect to the sign-in page is a refusal.

    Another campaign's viewer does not even learn that there is a campaign.
    """
    to_login = answer.status_code == 303 and answer.headers["location"].startswith("/login")
    refused = (401, 403, 404) if asks_for == VIEWER else (401, 403)
    return answer.status_code not in refused and not to_login


def ask(world, client, route, **headers):
    method, path = route.split(" ")
    if method != "GET":
        page = world.clients["anonymous"] if "authorization" in headers else client
        headers["x-csrf-token"] = csrf_of(page.get("/api/docs", headers=BROWSER).text)
    return client.request(method, filled(path, world), headers={**BROWSER, **headers})


def test_every_route_has_an_entry(world):
    assert set(routes_of(world.app)) == set(ROUTES)


def test_a_route_of_any_kind_needs_an_entry():
    app = FastAPI(openapi_url=None)
    app.mount("/folder", FastAPI())
    app.add_api_websocket_route("/socket", lambda socket: None)
    app.add_api_route("/head", lambda: None, methods=["HEAD"])
    assert set(routes_of(app)) == {"ANY /folder", "ANY /socket", "GET /head"}


@pytest.mark.parametrize("person", PEOPLE)
def test_people_get_where_they_may(world, person):
    wrong = []
    for route, asks_for in ROUTES.items():
        if route in LAST or route == "POST /login":  # 403 there says that the password is wrong
            continue
        answer = ask(world, world.clients[person], route)
        may = person in WHO.get(asks_for, ())
        if is_let_in(answer, asks_for) is not may:
            wrong.append((route, answer.status_code, "let in" if not may else "kept out"))
        assert answer.status_code != 500, route
    assert wrong == []


@pytest.mark.parametrize("scope", SCOPES)
def test_tokens_open_what_their_scope_says(world, scope):
    wrong = []
    bearer = f"Bearer {world.tokens[scope]}"
    for route, asks_for in ROUTES.items():
        if asks_for == OPEN:
            continue
        answer = ask(world, world.clients["anonymous"], route, authorization=bearer)
        if is_let_in(answer) is not (asks_for == scope):
            wrong.append((route, answer.status_code))
    assert wrong == []


def test_a_session_opens_no_api(world):
    for person in ("owner", "organiser", "judge of first"):
        assert world.clients[person].get("/api/v1/campaigns").status_code == 401


# a browser sends cookies by itself, but never a bearer token
@pytest.mark.parametrize(
    "route", [route for route in ROUTES if route[:3] != "GET" and ROUTES[route] not in SCOPES]
)
def test_no_unsafe_route_works_from_another_site(world, route):
    method, path = route.split(" ")
    client = world.clients[min(WHO[ROUTES[route]])]
    token = csrf_of(client.get("/api/docs", headers=BROWSER).text)
    path = filled(path, world)
    without = client.request(method, path, headers=BROWSER)
    # our own page may open a link again without a token; this link is unknown
    expected = (410, 429) if path.startswith(("/j/", "/v/", "/o/")) else (403,)
    assert without.status_code in expected, without.text
    foreign = [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}]
    foreign += [{"origin": "https://evil.example"}]
    for header in foreign:
        answer = client.request(method, path, headers={"x-csrf-token": token, **header})
        assert answer.status_code == 403, (header, answer.text)


@pytest.mark.parametrize("route", LAST)
def test_the_routes_that_end_a_session_let_nobody_else_in(world, route):
    assert not is_let_in(ask(world, world.clients["anonymous"], route))


@pytest.mark.parametrize("person", PEOPLE)
def test_every_answer_to_everybody_has_the_headers(world, person):
    wrong = []
    for route in ROUTES:
        if route in LAST:
            continue
        answer = ask(world, world.clients[person], route)
        other = OTHER_HEADERS.get(route, {}) if answer.status_code == 200 else {}
        wanted = {**HEADERS, **other}
        wrong += [(route, name) for name in wanted if answer.headers.get(name) != wanted[name]]
        is_kept = route.startswith("GET /static/")  # files of ours, the same for everybody
        if (
            answer.headers.get("cache-control") != "no-store" and not is_kept
        ) or "server" in answer.headers:
            wrong.append((route, dict(answer.headers)))
    assert wrong == []


def received(answer):
    """Every byte of an answer: its headers and its body."""
    head = b"".join(name + b": " + value + b"\n" for name, value in answer.headers.raw)
    return (head + answer.content).lower()


@pytest.mark.parametrize("person", ["anonymous", "judge of first", "viewer of second"])
def test_no_name_of_a_system_on_the_way_to_whom_it_is_hidden_from(world, person):
    told = []
    for route in ROUTES:
        if route not in LAST:
            answer = received(ask(world, world.clients[person], route))
            told += [(route, name) for name in SYSTEMS if name.encode() in answer]
    assert told == []


def test_no_name_of_a_system_in_the_whole_work_of_a_judge(world):
    client = world.clients["judge of first"]
    headers = {"x-csrf-token": csrf_of(client.get("/api/docs", headers=BROWSER).text), **BROWSER}
    answers = [client.get("/judge", headers=BROWSER)]
    for way in ("answer", "skip"):
        answers.append(client.post("/judge/next", json={"new_sitting": True}, headers=headers))
        task = answers[-1].json()["task"]
        path = f"/judge/tasks/{task['token']}"
        ranks = list(range(1, len(task["outputs"]) + 1))
        sent = {
            "answer": {"answer": {"ranks": ranks}, "active_ms": 9},
            "skip": {"answer": {"reason": "other"}, "active_ms": 9},
        }
        draft = {"version": 1, "content": {"ranks": ranks}}
        answers += [client.get(path), client.get(f"{path}/differences?left=0&right=1")]
        answers += [client.put(f"{path}/draft", json=draft, headers=headers)]
        answers += [client.post(f"{path}/renew", json={}, headers=headers)]
        answers += [client.post(f"{path}/{way}", json=sent[way], headers=headers)]
    history = client.get("/judge/history")
    receipt = history.json()["history"][0]["receipt"]
    revised = client.post(f"/judge/history/{receipt}/revise", json={}, headers=headers)
    path = f"/judge/tasks/{revised.json()['task']['token']}"
    answers += [history, revised, client.post(f"{path}/leave", json={}, headers=headers)]
    answers += [client.get("/judge/session")]
    assert {answer.status_code for answer in answers} <= {200, 204}, [
        (answer.request.url.path, answer.text) for answer in answers if answer.status_code >= 300
    ]
    assert not [name for name in SYSTEMS for a in answers if name.encode() in received(a)]


def test_a_judge_sees_no_task_of_another(world):
    clients = [world.clients["judge of first"], world.clients["judge of second"]]
    token = csrf_of(clients[0].get("/api/docs", headers=BROWSER).text)
    task = clients[0].post("/judge/next", json={}, headers={"x-csrf-token": token}).json()["task"]
    assert clients[0].get(f"/judge/tasks/{task['token']}").status_code == 200
    assert clients[1].get(f"/judge/tasks/{task['token']}").status_code == 404
