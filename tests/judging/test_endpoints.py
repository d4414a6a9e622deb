"""Endpoints: what is sent, what may not be, and every way in which they misbehave."""

import base64
import html
import json
import re
import ssl
import subprocess
import time
from urllib.parse import quote

import pytest

import chat_server
from chat_server import saying, serving, status
from rankwise import DataError, Endpoint, Prices, Segment, Study, TestSet, judge
from rankwise.judging.endpoint import pacing, question_runner
from rankwise.judging.endpoint.budget import Budget
from rankwise.judging.endpoint.chat_exchange import ChatRequest
from rankwise.judging.endpoint.http_exchange import LONGEST_ANSWER

KEY = "sk-very-secret-0123456789"
SEGMENTS = tuple(Segment(str(n), f"Quelle {n}", (f"the text number {n}",)) for n in range(1, 13))
TEXTS = TestSet(
    SEGMENTS,
    {
        "maple": tuple(f"the text number {s.id}" for s in SEGMENTS),
        "hazel": tuple(f"text the nummer {s.id}" for s in SEGMENTS),
    },
    source_language="de",
    target_language="en",
)
GOOD = '{"better": "tie"}'


def endpoint(server, **more):
    settings = {"timeout": 5.0, "retries": 3, "backoff": 0.01, "key": KEY, **more}
    return Endpoint(url=server.url, model="chrf", **settings)


def ask(server, count=1, *, settings=None, request_fields=None, **more):
    where = endpoint(server, **(settings or {}))
    return judge(TEXTS, where, "pairwise", questions=count, settings=request_fields, **more)


def test_a_study_is_judged_by_its_texts():
    with serving() as server:
        found = judge(Study(texts=TEXTS), endpoint(server), "pairwise", questions=2)
        assert found.statuses["answered"] == 2
        assert repr(found) == "<ModelVerdicts: chrf, pairwise, 2 of 2 questions answered>"
        with pytest.raises(DataError, match="has no texts"):
            judge(Study(), endpoint(server))


# -- what is sent ----------------------------------------------------------------------------------


def test_a_request_is_what_the_protocol_says():
    with serving() as server:
        found = ask(server, 3, settings={"concurrency": 1})
    body = server.asked[0]
    assert set(body) == {"model", "messages", "temperature", "max_tokens", "response_format"}
    assert (body["model"], body["temperature"]) == ("chrf", 0)
    shape = body["response_format"]["json_schema"]
    assert shape["strict"] and shape["schema"]["required"] == ["better"]
    assert "maple" not in json.dumps(body) and "hazel" not in json.dumps(body)
    assert all(headers["Authorization"] == f"Bearer {KEY}" for headers in server.headers)
    assert found.statuses["answered"] == 3 == len(found.judgments)


@pytest.mark.parametrize(("answers", "kind"), [("object", "json_object"), ("text", None)])
def test_the_shape_of_answers_can_be_asked_for_otherwise(answers, kind):
    with serving([saying(GOOD)]) as server:
        ask(server, answers=answers)
    assert server.asked[0].get("response_format", {}).get("type") == kind


def test_fields_can_be_added_and_taken_away():
    with serving() as server:
        ask(server, settings=None, max_tokens=7, temperature=0.5)
    assert (server.asked[0]["max_tokens"], server.asked[0]["temperature"]) == (7, 0.5)
    with serving() as server:
        fields = {"temperature": None, "max_tokens": None, "max_completion_tokens": 9}
        judge(TEXTS, endpoint(server), "pairwise", questions=1, settings=fields)
    assert "temperature" not in server.asked[0] and "max_tokens" not in server.asked[0]
    assert server.asked[0]["max_completion_tokens"] == 9


def test_another_header_may_carry_the_key():
    with serving() as server:
        ask(server, settings={"key_header": "api-key"})
    sent = {name.lower(): value for name, value in server.headers[0].items()}
    assert sent["api-key"] == KEY and "authorization" not in sent


def test_without_a_key_none_is_sent():
    with serving() as server:
        ask(server, settings={"key": ""})
    assert "Authorization" not in server.headers[0]


# -- what may not be -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://model.example/v1", "plain http would send the key"),
        ("http://localhost.example/v1", "plain http"),
        ("http://10.0.0.1/v1", "plain http"),
        ("ftp://127.0.0.1/v1", "begins with https://"),
        ("model.example/v1", "begins with https://"),
        ("https://user:word@model.example/v1", "holds a name or a password"),
        ("https://model.example:port/v1", "no address"),
    ],
)
def test_an_address_that_gives_something_away_is_refused(url, told):
    with pytest.raises(DataError, match=told) as refused:
        Endpoint(url=url, model="m", key=KEY)
    assert "word" not in str(refused.value).replace("password", "")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]/v1"])
def test_this_machine_may_be_asked_in_clear(url):
    assert Endpoint(url=url, model="m").is_local


def test_another_machine_may_be_where_somebody_says_so():
    found = Endpoint(url="http://10.0.0.1/v1/?version=2", model="m", key=KEY, allow_http=True)
    assert found.address == "http://10.0.0.1/v1/chat/completions?version=2"
    assert found.place == "http://10.0.0.1/v1" and KEY not in repr(found)


@pytest.mark.parametrize("key", ["sk-1\r\nHost: x", "schlüssel", "a b"])
def test_a_key_that_is_none_is_not_repeated(key):
    with pytest.raises(DataError) as refused:
        Endpoint(url="https://host/v1", model="m", key=key)
    assert key not in str(refused.value)


def test_a_proxy_is_not_told_what_goes_to_this_machine(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    with serving() as server:
        assert ask(server).statuses["answered"] == 1


def test_another_machine_is_reached_through_the_proxy_of_the_environment(monkeypatch):
    with serving() as server:
        place = f"http://127.0.0.1:{server.server_address[1]}"
        monkeypatch.setenv("http_proxy", place)
        monkeypatch.delenv("no_proxy", raising=False)
        far = Endpoint(url="http://model.invalid/v1", model="m", allow_http=True, backoff=0.01)
        found = judge(TEXTS, far, "pairwise", questions=1)
    assert found.statuses["answered"] == 1 and server.headers[0]["Host"] == "model.invalid"


# -- troubles that pass ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "trick",
    [
        status(429),
        status(429, headers=[("Retry-After", "0")]),
        status(429, headers=[("Retry-After", "nonsense")]),
        status(500),
        status(503, headers=[("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")]),
        chat_server.raw(b"<html><h1>Bad gateway</h1></html>", 502),
        chat_server.raw(b"<html>Please sign in</html>"),
        chat_server.raw(b"not json"),
        chat_server.raw(b""),
        chat_server.raw(b"[" * 100_000),
        chat_server.raw({"choices": []}),
        chat_server.raw({"choices": [{"text": "an older protocol"}]}),
        chat_server.raw({"choices": "none"}),
        chat_server.raw({"error": {"message": "overloaded"}}, 529),
        chat_server.raw(b"[1, 2]"),
        chat_server.raw({"error": {"message": "busy", "code": 429}}),
        chat_server.raw({"error": "busy"}),
        chat_server.cut,
        chat_server.hang_up,
    ],
)
def test_a_trouble_that_passes_is_waited_for(trick):
    with serving([trick, trick]) as server:
        found = ask(server)
    assert len(server.asked) == 3 and found.statuses["answered"] == 1
    assert found.spent.requests == 3 and found.stopped == ""


@pytest.mark.parametrize(
    "trick", [chat_server.drip, chat_server.drip_headers, chat_server.silence(1.5)]
)
def test_an_answer_that_never_ends_is_given_up(trick):
    start = time.monotonic()
    with serving([trick]) as server:
        found = ask(server, settings={"timeout": 0.5})
    assert found.statuses["answered"] == 1 and time.monotonic() - start < 8


def test_an_answer_that_we_cut_is_not_called_one_that_the_endpoint_cut():
    with serving() as server:
        server.always = chat_server.drip
        found = ask(server, settings={"timeout": 0.3, "retries": 0})
    assert found.failures == ("no whole answer within 0.3 seconds",)


def test_a_page_in_place_of_an_answer_is_called_one():
    with serving([chat_server.raw(b"<!DOCTYPE html><p>Sign in")] * 40) as server:
        found = ask(server, 12, settings={"retries": 0})
    assert "it answers with an HTML page" in found.stopped and found.unanswered == 12


def test_a_huge_answer_is_not_read():
    with serving([chat_server.raw(b" " * (LONGEST_ANSWER + 1))]) as server:
        assert ask(server).statuses["answered"] == 1
    assert len(server.asked) == 2


def test_a_question_that_always_fails_is_left_open_and_the_rest_is_asked():
    def poison(handler, body):
        if "number 7" in json.dumps(body):
            return handler.send(500, {"error": {"message": "cannot"}})
        return None

    with serving() as server:
        server.always = poison
        found = ask(server, 12, settings={"concurrency": 1})
    assert (found.unanswered, found.statuses["answered"]) == (1, 11)
    assert found.failures == ("500: cannot",) and found.stopped == ""


def test_waits_grow_and_are_bounded():
    waits = [pacing.backoff_seconds(1, failures) for failures in range(1, 40)]
    for failures, seconds in enumerate(waits, 1):
        longest = min(pacing.LONGEST_WAIT, 2 ** (failures - 1))
        assert longest / 2 <= seconds <= longest
    assert len({pacing.backoff_seconds(1, 5) for _ in range(20)}) > 10


def test_a_limit_holds_for_all_threads():
    with serving([status(429, headers=[("Retry-After", "1")])]) as server:
        server.wait = 0.02
        ask(server, 12, settings={"concurrency": 4})
    # Those that were on their way, or about to be, when the limit was told.
    late = [at - server.times[0] for at in sorted(server.times)[7:]]
    assert len(server.asked) == 13 and min(late) > 0.8


def test_requests_a_minute_are_kept_to():
    with serving() as server:
        ask(server, 6, settings={"concurrency": 6, "requests_per_minute": 600})
    gaps = [later - sooner for sooner, later in zip(server.times, server.times[1:], strict=False)]
    assert sum(gaps) > 0.4


def test_so_many_are_on_their_way_at_a_time():
    with serving() as server:
        server.wait = 0.05
        ask(server, 12, settings={"concurrency": 3})
    assert 2 <= server.most_flying <= 3


# -- troubles that do not --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "told"),
    [
        (status(401, f"Incorrect API key provided: {KEY}"), r"does not accept the key.*\[key\]"),
        (status(403, "no"), "does not accept the key"),
        (status(402, "pay"), "out of quota"),
        (status(429, "pay", code="insufficient_quota"), "out of quota"),
        (chat_server.raw({"error": {"message": "pay", "code": 402}}), "out of quota"),
        (status(404, "no model x"), "no such address or model .404: no model x"),
        (status(429, headers=[("Retry-After", "3600")]), "asks to wait for 3600 seconds"),
        (chat_server.raw(b'data: {"choices": []}\n\ndata: [DONE]\n\n'), "streams its answer"),
        (chat_server.raw(b": ping\n\nevent: x\ndata: {}\n\n"), "streams its answer"),
        (chat_server.raw(b"", 302, [("Location", "https://elsewhere.example/")]), "redirects"),
        (chat_server.raw(b"", 307, [("Location", "https://elsewhere.example/")]), "redirects"),
    ],
)
def test_a_trouble_that_stays_ends_the_run_at_once(trick, told):
    with serving([trick] * 40) as server:
        found = ask(server, 12, settings={"concurrency": 2})
    assert re.search(told, found.stopped) and len(server.asked) <= 2
    assert KEY not in found.stopped and KEY not in repr(found)
    assert found.unanswered == 12 and len(found.judgments) == 0


def test_the_key_does_not_follow_a_redirect():
    with serving() as other, serving() as server:
        for code in (301, 302, 303, 307, 308):
            server.tricks = [chat_server.raw(b"", code, [("Location", f"{other.url}/x")])]
            assert "redirects" in ask(server).stopped
    assert other.asked == []


def test_a_bad_request_is_told_and_the_third_in_a_row_ends_the_run():
    with serving() as server:
        server.always = status(400, f"Unknown field response_format {KEY}" + "x" * 500)
        found = ask(server, 12, settings={"concurrency": 1})
    assert len(server.asked) == question_runner.MOST_FAILURES
    assert found.stopped.startswith("400: Unknown field response_format [key]x")
    assert len(found.stopped) < 250


def test_a_key_at_the_edge_of_a_long_message_is_not_cut_but_taken_out():
    with serving() as server:
        server.always = status(401, "x" * 190 + KEY)
        found = ask(server)
    assert KEY[:8] not in found.stopped


@pytest.mark.parametrize(
    "written",
    [
        str.upper,
        lambda key: base64.b64encode(key.encode()).decode(),
        lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
        lambda key: quote(key, safe=""),
        html.escape,
    ],
)
def test_a_key_that_is_written_otherwise_is_taken_out_too(written):
    key = "sk-a/b&c+d3456789"
    with serving() as server:
        server.always = status(401, f"not {written(key)}!")
        found = ask(server, settings={"key": key})
    assert found.stopped == "it does not accept the key (401: not [key]!)"


def test_nobody_at_the_port_is_told_at_once():
    with serving() as server:
        gone = endpoint(server, backoff=60)
    start = time.monotonic()
    found = judge(TEXTS, gone, "pairwise", questions=3)
    assert "refused" in found.stopped and time.monotonic() - start < 5


def test_an_endpoint_that_goes_down_ends_the_run_and_what_came_is_kept(tmp_path):
    state = tmp_path / "state.jsonl"
    with serving([None] * 5) as server:
        server.always = status(503)
        found = ask(server, 12, state=state, settings={"concurrency": 1, "retries": 1})
        assert found.statuses["answered"] == 5 and found.stopped == "503: trouble"
        server.always = None
        before = len(server.asked)
        found = ask(server, 12, state=state)
    assert (found.statuses["answered"], found.kept_before) == (12, 5)
    assert len(server.asked) - before == 7


@pytest.mark.requires_program("openssl")
def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path):
    pair = ["-keyout", f"{tmp_path}/key.pem", "-out", f"{tmp_path}/cert.pem", "-subj", "/CN=x"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *pair]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with serving() as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        url = server.url.replace("http:", "https:")
        found = judge(TEXTS, Endpoint(url=url, model="m", key=KEY), "pairwise", questions=1)
    assert "certificate is not trusted" in found.stopped and server.asked == []


# -- rude answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "kind"),
    [
        (saying("I'm sorry, I can't do that."), "refused"),
        (saying(None, message={"refusal": "No."}), "refused"),
        (saying("", finish="content_filter"), "refused"),
        (status(400, "filtered", code="content_filter"), "refused"),
        (saying('{"better": "', finish="length"), "cut short"),
        (saying("A, of course"), "not understood"),
        (saying('{"better": "C"}'), "not understood"),
        (saying('{"ranks": {"A": 1, "B": 2}}'), "not understood"),
        (saying(""), "not understood"),
        (saying(None), "not understood"),
    ],
)
def test_what_is_no_answer_is_counted_and_never_guessed(trick, kind, tmp_path):
    with serving([trick]) as server:
        found = ask(server, 1, state=tmp_path / "s.jsonl")
        again = ask(server, 1, state=tmp_path / "s.jsonl")
    assert found.statuses == again.statuses and found.statuses[kind] == 1
    assert len(server.asked) == 1 and found.unanswered == 0
    [ranking] = found.judgments
    assert ranking.is_skipped and ranking.info["unusable"] == kind


def test_it_is_asked_again_where_that_is_wanted(tmp_path):
    with serving([saying("hm"), saying("hm")]) as server:
        found = ask(server, 1, again=3, state=tmp_path / "s.jsonl")
        same = ask(server, 1, again=3, state=tmp_path / "s.jsonl")
    assert found.statuses["answered"] == same.statuses["answered"] == 1
    assert len(server.asked) == 3


def test_an_answer_in_parts_is_one():
    parts = [{"type": "text", "text": '{"better": '}, {"type": "text", "text": '"A"}'}]
    with serving([saying(parts)]) as server:
        assert ask(server).statuses["answered"] == 1


def test_a_key_in_an_answer_is_not_kept(tmp_path):
    state = tmp_path / "s.jsonl"
    with serving([saying(f'{{"better": "A"}} {KEY}', model=KEY)]) as server:
        assert ask(server, state=state).statuses["answered"] == 1
    assert KEY not in state.read_text() and "[key]" in state.read_text()


# -- budgets ---------------------------------------------------------------------------------------


def test_requests_are_bounded_over_all_runs(tmp_path):
    state = tmp_path / "s.jsonl"
    with serving() as server:
        found = ask(server, 12, state=state, max_requests=5)
        assert found.stopped == "the limit of 5 requests is reached"
        assert len(server.asked) == 5 == found.spent.requests
        found = ask(server, 12, state=state, max_requests=5)
        assert len(server.asked) == 5 and found.kept_before == 5
        ask(server, 12, state=state, max_requests=12)
    assert len(server.asked) == 12


def test_a_request_on_its_way_is_counted_before_it_goes_out():
    request, budget = ChatRequest({"messages": []}), Budget(max_requests=2)
    assert [budget.reserve(request) for _ in range(2)] == [None, None]
    assert budget.reserve(request) == budget.count_retry() == "the limit of 2 requests is reached"
    budget.give_back()
    assert budget.reserve(request) is None


def test_tries_count_as_requests():
    with serving([status(500)] * 3) as server:
        found = ask(server, 12, max_requests=4, settings={"concurrency": 1})
    assert len(server.asked) == 4 and found.statuses["answered"] == 1


def test_money_is_bounded_before_it_is_spent():
    with serving() as server:  # 300 tokens in, 12 out
        prices = Prices(1000.0, 1000.0)
        found = ask(server, 12, max_cost=2.0, prices=prices, max_tokens=50)
    assert found.cost == pytest.approx(0.312 * found.spent.requests)
    assert 1.3 < found.cost <= 2.0 and "left of 2" in found.stopped


def test_tokens_that_nobody_counts_are_estimated_and_that_is_said():
    with serving([saying(GOOD, usage=None)]) as server:
        found = ask(server, prices=Prices(1, 1))
    assert found.cost > 0 and "1 replies did not say" in found.notes[0]


def test_an_answer_without_a_bound_is_taken_for_a_long_one():
    with serving() as server:
        fields = {"max_tokens": None}
        prices = Prices(0.0, 1000.0)
        found = ask(server, 12, max_cost=4.0, prices=prices, request_fields=fields)
    assert "left of 4" in found.stopped and server.asked == []


def test_a_limit_on_money_needs_prices():
    with serving() as server, pytest.raises(DataError, match="needs the prices"):
        ask(server, max_cost=1)
