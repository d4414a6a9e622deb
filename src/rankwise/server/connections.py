"""Connections that cannot hold the server up: limits on bytes, on silence and on their number.

A connection that has nothing to say gives way to the next one. So neither a room full of judges
behind one address nor a stranger with a thousand silent connections keeps anybody out.
"""

import asyncio
import logging
import resource
import time
from collections import defaultdict
from typing import Any, Literal

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from rankwise.server.networks import is_among, network_of
from rankwise.server.settings import Settings
from rankwise.server.web.security import HEADERS

log = logging.getLogger("rankwise.server")

Phase = Literal["silent", "head", "body", "busy"]
#: What is given to the parser at once: a head may be this much longer than the limit.
PIECE = 1 << 14
#: Bytes a second that a body has to come with, after its first seconds.
PACE = 4096
#: More connections than this are not held open, however many files the system allows.
MOST = 10_000
_WORDS = {
    400: "This is no HTTP request.",
    408: "The request took too long to arrive.",
    431: "The head of the request is too large.",
    503: "Too many connections are open. Try again in a few seconds.",
}


def room_for_connections() -> int:
    """How many connections this process may hold; the database needs open files as well."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return MOST
    return min(MOST, max(limit - 200, limit // 2))


class Door:
    """Who is connected, by address; lets in as many as there is room for."""

    def __init__(self, settings: Settings, *, room: int | None = None) -> None:
        """Take the limits; *room* is for all addresses together."""
        self.settings = settings
        self.room = room_for_connections() if room is None else room
        self._open: dict[str, set[GuardedConnection]] = defaultdict(set)
        self._count = 0
        self._warned_at = -60.0

    def enter(self, connection: "GuardedConnection") -> bool:
        """Let a connection in; where there is no room, the longest silent one has to go."""
        there, most = self._open[connection.network], self.settings.connections_per_address
        if len(there) >= most and not is_among(connection.host, self.settings.trusted_proxies):
            is_in = self._show_out(there, f"{connection.network} has {most:,} connections open")
        elif self._count >= self.room:
            everybody = set().union(*self._open.values())
            is_in = self._show_out(everybody, f"{self.room:,} connections are open")
        else:
            is_in = True
        there.add(connection)
        self._count += 1
        return is_in

    def leave(self, connection: "GuardedConnection") -> None:
        """Forget a connection that is closed."""
        there = self._open.get(connection.network, set())
        if connection in there:
            there.remove(connection)
            self._count -= 1
        if not there:
            self._open.pop(connection.network, None)

    def _show_out(self, among: set["GuardedConnection"], why: str) -> bool:
        """Close the connection that has waited longest without a request; whether one did."""
        waiting = [one for one in among if one.is_waiting]
        if waiting:
            min(waiting, key=lambda one: one.since).give_up()
        now = time.monotonic()
        if now - self._warned_at >= 60:
            done = "the longest silent one is closed" if waiting else "a new one is refused"
            log.warning("%s, as many as allowed; %s", why, done)
            self._warned_at = now
        return bool(waiting)


class GuardedConnection(HttpToolsProtocol):
    """A connection as uvicorn has it, with limits.

    ``phase`` is where it stands: nothing was said yet or all is answered (``silent``), a request
    begins (``head``), its body comes in (``body``), or it is being answered (``busy``).
    """

    def __init__(self, *, door: Door, **given: Any) -> None:
        """Take whom to ask for room, and what uvicorn gives."""
        super().__init__(**given)
        self.door, self.settings = door, door.settings
        self.host = self.network = "unknown"
        self.phase: Phase = "silent"
        self.since = self._looked_at = self.loop.time()
        self._beside_body = 0
        self._body_bytes = 0
        self._unsent, self._unsent_since = 0, self.since
        limits = (self.settings.header_seconds, self.settings.body_seconds)
        self._step = min(1.0, min(limits) / 4)
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether nobody loses an answer when it is closed."""
        return self.phase in ("silent", "head") and not self.transport.is_closing()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; where there is no room, say so and end."""
        super().connection_made(transport)
        if self.client is not None:
            self.host, self.network = self.client[0], network_of(self.client[0])
        self._timer = self.loop.call_later(self._step, self._look)
        if not self.door.enter(self):
            self._refuse(503)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.door.leave(self)
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what came in, piece by piece; bytes that belong to no body are few or too many."""
        for begin in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            piece = data[begin : begin + PIECE] if len(data) > PIECE else data
            if self.phase == "silent":
                self._enter("head")
            self._beside_body += len(piece)
            super().data_received(piece)
            if self._beside_body > self.settings.header_limit and not self.transport.is_closing():
                self._refuse(431)

    def on_message_begin(self) -> None:
        """A request begins, perhaps while the last one is still answered."""
        super().on_message_begin()
        self._enter("head")

    def on_headers_complete(self) -> None:
        """The head is whole; the time for the body begins."""
        self._enter("body")
        self._body_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._beside_body = 0
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._beside_body = 0
        self._enter("silent" if self.cycle.response_complete else "busy")
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is given; the next request may come or not."""
        if self.phase == "busy":
            self._enter("silent")
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, with the headers that all answers have."""
        del msg
        self._refuse(400)

    def give_up(self) -> None:
        """Close the connection, with a word to whoever began to speak."""
        if self.phase == "silent" or (self.cycle is not None and self.cycle.response_started):
            self.transport.close()
        else:
            self._refuse(408)

    def _enter(self, phase: Phase) -> None:
        self.phase, self.since = phase, self.loop.time()

    def _look(self) -> None:
        """Close what has been silent too long; look again in a moment."""
        now = self.loop.time()
        late = now - self._looked_at - self._step
        if late > self._step or self.flow.read_paused:  # it was we who did not listen
            self.since += now - self._looked_at
        self._looked_at = now
        self._timer = self.loop.call_later(self._step, self._look)
        if self._takes_nothing(now):
            self.transport.abort()
        elif not self.transport.is_closing() and now > self.since + self._allowed():
            self.give_up()

    def _allowed(self) -> float:
        """Seconds that the phase may last; how long an answer takes is not the other's fault."""
        if self.phase == "body":
            return self.settings.body_seconds + self._body_bytes / PACE
        if self.phase == "head" or (self.phase == "silent" and self.cycle is None):
            return self.settings.header_seconds
        return float("inf")  # uvicorn ends what is silent after an answer

    def _takes_nothing(self, now: float) -> bool:
        """Whether none of an answer was taken for too long."""
        unsent = self.transport.get_write_buffer_size()
        if not unsent or unsent != self._unsent:
            self._unsent, self._unsent_since = unsent, now
        return now - self._unsent_since > self.settings.stuck_seconds

    def _refuse(self, status: int) -> None:
        """Answer without asking the application, and close."""
        words = f"{_WORDS[status]}\n".encode()
        headers = {
            **HEADERS,
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Length": str(len(words)),
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(STATUS_LINE[status] + lines.encode() + b"\r\n" + words)
        self.transport.close()
