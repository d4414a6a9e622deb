"""How a report is made: what it computes with, how much it shows, which files it was made from."""

from dataclasses import dataclass, field

from rankwise.aggregate.ranker import Ranker
from rankwise.evaluate.scoreboard import Resampling


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How it is computed and how much of it is shown.

    ``draws`` is for the test between metrics, which takes the most time by far, and for the
    intervals of their agreement with human scores; 0 for neither.
    """

    resampling: Resampling = field(default_factory=Resampling)
    ranker: Ranker = field(default_factory=Ranker)
    draws: int = 200
    segments: int = 300
    title: str = ""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read: what it holds, its name, and the SHA-256 of its bytes if it is one."""

    kind: str
    name: str
    digest: str = ""
