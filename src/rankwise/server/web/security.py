"""The outermost layer: a number for each request, headers on every answer, a log without secrets.

It also catches what nobody foresaw, so that even that answer carries the headers.
"""

import logging
import secrets
import time

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rankwise.server.settings import Settings
from rankwise.server.web.refusals import error_response, unexpected

access = logging.getLogger("rankwise.access")

POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "object-src 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
#: Where a browser is sent to an answer of the API, that is a file to it and no page.
API_FILE = 'attachment; filename="api.json"'
#: Parts of a path that let somebody in; they never reach a log.
SECRETS = ("token", "receipt")
SECRET_PREFIXES = ("j", "v", "o", "setup")


class Guard:
    """Middleware around everything else."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        """Wrap *app*."""
        self.app = app
        self.headers = dict(HEADERS)
        if settings.secure:
            self.headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        number = secrets.token_hex(6)
        scope.setdefault("state", {})["request_id"] = number
        sent: list[int] = []

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent.append(message["status"])
                self._add_headers(message, number, scope["path"])
            await send(message)

        try:
            await self._answer(scope, receive, send_guarded, sent)
        finally:
            spent = 1000 * (time.perf_counter() - started)
            status = sent[0] if sent else 500
            access.info(
                "%s %s %s %d %.0fms", number, scope["method"], safe_path(scope), status, spent
            )

    async def _answer(self, scope: Scope, receive: Receive, send: Send, sent: list[int]) -> None:
        if "\0" in scope["path"] or b"%00" in scope.get("query_string", b""):
            response = error_response(Request(scope), 400, "An address cannot hold a NUL.")
            await response(scope, receive, send)
            return
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            response = unexpected(Request(scope), error)
            if sent:  # the answer is on its way already; all that is left is to break it off
                raise
            await response(scope, receive, send)

    def _add_headers(self, message: Message, number: str, path: str) -> None:
        headers = MutableHeaders(scope=message)
        if path.startswith("/api/") and headers.get("content-type") == "application/json":
            headers.setdefault("Content-Disposition", API_FILE)
        for name, value in self.headers.items():
            headers.setdefault(name, value)
        headers["X-Request-ID"] = number
        headers.setdefault("Cache-Control", "no-store")


def safe_path(scope: Scope) -> str:
    """The path of a request with everything that lets somebody in left out.

    Logs are read where "…" may not be a character.

    >>> safe_path({"path": "/j/SECRET"})
    '/j/...'
    >>> safe_path({"path": "/judge/tasks/SECRET/answer", "path_params": {"token": "SECRET"}})
    '/judge/tasks/.../answer'
    """
    parts = scope["path"].split("/")
    if len(parts) > 2 and parts[1] in SECRET_PREFIXES:
        return f"/{parts[1]}/..."
    hidden = {str(scope.get("path_params", {}).get(name)) for name in SECRETS}
    shown = "/".join("..." if part in hidden else part for part in parts)
    return shown.encode("unicode_escape").decode() if not shown.isprintable() else shown
