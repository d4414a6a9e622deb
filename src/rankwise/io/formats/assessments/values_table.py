"""Values that people gave, as a table of one's own: ``judge``, ``segment``, ``system``, ``score``.

CSV (with commas or ``;``) or tab-separated, a row per judgment, columns in any order. ``judge`` may
be called ``annotator``, ``rater`` or ``evaluator``, ``segment`` also ``seg``, ``item`` or
``sentence``, ``system`` also ``model``, ``score`` also ``rating`` or ``value``, each with ``_id``
behind it. ``document``, ``domain`` and ``language_pair`` (``lp``) mean what they say, further
columns are kept as they are. An empty score is none.
"""

import math
from collections import Counter

from rankwise.io.files import StrPath, stem_of
from rankwise.io.formats import own_columns
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows, Cell
from rankwise.io.formats.own_columns import JudgedTable, read_judged
from rankwise.io.parts.line_text import finite_number
from rankwise.io.parts.which_part import choose
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

lacking = own_columns.lacking


def read(path: StrPath, *, language_pair: str | None = None) -> Assessments:
    """The values of one language pair.

    *language_pair*, as in ``en-de``, chooses the rows by their column; it may stay unsaid when the
    file has only one. Judges keep the names that the table has.
    """
    found, rows = read_judged(path, "score"), AssessmentRows(keep_judges=True)
    pair = _pair(found, path, language_pair)
    further = found.further()
    named = [name for name in ("document", "domain", "screen") if name in found.places]
    for number, cells in found.rows():
        if found.cell(cells, "language_pair") != pair:
            continue
        info: dict[str, Cell] = {name: cells[place] or None for name, place in further.items()}
        info |= {name: found.cell(cells, name) or None for name in named}
        score = found.cell(cells, "score")
        value = finite_number(score, path, number) if score.strip() else math.nan
        system, segment, judge = (found.cell(cells, n) for n in ("system", "segment", "judge"))
        rows.add((system, segment, judge, "TGT", value), info)
    return rows.build(stem_of(path))


def language_pairs(path: StrPath) -> list[str]:
    """The language pairs of a file, in the order in which they come."""
    return list(_pairs(read_judged(path, "score")))


def _pair(found: JudgedTable, path: StrPath, wanted: str | None) -> str:
    pairs = _pairs(found)
    return choose(path, "language_pair", wanted, pairs) if pairs or wanted is not None else ""


def _pairs(found: JudgedTable) -> Counter[str]:
    """The rows of each language pair; nothing where there is no such column."""
    if "language_pair" not in found.places:
        return Counter()
    return Counter(found.cell(cells, "language_pair") for _, cells in found.table.rows())


def sniff(head: Head) -> bool:
    """Whether the header has a judge, a segment, a system and a score."""
    return own_columns.has_columns(head, "score")
