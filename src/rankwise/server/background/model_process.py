"""Models are fitted in a process of its own, so that no judge waits for standings or choices.

In a thread, fitting would share one interpreter with every request: each of the dozens of times
that a request gives it up for the database, it would wait for its turn. The process reads the
database for itself, without its lock; what it found comes back as values, and nothing is written.
"""

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from traceback import format_exception
from typing import Any, ParamSpec, TypeVar

from rankwise.engine.processes import end_with_parent
from rankwise.errors import StoreError
from rankwise.server.campaign.standings import standings
from rankwise.server.campaign.standings.contents import Standings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from rankwise.server.store.judging.queue import Choice

Found = tuple[int, Standings]
Asked = ParamSpec("Asked")
Answered = TypeVar("Answered")
_NICE = 10  # judges go first
_CLOSED = "the server stops; no models are fitted any more"
#: Ctrl-C, ``timeout`` and service managers tell every process of a group to stop, not the server
#: alone; the server finishes what is asked and then ends this process itself.
_FOR_THE_PARENT = (signal.SIGINT, signal.SIGTERM)


def standings_of(store: CampaignStore, campaign_id: int) -> Found:
    """How many judgments of people a campaign has, and how it stands by them."""
    campaign = store.campaigns.by_id(campaign_id)
    stored = list(store.log.stored(campaign_id))
    testset = store.campaigns.testset(campaign_id)
    scores, seed = store.scores.get(campaign_id), campaign.plan.seed
    found = standings.compute(campaign.plan, testset, stored, seed=seed, scores=scores)
    return sum(not judgment.is_machine for judgment in stored), found


class ModelsEnded(StoreError):  # noqa: N818 - it says what happened
    """The process ended in the middle of an answer: killed, most likely for its memory."""


class ModelProcess:
    """The process; it begins with the first question and ends with ``close`` or with its parent."""

    def __init__(self, url: str) -> None:
        """Take the address of the database."""
        self._url = url
        self._guard = Lock()
        self._running: tuple[BaseProcess, Connection] | None = None
        self._is_closed = False

    def standings(self, campaign_id: int) -> Found:
        """What ``standings_of`` finds there."""
        return self._ask(_standings, campaign_id)

    def choose(self, campaign_id: int, count: int, *, withdraw: bool) -> Choice:
        """What ``Queue.choose`` finds there."""
        return self._ask(_choose, campaign_id, count, withdraw)

    def _ask(
        self, question: Callable[Asked, Answered], *about: Asked.args, **named: Asked.kwargs
    ) -> Answered:
        """Ask the process; one that died is replaced the next time."""
        line = self._line()
        try:
            line.send((question, about, named))
            is_fine, answer = line.recv()
        except (EOFError, OSError) as error:
            self._end()
            if self._is_closed:
                raise StoreError(_CLOSED) from error
            raise ModelsEnded(
                "the process that fits the models ended, maybe for want of memory; it is tried "
                "again after a while"
            ) from error
        if not is_fine:
            raise answer
        found: Answered = answer
        return found

    def _line(self) -> Connection:
        """The line to the process, which is started if there is none."""
        with self._guard:
            if self._is_closed:
                raise StoreError(_CLOSED)
            if self._running is None:
                spawn = multiprocessing.get_context("spawn")
                ours, theirs = spawn.Pipe()
                process = spawn.Process(target=_answer, args=(self._url, theirs), daemon=True)
                with _for_the_parent():
                    process.start()
                theirs.close()  # or nobody would notice that the process is gone
                self._running = (process, ours)
            return self._running[1]

    def _end(self) -> None:
        """End the process at once: it only reads, so that nothing is lost but its answer."""
        with self._guard:
            if self._running is not None:
                process, line = self._running
                self._running = None
                process.kill()
                process.join()
                line.close()

    def close(self) -> None:
        """End the process for good, also in the middle of an answer."""
        self._is_closed = True
        self._end()


@contextmanager
def _for_the_parent() -> Iterator[None]:
    """Whatever this thread starts gets no signal to stop before it can say that it wants none.

    It takes a second or two to import what it needs, and would end in the midst of it.
    """
    resource_tracker.ensure_running()  # starting it would let the signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _FOR_THE_PARENT)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_url: str


def _answer(url: str, line: Connection) -> None:
    """What the process does: answer questions until there are no more."""
    _begin(url)
    while True:
        try:
            question, about, named = line.recv()
        except EOFError:
            return
        try:
            found: tuple[bool, Any] = (True, question(*about, **named))
        except Exception as error:  # whoever asked is told
            found = (False, _for_the_line(error))
        line.send(found)


def _for_the_line(error: Exception) -> Exception:
    """*error* as it can be sent, with its trace as a note."""
    error.add_note("".join(format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # some errors cannot be built again from what they hold
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _begin(url: str) -> None:
    """What the process does first."""
    global _url
    for number in _FOR_THE_PARENT:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _FOR_THE_PARENT)
    os.nice(_NICE)
    Thread(target=end_with_parent, daemon=True).start()
    _url = url


@cache
def _store() -> CampaignStore:
    # with the first question, whose answer can say what is wrong: beginning has none
    return CampaignStore(Database.open(_url, read_only=True))


def _standings(campaign_id: int) -> Found:
    return standings_of(_store(), campaign_id)


def _choose(campaign_id: int, count: int, withdraw: bool) -> Choice:
    return _store().queue.choose(campaign_id, count, withdraw=withdraw)
