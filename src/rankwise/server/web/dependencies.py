"""What routes depend on: who asks, and that the request came from our own page.

A page or JSON route says what it needs in its signature: ``judge: CurrentJudge``,
``account: CurrentAccount``, ``owner: CurrentOwner``, ``viewer: CurrentViewer``,
``caller: Annotated[Caller, Depends(api_scope("read"))]``. ``csrf_checked`` guards every router.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import Depends, Path, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import FormData

from rankwise.server.phrases import Phrase
from rankwise.server.records import Account, Judge, Viewer
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.web.refusals import Refusal, wants_page
from rankwise.server.web.visitors import Visitor, find_visitor

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SCOPES = ("read", "export", "manage")
#: Where somebody signs in by a link that only they have.
LINKS = ("/j/", "/v/", "/o/")
#: The number of a row in an address; larger ones are more than a database can be asked for.
Number = Annotated[int, Path(ge=1, lt=1 << 63)]
_bearer = HTTPBearer(auto_error=False, description="A token made on the page “Account”.")


def get_store(request: Request) -> CampaignStore:
    """The store that the application was made with."""
    store: CampaignStore = request.app.state.store
    return store


def get_settings(request: Request) -> Settings:
    """The settings that the application was made with."""
    settings: Settings = request.app.state.settings
    return settings


def get_visitor(request: Request) -> Visitor:
    """Who asks; found once per request and kept for the page."""
    if not hasattr(request.state, "visitor"):
        request.state.visitor = find_visitor(request)
    visitor: Visitor = request.state.visitor
    return visitor


# Dependencies that only look something up are coroutines: FastAPI would hand each of the others to
# a thread, and a request waits for every thread it is handed to.


async def _store(request: Request) -> CampaignStore:
    return get_store(request)


async def _settings(request: Request) -> Settings:
    return get_settings(request)


CurrentStore = Annotated[CampaignStore, Depends(_store)]
CurrentSettings = Annotated[Settings, Depends(_settings)]
CurrentVisitor = Annotated[Visitor, Depends(get_visitor)]


async def current_judge(visitor: CurrentVisitor) -> Judge:
    """The judge who is signed in; 401 otherwise, and the page keeps the work."""
    if visitor.judge is None:
        message = Phrase(
            "Your session has ended. Open your personal link again; your work is kept."
        )
        raise Refusal(401, "signed_out", message)
    return visitor.judge


async def current_account(request: Request, visitor: CurrentVisitor) -> Account:
    """The organiser or owner who is signed in; a person is sent to the sign-in page."""
    if visitor.account is None:
        if request.method == "GET" and wants_page(request):
            to = {"Location": f"/login?next={quote(request.url.path, safe='/')}"}
            raise Refusal(303, "signed_out", "Sign in first.", headers=to)
        raise Refusal(401, "signed_out", "Your session has ended. Sign in again.")
    return visitor.account


async def current_owner(account: Annotated[Account, Depends(current_account)]) -> Account:
    """The owner; 403 for an organiser."""
    if account.role != "owner":
        raise Refusal(403, "owner_only", "Only the owner of this server may do that.")
    return account


async def current_viewer(visitor: CurrentVisitor) -> Viewer:
    """Whoever came by a viewer's link."""
    if visitor.viewer is None:
        raise Refusal(401, "signed_out", "Open the link you were given again.")
    return visitor.viewer


CurrentJudge = Annotated[Judge, Depends(current_judge)]
CurrentAccount = Annotated[Account, Depends(current_account)]
CurrentOwner = Annotated[Account, Depends(current_owner)]
CurrentViewer = Annotated[Viewer, Depends(current_viewer)]


@dataclass(frozen=True, slots=True)
class Caller:
    """A program: the account whose token it holds, and what the token may do."""

    account: Account
    scopes: tuple[str, ...]


def api_scope(scope: str) -> Callable[..., Caller]:
    """A dependency: the caller whose bearer token has *scope*."""

    def caller(
        request: Request,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
    ) -> Caller:
        found = credentials and get_store(request).accounts.by_token(credentials.credentials)
        if not found:
            message = "This needs a valid API token in the header Authorization: Bearer …"
            raise Refusal(401, "no_token", message, headers={"WWW-Authenticate": "Bearer"})
        account, scopes = found
        if scope not in scopes:
            raise Refusal(403, "no_scope", f"This token lacks the scope {scope!r}.")
        return Caller(account, tuple(scopes))

    return caller


async def accepts_work(request: Request) -> None:
    """503 with a sentence while the store cannot write: no new work is handed out then."""
    sentence = request.app.state.health.sentence
    if sentence:
        raise Refusal(503, "not_ready", sentence, headers={"Retry-After": "5"})


async def csrf_checked(request: Request, visitor: CurrentVisitor) -> AsyncIterator[None]:
    """Refuse an unsafe request that does not come from our own page.

    The token must be that of one of the browser's sessions, or of the cookie that came with the
    form when there is none; and the browser must say that the request is same-origin. A personal
    link opened by our own page needs no token: it is the page whose session has ended. The form,
    which is read for its token, is closed in the end, whoever else reads it or refuses to.
    """
    try:
        await _check_csrf(request, visitor)
        yield
    finally:
        await request.close()


async def _check_csrf(request: Request, visitor: CurrentVisitor) -> None:
    if request.method in SAFE_METHODS or request.url.path.startswith("/api/v"):
        return
    origin = is_same_origin(request, get_settings(request))
    if origin is False or (origin is None and get_settings(request).secure):
        raise Refusal(403, "cross_origin", Phrase("This request came from another site."))
    if origin and request.url.path.startswith(LINKS):
        return
    sent = await _sent_token(request)
    form = request.cookies.get(get_settings(request).cookie("form"))
    # another host of the same site may have set the form's cookie: with a session it proves nothing
    known = visitor.tokens or ((form,) if form else ())
    if not sent or not any(_same(sent, token) for token in known):
        message = Phrase("This page was open too long. Load it again, then repeat what you did.")
        raise Refusal(403, "csrf", message)


async def _sent_token(request: Request) -> str:
    header = request.headers.get("x-csrf-token")
    kind = request.headers.get("content-type", "")
    if header or not kind.startswith(("application/x-www-form-urlencoded", "multipart/form-data")):
        return header or ""
    field = (await request.form()).get("csrf")
    return field if isinstance(field, str) else ""


def _same(sent: str, token: str) -> bool:
    return compare_digest(sent.encode("utf-8", "replace"), token.encode())


def is_same_origin(request: Request, settings: Settings) -> bool | None:
    """Whether the browser says that our own page sent *request*; ``None`` if it does not say.

    Under ``Referrer-Policy: no-referrer`` a form's ``Origin`` is "null", and ``Sec-Fetch-Site``
    decides; plain http beyond this machine has none of both, and there the token stands alone.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin", "null")
    if origin == "null":
        return None
    return origin == settings.origin or _host_of(origin) == request.headers.get("host")


def _host_of(origin: str) -> str:
    """The host and port of an origin; of what is none, nothing."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


async def read_form(request: Request) -> FormData:
    """The form with its files, read here, for what follows is in a thread."""
    return await request.form()


Posted = Annotated[FormData, Depends(read_form)]
