"""Protocols whose screens are documents: error spans with a score (ESA), or with categories (MQM).

An answer has a list for every segment, top to bottom, with an object for every column:
``{"segments": [[{"spans": [...], "score": 80}, ...], ...]}``. Places are code points, ends
exclusive. Where the plan asks for more, the object has ``sliders``, ``comment`` and ``edit``; where
a machine marked errors beforehand, ``given`` has them as they were shown.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rankwise.errors import DataError
from rankwise.server.campaign.plan.answer_parts import Answer, member, only, quoted
from rankwise.server.campaign.plan.outputs.further_questions import (
    NOTHING_FURTHER,
    FurtherQuestions,
)
from rankwise.server.campaign.plan.protocol_kinds import Valued, ranking_of_values
from rankwise.server.campaign.plan.span_rules import ESA_RULES, MQM_RULES, SpanRules
from rankwise.server.records import Json, StoredJudgment
from rankwise.types import Ranking

#: How many segments a screen may have.
MOST_SEGMENTS = 100
#: What a part of a judgment says about a text besides its value and its errors.
FURTHER_KEYS = ("sliders", "comment", "edit", "given")

Cell = dict[str, Any]


def check_number(answer: Json, texts: Sequence[Any]) -> None:
    """Refuse an answer to another number of segments."""
    found = len(answer["segments"])
    if found != len(texts):
        raise DataError(f"the answer has {found} segments; expected {len(texts)}")


def segments_of(
    judgment: StoredJudgment, answer_of: Callable[[Any], Answer]
) -> Sequence[StoredJudgment]:
    """A judgment of every segment, each with its share of the time; a skip stays whole."""
    if judgment.kind == "skip" or "segments" not in judgment.answer:
        return (judgment,)
    rows = judgment.answer["segments"]
    names = judgment.segments or (judgment.segment,) * len(rows)
    active = judgment.active_ms // len(rows)
    return [
        replace(judgment, segment=name, segments=(), answer=answer_of(row), active_ms=active)
        for name, row in zip(names, rows, strict=True)
    ]


@dataclass(frozen=True)
class Documented(Valued):
    """A protocol that judges every segment of a document, in every column.

    ``spans`` and ``further`` are the plan's. Results are by segment: ``parts`` makes a judgment of
    each, whose answer has ``scores`` and ``spans``, one of each for every slot, and ``further``
    where something else was said.
    """

    spans: SpanRules = ESA_RULES
    further: FurtherQuestions = NOTHING_FURTHER

    is_document: ClassVar[bool] = True
    least: ClassVar[int] = 1
    most: ClassVar[int] = 6
    usual: ClassVar[int] = 1
    scales: ClassVar[tuple[str, ...]] = ("scores",)

    def cell(self, cell: Mapping[str, Any]) -> Cell:
        """What was said about one text, in its normal form.

        >>> ErrorSpanAnnotation().cell({"spans": [], "score": 70})
        {'spans': [], 'score': 70}
        >>> Mqm().cell({"spans": []})
        {'spans': []}
        """
        found: Cell = {"spans": self.spans.normal(member(cell, "spans"))}
        found |= self._scored(cell)
        only(cell, *found, *self.further.keys, "given")
        found |= self.further.normal(cell)
        if "given" in cell:
            found["given"] = self.spans.normal(cell["given"], is_given=True)
        return found

    @abstractmethod
    def _scored(self, cell: Mapping[str, Any]) -> Cell:
        """The score that was given, where the protocol asks for one."""

    @abstractmethod
    def score(self, cell: Mapping[str, Any]) -> float:
        """The value of one text, higher is better."""

    def validate(self, answer: Json, size: int) -> Answer:
        """The same object for every text of the document, each strict."""
        found = member(answer, "segments")
        only(answer, "segments")
        if not isinstance(found, list | tuple) or not 1 <= len(found) <= MOST_SEGMENTS:
            expected = f"a list of 1 to {MOST_SEGMENTS} segments"
            raise DataError(f"the answer's 'segments' is {quoted(found)}; expected {expected}")
        return {"segments": [self._row(row, size, place) for place, row in enumerate(found, 1)]}

    def _row(self, row: object, size: int, place: int) -> list[Cell]:
        if not isinstance(row, list | tuple) or len(row) != size:
            found = f"{len(row)} entries" if isinstance(row, list | tuple) else quoted(row)
            raise DataError(f"segment {place} of the answer has {found}; expected {size}")
        cells = []
        for column, cell in enumerate(row, 1):
            if not isinstance(cell, Mapping):
                raise DataError(f"segment {place}, text {column}: found {quoted(cell)}")
            try:
                cells.append(self.cell(cell))
            except DataError as error:
                raise DataError(f"segment {place}, text {column}: {error}") from error
        return cells

    def fits(self, answer: Json, texts: Sequence[Sequence[str]]) -> None:
        """Refuse an answer to another number of segments, and places beyond the end of a text."""
        check_number(answer, texts)
        rows = answer["segments"]
        for place, (row, columns) in enumerate(zip(rows, texts, strict=True), 1):
            for number, (cell, text) in enumerate(zip(row, columns, strict=True), 1):
                last = max((span.get("end", 0) for span in cell["spans"]), default=0)
                if last > len(text):
                    raise DataError(
                        f"segment {place}, text {number}: an error ends at {quoted(last)}; "
                        f"the text has {len(text)} characters"
                    )

    def with_given(
        self, answer: Json, given: Sequence[Sequence[Sequence[Mapping[str, Any]]]] | None
    ) -> Answer:
        """The answer beside the errors that were *given*, by segment and text, or without any.

        What an answer itself says was given does not count.
        """
        rows = []
        for place, row in enumerate(answer["segments"]):
            said = [{key: cell[key] for key in cell if key != "given"} for cell in row]
            if given is not None:
                said = [
                    {**cell, "given": [dict(span) for span in spans]}
                    for cell, spans in zip(said, given[place], strict=True)
                ]
            rows.append(said)
        return {**answer, "segments": rows}

    def reorder(self, answer: Json, shown: Sequence[int], *, back: bool) -> Answer:
        """The columns in the other order; half a draft stays as it is."""
        places = sorted(range(len(shown)), key=shown.__getitem__) if back else list(shown)
        rows = answer.get("segments")
        if not isinstance(rows, list | tuple):
            return dict(answer)
        turned = [
            [row[place] for place in places]
            if isinstance(row, list | tuple) and len(row) == len(shown)
            else row
            for row in rows
        ]
        return {**answer, "segments": turned}

    def parts(self, judgment: StoredJudgment) -> Sequence[StoredJudgment]:
        """A judgment of every segment, each with its share of the time; a skip stays whole."""
        return segments_of(judgment, self._answer)

    def _answer(self, row: Sequence[Cell]) -> Answer:
        found: Answer = {
            "scores": [self.score(cell) for cell in row],
            "spans": [cell["spans"] for cell in row],
        }
        further = [{key: cell[key] for key in FURTHER_KEYS if key in cell} for cell in row]
        return {**found, "further": further} if any(further) else found

    def values(self, answer: Json) -> list[float]:
        """One value per slot: of a segment its score, of a document the mean of its segments."""
        if "scores" in answer:
            return [float(score) for score in answer["scores"]]
        columns = zip(*answer["segments"], strict=True)
        return [sum(map(self.score, column)) / len(column) for column in columns]

    def ranking(self, judgment: StoredJudgment, languages: tuple[str, str]) -> Ranking:
        """The order that the scores of one segment (a part) give its systems; equal ones tie."""
        scores = None if judgment.kind == "skip" else self.values(judgment.answer)
        return ranking_of_values(judgment, scores, languages)

    def agrees(self, answer: Json, expected: Json) -> bool:
        """Whether every text has the errors expected, and about the value."""
        pairs = zip(answer["segments"], expected["segments"], strict=True)
        return all(
            self._is_near(one, other)
            for row, wanted in pairs
            for one, other in zip(row, wanted, strict=True)
        )

    def _is_near(self, cell: Cell, expected: Cell) -> bool:
        return all(
            any(_same_place(found, span) for found in cell["spans"]) for span in expected["spans"]
        )


def _same_place(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether two errors touch, or have one mark, and are equally severe."""
    if found["severity"] != wanted["severity"] or found.get("mark") != wanted.get("mark"):
        return False
    return "mark" in wanted or (found["start"] < wanted["end"] and wanted["start"] < found["end"])


@dataclass(frozen=True)
class ErrorSpanAnnotation(Documented):
    """Errors and a score from 0 to 100 for every text; contrastive (cESA) with several columns.

    Kocmi et al. (2024), "Error Span Annotation", WMT.
    """

    name: ClassVar[str] = "esa"
    title: ClassVar[str] = "Error spans and scores (ESA)"
    pace: ClassVar[float] = 30.0
    lowest: ClassVar[int] = 0
    highest: ClassVar[int] = 100
    #: How far two scores may lie apart and still say the same.
    near: ClassVar[int] = 10

    def _scored(self, cell: Mapping[str, Any]) -> Cell:
        score = member(cell, "score")
        if type(score) is not int or not self.lowest <= score <= self.highest:
            raise DataError(f"the score is {quoted(score)}; expected a whole number from 0 to 100")
        return {"score": score}

    def score(self, cell: Mapping[str, Any]) -> float:
        """The score that the judge gave."""
        return int(cell["score"])

    def _is_near(self, cell: Cell, expected: Cell) -> bool:
        is_near = abs(cell["score"] - expected["score"]) <= self.near
        return is_near and super()._is_near(cell, expected)


@dataclass(frozen=True)
class Mqm(Documented):
    """Errors with a category each; the value of a text is minus the sum of their weights.

    Freitag et al. (2021), "Experts, Errors, and Context", TACL 9.
    """

    spans: SpanRules = MQM_RULES

    name: ClassVar[str] = "mqm"
    title: ClassVar[str] = "Errors by category (MQM)"
    pace: ClassVar[float] = 45.0

    def _scored(self, cell: Mapping[str, Any]) -> Cell:
        del cell
        return {}

    def score(self, cell: Mapping[str, Any]) -> float:
        """Minus the weights of all errors; none is 0."""
        return -self.spans.penalty(cell["spans"]) + 0.0
