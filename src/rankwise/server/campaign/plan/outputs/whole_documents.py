"""Ranking, pairs and values over whole documents: what one segment gets, for each of them.

An answer is ``{"segments": [...]}`` with what the protocol says about one segment, from top to
bottom: ``{"segments": [{"ranks": [1, 2]}, {"ranks": [1, 1]}]}``. Results are by segment, as if each
had been a screen of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rankwise.errors import DataError
from rankwise.server.campaign.plan.answer_parts import Answer, member, only, quoted
from rankwise.server.campaign.plan.document_protocols import (
    MOST_SEGMENTS,
    check_number,
    segments_of,
)
from rankwise.server.campaign.plan.protocol_kinds import (
    Ordered,
    Protocol,
    Valued,
    ranking_of_values,
)
from rankwise.server.campaign.plan.protocols import (
    PROTOCOLS,
    AdequacyFluency,
    DirectAssessment,
    KWay,
    Pairwise,
)
from rankwise.server.records import Json, StoredJudgment
from rankwise.types import Ranking


class SegmentBySegment(Protocol):
    """A protocol whose screens are documents; ``each`` is what is asked about a segment."""

    each: ClassVar[Protocol]
    is_document: ClassVar[bool] = True

    def validate(self, answer: Json, size: int) -> Answer:
        """The answer to every segment in its normal form, each as strict as on a screen.

        >>> RankedDocuments().validate({"segments": [{"ranks": [2, 2]}]}, 2)
        {'segments': [{'ranks': [1, 1]}]}
        """
        found = member(answer, "segments")
        only(answer, "segments")
        if not isinstance(found, list | tuple) or not 1 <= len(found) <= MOST_SEGMENTS:
            expected = f"a list of 1 to {MOST_SEGMENTS} segments"
            raise DataError(f"the answer's 'segments' is {quoted(found)}; expected {expected}")
        rows = []
        for place, row in enumerate(found, 1):
            try:
                rows.append(self.each.validate(row, size))
            except DataError as error:
                raise DataError(f"segment {place}: {error}") from error
        return {"segments": rows}

    def fits(self, answer: Json, texts: Sequence[Sequence[str]]) -> None:
        """Refuse an answer to another number of segments."""
        check_number(answer, texts)

    def reorder(self, answer: Json, shown: Sequence[int], *, back: bool) -> Answer:
        """Every segment in the other order; what was said about one segment likewise."""
        if "segments" not in answer:
            return self.each.reorder(answer, shown, back=back)
        rows = answer["segments"]
        if not isinstance(rows, list | tuple):
            return dict(answer)
        turned = [self._turned(row, shown, back=back) for row in rows]
        return {**answer, "segments": turned}

    def _turned(self, row: Any, shown: Sequence[int], *, back: bool) -> Any:
        return self.each.reorder(row, shown, back=back) if isinstance(row, Mapping) else row

    def parts(self, judgment: StoredJudgment) -> Sequence[StoredJudgment]:
        """A judgment of every segment, each with its share of the time; a skip stays whole."""
        return segments_of(judgment, dict)

    def agrees(self, answer: Json, expected: Json) -> bool:
        """Whether every segment is answered as expected."""
        pairs = zip(answer["segments"], expected["segments"], strict=True)
        return all(self.each.agrees(row, wanted) for row, wanted in pairs)


def _mean(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) / len(column) for column in zip(*rows, strict=True)]


class OrderedSegments(SegmentBySegment, Ordered):
    """Orders of the columns, segment by segment."""

    each: ClassVar[Ordered]

    def ranks(self, answer: Json) -> tuple[int, ...]:
        """The ranks in one segment (a part); of a document the order of the mean ranks.

        >>> two = {"segments": [{"ranks": [1, 2, 2]}, {"ranks": [2, 3, 1]}]}
        >>> RankedDocuments().ranks(two)
        (1, 2, 1)
        """
        if "segments" not in answer:
            return self.each.ranks(answer)
        means = _mean([self.each.ranks(row) for row in answer["segments"]])
        order = {mean: rank for rank, mean in enumerate(sorted(set(means)), 1)}
        return tuple(order[mean] for mean in means)


class ValuedSegments(SegmentBySegment, Valued):
    """Values of the columns, segment by segment; side by side they also rank."""

    each: ClassVar[Valued]

    def values(self, answer: Json) -> list[float]:
        """One value per slot: of a segment as it was given, of a document their mean."""
        if "segments" not in answer:
            return self.each.values(answer)
        return _mean([self.each.values(row) for row in answer["segments"]])

    def ranking(self, judgment: StoredJudgment, languages: tuple[str, str]) -> Ranking:
        """The order that the values of one segment (a part) give its systems; equal ones tie."""
        values = None if judgment.kind == "skip" else self.values(judgment.answer)
        return ranking_of_values(judgment, values, languages)


@dataclass(frozen=True)
class RankedDocuments(OrderedSegments, KWay):
    """Documents whose segments are ranked."""

    each: ClassVar[Ordered] = KWay()
    most: ClassVar[int] = 6
    usual: ClassVar[int] = 3


@dataclass(frozen=True)
class PairedDocuments(OrderedSegments, Pairwise):
    """Two columns of which one is better, segment by segment."""

    each: ClassVar[Ordered] = Pairwise()


@dataclass(frozen=True)
class RatedDocuments(ValuedSegments, AdequacyFluency):
    """Adequacy and fluency of every segment."""

    each: ClassVar[Valued] = AdequacyFluency()
    most: ClassVar[int] = 6
    usual: ClassVar[int] = 1


@dataclass(frozen=True)
class ScoredDocuments(ValuedSegments, DirectAssessment):
    """Direct assessment of every segment."""

    each: ClassVar[Valued] = DirectAssessment()
    most: ClassVar[int] = 6


#: The protocols that are about one segment or, where the plan says so, about documents.
BY_DOCUMENT: dict[str, Protocol] = {
    kind.name: kind()
    for kind in (RankedDocuments, PairedDocuments, RatedDocuments, ScoredDocuments)
}


def rules_of(protocol: str, *, by_document: bool) -> Protocol:
    """The protocol of that name, in documents where it can be asked both ways.

    >>> rules_of("ranking", by_document=True).is_document
    True
    """
    found = BY_DOCUMENT.get(protocol) if by_document else None
    return PROTOCOLS[protocol] if found is None else found
