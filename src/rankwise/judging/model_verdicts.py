"""What a model said about outputs: judgments like those of people, and how it went."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankwise.judging.endpoint.answer_log import KeptReply
from rankwise.judging.endpoint.budget import Spent
from rankwise.judging.questions.answer_values import STATUSES, Answer
from rankwise.judging.questions.question import Outputs, Question
from rankwise.judging.request_form import RequestForm
from rankwise.types import Assessments, Judgments, Ranking, TestSet
from rankwise.types.judging.assessments import Row
from rankwise.types.shown import Shown

#: What marks a machine among judges, as a further column of its judgments.
MACHINE = {"judge_kind": "machine"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A question, the reply to it if there is one, and what that says."""

    question: Question
    kept: KeptReply | None = None
    answer: Answer | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelVerdicts(Shown):
    """Judgments of a model, and how it came by them.

    ``judgments`` are its rankings (of the protocols ranking and pairwise), ``assessments`` its
    values (of the others); a question that it refused or answered with nonsense is a skipped
    screen there, or a row without a value. ``statuses`` counts the answers, ``unanswered`` the
    questions without any reply, and ``stopped`` says why the run ended early, if it did.
    """

    protocol: str
    model: str
    prompt: str
    judgments: Judgments | None = None
    assessments: Assessments | None = None
    statuses: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    unanswered: int = 0
    kept_before: int = 0
    spent: Spent = field(default_factory=Spent)
    cost: float | None = None
    unplaced: int = 0
    stopped: str = ""
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """How many questions were answered, in one line."""
        answered = self.statuses.get("answered", 0)
        return (
            f"<ModelVerdicts: {self.model}, {self.protocol}, "
            f"{answered} of {self.questions} questions answered>"
        )


def counted(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """How many answers have each status."""
    found = Counter(verdict.answer.status for verdict in verdicts if verdict.answer is not None)
    return {status: found[status] for status in STATUSES}


def rankings_of(
    verdicts: Sequence[Verdict], testset: TestSet, form: RequestForm, judge: str
) -> Judgments:
    """The rankings of what was answered; the systems stand in the order in which they were shown.

    The orders and repeats of a question share its screen, so that they are resampled together.
    """
    languages = (testset.source_language, testset.target_language)
    return Judgments.from_rankings(
        _ranking(verdict, verdict.answer, form, judge, languages)
        for verdict in verdicts
        if verdict.answer is not None
    )


def _ranking(
    verdict: Verdict, answer: Answer, form: RequestForm, judge: str, languages: tuple[str, str]
) -> Ranking:
    question = verdict.question
    shown = [(name, place) for place, names in enumerate(question.systems) for name in names]
    ranks = [None if answer.ranks is None else answer.ranks[place] for _, place in shown]
    places = tuple(place for _, place in shown)
    return Ranking(
        question.segment,
        judge,
        tuple(name for name, _ in shown),
        tuple(ranks),
        screen=f"m{question.number + 1}",  # never the name of a screen of people
        outputs=None if len(set(places)) == len(places) else places,
        source_language=languages[0],
        target_language=languages[1],
        info={
            name: cell for name, cell in _info(verdict, answer, form).items() if cell is not None
        },
    )


def values_said(
    verdicts: Sequence[Verdict], outputs: Outputs, form: RequestForm, judge: str
) -> Assessments:
    """A row for every system whose output was given a value, with the errors that were marked."""
    rows: list[Row] = []
    columns: dict[str, list[Any]] = {}
    for verdict, answer in _answered(verdicts):
        question = verdict.question
        value = float("nan") if answer.value is None else answer.value
        segment = outputs.segment(question.segment)
        info = {
            "document": segment.document,
            "domain": segment.domain,
            "spans": answer.spans,
            "look": f"m{question.number + 1}",
            **_info(verdict, answer, form),
        }
        for system in question.systems[0]:
            role = "REPEAT" if question.repeat else "TGT"
            rows.append((system, question.segment, judge, role, value))
            for name, cell in info.items():
                columns.setdefault(name, []).append(cell)
    told = {name: np.array(cells, object) for name, cells in columns.items() if any(cells)}
    return Assessments.from_rows(rows, name=form.protocol.kind, info=told)


def _answered(verdicts: Sequence[Verdict]) -> Iterator[tuple[Verdict, Answer]]:
    for verdict in verdicts:
        if verdict.answer is not None:
            yield verdict, verdict.answer


def _info(verdict: Verdict, answer: Answer, form: RequestForm) -> dict[str, str | None]:
    """What stands beside a judgment: that a machine made it, which, and how it was asked."""
    model = verdict.kept.reply.model if verdict.kept is not None else ""
    return {
        **MACHINE,
        "model": model or form.model,
        "prompt": form.prompt.signature,
        "unusable": None if answer.status == "answered" else answer.status,
    }
