"""Many requests to one endpoint: several at once, tried again, within a budget, each kept once.

Threads ask; the one that called writes the answers down, so that the file has one writer.
"""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankwise.judging.endpoint.answer_log import AnswerLog, KeptReply
from rankwise.judging.endpoint.budget import Budget
from rankwise.judging.endpoint.chat_exchange import CallFailed, ChatRequest, Reply, ask_once
from rankwise.judging.endpoint.endpoint_settings import Endpoint
from rankwise.judging.endpoint.pacing import LONGEST_WAIT, Pace, backoff_seconds

#: So many questions in a row without a reply, and the endpoint counts as down.
MOST_FAILURES = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and what the file of answers says it is about."""

    request: ChatRequest
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Result:
    asked: Asked
    reserved: float
    kept: KeptReply | None = None
    failure: CallFailed | None = None


@dataclass(slots=True)
class RunState:
    """How the run goes: why it ended early, if it did, and which requests have no reply."""

    stopped: str = ""
    failed: dict[str, str] = field(default_factory=dict)
    in_a_row: int = 0
    new: int = 0


class QuestionRunner:
    """Asks *endpoint*, keeps replies in *log* and within *budget*."""

    def __init__(self, endpoint: Endpoint, log: AnswerLog, budget: Budget) -> None:
        self._endpoint, self._log, self._budget = endpoint, log, budget
        self._pace = Pace(endpoint.requests_per_minute)
        self._stop = threading.Event()
        self._work: queue.SimpleQueue[_Result | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[_Result] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self.state = RunState()

    def run(self, asked: Sequence[Asked], progress: Callable[[int], object] | None = None) -> None:
        """Ask whatever has no reply yet; when this returns nothing is on its way.

        A run that ended early asks nothing more.
        """
        distinct = {one.request.key: one for one in asked}  # equal texts are asked about once
        waiting = deque(one for key, one in distinct.items() if self._log.get(key) is None)
        if progress is not None:
            progress(len(asked) - len(waiting))
        flying = 0
        while flying or (waiting and not self.state.stopped):
            while self._may_send(waiting, flying):
                self._send(waiting.popleft())
                flying += 1
            if not flying:
                break
            self._settle(self._done.get())
            flying -= 1
            if progress is not None:
                progress(1)

    def close(self) -> None:
        """Let the threads end."""
        self._stop.set()
        for _ in self._threads:
            self._work.put(None)

    def _may_send(self, waiting: deque[Asked], flying: int) -> bool:
        """Whether the next may go now; a budget at its end with nothing on its way ends the run."""
        if self.state.stopped or not waiting or flying >= self._endpoint.concurrency:
            return False
        refusal = self._budget.reserve(waiting[0].request)
        if refusal and not flying:
            self.state.stopped = refusal
        return refusal is None

    def _send(self, asked: Asked) -> None:
        if len(self._threads) < self._endpoint.concurrency:
            thread = threading.Thread(target=self._serve, daemon=True)
            self._threads.append(thread)
            thread.start()
        self._work.put(_Result(asked, self._budget.most(asked.request)))

    def _settle(self, result: _Result) -> None:
        """Keep a reply, or note why there is none."""
        request, state = result.asked.request, self.state
        if result.kept is not None:
            self._log.add(request.key, result.kept, result.asked.about)
            self._budget.settle(request, result.reserved, result.kept.reply)
            state.failed.pop(request.key, None)
            state.in_a_row, state.new = 0, state.new + 1
            return
        self._budget.settle(request, result.reserved, None)
        assert result.failure is not None
        state.failed[request.key] = str(result.failure)
        state.in_a_row += 1
        nobody_listens = result.failure.unreached and not state.new
        if result.failure.stops or nobody_listens or state.in_a_row >= MOST_FAILURES:
            state.stopped = state.stopped or str(result.failure)
            self._stop.set()

    def _serve(self) -> None:
        """What a thread does: ask, until there is nothing more."""
        while (result := self._work.get()) is not None:
            try:
                result.kept = self._ask(result.asked.request)
            except CallFailed as failure:
                result.failure = failure
            except Exception as error:  # whatever it is, the one who waits must hear of it
                said = self._endpoint.without_key(f"{type(error).__name__}: {error}")
                result.failure = CallFailed(f"asking failed ({said})", stops=True)
            self._done.put(result)

    def _ask(self, request: ChatRequest) -> KeptReply:
        """The reply, after as many tries as the endpoint is worth."""
        start, tries = time.monotonic(), 0
        while True:
            if not self._pace.wait_for_turn(self._stop):
                if not tries:
                    self._budget.give_back()
                raise CallFailed("the run ended before it was asked")
            if tries and (refusal := self._budget.count_retry()):
                raise CallFailed(refusal, stops=True)
            tries += 1
            try:
                reply: Reply = ask_once(self._endpoint, request)
            except CallFailed as failure:
                self._wait_after(failure, tries)
                continue
            seconds = round(time.monotonic() - start, 3)
            return KeptReply(reply, tries, seconds, self._endpoint.place)

    def _wait_after(self, failure: CallFailed, tries: int) -> None:
        """Wait before the next try; raise where there is none."""
        never_answered = failure.unreached and not self.state.new
        if not failure.passes or never_answered or tries > self._endpoint.retries:
            raise failure
        if failure.wait is not None:
            if failure.wait > LONGEST_WAIT:
                raise CallFailed(
                    f"{failure}; it asks to wait for {failure.wait:.0f} seconds", stops=True
                )
            self._pace.pause(failure.wait)  # limits are of the account: they hold for all threads
        if self._stop.wait(backoff_seconds(self._endpoint.backoff, tries)):
            raise failure
