"""Links by mail for programs: how they stand, and letting them go out."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from rankwise.server.campaign.launch.link_mail import MailWords
from rankwise.server.settings import Settings
from rankwise.server.store.access.link_mails import LinkMail, LinkMails, MailState, Recipient, Whom
from rankwise.server.web.api.api_models import Manager, OneCampaign, Reader, Sent
from rankwise.server.web.api.event_routes import OneEvent
from rankwise.server.web.api.judge_routes import OneJudge
from rankwise.server.web.dependencies import Caller, CurrentSettings, CurrentStore, Number
from rankwise.server.web.mail_requests import ask, given_words
from rankwise.server.web.refusals import Refusal

router = APIRouter()
CAMPAIGN, EVENT = "/campaigns/{slug}", "/events/{slug}"


class WordsIn(Sent):
    """What a mail says: both, ``{link}`` once in the text; or neither, for what was said last."""

    subject: Annotated[str, Field(max_length=2000)] | None = None
    text: Annotated[str, Field(max_length=100_000)] | None = None


class MailsIn(WordsIn):
    """Whom to write to.

    ``new``: who got no mail yet and has not come. ``silent``: who got one a day ago or earlier and
    has judged nothing.
    """

    whom: Whom = "new"


class MailOut(BaseModel):
    """How the last mail to somebody stands, and what the mail server said, without addresses."""

    state: MailState
    at: int
    tries: int
    why: str | None


class JudgeMailOut(MailOut):
    """The same of a judge."""

    judge: str


class PersonMailOut(MailOut):
    """The same of somebody in an event, by the number of the person."""

    person: int


class MailsAsked(BaseModel):
    """To how many people a mail goes out, each with a new link."""

    asked: int


@router.get(CAMPAIGN + "/mails", tags=["judges"])
def campaign_mails(
    store: CurrentStore, caller: Reader, campaign: OneCampaign
) -> list[JudgeMailOut]:
    """List how the mails to judges of a campaign stand, by pseudonym."""
    del caller
    found = store.mails.of(campaign.id).values()
    return [JudgeMailOut(judge=mail.label, **_shown(mail)) for mail in found]


@router.post(CAMPAIGN + "/mails", status_code=202, tags=["judges"])
def mail_campaign(
    store: CurrentStore,
    settings: CurrentSettings,
    caller: Manager,
    campaign: OneCampaign,
    sent: MailsIn,
) -> MailsAsked:
    """Send judges of a campaign a new link each; the one before ends when the mail goes out."""
    judges = store.mails.whom(campaign.id, sent.whom)
    return _asked(store.mails, settings, campaign.id, judges, sent, caller)


@router.post(CAMPAIGN + "/judges/{pseudonym}/mail", status_code=202, tags=["judges"])
def mail_judge(
    store: CurrentStore,
    settings: CurrentSettings,
    caller: Manager,
    judge: OneJudge,
    sent: WordsIn,
) -> MailsAsked:
    """Send one judge a new link."""
    judges = [one for one in store.mails.reachable(judge.campaign) if one.id == judge.id]
    return _asked(store.mails, settings, judge.campaign, judges, sent, caller)


@router.get(EVENT + "/mails", tags=["events"])
def event_mails(store: CurrentStore, caller: Reader, event: OneEvent) -> list[PersonMailOut]:
    """List how the mails to people of an event stand."""
    del caller
    found = store.event_mails.of(event.id).values()
    return [PersonMailOut(person=mail.recipient, **_shown(mail)) for mail in found]


@router.post(EVENT + "/mails", status_code=202, tags=["events"])
def mail_event(
    store: CurrentStore,
    settings: CurrentSettings,
    caller: Manager,
    event: OneEvent,
    sent: MailsIn,
) -> MailsAsked:
    """Send people of an event a new link each; the one before ends when the mail goes out."""
    people = store.event_mails.whom(event.id, sent.whom)
    return _asked(store.event_mails, settings, event.id, people, sent, caller)


@router.post(EVENT + "/people/{number}/mail", status_code=202, tags=["events"])
def mail_person(
    store: CurrentStore,
    settings: CurrentSettings,
    caller: Manager,
    event: OneEvent,
    number: Number,
    sent: WordsIn,
) -> MailsAsked:
    """Send somebody of an event a new link."""
    person = store.groups.person(event, number)
    people = [one for one in store.event_mails.reachable(event.id) if one.id == person.id]
    return _asked(store.event_mails, settings, event.id, people, sent, caller)


def _asked(
    mails: LinkMails,
    settings: Settings,
    owner: int,
    recipients: list[Recipient],
    sent: WordsIn,
    caller: Caller,
) -> MailsAsked:
    words = _words(mails, owner, sent)
    whom = [one.id for one in recipients]
    asked = ask(mails, settings, owner, whom, words, actor=caller.account.name)
    return MailsAsked(asked=len(asked))


def _words(mails: LinkMails, owner: int, sent: WordsIn) -> MailWords:
    if sent.subject is None and sent.text is None:
        return mails.last_words(owner)
    if sent.subject is None or sent.text is None:
        raise Refusal(422, "mail", "Nothing was sent: give subject and text, or neither.")
    return given_words(sent.subject, sent.text)


def _shown(mail: LinkMail) -> dict[str, Any]:
    return {"state": mail.state, "at": mail.at, "tries": mail.tries, "why": mail.why}
