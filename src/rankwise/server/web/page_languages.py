"""The language of a page: which one a request gets."""

from fastapi import Request

from rankwise.server.campaign.launch.judge_words import Words, words_of
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.phrases import LANGUAGES

#: Where a judge's choice is kept, and how the page's script says in which language it is.
COOKIE, HEADER = "rankwise-language", "x-page-language"
#: What only judges see: the work, and the page behind a personal or an open link.
PATHS = ("/judge/", "/j/", "/o/")


def is_judges(request: Request) -> bool:
    """Whether a request is for what judges see."""
    return f"{request.url.path}/".startswith(PATHS)


def choose(request: Request, plan: Plan | None = None) -> Words:
    """The language of a page: the judge's choice, the campaign's, the browser's, English.

    What is said later in the same request, an error too, is said in it.
    """
    chosen = (request.headers.get(HEADER), request.cookies.get(COOKIE), plan and plan.language)
    code = next((code for code in chosen if code in LANGUAGES), None)
    code = code or accepted(request.headers.get("accept-language", ""))
    request.state.words = words_of(code)
    return words_of(code)


def current_words(request: Request) -> Words:
    """The language that was chosen, or that a page of judges gets; English elsewhere."""
    found: Words | None = getattr(request.state, "words", None)
    if found is not None:
        return found
    return choose(request) if is_judges(request) else words_of("en")


def accepted(header: str) -> str:
    """The language that a browser likes best among ours.

    >>> accepted("pl, de-AT;q=0.8, en;q=0.9"), accepted("tlh"), accepted("de;q=x")
    ('en', 'en', 'en')
    """
    found = [(-_weight(part), place, part) for place, part in enumerate(header.split(",")[:50])]
    for weight, _, part in sorted(found):
        code = part.partition(";")[0].strip().partition("-")[0].lower()
        if weight < 0 and code in LANGUAGES:
            return code
    return "en"


def _weight(part: str) -> float:
    _, _, said = part.partition(";")
    name, _, number = said.strip().partition("=")
    if not said:
        return 1.0
    is_number = name.strip() == "q" and number.strip().replace(".", "", 1).isdecimal()
    return float(number) if is_number else 0.0
