"""Simulated judges who work through HTTP as the page does: a link, a session, tasks, receipts.

``JudgeClient`` is one of them; ``crowd`` lets many work at the same time and keeps how long each
request took and every receipt that was given.
"""

import json
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie

#: A browser on our own page says so; the server refuses anybody else.
HEADERS = {"accept": "application/json", "sec-fetch-site": "same-origin"}


class JudgeClient:
    """A judge with a personal link; answers come from ``rate(task) -> answer``.

    It speaks HTTP by the standard library alone: a hundred judges on the machine of the server
    must not be what keeps it busy.
    """

    def __init__(self, link, rate, *, timeout=120.0):
        base, _, self.token = link.rpartition("/j/")
        self.rate = rate
        self.http = HTTPConnection(base.removeprefix("http://"), timeout=timeout)
        self.headers = dict(HEADERS)

    def sign_in(self):
        """Press the button of the link's page."""
        status, headers, body = self._send("POST", f"/j/{self.token}")
        if status != 303:
            raise RuntimeError(f"signing in: {status} {body[:300]!r}")
        found = SimpleCookie()
        for value in headers.get_all("set-cookie", ()):
            found.load(value)
        self.headers["cookie"] = "; ".join(f"{name}={c.value}" for name, c in found.items())
        self.headers["x-csrf-token"] = self._json("GET", "/judge/session")["csrf"]

    def next(self):
        """The task in hand or a new one; ``None`` when there is nothing to do."""
        return self._json("POST", "/judge/next", {"new_sitting": True}).get("task")

    def submit(self, task):
        """Send the answer to a task; the receipt, once it is stored. The server leases the next."""
        body = {"answer": self.rate(task), "active_ms": 1000}
        return self._json("POST", f"/judge/tasks/{task['token']}/answer", body)["receipt"]

    def draft(self, task, version, content):
        """Keep what is half done, as the page does a moment after every change."""
        body = {"version": version, "content": {"answer": content}}
        return self._json("PUT", f"/judge/tasks/{task['token']}/draft", body)

    def _json(self, method, path, body=None):
        status, _, answer = self._send(method, path, body)
        if status != 200:
            raise RuntimeError(f"{method} {path.split('/')[-1]}: {status} {answer[:300]!r}")
        return json.loads(answer)

    def _send(self, method, path, body=None):
        sent = None if body is None else json.dumps(body)
        kind = {} if body is None else {"content-type": "application/json"}
        self.http.request(method, path, sent, {**self.headers, **kind})
        answer = self.http.getresponse()
        return answer.status, answer.headers, answer.read()

    def close(self):
        """Hang up."""
        self.http.close()


@dataclass
class Crowd:
    """What a crowd of judges went through: seconds by request, receipts by token, what failed."""

    seconds: dict[str, list[float]] = field(
        default_factory=lambda: {"next": [], "draft": [], "submit": []}
    )
    receipts: dict[str, str] = field(default_factory=dict)
    resent: int = 0
    mismatched: int = 0
    errors: Counter = field(default_factory=Counter)
    elapsed: float = 0.0


def crowd(links, rate, *, screens, resend=0.0, abandon=0.0, seed=1, pause=0.0, drafts=0):
    """Let the judges of *links* answer up to *screens* screens each, all at the same time.

    The share *resend* of answers is sent twice, the share *abandon* of tasks is left lying (the
    judge stops there). *pause* is the mean time a judge takes over a screen, in seconds; judges
    arrive spread over it, and save *drafts* while they judge.
    """
    found, guard = Crowd(), threading.Lock()

    def work(number, link):
        drawn = random.Random(seed * 1000 + number)
        judge = JudgeClient(link, rate)
        try:
            time.sleep(drawn.random() * pause)
            judge.sign_in()
            for _ in range(screens):
                share = pause / (1 + drafts)
                if not _one(judge, found, guard, drawn, resend, abandon, share, drafts):
                    break
                time.sleep(drawn.expovariate(1 / share) if pause else 0)
        except Exception as error:  # counted, and the caller decides
            with guard:
                found.errors[f"{type(error).__name__}: {error}"[:200]] += 1
        finally:
            judge.close()

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(links)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found.elapsed = time.perf_counter() - start
    return found


def _one(judge, found, guard, drawn, resend, abandon, pause, drafts):
    """One screen; whether the judge goes on."""
    start = time.perf_counter()
    task = judge.next()
    asked = time.perf_counter() - start
    with guard:
        found.seconds["next"].append(asked)
    if task is None or drawn.random() < abandon:
        return False
    for version in range(1, drafts + 1):
        time.sleep(drawn.expovariate(1 / pause) if pause else 0)
        start = time.perf_counter()
        judge.draft(task, version + task["draft_version"], judge.rate(task))
        saved = time.perf_counter() - start
        with guard:
            found.seconds["draft"].append(saved)
    start = time.perf_counter()
    receipt = judge.submit(task)
    sent = time.perf_counter() - start
    is_resent = drawn.random() < resend
    again = judge.submit(task) if is_resent else receipt
    with guard:
        found.seconds["submit"].append(sent)
        found.receipts[task["token"]] = receipt
        found.resent += is_resent
        found.mismatched += again != receipt
    return True


def ranks_of(values):
    """Dense ranks, the largest value first.

    >>> ranks_of([3.0, 9.0, 3.0])
    [2, 1, 2]
    """
    order = sorted(set(values), reverse=True)
    return [order.index(value) + 1 for value in values]
