"""``jcml``: RankEval's XML of judged sentences (Judged Corpus Markup Language).

A sentence holds the ranks of its outputs::

    <jcml>
      <judgedsentence id="1" langsrc="fr" langtgt="en" judgement_id="7" judge_id="ann">
        <src>Bonjour .</src>
        <tgt system="A" rank="1">Hello .</tgt>
        <tgt system="B" rank="2">Good day .</tgt>
        <ref>Hello .</ref>

A rank of -1 is not ranked. ``judgement_id`` names the screen and ``judge_id`` the judge; further
attributes of the sentence are kept in ``info``.
"""

from collections.abc import Iterator

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, write_text
from rankwise.io.formats.judgments.wmt_cells import Ranks, rank_cell
from rankwise.io.parts import losses
from rankwise.io.parts.xml_events import follow_xml
from rankwise.io.parts.xml_text import is_xml_name, start_tag
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder, Ranking

NOT_READ = ("Texts of sources, outputs and references are not judgments and are not read.",)

_KNOWN = ("id", "langsrc", "langtgt", "judgement_id", "judge_id")


def sniff(head: Head) -> bool:
    """Whether there is XML with a jcml element."""
    return head.is_xml and "<jcml" in head.text


def read(path: StrPath, *, rank: str = "rank") -> Judgments:
    """The rankings of a file, one per judged sentence.

    *rank* is the attribute of ``tgt`` that holds the ranks: a file with several (a human rank,
    predicted ones) is read once for each.
    """
    reader = _Reader(rank)
    follow_xml(path, reader.start, reader.end)
    if not reader.found:
        raise DataError(f"{name_of(path)}:1: found no jcml element; expected one")
    return reader.builder.build()


class _Reader:
    """Follows the elements of a file down to the judged sentences."""

    def __init__(self, rank: str) -> None:
        self.builder = JudgmentsBuilder()
        self.found = False
        self._rank = rank
        self._sentence: dict[str, str] | None = None
        self._systems: list[str] = []
        self._given: list[float | None] = []
        self._ranks = Ranks()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins: remember the sentence and its outputs."""
        if name == "tgt" and self._sentence is not None:
            if "system" not in attributes or self._rank not in attributes:
                missing = self._rank if "system" in attributes else "system"
                found = ", ".join(attributes) or "no attributes"
                raise DataError(f"found a tgt with {found}; expected the attribute {missing!r}")
            self._given.append(self._ranks[attributes[self._rank]])
            self._systems.append(attributes["system"])
        elif name == "judgedsentence":
            if "id" not in attributes:
                raise DataError("found a judgedsentence without id; expected one")
            self._sentence, self._systems, self._given = attributes, [], []
        elif name == "jcml":
            self.found = True

    def end(self, name: str, _text: str) -> None:
        """An element ends: if it is a sentence, the ranking is complete."""
        if name != "judgedsentence" or self._sentence is None:
            return
        sentence, self._sentence = self._sentence, None
        self.builder.add(
            sentence["id"],
            sentence.get("judge_id", ""),
            self._systems,
            self._given,
            screen=sentence.get("judgement_id", ""),
            languages=(sentence.get("langsrc", ""), sentence.get("langtgt", "")),
            info={name: cell for name, cell in sentence.items() if name not in _KNOWN},
        )


def write(judgments: Judgments, path: StrPath, *, rank: str = "rank") -> list[str]:
    """Write a judged sentence per ranking, texts empty.

    *rank* is the attribute of ``tgt`` that takes the ranks.
    """
    names = [name for name in judgments.info if is_xml_name(name) and name not in _KNOWN]
    with write_text(path) as stream:
        stream.write('<?xml version="1.0" encoding="utf-8"?>\n<jcml>\n')
        stream.writelines(f"{line}\n" for r in judgments for line in _lines(r, rank, names))
        stream.write("</jcml>\n")
    return [
        *losses.lost_outputs(judgments),
        *losses.lost_info(judgments, kept=names),
    ]


def _lines(ranking: Ranking, rank: str, names: list[str]) -> Iterator[str]:
    attributes = {
        "id": ranking.segment,
        "langsrc": ranking.source_language,
        "langtgt": ranking.target_language,
        "judgement_id": ranking.screen,
        "judge_id": ranking.judge,
    }
    attributes |= {name: str(ranking.info[name]) for name in names if name in ranking.info}
    yield "\t" + start_tag("judgedsentence", attributes)
    yield "\t\t<src></src>"
    for system, value in zip(ranking.systems, ranking.ranks, strict=True):
        yield "\t\t" + start_tag("tgt", {"system": system, rank: rank_cell(value)}) + "</tgt>"
    yield "\t</judgedsentence>"
