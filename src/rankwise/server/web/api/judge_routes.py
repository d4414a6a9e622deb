"""Judges for programs: invite, list, exclude; by pseudonym, never by name."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from rankwise.server.records import Judge, JudgeCounts
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.web.api.api_models import (
    Invited,
    InviteIn,
    JudgeOut,
    LinkOut,
    Manager,
    OneCampaign,
    Pseudonym,
    Reader,
    ReasonIn,
    judge_out,
)
from rankwise.server.web.dependencies import CurrentSettings, CurrentStore
from rankwise.server.web.refusals import Refusal

router = APIRouter(prefix="/campaigns/{slug}/judges")


def find_judge(store: CurrentStore, campaign: OneCampaign, pseudonym: Pseudonym) -> Judge:
    """The judge of the address, or 404; a judge of another campaign is not found either."""
    judge = store.judges.by_pseudonym(campaign.id, pseudonym)
    if judge is None:
        raise Refusal(404, "no_judge", f"There is no judge {pseudonym!r} in this campaign.")
    return judge


OneJudge = Annotated[Judge, Depends(find_judge)]


@router.get("")
def judges(store: CurrentStore, caller: Reader, campaign: OneCampaign) -> list[JudgeOut]:
    """List the judges of a campaign."""
    del caller
    counts = store.log.judge_counts(campaign.id)
    found = store.judges.judges(campaign.id)
    return [judge_out(judge, counts.get(judge.id, JudgeCounts())) for judge in found]


@router.post("", status_code=201)
def invite(
    store: CurrentStore,
    settings: CurrentSettings,
    caller: Manager,
    campaign: OneCampaign,
    sent: InviteIn,
) -> Invited:
    """Invite a judge; the personal link is in this answer and nowhere else."""
    who: dict[str, Any] = sent.model_dump()
    judge, token = store.judges.invite(campaign.id, **who, actor=caller.account.name)
    link = settings.link(f"/j/{token}")
    return Invited(judge=judge_out(judge, JudgeCounts()), link=link)


@router.get("/{pseudonym}")
def judge(store: CurrentStore, caller: Reader, judge: OneJudge) -> JudgeOut:
    """One judge."""
    del caller
    return _current(store, judge)


@router.post("/{pseudonym}/exclude")
def exclude(store: CurrentStore, caller: Manager, judge: OneJudge, sent: ReasonIn) -> JudgeOut:
    """Leave a judge out of the results, for a reason; nothing is deleted."""
    store.judges.exclude(judge.id, sent.reason, caller.account.name)
    return _current(store, judge)


@router.post("/{pseudonym}/include")
def include(store: CurrentStore, caller: Manager, judge: OneJudge) -> JudgeOut:
    """Count a judge again."""
    store.judges.include(judge.id, caller.account.name)
    return _current(store, judge)


@router.post("/{pseudonym}/revoke")
def revoke(store: CurrentStore, caller: Manager, judge: OneJudge) -> JudgeOut:
    """End a judge's link and sessions."""
    store.judges.revoke(judge.id, caller.account.name)
    return _current(store, judge)


@router.post("/{pseudonym}/reissue")
def reissue(
    store: CurrentStore, settings: CurrentSettings, caller: Manager, judge: OneJudge
) -> LinkOut:
    """Give a judge a new link; the old one ends."""
    token = store.judges.reissue_link(judge.id, caller.account.name)
    return LinkOut(link=settings.link(f"/j/{token}"))


def _current(store: CampaignStore, judge: Judge) -> JudgeOut:
    counts = store.log.judge_counts(judge.campaign)
    now = store.judges.judge(judge.id)
    return judge_out(now or judge, counts.get(judge.id, JudgeCounts()))
