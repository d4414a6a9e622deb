"""Sends the mails that were asked for: at a pace, once each, and tells how every one went.

A mail that the server refuses for now is tried again after minutes, then hours, and given up in the
end. From the moment it is handed over until the server says that it has it, nobody knows whether it
arrived: what breaks off there, in the network or because this process ends, is never sent again by
itself. The organiser sees it as unclear.
"""

import logging
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from rankwise.errors import StoreError
from rankwise.server.background.smtp_session import MailLost, MailRefused, SmtpSession
from rankwise.server.campaign.launch.link_mail import link_mail
from rankwise.server.mail_server import MailServer, plain_address
from rankwise.server.store.access.link_mails import LinkMail, LinkMails
from rankwise.server.store.campaign_store import CampaignStore

#: A mail, and the mails that it is one of: to judges of campaigns, or to people of events.
Due = tuple[LinkMails, LinkMail]
log = logging.getLogger("rankwise.server")

#: Minutes until the next try, one after the other; then a mail is given up.
PAUSES = (1, 5, 15, 60, 240)
#: Seconds between looks at whether there is mail.
LOOK = 3.0
_LONGEST = 300
_BROKE_OFF = "it may have arrived: the connection ended while it was handed over"


class Postman:
    """Sends what is due; ``stopped`` ends it after the mail that it is at."""

    def __init__(
        self,
        store: CampaignStore,
        server: MailServer,
        link: Callable[[str], str],
        stopped: threading.Event | None = None,
    ) -> None:
        """Take the *server*, and what makes an address of the path of a *link*."""
        self._store, self._server, self._link = store, server, link
        self._stopped = stopped or threading.Event()
        self._thread = threading.Thread(target=self._run, name="postman", daemon=True)
        self._next = 0.0

    def start(self) -> None:
        """Begin to look for mail."""
        self._thread.start()

    def stop(self, seconds: float) -> None:
        """End; who waits does so for so many *seconds* at most."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=seconds)

    def _run(self) -> None:
        said = ""
        while not self._stopped.is_set():
            try:
                self.deliver()
                said = ""
            except Exception as error:  # the thread must outlive whatever happens to one round
                if str(error) != said:  # once, not every few seconds
                    trace = None if isinstance(error, StoreError) else error
                    log.error("sending mail failed: %s", error, exc_info=trace)
                said = str(error)
            self._stopped.wait(LOOK)

    def deliver(self) -> None:
        """One round over all that is due, if this process is the one that sends."""
        with self._store.database.try_lock("postman") as is_mine:
            if not is_mine:
                return
            both: tuple[LinkMails, ...] = (self._store.mails, self._store.event_mails)
            for mails in both:
                for mail in mails.begun():  # nobody is at it: whoever was has ended
                    mails.settle(mail, "unclear", _BROKE_OFF)
            due = [(mails, mail) for mails in both for mail in mails.due()]
            due.sort(key=lambda one: one[1].number)
            while due and not self._stopped.is_set():
                due = self._send_some(due)

    def _send_some(self, due: list[Due]) -> list[Due]:
        """Send over one connection; what is left when it ended and another may do better."""
        try:
            with SmtpSession(self._server) as session:
                while due and not self._stopped.wait(self._next - time.monotonic()):
                    self._next = time.monotonic() + 60 / self._server.per_minute
                    (mails, mail), *due = due
                    self._send(session, mails, mail)
        except MailLost as error:
            for mails, mail in due:
                self._put_off(mails, mail, str(error))
            return []
        except _Broken:
            pass
        return due

    def _send(self, session: SmtpSession, mails: LinkMails, mail: LinkMail) -> None:
        address = plain_address(mails.address(mail) or "")
        if address is None:
            mails.settle(mail, "failed", "there is no address that mail could be sent to")
            return
        why_not = mails.why_not(mail)
        if why_not is not None:
            mails.settle(mail, "failed", why_not)
            return
        try:
            session.offer(address)
            session.begin()
        except MailRefused as error:
            self._refused(mails, mail, error, ())
            return
        except MailLost as error:
            self._put_off(mails, mail, str(error))
            raise _Broken from error
        self._hand_over(session, mails, mail, address)

    def _hand_over(
        self, session: SmtpSession, mails: LinkMails, mail: LinkMail, address: str
    ) -> None:
        """The mail itself, with a link that is made now."""
        begun = mails.begin(mail)
        if begun is None:
            mails.settle(mail, "failed", "the link or the address was gone before it was sent")
            raise _Broken  # the server waits for a mail, which it will not get
        mail, token = begun
        letter = link_mail(
            mails.words(mail),
            self._server,
            address=address,
            link=self._link(f"/j/{token}"),
            name=f"rankwise.{mail.name}",
            now=datetime.now(UTC),
        )
        try:
            said = session.hand_over(letter)
        except MailRefused as error:
            self._refused(mails, mail, error, (token,))
        except MailLost as error:
            why = f"{_BROKE_OFF} ({self._plain(str(error), (token,))})"
            self._say(mails.settle(mail, "unclear", why))
            raise _Broken from error
        else:
            self._say(mails.settle(mail, "sent", self._plain(said, (token,))))

    def _refused(
        self, mails: LinkMails, mail: LinkMail, error: MailRefused, secrets: tuple[str, ...]
    ) -> None:
        why = self._plain(str(error), secrets)
        if error.is_final:
            self._say(mails.settle(mail, "failed", why))
        else:
            self._put_off(mails, mail, why)

    def _put_off(self, mails: LinkMails, mail: LinkMail, why: str) -> None:
        """Try it later, or give it up after the last time."""
        tries = mail.tries if mail.state == "sending" else mail.tries + 1
        why = self._plain(why, ())
        if tries > len(PAUSES):
            why = f"given up after {tries} tries; {why}"
            self._say(mails.settle(mail, "failed", why))
            return
        due = self._store.clock() + PAUSES[tries - 1] * 60_000
        self._say(mails.put_off(mail, why, due))

    def _plain(self, said: str, secrets: tuple[str, ...]) -> str:
        """What the server said, without addresses and what nobody is to read."""
        for secret in (*secrets, self._server.password):
            said = said.replace(secret, "…") if secret else said
        said = re.sub(r"\S+@\S+", "…", said)
        said = "".join(one if one.isprintable() else " " for one in said)
        return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"

    def _say(self, mail: LinkMail | None) -> None:
        with suppress(StoreError):
            if mail is not None:
                level = logging.INFO if mail.state in ("sent", "waiting") else logging.WARNING
                log.log(level, "mail to %s: %s, %s", mail.label, mail.state, mail.why)


class _Broken(Exception):  # noqa: N818 - it is no error, the rest goes over another connection
    """Nothing more goes over the connection."""
