"""Simulated campaigns of values, in which all systems are equally good.

Judges are mild or strict, use much or little of the scale and like some systems better than others;
documents are easy or hard, and suit some systems better than others; so do segments. Everything is
drawn around 0 and added to ``LEVEL``: over all judges and documents no system is better.
"""

from dataclasses import dataclass

import numpy as np

from rankwise.types import Assessments

LEVEL = 60.0
#: How many segments a document has.
SEGMENTS = 4


@dataclass(frozen=True)
class Design:
    """Who judges what, and by how much judges and documents differ.

    ``own``: a document has its judges, who judge all systems on it, as in ESA at WMT24.
    ``random``: most outputs are judged, each by anybody, as the crowd did at WMT17 to WMT22.
    ``unequal``: two systems of a document at a time, some far more often, as at WMT26.
    """

    who: str = "own"
    systems: int = 3
    judges: int = 10
    documents: int = 24
    judges_of_document: int = 1
    judges_differ: bool = True
    documents_differ: bool = True


#: The designs that tests go through, by name.
DESIGNS = {
    "own judges": Design(),
    "two own judges": Design(judges_of_document=2),
    "three judges": Design(judges=3, judges_of_document=2),
    "random judges": Design(who="random", judges=20),
    "unequal": Design(who="unequal"),
    "alike": Design(judges_differ=False, documents_differ=False),
}


def simulated(random: np.random.Generator, design: Design) -> Assessments:
    """The judgments of one campaign."""
    system, segment, judge = _asked(random, design)
    document = segment // SEGMENTS
    shape, segments = design.systems, design.documents * SEGMENTS
    strict, liking, scale = (
        design.judges_differ * random.normal(0, deviation, size)
        for deviation, size in (
            (10, design.judges),
            (2.5, (design.judges, shape)),
            (0.2, design.judges),
        )
    )
    easy, suits = (
        design.documents_differ * random.normal(0, deviation, size)
        for deviation, size in ((8, design.documents), (3, (design.documents, shape)))
    )
    own = random.normal(0, 8, (segments, shape)) + random.normal(0, 4, segments)[:, None]
    value = liking[judge, system] + easy[document] + suits[document, system]
    value += own[segment, system] + random.normal(0, 10, len(system))
    value = LEVEL + strict[judge] + np.exp(scale[judge]) * value
    rows = [
        (f"s{s}", f"g{g}", f"j{j}", "TGT", float(v))
        for s, g, j, v in zip(system, segment, judge, value, strict=True)
    ]
    places = {
        "document": np.array([f"d{d}" for d in document], object),
        "domain": np.array([f"m{d % 2}" for d in document], object),
    }
    return Assessments.from_rows(rows, info=places)


def thinned(
    random: np.random.Generator, judged: Assessments, documents: int, segments: int
) -> Assessments:
    """The same judgments, of the first system only those of few documents and segments of them."""
    own = judged.system == judged.systems.index("s0")
    document = judged.info["document"].astype(str)
    chosen = random.choice(np.unique(document[own]), documents, replace=False)
    kept = ~own
    for name in chosen:
        here = own & (document == name)
        kept |= here & np.isin(judged.segment, np.unique(judged.segment[here])[:segments])
    return judged.select(kept)


def _asked(random: np.random.Generator, design: Design) -> tuple[np.ndarray, ...]:
    """System, segment and judge of every judgment."""
    systems, segments = range(design.systems), range(design.documents * SEGMENTS)
    if design.who == "own":
        judges = [
            random.permutation(design.judges)[: design.judges_of_document]
            for _ in range(design.documents)
        ]
        asked = [(s, g, j) for g in segments for j in judges[g // SEGMENTS] for s in systems]
    elif design.who == "random":
        asked = [
            (s, g, random.integers(design.judges))
            for g in segments
            for s in systems
            if random.random() < 0.7
        ]
    else:
        chances = np.arange(design.systems, 0, -1) / np.arange(design.systems + 1).sum()
        asked = []
        for document in range(design.documents):
            for _ in range(2):
                judge = random.integers(design.judges)
                chosen = random.choice(design.systems, 2, replace=False, p=chances)
                asked += [
                    (s, document * SEGMENTS + k, judge) for k in range(SEGMENTS) for s in chosen
                ]
    return tuple(np.array(column, np.int64) for column in zip(*asked, strict=True))
