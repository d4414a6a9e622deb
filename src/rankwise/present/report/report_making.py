"""How a report is made: what it computes with, how much it shows, which files it was made from."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rankwise.aggregate.ranker import Ranker
from rankwise.evaluate.odd.text_troubles import text_troubles
from rankwise.evaluate.scoreboard import Resampling
from rankwise.metrics import Metric, language_notes, metrics_of
from rankwise.text.languages import target_language_of
from rankwise.types import Study
from rankwise.types.defaults import USUAL_METRICS


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


def chosen_metrics(
    study: Study, asked: str | Metric | Sequence[str | Metric] | None = None
) -> tuple[Study, list[Metric]]:
    """The metrics that were asked for, each once, or the usual ones where there are references.

    What their names leave open follows the target language. The study comes back with notes about
    that, and about texts that should be looked at.
    """
    if study.texts is None:
        return study, metrics_of(asked or ())
    usual = USUAL_METRICS if all(study.texts.references) else ()
    wanted = usual if asked is None else asked
    language = target_language_of(study.texts)
    troubles = text_troubles(study.texts, language)
    notes = (*study.notes, *language_notes(wanted, language), *troubles)
    return replace(study, notes=notes), list(dict.fromkeys(metrics_of(wanted, language)))


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read: what it holds, its name, and the SHA-256 of its bytes if it is one."""

    kind: str
    name: str
    digest: str = ""
