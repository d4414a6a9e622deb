"""Headers on every answer, a number on every request, and no secret in any log."""

import logging
import re
from pathlib import Path

import pytest

import rankwise.server
from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from rankwise.server.web.pages import environment
from rankwise.server.web.security import HEADERS
from web_client import BROWSER, browser, come_in, csrf_of

FOLDER = Path(rankwise.server.__file__).parent
ANSWERS = {
    "GET /login": 200,
    "GET /healthz": 200,
    "GET /static/base.css": 200,
    "GET /static/none.css": 404,
    "GET /static/": 404,
    "GET /static/..%2fsettings.py": 404,
    "GET /static/judge": 404,
    "GET /nothing": 404,
    "GET /account": 401,
    "GET /judge/session": 401,
    "DELETE /login": 405,
    "POST /login": 403,
    "GET /api/v1/campaigns": 401,
    "GET /api/openapi.json": 200,
    "GET /api/docs": 200,
    "GET /j/a%00b": 400,
    "GET /broken": 500,
}


@pytest.fixture(scope="module")
def broken(world):
    app = create_app(world.store, Settings(refresher=False))

    def fail():
        raise RuntimeError("a secret detail")

    app.add_api_route("/broken", fail)
    return app


@pytest.mark.parametrize(("route", "status"), ANSWERS.items())
@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_every_answer_has_the_headers(broken, route, status, accept, caplog):
    method, path = route.split(" ")
    answer = browser(broken).request(method, path, headers={"accept": accept})
    is_sent_to_login = path == "/account" and accept == "text/html"
    assert answer.status_code == (303 if is_sent_to_login else status)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert re.fullmatch("[0-9a-f]{12}", answer.headers["x-request-id"])
    kept = "no-cache" if path == "/static/base.css" else "no-store"
    assert answer.headers["cache-control"] == kept
    assert "access-control-allow-origin" not in answer.headers
    assert "server" not in answer.headers
    is_data = path.startswith("/api/") and path != "/api/docs"
    is_page = answer.headers["content-type"].startswith("text/html")
    attached = answer.headers.get("content-disposition") == 'attachment; filename="api.json"'
    assert attached == (is_data and not is_page)


def test_the_policy_has_no_way_for_inline_script():
    policy = HEADERS["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert HEADERS["Referrer-Policy"] == "no-referrer"


def test_another_site_gets_no_permission(broken):
    headers = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    answer = browser(broken).options("/login", headers=headers)
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_an_error_page_speaks(broken, caplog):
    answer = browser(broken).get("/broken", headers=BROWSER)
    number = answer.headers["x-request-id"]
    for words in ("Is my work safe?", "What to do", number, "still there"):
        assert words in answer.text
    assert "receipt" not in answer.text
    assert "a secret detail" not in answer.text
    [record] = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert number in record.message
    assert record.exc_info is not None
    assert number in {error["request"] for error in broken.state.health.errors()}


def test_only_a_judge_reads_of_receipts_and_drafts(world):
    client = world.clients["judge of first"]
    assert "got a receipt for" in client.get("/judge/none", headers=BROWSER).text
    assert "receipt" not in client.get("/none", headers=BROWSER).text


def test_an_error_for_a_program_has_code_sentence_and_number(broken, caplog):
    answer = browser(broken).get("/broken")
    error = answer.json()["error"]
    assert error["code"] == "internal"
    assert error["request"] == answer.headers["x-request-id"]


def test_a_broken_error_page_still_answers(broken, monkeypatch, caplog):
    monkeypatch.setattr(environment(), "get_template", lambda name: 1 / 0)
    answer = browser(broken).get("/broken", headers=BROWSER)
    assert answer.status_code == 500
    assert answer.headers["x-request-id"] in answer.text
    assert answer.headers["content-security-policy"]


def test_the_access_log_has_no_secret(world, caplog):
    caplog.set_level(logging.INFO, logger="rankwise.access")
    link = world.links["first"]
    client = come_in(world.app, link)
    token = csrf_of(client.get("/judge", headers=BROWSER).text)
    headers = {"x-csrf-token": token}
    task = client.post("/judge/next", json={}, headers=headers).json()["task"]
    client.get(f"/judge/tasks/{task['token']}")
    client.get(f"{link}/and/more?token={task['token']}")
    client.get("/setup/SECRET-TOKEN")
    client.get("/judge?session=SECRET-QUERY")
    client.get("/login%0A2026 forged line")
    secrets = [link.split("/")[-1], task["token"], token, "SECRET", *client.cookies.values()]
    lines = [record.getMessage() for record in caplog.records if record.name == "rankwise.access"]
    assert len(lines) >= 8
    assert any("POST /j/... 303" in line for line in lines)
    assert any("GET /judge/tasks/... 200" in line for line in lines)
    for secret in secrets:
        assert not [line for line in lines if secret in line], secret
    assert not [line for line in lines if "\n" in line]
    assert not [record for record in caplog.records if link.split("/")[-1] in record.getMessage()]


def files(*endings):
    return [path for path in sorted(FOLDER.rglob("*")) if path.suffix in endings]


@pytest.mark.parametrize("path", files(".html", ".js", ".css"), ids=lambda path: path.name)
def test_no_file_of_ours_asks_another_site_or_trusts_a_text(path):
    text = path.read_text(encoding="utf-8")
    urls = set(re.findall(r"""(?:https?:)?//[\w.-]+\.\w+[^\s"'<>)]*""", text))
    assert not {url for url in urls if "www.w3.org" not in url}
    for unsafe in ("|safe", "| safe", "innerHTML", "outerHTML", "insertAdjacentHTML"):
        assert unsafe not in text
    for unsafe in ("document.write", "eval(", "new Function", "srcdoc", "javascript:"):
        assert unsafe not in text


@pytest.mark.parametrize("path", files(".html"), ids=lambda path: path.name)
def test_no_template_has_inline_script_or_style(path):
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"<style|\sstyle=|\son\w+=", text)
    for tag in re.findall(r"<script[^>]*>", text):
        assert "src=" in tag or 'type="application/json"' in tag


def test_everything_is_escaped_and_undefined_names_are_errors():
    made = environment()
    assert made.autoescape is True
    assert made.undefined.__name__ == "StrictUndefined"


#: Who may hand HTML to a template: Markdown without HTML, and charts that escape their names.
MAKERS = {"safe_markdown.py", "dashboard_charts.py"}


def test_only_two_modules_make_html():
    users = {path.name for path in files(".py") if "Markup" in path.read_text(encoding="utf-8")}
    assert users == MAKERS


def test_what_they_make_escapes_texts():
    from rankwise.server.web.judge.safe_markdown import markdown

    made = str(markdown("<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://a.b/c)"))
    assert "<script" not in made
    assert 'href="javascript' not in made
