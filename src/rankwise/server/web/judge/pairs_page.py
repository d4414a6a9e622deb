"""The language pairs of somebody who judges in several campaigns of an event, by one link."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import RedirectResponse, Response

from rankwise.server.phrases import Phrase
from rankwise.server.web.dependencies import CurrentJudge, CurrentStore
from rankwise.server.web.page_languages import choose
from rankwise.server.web.pages import render, request_id
from rankwise.server.web.refusals import Refusal
from rankwise.server.web.visitors import sign_in

router = APIRouter()


@router.get("/judge/pairs")
def pairs(request: Request, judge: CurrentJudge, store: CurrentStore) -> Response:
    """Where the judge may work, and how much is done there; straight to work where it is one."""
    person = store.groups.person_of(judge.id)
    event = store.groups.of_campaign(judge.campaign)
    if person is None or event is None:
        return RedirectResponse("/judge", 303)
    found = [(pair, store.campaigns.by_id(pair.judge.campaign)) for pair in person.pairs]
    shown = [(pair, campaign) for pair, campaign in found if campaign.state != "draft"]
    mine = store.campaigns.by_id(judge.campaign)
    choose(request, mine.plan)
    context = {"event": event, "pairs": shown, "campaign": mine}
    return render(request, "judge/pairs.html", context)


@router.post("/judge/pairs/{number}")
def choose_pair(
    request: Request,
    judge: CurrentJudge,
    store: CurrentStore,
    number: Annotated[int, Path(ge=1, le=2**62)],
) -> Response:
    """Go on in another campaign: the session is that of the judge whom the person is there."""
    person = store.groups.person_of(judge.id)
    mine = {pair.judge.id: pair.judge for pair in person.pairs} if person else {}
    other = mine.get(number)
    if other is None:
        raise Refusal(404, "no_pair", Phrase("You are not invited to judge there."))
    response = RedirectResponse("/judge", 303)
    if other.id != judge.id:
        sign_in(request, response, "judge", other.id)
        number_of = request_id(request)
        store.events.add(
            other.pseudonym, "judge.sign-in", campaign=other.campaign, request=number_of
        )
    return response
