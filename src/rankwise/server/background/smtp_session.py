"""One connection to a mail server: who may be written to is asked before the mail is handed over.

What goes wrong is one of two things. ``MailRefused``: the server said no to this mail, in a
sentence; with a code from 500 on it will say so again. ``MailLost``: there is no connection, or it
ended; where the mail was being handed over, nobody knows whether the server has it.
"""

import re
import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage
from types import TracebackType
from typing import Self

from rankwise.server.mail_server import MailServer

#: How long the server may be silent; it answers a whole mail after having looked at it.
PATIENCE = 60.0


class MailRefused(Exception):  # noqa: N818 - it says what happened
    """The server does not take a mail."""

    def __init__(self, code: int, said: bytes | str) -> None:
        words = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        super().__init__(f"{code} {' '.join(words.split())}")
        self.is_final = code >= 500


class MailLost(Exception):  # noqa: N818 - as above
    """There is no connection any more, or there never was."""


class SmtpSession:
    """A connection, for the block that it is opened for."""

    def __init__(self, server: MailServer, *, patience: float = PATIENCE) -> None:
        self._server, self._patience = server, patience
        self._smtp: smtplib.SMTP

    def __enter__(self) -> Self:
        """Connect, encrypt, sign in: all as it was asked for, or not at all."""
        server = self._server
        try:
            self._smtp = self._connected()
            if server.security == "starttls":
                self._smtp.starttls(context=ssl.create_default_context())
            self._smtp.ehlo_or_helo_if_needed()
            if server.user:
                self._smtp.login(server.user, server.password)
        except smtplib.SMTPNotSupportedError as error:
            wanted = "STARTTLS" if server.security == "starttls" else "signing in"
            raise self._lost(f"it does not offer {wanted}, which is required") from error
        except smtplib.SMTPAuthenticationError as error:
            refused = MailRefused(error.smtp_code, error.smtp_error)
            raise self._lost(f"it refused user or password: {refused}") from error
        except (smtplib.SMTPException, OSError, ValueError) as error:
            raise self._lost(_sentence(error)) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take leave, or hang up where something went wrong: half a mail is none."""
        if kind is None:
            with suppress(smtplib.SMTPException, OSError):
                self._smtp.quit()
        self._smtp.close()

    def _connected(self) -> smtplib.SMTP:
        server = self._server
        name = server.sender.rpartition("@")[2]  # not the machine's, which is nobody's business
        if server.security == "tls":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(
                server.host, server.port, name, timeout=self._patience, context=context
            )
        return smtplib.SMTP(server.host, server.port, name, timeout=self._patience)

    def _lost(self, why: str) -> MailLost:
        with suppress(AttributeError):  # it may not have come so far
            self._smtp.close()
        return MailLost(f"the mail server {self._server.host}: {why}")

    def offer(self, address: str) -> None:
        """Ask whether a mail to *address* is taken; nothing of it is sent yet."""
        try:
            self._smtp.rset()
            for code, said in (
                self._smtp.mail(self._server.sender),
                self._smtp.rcpt(address),
            ):
                if code // 100 != 2:
                    raise MailRefused(code, said)
        except (smtplib.SMTPException, OSError) as error:
            raise self._lost(_sentence(error)) from error

    def begin(self) -> None:
        """Begin with the mail to the address that was offered last."""
        try:
            code, said = self._smtp.docmd("DATA")
        except (smtplib.SMTPException, OSError) as error:
            raise self._lost(_sentence(error)) from error
        if code != 354:
            raise MailRefused(code, said)

    def hand_over(self, mail: EmailMessage) -> str:
        """Send the mail itself; what the server says when it has it."""
        lines = re.sub(rb"(?m)^\.", b"..", mail.as_bytes())
        try:
            self._smtp.send(lines + b".\r\n")
            code, said = self._smtp.getreply()
        except (smtplib.SMTPException, OSError) as error:
            raise self._lost(_sentence(error)) from error
        if code // 100 != 2:
            raise MailRefused(code, said)
        return f"{code} {said.decode('utf-8', 'replace')}"


def _sentence(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return str(MailRefused(error.smtp_code, error.smtp_error))
    if isinstance(error, TimeoutError):
        return "it was silent for too long"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate does not hold: {error.verify_message}"
    return " ".join(str(error).split()) or type(error).__name__
