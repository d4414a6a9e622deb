"""Who is asking: sessions are rows of the store, the browser holds an opaque secret in a cookie."""

from dataclasses import dataclass
from typing import Any, Literal

from fastapi import Request
from starlette.responses import Response

from rankwise.server.records import Account, Judge, Session, Viewer
from rankwise.server.settings import COOKIES, Kind, Settings


@dataclass(frozen=True, slots=True)
class Visitor:
    """The people this browser is signed in as; mostly one of them.

    ``tokens`` are the CSRF tokens of all its sessions, ``csrf`` the one that pages use.
    """

    account: Account | None = None
    judge: Judge | None = None
    viewer: Viewer | None = None
    tokens: tuple[str, ...] = ()

    @property
    def csrf(self) -> str | None:
        """The token for forms and scripts of this browser's pages."""
        return self.tokens[0] if self.tokens else None


NOBODY = Visitor()


def find_visitor(request: Request) -> Visitor:
    """The visitor behind the cookies of *request*; a session whose subject is gone counts not."""
    found: dict[str, Any] = {}
    tokens = []
    for kind in COOKIES:
        secret = request.cookies.get(request.app.state.settings.cookie(kind))
        session, subject = _who(request, kind, secret) if secret else (None, None)
        if session is not None and subject is not None:
            found[kind] = subject
            tokens.append(session.csrf)
    return Visitor(**found, tokens=tuple(tokens))


def _who(
    request: Request, kind: Kind, secret: str
) -> tuple[Session | None, Account | Judge | Viewer | None]:
    """The live session of a cookie and whose it is."""
    store, idle = request.app.state.store, request.app.state.settings.idle_hours
    if kind == "judge":
        session, judge = store.sessions.find_judge(secret, idle_hours=idle) or (None, None)
        return session, judge if judge is not None and judge.revoked_at is None else None
    session = store.sessions.find(secret, idle_hours=idle)
    if session is None or session.kind != kind:
        return None, None
    look_up = store.accounts.by_id if kind == "account" else store.accounts.viewer_by_id
    return session, look_up(session.subject)


def sign_in(request: Request, response: Response, kind: Kind, subject: int) -> None:
    """Begin a session in *response*; the one this browser had of that kind ends."""
    store, settings = request.app.state.store, request.app.state.settings
    sign_out(request, response, kind)
    secret, _ = store.sessions.start(kind, subject, hours=settings.session_hours)
    _set(response, settings, settings.cookie(kind), secret, same_site="lax")


def sign_out(request: Request, response: Response, kind: Kind) -> None:
    """End the session of that *kind* in the store and in the browser."""
    name = request.app.state.settings.cookie(kind)
    secret = request.cookies.get(name)
    if secret:
        request.app.state.store.sessions.end(secret)
    _set(response, request.app.state.settings, name, "", same_site="lax", seconds=0)


def set_form_cookie(response: Response, settings: Settings, token: str) -> None:
    """Give somebody without a session the token that the forms of the page repeat."""
    _set(response, settings, settings.cookie("form"), token, same_site="strict", seconds=7200)


def _set(
    response: Response,
    settings: Settings,
    name: str,
    value: str,
    *,
    same_site: Literal["lax", "strict"],
    seconds: int | None = None,
) -> None:
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path="/",
        secure=settings.secure,
        httponly=True,
        samesite=same_site,
    )
