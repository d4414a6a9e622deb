"""A screen of a campaign as questions for a model, and what it said as the answer to the screen.

Texts are asked about in the order in which the campaign shows them, and answers are in that order.
Nothing here knows a system: a task has none.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankwise.errors import DataError
from rankwise.judging.questions.answer_values import Answer
from rankwise.judging.questions.model_protocols import MODEL_PROTOCOLS
from rankwise.judging.questions.question import Question
from rankwise.types import Segment, TestSet

Json = Mapping[str, Any]
#: As many errors of one text as a campaign takes.
MOST_ERRORS = 200
_CHOICES: dict[tuple[int, ...], str] = {(1, 2): "left", (2, 1): "right", (1, 1): "equal"}


@dataclass(frozen=True, slots=True)
class CampaignRules:
    """What a campaign asks: its protocol, its languages, and what may be marked.

    ``by_document``: orders and values are of documents, segment by segment.
    """

    protocol: str
    languages: tuple[str, str]
    spans: Json
    by_document: bool = False

    @classmethod
    def of(cls, plan: Json) -> "CampaignRules":
        """The rules of the plan that a campaign's server tells a judge."""
        protocol = str(plan.get("protocol"))
        if protocol not in MODEL_PROTOCOLS:
            known = ", ".join(MODEL_PROTOCOLS)
            raise DataError(f"the campaign asks for {protocol}; a model can be asked for {known}")
        languages = (str(plan.get("source_language")), str(plan.get("target_language")))
        by_document = plan.get("by_document") is True
        return cls(protocol, languages, plan.get("spans") or {}, by_document)

    @property
    def compares(self) -> bool:
        """Whether the texts of a screen are asked about together."""
        return not MODEL_PROTOCOLS[self.protocol].kind


@dataclass(frozen=True, slots=True)
class CampaignTask:
    """A screen: its texts as a test set, and the questions about them.

    Of a document there is a question for every text of every row, row by row.
    """

    token: str
    texts: TestSet
    questions: tuple[Question, ...]

    @classmethod
    def of(cls, task: Json, rules: CampaignRules) -> "CampaignTask":
        """The task that the server sent.

        A look has a number of its own, so that a screen that is shown again is asked again.
        """
        try:
            rows = task.get("rows") or [task]
            segments = tuple(
                Segment(str(number), row["source"], _references(row))
                for number, row in enumerate(rows, 1)
            )
            columns = list(zip(*(row["outputs"] for row in rows), strict=True))
            token = str(task["token"])
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(
                "the campaign sent a task that is none; is its server newer?"
            ) from error
        outputs = {f"text {place}": texts for place, texts in enumerate(columns, 1)}
        look = int.from_bytes(hashlib.blake2b(token.encode(), digest_size=6).digest(), "big")
        texts = TestSet(segments, outputs, "campaign", *rules.languages)
        return cls(token, texts, tuple(_questions(texts, rules, look)))


def _references(row: Json) -> tuple[str, ...]:
    reference = row.get("reference")
    return () if reference is None else (str(reference),)


def _questions(texts: TestSet, rules: CampaignRules, look: int) -> list[Question]:
    names = texts.systems
    found: list[Question] = []
    for place, segment in enumerate(texts.segments):
        shown = [texts.outputs[name][place] or "" for name in names]
        if rules.compares:
            groups = [(tuple(shown), tuple((name,) for name in names))]
        else:
            groups = [((text,), ((name,),)) for text, name in zip(shown, names, strict=True)]
        for said, systems in groups:
            found.append(Question(segment.id, said, systems, len(found), look))
    return found


@dataclass(frozen=True, slots=True)
class ScreenAnswer:
    """What a judge sends: ``content`` of the ``kind`` answer or skip.

    ``comment`` says why a screen was skipped, ``unsaid`` counts errors that have no place in the
    answer: they overlap with one that is as severe or more, or there were too many.
    """

    kind: str
    content: Json
    comment: str = ""
    unsaid: int = 0


def screen_answer(
    task: CampaignTask, answers: Sequence[Answer], rules: CampaignRules
) -> ScreenAnswer:
    """The answer to the whole screen; a skip where a question has none, never a guess.

    >>> task = CampaignTask("t", TestSet((), {}), ())
    >>> rules = CampaignRules("pairwise", ("de", "en"), {})
    >>> screen_answer(task, [Answer("answered", ranks=(2, 1))], rules).content
    {'choice': 'right'}
    >>> screen_answer(task, [Answer("refused")], rules).comment
    'the model refused'
    """
    failed = next((answer.status for answer in answers if answer.status != "answered"), None)
    if failed is not None:
        return _skipped(_WHY[failed])
    if not rules.compares and rules.protocol != "direct-assessment":
        return _document(task, answers, rules)
    size = 1 if rules.compares else max(len(task.texts.systems), 1)
    groups = [answers[start : start + size] for start in range(0, len(answers), size)]
    rows = [_segment(group, rules) for group in groups]
    return ScreenAnswer("answer", {"segments": rows} if rules.by_document else rows[0])


def _segment(answers: Sequence[Answer], rules: CampaignRules) -> Json:
    """What was said about one segment: an order, or a score of every text."""
    if not rules.compares:
        return {"scores": [round(one.value or 0.0) for one in answers]}
    ranks = answers[0].ranks or ()
    return {"choice": _CHOICES[ranks]} if rules.protocol == "pairwise" else {"ranks": ranks}


_WHY = {
    "refused": "the model refused",
    "cut short": "the model's answer was cut short",
    "not understood": "the model's answer could not be read",
}


def _skipped(why: str) -> ScreenAnswer:
    return ScreenAnswer("skip", {"reason": "cannot-judge"}, why)


def _document(task: CampaignTask, answers: Sequence[Answer], rules: CampaignRules) -> ScreenAnswer:
    """A list of cells for every row, each with its errors and, of ESA, its score."""
    unsaid, cells = 0, []
    for answer in answers:
        try:
            spans, lost = campaign_spans(json.loads(answer.spans or "[]"), rules.spans)
        except DataError as error:
            return _skipped(str(error))
        unsaid += lost
        score = {"score": round(answer.value or 0.0)} if rules.protocol == "esa" else {}
        cells.append({"spans": spans, **score})
    width = len(task.texts.systems)
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    return ScreenAnswer("answer", {"segments": rows}, unsaid=unsaid)


def campaign_spans(spans: Sequence[Json], rules: Json) -> tuple[list[dict[str, Any]], int]:
    """Errors as a campaign takes them, and how many of them it cannot hold.

    What has no place in the text gets the campaign's mark for what is missing. *critical* is the
    most severe there is where a campaign does not know it; another unknown severity, or a category
    that is none of the campaign's, raises: nothing is guessed.

    >>> rules = {"severities": ["minor", "major"], "marks": ["[missing]"]}
    >>> placed = {"start": 0, "end": 4, "severity": "critical"}
    >>> campaign_spans([placed, {"start": None, "severity": "minor"}], rules)[0]
    [{'start': 0, 'end': 4, 'severity': 'major'}, {'mark': '[missing]', 'severity': 'minor'}]
    """
    severities = list(rules.get("severities", ()))
    found, lost = [], 0
    for span in spans:
        severity = _severity(str(span["severity"]), severities)
        category = _category(str(span.get("category") or ""), rules.get("categories") or ())
        place: dict[str, Any] = {}
        if span.get("start") is not None:
            place = {"start": span["start"], "end": span["end"]}
        elif rules.get("marks"):
            place = {"mark": rules["marks"][0]}
        if not place:
            lost += 1
            continue
        found.append({**place, "severity": severity, **category})
    kept = found if rules.get("overlap") else _apart(found, severities)
    kept = kept[:MOST_ERRORS]
    return kept, lost + len(found) - len(kept)


def _severity(said: str, known: Sequence[str]) -> str:
    by_name = {name.lower(): name for name in known}
    if said in by_name:
        return by_name[said]
    if said == "critical" and known:
        return known[-1]
    raise DataError(f"the model's severity {said!r} is none of this campaign")


def _category(said: str, table: Sequence[Sequence[Any]]) -> dict[str, str]:
    """The category by its name, by how the name of just one begins, or Other."""
    if not table:
        return {}
    inner = [(str(name), one) for name, parts in table for one in parts or ("",)]
    names = [f"{name}/{one}" if one else name for name, one in inner]
    by_name = {name.lower(): name for name in names}
    near = [name for low, name in by_name.items() if said and low.startswith(said)]
    if said in by_name:
        return {"category": by_name[said]}
    if len(near) == 1:
        return {"category": near[0]}
    if "other" in by_name:
        return {"category": by_name["other"]}
    raise DataError(f"the model's category {said[:60]!r} is none of this campaign")


def _apart(spans: Sequence[dict[str, Any]], severities: Sequence[str]) -> list[dict[str, Any]]:
    """Errors of which none overlap: the more severe stay, of equal ones the first."""
    kept: list[dict[str, Any]] = []
    for span in sorted(spans, key=lambda one: -severities.index(one["severity"])):
        if "mark" in span or not any(_overlap(span, other) for other in kept):
            kept.append(span)
    return [span for span in spans if span in kept]


def _overlap(one: Json, other: Json) -> bool:
    return "start" in other and one["start"] < other["end"] and other["start"] < one["end"]
