"""``rankings-table``: a table of one's own with ``judge``, ``segment``, ``system`` and ``rank``.

CSV (with commas or ``;``) or tab-separated, a row per ranked output, columns in any order; 1 is the
best rank, equal ranks are ties, an empty one is none. What a judge says of a segment is one
ranking; a column ``screen`` (``hit``) tells several of them apart. Columns may be called as those
of ``values-table``; ``language_pair`` (``lp``) is kept, other columns are not read.
"""

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.formats import own_columns
from rankwise.io.formats.own_columns import read_judged
from rankwise.io.parts.line_text import finite_number
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder
from rankwise.types.language_codes import pair_languages

lacking = own_columns.lacking
_KEY = ("judge", "segment", "screen", "language_pair")


def read(path: StrPath) -> Judgments:
    """A ranking for every judge, segment, screen and language pair."""
    found = read_judged(path, "rank")
    ranks: dict[tuple[str, ...], dict[str, float | None]] = {}
    for number, cells in found.rows():
        key = tuple(found.cell(cells, name) for name in _KEY)
        text, system = found.cell(cells, "rank").strip(), found.cell(cells, "system")
        ranking = ranks.setdefault(key, {})
        if system in ranking:
            raise DataError(
                f"{name_of(path)}:{number}: {key[0]!r} ranks {system!r} twice in segment "
                f"{key[1]!r}; expected a column 'screen' that tells the rankings apart"
            )
        ranking[system] = finite_number(text, path, number, "rank") if text else None
    builder = JudgmentsBuilder()
    for (judge, segment, screen, pair), ranking in ranks.items():
        named = f"{judge} {screen}" if screen else ""  # every judge may count from 1
        languages = pair_languages(pair)
        systems, places = list(ranking), list(ranking.values())
        builder.add(segment, judge, systems, places, screen=named, languages=languages)
    return builder.build()


def sniff(head: Head) -> bool:
    """Whether the header has a judge, a segment, a system and a rank, but no score."""
    return own_columns.has_columns(head, "rank", but_not="score")
