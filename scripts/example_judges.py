"""The twelve simulated judges of the bundled example: rankings of five, and scores of 0 to 100.

A judge perceives the true quality of an output plus normal noise of the judge's own size. The
quality belongs to the text: systems with the same text for a segment share it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from example_draws import Draws

from rankwise.types import Ranking

SCREEN_SIZE = 5
BAD_PENALTY = 2.0


@dataclass(frozen=True)
class Judge:
    """A simulated judge.

    ``noise`` is the standard deviation of what the judge adds to the true quality; outputs that
    seem closer than ``tie_width`` are tied; ``pace`` stretches the time per screen; a score of
    0 to 100 is ``centre + spread * perceived quality``.
    """

    name: str
    noise: float
    tie_width: float
    pace: float
    centre: float
    spread: float


#: Judge 12 answers almost at random: something for the measures of agreement to find.
JUDGES = (
    Judge("judge01", 0.45, 0.30, pace=1.00, centre=62, spread=15),
    Judge("judge02", 0.50, 0.52, pace=0.85, centre=70, spread=12),
    Judge("judge03", 0.55, 0.38, pace=1.20, centre=55, spread=18),
    Judge("judge04", 0.60, 0.90, pace=0.90, centre=66, spread=14),
    Judge("judge05", 0.60, 0.45, pace=1.10, centre=48, spread=20),
    Judge("judge06", 0.65, 0.22, pace=1.45, centre=60, spread=16),
    Judge("judge07", 0.70, 0.60, pace=0.75, centre=74, spread=10),
    Judge("judge08", 0.75, 0.75, pace=1.05, centre=58, spread=17),
    Judge("judge09", 0.80, 0.15, pace=1.30, centre=52, spread=19),
    Judge("judge10", 0.90, 0.68, pace=0.95, centre=64, spread=13),
    Judge("judge11", 1.00, 0.45, pace=0.80, centre=68, spread=15),
    Judge("judge12", 4.00, 0.45, pace=0.40, centre=57, spread=12),
)


class Item(NamedTuple):
    """One output as the judges meet it."""

    text: str
    quality: float


#: Segment -> system -> its output.
Items = Mapping[str, Mapping[str, Item]]


class Screen(NamedTuple):
    """Who is shown which systems' outputs of which segment; the number of the screen it repeats."""

    segment: str
    judge: Judge
    systems: tuple[str, ...]
    repeats: int | None = None


class Assessment(NamedTuple):
    """One row of the scalar scores, as the format ``wmt-da-tsv`` names its columns."""

    annotator: str
    system: str
    seg: str
    kind: str
    score: int
    qc: str


# -- rankings ------------------------------------------------------------------------------------


def plan_screens(
    items: Items, *, distinct: int, same_judge: int, other_judge: int, draws: Draws
) -> list[Screen]:
    """*distinct* screens, then some again for the same judge and some for another one.

    A segment that all systems translate alike leaves nothing to rank and is not shown.
    """
    rankable = [s for s, outputs in items.items() if len({o.text for o in outputs.values()}) > 1]
    segments: list[str] = []
    while len(segments) < distinct:
        segments += draws.sample(rankable, len(rankable))
    screens = [
        Screen(segment, JUDGES[number % len(JUDGES)], _shown(items[segment], draws))
        for number, segment in enumerate(segments[:distinct])
    ]
    again = draws.sample(range(distinct), same_judge + other_judge)
    for position, number in enumerate(again):
        first = screens[number]
        others = [judge for judge in JUDGES if judge is not first.judge]
        judge = first.judge if position < same_judge else draws.one_of(others)
        systems = tuple(draws.sample(first.systems, SCREEN_SIZE))
        screens.append(Screen(first.segment, judge, systems, repeats=number + 1))
    return screens


def _shown(outputs: Mapping[str, Item], draws: Draws) -> tuple[str, ...]:
    """Five systems that do not all have the same text."""
    while True:
        systems = tuple(draws.sample(tuple(outputs), SCREEN_SIZE))
        if len({outputs[system].text for system in systems}) > 1:
            return systems


def judge_screen(
    number: int, screen: Screen, outputs: Mapping[str, Item], *, is_skipped: bool, draws: Draws
) -> Ranking:
    """The ranking a judge gives, or a skipped screen without ranks."""
    judge = screen.judge
    texts = [outputs[system].text for system in screen.systems]
    shown = list(dict.fromkeys(texts))
    quality = {outputs[system].text: outputs[system].quality for system in screen.systems}
    perceived = [quality[text] + judge.noise * draws.normal() for text in shown]
    ranks = dict(zip(shown, tied_ranks(perceived, judge.tie_width), strict=True))
    words = sum(len(text.split()) for text in shown)
    seconds = (5 if is_skipped else 5 + words / 2) * judge.pace * exp(draws.normal() / 3)
    info: dict[str, str | float] = {"duration": round(seconds, 1)}
    if screen.repeats is not None:
        info["repeats"] = str(screen.repeats)
    return Ranking(
        segment=screen.segment,
        judge=judge.name,
        systems=screen.systems,
        ranks=tuple(None if is_skipped else ranks[text] for text in texts),
        screen=str(number),
        outputs=tuple(shown.index(text) for text in texts),
        source_language="de",
        target_language="en",
        info=info,
    )


def tied_ranks(perceived: Sequence[float], tie_width: float) -> list[int]:
    """Ranks from 1 for the best; what is less than *tie_width* below the best of a rank joins it.

    >>> tied_ranks([0.1, 2.0, 1.9, 1.75], 0.2)
    [3, 1, 1, 2]
    """
    ranks = [0] * len(perceived)
    rank, best = 0, float("inf")
    for place in sorted(range(len(perceived)), key=lambda place: -perceived[place]):
        if best - perceived[place] >= tie_width:
            rank, best = rank + 1, perceived[place]
        ranks[place] = rank
    return ranks


# -- scores --------------------------------------------------------------------------------------


def assess(
    judge: Judge, shown: Sequence[tuple[str, str]], items: Items, draws: Draws
) -> list[Assessment]:
    """Scores of one judge for (system, segment) outputs, then four ``BAD`` and two ``CHK`` rows.

    ``BAD`` is a further damaged version of an output that the judge has seen, ``CHK`` is the same
    output once more.
    """
    rows = [("TGT", *output) for output in shown]
    controls = draws.sample(shown, 6)
    rows += [("BAD", *output) for output in controls[:4]]
    rows += [("CHK", *output) for output in controls[4:]]
    return [
        Assessment(judge.name, system, segment, "DA", _score(judge, quality, draws), role)
        for role, system, segment in rows
        for quality in [items[segment][system].quality - BAD_PENALTY * (role == "BAD")]
    ]


def _score(judge: Judge, quality: float, draws: Draws) -> int:
    perceived = quality + judge.noise * draws.normal()
    return round(min(100.0, max(0.0, judge.centre + judge.spread * perceived)))
