"""The first screen as a judge will see it: texts in the order of the test set, no names."""

from dataclasses import dataclass

from rankwise.server.campaign.plan import Plan
from rankwise.server.campaign.texts import looks
from rankwise.types import TestSet


@dataclass(frozen=True, slots=True)
class Preview:
    """What is on the screen."""

    source: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    outputs: tuple[str, ...]
    reference: str | None


def preview(plan: Plan, testset: TestSet) -> Preview | None:
    """The first segment that tells enough systems apart, or the first of all; None if empty."""
    if not testset.systems or not len(testset):
        return None
    found = looks(testset)
    enough = (place for place in range(len(testset)) if len(found.groups(place)) >= plan.k)
    place = next(enough, 0)
    segment = testset.segments[place]
    texts = [testset.outputs[found.systems[first]][place] for first in found.groups(place)]
    reference = segment.references[0] if plan.show_reference and segment.references else None
    return Preview(
        segment.source,
        _neighbours(testset, place, range(max(0, place - plan.context), place)),
        _neighbours(testset, place, range(place + 1, place + 1 + plan.context)),
        tuple(text for text in texts if text is not None)[: plan.k],
        reference,
    )


def _neighbours(testset: TestSet, place: int, wanted: range) -> tuple[str, ...]:
    """The sources at *wanted* places, as far as they are of the same document."""
    document = testset.segments[place].document
    near = [testset.segments[other] for other in wanted if other < len(testset)]
    return tuple(segment.source for segment in near if segment.document == document)
