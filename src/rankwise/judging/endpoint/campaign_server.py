"""A campaign's server as a machine judge meets it: its link, then the tasks of that judge alone.

The same requests as those of the judge's page: a session behind a cookie, a token against requests
of other sites, one task at a time. The link is a secret and stands in no message.
"""

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from rankwise.engine.loopback import is_loopback
from rankwise.errors import DataError, StoreError
from rankwise.judging.endpoint.http_exchange import HttpAnswer, NoHttpAnswer, exchange
from rankwise.judging.endpoint.pacing import backoff_seconds

#: The environment variable with the link.
LINK_VARIABLE = "RANKWISE_JUDGE_LINK"
_LINK = re.compile(r"^(https?://[^/?#@\s]+)/j/([A-Za-z0-9_-]{8,200})/?$")
_PASSING = (429, 500, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class JudgeLink:
    """The personal link of a machine judge; the ``token`` is a secret."""

    origin: str
    token: str = field(repr=False)

    @classmethod
    def of(cls, link: str, *, allow_http: bool = False) -> "JudgeLink":
        """The link as the organiser gave it; plain http is for this machine alone."""
        found = _LINK.match(link.strip())
        if found is None:
            raise DataError(
                "this is no judge's link; expected one such as https://host/j/TOKEN, as the page "
                "People or `rankwise campaign invite --machine` shows it once"
            )
        origin = found[1]
        host = urlsplit(origin).hostname or ""
        if origin.startswith("http:") and not (allow_http or is_loopback(host)):
            raise DataError(
                f"{origin}: plain http would send the link and the texts in clear; expected an "
                "https address, or this machine, or --allow-http"
            )
        return cls(origin, found[2])


@dataclass(slots=True)
class CampaignServer:
    """The server behind a *link*; what fails and may pass is tried again *retries* times."""

    link: JudgeLink
    timeout: float = 30.0
    retries: int = 6
    backoff: float = 1.0
    sleep: Callable[[float], object] = time.sleep
    _cookie: str = field(default="", repr=False)
    _csrf: str = field(default="", repr=False)

    def plan(self) -> Mapping[str, Any]:
        """What the campaign asks; an error where the link is a person's."""
        found = self._json("GET", "/judge/plan")
        if found.get("kind") != "machine":
            raise DataError(
                "this link is a person's; what a model says would count as what people say. Invite "
                "a machine on the page People, or by `rankwise campaign invite --machine`"
            )
        return found

    def next(self) -> Mapping[str, Any]:
        """A task, or why there is none."""
        return self._json("POST", "/judge/next", {})

    def send(self, token: str, kind: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The receipt of an answer or a skip; sent twice it is stored once."""
        return self._json("POST", f"/judge/tasks/{token}/{kind}", body)

    def _json(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        """The object that is answered; a session that ended is begun again, once."""
        for _ in range(2):
            if not self._csrf:
                self._come_in()
            answer = self._ask(method, path, body)
            if answer.status not in (401, 403):
                break
            self._cookie = self._csrf = ""
        return self._object(answer)

    def _come_in(self) -> None:
        """Sign in by the link."""
        answer = self._ask("POST", f"/j/{self.link.token}")
        if answer.status != 303:
            raise StoreError(f"{self.link.origin}: {_sentence(answer)}")
        self._cookie = _cookies(answer)
        session = self._object(self._ask("GET", "/judge/session"))
        self._csrf = str(session.get("csrf") or "")

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> HttpAnswer:
        """The answer, after as many tries as it takes."""
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Origin": self.link.origin,
            "User-Agent": "rankwise",
        }
        headers |= {"Cookie": self._cookie} if self._cookie else {}
        headers |= {"X-CSRF-Token": self._csrf} if self._csrf else {}
        headers |= {} if body is None else {"Content-Type": "application/json"}
        sent = b"" if body is None and method == "POST" else None
        sent = sent if body is None else json.dumps(body).encode()
        tries = 0
        while True:
            tries += 1
            try:
                answer = exchange(
                    method, self.link.origin + path, headers, sent, timeout=self.timeout
                )
                if answer.status not in _PASSING or tries > self.retries:
                    return answer
            except NoHttpAnswer as error:
                if error.is_final or tries > self.retries:
                    raise StoreError(
                        f"{self.link.origin}: {error}; nothing is lost, and the same command goes "
                        "on from here"
                    ) from error
            self.sleep(backoff_seconds(self.backoff, tries))

    def _object(self, answer: HttpAnswer) -> Mapping[str, Any]:
        if answer.status != 200:
            raise StoreError(f"{self.link.origin}: {_sentence(answer)}")
        try:
            found = json.loads(answer.body)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise StoreError(f"{self.link.origin}: it does not answer as a campaign does")
        return found


def _cookies(answer: HttpAnswer) -> str:
    """The cookies of an answer as they go back; the last of one name counts."""
    found: dict[str, str] = {}
    for line in answer.cookies:
        for name, morsel in SimpleCookie(line).items():
            found[name] = morsel.coded_value
    return "; ".join(f"{name}={value}" for name, value in found.items() if value.strip('"'))


def _sentence(answer: HttpAnswer) -> str:
    """What a refusal says, for people."""
    try:
        return str(json.loads(answer.body)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"it answered with status {answer.status}; is this the address of a campaign?"
