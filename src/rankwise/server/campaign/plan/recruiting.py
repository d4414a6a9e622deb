"""Who may come by an open link, how much each may do, and what they get in the end."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from rankwise.server.campaign.plan.plan_keys import PlanKeys

# the host is the organiser's alone: no parameter, no name or password, nothing a browser may mend
_ADDRESS = re.compile(r"https://[a-z0-9.-]+(:\d+)?([/?#][!-\[\]-~]*)?", re.IGNORECASE)
_NAME = re.compile(r"\{([A-Za-z0-9_.-]+)\}")


@dataclass(frozen=True, slots=True)
class Recruiting:
    """Places of an open link, screens per judge (0: no limit), and the codes of the last page.

    ``code_pass`` is for who passed the tutorial and the checks, ``code_fail`` for everybody else.
    ``redirect_pass`` and ``redirect_fail`` are addresses in place of codes, in which ``{NAME}`` is
    the parameter by which somebody came.
    ``person`` is the parameter of the address that tells people apart; without it all do.
    """

    most_judges: int = 100
    screens_per_judge: int = 0
    code_pass: str = ""
    code_fail: str = ""
    person: str = ""
    redirect_pass: str = ""
    redirect_fail: str = ""

    def person_of(self, parameters: Mapping[str, str]) -> Mapping[str, str]:
        """The parameters by which somebody is known again; empty for nobody in particular.

        >>> Recruiting(person="PID").person_of({"PID": "7", "SESSION": "x"})
        {'PID': '7'}
        """
        if not self.person:
            return parameters
        return {self.person: parameters[self.person]} if parameters.get(self.person) else {}

    def code(self, *, passed: bool) -> str:
        """What the last page shows; empty where no code is set.

        >>> Recruiting(code_pass="GOOD").code(passed=True)
        'GOOD'
        """
        return self.code_pass if passed else self.code_fail

    def redirect(self, parameters: Mapping[str, str], *, passed: bool) -> str:
        """Where the last page leads; empty where no address is set.

        >>> there = Recruiting(redirect_pass="https://example.org/done?who={PID}&to={NOBODY}")
        >>> there.redirect({"PID": "a&b"}, passed=True)
        'https://example.org/done?who=a%26b&to='
        """
        address = self.redirect_pass if passed else self.redirect_fail
        return _NAME.sub(lambda name: quote(parameters.get(name[1], ""), safe=""), address)


#: What holds where a plan says nothing.
USUAL_RECRUITING = Recruiting()


def read_recruiting(keys: PlanKeys | None) -> Recruiting:
    """The table of a plan."""
    if keys is None:
        return USUAL_RECRUITING
    found = Recruiting(
        keys.whole("most_judges", 100, least=1, most=10**6),
        keys.whole("screens_per_judge", 0, least=0, most=10**6),
        keys.text("code_pass", "", empty=True),
        keys.text("code_fail", "", empty=True),
        keys.text("person", "", empty=True),
        _address(keys, "redirect_pass"),
        _address(keys, "redirect_fail"),
    )
    keys.finish()
    return found


def _address(keys: PlanKeys, key: str) -> str:
    address = keys.text(key, "", empty=True)
    if address and not (_ADDRESS.fullmatch(address) and len(address) <= 2000):
        raise keys.error(key, address, "an address that begins with https:// and a host")
    return address
