"""The protocols that a model can follow: what is asked, in which shape, and how that is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rankwise.judging.questions.answer_values import (
    Reading,
    read_choice,
    read_esa,
    read_mqm,
    read_ranks,
    read_score,
)
from rankwise.judging.questions.question import Question

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelProtocol:
    """One way to judge.

    ``schema`` is the JSON schema of the answer to a question, ``reading`` makes an answer of it.
    ``kind`` is what values are called in files; empty for rankings. ``max_tokens`` bounds an
    answer, ``usual_tokens`` is what one is likely to take, for estimates.
    """

    name: str
    kind: str
    reading: Reading
    schema: Callable[[Question], Schema]
    max_tokens: int
    usual_tokens: int

    @property
    def ranks(self) -> bool:
        """Whether several outputs are ranked, instead of one being given a value."""
        return not self.kind


def _object(**properties: Schema) -> Schema:
    """An object with exactly these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _ranks(question: Question) -> Schema:
    return _object(ranks=_object(**{label: {"type": "integer"} for label in question.labels}))


def _choice(question: Question) -> Schema:
    return _object(better={"type": "string", "enum": [*question.labels, "tie"]})


def _score(_: Question) -> Schema:
    return _object(score={"type": "number"})


def _esa(_: Question) -> Schema:
    severity = {"type": "string", "enum": ["minor", "major"]}
    error = _object(text={"type": "string"}, severity=severity)
    return _object(errors={"type": "array", "items": error}, score={"type": "number"})


def _mqm(_: Question) -> Schema:
    text = {"type": "string"}
    severity = {"type": "string", "enum": ["minor", "major", "critical"]}
    error = _object(text=text, category=text, severity=severity)
    return _object(errors={"type": "array", "items": error})


MODEL_PROTOCOLS: Mapping[str, ModelProtocol] = {
    protocol.name: protocol
    for protocol in (
        ModelProtocol("ranking", "", read_ranks, _ranks, 400, 40),
        ModelProtocol("pairwise", "", read_choice, _choice, 400, 10),
        ModelProtocol("direct-assessment", "DA", read_score, _score, 400, 10),
        ModelProtocol("esa", "ESA", read_esa, _esa, 2000, 120),
        ModelProtocol("mqm", "MQM", read_mqm, _mqm, 2000, 120),
    )
}
