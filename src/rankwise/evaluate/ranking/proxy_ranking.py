"""A ranking of systems from a few human judgments and the scores a machine gave to everything."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rankwise import __version__
from rankwise.aggregate.proxies.powered_estimate import FOLDS, Help, PoweredEstimate
from rankwise.aggregate.proxies.powered_values import PARTS as VALUE_PARTS
from rankwise.aggregate.proxies.powered_values import powered_values
from rankwise.aggregate.proxies.powered_wins import PARTS as WIN_PARTS
from rankwise.aggregate.proxies.powered_wins import powered_wins
from rankwise.aggregate.scalar.judged_values import Codes, Floats
from rankwise.aggregate.scalar.value_models import Drawing, Mixed, ValueBoard, drawn_board
from rankwise.evaluate.ranking.human_parts import in_words
from rankwise.evaluate.ranking.proxy_places import (
    ScoredPlaces,
    contests_in_place,
    values_in_place,
)
from rankwise.types import Assessments, Judgments, Leaderboard, ScoreTable
from rankwise.types.shown import Shown

#: With fewer documents than this, what intervals rest on is said beside them.
FEW = 10


@dataclass(frozen=True, slots=True, eq=False)
class ProxyRanking(Shown):
    """Systems ranked by people and a machine together, best first.

    ``found`` holds the ranking (also ``board``), intervals and p-values; ``alone`` are the scores
    by people alone, ``alone_low`` and ``alone_high`` their intervals. ``weights`` and
    ``correlations`` say, for each part of what the machine says, how much it counts and how far it
    goes with people: its view of a ``segment``, the same for all systems, and of an ``output``
    against those of others. ``means`` and ``differences`` say what it does for either;
    ``half_widths`` are those of both, by people alone and together. ``judgments`` counts those of
    every system, ``totals`` in all.
    """

    found: ValueBoard
    proxy: str
    alone: Floats
    alone_low: Floats
    alone_high: Floats
    weights: Mapping[str, float]
    correlations: Mapping[str, float]
    means: Help
    differences: Help
    half_widths: Mapping[str, tuple[float, float]]
    judgments: Sequence[int]
    totals: Mapping[str, int]
    labels: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def board(self) -> Leaderboard:
        """The ranking itself."""
        return self.found.board

    @property
    def title(self) -> str:
        """The labels in words."""
        return in_words(self.labels)

    def __repr__(self) -> str:
        """The order of systems with lines between clusters, in one line."""
        return repr(self.board).replace("<Leaderboard", "<ProxyRanking")


def rank_with_proxy(
    people: Assessments | Judgments,
    proxy: ScoreTable,
    *,
    documents: Mapping[str, str] | None = None,
    runs: int = 1000,
    seed: int = 1,
    level: float = 0.95,
    labels: Mapping[str, str] | None = None,
) -> ProxyRanking:
    """Systems by what people said of a sample, helped by scores of everything.

    *people* are values (DA, ESA, MQM), or rankings, of which the share of wins is taken: against
    every other system alike, a tie half. *proxy* are the scores of one metric for the outputs of
    all these systems on all segments, also those that nobody judged. Scores are on the scale of
    people, and their intervals hold however wrong the proxy is, as long as chance decided what
    people were given: see :mod:`rankwise.aggregate.proxies.powered_estimate`. What decides how much
    the proxy helps is how far it goes with people, segment by segment; whether more of it is better
    or worse does not matter. *documents* names those of segments, by their ids, where *people* do
    not, and of the segments that nobody judged.

    >>> random = np.random.default_rng(1)
    >>> quality = random.normal(70, 10, (2, 200)) + np.array([[5], [0]])
    >>> machine = ScoreTable(("A", "B"), tuple(map(str, range(200))), quality / 100, name="metric")
    >>> rows = [("AB"[s], str(g), "ann", "TGT", quality[s, g]) for g in range(20) for s in (0, 1)]
    >>> ranking = rank_with_proxy(Assessments.from_rows(rows), machine)
    >>> ranking, ranking.alone.round(1), ranking.board.scores.round(1)
    (<ProxyRanking: A | B>, array([75.4, 69.3]), array([74.3, 69.1]))
    """
    drawing = Drawing(runs, seed, level)
    if isinstance(people, Judgments):
        contests, places = contests_in_place(people, proxy, documents)
        estimate = powered_wins(contests, places.scores, places.document)
        system = np.concatenate([contests.first, contests.second])
        signature = f"win-shares:version={__version__}"
        said = _Said(
            places,
            system,
            len(contests.won),
            "comparisons",
            WIN_PARTS,
            signature,
            bounds=(0, 1),
            thin_pairs=int(np.count_nonzero(contests.is_of_one_unit)),
        )
    else:
        values, places = values_in_place(people, proxy, documents)
        estimate = powered_values(values, places.scores, places.place, places.document)
        signature = Mixed().signature
        said = _Said(places, values.system, len(values), "judgments", VALUE_PARTS, signature)
    return said.ranking(estimate, drawing, labels or {})


@dataclass(frozen=True, slots=True, eq=False)
class _Said:
    """What people said, and where: all that a ranking tells beside the estimate."""

    places: ScoredPlaces
    system: Codes
    count: int
    what: str
    parts: tuple[str, ...]
    signature: str
    bounds: tuple[float, float] = (-np.inf, np.inf)
    thin_pairs: int = 0

    def ranking(
        self, estimate: PoweredEstimate, drawing: Drawing, labels: Mapping[str, str]
    ) -> ProxyRanking:
        weights = dict(zip(self.parts, estimate.weights.tolist(), strict=True))
        written = ":".join(f"{part}={weight:.4g}" for part, weight in weights.items())
        folds = min(FOLDS, self.places.judged_documents)
        signature = f"{self.signature} proxy:scores={self.places.name}:{written}:folds={folds}"
        systems, level = self.places.systems, drawing.level
        found = drawn_board(
            systems,
            estimate.means,
            replace(estimate.errors, unknown=estimate.unknown),
            drawing,
            signature=signature,
        )
        order = [systems.index(name) for name in found.board.systems]
        found = replace(
            found, low=np.clip(found.low, *self.bounds), high=np.clip(found.high, *self.bounds)
        )
        ends = estimate.alone_errors.intervals(estimate.alone, level=level)
        low, high = (np.where(estimate.unknown, np.nan, np.clip(end, *self.bounds)) for end in ends)
        counts = np.bincount(self.system, minlength=len(systems))
        return ProxyRanking(
            found,
            proxy=self.places.name,
            alone=estimate.alone[order],
            alone_low=low[order],
            alone_high=high[order],
            weights=weights,
            correlations=dict(zip(self.parts, estimate.correlations.tolist(), strict=True)),
            means=estimate.for_means,
            differences=estimate.for_differences,
            half_widths=estimate.half_widths(level),
            judgments=counts[order].tolist(),
            totals=self._totals(),
            labels=dict(labels),
            notes=(*self._notes(), *self._unknown(estimate)),
        )

    def _totals(self) -> dict[str, int]:
        places = self.places
        return {
            self.what: self.count,
            "judges": places.judges,
            "segments": places.judged_segments,
            "documents": places.judged_documents,
            "scored segments": places.scores.shape[1],
            "scored documents": len(np.unique(places.document)),
        }

    def _notes(self) -> Iterator[str]:
        places, name = self.places, self.places.name
        if places.left_out:
            yield f"{places.left_out} {self.what} of segments without scores {name} are left out"
        if places.unscored:
            yield f"{name} scored no output of {', '.join(places.unscored)}: people alone decide"
        if places.judged_segments == places.scores.shape[1]:
            yield f"people judged every segment that {name} scored: it has little or nothing to add"
        if places.judges == 1:
            yield "one judge: nothing is known about how others would have judged"
        if not places.has_documents:
            yield "the judgments name no documents: segments stand for them"
        elif places.unplaced:
            yield (
                f"the documents of {places.unplaced} segments without judgments are not known: "
                "each stands for itself"
            )
        if places.judged_documents == 1:
            yield f"one document was judged: nothing tells how much {name} may count: it does not"
        elif places.judged_documents < FEW:
            yield (
                f"{places.judged_documents} documents were judged: intervals of fewer than {FEW} "
                "are wide, and hold a little less often than they say"
            )

    def _unknown(self, estimate: PoweredEstimate) -> Iterator[str]:
        """What nothing is known about, and what is known too well."""
        names = [self.places.systems[place] for place in np.flatnonzero(estimate.unknown).tolist()]
        if names:
            yield (
                f"{', '.join(names)}: judged by one judge on one document, so without an interval "
                "and of any rank"
            )
        if self.thin_pairs:
            yield (
                f"{self.thin_pairs} pairs of systems met in one document before one judge: "
                "intervals are too narrow until they meet again"
            )
