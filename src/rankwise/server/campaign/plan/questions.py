"""Questions to a judge before work: a text, a number or a choice; none of it joins a judgment."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan_keys import PlanKeys
from rankwise.server.phrases import Phrase

QuestionKind = Literal["text", "number", "choice"]
MOST_QUESTIONS, LONGEST_ANSWER = 50, 4000


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """One question; ``key`` names its column in the export."""

    key: str
    text: str
    kind: QuestionKind = "text"
    choices: tuple[str, ...] = ()
    required: bool = True

    def answered(self, given: str) -> str | float | None:
        """An answer as it is kept; ``None`` for none, a DataError for one that does not fit.

        >>> JudgeQuestion("years", "For how many years?", "number").answered(" 12,5 ")
        12.5
        """
        found = given.strip()
        if not found:
            if self.required:
                raise DataError(Phrase("Please answer this."))
            return None
        if self.kind == "number":
            return _number(found)
        if self.kind == "choice" and found not in self.choices:
            raise DataError(Phrase("Please choose one of the answers."))
        if len(found) > LONGEST_ANSWER:
            raise DataError(Phrase("Please use at most {most} characters.", most=LONGEST_ANSWER))
        return found


def _number(text: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError as error:
        raise DataError(Phrase("Please write a number.")) from error
    if not math.isfinite(value):
        raise DataError(Phrase("Please write a number."))
    return value


def questionnaire(
    questions: Sequence[JudgeQuestion], given: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The answers by key, and a sentence for every question whose answer does not fit."""
    answers: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for question in questions:
        try:
            answers[question.key] = question.answered(given.get(question.key, ""))
        except DataError as error:
            problems[question.key] = error.args[0]
    return answers, problems


def read_questions(keys: PlanKeys) -> tuple[JudgeQuestion, ...]:
    """The questions of a plan, each with a key of its own."""
    found = tuple(_question(one) for one in keys.inners("questions"))
    names = [question.key for question in found]
    if len(set(names)) < len(names) or len(names) > MOST_QUESTIONS:
        raise keys.error("questions", names, f"at most {MOST_QUESTIONS} different keys")
    return found


def _question(keys: PlanKeys) -> JudgeQuestion:
    key = keys.text("key")
    if not key.isidentifier() or len(key) > 40 or key in ("csrf", "judge", "answered_at"):
        raise keys.error("key", key, "a short name of letters, digits and _")
    kind: Any = keys.choice("kind", get_args(QuestionKind), "text")
    choices = keys.texts("choices", ())
    if (kind == "choice") != bool(choices):
        raise keys.error("choices", list(choices), "answers to choose from, for the kind 'choice'")
    found = JudgeQuestion(key, keys.text("text"), kind, choices, keys.flag("required", True))
    keys.finish()
    return found
