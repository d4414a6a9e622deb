"""The language in which somebody reads the judge's pages: chosen on the page, kept in a cookie."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import RedirectResponse, Response

from rankwise.server.phrases import LANGUAGES, Phrase
from rankwise.server.web.auth.sign_in import local_path
from rankwise.server.web.dependencies import CurrentSettings
from rankwise.server.web.page_languages import COOKIE
from rankwise.server.web.refusals import Refusal

router = APIRouter()
YEAR = 365 * 24 * 3600


@router.post("/judge/language")
def choose_language(
    settings: CurrentSettings,
    language: Annotated[str, Form(max_length=20)] = "",
    to: Annotated[str, Form(max_length=1000)] = "/judge",
) -> Response:
    """Keep the language, and go back to the page where it was chosen."""
    if language not in LANGUAGES:
        raise Refusal(422, "invalid", Phrase("The page does not speak this language."))
    response = RedirectResponse(local_path(to), 303)
    response.set_cookie(
        COOKIE, language, max_age=YEAR, secure=settings.secure, httponly=True, samesite="lax"
    )
    return response
