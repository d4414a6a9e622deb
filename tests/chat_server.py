"""A model on this machine that speaks the protocol of chat completions, and misbehaves on demand.

It prefers by chrF against the reference in the prompt, so its answers are the same every time. A
*trick* is called with the handler before an answer is made; it may answer in its place.
"""

import json
import re
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rankwise.metrics import metric

CHRF = metric("chrf")


def sentence_chrf(text, references):
    return round(float(CHRF.score(CHRF.statistics([text], [tuple(references)])[0])), 1)


class Model(ThreadingHTTPServer):
    """The server; ``asked`` holds the bodies, ``headers`` the headers, of all requests."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, tricks=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.tricks = list(tricks)
        self.always = None
        self.wait = 0.0
        self.asked, self.headers, self.times = [], [], []
        self.flying = self.most_flying = 0
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request, client_address):
        pass  # cut connections are meant


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.asked.append(body)
            server.headers.append(dict(self.headers))
            server.times.append(time.monotonic())
            server.flying += 1
            server.most_flying = max(server.flying, server.most_flying)
            trick = server.tricks.pop(0) if server.tricks else server.always
        time.sleep(server.wait)
        with server.lock:  # who has the answer may ask again before this thread goes on
            server.flying -= 1
        self.path_is_right = self.path.partition("?")[0] == "/v1/chat/completions"
        if trick is None or trick(self, body) is None:
            self.say(answer_to(body))

    def say(self, text, **more):
        """A chat completion with this text."""
        message = {"role": "assistant", "content": text, **more.pop("message", {})}
        choice = {"index": 0, "message": message, "finish_reason": more.pop("finish", "stop")}
        usage = more.pop("usage", {"prompt_tokens": 300, "completion_tokens": 12})
        content = {"id": "1", "model": "chrf-1", "choices": [choice], **more}
        self.send(200, content | ({"usage": usage} if usage else {}))

    def send(self, status, content, headers=()):
        """Any answer: an object is written as JSON."""
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)
        return True

    def log_message(self, *_):
        pass


# -- what it says ----------------------------------------------------------------------------------


def texts_of(body):
    """The outputs by their labels, and the reference, as the prompt shows them."""
    user = body["messages"][-1]["content"]
    outputs = {
        m[1]: json.loads(m[2]) for m in re.finditer(r'^([A-Z]): (".*")$', user, re.MULTILINE)
    }
    single = re.search(r'^The translation to (?:score|judge): (".*")$', user, re.MULTILINE)
    people = re.search(r'^Translations by people.*?:\n((?:".*"\n)+)', user, re.MULTILINE)
    if single:
        outputs = {"": json.loads(single[1])}
    return outputs, [json.loads(line) for line in people[1].splitlines()] if people else [""]


def answer_to(body):
    """The JSON that the schema of a request asks for, by chrF."""
    outputs, references = texts_of(body)
    scores = {label: sentence_chrf(text, references) for label, text in outputs.items()}
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    if "ranks" in wanted:
        ordered = sorted(set(scores.values()), reverse=True)
        return json.dumps({"ranks": {label: ordered.index(s) + 1 for label, s in scores.items()}})
    if "better" in wanted:
        best = [label for label, score in scores.items() if score == max(scores.values())]
        return json.dumps({"better": best[0] if len(best) == 1 else "tie"})
    said = {"errors": errors_in(outputs[""], references)} if "errors" in wanted else {}
    if "errors" in wanted and "score" not in wanted:
        said["errors"] = [
            {**error, "category": "accuracy/mistranslation"} for error in said["errors"]
        ]
    return json.dumps(said | ({"score": scores[""]} if "score" in wanted else {}))


def errors_in(output, references):
    known = set(" ".join(references).split())
    return [{"text": w, "severity": "minor"} for w in output.split() if w not in known]


# -- tricks ----------------------------------------------------------------------------------------


def status(number, message="trouble", headers=(), **error):
    return lambda handler, _: handler.send(
        number, {"error": {"message": message, **error}}, headers
    )


def saying(text, **more):
    def trick(handler, _):
        handler.say(text, **more)
        return True

    return trick


def raw(content, code=200, headers=()):
    return lambda handler, _: handler.send(code, content, headers)


def cut(handler, _):
    """Half an answer, then nothing."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.close_connection = True
    handler.connection.close()
    return True


def hang_up(handler, _):
    """The connection closed without a byte."""
    handler.close_connection = True
    handler.connection.close()
    return True


def drip(handler, _):
    """A byte at a time, for ever: every single one comes in time."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    try:
        for _ in range(1000):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        pass
    handler.close_connection = True
    return True


def drip_headers(handler, _):
    """Headers that never end."""
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        for _ in range(1000):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        pass
    handler.close_connection = True
    return True


def silence(seconds):
    def trick(handler, _):
        time.sleep(seconds)

    return trick


@contextmanager
def serving(tricks=()):
    with Model(tricks) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(10)
