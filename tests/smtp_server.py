"""A mail server on the loopback that keeps what it gets, refuses whom it is told, and hangs up."""

import base64
import socketserver
import ssl
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import default


@dataclass
class SmtpServer:
    """What it does when: by command, and by recipient.

    ``refused`` maps a recipient, ``content`` or ``AUTH`` to an answer. ``hangs_up`` names where it
    ends a connection: ``RCPT``, ``DATA``, ``half`` of a mail, or ``after`` it has all of one, which
    it keeps.
    """

    port: int = 0
    refused: dict = field(default_factory=dict)
    hangs_up: str = ""
    tls: ssl.SSLContext | None = None
    is_tls_first: bool = False
    login: tuple[str, str] | None = None
    mails: list = field(default_factory=list)
    commands: list = field(default_factory=list)
    connections: int = 0

    def to(self):
        """The recipients of the mails that it has, as often as they got one."""
        return [recipient for recipient, _, _ in self.mails]

    def texts(self):
        return [mail.get_content().replace("\r\n", "\n") for _, mail, _ in self.mails]


class _Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        it = self.server.told
        it.connections += 1
        self.recipient, self.encrypted, self.signed_in = "", False, False
        if it.is_tls_first and not self.encrypt(it):
            return
        self.say("220 here")
        while line := self.rfile.readline():
            word, _, rest = line.decode().strip().partition(" ")
            word = word.upper()
            it.commands.append(f"{word} {rest}".strip())
            if it.hangs_up == word or self.answer(word, rest, it) is False:
                return

    def finish(self):
        super().finish()
        self.request.close()  # where it was encrypted, it is no longer the one that was accepted

    def say(self, *lines):
        self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())
        self.wfile.flush()

    def encrypt(self, it):
        try:
            self.request = it.tls.wrap_socket(self.request, server_side=True)
        except OSError:  # who calls does not trust us
            return False
        self.setup()
        self.encrypted = True
        return True

    def answer(self, word, rest, it):
        if word == "EHLO":
            offers = ["250-STARTTLS"] * (it.tls is not None and not self.encrypted)
            self.say("250-here", *offers, "250-AUTH PLAIN", "250 SIZE 100000")
        elif word == "STARTTLS" and it.tls is not None:
            self.say("220 go on")
            return self.encrypt(it)
        elif word == "AUTH":
            given = base64.b64decode(rest.split()[1]).decode().split("\0")[1:]
            self.signed_in = it.login is not None and tuple(given) == it.login
            self.say("235 welcome" if self.signed_in else "535 5.7.8 no, ann@example.org")
        elif word == "MAIL" and it.login and not self.signed_in:
            self.say("530 sign in first")
        elif word == "RCPT":
            self.recipient = rest.partition("<")[2].partition(">")[0]
            self.say(it.refused.get(self.recipient, "250 ok"))
        elif word == "DATA":
            return self.content(it)
        elif word == "QUIT":
            self.say("221 bye")
            return False
        else:
            self.say("250 ok")
        return True

    def content(self, it):
        self.say("354 go on")
        if it.hangs_up == "half":
            self.rfile.readline()
            return False
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b"."))
        if not line:
            return False
        if "content" in it.refused:
            self.say(it.refused["content"])
            return True
        raw = b"".join(lines)
        it.mails.append((self.recipient, message_from_bytes(raw, policy=default), raw))
        if it.hangs_up == "after":
            return False
        self.say(f"250 2.0.0 kept as {len(it.mails)}")
        return True


class _Listening(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    told: SmtpServer

    def handle_error(self, request, client_address):
        pass  # who hung up, or went away, did what the test wants


@contextmanager
def smtp_server(**told):
    """The server, running while the block does."""
    with _Listening(("127.0.0.1", 0), _Conversation) as listening:
        listening.told = SmtpServer(port=listening.server_address[1], **told)
        thread = threading.Thread(target=listening.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield listening.told
        finally:
            listening.shutdown()
            thread.join()
