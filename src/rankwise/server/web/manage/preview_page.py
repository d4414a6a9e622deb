"""The judge's page for the organiser, to look at before launch; nothing of it is stored."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from rankwise.server.campaign.plan.protocols import SKIP_REASONS
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.campaign_parts import OwnCampaign
from rankwise.server.web.dependencies import CurrentStore
from rankwise.server.web.judge.judge_pages import REASON_WORDS, page_plan, told_by_domain
from rankwise.server.web.judge.safe_markdown import markdown
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
    return preview_screens(campaign, campaigns.testset(campaign.id), campaigns.given(campaign.id))


@router.get("")
def preview_page(request: Request, store: CurrentStore, campaign: OwnCampaign) -> Response:
    """The judge's own page over a few screens, for looking only."""
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
            "guidelines": markdown(campaign.plan.instructions),
            "told": told_by_domain(campaign.plan),
            "reasons": [(reason, REASON_WORDS[reason]) for reason in SKIP_REASONS],
            "boot": {
                "here": f"/campaigns/{campaign.slug}/preview",
                "plan": page_plan(campaign.plan),
                "screens": [screen.to_json() for screen in screens],
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
