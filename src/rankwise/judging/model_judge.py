"""A language model as judge: asked about the outputs of a test set, its answers as judgments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankwise.aggregate.asking.next_screens import next_comparisons
from rankwise.aggregate.asking.posterior import Evidence, posterior
from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_lines, stem_of
from rankwise.judging.endpoint.answer_log import AnswerLog, open_log
from rankwise.judging.endpoint.budget import Budget, Prices
from rankwise.judging.endpoint.chat_exchange import AnswerFormat, ChatRequest
from rankwise.judging.endpoint.endpoint_settings import Endpoint
from rankwise.judging.endpoint.question_runner import Asked, QuestionRunner
from rankwise.judging.model_verdicts import (
    ModelVerdicts,
    Verdict,
    counted,
    rankings_of,
    values_said,
)
from rankwise.judging.questions.model_protocols import MODEL_PROTOCOLS
from rankwise.judging.questions.prompt_files import Prompt, parsed_prompt
from rankwise.judging.questions.question import Outputs, Question
from rankwise.judging.questions.question_plan import QuestionPlan
from rankwise.judging.request_form import RequestForm, must_have_something
from rankwise.types import Judgments, Study, TestSet
from rankwise.types.judging.screen import Screen

Progress = Callable[[int], object]


def judge(
    texts: TestSet | Study,
    endpoint: Endpoint,
    protocol: str = "ranking",
    *,
    k: int | None = None,
    questions: int | None = None,
    per_segment: int = 1,
    both_orders: bool = False,
    repeats: int = 1,
    adaptive: bool | str = False,
    screens: Sequence[Screen] | None = None,
    prompt: StrPath | None = None,
    with_reference: bool = True,
    answers: AnswerFormat = "schema",
    temperature: float = 0.0,
    max_tokens: int | None = None,
    settings: Mapping[str, Any] | None = None,
    again: int = 0,
    state: StrPath | None = None,
    max_requests: int | None = None,
    max_cost: float | None = None,
    prices: Prices | None = None,
    seed: int = 1,
    name: str = "",
    progress: Progress | None = None,
) -> ModelVerdicts:
    """What the model behind *endpoint* says about the outputs of *texts*.

    *protocol* is ``ranking`` (of *k* outputs), ``pairwise``, ``direct-assessment``, ``esa`` or
    ``mqm``. All outputs are asked about, every system in *per_segment* questions of a segment, or
    *screens* if given; at most *questions* of them, pairs in *both_orders*, each *repeats* times.
    *adaptive* asks what tells the systems apart soonest, in place of all: True, or a strategy of
    :func:`rankwise.next_comparisons`.

    Outputs are anonymous and in an order drawn by *seed*; *prompt* is a file of one's own. Replies
    are kept in the file *state*, from which a later call goes on; *max_requests* and *max_cost*, by
    *prices*, bound what all calls together use. What cannot be read is asked *again* so often, and
    never guessed. *name* is what the judge is called, if not as the model.
    """
    testset = _texts_of(texts)
    form = RequestForm.of(
        endpoint.model,
        protocol,
        None if prompt is None else read_prompt(prompt),
        answers=answers,
        temperature=temperature,
        max_tokens=max_tokens,
        settings=dict(settings or {}),
        with_reference=with_reference,
    )
    plan = plan_for(
        protocol,
        k=k,
        per_segment=per_segment,
        count=questions,
        both_orders=both_orders,
        repeats=repeats,
        seed=seed,
    )
    strategy = "clusters" if adaptive is True else adaptive or None
    asking = ModelJudge(
        form=form, plan=plan, screens=screens, strategy=strategy, again=again, name=name
    )
    budget = Budget(max_requests, max_cost, prices)
    with open_log(state) as log:
        return asking.verdicts(testset, endpoint, log, budget, progress)


def read_prompt(path: StrPath) -> Prompt:
    """The prompt of a file; one without a title is called as the file."""
    found = parsed_prompt("\n".join(line for _, line in read_lines(path)), name_of(path))
    return replace(found, name=stem_of(path)) if found.name == name_of(path) else found


def plan_for(protocol: str, *, k: int | None = None, **given: Any) -> QuestionPlan:
    """The plan of a protocol: *k* outputs (5 unless said) for a ranking, two for a pair, or one."""
    if protocol not in MODEL_PROTOCOLS:
        raise DataError(f"unknown protocol {protocol!r}; choose from {', '.join(MODEL_PROTOCOLS)}")
    fixed = {"ranking": None, "pairwise": 2}.get(protocol, 1)
    if fixed is not None and k not in (None, fixed):
        raise DataError(f"the protocol {protocol} shows {fixed} outputs at a time, not {k}")
    if fixed is None and k == 1:
        raise DataError("a ranking of one output says nothing; expected 2 or more")
    return QuestionPlan(k=fixed or k or 5, **given)


@dataclass(frozen=True, slots=True)
class JudgingEstimate:
    """What asking would take, before anything is asked; tokens and cost are estimates.

    ``kept`` questions have a reply already. ``tokens_out`` is what answers usually take, ``most``
    the cost if all were as long as they may be.
    """

    questions: int
    kept: int
    tokens_in: float
    tokens_out: float
    cost: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelJudge:
    """What a model is asked, and how."""

    form: RequestForm
    plan: QuestionPlan
    screens: Sequence[Screen] | None = None
    strategy: str | None = None
    batch: int = 20
    again: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        if self.strategy is not None and not self.form.protocol.ranks:
            raise DataError(
                "what tells systems apart is asked of rankings and pairs; values are asked of all"
            )
        if self.strategy is not None and self.screens is not None:
            raise DataError("screens are given or chosen, not both")

    def verdicts(
        self,
        testset: TestSet,
        endpoint: Endpoint,
        log: AnswerLog,
        budget: Budget,
        progress: Progress | None = None,
    ) -> ModelVerdicts:
        """The answers to all questions: those in the *log*, and those of *endpoint*."""
        form = must_have_something(testset, self.form)
        interview = _Interview(self, form, testset, endpoint, log, budget, progress)
        try:
            for questions in self._rounds(interview):
                interview.ask(questions)
        finally:
            interview.runner.close()
        return interview.result()

    def estimate(self, testset: TestSet, log: AnswerLog, budget: Budget) -> JudgingEstimate:
        """What all questions would take; where answers decide them, what as many others would."""
        form = must_have_something(testset, self.form)
        outputs, languages = Outputs(testset), _languages(testset)
        requests = [form.request(q, outputs, languages) for q in self.all_questions(testset)]
        asked = [request for request in requests if log.get(request.key) is None]
        tokens_in = sum(map(budget.estimated_tokens, asked))
        tokens_out = len(asked) * form.protocol.usual_tokens
        prices = budget.prices
        return JudgingEstimate(
            len(requests),
            len(requests) - len(asked),
            tokens_in,
            tokens_out,
            None if prices is None else prices.of(tokens_in, tokens_out),
            None if prices is None else sum(map(budget.most, asked)),
        )

    def all_questions(self, testset: TestSet) -> list[Question]:
        """The questions that do not depend on answers; an error where there are none."""
        if self.screens is None:
            found = self.plan.questions(testset)
        else:
            found = self.plan.of_screens(testset, self.screens)
        if not found:
            raise DataError(
                "there is nothing to ask; expected outputs, and where they are compared, two "
                "different ones of a segment"
            )
        return found

    def _rounds(self, interview: "_Interview") -> Iterator[list[Question]]:
        if self.strategy is None:
            yield self.all_questions(interview.testset)
            return
        testset = interview.testset
        first, most = 0, len({q.number for q in self.all_questions(testset)})
        seen: set[tuple[str | None, frozenset[str]]] = set()
        k = min(self.plan.k, len(testset.systems))
        while first < most and not interview.is_over:
            found = interview.rankings() if first else None
            if found is not None and _are_apart(found, testset.systems):
                return
            count, seed = min(self.batch, most - first), self.plan.seed + first
            screens = next_comparisons(found, k, count, seed, self.strategy, testset=testset)
            fresh = {(one.segment, frozenset(one.systems)): one for one in screens}
            new = [screen for key, screen in fresh.items() if key not in seen]
            seen |= fresh.keys()
            yield self.plan.of_screens(testset, new, first)
            first += count


class _Interview:
    """The questions asked so far, and what was said to them."""

    def __init__(
        self,
        asking: ModelJudge,
        form: RequestForm,
        testset: TestSet,
        endpoint: Endpoint,
        log: AnswerLog,
        budget: Budget,
        progress: Progress | None,
    ) -> None:
        self.testset, self._asking, self._form = testset, asking, form
        self._outputs, self._languages = Outputs(testset), _languages(testset)
        self._log, self._budget, self._progress = log, budget, progress
        self._place = endpoint.place
        self.runner = QuestionRunner(endpoint, log, budget)
        self._verdicts: list[Verdict] = []
        self._counted: set[str] = set()
        self._kept_before = self._elsewhere = 0

    @property
    def is_over(self) -> bool:
        """Whether the run ended early."""
        return bool(self.runner.state.stopped)

    def ask(self, questions: Sequence[Question]) -> None:
        """Ask, and ask again what cannot be read, as often as is allowed."""
        found = [Verdict(question) for question in questions]
        for attempt in range(self._asking.again + 1):
            open_ones = [n for n, one in enumerate(found) if not _is_answered(one)]
            asked = {n: self._asked(found[n].question, attempt) for n in open_ones}
            for one in asked.values():
                self._count_kept(one.request)
            self.runner.run(list(asked.values()), None if attempt else self._progress)
            self._counted |= {one.request.key for one in asked.values()}
            for n, one in asked.items():
                kept = self._log.get(one.request.key)
                if kept is not None:
                    answer = self._form.read(kept, found[n].question)
                    found[n] = replace(found[n], kept=kept, answer=answer)
        self._verdicts += found

    def rankings(self) -> Judgments:
        """What was said so far, as rankings."""
        asking = self._asking
        return rankings_of(
            self._verdicts, self.testset, self._form, asking.name or self._form.model
        )

    def result(self) -> ModelVerdicts:
        """Everything that was said."""
        form, state, verdicts = self._form, self.runner.state, self._verdicts
        judge = self._asking.name or form.model
        is_ranked = form.protocol.ranks
        return ModelVerdicts(
            protocol=form.protocol.name,
            model=form.model,
            prompt=form.prompt.signature,
            judgments=self.rankings() if is_ranked else None,
            assessments=None if is_ranked else values_said(verdicts, self._outputs, form, judge),
            statuses=counted(verdicts),
            questions=len(verdicts),
            unanswered=sum(verdict.answer is None for verdict in verdicts),
            kept_before=self._kept_before,
            spent=self._budget.spent,
            cost=self._budget.cost,
            unplaced=sum(v.answer.unplaced for v in verdicts if v.answer is not None),
            stopped=state.stopped,
            failures=tuple(dict.fromkeys(state.failed.values())),
            notes=tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        if self._elsewhere:
            yield f"{self._elsewhere} answers in the file came from another endpoint"
        if self._budget.spent.unsaid:
            yield (
                f"{self._budget.spent.unsaid} replies did not say how many tokens they took; "
                "they were estimated"
            )

    def _asked(self, question: Question, attempt: int) -> Asked:
        request = self._form.request(question, self._outputs, self._languages, attempt)
        about = {
            "protocol": self._form.protocol.name,
            "prompt": self._form.prompt.signature,
            "segment": question.segment,
            "systems": question.systems,
            "repeat": question.repeat,
        }
        return Asked(request, about)

    def _count_kept(self, request: ChatRequest) -> None:
        """Count a reply of an earlier run towards the limits of this one."""
        kept = self._log.get(request.key)
        if kept is not None and request.key not in self._counted:
            self._counted.add(request.key)
            self._budget.count_kept(request, kept.reply, kept.tries)
            self._kept_before += 1
            self._elsewhere += kept.endpoint != self._place


def _is_answered(verdict: Verdict) -> bool:
    return verdict.answer is not None and verdict.answer.status == "answered"


def _are_apart(judgments: Judgments, systems: tuple[str, ...]) -> bool:
    """Whether every system is in a cluster of its own."""
    board = posterior(Evidence.of(judgments, systems)).leaderboard()
    return int(board.clusters.max()) == len(systems)


def _languages(testset: TestSet) -> tuple[str, str]:
    return testset.source_language, testset.target_language


def _texts_of(texts: TestSet | Study) -> TestSet:
    if isinstance(texts, TestSet):
        return texts
    if texts.texts is None:
        raise DataError("the study has no texts; a judge needs outputs and their sources")
    return texts.texts
