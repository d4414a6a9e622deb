"""One request over HTTP: checked certificates, no redirects, a deadline for the whole answer."""

import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

#: The longest answer that is read; what is longer is none.
LONGEST_ANSWER = 4 << 20
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back, whatever its status."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    cookies: tuple[str, ...] = ()


class NoHttpAnswer(Exception):  # noqa: N818 - it reads as what it says
    """Nothing came back, or only a part; ``unreached`` where the endpoint never took the request.

    ``is_final`` where trying again would not help, as with a certificate that nobody vouches for.
    """

    def __init__(self, reason: str, *, unreached: bool = False, is_final: bool = False) -> None:
        super().__init__(reason)
        self.unreached, self.is_final = unreached, is_final


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer like any other: the key does not follow it to another host."""

    def redirect_request(self, *_: Any) -> None:
        """No further request."""


class _Watched:
    """The connection of one request, which can be cut from outside."""

    def __init__(self) -> None:
        self.sockets: list[socket.socket] = []
        self.is_late = False

    def cut(self) -> None:
        """End whatever the connection waits for."""
        self.is_late = True
        for one in self.sockets:
            with suppress(OSError):
                socket.socket.shutdown(one, socket.SHUT_RDWR)

    def plain(self, host: str, **given: Any) -> http.client.HTTPConnection:
        """A connection whose socket is known here."""
        return self._known(http.client.HTTPConnection(host, **given))

    def secure(self, host: str, **given: Any) -> http.client.HTTPConnection:
        """The same with TLS."""
        return self._known(http.client.HTTPSConnection(host, **given))

    def _known(self, connection: http.client.HTTPConnection) -> http.client.HTTPConnection:
        connect: Callable[[], None] = connection.connect

        def connect_and_tell() -> None:
            connect()
            self.sockets.append(connection.sock)
            if self.is_late:
                raise TimeoutError

        connection.connect = connect_and_tell  # type: ignore[method-assign]
        return connection


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, watched: _Watched) -> None:
        super().__init__()
        self._watched = watched

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """The answer over a watched connection."""
        return self.do_open(self._watched.plain, req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, watched: _Watched) -> None:
        super().__init__(context=_context())
        self._watched = watched

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """The answer over a watched connection with TLS."""
        return self.do_open(self._watched.secure, req, context=_context())


@cache
def _context() -> ssl.SSLContext:
    """Certificates and host names are checked; ``SSL_CERT_FILE`` names further authorities."""
    return ssl.create_default_context()


def post(
    address: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    timeout: float,
    through_proxy: bool = True,
) -> HttpAnswer:
    """The answer to *body*, within *timeout* seconds from the first byte sent to the last read.

    Proxies are those of the environment, unless not *through_proxy*.
    """
    return exchange("POST", address, headers, body, timeout=timeout, through_proxy=through_proxy)


def exchange(
    method: str,
    address: str,
    headers: Mapping[str, str],
    body: bytes | None,
    *,
    timeout: float,
    through_proxy: bool = True,
) -> HttpAnswer:
    """The answer to a request of any *method*; see :func:`post`."""
    watched = _Watched()
    proxies = urllib.request.ProxyHandler(None if through_proxy else {})
    opener = urllib.request.build_opener(proxies, _NoRedirects(), _Plain(watched), _Secure(watched))
    request = urllib.request.Request(address, data=body, headers=dict(headers), method=method)
    with _deadline(watched, timeout), _failures(watched, timeout):
        try:
            with opener.open(request, timeout=timeout) as answer:
                return _whole(answer.status, answer)
        except urllib.error.HTTPError as error:
            with error:
                return _whole(error.code, error)


def _whole(status: int, answer: Any) -> HttpAnswer:
    cookies = tuple(answer.headers.get_all("Set-Cookie") or ())
    return HttpAnswer(status, dict(answer.headers), _read(answer), cookies)


@contextmanager
def _deadline(watched: _Watched, seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, watched.cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _failures(watched: _Watched, timeout: float) -> Iterator[None]:
    """Whatever the libraries raise, as one exception; after the deadline, as that."""
    try:
        yield
    except NoHttpAnswer as error:
        if watched.is_late:  # we cut it ourselves
            raise NoHttpAnswer(f"no whole answer within {timeout:g} seconds") from error
        raise
    except urllib.error.URLError as error:
        raise _no_answer(error.reason, watched, timeout, unreached=not watched.sockets) from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise _no_answer(error, watched, timeout) from error
    if watched.is_late:
        raise NoHttpAnswer(f"no whole answer within {timeout:g} seconds")


def _no_answer(
    reason: object, watched: _Watched, timeout: float, *, unreached: bool = False
) -> NoHttpAnswer:
    if watched.is_late or isinstance(reason, TimeoutError):
        return NoHttpAnswer(f"no whole answer within {timeout:g} seconds")
    if isinstance(reason, ssl.SSLCertVerificationError):
        return NoHttpAnswer(
            f"its certificate is not trusted ({reason.verify_message})", is_final=True
        )
    if isinstance(reason, OSError) and reason.strerror:
        return NoHttpAnswer(reason.strerror, unreached=unreached)
    said = type(reason).__name__ if isinstance(reason, Exception) else str(reason)
    return NoHttpAnswer(f"the connection broke ({said})", unreached=unreached)


def _read(answer: Any) -> bytes:
    """The whole body; an error for one that is cut short or too long."""
    body = bytearray()
    while block := answer.read1(_BLOCK):
        body += block
        if len(body) > LONGEST_ANSWER:
            raise NoHttpAnswer(f"an answer of more than {LONGEST_ANSWER >> 20} MiB")
    promised = answer.headers.get("Content-Length")
    if promised is not None and promised.isdigit() and len(body) < int(promised):
        raise NoHttpAnswer(f"the connection was cut after {len(body)} of {promised} bytes")
    return bytes(body)
