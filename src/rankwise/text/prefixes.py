"""Words that keep the full stop after them: ``Dr. Smith``, ``No. 5``.

The lists are our own and short: titles, months and other abbreviations that stand before a name or
a number. A single capital letter is an initial in every language. Case matters: ``no.`` ends a
sentence, ``No. 5`` does not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase


@dataclass(frozen=True, slots=True)
class Prefixes:
    """``always`` keep their full stop; ``numeric`` keep it when a digit follows."""

    always: frozenset[str] = frozenset()
    numeric: frozenset[str] = frozenset()


def _prefixes(letters: str, always: str, numeric: str = "") -> Prefixes:
    return Prefixes(frozenset(letters) | frozenset(always.split()), frozenset(numeric.split()))


_CYRILLIC_CAPITALS = "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ"

#: The built-in list of every language METEOR normalises.
PREFIXES: Mapping[str, Prefixes] = {
    "en": _prefixes(
        ascii_uppercase,
        """Mr Mrs Ms Messrs Dr Prof Rev Hon Gov Sen Rep Pres Gen Col Maj Capt Lt Sgt Cpl Adm Cmdr
        St Mt Ft Sr Jr Bros vs etc al Inc Ltd Corp Co Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov
        Dec""",
        "No Nos Art pp p Vol Fig",
    ),
    "de": _prefixes(
        ascii_uppercase + "ÄÖÜ",
        """Dr Prof Hr Fr Hrn Frl Ing Dipl Mag St Str Nr Abs Art Bd Kap Abb Tab Jan Febr Apr Aug Sept
        Okt Nov Dez bzw ca usw vgl evtl ggf inkl exkl max min Mio Mrd Tel z d u i o v s""",
    ),
    "fr": _prefixes(
        ascii_uppercase + "ÉÈÀÇ",
        """M MM Mme Mmes Mlle Mlles Dr Pr Me Mgr St Ste av apr art chap fig vol etc env janv févr
        avr juill sept oct nov déc""",
        "no n p pp",
    ),
    "es": _prefixes(
        ascii_uppercase + "Ñ",
        """Sr Sres Sra Sras Srta Dr Dra Dres Prof Profa D Dña Ud Uds Vd Vds Gral Cnel Cap Ing Lic
        Arq Mons Av Avda Art Cía Núm Pág Págs Vol etc EE UU ej aprox""",
        "No p pp",
    ),
    "cs": _prefixes(
        ascii_uppercase + "ČĎŇŘŠŤŽ",
        """p pí Dr Ing Mgr Bc MUDr JUDr RNDr PhDr PaedDr doc prof sv č čl odst str tzv tj např resp
        atd apod mj ul nám mil mld tis""",
    ),
    "ru": _prefixes(
        ascii_uppercase + _CYRILLIC_CAPITALS,
        """г гг в вв ул д кв пр просп пл стр рис табл тыс млн млрд руб коп т п др пр им проф акад
        доц см напр ст п м км кг""",
    ),
}
