"""The page “Account”: password, tokens for programs, sign out everywhere; for the owner, people."""

import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, RedirectResponse, Response

from rankwise.server.background.hourly_backups import backup_name
from rankwise.server.records import Account
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.backup import backup
from rankwise.server.web.auth.sign_in import Field, attempts, unfit_password
from rankwise.server.web.auth.try_limits import password_keys
from rankwise.server.web.dependencies import (
    SCOPES,
    CurrentAccount,
    CurrentOwner,
    CurrentSettings,
    CurrentStore,
    Number,
)
from rankwise.server.web.pages import render
from rankwise.server.web.refusals import Refusal
from rankwise.server.web.visitors import sign_in, sign_out

router = APIRouter()


@router.get("/account")
def account_page(request: Request, store: CurrentStore, account: CurrentAccount) -> Response:
    """Everything about the account that is signed in."""
    return _page(request, store, account)


def _page(
    request: Request,
    store: CampaignStore,
    account: Account,
    *,
    secret: tuple[str, str] | None = None,
    problem: str | None = None,
) -> Response:
    """The page, with a *secret* (what it is, and itself) that is shown this once."""
    words = {
        "account": account,
        "tokens": store.accounts.tokens(account.id),
        "accounts": store.accounts.all() if account.role == "owner" else [],
        "scopes": SCOPES,
        "length": request.app.state.settings.password_length,
        "secret": secret,
        "problem": problem,
    }
    return render(request, "auth/account.html", words, status=422 if problem else 200)


@router.post("/account/tokens")
def add_token(
    request: Request,
    store: CurrentStore,
    account: CurrentAccount,
    name: Annotated[str, Form(min_length=1, max_length=100)],
    scopes: Annotated[list[str], Form()] = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """Make a token for programs and show it this once."""
    if not scopes:
        return _page(request, store, account, problem="Choose what the token may do.")
    token = store.accounts.add_token(account.id, name, scopes)
    return _page(request, store, account, secret=(f"The API token “{name}”", token))


@router.post("/account/tokens/{number}/revoke")
def revoke_token(store: CurrentStore, account: CurrentAccount, number: Number) -> Response:
    """End one of the account's own tokens."""
    if number not in {token.id for token in store.accounts.tokens(account.id)}:
        raise Refusal(404, "not_found", "You have no such token.")
    store.accounts.revoke_token(number, account.name)
    return RedirectResponse("/account", 303)


@router.post("/account/password")
def change_password(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    current: Field = "",
    password: Field = "",
    again: Field = "",
) -> Response:
    """Set another password; every other session of the account ends."""
    problem = unfit_password(password, again, length=settings.password_length)
    if problem is None and not _knows_password(request, store, account, current):
        problem = "The current password is wrong."
    if problem:
        return _page(request, store, account, problem=problem)
    with attempts(request).hashing():
        store.accounts.use_setup(store.accounts.new_setup(account.id, account.name), password)
    store.sessions.end_all("account", account.id)
    response = RedirectResponse("/account", 303)
    sign_in(request, response, "account", account.id)
    return response


def _knows_password(
    request: Request, store: CampaignStore, account: Account, password: str
) -> bool:
    # what strangers try at the sign-in page keeps nobody who is in from this
    tries, keys = attempts(request), {"pair": password_keys(request, account.name)["pair"]}
    with tries.password("password", **keys) as fits:
        is_right = store.accounts.verify(account.name, password) is not None
        if is_right:
            fits()
    return is_right


@router.post("/account/sign-out-everywhere")
def sign_out_everywhere(request: Request, store: CurrentStore, account: CurrentAccount) -> Response:
    """End every session of the account, this one too."""
    store.sessions.end_all("account", account.id)
    store.events.add(account.name, "account.sign-out-everywhere")
    response = RedirectResponse("/login", 303)
    sign_out(request, response, "account")
    return response


@router.post("/account/backup")
def download_backup(store: CurrentStore, owner: CurrentOwner) -> Response:
    """Everything in one file, identities too; while others go on working."""
    folder = Path(tempfile.mkdtemp(prefix="rankwise-"))
    path = folder / backup_name(datetime.now(UTC))
    try:
        backup(store.database, path)
        store.events.add(owner.name, "backup.download")
    except BaseException:
        shutil.rmtree(folder)
        raise
    clean = BackgroundTask(shutil.rmtree, folder)
    return FileResponse(path, filename=path.name, background=clean)


@router.post("/accounts")
def add_account(
    request: Request,
    store: CurrentStore,
    owner: CurrentOwner,
    name: Annotated[str, Form(min_length=1, max_length=100)],
) -> Response:
    """Make an organiser's account and show its set-up link this once."""
    _, token = store.accounts.create(name.strip(), "organiser", owner.name)
    return _setup_link(request, store, owner, name, token)


@router.post("/accounts/{number}/setup")
def renew_setup(
    request: Request, store: CurrentStore, owner: CurrentOwner, number: Number
) -> Response:
    """Show a new set-up link, for somebody who forgot the password."""
    other = _other(store, number)
    return _setup_link(
        request, store, owner, other.name, store.accounts.new_setup(other.id, owner.name)
    )


def _setup_link(
    request: Request, store: CampaignStore, owner: Account, name: str, token: str
) -> Response:
    link = request.app.state.settings.link(f"/setup/{token}")
    return _page(request, store, owner, secret=(f"The set-up link of {name}", link))


@router.post("/accounts/{number}/disable")
def disable_account(store: CurrentStore, owner: CurrentOwner, number: Number) -> Response:
    """Let an organiser in no more, and end all sessions of that account."""
    if number == owner.id:
        raise Refusal(409, "own_account", "You cannot disable your own account.")
    other = _other(store, number)
    store.accounts.disable(other.id, owner.name)
    store.sessions.end_all("account", other.id)
    return RedirectResponse("/account", 303)


def _other(store: CampaignStore, number: int) -> Account:
    found = store.accounts.by_id(number)
    if found is None:
        raise Refusal(404, "not_found", "There is no such account.")
    return found
