"""How much a request may bring: bytes, and depth of JSON, checked before anything parses it.

Whoever is not signed in brings little: a large body is read only for a live session or token.
"""

import json
import re
from functools import partial
from itertools import accumulate
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rankwise.errors import StoreError
from rankwise.server.settings import Settings
from rankwise.server.web.refusals import error_response, store_failed
from rankwise.server.web.visitors import find_visitor

#: Where whole test sets and scores of them come in; everything else is small.
UPLOADS = re.compile(
    r"/campaigns/new(?:/pearmut)?|/api/v1/campaigns|(?:/api/v1)?/campaigns/[a-z0-9-]+/(?:scores|systems|segments)"
)
#: Looking through more than this many bytes would hold up the requests of others.
LONG = 1 << 16
#: More fields than any form of ours has; each takes time to parse, in which nobody is answered.
MOST_FIELDS = 5000
#: A string, or the beginning of one that never ends; possessive, so that the time is linear.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS = bytes(set(range(256)) - set(_STEPS))
_UNFIT = re.compile("[\0\ud800-\udfff]")
_DOUBTFUL = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")


class Bodies:
    """Middleware that reads JSON bodies whole and counts the bytes of all others."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        """Wrap *app*."""
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413, 401 or 400."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        try:
            body = await self._body(request, receive)
        except ClientDisconnect:
            return  # half a form may look like a whole one
        kind = request.headers.get("content-type", "").lower()
        if isinstance(body, bytes) and "json" in kind:
            body = await self._json(request, body)
        elif isinstance(body, bytes) and "urlencoded" in kind and body.count(b"&") > MOST_FIELDS:
            body = _refusal(request, 400, f"The form has more than {MOST_FIELDS:,} fields.")
        if isinstance(body, Response):
            await body(scope, receive, send)
            return
        await self.app(scope, _replay(body, receive), send)

    async def _body(self, request: Request, receive: Receive) -> bytes | Response:
        """The whole body; past the small limit only of somebody who may bring more."""
        declared, most = _declared(request), self._limit(request.url.path)
        if declared > most:
            return _too_large(request, most)
        begun, small = _Body(receive), self.settings.body_limit
        if declared <= small and await begun.read(small):
            return begun.content
        refusal = await run_in_threadpool(_unknown, request) if most > small else None
        if refusal is not None:
            return refusal
        return begun.content if await begun.read(most) else _too_large(request, most)

    async def _json(self, request: Request, body: bytes) -> bytes | Response:
        # programs get told; a person's work must not fail for it
        cleans = not request.url.path.startswith("/api/")
        limits = {"depth": self.settings.json_depth, "values": self.settings.json_values}
        look = partial(fit_json, body, cleans=cleans, **limits)
        found = look() if len(body) <= LONG else await run_in_threadpool(look)
        return found if isinstance(found, bytes) else _refusal(request, *found)

    def _limit(self, path: str) -> int:
        settings = self.settings
        return settings.upload_limit if UPLOADS.fullmatch(path) else settings.body_limit


def _refusal(request: Request, status: int, message: str) -> Response:
    return error_response(request, status, message, headers={"Connection": "close"})


def _too_large(request: Request, limit: int) -> Response:
    return _refusal(request, 413, f"This request is larger than {limit:,} bytes.")


def _unknown(request: Request) -> Response | None:
    """401 for a large body of somebody without a live session or token, else ``None``."""
    try:
        if _is_known(request):
            return None
    except (StoreError, DBAPIError, PoolTimeout) as error:
        return store_failed(request, error)
    return _refusal(request, 401, "Sign in first: nothing this large is taken from strangers.")


def _is_known(request: Request) -> bool:
    if not request.url.path.startswith("/api/"):
        return find_visitor(request).account is not None
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    by_token = request.app.state.store.accounts.by_token
    return kind.lower() == "bearer" and by_token(token.strip()) is not None


def _declared(request: Request) -> int:
    length = request.headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0


class _Body:
    """A body as it comes in; reading can stop at a limit and go on with a larger one."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._chunks: list[bytes] = []
        self._size = 0
        self._is_whole = False

    async def read(self, limit: int) -> bool:
        """Whether the body ends within *limit* bytes."""
        while not self._is_whole and self._size <= limit:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            chunk = message.get("body", b"")
            self._chunks.append(chunk)
            self._size += len(chunk)
            self._is_whole = not message.get("more_body", False)
        return self._size <= limit

    @property
    def content(self) -> bytes:
        return b"".join(self._chunks)


def _replay(body: bytes, receive: Receive) -> Receive:
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return pending.pop() if pending else await receive()

    return replayed


def fit_json(body: bytes, *, depth: int, values: int, cleans: bool) -> bytes | tuple[int, str]:
    """The JSON *body* as it may be parsed, or status and sentence of the refusal."""
    refusal = unfit_json(body, depth=depth, values=values)
    if refusal is not None:
        return refusal
    return clean_json(body) if cleans else body


def unfit_json(body: bytes, *, depth: int, values: int = 1 << 20) -> tuple[int, str] | None:
    """Why a JSON *body* is refused before it is parsed, or ``None``.

    A value takes two bytes of a body, and a hundred once it is parsed.

    >>> unfit_json(b'[[1, "]"]]', depth=1)
    (400, 'The JSON is nested deeper than 1 levels.')
    >>> unfit_json(b'[[1, "]"]]', depth=2)
    >>> unfit_json(b'[[1, ","], 2]', depth=2, values=2)
    (413, 'The JSON has more than 2 values.')
    """
    bare = _STRINGS.sub(b"", body)
    if bare.count(b",") >= values:
        return 413, f"The JSON has more than {values:,} values."
    brackets = bare.translate(None, _NO_BRACKETS)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > depth:
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
