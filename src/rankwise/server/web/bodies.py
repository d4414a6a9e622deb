"""How much a request may bring: bytes, and depth of JSON, checked before anything parses it."""

import json
import re
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rankwise.server.web.errors import error_response
from rankwise.server.web.settings import Settings

#: Where whole test sets come in; everything else is small.
UPLOADS = ("/campaigns/new", "/api/v1/campaigns")
_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_UNFIT = re.compile("[\0\ud800-\udfff]")
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
            # programs get told; a person's work must not fail for it
            if refusal is None and not scope["path"].startswith("/api/"):
                body = clean_json(body)
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
    """Why a JSON *body* is refused before it is parsed, or ``None``.

    >>> unfit_json(b'[[1, "]"]]', depth=1)
    (400, 'The JSON is nested deeper than 1 levels.')
    >>> unfit_json(b'[[1, "]"]]', depth=2)
    """
    level = 0
    for match in _TOKENS.finditer(body):
        first = match[0][:1]
        level += (first in b"[{") - (first in b"]}")
        if level > depth:
            return 400, f"The JSON is nested deeper than {depth} levels."
    return None


def clean_json(body: bytes) -> bytes:
    r"""*body* with U+FFFD for each NUL and each half of a character (a lone surrogate).

    A judge may paste such a text into a comment; the work must not fail for it.

    >>> json.loads(clean_json(b'["a\\ud800", "\\ud83d\\ude00"]'))
    ['a�', '😀']
    """
    if not _DOUBTFUL.search(body):
        return body
    try:
        return json.dumps(_cleaned(json.loads(body))).encode()
    except ValueError:
        return body  # not JSON at all: the route says so


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return _UNFIT.sub("\ufffd", value)
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(one) for key, one in value.items()}
    return value
