"""``pwcmp``: choices between two conditions, as the tools pwcmp and ASAP take them.

Columns ``observer``, ``session``, ``scene``, ``condition_A``, ``condition_B``, ``is_A_selected``:
a judge, a further label (kept as ``info["session"]``), a segment, two systems, and 1 when the first
was chosen or 0 when the second was. There are no ties and no screens.
"""

import csv
from collections.abc import Iterator
from itertools import combinations

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_text
from rankwise.io.parts import losses
from rankwise.io.parts.csv_rows import CsvRows
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder, Ranking

_HEADER = ("observer", "session", "scene", "condition_A", "condition_B", "is_A_selected")
_RANKS = {"1": (1.0, 2.0), "0": (2.0, 1.0)}


def sniff(head: Head) -> bool:
    """Whether the header names the two conditions and the choice."""
    return {"condition_a", "condition_b", "is_a_selected"} <= {c.lower() for c in head.columns}


def read(path: StrPath) -> Judgments:
    """The choices of a file, a ranking of two systems each."""
    rows = CsvRows(path)
    observer, session, scene, left, right, selected = (rows.column(name) for name in _HEADER)
    builder = JudgmentsBuilder()
    for row in rows:
        try:
            if row[selected] not in _RANKS:
                raise DataError(f"found is_A_selected {row[selected]!r}; expected 1 or 0")
            builder.add(
                row[scene],
                row[observer],
                (row[left], row[right]),
                _RANKS[row[selected]],
                info={"session": row[session]},
            )
        except DataError as error:
            raise rows.error(error, row[-1]) from error
    return builder.build()


def write(judgments: Judgments, path: StrPath) -> list[str]:
    """Write the pairs that are not tied; a judge's session is 1 where none is known."""
    with write_text(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(_HEADER)
        for ranking in judgments:
            writer.writerows(_rows(ranking))
    return [
        *losses.lost_ties(judgments),
        *losses.lost_unranked(judgments),
        *losses.lost_larger(judgments),
        *losses.lost_outputs(judgments),
        *losses.lost_screens(judgments),
        *losses.lost_languages(judgments),
        *losses.lost_info(judgments, kept=("session",)),
    ]


def _rows(ranking: Ranking) -> Iterator[tuple[str, ...]]:
    items = zip(ranking.systems, ranking.ranks, strict=True)
    session = str(ranking.info.get("session", "1"))
    for (left, x), (right, y) in combinations(items, 2):
        if x is not None and y is not None and x != y:
            yield ranking.judge, session, ranking.segment, left, right, "1" if x < y else "0"
