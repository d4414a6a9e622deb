"""How often every system and every segment has been shown, and who should be shown next."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.types import Judgments, TestSet


class Coverage:
    """Counts of what was shown; a screen that is asked for counts as shown.

    *random* breaks ties between what was shown equally often.
    """

    def __init__(
        self,
        systems: Sequence[str],
        segments: Sequence[str],
        testset: TestSet | None,
        random: np.random.Generator,
    ) -> None:
        self._systems, self._segments = tuple(systems), tuple(segments)
        self._seen = np.zeros(len(self._systems), np.int64)
        self._shown = np.zeros(len(self._segments), np.int64)
        self._place = {name: place for place, name in enumerate(self._segments)}
        self._texts = None if testset is None else _texts(testset)
        self._together = np.zeros((len(systems), len(systems)), np.int64)
        self._random = random

    def count_judgments(self, judgments: Judgments | None) -> None:
        """Count the screens of *judgments*, skipped ones as well: they would be skipped again."""
        if judgments is None or len(judgments) == 0:
            return
        self._seen += _recoded(judgments.system, judgments.systems, self._systems)
        self._shown += _recoded(judgments.segment, judgments.segments, self._segments)

    def count_screen(self, systems: Sequence[int], segment: str | None) -> None:
        """Count a screen that is asked for."""
        chosen = list(systems)
        self._seen[chosen] += 1
        self._together[np.ix_(chosen, chosen)] += 1
        if segment in self._place:
            self._shown[self._place[segment]] += 1

    def least_seen(self, k: int, floor: int) -> tuple[int, ...] | None:
        """The *k* systems shown least, those not yet shown together first; None above the floor."""
        if self._seen.min() >= floor:
            return None
        chance = self._random.random(len(self._seen))
        chosen = [int(np.lexsort((chance, self._seen))[0])]
        while len(chosen) < k:
            met = self._together[chosen].sum(axis=0)
            order = np.lexsort((chance, met, self._seen))
            chosen.append(next(int(s) for s in order if int(s) not in chosen))
        return tuple(chosen)

    def segment(self, systems: Sequence[int]) -> str | None:
        """The segment shown least; with texts, the first one that tells all *systems* apart.

        Where none does, it is the one that tells most of them apart.
        """
        if not self._segments:
            return None
        order = np.lexsort((self._random.random(len(self._shown)), self._shown))
        names: list[str] = [self._segments[place] for place in order.tolist()]
        if self._texts is None:
            return names[0]
        best, most = names[0], -1
        for name in names:
            texts = self._texts.get(name, {})
            distinct = len({texts.get(self._systems[system]) for system in systems} - {None})
            if distinct == len(systems):
                return name
            if distinct > most:
                best, most = name, distinct
        return best


def _recoded(codes: NDArray[np.int32], old: Sequence[str], new: Sequence[str]) -> NDArray[np.int64]:
    """How often each of the *new* names occurs among *codes* of *old* names."""
    counts = dict(zip(old, np.bincount(codes, minlength=len(old)).tolist(), strict=True))
    return np.array([counts.get(name, 0) for name in new], np.int64)


def _texts(testset: TestSet) -> dict[str, dict[str, str | None]]:
    """The output of every system, by segment."""
    names = testset.systems
    rows = zip(*testset.outputs.values(), strict=True) if names else iter(())
    ids = [segment.id for segment in testset.segments]
    return {id: dict(zip(names, row, strict=True)) for id, row in zip(ids, rows, strict=True)}
