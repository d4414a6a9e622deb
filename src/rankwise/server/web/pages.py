"""Pages from templates: everything escaped, an undefined name is an error.

``render(request, "folder/page.html", {…})`` is the one way to make a page. Every template may use
``csrf`` (for forms), ``visitor``, ``request_id``, ``banner``, ``version``, ``path``, ``status``,
and ``t`` and ``tn`` for sentences in the language of the page (``language``, ``direction``).
"""

import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, JSONResponse

from rankwise import __version__
from rankwise.server.campaign.launch.judge_words import Words
from rankwise.server.phrases import LANGUAGES
from rankwise.server.web.page_languages import current_words
from rankwise.server.web.static_files import static_files
from rankwise.server.web.visitors import NOBODY, Visitor, set_form_cookie

FOLDER = Path(__file__).parents[1]


@cache
def environment() -> Environment:
    """The templates, compiled once."""
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(when=when, clock=clock, count=count)
    kept = static_files()
    imported = cache(kept.imported)

    def modules(name: str, language: str) -> list[str]:
        """What a page's script imports, and the catalogue of the page's language."""
        return imported(name) + ([] if language == "en" else [f"judge/words/{language}.js"])

    made.globals.update(version=__version__, static=kept.address, languages=LANGUAGES)
    made.globals.update(module_names=modules)
    made.policies["json.dumps_function"] = _dumps
    return made


def _dumps(value: Any, **options: Any) -> str:
    # a lone surrogate stays an escape, so that the page can be encoded
    return json.dumps(value, **{**options, "ensure_ascii": True})


class SafeJSON(JSONResponse):
    """JSON in ASCII, so that a text with half a character (a lone surrogate) can be sent too."""

    def render(self, content: Any) -> bytes:
        """The bytes of *content*."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def render(
    request: Request, name: str, words: Mapping[str, object], *, status: int = 200
) -> HTMLResponse:
    """The page of the template *name*, which may use *words*.

    Somebody without a session gets a token for its forms.
    """
    visitor = visitor_of(request)
    csrf = visitor.csrf or request.cookies.get(_form_cookie(request)) or secrets.token_urlsafe(24)
    say = current_words(request)
    shared = {
        **_speech(say),
        "visitor": visitor,
        "csrf": csrf,
        "request_id": request_id(request),
        "banner": request.app.state.health.sentence,
        "path": request.url.path,
        "status": status,
    }
    text = environment().get_template(name).render({**shared, **words})
    response = HTMLResponse(text.encode("utf-8", "replace"), status)
    if visitor.csrf is None:
        set_form_cookie(response, request.app.state.settings, csrf)
    return response


def _speech(say: Words) -> dict[str, object]:
    """What a page needs to speak a language: *t* for a sentence, *tn* for one that counts."""
    return {"t": say, "tn": say.counted, "language": say.language, "direction": say.direction}


def _form_cookie(request: Request) -> str:
    name: str = request.app.state.settings.cookie("form")
    return name


def visitor_of(request: Request) -> Visitor:
    """Who asks, as far as a dependency has found out."""
    found: Visitor = getattr(request.state, "visitor", NOBODY)
    return found


def request_id(request: Request) -> str:
    """The number of this request, for logs and error pages."""
    number: str = getattr(request.state, "request_id", "-")
    return number


def when(milliseconds: int | None, *, seconds: bool = False) -> str:
    """A time of the store for people, in UTC.

    >>> when(1_000_000_000_000), when(1_000_000_000_000, seconds=True), when(None)
    ('2001-09-09 01:46 UTC', '2001-09-09 01:46:40 UTC', '–')
    """
    if milliseconds is None:
        return "–"
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if seconds else f"{at:%Y-%m-%d %H:%M} UTC"


def clock(milliseconds: int | None) -> str:
    """The same with seconds and the T of ISO 8601, for ``<time datetime>``.

    >>> clock(1_000_000_000_000)
    '2001-09-09T01:46:40Z'
    """
    if milliseconds is None:
        return ""
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def count(number: int) -> str:
    """A count for people, as charts and sentences have it.

    >>> count(100000)
    '100,000'
    """
    return f"{number:,}"
