"""What to put before the judges next: screens of distinct texts, pure and seeded.

The systems of a screen come from ``aggregate.select`` and the plan's strategy; a slot of the screen
is one distinct text with all systems that made it, so that nobody judges the same text twice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rankwise.aggregate.asking.next_screens import next_comparisons
from rankwise.aggregate.asking.strategies import STRATEGIES, Clusters
from rankwise.errors import DataError
from rankwise.server.campaign.ask.balance import balanced_cells
from rankwise.server.campaign.ask.controls import spoilt
from rankwise.server.campaign.ask.document_choice import ChosenDocument, chosen_documents
from rankwise.server.campaign.ask.document_windows import document_control, windows
from rankwise.server.campaign.ask.looks import Looks, look, looks
from rankwise.server.campaign.ask.order_values import order_values
from rankwise.server.campaign.ask.screen_chances import Chances
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import PlannedScreen, Slot
from rankwise.types import Assessments, Judgments, TestSet
from rankwise.types.judging.screen import Screen
from rankwise.types.named import parse

#: How often another draw is made for a control that does not work out.
_TRIES = 200


def choose_screens(
    plan: Plan,
    testset: TestSet,
    judgments: Judgments | Assessments | None,
    *,
    pending: Iterable[PlannedScreen] = (),
    count: int,
    seed: int,
) -> list[PlannedScreen]:
    """*count* screens to ask next, given the judgments so far and the screens *pending*.

    Protocols that rank take their systems from ``next_comparisons`` with the plan's strategy and
    coverage floor; scalar protocols take the outputs shown least (see ``balanced_cells``). Systems
    that share a text share its slot; where that leaves fewer than k texts, others of the segment
    fill the screen. Where screens are documents, a text is a document's whole column, and what the
    scores leave open decides (see ``document_choice``). A screen is
    left out where a segment has no two different texts, so there may be fewer than *count*. The
    same arguments give the same screens.
    """
    waiting = [screen for screen in pending if screen.segment is not None]
    if plan.rules.is_document:
        return _document_screens(plan, testset, judgments, waiting, count, seed)
    found = looks(testset)
    if plan.rules.is_scalar:
        return _scalar_screens(plan, found, judgments, waiting, count, seed)
    if isinstance(judgments, Assessments):
        raise DataError(f"protocol {plan.protocol!r} ranks; its judgments are no assessments")
    asked = [Screen(_systems(screen), screen.segment) for screen in waiting]
    k = min(plan.k, len(testset.systems))
    chosen = next_comparisons(
        judgments,
        k,
        count,
        seed,
        plan.strategy,
        testset=found.testset,
        pending=asked,
        floor=plan.coverage_floor,
    )
    chances = Chances(plan, found, judgments, asked)
    random = np.random.default_rng((seed, 1))
    screens = []
    for screen in chosen:
        by_floor, probability = chances.of(screen)
        slots = _slots(found, screen, k, random)
        if len(slots) >= 2:
            strategy = f"{plan.strategy} (floor)" if by_floor else plan.strategy
            screens.append(
                PlannedScreen(
                    screen.segment, slots, probability=probability, strategy=strategy, seed=seed
                )
            )
    return screens


def _systems(screen: PlannedScreen) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for slot in screen.slots for name in slot.systems))


def _slots(found: Looks, screen: Screen, k: int, random: np.random.Generator) -> tuple[Slot, ...]:
    """The distinct texts of a screen, those of further systems after them if there are too few."""
    place = found.place[screen.segment or ""]
    groups = found.groups(place)
    codes = found.codes[place]
    wanted = [int(codes[found.number[name]]) for name in screen.systems]
    chosen = list(dict.fromkeys(code for code in wanted if code >= 0))
    others = [code for code in groups if code not in chosen]
    chosen += [others[i] for i in random.permutation(len(others)).tolist()][: k - len(chosen)]
    return tuple(Slot(tuple(found.systems[s] for s in groups[code])) for code in chosen)


def _scalar_screens(
    plan: Plan,
    found: Looks,
    judgments: Judgments | Assessments | None,
    pending: Sequence[PlannedScreen],
    count: int,
    seed: int,
) -> list[PlannedScreen]:
    """Screens of the outputs shown least, all of one segment."""
    if isinstance(judgments, Judgments):
        raise DataError(f"protocol {plan.protocol!r} gives values; its judgments are no rankings")
    screens = []
    for place, codes, chance in balanced_cells(found, judgments, pending, plan.k, count, seed):
        groups = found.groups(place)
        slots = tuple(Slot(tuple(found.systems[s] for s in groups[code])) for code in codes)
        screens.append(
            PlannedScreen(
                found.segments[place], slots, probability=chance, strategy="balanced", seed=seed
            )
        )
    return screens


def _document_screens(
    plan: Plan,
    testset: TestSet,
    judgments: Judgments | Assessments | None,
    pending: Sequence[PlannedScreen],
    count: int,
    seed: int,
) -> list[PlannedScreen]:
    """Screens of documents: those that tell most, or under ``uniform`` the columns shown least.

    A document's judgments count at its first segment; rankings as values (``order_values``). One
    text tells nothing where texts are ordered, so that such a screen is left out.
    """
    found = windows(testset, plan.window)
    seen = looks(found.testset)
    strategy = parse(plan.strategy, STRATEGIES)
    if isinstance(judgments, Judgments):
        if plan.rules.is_scalar:
            raise DataError(f"protocol {plan.protocol!r} gives values; its judgments are rankings")
        judgments = order_values(judgments, found, testset)
    if isinstance(strategy, Clusters):
        domains = [segment.domain or "" for segment in found.testset.segments]
        chosen = chosen_documents(plan, strategy, seen, domains, judgments, pending, count, seed)
        screens = [_document_screen(plan, seen, one, seed) for one in chosen]
    else:
        screens = _scalar_screens(plan, seen, judgments, pending, count, seed)
    if not plan.rules.is_scalar:
        screens = [screen for screen in screens if len(screen.slots) >= 2]
    names = [list(found.names(seen.place[s.segment or ""], testset)) for s in screens]
    return [
        replace(screen, payload={"segments": segments})
        for screen, segments in zip(screens, names, strict=True)
    ]


def _document_screen(plan: Plan, seen: Looks, chosen: ChosenDocument, seed: int) -> PlannedScreen:
    groups = seen.groups(chosen.place)
    slots = tuple(_slot(seen, groups, code) for code in chosen.codes)
    strategy = f"{plan.strategy} ({chosen.stage})" if chosen.stage else plan.strategy
    name = seen.segments[chosen.place]
    return PlannedScreen(name, slots, probability=chosen.chance, strategy=strategy, seed=seed)


def control_screen(plan: Plan, testset: TestSet, *, seed: int) -> PlannedScreen | None:
    """A screen with a control among its texts; ``None`` where the test set allows none.

    ``degraded``: one system's output and the same output with a span replaced by words of another
    segment's output (see ``controls.degraded``), with other systems' outputs up to k texts;
    ``rotated`` the same with words of its own in other places. A
    scalar protocol with one text per screen shows the spoilt one alone. ``reference``: the first
    reference among k - 1 outputs. A control has as many texts as screens of work have, or its
    number of texts would give it away.
    """
    if plan.control_kind == "own":
        return None
    if plan.rules.is_document:
        return document_control(plan, testset, seed, tries=_TRIES)
    found, random = looks(testset), np.random.default_rng((seed, 2))
    is_reference = plan.control_kind == "reference"
    make = _with_reference if is_reference else partial(_with_spoilt, plan.control_kind)
    wanted = min(plan.k, _most_texts(found))
    best: PlannedScreen | None = None
    for _ in range(_TRIES if wanted else 0):
        place = int(random.integers(len(testset)))
        size = min(plan.k, len(found.groups(place)))
        slots = make(testset, found, place, size, random)
        if slots and (plan.rules.is_scalar or size > 1) and (not best or size > len(best.slots)):
            name = testset.segments[place].id
            best = PlannedScreen(name, slots, "control", strategy=plan.control_kind, seed=seed)
        if best is not None and len(best.slots) == wanted:
            break
    return best


def _most_texts(found: Looks) -> int:
    """The number of different texts of the segment that has most."""
    return int((found.codes == np.arange(len(found.systems))).sum(axis=1).max(initial=0))


def _with_spoilt(
    kind: str,
    testset: TestSet,
    found: Looks,
    place: int,
    size: int,
    random: np.random.Generator,
) -> tuple[Slot, ...] | None:
    groups = found.groups(place)
    if not groups or len(testset) < 2:
        return None
    code = list(groups)[int(random.integers(len(groups)))]
    name = found.systems[code]
    other = (place + 1 + int(random.integers(len(testset) - 1))) % len(testset)
    text, donor = testset.outputs[name][place] or "", testset.outputs[name][other] or ""
    language, draw = testset.target_language or "", int(random.integers(2**31))
    worse = spoilt(kind, text, donor, language=language, seed=draw)
    shown = {look(testset.outputs[found.systems[c]][place] or "") for c in groups}
    if not text.strip() or not worse.strip() or look(worse) in shown:
        return None
    bad = Slot((name,), "BAD", worse)
    if size == 1:
        return (bad,)
    return (bad, _slot(found, groups, code), *_others(found, groups, [code], size - 2, random))


def _with_reference(
    testset: TestSet, found: Looks, place: int, size: int, random: np.random.Generator
) -> tuple[Slot, ...] | None:
    groups, references = found.groups(place), testset.segments[place].references
    if not references or not references[0].strip() or not groups:
        return None
    shown = {look(testset.outputs[found.systems[c]][place] or "") for c in groups}
    if look(references[0]) in shown:
        return None
    others = _others(found, groups, [], size - 1, random)
    return (Slot((), "REF", references[0]), *others)


def _others(
    found: Looks,
    groups: dict[int, list[int]],
    without: list[int],
    count: int,
    random: np.random.Generator,
) -> list[Slot]:
    codes = [code for code in groups if code not in without]
    order = random.permutation(len(codes)).tolist()
    return [_slot(found, groups, codes[i]) for i in order[: max(count, 0)]]


def _slot(found: Looks, groups: dict[int, list[int]], code: int) -> Slot:
    return Slot(tuple(found.systems[s] for s in groups[code]))


def shown_order(size: int, seed: int) -> tuple[int, ...]:
    """The slots of a screen in the order a judge sees them; every order is equally likely.

    >>> shown_order(3, 1) == shown_order(3, 1), sorted(shown_order(5, 2))
    (True, [0, 1, 2, 3, 4])
    """
    return tuple(np.random.default_rng((seed, 3)).permutation(size).tolist())
