"""What the dashboard shows, kind by kind: values that JSON holds, each with its n.

The background work computes them, the database keeps them as JSON, and :meth:`Standings.of` reads
them back. ``None`` stands for a number that is not defined (yet).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, Self, TypedDict

from rankwise.server.campaign.standings.panels.powered_contents import PoweredPanel
from rankwise.server.records import Json


class BoardRow(TypedDict):
    """One system of a leaderboard; ``…_all`` is what it would be if nobody were excluded."""

    system: str
    score: float
    low: float | None
    high: float | None
    rank_low: int
    rank_high: int
    cluster: int
    n: int
    support_below: float | None
    score_all: float | None
    rank_low_all: int | None
    rank_high_all: int | None
    cluster_all: int | None
    n_all: int | None


class LiveBoard(TypedDict):
    """The leaderboard by a model; why it has no rows is in ``problem``.

    ``unsure`` says in sentences which lines are drawn or not by the luck of the seed.
    """

    model: str
    n_judgments: int
    n_pairs: int
    runs: int
    problem: str | None
    signature: str
    level: float
    clusters: int
    rows: list[BoardRow]
    unjudged: list[str]
    left_out: dict[str, int]
    n_excluded: int
    unsure: list[str]


class Boundary(TypedDict):
    """Two neighbours of a ranking: how far apart they are, and what would separate them."""

    above: str
    below: str
    gap: float
    gap_low: float
    gap_high: float
    probability: float | None
    n: int
    is_separated: bool
    more: int | None
    low: int | None
    high: int | None
    support: float | None
    is_cluster_line: bool


class StopState(TypedDict):
    """Whether the plan's stop rule is met, and in words why, or what is missing."""

    is_met: bool
    sentence: str


class DonePanel(TypedDict):
    """The panel "are we done?"."""

    n: int
    level: float
    clusters: int
    systems: int
    boundaries: list[Boundary]
    next_100: float | None
    stop: StopState
    method: str


class HeatPanel(TypedDict):
    """Comparisons of every two systems, in the order of ``systems``."""

    systems: list[str]
    n_early: int
    n_late: int
    all: list[list[int]]
    early: list[list[int]]
    late: list[list[int]]
    wins: list[list[int]]
    ties: list[list[int]]


class CoveredPart(TypedDict):
    """A part of the test set: its judgments, and how many an even share would be."""

    name: str
    n: int
    segments: int
    even_share: float


class ShownSystem(TypedDict):
    """How often a system was shown, and how unlikely its places on the page are."""

    name: str
    n: int
    even_share: float
    page_p: float


class Alarm(TypedDict):
    """What is uneven, in a sentence; ``p`` where it rests on a test."""

    what: str
    p: float | None
    message: str


class Extremes(TypedDict):
    """How often segments were judged."""

    total: int
    seen: int
    least: int
    median: float
    most: int


class DocumentCounts(TypedDict):
    """How many documents there are, and how many were judged."""

    total: int
    seen: int


class CoveragePanel(TypedDict):
    """What was judged how often; ``page`` counts the places of each system on the page."""

    n: int
    alarm: str | None
    alarms: list[Alarm]
    p: float
    segments: Extremes
    thirds: list[int]
    tenths: list[CoveredPart]
    documents: DocumentCounts
    domains: list[CoveredPart]
    systems: list[ShownSystem]
    positions: list[int]
    page: dict[str, list[int]]


class JudgeRow(TypedDict):
    """One judge by pseudonym: how much, how fast, how well, and flags with evidence."""

    judge: str
    is_excluded: bool
    excluded_reason: str | None
    screens: dict[str, int]
    n: int
    skips: int
    surplus: int
    comments: int
    active_ms: int
    median_s: float | None
    last_at: int
    controls_passed: int
    controls: int
    controls_low: float | None
    controls_high: float | None
    kappa_others: float | None
    kappa_others_low: float | None
    kappa_others_high: float | None
    kappa_others_n: int
    kappa_self: float | None
    kappa_self_low: float | None
    kappa_self_high: float | None
    kappa_self_n: int
    agreement_measure: str
    tie_rate: float | None
    tie_rate_low: float | None
    tie_rate_high: float | None
    tie_rate_n: float
    all_equal: int
    position_p: float | None
    position_best: list[float]
    flags: list[str]


class JudgesPanel(TypedDict):
    """All judges of a campaign who are people."""

    n: int
    median_s: float | None
    control_kind: str
    rows: list[JudgeRow]
    flagged: int
    excluded: int


class MachinesPanel(TypedDict):
    """The machines of a campaign; in their rows ``kappa_others`` is agreement with people alone.

    ``people_median`` is the median of the same measure over people, each with the other people, and
    ``people`` how many have one.
    """

    n: int
    measure: str
    rows: list[JudgeRow]
    people: int
    people_median: float | None


class KappaCell(TypedDict):
    """Kappa of all judges together, its interval, and on how many pairs of labels it rests."""

    kappa: float | None
    low: float | None
    high: float | None
    n: int
    reason: str
    identical: NotRequired[int]
    observed: NotRequired[float | None]
    expected: NotRequired[float | None]


class AlphaCell(TypedDict):
    """Krippendorff's alpha, its interval, and on how many values it rests."""

    alpha: float | None
    low: float | None
    high: float | None
    n: int
    reason: str


class AgreementPanel(TypedDict):
    """How far judges agree, with each other and with themselves."""

    inter: KappaCell
    intra: KappaCell
    alpha: AlphaCell
    intra_alpha: NotRequired[AlphaCell]
    level: float
    n: int
    with_excluded: NotRequired["AgreementPanel | None"]


class ItemRow(TypedDict):
    """One segment that was judged."""

    segment: str
    position: int | None
    n: int
    judges: int
    disagreement: float | None
    disagreement_n: int
    median_s: float | None
    skips: int
    skip_reasons: dict[str, int]
    comments: int


class ItemsPanel(TypedDict):
    """All segments that were judged, and what their disagreement is measured in."""

    n: int
    measure: str
    rows: list[ItemRow]


class ErrorRow(TypedDict):
    """The errors marked in one system's texts; ``n`` texts were judged.

    ``per_text`` is the mean number of errors of a text, ``penalty`` that of their weights.
    """

    system: str
    n: int
    by_severity: dict[str, int]
    by_category: dict[str, int]
    errors: int
    per_text: float | None
    penalty: float | None


class SpanCell(TypedDict):
    """One measure of agreement on errors, its interval, and what chance would give."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    chance: float | None


class SpansPanel(TypedDict):
    """How far judges agree on errors; ``pairs`` are two judges who marked the same text.

    ``by_judge`` has the values in the order of ``measures``, the number of pairs after them.
    """

    pairs: int
    segments: int
    errors: int
    measures: list[SpanCell]
    by_judge: dict[str, list[float | None]]


class PlacesPanel(TypedDict):
    """The share of every tenth of the texts that is marked, by severity, system and tenth."""

    unit: str
    systems: list[str]
    shares: dict[str, list[list[float | None]]]


class ErrorsPanel(TypedDict):
    """Errors by system, in the order of the test set; ``severities`` from the least."""

    n: int
    severities: list[str]
    categories: list[str]
    rows: list[ErrorRow]
    agreement: NotRequired[SpansPanel]
    places: NotRequired[list[PlacesPanel]]


class PacePanel(TypedDict):
    """Screens that were answered over time, and when the goal is reached at this pace.

    ``counts`` are screens of one ``unit`` (hour, day or week) each, from ``start`` on. ``rate`` is
    how many come in a day, over the ``recent`` units; ``finish`` has an interval by resampling
    them. Times are milliseconds.
    """

    n: int
    unit: str
    start: int | None
    last: int | None
    counts: list[int]
    recent: int
    rate: float | None
    target: int
    goal: str
    remaining: int
    finish: int | None
    finish_low: int | None
    finish_high: int | None
    hours_done: float
    hours_left: float | None


class DomainBoard(TypedDict):
    """The leaderboard of one domain; ``systems`` maps names to score and ranks."""

    name: str
    n: int
    problem: str | None
    rows: list[BoardRow]


class DomainsPanel(TypedDict):
    """Leaderboards by domain, by one ``model``, the domain with most judgments first."""

    model: str
    left_out: list[str]
    boards: list[DomainBoard]


class JudgeDetail(TypedDict):
    """What one judge's page shows besides the row of :class:`JudgeRow`.

    ``values`` and ``times`` are shares of their answers in the bins of the panel; ``errors`` are
    by severity, ``units`` the words (or characters) of the texts in which they could mark some.
    """

    n: int
    mean: float | None
    deviation: float | None
    values: list[float]
    times: list[float]
    screens: int
    errors: dict[str, int]
    units: int


class DetailsPanel(TypedDict):
    """Every judge in detail, and ``everybody`` together; ``unit`` is word or character."""

    unit: str
    value_bins: list[str]
    time_bins: list[str]
    everybody: JudgeDetail
    judges: dict[str, JudgeDetail]


#: How the kind of a leaderboard begins; its model follows.
BOARD = "leaderboard:"
#: The other kinds, as they are called wherever they are kept.
PANELS = (
    "done", "heat", "coverage", "people", "agreement", "items", "errors", "pace", "domains",
    "details", "machines", "powered",
)  # fmt: skip
#: How kinds begin that count the judgments of machines as if they were those of people.
WITH_MACHINES = "machines/"


@dataclass(frozen=True, slots=True)
class Standings:
    """How a campaign stands; what was not computed yet is ``None``. ``boards`` are by model.

    Every number is of people alone, ``machines`` apart. ``with_machines`` is how it would stand if
    machines counted as people, where there are machines.
    """

    boards: Mapping[str, LiveBoard]
    done: DonePanel | None = None
    heat: HeatPanel | None = None
    coverage: CoveragePanel | None = None
    people: JudgesPanel | None = None
    agreement: AgreementPanel | None = None
    items: ItemsPanel | None = None
    errors: ErrorsPanel | None = None
    pace: PacePanel | None = None
    domains: DomainsPanel | None = None
    details: DetailsPanel | None = None
    machines: MachinesPanel | None = None
    powered: PoweredPanel | None = None
    with_machines: "Standings | None" = None

    @classmethod
    def of(cls, contents: Mapping[str, Json]) -> Self:
        """The standings whose :meth:`contents` were kept; other kinds are passed over."""
        others = {
            kind.removeprefix(WITH_MACHINES): content
            for kind, content in contents.items()
            if kind.startswith(WITH_MACHINES)
        }
        kept: dict[str, Any] = {kind: contents[kind] for kind in PANELS if kind in contents}
        boards: dict[str, Any] = {
            kind.removeprefix(BOARD): content
            for kind, content in contents.items()
            if kind.startswith(BOARD)
        }
        return cls(boards, **kept, with_machines=Standings.of(others) if others else None)

    def contents(self) -> dict[str, Json]:
        """What is there, by kind, as JSON takes it."""
        found: dict[str, Any] = {f"{BOARD}{model}": board for model, board in self.boards.items()}
        panels = {kind: getattr(self, kind) for kind in PANELS}
        found |= {kind: panel for kind, panel in panels.items() if panel is not None}
        if self.with_machines is None:
            return found
        others = self.with_machines.contents()
        return found | {f"{WITH_MACHINES}{kind}": panel for kind, panel in others.items()}
