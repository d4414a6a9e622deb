"""Links by mail: what the page People shows of it, and asking for it."""

from collections.abc import Collection
from typing import Any

from rankwise.server.campaign.launch.link_mail import PLACE, MailWords, checked_words
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.phrases import LANGUAGES, Phrase
from rankwise.server.settings import Settings
from rankwise.server.store.access.mails import JudgeMail
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.page_languages import words_of
from rankwise.server.web.refusals import Refusal

#: The states in which judges can come.
STATES = ("open", "paused")
INVITATION = Phrase(
    "You are invited to judge translations. This link is personal: whoever has it works in your "
    "name, so please do not pass it on."
)
PSEUDONYM = Phrase("Your answers are stored under a pseudonym.")


def usual_words(plan: Plan) -> MailWords:
    """What is written unless the organiser says it otherwise, in the campaign's language."""
    words = words_of(plan.language if plan.language in LANGUAGES else "en")
    text = "\n\n".join((words(INVITATION), PLACE, words(PSEUDONYM)))
    return checked_words(words.own(plan, plan.name)[:200], text)


def last_words(store: CampaignStore, campaign: Campaign) -> MailWords:
    """What was written last in the campaign, or else the usual."""
    mails = store.mails.of(campaign.id).values()
    last = max(mails, key=lambda mail: mail.number, default=None)
    return usual_words(campaign.plan) if last is None else store.mails.words(last)


def mail_card(store: CampaignStore, settings: Settings, campaign: Campaign) -> dict[str, Any]:
    """What the page People shows: whom one could write to, what it would say, how mails stand."""
    mails: dict[int, JudgeMail] = store.mails.of(campaign.id)
    found: dict[str, Any] = {"mails": mails, "mail_words": None}
    if settings.mail is not None and campaign.state in STATES:
        found["mail_words"] = last_words(store, campaign)
        found["mail_new"] = len(store.mails.whom(campaign.id, "new"))
        found["mail_silent"] = len(store.mails.whom(campaign.id, "silent"))
        found["mail_waits"] = sum(mail.state == "waiting" for mail in mails.values())
    return found


def ask(
    store: CampaignStore,
    settings: Settings,
    campaign: Campaign,
    judges: Collection[int],
    words: MailWords,
    *,
    actor: str,
) -> None:
    """Let the mails go out; a refusal where there are none."""
    refuse_mail(settings, campaign)
    if not store.mails.ask(campaign.id, judges, words, actor):
        message = "Nobody was written to: there is nobody with an address and an open link of "
        raise Refusal(409, "no_mail", f"{message}their own, to whom no mail is under way.")


def refuse_mail(settings: Settings, campaign: Campaign) -> None:
    """409 where no mail can go out."""
    if settings.mail is None:
        raise Refusal(409, "no_mail_server", "This server has no mail server to send links by.")
    if campaign.state not in STATES:
        message = f"The campaign is {campaign.state}: nobody could judge in it. Nothing was sent."
        raise Refusal(409, "not_open", message)
