"""What an answer must say on a screen to learn on, or on an organiser's own check: small rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.plan_keys import PlanKeys
from rankwise.server.campaign.plan.protocol_kinds import Ordered, Protocol, Valued
from rankwise.server.phrases import Phrase
from rankwise.server.records import Json


@dataclass(frozen=True, slots=True)
class LessonRule:
    """One thing that an answer must say about a text; segments and texts are counted from 1.

    ``score``: the text's value lies from the first to the second number. ``span``: an error is
    marked that reaches within ``near`` characters of that place, with that ``severity`` if one is
    named. ``above``: the text is judged better than that other one. ``hint`` helps whoever fails.
    """

    text: int
    segment: int = 1
    score: tuple[float, float] | None = None
    span: tuple[int, int] | None = None
    severity: str | None = None
    near: int = 0
    above: int | None = None
    hint: str = ""

    def holds(self, rules: Protocol, answer: Json) -> bool:
        """Whether an answer (in the order of the outputs) says so."""
        values = text_values(rules, answer, self.segment)
        value = values[self.text - 1]
        if self.score is not None and not self.score[0] <= value <= self.score[1]:
            return False
        if self.above is not None and not value > values[self.above - 1]:
            return False
        return self.span is None or any(
            self._is_there(span)
            for span in answer["segments"][self.segment - 1][self.text - 1]["spans"]
        )

    def _is_there(self, span: Mapping[str, Any]) -> bool:
        if self.span is None or "start" not in span:
            return False
        touches = (
            span["start"] < self.span[1] + self.near and self.span[0] - self.near < span["end"]
        )
        return touches and self.severity in (None, span["severity"])

    @property
    def words(self) -> Phrase:
        """What the rule asks for, as a sentence for the judge."""
        text = Phrase("text {letter}", letter=letter(self.text))
        if self.segment > 1:
            text = Phrase(
                "text {letter} of segment {segment}",
                letter=letter(self.text),
                segment=self.segment,
            )
        if self.score is not None:
            return Phrase("Think again about the score of {text}.", text=text)
        if self.above is not None:
            other = Phrase("text {letter}", letter=letter(self.above))
            return Phrase("Compare {text} with {other} once more.", text=text, other=other)
        return Phrase("There is an error in {text} that you did not mark like that.", text=text)


def letter(text: int) -> str:
    """The letter that a text has on the page.

    >>> letter(1), letter(3)
    ('A', 'C')
    """
    return chr(ord("A") + text - 1)


def text_values(rules: Protocol, answer: Json, segment: int = 1) -> list[float]:
    """A number per text of a segment, higher is better: values as they are, ranks with a minus."""
    if isinstance(rules, Valued):
        if rules.is_document:
            row = answer["segments"][segment - 1]
            return rules.values({"segments": [row]})
        return rules.values(answer)
    if isinstance(rules, Ordered):
        row = answer["segments"][segment - 1] if rules.is_document else answer
        return [-float(rank) for rank in rules.ranks(row)]
    raise TypeError(rules)


def failed_rules(
    lesson: Sequence[LessonRule], rules: Protocol, answer: Json
) -> tuple[LessonRule, ...]:
    """The rules that an answer breaks, in their order."""
    return tuple(rule for rule in lesson if not rule.holds(rules, answer))


def read_rule(keys: PlanKeys, rules: Protocol, shape: Sequence[int]) -> LessonRule:
    """A rule of a plan's table; *shape* is the number of texts in every segment."""
    segment = keys.whole("segment", 1, least=1, most=len(shape))
    size = shape[segment - 1]
    found = LessonRule(
        keys.whole("text", least=1, most=size),
        segment,
        _range(keys, rules),
        _span(keys, rules),
        keys.text("severity", None) if keys.raw("severity", None) is not None else None,
        keys.whole("near", 0, least=0, most=10_000),
        keys.whole("above", least=1, most=size) if keys.raw("above", None) is not None else None,
        keys.text("hint", "", empty=True),
    )
    if found.score is None and found.span is None and found.above is None:
        raise keys.error("text", found.text, "'score', 'span' or 'above' beside it")
    if found.above == found.text:
        raise keys.error("above", found.above, "another text")
    keys.finish()
    return found


def _range(keys: PlanKeys, rules: Protocol) -> tuple[float, float] | None:
    value = keys.raw("score", None)
    if value is None:
        return None
    if not rules.is_scalar:
        raise keys.error("score", value, f"'above': {rules.name} has no scores")
    return _pair(keys, "score", value, (int, float))


def _span(keys: PlanKeys, rules: Protocol) -> tuple[int, int] | None:
    value = keys.raw("span", None)
    if value is None:
        return None
    if not isinstance(rules, Documented):
        raise keys.error("span", value, f"another rule: nothing is marked in {rules.name}")
    return _pair(keys, "span", value, (int,))


def _pair(keys: PlanKeys, key: str, value: object, kinds: tuple[type, ...]) -> tuple[Any, Any]:
    is_pair = isinstance(value, list | tuple) and len(value) == 2
    if not is_pair or not all(type(one) in kinds for one in value) or value[0] > value[1]:  # type: ignore[attr-defined, index]
        raise keys.error(key, value, "two numbers, the smaller one first")
    return tuple(value)  # type: ignore[arg-type, return-value]
