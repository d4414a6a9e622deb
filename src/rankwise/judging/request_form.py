"""How a question becomes a request: the prompt, the shape of the answer, the settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rankwise.errors import DataError
from rankwise.judging.endpoint.answer_log import KeptReply
from rankwise.judging.endpoint.chat_exchange import AnswerFormat, ChatRequest, answer_shape
from rankwise.judging.questions.answer_values import Answer, read_answer
from rankwise.judging.questions.model_protocols import MODEL_PROTOCOLS, ModelProtocol
from rankwise.judging.questions.prompt_files import Prompt, built_in_prompt, must_show, values_of
from rankwise.judging.questions.question import Outputs, Question
from rankwise.types import TestSet


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestForm:
    """What every question of a run has in common.

    *settings* are further fields of a request's body, such as ``{"top_p": 0.9}``; a value of None
    takes a field away.
    """

    model: str
    protocol: ModelProtocol
    prompt: Prompt
    answers: AnswerFormat = "schema"
    temperature: float = 0.0
    max_tokens: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    with_reference: bool = True

    @classmethod
    def of(cls, model: str, protocol: str, prompt: Prompt | None, **given: Any) -> "RequestForm":
        """The form of a protocol by its name, with its own prompt unless another is given."""
        if protocol not in MODEL_PROTOCOLS:
            raise DataError(
                f"unknown protocol {protocol!r}; choose from {', '.join(MODEL_PROTOCOLS)}"
            )
        found = built_in_prompt(protocol) if prompt is None else prompt
        must_show(found, several=MODEL_PROTOCOLS[protocol].ranks)
        return cls(model=model, protocol=MODEL_PROTOCOLS[protocol], prompt=found, **given)

    def request(
        self, question: Question, outputs: Outputs, languages: tuple[str, str], attempt: int = 0
    ) -> ChatRequest:
        """The request for a *question*."""
        segment = outputs.segment(question.segment)
        values = values_of(question, segment, languages, with_reference=self.with_reference)
        schema = self.protocol.schema(question)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": self.prompt.messages(values),
            "temperature": self.temperature,
            "max_tokens": self.max_tokens or self.protocol.max_tokens,
            **answer_shape(self.answers, self.protocol.name, schema),
            **self.settings,
        }
        given = {name: value for name, value in body.items() if value is not None}
        return ChatRequest(given, question.repeat, attempt)

    def read(self, kept: KeptReply, question: Question) -> Answer:
        """What a reply says."""
        reply = kept.reply
        return read_answer(
            reply.text, question, self.protocol.reading, refused=reply.refused, cut=reply.cut
        )


def must_have_something(testset: TestSet, form: RequestForm) -> RequestForm:
    """The form; an error where a model would see neither a source nor a reference."""
    has_source = any(segment.source for segment in testset.segments)
    has_reference = form.with_reference and any(s.references for s in testset.segments)
    if not has_source and not has_reference:
        raise DataError(
            "a judge needs the source texts or a reference; give --source or --reference"
        )
    return form if has_reference else replace(form, with_reference=False)
