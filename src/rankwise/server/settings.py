"""What the one who runs the server may set: a frozen record, filled by ``rankwise serve``."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from rankwise.server.mail_server import MailServer

Kind = Literal["account", "judge", "viewer"]

#: One cookie per kind of visitor, so that an organiser may open a judge's link as well.
COOKIES: dict[Kind, str] = {
    "account": "rankwise_session",
    "judge": "rankwise_judge",
    "viewer": "rankwise_viewer",
}
FORM_COOKIE = "rankwise_form"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the server runs and how much it takes.

    ``base_url`` is the address people type; links are made from it, never from a Host header, and
    cookies are ``Secure`` when it begins with https. ``X-Forwarded-*`` counts only from
    ``trusted_proxies``. Sizes are in bytes; a picture, sound or video has ``asset_limit``, those of
    a campaign together ``assets_limit``. A backup is put into ``backups`` every hour.

    A connection has ``header_seconds`` for the head of a request, ``body_seconds`` for its body
    (longer while it comes in), ``idle_seconds`` between two requests, and ``stuck_seconds``
    in which it takes nothing of an answer. From one address there are ``connections_per_address``,
    unless it is a trusted proxy's. Links go out by ``mail``, where there is such a server.
    """

    folder: Path | None = None
    url: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    base_url: str = "http://127.0.0.1:8000"
    trusted_proxies: tuple[str, ...] = ()
    workers: int = 1
    session_hours: float = 12
    idle_hours: float = 4
    password_length: int = 12
    body_limit: int = 1 << 20
    upload_limit: int = 64 << 20
    asset_limit: int = 64 << 20
    assets_limit: int = 1 << 30
    json_depth: int = 32
    json_values: int = 3_000_000
    header_limit: int = 64 << 10
    header_seconds: float = 20
    body_seconds: float = 30
    idle_seconds: int = 75  # longer than a judge takes for a screen, and than proxies wait
    stuck_seconds: float = 60
    connections_per_address: int = 200
    backups: Path | None = None
    mail: MailServer | None = None
    refresh_seconds: float = 3.0
    refresher: bool = True

    @property
    def secure(self) -> bool:
        """Whether people come by https."""
        return self.base_url.startswith("https://")

    @property
    def origin(self) -> str:
        """The scheme and host of ``base_url``, as a browser writes them in ``Origin``."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}"

    def cookie(self, kind: Kind | Literal["form"]) -> str:
        """The name of a cookie; over https with the prefix that ties it to this host."""
        name = FORM_COOKIE if kind == "form" else COOKIES[kind]
        return f"__Host-{name}" if self.secure else name

    def link(self, path: str) -> str:
        """The whole address of a *path* such as ``/j/…``, for a mail or the terminal."""
        return self.base_url.rstrip("/") + path
