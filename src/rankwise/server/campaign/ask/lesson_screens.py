"""Screens with a known answer: those of the tutorial, and an organiser's own checks."""

from collections.abc import Mapping
from typing import Any

from rankwise.errors import DataError
from rankwise.server.campaign.plan.lessons import LessonFile, TutorialItem
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Asset, PlannedScreen, ScreenRole, Slot

#: The files of a campaign by their names.
Files = Mapping[str, Asset]


def tutorial_screens(plan: Plan, files: Files) -> list[PlannedScreen]:
    """The plan's tutorial items; the number of an item and its sources are in the payload."""
    return [
        lesson_screen(plan, item, "tutorial", number, files)
        for number, item in enumerate(plan.tutorial)
    ]


def check_screens(plan: Plan, files: Files) -> list[PlannedScreen]:
    """The organiser's own checks; every judge gets each of them at most once."""
    items = plan.checks if plan.control_kind == "own" else ()
    return [
        lesson_screen(plan, item, "control", number, files) for number, item in enumerate(items)
    ]


def lesson_screen(
    plan: Plan, item: TutorialItem, role: ScreenRole, number: int, files: Files
) -> PlannedScreen:
    """The screen of an item whose texts are nobody's."""
    columns = zip(*(outputs for _, outputs in item.rows), strict=True)
    payload: dict[str, Any] = {"number": number, "source": item.source}
    if plan.rules.is_document:
        payload |= {
            "sources": [source for source, _ in item.rows],
            "segments": [f"{role} {number + 1}.{place + 1}" for place in range(len(item.rows))],
        }
    if item.files:
        payload["assets"] = [_asset(file, files) for file in item.files]
    slots = tuple(
        Slot((), text=texts[0], texts=texts if plan.rules.is_document else None)
        for texts in columns
    )
    return PlannedScreen(None, slots, role, strategy=role, payload=payload)


def _asset(file: LessonFile | None, files: Files) -> dict[str, str] | None:
    """What a judge's page gets of a file: not what it is called."""
    if file is None:
        return None
    if file.name not in files:
        raise DataError(
            f"the tutorial or a check shows the file {file.name!r}, which the campaign does not "
            "have; expected one that came with its texts"
        )
    asset = files[file.name]
    return {"key": asset.key, "kind": asset.kind.partition("/")[0], "words": file.words}
