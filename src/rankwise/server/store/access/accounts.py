"""Organisers with passwords, viewers with links, programs with tokens."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from rankwise.errors import DataError, StoreError
from rankwise.server.records import Account, ApiToken, Viewer
from rankwise.server.store.access.tokens import new_token, token_hash, token_prefix
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database

SCOPES = ("read", "export", "manage")
SHORTEST_PASSWORD = 12
_SETUP_DAYS = 7
_DAY = 86_400_000
_MINUTE = 60_000


class Accounts:
    """Everybody who gets in other than by a judge's link."""

    def __init__(self, database: Database, clock: Callable[[], int], events: Events) -> None:
        self._database, self._clock, self._events = database, clock, events
        self._hasher = PasswordHasher()
        self._nobody: str | None = None

    def create(self, name: str, role: Literal["owner", "organiser"], actor: str) -> tuple[int, str]:
        """A new account and the token of its one-time set-up link."""
        if not name.strip() or not name.isprintable():
            raise DataError(f"the account's name is {name!r}; expected letters that can be seen")
        row = {"name": name, "role": role, "created_at": self._clock()}
        try:
            with self._database.write() as connection:
                made = connection.execute(insert(tables.accounts), row).inserted_primary_key
                assert made is not None
                token = self._add_link(connection, "setup", account=made[0])
                self._events.record(connection, actor, "account.create", object=name)
        except IntegrityError as error:
            raise DataError(f"there is an account {name!r} already; choose another name") from error
        return int(made[0]), token

    def new_setup(self, account_id: int, actor: str) -> str:
        """Another set-up link, for a password that was forgotten."""
        with self._database.write() as connection:
            token = self._add_link(connection, "setup", account=account_id)
            self._events.record(connection, actor, "account.setup", object=str(account_id))
        return token

    def _add_link(self, connection: Connection, purpose: str, **of: int) -> str:
        token, now = new_token(), self._clock()
        expires = now + _SETUP_DAYS * _DAY if purpose == "setup" else None
        row = {
            "hash": token_hash(token),
            "prefix": token_prefix(token),
            "purpose": purpose,
            "created_at": now,
            "expires_at": expires,
            **of,
        }
        connection.execute(insert(tables.links), row)
        return token

    def setup(self, token: str) -> Account | None:
        """Whose set-up link this is, while it can be used; looking does not use it."""
        with self._database.read() as connection:
            row = self._live_link(connection, token, "setup")
            return None if row is None else self._account(connection, id=row.account)

    def use_setup(self, token: str, password: str) -> Account:
        """Choose the password of an account by its set-up link, which is used up then."""
        if len(password) < SHORTEST_PASSWORD:
            raise DataError(
                f"the password has {len(password)} characters; expected {SHORTEST_PASSWORD} or more"
            )
        hashed, links = self._hasher.hash(password), tables.links
        with self._database.write() as connection:
            row = self._live_link(connection, token, "setup")
            if row is None:
                raise DataError("this set-up link was used or has expired; ask for a new one")
            mine = (links.c.account == row.account, links.c.used_at.is_(None))
            used = update(links).where(*mine).values(used_at=self._clock())
            if connection.execute(used.where(links.c.purpose == "setup")).rowcount == 0:
                raise DataError("this set-up link was used or has expired; ask for a new one")
            change = update(tables.accounts).where(tables.accounts.c.id == row.account)
            connection.execute(change.values(password=hashed))
            account = self._account(connection, id=row.account)
            if account is None:
                raise DataError("this account is disabled")
            self._events.record(connection, account.name, "account.password")
        return account

    def _live_link(self, connection: Connection, token: str, purpose: str) -> Any:
        links, now = tables.links, self._clock()
        row = connection.execute(
            select(links).where(links.c.hash == token_hash(token), links.c.purpose == purpose)
        ).one_or_none()
        if row is None or row.revoked_at is not None or row.used_at is not None:
            return None
        return None if row.expires_at is not None and row.expires_at <= now else row

    def verify(self, name: str, password: str) -> Account | None:
        """The account of that name and password; as slow for a name that does not exist."""
        with self._database.read() as connection:
            row = self._row(connection, name=name)
        known = row is not None and row.password is not None
        if self._nobody is None:
            self._nobody = self._hasher.hash(new_token())
        hashed = row.password if row is not None and known else self._nobody
        try:
            self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return None
        return _account(row) if row is not None and known else None

    def by_id(self, account_id: int) -> Account | None:
        """An account, unless it is disabled."""
        with self._database.read() as connection:
            return self._account(connection, id=account_id)

    def all(self) -> list[Account]:
        """Every account that is not disabled."""
        query = select(tables.accounts).where(tables.accounts.c.disabled_at.is_(None))
        with self._database.read() as connection:
            return [_account(row) for row in connection.execute(query.order_by("id"))]

    def count(self) -> int:
        """How many accounts there are."""
        with self._database.read() as connection:
            query = select(func.count()).select_from(tables.accounts)
            return int(connection.execute(query).scalar_one())

    def disable(self, account_id: int, actor: str) -> None:
        """Nobody signs in with this account any more."""
        change = update(tables.accounts).where(tables.accounts.c.id == account_id)
        with self._database.write() as connection:
            connection.execute(change.values(disabled_at=self._clock()))
            self._events.record(connection, actor, "account.disable", object=str(account_id))

    def _account(self, connection: Connection, **where: Any) -> Account | None:
        row = self._row(connection, **where)
        return None if row is None else _account(row)

    @staticmethod
    def _row(connection: Connection, **where: Any) -> Any:
        columns = tables.accounts.c
        query = select(tables.accounts).where(columns.disabled_at.is_(None)).filter_by(**where)
        return connection.execute(query).one_or_none()

    def add_viewer(self, campaign_id: int, *, actor: str = "organiser") -> str:
        """The token of a link that shows the results of one campaign, without identities."""
        with self._database.write() as connection:
            token = self._add_link(connection, "viewer", campaign=campaign_id)
            self._events.record(connection, actor, "viewer.add", campaign=campaign_id)
        return token

    def viewer(self, token: str) -> Viewer | None:
        """Whose link this is, or ``None`` when it was revoked."""
        with self._database.read() as connection:
            row = self._live_link(connection, token, "viewer")
        return None if row is None else _viewer(row)

    def viewer_by_id(self, link_id: int) -> Viewer | None:
        """The same by the number of the link."""
        found = self._viewers(tables.links.c.id == link_id)
        return found[0] if found else None

    def viewers(self, campaign_id: int) -> list[Viewer]:
        """The live links of a campaign."""
        return self._viewers(tables.links.c.campaign == campaign_id)

    def _viewers(self, which: Any) -> list[Viewer]:
        links = tables.links
        live = (links.c.purpose == "viewer", links.c.revoked_at.is_(None))
        with self._database.read() as connection:
            query = select(links).where(which, *live).order_by(links.c.id)
            return [_viewer(row) for row in connection.execute(query)]

    def revoke_viewer(self, link_id: int, actor: str) -> None:
        """The link shows nothing any more."""
        with self._database.write() as connection:
            change = update(tables.links).where(tables.links.c.id == link_id)
            connection.execute(change.values(revoked_at=self._clock()))
            self._events.record(connection, actor, "viewer.revoke", object=str(link_id))

    def add_token(self, account_id: int, name: str, scopes: Sequence[str]) -> str:
        """A token for programs, which may do what *scopes* say; shown this once."""
        unknown = [scope for scope in scopes if scope not in SCOPES]
        if unknown or not scopes:
            raise DataError(f"scopes are {list(scopes)}; expected some of {', '.join(SCOPES)}")
        token = "rw_" + new_token()
        row = {
            "account": account_id,
            "name": name,
            "hash": token_hash(token),
            "prefix": token[:9],
            "scopes": list(scopes),
            "created_at": self._clock(),
        }
        with self._database.write() as connection:
            connection.execute(insert(tables.api_tokens), row)
            self._events.record(connection, str(account_id), "token.add", object=name)
        return token

    def by_token(self, token: str) -> tuple[Account, tuple[str, ...]] | None:
        """Whose token this is and what it may do; ``None`` when revoked or unknown."""
        found, now = tables.api_tokens.c, self._clock()
        query = select(tables.api_tokens).where(
            found.hash == token_hash(token), found.revoked_at.is_(None)
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
            account = None if row is None else self._account(connection, id=row.account)
        if row is None or account is None:
            return None
        if row.used_at is None or abs(now - row.used_at) >= _MINUTE:
            with suppress(StoreError), self._database.write() as connection:
                used = update(tables.api_tokens).where(found.id == row.id).values(used_at=now)
                connection.execute(used)
        return account, tuple(row.scopes)

    def tokens(self, account_id: int) -> list[ApiToken]:
        """The live tokens of an account."""
        found = tables.api_tokens.c
        query = select(tables.api_tokens).where(
            found.account == account_id, found.revoked_at.is_(None)
        )
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(found.id)).all()
        return [
            ApiToken(row.id, row.name, row.prefix, tuple(row.scopes), row.created_at, row.used_at)
            for row in rows
        ]

    def revoke_token(self, token_id: int, actor: str) -> None:
        """The token opens nothing any more."""
        with self._database.write() as connection:
            change = update(tables.api_tokens).where(tables.api_tokens.c.id == token_id)
            connection.execute(change.values(revoked_at=self._clock()))
            self._events.record(connection, actor, "token.revoke", object=str(token_id))


def _account(row: Any) -> Account:
    return Account(row.id, row.name, row.role, row.created_at, row.password is not None)


def _viewer(row: Any) -> Viewer:
    return Viewer(row.id, row.campaign, row.created_at, row.prefix)
