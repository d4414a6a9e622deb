"""Screens for scalar protocols: every output is shown as often as any other."""

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from rankwise.server.campaign.ask.looks import Looks
from rankwise.server.records import PlannedScreen
from rankwise.types import Assessments
from rankwise.types.judging.assessments import REAL_ROLES

Counts = NDArray[np.int64]

_NEVER = np.iinfo(np.int64).max


def balanced_cells(
    looks: Looks,
    assessments: Assessments | None,
    pending: Sequence[PlannedScreen],
    k: int,
    count: int,
    seed: int,
) -> Iterator[tuple[int, list[int], float]]:
    """(segment, numbers of k texts, probability) of the screens to ask next, one by one.

    A segment is one of those whose least shown text was shown least, of these one shown least;
    then the k texts of it shown least, of these those of systems shown least; chance decides
    between equals. So no system waits long for its first answers, however few there are. The
    probability is the product of both draws.
    """
    shown = shown_texts(looks, assessments, pending)
    is_text = looks.codes == np.arange(len(looks.systems))
    shown[~is_text] = _NEVER
    random = np.random.default_rng((seed, 4))
    if not is_text.any():
        return
    for _ in range(count):
        row, total = shown.min(axis=1), np.where(is_text, shown, 0).sum(axis=1)
        least = np.flatnonzero((row == row.min()) & (row < _NEVER))
        least = least[total[least] == total[least].min()]
        place = int(least[random.integers(len(least))])
        texts = np.flatnonzero(is_text[place])
        totals = np.where(is_text, shown, 0).sum(axis=0)
        need = shown[place, texts] * (int(totals.max()) + 1) + totals[texts]
        order = texts[np.lexsort((random.random(len(texts)), need))][:k]
        chance = _chance(need, len(order)) / len(least)
        shown[place, order] += 1
        yield place, order.tolist(), chance


def shown_texts(
    looks: Looks, assessments: Assessments | None, pending: Sequence[PlannedScreen]
) -> Counts:
    """How often each text (segment, its first system) was shown."""
    found = np.zeros(looks.codes.shape, np.int64)
    if assessments is not None and len(assessments):
        place = np.array([looks.place.get(name, -1) for name in assessments.segments])
        number = np.array([looks.number.get(name, -1) for name in assessments.systems])
        real = np.array([role in REAL_ROLES for role in assessments.roles])[assessments.role]
        rows, columns = place[assessments.segment], number[assessments.system]
        known = real & (rows >= 0) & (columns >= 0)
        rows, columns = rows[known], columns[known]
        # systems that share a text have a row each; that of the first one counts
        first = looks.codes[rows, columns] == columns
        np.add.at(found, (rows[first], columns[first]), 1)
    for screen in pending:
        for slot in screen.slots:
            if screen.segment in looks.place and slot.role == "TGT" and slot.systems:
                row, system = looks.place[screen.segment], looks.number.get(slot.systems[0], -1)
                if system >= 0 and looks.codes[row, system] >= 0:
                    found[row, looks.codes[row, system]] += 1
    return found


def _chance(need: Counts, size: int) -> float:
    """The chance of just these *size* texts: those with a lower number are sure to be taken."""
    last = int(np.sort(need)[size - 1])
    equal, sure = int((need == last).sum()), int((need < last).sum())
    return 1 / comb(equal, size - sure)
