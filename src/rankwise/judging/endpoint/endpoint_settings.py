"""An OpenAI-compatible endpoint: where it is, which model, with which key, how patiently."""

import base64
import html
import os
import re
from dataclasses import dataclass, field
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from rankwise.engine.loopback import is_loopback
from rankwise.errors import DataError

#: The environment variable that holds the key unless another is named.
KEY_VARIABLE = "RANKWISE_JUDGE_KEY"
_COMPLETIONS = "/chat/completions"
#: A shorter key is no secret: local servers take any word.
_SHORTEST_SECRET = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where to ask, and how.

    ``url`` is the address of the API, such as ``https://host/v1``; plain http is for this machine
    alone unless *allow_http*, because the key would travel in clear. The *key* stands in no repr,
    no message and no file. *timeout* is for a whole answer, in seconds; *retries* counts what
    follows a failure that may pass, after *backoff* seconds at first, then twice as long each time.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    key_header: str = "Authorization"
    allow_http: bool = False
    timeout: float = 120.0
    concurrency: int = 4
    requests_per_minute: float | None = None
    retries: int = 6
    backoff: float = 1.0

    def __post_init__(self) -> None:
        if not self.model:
            raise DataError("no model is named; expected one that the endpoint serves")
        parts = _parts(self.url)
        if parts.scheme == "http" and not (self.allow_http or self.is_local):
            raise DataError(
                f"{self.place}: plain http would send the key and the texts in clear; expected an "
                "https address, or this machine, or --allow-http"
            )
        if not self.key.isascii() or any(not 32 < ord(character) < 127 for character in self.key):
            raise DataError("the key has characters that no key has; expected printable ASCII")
        if not self.key_header.replace("-", "").isalnum() or not self.key_header.isascii():
            raise DataError(f"the header of the key is {self.key_header!r}; expected a name")
        least = min(self.timeout, self.backoff, self.concurrency, self.requests_per_minute or 1)
        if least <= 0 or self.retries < 0:
            raise DataError("timeout, backoff, concurrency and requests per minute must be above 0")

    @property
    def address(self) -> str:
        """What is posted to."""
        parts = _parts(self.url)
        path = parts.path.rstrip("/")
        path = path if path.endswith(_COMPLETIONS) else path + _COMPLETIONS
        return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))

    @property
    def place(self) -> str:
        """The address for messages and files: without a query, which may hold secrets."""
        parts = _parts(self.url)
        return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))

    @property
    def is_local(self) -> bool:
        """Whether the address is this machine's own."""
        return is_loopback(_parts(self.url).hostname or "")

    @property
    def headers(self) -> dict[str, str]:
        """What goes with every request, the key among it."""
        found = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "rankwise",
        }
        if self.key:
            is_usual = self.key_header.lower() == "authorization"
            found[self.key_header] = f"Bearer {self.key}" if is_usual else self.key
        return found

    def without_key(self, text: str) -> str:
        """*text* with the key taken out, where somebody wrote it there.

        In capitals, or as addresses, pages and headers write it, it is the key too.

        >>> endpoint = Endpoint(url="https://host/v1", model="m", key="sk-1234567")
        >>> endpoint.without_key("no sk-1234567")
        'no [key]'
        """
        if len(self.key) < _SHORTEST_SECRET:
            return text
        return re.sub("|".join(_written(self.key)), "[key]", text, flags=re.IGNORECASE)


def _written(key: str) -> list[str]:
    """Patterns of the ways to write a *key*, the longest first: as it is, quoted, in base64."""
    named = (key, f":{key}", f"Bearer {key}")
    packed = {base64.b64encode(one.encode("ascii")).decode() for one in named}
    forms = {key, quote(key), quote(key, safe=""), html.escape(key), *packed}
    return [re.escape(form) for form in sorted(forms, key=lambda form: (-len(form), form))]


def key_from_environment(variable: str | None = None) -> str:
    """The key of a *variable*, which must be set, or of the usual one, which need not be."""
    found = os.environ.get(variable or KEY_VARIABLE, "").strip()
    if variable is not None and not found:
        raise DataError(f"the environment variable {variable} is not set; expected the key in it")
    return found


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise DataError(f"the endpoint is no address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise DataError(
            "the endpoint must be an address that begins with https://, such as https://host/v1"
        )
    if parts.username is not None or parts.password is not None:
        raise DataError(
            "the endpoint's address holds a name or a password; leave it out and put the key into "
            f"the environment ({KEY_VARIABLE})"
        )
    return parts
