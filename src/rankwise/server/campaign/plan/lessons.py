"""Screens with a known answer: items of the tutorial, and an organiser's own checks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankwise.errors import DataError
from rankwise.server.campaign.plan.lesson_rules import LessonRule, failed_rules, read_rule
from rankwise.server.campaign.plan.plan_keys import PlanKeys
from rankwise.server.campaign.plan.protocol_kinds import Protocol
from rankwise.server.campaign.plan.sources.media_files import MOST_WORDS
from rankwise.server.phrases import Phrase
from rankwise.server.records import Json


@dataclass(frozen=True, slots=True)
class LessonFile:
    """A picture, sound or video of the campaign, by its name; ``words`` say what is in it."""

    name: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class TutorialItem:
    """A screen to learn on: ``answer`` is in the order of ``outputs``, ``feedback`` tells why.

    A document has further segments in ``more``: pairs of a source and its outputs. An answer that
    breaks one of ``rules`` gets that rule's hint, or ``hint``, and another try. ``files`` has a
    place for each segment whose source may be a file; none at all where no source is.
    """

    source: str
    outputs: tuple[str, ...]
    answer: Mapping[str, Any] | None = None
    feedback: str = ""
    more: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rules: tuple[LessonRule, ...] = ()
    hint: str = ""
    files: tuple[LessonFile | None, ...] = ()

    @property
    def rows(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Source and outputs of every segment."""
        return ((self.source, self.outputs), *self.more)

    def without_files(self) -> "TutorialItem":
        """The item with what its files show in words, where that was all of a source."""
        if not self.files:
            return self
        rows = [
            (source or (file.words or file.name if file else ""), texts)
            for (source, texts), file in zip(self.rows, self.files, strict=True)
        ]
        return replace(self, source=rows[0][0], more=tuple(rows[1:]), files=())

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
    outputs, inners = _outputs(keys, rules), keys.inners("more")
    sources = [_source(one) for one in (keys, *inners)]
    more = tuple(
        (source, _outputs(one, rules, len(outputs)))
        for (source, _), one in zip(sources[1:], inners, strict=True)
    )
    if more and not rules.is_document:
        raise keys.error("more", len(more), f"one segment: {rules.name} shows no documents")
    shape = [len(outputs)] * (1 + len(more))
    found = TutorialItem(
        sources[0][0],
        outputs,
        _answer(keys, rules, shape),
        keys.text("feedback", "", empty=True),
        more,
        tuple(read_rule(one, rules, shape) for one in keys.inners("rules")),
        keys.text("hint", "", empty=True),
        tuple(file for _, file in sources) if any(file for _, file in sources) else (),
    )
    if found.answer is None and not found.rules:
        raise keys.error("answer", None, "the right answer, or rules in its place")
    for one in (keys, *inners):
        one.finish()
    return found


def lesson_files(items: Iterable[TutorialItem]) -> tuple[str, ...]:
    """The names of all files that some items show, each once."""
    return tuple(dict.fromkeys(file.name for item in items for file in item.files if file))


def _source(keys: PlanKeys) -> tuple[str, LessonFile | None]:
    """The source of a segment: a text, a file, or both."""
    name, words = (keys.text(key, "", empty=True) for key in ("asset", "asset_words"))
    if len(words) > MOST_WORDS or (words and not name):
        expected = f"at most {MOST_WORDS} characters about the file that 'asset' names"
        raise keys.error("asset_words", words, expected)
    if not name:
        return keys.text("source"), None
    return keys.text("source", "", empty=True), LessonFile(name, words)


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
    files = item.files or (None,) * len(item.rows)
    rows = [
        {"source": source, "outputs": list(texts)} | _file_json(file)
        for (source, texts), file in zip(item.rows, files, strict=True)
    ]
    found: dict[str, object] = dict(rows[0])
    found["answer"] = None if item.answer is None else dict(item.answer)
    found["more"] = rows[1:]
    found["rules"] = [_rule_json(rule) for rule in item.rules]
    found |= {"feedback": item.feedback, "hint": item.hint}
    return {key: value for key, value in found.items() if value not in (None, "", [])}


def _file_json(file: LessonFile | None) -> dict[str, object]:
    if file is None:
        return {}
    found: dict[str, object] = {"asset": file.name, "asset_words": file.words}
    return {key: value for key, value in found.items() if value}


def _rule_json(rule: LessonRule) -> dict[str, object]:
    names = ("text", "segment", "score", "span", "severity", "near", "above", "hint")
    found = {name: getattr(rule, name) for name in names}
    plain = {key: list(one) if isinstance(one, tuple) else one for key, one in found.items()}
    return {key: one for key, one in plain.items() if one not in (None, "", 0)}
