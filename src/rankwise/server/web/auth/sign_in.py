"""Coming in and going out: passwords for organisers, personal links for judges and viewers.

A link's page has a button and nothing else: looking at it changes nothing, so that the scanner of a
mail program cannot use a link up.
"""

import re
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from rankwise.server.phrases import Phrase
from rankwise.server.records import Account, Judge
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.web.auth.try_limits import Attempts, address, password_keys
from rankwise.server.web.dependencies import CurrentSettings, CurrentStore, get_visitor
from rankwise.server.web.page_languages import choose
from rankwise.server.web.pages import render, request_id
from rankwise.server.web.refusals import Refusal
from rankwise.server.web.visitors import sign_in, sign_out

router = APIRouter()
Whose = TypeVar("Whose")
Field = Annotated[str, Form(max_length=1000)]
#: A platform sends three or four.
MOST_PARAMETERS = 20
ENDED = Phrase(
    "This link is unknown, has ended, or was used already. Ask the organiser for a new one."
)
#: Of new passwords; one that was set before signs in as long as it was.
LONGEST_PASSWORD = 128
_ALONG = ("abcdefghijklmnopqrstuvwxyz", "01234567890123456789", "qwertyuiopasdfghjklzxcvbnm")
_ROWS = tuple(row[::step] for row in _ALONG for step in (1, -1))


@router.get("/login")
def login_page(request: Request, next: str = "/") -> Response:
    """The form for organisers."""
    return _login_page(request, next)


@router.post("/login")
def login(
    request: Request, store: CurrentStore, name: Field = "", password: Field = "", next: Field = "/"
) -> Response:
    """Check name and password, begin a fresh session."""
    tries, keys = attempts(request), password_keys(request, name)
    with tries.password("sign-in", **keys) as fits:
        account = store.accounts.verify(name, password)
        if account is not None:
            fits()
    if account is None:
        store.events.add(
            "somebody", "account.sign-in-failed", object=name, request=request_id(request)
        )
        problem = "Name or password is wrong."
        return _login_page(request, next, name=name, problem=problem, status=403)
    return _account_comes_in(request, store, account, local_path(next))


def _login_page(
    request: Request, to: str, *, name: str = "", problem: str | None = None, status: int = 200
) -> Response:
    words = {"next": local_path(to), "name": name, "problem": problem}
    return render(request, "auth/login.html", words, status=status)


def _account_comes_in(
    request: Request, store: CampaignStore, account: Account, to: str
) -> Response:
    response = RedirectResponse(to, 303)
    sign_in(request, response, "account", account.id)
    store.events.add(account.name, "account.sign-in", request=request_id(request))
    return response


def local_path(path: str) -> str:
    r"""*path* if it leads to a page of ours, else the first page.

    >>> local_path("/campaigns/x"), local_path("//evil.example"), local_path("/\\evil.example")
    ('/campaigns/x', '/', '/')
    """
    fine = path.startswith("/") and not path.startswith("//") and path.isprintable()
    return path if fine and "\\" not in path else "/"


@router.post("/logout")
def logout(request: Request) -> Response:
    """End the organiser's session."""
    response = RedirectResponse("/login", 303)
    sign_out(request, response, "account")
    return response


@router.get("/setup/{token}")
def setup_page(request: Request, store: CurrentStore, token: str) -> Response:
    """The form that sets the first password; looking does not use the link up."""
    return _setup_page(request, _account_of(request, store, token))


@router.post("/setup/{token}")
def setup(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    token: str,
    password: Field = "",
    again: Field = "",
) -> Response:
    """Set the password, use the link up, sign in."""
    account = _account_of(request, store, token)
    problem = unfit_password(password, again, length=settings.password_length)
    if problem:
        return _setup_page(request, account, problem=problem, status=422)
    with attempts(request).hashing():
        account = store.accounts.use_setup(token, password)
    store.sessions.end_all("account", account.id)
    return _account_comes_in(request, store, account, "/")


def unfit_password(password: str, again: str, *, length: int) -> str | None:
    """Why a new password will not do, or ``None``.

    Spaces in a row count as one, and what is hashed is what was typed.

    >>> unfit_password("short", "short", length=12)
    'The password needs at least 12 characters.'
    >>> unfit_password("a  b  c  d  e", "a  b  c  d  e", length=12)
    'The password needs at least 12 characters; spaces in a row count as one.'
    >>> unfit_password("passwordPassword", "passwordPassword", length=12)
    'The password is a short piece over and over. A few words in a row are better.'
    """
    if len(password) > LONGEST_PASSWORD:
        return f"The password may have {LONGEST_PASSWORD} characters at most."
    if len(re.sub(" +", " ", password)) < length:
        more = "" if len(password) < length else "; spaces in a row count as one"
        return f"The password needs at least {length} characters{more}."
    if len(set(password)) < 5:
        return "The password needs at least 5 different characters."
    same = password.casefold()
    if any(same[piece:] == same[:-piece] for piece in range(1, len(same) // 2 + 1)):
        return "The password is a short piece over and over. A few words in a row are better."
    if any(same in row for row in _ROWS):
        return "The password is a row of keys or letters. A few words in a row are better."
    return None if password == again else "The two passwords differ."


def _account_of(request: Request, store: CampaignStore, token: str) -> Account:
    return _redeem(request, "set-up", store.accounts.setup, token)


def _setup_page(
    request: Request, account: Account, *, problem: str | None = None, status: int = 200
) -> Response:
    length = request.app.state.settings.password_length
    words = {"name": account.name, "length": length, "problem": problem}
    return render(request, "auth/setup.html", words, status=status)


@router.get("/j/{token}")
def judge_landing(request: Request, store: CurrentStore, token: str) -> Response:
    """The page behind a judge's link."""
    judge = _redeem(request, "judge link", _judge_of(store), token)
    event = store.groups.of_campaign(judge.campaign) if _is_in_event(store, judge) else None
    name = None if event is None else event.name
    return _landing(request, store, judge.campaign, "judge", name=name)


@router.post("/j/{token}")
def judge_comes_in(request: Request, store: CurrentStore, token: str) -> Response:
    """Sign the judge in and go on to an address without the secret.

    Whoever judges in several campaigns of an event comes in where the work was last.
    """
    judge = _redeem(request, "judge link", _judge_of(store), token)
    to = "/judge/pairs" if _is_in_event(store, judge) else "/judge"
    return _to_work(request, store, judge, "judge.sign-in", to=to)


def _judge_of(store: CampaignStore) -> Callable[[str], Judge | None]:
    """Whose link a token is: a judge's of one campaign, or a person's of an event."""
    return lambda token: store.judges.by_link(token) or store.groups.by_link(token)


def _is_in_event(store: CampaignStore, judge: Judge) -> bool:
    return store.groups.person_of(judge.id) is not None


@router.get("/o/{token}")
def open_landing(request: Request, store: CurrentStore, token: str) -> Response:
    """The page behind a link that anybody may open; its form keeps the parameters."""
    link = _redeem(request, "open link", store.open_links.by_token, token)
    return _landing(request, store, link.campaign, "open")


@router.post("/o/{token}")
def somebody_comes_in(request: Request, store: CurrentStore, token: str) -> Response:
    """Make a judge of the visitor, who is known by the parameters of the address, and sign in."""
    link = _redeem(request, "open link", store.open_links.by_token, token)
    known = get_visitor(request).judge
    if known is not None and known.campaign == link.campaign:
        return RedirectResponse("/judge", 303)
    plan = store.campaigns.by_id(link.campaign).plan
    judge = store.open_links.join(link, _parameters(request), plan.recruiting)
    return _to_work(request, store, judge, "judge.join")


def _to_work(
    request: Request, store: CampaignStore, judge: Judge, action: str, *, to: str = "/judge"
) -> Response:
    """Sign the judge in and go on to an address without the secret."""
    response = RedirectResponse(to, 303)
    sign_in(request, response, "judge", judge.id)
    number = request_id(request)
    store.events.add(judge.pseudonym, action, campaign=judge.campaign, request=number)
    return response


def _parameters(request: Request) -> dict[str, str]:
    """The parameters of the address, as far as anybody could need them."""
    found = list(request.query_params.items())[:MOST_PARAMETERS]
    return {key[:100]: value[:500].replace("\0", "") for key, value in found}


@router.get("/v/{token}")
def viewer_landing(request: Request, store: CurrentStore, token: str) -> Response:
    """The page behind a viewer's link."""
    viewer = _redeem(request, "viewer link", store.accounts.viewer, token)
    return _landing(request, store, viewer.campaign, "viewer")


@router.post("/v/{token}")
def viewer_comes_in(request: Request, store: CurrentStore, token: str) -> Response:
    """Sign the viewer in."""
    viewer = _redeem(request, "viewer link", store.accounts.viewer, token)
    campaign = store.campaigns.by_id(viewer.campaign)
    response = RedirectResponse(f"/view/{campaign.slug}", 303)
    sign_in(request, response, "viewer", viewer.id)
    who, number = f"viewer {viewer.id}", request_id(request)
    store.events.add(who, "viewer.sign-in", campaign=viewer.campaign, request=number)
    return response


def _redeem(
    request: Request, action: str, look_up: Callable[[str], Whose | None], token: str
) -> Whose:
    """What a link stands for; only one that stands for nothing is counted and limited."""
    found = look_up(token) if token.isascii() and len(token) <= 200 else None
    if found is None:
        attempts(request).count(action, address=address(request))
        raise Refusal(410, "link_ended", ENDED)
    return found


def _landing(
    request: Request, store: CampaignStore, campaign_id: int, kind: str, *, name: str | None = None
) -> Response:
    get_visitor(request)
    plan = store.campaigns.by_id(campaign_id).plan
    words = {"campaign": name or plan.name, "kind": kind, "problem": None}
    if kind != "viewer":
        translated = choose(request, plan).own(plan, plan.name)
        words["campaign"] = name or translated
    return render(request, "auth/landing.html", words)


def attempts(request: Request) -> Attempts:
    """The counter of failed tries that the application holds."""
    found: Attempts = request.app.state.attempts
    return found
