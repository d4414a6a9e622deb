"""Links by mail: what the pages of people show of it, and asking for it."""

from collections.abc import Collection
from typing import Any

from rankwise.errors import DataError
from rankwise.server.campaign.launch.link_mail import MailWords, checked_words
from rankwise.server.settings import Settings
from rankwise.server.store.access.link_mails import LinkMails, Recipient
from rankwise.server.web.refusals import Refusal


def mail_card(mails: LinkMails, settings: Settings, owner: int) -> dict[str, Any]:
    """What a page shows: whom one could write to, what it would say, how mails stand."""
    there = mails.of(owner)
    found: dict[str, Any] = {"mails": there, "mail_words": None}
    if settings.mail is not None and mails.why_closed(owner) is None:
        found["mail_words"] = mails.last_words(owner)
        found["mail_new"] = len(mails.whom(owner, "new"))
        found["mail_silent"] = len(mails.whom(owner, "silent"))
        found["mail_waits"] = sum(mail.state == "waiting" for mail in there.values())
        found["mail_reached"] = {one.id for one in mails.reachable(owner)}
    return found


def given_words(subject: str, text: str) -> MailWords:
    """The words of a form or a program, or 422."""
    try:
        return checked_words(subject, text)
    except DataError as error:
        raise Refusal(422, "mail", f"Nothing was sent: {error}.") from error


def ask(
    mails: LinkMails,
    settings: Settings,
    owner: int,
    recipients: Collection[int],
    words: MailWords,
    *,
    actor: str,
) -> list[Recipient]:
    """Let the mails go out; a refusal where there are none."""
    refuse_mail(mails, settings, owner)
    asked = mails.ask(owner, recipients, words, actor)
    if not asked:
        message = "Nobody was written to: there is nobody with an address and an open link of "
        raise Refusal(409, "no_mail", f"{message}their own, to whom no mail is under way.")
    return asked


def refuse_mail(mails: LinkMails, settings: Settings, owner: int) -> None:
    """409 where no mail can go out."""
    if settings.mail is None:
        raise Refusal(409, "no_mail_server", "This server has no mail server to send links by.")
    closed = mails.why_closed(owner)
    if closed is not None:
        message = f"{closed[0].upper()}{closed[1:]}. Nothing was sent."
        raise Refusal(409, "not_open", message)
