"""A few screens as judges will see them: chosen as they will be, stored nowhere, no names."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rankwise.errors import DataError
from rankwise.server.campaign.ask.chooser import (
    choose_screens,
    control_screen,
    shown_order,
)
from rankwise.server.campaign.ask.lesson_screens import Files, tutorial_screens
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import NO_ASSETS, JudgeTask, PlannedScreen, SegmentAsset
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.judging.tasks import make_task
from rankwise.types import TestSet

#: How many screens are shown of practice and of work; a control comes last.
PRACTICE, WORK = 2, 4


@dataclass(frozen=True, slots=True)
class PreviewScreen:
    """A screen: what it is (tutorial, work or control), the task, and what practice says after."""

    kind: str
    task: JudgeTask
    feedback: str | None = None

    def to_json(self) -> dict[str, object]:
        """What the page gets; the document's name stays here, as it does for judges."""
        found = asdict(self)
        del found["task"]["document"], found["task"]["done_before"]
        if not self.task.rows:
            del found["task"]["rows"]
        return found


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a lease says about a screen, for a screen that nobody leases."""

    token: str
    role: str
    position: int | None
    slots: list[dict[str, Any]]
    shown: tuple[int, ...]
    payload: Any = None
    draft: None = None
    draft_version: int = 0
    supersedes: None = None
    created_at: int = 0
    expires_at: int = 0


def preview_screens(
    campaign: Campaign,
    testset: TestSet,
    given: GivenSpans | None = None,
    assets: Mapping[int, SegmentAsset] = NO_ASSETS,
    *,
    files: Files,
) -> list[PreviewScreen]:
    """Practice, work, a control: the same ones every time; none where the plan allows none.

    *assets* are those of segments, *files* all of the campaign, by their names.
    """
    places = {segment.id: place for place, segment in enumerate(testset.segments)}
    found = []
    for number, screen in enumerate(_planned(campaign.plan, testset, files)):
        shown = _shown(screen, number, places)
        beside: dict[str, Any] = {"given": given, "assets": assets}
        task = make_task(testset, campaign, shown, done=0, revises=None, **beside)
        feedback = _feedback(campaign.plan, screen)
        found.append(PreviewScreen(screen.role, task, feedback))
    return found


def _shown(screen: PlannedScreen, number: int, places: dict[str, int]) -> Any:
    size, is_practice = len(screen.slots), screen.role == "tutorial"
    return _Shown(
        token=str(number),
        role=screen.role,
        position=None if screen.segment is None else places[screen.segment],
        slots=[asdict(slot) for slot in screen.slots],
        shown=tuple(range(size)) if is_practice else shown_order(size, screen.seed + number),
        payload=screen.payload,
    )


def _feedback(plan: Plan, screen: PlannedScreen) -> str | None:
    """What a judge reads after an item of the tutorial."""
    if screen.role != "tutorial":
        return None
    return plan.tutorial[(screen.payload or {})["number"]].feedback


def _planned(plan: Plan, testset: TestSet, files: Files) -> Iterator[PlannedScreen]:
    yield from tutorial_screens(plan, files)[:PRACTICE]
    try:
        yield from choose_screens(plan, testset, None, count=WORK, seed=plan.seed)
    except DataError:  # the check list says why: too few systems, nothing to tell apart
        return
    control = control_screen(plan, testset, seed=plan.seed) if plan.control_share else None
    if control is not None:
        yield control
