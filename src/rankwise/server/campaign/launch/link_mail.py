"""A mail that brings a judge the personal link: the organiser's words, and what is sent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256

from rankwise.errors import DataError
from rankwise.server.campaign.launch.judge_words import words_of
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.mail_server import MailServer
from rankwise.server.phrases import LANGUAGES, Phrase

#: Where the link stands in the words.
PLACE = "{link}"
MOST_SUBJECT, MOST_TEXT = 200, 10_000
INVITATION = Phrase(
    "You are invited to judge translations. This link is personal: whoever has it works in your "
    "name, so please do not pass it on."
)
PSEUDONYM = Phrase("Your answers are stored under a pseudonym.")
#: Not printable for Python, and in good texts: joiners and marks of direction, wide spaces.
_MARKS = frozenset("\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u202f\u3000")
#: Pure ASCII, so that every server on the way takes it as it is.
_POLICY = SMTP.clone(cte_type="7bit")


@dataclass(frozen=True, slots=True)
class MailWords:
    """A subject and a plain text that has ``{link}`` once."""

    subject: str
    text: str

    @property
    def version(self) -> str:
        """A short name that changes with the words."""
        both = f"{self.subject}\0{self.text}"
        return sha256(both.encode("utf-8")).hexdigest()[:16]


def checked_words(subject: str, text: str) -> MailWords:
    r"""The words as they can be sent, or a DataError.

    A subject is one line: what breaks lines in it becomes a space.

    >>> checked_words(" Your\r\nBcc: link ", "Here: {link}\r\n")
    MailWords(subject='Your Bcc: link', text='Here: {link}\n')
    """
    subject = " ".join(subject.split())
    text = re.sub(r"\r\n?", "\n", text).strip("\n") + "\n"
    for name, words, most in (("subject", subject, MOST_SUBJECT), ("text", text, MOST_TEXT)):
        if not words.strip() or len(words) > most:
            found = f"{len(words)} characters" if words.strip() else "empty"
            raise DataError(f"the {name} of the mail is {found}; expected 1 to {most:,}")
        if not all(map(_may_stand, words)):
            raise DataError(f"the {name} of the mail has control characters; remove them")
    times = text.count(PLACE)
    if times != 1:
        raise DataError(f"the text of the mail has {PLACE} {times} times; expected once")
    return MailWords(subject, text)


def usual_words(name: str, plans: Sequence[Plan]) -> MailWords:
    """An invitation to what is called *name*, in the language that all *plans* have, or English.

    Characters that no mail may have, as a new emoji that Python does not know, are left out.
    """
    languages = {plan.language for plan in plans if plan.language in LANGUAGES}
    words = words_of(languages.pop() if len(languages) == 1 else "en")
    subject = words.own(plans[0], name) if len(plans) == 1 else name
    text = "\n\n".join((words(INVITATION), PLACE, words(PSEUDONYM)))
    subject = "".join(filter(_may_stand, subject)).strip()
    return checked_words((subject or words(INVITATION))[:MOST_SUBJECT], text)


def _may_stand(letter: str) -> bool:
    return letter.isprintable() or letter in "\n\t" or letter in _MARKS


def link_mail(
    words: MailWords, server: MailServer, *, address: str, link: str, name: str, now: datetime
) -> EmailMessage:
    """The mail to *address*; *name* tells it from every other and stays when it is sent again."""
    mail = EmailMessage(policy=_POLICY)
    mail["From"] = server.shown_sender
    mail["To"] = address
    mail["Subject"] = words.subject
    mail["Date"] = now
    mail["Message-ID"] = f"<{name}@{server.sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(words.text.replace(PLACE, link))
    return mail
