"""How much a request may bring: bytes, and depth of JSON, checked before anything parses it."""

import json
import re

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rankwise.server.web.errors import error_response
from rankwise.server.web.settings import Settings

#: Where whole test sets come in; everything else is small.
UPLOADS = ("/campaigns/new", "/api/v1/campaigns")
_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_DOUBTFUL = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")


class Bodies:
    """Middleware that reads JSON bodies whole and counts the bytes of all others."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        """Wrap *app*."""
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413 or 400."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        limit = self._limit(scope["path"])
        refusal = None
        body = await _read(receive, limit) if _declared(request) <= limit else None
        if body is None:
            refusal = 413, f"This request is larger than {limit:,} bytes."
        elif "json" in request.headers.get("content-type", ""):
            refusal = unfit_json(body, depth=self.settings.json_depth)
        if refusal is not None:
            response = error_response(request, *refusal, headers={"Connection": "close"})
            await response(scope, receive, send)
            return
        await self.app(scope, _replay(body or b"", receive), send)

    def _limit(self, path: str) -> int:
        return self.settings.upload_limit if path in UPLOADS else self.settings.body_limit


def _declared(request: Request) -> int:
    length = request.headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0


async def _read(receive: Receive, limit: int) -> bytes | None:
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"".join(chunks)
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            return None
        chunks.append(chunk)
        if not message.get("more_body", False):
            return b"".join(chunks)


def _replay(body: bytes, receive: Receive) -> Receive:
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return pending.pop() if pending else await receive()

    return replayed


def unfit_json(body: bytes, *, depth: int) -> tuple[int, str] | None:
    r"""Why a JSON *body* is refused: too deep, or text that no database can hold.

    >>> unfit_json(b'[[1, "]"]]', depth=1)
    (400, 'The JSON is nested deeper than 1 levels.')
    >>> unfit_json(b'["\\ud800"]', depth=9)
    (400, 'The text holds half a character (a lone surrogate) or a NUL.')
    >>> unfit_json(b'["\\ud83d\\ude00"]', depth=9)
    """
    level = 0
    for match in _TOKENS.finditer(body):
        first = match[0][:1]
        level += (first in b"[{") - (first in b"]}")
        if level > depth:
            return 400, f"The JSON is nested deeper than {depth} levels."
    if _DOUBTFUL.search(body) and not _is_storable(body):
        return 400, "The text holds half a character (a lone surrogate) or a NUL."
    return None


def _is_storable(body: bytes) -> bool:
    try:
        text = json.dumps(json.loads(body), ensure_ascii=False)
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    except ValueError:
        return True  # not JSON at all: the route says so
    return "\\u0000" not in text
