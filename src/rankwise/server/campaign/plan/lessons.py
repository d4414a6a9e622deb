"""Screens with a known answer: items of the tutorial, and an organiser's own checks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankwise.errors import DataError
from rankwise.server.campaign.plan.lesson_rules import LessonRule, failed_rules, read_rule
from rankwise.server.campaign.plan.plan_keys import PlanKeys
from rankwise.server.campaign.plan.protocol_kinds import Protocol
from rankwise.server.phrases import Phrase
from rankwise.server.records import Json


@dataclass(frozen=True, slots=True)
class TutorialItem:
    """A screen to learn on: ``answer`` is in the order of ``outputs``, ``feedback`` tells why.

    A document has further segments in ``more``: pairs of a source and its outputs. An answer that
    breaks one of ``rules`` gets that rule's hint, or ``hint``, and another try.
    """

    source: str
    outputs: tuple[str, ...]
    answer: Mapping[str, Any] | None = None
    feedback: str = ""
    more: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rules: tuple[LessonRule, ...] = ()
    hint: str = ""

    @property
    def rows(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Source and outputs of every segment."""
        return ((self.source, self.outputs), *self.more)

    def mistakes(self, rules: Protocol, answer: Json) -> tuple[str, ...]:
        """A hint for everything that an answer gets wrong; empty if it is right."""
        broken = failed_rules(self.rules, rules, answer)
        if broken:
            return tuple(dict.fromkeys(rule.hint or self.hint or rule.words for rule in broken))
        if self.rules or self.answer is None or rules.agrees(answer, self.answer):
            return ()
        return (self.hint or Phrase("We would answer otherwise. Look again."),)


def read_lesson(keys: PlanKeys, rules: Protocol) -> TutorialItem:
    """An item of a plan's table."""
    outputs = _outputs(keys, rules)
    more = tuple(
        (one.text("source"), _outputs(one, rules, len(outputs))) for one in keys.inners("more")
    )
    if more and not rules.is_document:
        raise keys.error("more", len(more), f"one segment: {rules.name} shows no documents")
    shape = [len(outputs)] * (1 + len(more))
    found = TutorialItem(
        keys.text("source"),
        outputs,
        _answer(keys, rules, shape),
        keys.text("feedback", "", empty=True),
        more,
        tuple(read_rule(one, rules, shape) for one in keys.inners("rules")),
        keys.text("hint", "", empty=True),
    )
    if found.answer is None and not found.rules:
        raise keys.error("answer", None, "the right answer, or rules in its place")
    keys.finish()
    return found


def _outputs(keys: PlanKeys, rules: Protocol, size: int | None = None) -> tuple[str, ...]:
    outputs = keys.texts("outputs")
    least, most = (rules.least, rules.most) if size is None else (size, size)
    if not least <= len(outputs) <= most:
        expected = f"{least} to {most} texts" if size is None else f"{size} texts"
        raise keys.error("outputs", list(outputs), expected)
    return outputs


def _answer(keys: PlanKeys, rules: Protocol, shape: list[int]) -> Mapping[str, Any] | None:
    answer: Any = keys.raw("answer", None)
    if answer is None:
        return None
    try:
        answer = rules.validate(answer, shape[0])
        if rules.is_document and len(answer["segments"]) != len(shape):
            raise DataError(f"it has {len(answer['segments'])} of {len(shape)} segments")
    except DataError as error:
        raise keys.error("answer", answer, f"an answer to {shape[0]} texts: {error}") from error
    return dict(answer)


def lesson_json(item: TutorialItem) -> dict[str, object]:
    """An item as the table of a plan; what is not said is left out."""
    found: dict[str, object] = {"source": item.source, "outputs": list(item.outputs)}
    found["answer"] = None if item.answer is None else dict(item.answer)
    found["more"] = [{"source": source, "outputs": list(texts)} for source, texts in item.more]
    found["rules"] = [_rule_json(rule) for rule in item.rules]
    found |= {"feedback": item.feedback, "hint": item.hint}
    return {key: value for key, value in found.items() if value not in (None, "", [])}


def _rule_json(rule: LessonRule) -> dict[str, object]:
    names = ("text", "segment", "score", "span", "severity", "near", "above", "hint")
    found = {name: getattr(rule, name) for name in names}
    plain = {key: list(one) if isinstance(one, tuple) else one for key, one in found.items()}
    return {key: one for key, one in plain.items() if one not in (None, "", 0)}
