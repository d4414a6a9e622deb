"""The judge's page for the organiser, to look at before launch; nothing of it is stored."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from rankwise.server.campaign.launch.judge_words import Words, words_of
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.phrases import LANGUAGES
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.campaign_parts import OwnCampaign
from rankwise.server.web.dependencies import CurrentStore
from rankwise.server.web.judge.judge_pages import page_plan, page_words
from rankwise.server.web.judge.text_differences import differences
from rankwise.server.web.manage.preview_screens import PreviewScreen, preview_screens
from rankwise.server.web.pages import render
from rankwise.server.web.refusals import Refusal
from rankwise.server.web.security import POLICY

router = APIRouter(prefix="/campaigns/{slug}/preview")

#: Our own check list may show the page in a frame; nobody else.
FRAMED = {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    "X-Frame-Options": "SAMEORIGIN",
}


def _screens(store: CampaignStore, campaign: Campaign) -> list[PreviewScreen]:
    campaigns = store.campaigns
    return preview_screens(
        campaign,
        campaigns.testset(campaign.id),
        campaigns.given(campaign.id),
        campaigns.assets(campaign.id),
        files=store.assets.by_name(campaign.id),
    )


def _in_words(say: Words, plan: Plan, screen: PreviewScreen) -> dict[str, object]:
    """A screen as the page gets it, with what practice says in the page's language."""
    feedback = screen.feedback and say.own(plan, screen.feedback)
    return screen.to_json() | {"feedback": feedback}


@router.get("")
def preview_page(
    request: Request,
    store: CurrentStore,
    campaign: OwnCampaign,
    language: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """The judge's own page over a few screens, for looking only; in any of its languages."""
    say = words_of(language if language in LANGUAGES else campaign.plan.language or "en")
    request.state.words = say
    screens = _screens(store, campaign)
    if not screens:
        message = "There is no screen to show yet; the check list says what is missing."
        raise Refusal(409, "no_screens", message)
    response = render(
        request,
        "judge/preview.html",
        {
            "campaign": campaign,
            "plan": campaign.plan,
            **page_words(say, campaign.plan),
            "has_pairs": False,
            "boot": {
                "here": f"/campaigns/{campaign.slug}/preview",
                "plan": page_plan(campaign.plan, assets=f"/campaigns/{campaign.slug}/assets"),
                "own": say.short_texts(campaign.plan),
                "screens": [_in_words(say, campaign.plan, screen) for screen in screens],
            },
        },
    )
    response.headers.update(FRAMED)
    return response


@router.get("/{number}/differences")
def compare(
    store: CurrentStore,
    campaign: OwnCampaign,
    number: int,
    left: Annotated[int, Query(ge=0)],
    right: Annotated[int, Query(ge=0)],
) -> dict[str, object]:
    """What differs between the outputs at two places of a screen."""
    screens = _screens(store, campaign)
    outputs = screens[number].task.outputs if 0 <= number < len(screens) else ()
    if max(left, right) >= len(outputs):
        raise Refusal(404, "not_found", "There is no such screen, or no such output on it.")
    return differences(outputs[left], outputs[right]).to_json()
