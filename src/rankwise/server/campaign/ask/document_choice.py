"""Documents and their systems, chosen by what the scores so far leave open.

First every system is judged on the same few documents of all domains (the plan's ``cold_start``),
then every system gets its ``coverage_floor`` of documents; from there on the strategy chooses the
systems (``aggregate.asking.score_screens``), and a document is drawn for them: one on which none
of them was shown, of the domain that they lack most, among those shown least.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.asking.score_posterior import DocumentScores, score_posterior
from rankwise.aggregate.asking.score_screens import expected, score_screen
from rankwise.aggregate.asking.strategies import Clusters
from rankwise.server.campaign.ask.balance import shown_texts
from rankwise.server.campaign.ask.looks import Looks
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import PlannedScreen
from rankwise.types import Assessments

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ChosenDocument:
    """A document (its place among the windows), the numbers of its texts, and how it was chosen."""

    place: int
    codes: tuple[int, ...]
    chance: float
    stage: str


def cold_documents(
    domains: Sequence[str], count: int, seed: int, begun: Sequence[float] | None = None
) -> list[int]:
    """The places of *count* documents that cover the domains, in proportion and at random.

    The first ones are of different domains, the most frequent domain first. In each those come
    first of which most was shown (*begun*, a share): documents that are added while a campaign
    runs leave its cold start where it is.

    >>> cold_documents(["news"] * 6 + ["social"] * 3, 3, 1)
    [1, 7, 0]
    >>> cold_documents(["news"] * 6 + ["social"] * 3, 3, 1, [0, 0, 0, 0, 1, 0, 0, 0, 0])
    [4, 7, 1]
    """
    order = np.random.default_rng((seed, 6)).permutation(len(domains)).tolist()
    if begun is not None:
        order.sort(key=lambda place: -begun[place])
    names, sizes = np.unique(np.array(domains, str), return_counts=True)
    left = {name: [place for place in order if domains[place] == name] for name in names.tolist()}
    taken = dict.fromkeys(left, 0)
    size = dict(zip(names.tolist(), sizes.tolist(), strict=True))
    found: list[int] = []
    while len(found) < min(count, len(domains)):
        waiting = [name for name in left if taken[name] < size[name]]
        # every domain once, then by what each still lacks of its share (Sainte-Laguë)
        best = max(waiting, key=lambda name: (not taken[name], size[name] / (2 * taken[name] + 1)))
        found.append(left[best][taken[best]])
        taken[best] += 1
    return found


def chosen_documents(
    plan: Plan,
    strategy: Clusters,
    looks: Looks,
    domains: Sequence[str],
    assessments: Assessments | None,
    pending: Sequence[PlannedScreen],
    count: int,
    seed: int,
) -> Iterator[ChosenDocument]:
    """The documents to ask about next, with their systems, one by one."""
    state = _State(plan, strategy, looks, domains, assessments, pending, seed)
    for _ in range(count):
        found = state.cold() or state.floor() or state.chosen()
        if found is None:
            return
        state.count(found)
        yield found


class _State:
    """What was shown, and what will be known once all that is asked has been answered."""

    def __init__(
        self,
        plan: Plan,
        strategy: Clusters,
        looks: Looks,
        domains: Sequence[str],
        assessments: Assessments | None,
        pending: Sequence[PlannedScreen],
        seed: int,
    ) -> None:
        self._plan, self._strategy, self._looks = plan, strategy, looks
        self._random = np.random.default_rng((seed, 7))
        self._shown = shown_texts(looks, assessments, pending)
        self._codes = looks.codes
        self._is_text = looks.codes == np.arange(len(looks.systems))
        names, codes = np.unique(np.array(domains, str), return_inverse=True)
        self._domain, self._domains = codes, len(names)
        had = (self._is_text & (self._shown > 0)).sum(axis=1)
        begun = (had / np.maximum(self._is_text.sum(axis=1), 1)).tolist()
        self._cold = cold_documents(domains, plan.cold_start, plan.seed, begun)
        known = score_posterior(DocumentScores.of(assessments, looks.systems))
        self._known = expected(known, [_systems(screen, looks) for screen in pending])

    def cold(self) -> ChosenDocument | None:
        """A document of the cold start with systems not shown on it; ``None`` once it is over."""
        for place in self._cold:
            texts = np.flatnonzero(self._is_text[place])
            new = texts[self._shown[place, texts] == 0]
            if len(new):
                return self._drawn(place, texts, self._shown[place, texts], "cold start")
        return None

    def floor(self) -> ChosenDocument | None:
        """The systems shown least, while one is below the floor."""
        seen = self._seen()
        has = self._is_text.any(axis=0)
        if not has.any() or int(seen[has].min()) >= self._plan.coverage_floor:
            return None
        places = np.flatnonzero(self._is_text[:, seen == seen[has].min()].any(axis=1))
        if not len(places):
            return None
        least = self._shown[places].sum(axis=1)
        ties = places[least == least.min()]
        place = int(ties[self._random.integers(len(ties))])
        texts = np.flatnonzero(self._is_text[place])
        need = self._shown[place, texts] * (int(seen.max()) + 1) + seen[texts]
        return self._drawn(place, texts, need, "floor", 1 / len(ties))

    def chosen(self) -> ChosenDocument | None:
        """The systems that the strategy wants, on a document drawn for them."""
        k = min(self._plan.k, len(self._looks.systems))
        systems, chance = score_screen(self._strategy, self._known, k, self._random)
        drawn = self._document(list(systems))
        if drawn is None:
            return None
        place, of_document = drawn
        codes = list(dict.fromkeys(c for c in self._codes[place, list(systems)].tolist() if c >= 0))
        others = [c for c in np.flatnonzero(self._is_text[place]).tolist() if c not in codes]
        fill = self._random.permutation(len(others)).tolist()[: k - len(codes)]
        codes += [others[i] for i in fill]
        return ChosenDocument(place, tuple(codes), chance * of_document, "")

    def count(self, found: ChosenDocument) -> None:
        """Count a document as asked."""
        self._shown[found.place, list(found.codes)] += 1
        self._known = self._known.expecting(found.codes)

    def _drawn(
        self, place: int, texts: Counts, need: Counts, stage: str, chance: float = 1.0
    ) -> ChosenDocument:
        """The k texts of a document that need it most; chance decides between equals."""
        order = np.lexsort((self._random.random(len(texts)), need))[: self._plan.k]
        last = int(need[order[-1]])
        equal, sure = int((need == last).sum()), int((need < last).sum())
        chance /= comb(equal, len(order) - sure)
        return ChosenDocument(place, tuple(texts[order].tolist()), chance, stage)

    def _document(self, systems: list[int]) -> tuple[int, float] | None:
        """A document for some systems, and how likely it was."""
        distinct = self._looks.distinct(systems)
        usable = np.flatnonzero((distinct == distinct.max()) & (distinct > 0))
        if not len(usable):
            return None
        rows = np.arange(len(self._codes))[:, None]
        codes = self._codes[:, systems]
        again = np.where(codes >= 0, self._shown[rows, codes], 0).sum(axis=1)
        usable = usable[again[usable] == again[usable].min()]
        lack = self._lack(again)[self._domain[usable]]
        usable = usable[lack == lack.max()]
        total = np.where(self._is_text, self._shown, 0).sum(axis=1)[usable]
        usable = usable[total == total.min()]
        return int(usable[self._random.integers(len(usable))]), 1 / len(usable)

    def _lack(self, again: Counts) -> NDArray[np.float64]:
        """How much of its share each domain lacks, if some systems were shown *again* so often."""
        size = np.bincount(self._domain, minlength=self._domains)
        had = np.bincount(self._domain, again, self._domains)
        return np.asarray((size / len(self._domain)) / (2 * had + 1), np.float64)

    def _seen(self) -> Counts:
        """On how many documents every system was shown."""
        found: Counts = np.zeros(len(self._looks.systems), np.int64)
        for system in range(len(found)):
            code = self._codes[:, system]
            here = np.flatnonzero(code >= 0)
            found[system] = self._shown[here, code[here]].sum()
        return found


def _systems(screen: PlannedScreen, looks: Looks) -> list[int]:
    """The first system of every text of a screen that waits."""
    named = [slot.systems[0] for slot in screen.slots if slot.role == "TGT" and slot.systems]
    return [looks.number[name] for name in named if name in looks.number]
