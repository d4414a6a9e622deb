"""A language model as a judge of a campaign: it works through its screens as a person would."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rankwise.judging.endpoint.answer_log import AnswerLog
from rankwise.judging.endpoint.budget import Budget, Spent
from rankwise.judging.endpoint.campaign_server import CampaignServer
from rankwise.judging.endpoint.endpoint_settings import Endpoint
from rankwise.judging.endpoint.question_runner import Asked, QuestionRunner
from rankwise.judging.questions.answer_values import Answer
from rankwise.judging.questions.campaign_tasks import (
    CampaignRules,
    CampaignTask,
    screen_answer,
)
from rankwise.judging.questions.question import Outputs, Question
from rankwise.judging.request_form import RequestForm, must_have_something

#: Why a campaign has no more for a judge, in words.
ENDINGS = {
    "all-done": "everything that people were asked so far is judged",
    "paused": "the campaign is paused",
    "closed": "the campaign is closed",
    "revoked": "the organiser ended the link",
}


@dataclass(frozen=True, slots=True)
class CampaignWork:
    """How the work went: screens ``answered`` and ``skipped`` with why, and why it ended.

    ``stopped`` is set where the model or the budget ended it; the screen in hand waits then.
    """

    model: str
    prompt: str
    answered: int
    skipped: Mapping[str, int]
    unsaid: int
    spent: Spent
    cost: float | None
    ending: str
    stopped: str = ""


@dataclass(slots=True)
class _Tally:
    answered: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    unsaid: int = 0


class CampaignJudge:
    """A model behind *endpoint* that judges for the campaign on *server*."""

    def __init__(
        self,
        server: CampaignServer,
        endpoint: Endpoint,
        log: AnswerLog,
        budget: Budget,
        *,
        again: int = 0,
    ) -> None:
        self._server, self._endpoint = server, endpoint
        self._log, self._budget, self._again = log, budget, again

    def rules(self) -> CampaignRules:
        """What the campaign asks."""
        return CampaignRules.of(self._server.plan())

    def work(
        self,
        form: RequestForm,
        rules: CampaignRules,
        *,
        most: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> CampaignWork:
        """Judge until there is nothing more, or *most* screens; what is sent is stored at once."""
        tally, ending, stopped = _Tally(), "as many screens as were asked for", ""
        runner = QuestionRunner(self._endpoint, self._log, self._budget)
        try:
            found = self._server.next() if most is None or most > 0 else {}
            while found:
                if "nothing" in found:
                    reason = str(found["nothing"].get("reason"))
                    ending = ENDINGS.get(reason, str(found["nothing"].get("message")))
                    break
                task = CampaignTask.of(found["task"], rules)
                stopped = self._judge(task, form, rules, runner, tally)
                if stopped:
                    break
                if progress is not None:
                    progress(1)
                done = tally.answered + sum(tally.skipped.values())
                found = {} if most is not None and done >= most else self._server.next()
        finally:
            runner.close()
        return CampaignWork(
            form.model,
            form.prompt.signature,
            tally.answered,
            dict(tally.skipped),
            tally.unsaid,
            self._budget.spent,
            self._budget.cost,
            ending,
            stopped,
        )

    def _judge(
        self,
        task: CampaignTask,
        form: RequestForm,
        rules: CampaignRules,
        runner: QuestionRunner,
        tally: _Tally,
    ) -> str:
        """Ask about a screen and send what was said; why nothing could be said, if so."""
        started = time.monotonic()
        answers = self._answers(task, must_have_something(task.texts, form), runner)
        if len(answers) < len(task.questions):
            failures = "; ".join(dict.fromkeys(runner.state.failed.values()))
            return runner.state.stopped or failures or "the model gave no reply"
        said = screen_answer(task, list(answers.values()), rules)
        details: dict[str, Any] = {"model": form.model[:200], "prompt": form.prompt.signature[:200]}
        details |= {"unsaid": said.unsaid} if said.unsaid else {}
        body = {
            "answer": dict(said.content),
            "active_ms": int(1000 * (time.monotonic() - started)),
            "comment": said.comment or None,
            "details": details,
        }
        self._server.send(task.token, said.kind, body)
        tally.answered += said.kind == "answer"
        tally.unsaid += said.unsaid
        if said.kind == "skip":
            tally.skipped[said.comment] += 1
        return ""

    def _answers(
        self, task: CampaignTask, form: RequestForm, runner: QuestionRunner
    ) -> dict[int, Answer]:
        """What the model said to each question that has a reply, by the question's number.

        What cannot be read is asked again, as often as is allowed.
        """
        outputs, found = Outputs(task.texts), dict[int, Answer]()
        for attempt in range(self._again + 1):
            left = [one for one in task.questions if not _is_answered(found.get(one.number))]
            asked = {one.number: self._asked(one, form, outputs, task, attempt) for one in left}
            self._count_kept(asked)
            runner.run(list(asked.values()))
            for question in left:
                kept = self._log.get(asked[question.number].request.key)
                if kept is not None:
                    found[question.number] = form.read(kept, question)
        return dict(sorted(found.items()))

    def _asked(
        self,
        question: Question,
        form: RequestForm,
        outputs: Outputs,
        task: CampaignTask,
        attempt: int,
    ) -> Asked:
        languages = (task.texts.source_language, task.texts.target_language)
        request = form.request(question, outputs, languages, attempt)
        about = {
            "protocol": form.protocol.name,
            "prompt": form.prompt.signature,
            "segment": question.segment,
            "systems": question.systems,
        }
        return Asked(request, about)

    def _count_kept(self, asked: Mapping[int, Asked]) -> None:
        """Replies of an earlier run count towards the limits of this one."""
        for one in asked.values():
            kept = self._log.get(one.request.key)
            if kept is not None:
                self._budget.count_kept(one.request, kept.reply, kept.tries)


def _is_answered(answer: Answer | None) -> bool:
    return answer is not None and answer.status == "answered"
