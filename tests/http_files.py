"""A server of one file on this machine, which can be slow, cut short, forgetful or wrong."""

import hashlib
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rankwise.io.named_sets.set_list import Archive

CONTENT = bytes(range(256)) * 4000


class Server(ThreadingHTTPServer):
    """Serves CONTENT; what goes wrong is set by the tests."""

    daemon_threads = True
    takes_ranges = True
    cuts: tuple[int, ...] = ()  # after so many bytes, one answer after the other
    etag = '"one"'
    content = CONTENT
    wait = 0.0

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, str]] = []

    def archive(self, path="set.tgz", md5=None):
        digest = hashlib.md5(self.content).hexdigest() if md5 is None else md5
        return Archive(f"http://127.0.0.1:{self.server_address[1]}/{path}", digest)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        number = len(server.asked)
        server.asked.append(dict(self.headers))
        time.sleep(server.wait)
        if self.path == "/missing":
            self.send_error(404)
            return
        start = self.start()
        if start is not None and start >= len(server.content):
            self.send_error(416)
            return
        body = server.content[start or 0 :]
        self.send_response(200 if start is None else 206)
        self.send_header("Content-Length", str(len(body)))
        if server.etag:
            self.send_header("ETag", server.etag)
        if start is not None:
            whole = len(server.content)
            self.send_header("Content-Range", f"bytes {start}-{whole - 1}/{whole}")
        self.end_headers()
        cut = server.cuts[number] if number < len(server.cuts) else None
        self.wfile.write(body if cut is None else body[:cut])
        if cut is not None:
            self.close_connection = True

    def start(self):
        """The first byte that is asked for, if it is of this version."""
        said = self.headers.get("Range")
        if said is None or not self.server.takes_ranges:
            return None
        if self.headers.get("If-Range", self.server.etag) != self.server.etag:
            return None
        return int(said.removeprefix("bytes=").removesuffix("-"))

    def log_message(self, *_):
        pass


@contextmanager
def serving():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(10)
