"""The server that takes mail from us, as whoever serves campaigns names it, and addresses."""

import re
from dataclasses import dataclass, field
from email.utils import formataddr, parseaddr
from typing import Literal
from urllib.parse import unquote, urlsplit

from rankwise.engine.loopback import is_loopback
from rankwise.errors import DataError

Security = Literal["starttls", "tls", "none"]

#: Mails a minute unless told otherwise: what hosts of mail take from one sender without a word.
USUAL_PACE = 30
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
_DOMAIN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9-]{1,63})*")
_EXPECTED = "smtp://USER@HOST:PORT (with STARTTLS) or smtps://USER@HOST:PORT"


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over, by whom, and how many a minute.

    ``security`` is ``starttls`` (no name, password or mail goes out before the connection is
    encrypted), ``tls`` (it is so from its first byte) or ``none``, which only a server on this
    machine gets. ``sender`` is an address, ``sender_name`` what is shown beside it.
    """

    host: str
    port: int
    sender: str
    sender_name: str = ""
    security: Security = "starttls"
    user: str = ""
    password: str = field(default="", repr=False)
    per_minute: float = USUAL_PACE

    @property
    def shown_sender(self) -> str:
        """The sender as the head of a mail has it."""
        return formataddr((self.sender_name, self.sender))


def mail_server(
    url: str, sender: str, *, password: str = "", per_minute: float = USUAL_PACE
) -> MailServer:
    """The server at *url*, ``smtp://user@host:port`` or ``smtps://...``, for mail of *sender*.

    ``smtp`` means STARTTLS, which the server must offer, but for a server on this machine.

    >>> found = mail_server("smtp://ann@mail.example.org", "WMT <wmt@example.org>", password="x")
    >>> found.host, found.port, found.security, found.user, found.shown_sender
    ('mail.example.org', 587, 'starttls', 'ann', 'WMT <wmt@example.org>')
    >>> found = mail_server("smtp://localhost", "wmt@example.org")
    >>> found.port, found.security
    (25, 'none')
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise DataError(f"the mail server is {url!r}; expected {_EXPECTED}") from error
    if parts.password is not None:
        raise DataError("the address of the mail server has a password in it, which others can "
                        "read; give it by a file or by RANKWISE_MAIL_PASSWORD")  # fmt: skip
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path.strip("/"):
        raise DataError(f"the mail server is {url!r}; expected {_EXPECTED}")
    user = unquote(parts.username or "")
    if bool(user) != bool(password):
        lacks = "a password" if user else "a user, as in smtp://USER@HOST"
        raise DataError(f"the mail server lacks {lacks}; expected both or neither")
    is_here = is_loopback(parts.hostname)
    security: Security = "tls" if parts.scheme == "smtps" else "none" if is_here else "starttls"
    usual = {"tls": 465, "starttls": 587, "none": 25}[security]
    name, address = _sender(sender)
    return MailServer(
        parts.hostname, port or usual, address, name, security, user, password, per_minute
    )


def _sender(text: str) -> tuple[str, str]:
    name, address = parseaddr(text)
    plain = plain_address(address)
    if plain is None or not text.isprintable():
        raise DataError(f"the sender of mail is {text!r}; expected 'Name <name@example.org>'")
    return name, plain


def plain_address(text: str) -> str | None:
    r"""*text* as an address that any mail server takes, or ``None`` where it is no such address.

    Nothing in it can end a line or begin another address; a domain of other letters is written as
    DNS does it.

    >>> plain_address(" ann@Bücher.example "), plain_address("ann@example.org\r\nBcc: x@y.z")
    ('ann@xn--bcher-kva.example', None)
    >>> plain_address("ann"), plain_address("a@b@c"), plain_address("a@b.c, d@e.f")
    (None, None, None)
    """
    local, at, domain = text.strip().rpartition("@")
    try:
        domain = domain if domain.isascii() else domain.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    fits = at and _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain) and len(domain) <= 253
    return f"{local}@{domain}" if fits else None
