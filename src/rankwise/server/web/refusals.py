"""Errors that speak: what happened, is my work safe, what to do, and the number of the request.

A program gets ``{"error": {"code", "message", "request"}}``, a person a page with the same words.
"""

import logging
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from rankwise.errors import DataError, StoreError
from rankwise.server.campaign.launch.judge_words import Words
from rankwise.server.phrases import Phrase
from rankwise.server.store.database.store_errors import (
    AlreadyDone,
    NotAllowed,
    NotFound,
    StaleDraft,
)
from rankwise.server.web.page_languages import current_words
from rankwise.server.web.pages import SafeJSON, render, request_id

log = logging.getLogger("rankwise.server")

#: Code, title and the sentence about what to do, by status.
SENTENCES = {
    400: (
        "bad_request",
        Phrase("That could not be read"),
        Phrase("Go back and try again."),
    ),
    401: (
        "signed_out",
        Phrase("You are not signed in"),
        Phrase("Sign in, or open your personal link again."),
    ),
    403: (
        "forbidden",
        Phrase("This is not open to you"),
        Phrase("Ask the organiser if you think it should be."),
    ),
    404: (
        "not_found",
        Phrase("There is nothing here"),
        Phrase("Check the address, or go to the first page."),
    ),
    405: (
        "method_not_allowed",
        Phrase("That cannot be done here"),
        Phrase("Go back and use the page's buttons."),
    ),
    409: (
        "conflict",
        Phrase("Something changed meanwhile"),
        Phrase("Load the page again and look at it."),
    ),
    410: (
        "gone",
        Phrase("This link has ended"),
        Phrase("Ask the organiser for a new one."),
    ),
    413: (
        "too_large",
        Phrase("That is too large"),
        Phrase("Send less at a time."),
    ),
    422: (
        "invalid",
        Phrase("Something is missing or wrong"),
        Phrase("Go back and correct it."),
    ),
    429: (
        "too_many",
        Phrase("Too many tries"),
        Phrase("Wait a little, then try again."),
    ),
    500: (
        "internal",
        Phrase("Something went wrong here"),
        Phrase("Try again; if it stays, tell the organiser."),
    ),
    503: (
        "unavailable",
        Phrase("The server cannot save now"),
        Phrase("Keep this page open; it will try again."),
    ),
}
#: What the store refuses; any other wrong input is 422.
STATUS: dict[type[DataError], int] = {
    NotFound: 404,
    NotAllowed: 409,
    StaleDraft: 409,
    AlreadyDone: 409,
}
#: What a program has to tell from other errors of the same status.
CODES: dict[type[DataError], str] = {AlreadyDone: "already_done"}
#: What the framework says, in words.
PLAIN = {
    "Not Found": Phrase("There is no page at this address."),
    "Method Not Allowed": Phrase("This address takes no such request."),
}
SAFE = Phrase("Everything that was stored before is still there.")
#: Only a judge's page gets receipts, and keeps what is not sent yet.
JUDGE_SAFE = Phrase("What you sent before and got a receipt for is stored.")
JUDGE_DRAFTS = Phrase("Nothing stored is lost, and what you are working on stays in your browser.")


class Refusal(HTTPException):
    """A request that is refused with a *code* for programs and a sentence for people."""

    def __init__(
        self, status: int, code: str, message: str, *, headers: dict[str, str] | None = None
    ) -> None:
        """Take the pieces of the answer."""
        super().__init__(status, message, headers)
        self.code = code


def wants_page(request: Request) -> bool:
    """Whether a person navigates: a browser asks for HTML then, a script for anything."""
    accepts = request.headers.get("accept", "")
    return "text/html" in accepts and not request.url.path.startswith("/api/v")


def error_response(
    request: Request,
    status: int,
    message: str,
    *,
    code: str | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """The answer to a request that failed, as a page or as JSON."""
    known, title, advice = SENTENCES.get(status, SENTENCES[500 if status >= 500 else 400])
    say = current_words(request)
    message = _spoken(say, message, title, advice)
    if not wants_page(request):
        error = {"code": code or known, "message": message, "request": request_id(request)}
        return SafeJSON({"error": error}, status, headers)
    words = {"title": say(title), "message": message, "advice": say(advice)}
    words["safe"] = say(_safe(request, status))
    response = render(request, "errors/error.html", words, status=status)
    response.headers.update(headers or {})
    return response


def _spoken(say: Words, message: str, title: str, advice: str) -> str:
    """A message in the language of the page; what no catalogue has gives way to what it means."""
    return say(message) if say.knows(message) else f"{say(title)}. {say(advice)}"


def _safe(request: Request, status: int) -> str:
    if not f"{request.url.path}/".startswith("/judge/"):
        return SAFE
    return JUDGE_DRAFTS if status >= 500 else JUDGE_SAFE


def _refused(request: Request, error: HTTPException) -> Response:
    message = error.detail if isinstance(error.detail, str) and error.detail else Phrase("Refused.")
    message = PLAIN.get(message, message)
    headers = dict(error.headers or {})
    code = getattr(error, "code", None)
    return error_response(request, error.status_code, message, code=code, headers=headers)


def _invalid(request: Request, error: RequestValidationError) -> Response:
    # what was sent is not repeated: it may be a secret, or not even encodable
    return error_response(request, 422, "; ".join(_finding(item) for item in error.errors()[:5]))


def _finding(item: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in item["loc"][1:] if isinstance(part, str | int))
    where = where[:80].encode("ascii", "replace").decode()
    said = str(item["msg"]).encode("ascii", "replace").decode()
    return f"{where or item['loc'][0]}: {said}"


def _wrong_data(request: Request, error: DataError) -> Response:
    status = next((STATUS[kind] for kind in STATUS if isinstance(error, kind)), 422)
    return error_response(request, status, _sentence(error), code=CODES.get(type(error)))


def _sentence(error: Exception) -> str:
    """What an error says: the phrase it was made with, which can be said in other languages."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Phrase) else str(error)


def store_failed(request: Request, error: Exception) -> Response:
    """503 with a sentence that says nothing of where the database is; the log says it all."""
    log.error("request %s: the store failed: %s", request_id(request), error)
    sentence = (
        str(error) if isinstance(error, StoreError) else Phrase("The database does not answer.")
    )
    request.app.state.health.add_error(request_id(request), sentence)
    sentence = request.app.state.health.note(sentence)
    return error_response(request, 503, sentence, headers={"Retry-After": "5"})


def _database_failed(request: Request, error: DBAPIError) -> Response:
    if isinstance(error, OperationalError) or error.connection_invalidated:
        return store_failed(request, error)
    return unexpected(request, error)


def unexpected(request: Request, error: Exception) -> Response:
    """The answer to an error nobody foresaw; the log has the trace under the same number."""
    log.error("request %s failed", request_id(request), exc_info=error)
    message = Phrase("The server made a mistake; it has been written down.")
    request.app.state.health.add_error(request_id(request), type(error).__name__)
    try:
        return error_response(request, 500, message)
    except Exception:  # the page itself may be what is broken; the answer still must speak
        log.exception("request %s: the error page failed too", request_id(request))
        return PlainTextResponse(f"{message} Number of the request: {request_id(request)}\n", 500)


HANDLERS: dict[type[Exception], Callable[[Request, Any], Response]] = {
    HTTPException: _refused,
    RequestValidationError: _invalid,
    DataError: _wrong_data,
    StoreError: store_failed,
    PoolTimeout: store_failed,
    DBAPIError: _database_failed,
}


def add_error_handlers(app: FastAPI) -> None:
    """Teach *app* to answer every expected error."""
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)
