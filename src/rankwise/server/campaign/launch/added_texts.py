"""Texts that join a campaign under way: further systems, further documents.

What is there never changes, so that every judgment stays one of the text that was judged.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rankwise.errors import DataError
from rankwise.server.campaign.launch.check_list import CheckFinding, check
from rankwise.server.campaign.plan.plan import Plan
from rankwise.types import Segment, TestSet


def with_system(testset: TestSet, name: str, outputs: Sequence[str | None]) -> TestSet:
    """*testset* with a further system, an output for every segment (``None``: it has none).

    >>> texts = TestSet((Segment("1", "x"), Segment("2", "y")), {"A": ("a", "b")})
    >>> with_system(texts, "B", ["c", None]).outputs["B"]
    ('c', None)
    """
    if name in testset.systems:
        raise DataError(
            f"there is a system {name!r} already, and what was judged stays as it is; "
            "choose another name"
        )
    if len(outputs) != len(testset):
        raise DataError(
            f"system {name!r} has {len(outputs)} outputs; expected one for each of the "
            f"{len(testset)} segments"
        )
    return replace(testset, outputs={**testset.outputs, name: tuple(outputs)})


def outputs_for(
    testset: TestSet, lines: Sequence[str], documents: Sequence[str]
) -> list[str | None]:
    """The outputs of a system that translated some *documents* alone: a line for each segment.

    Without *documents* they are for all segments.

    >>> named = (Segment("1", "x", document="a"), Segment("2", "y", document="b"))
    >>> outputs_for(TestSet(named), ["why"], ["b"])
    [None, 'why']
    """
    if not documents:
        return list(lines)
    there = {segment.document for segment in testset.segments}
    odd = next((name for name in documents if name not in there), None)
    if odd is not None:
        raise DataError(f"the campaign has no document {odd!r}; expected names of its documents")
    places = [n for n, one in enumerate(testset.segments) if one.document in documents]
    if len(lines) != len(places):
        names = ", ".join(documents)
        raise DataError(
            f"{len(lines)} outputs; expected {len(places)}, one for each segment of {names}"
        )
    found: list[str | None] = [None] * len(testset)
    for place, line in zip(places, lines, strict=True):
        found[place] = line
    return found


def with_segments(testset: TestSet, added: TestSet) -> TestSet:
    """*testset* with the segments of *added* at its end, which have outputs of the same systems.

    Segments that are only numbered go on counting. Their documents must be new: the neighbours of
    what was judged stay as they are.

    >>> old = TestSet((Segment("1", "x"),), {"A": ("a",), "B": ("b",)})
    >>> new = TestSet((Segment("1", "y"),), {"B": ("d",), "A": ("c",)})
    >>> found = with_segments(old, new)
    >>> [segment.id for segment in found.segments], found.outputs["A"]
    (['1', '2'], ('a', 'c'))
    """
    if not len(added):
        raise DataError("there is no segment to add; expected one or more")
    _refuse_other_systems(testset, added)
    segments = _numbered_on(testset.segments, added.segments)
    _refuse_what_is_there(testset, added, segments)
    outputs = {name: (*texts, *added.outputs[name]) for name, texts in testset.outputs.items()}
    return replace(testset, segments=(*testset.segments, *segments), outputs=outputs)


def _refuse_other_systems(testset: TestSet, added: TestSet) -> None:
    missing = [name for name in testset.systems if name not in added.outputs]
    if missing:
        raise DataError(
            f"the new segments have no outputs of {', '.join(missing)}; expected outputs of all "
            f"{len(testset.systems)} systems of the campaign"
        )
    others = [name for name in added.systems if name not in testset.outputs]
    if others:
        raise DataError(
            f"the campaign has no system {others[0]!r}; add the system first, then the segments"
        )
    empty = [name for name, texts in added.outputs.items() if all(t is None for t in texts)]
    if empty:
        raise DataError(f"the new segments have no outputs of {', '.join(empty)}; expected some")


def _numbered_on(old: Sequence[Segment], new: Sequence[Segment]) -> tuple[Segment, ...]:
    """The *new* segments, with higher numbers where numbers are all they are called by."""
    taken = {segment.id for segment in old}
    is_counted = all(one.id == str(place) for place, one in enumerate(new, 1))
    if not is_counted or not any(one.id in taken for one in new):
        return tuple(new)
    last = max((int(name) for name in taken if name.isascii() and name.isdigit()), default=0)
    return tuple(replace(one, id=str(last + place)) for place, one in enumerate(new, 1))


def _refuse_what_is_there(testset: TestSet, added: TestSet, segments: Sequence[Segment]) -> None:
    taken = {segment.id for segment in testset.segments}
    documents = {segment.document for segment in testset.segments} - {None}
    systems = testset.systems
    columns = [testset.outputs[name] for name in systems]
    known = {
        (one.source, texts): one.id
        for one, texts in zip(testset.segments, zip(*columns, strict=True), strict=True)
    }
    for place, segment in enumerate(segments):
        if segment.id in taken:
            raise DataError(
                f"segment {segment.id!r} is in the campaign already, and its texts stay as they "
                "are; give the new segment another name"
            )
        if segment.document in documents:
            raise DataError(
                f"document {segment.document!r} is in the campaign already, and what was judged of "
                "it would have other neighbours; give whole new documents"
            )
        same = known.get((segment.source, tuple(added.outputs[name][place] for name in systems)))
        if same is not None:
            raise DataError(
                f"new segment {place + 1} has the source and the outputs of segment {same!r}; give "
                "only what is not in the campaign yet"
            )


def addition_findings(
    plan: Plan, old: TestSet, new: TestSet, *, media: Collection[int] = ()
) -> list[CheckFinding]:
    """What the check list says of *new* and did not say of *old*; an error is raised.

    An addition is held to what a campaign is held to before its launch. *media* are the places of
    segments with a picture, sound or video.
    """
    before = {(one.code, one.count) for one in check(plan, old, media=media).findings}
    found = check(plan, new, media=media).findings
    every = [one for one in found if (one.code, one.count) not in before]
    wrong = next((one for one in every if one.level == "error"), None)
    if wrong is not None:
        raise DataError(f"it cannot be added: {wrong.message}")
    lost = _references_lost(plan, old, new)
    if lost:
        raise DataError(
            f"it cannot be added: the reference is shown, and {lost[0]!r} has none; expected a "
            "reference for every new segment"
        )
    return every


def _references_lost(plan: Plan, old: TestSet, new: TestSet) -> list[str]:
    added = new.segments[len(old) :] if plan.show_reference else ()
    return [segment.id for segment in added if not segment.references]


def only_new(
    outputs: Mapping[str, Sequence[str | None]], first: int
) -> dict[str, list[str | None]]:
    """The outputs for the segments from place *first* on.

    >>> only_new({"A": ("a", "b", "c")}, 1)
    {'A': ['b', 'c']}
    """
    return {name: list(texts[first:]) for name, texts in outputs.items()}
