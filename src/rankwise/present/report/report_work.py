"""How far a report is: its steps, and about how long each takes beside the others."""

from collections.abc import Callable, Sequence

from rankwise.evaluate.scored_study import frame_of
from rankwise.evaluate.work_done import Work
from rankwise.metrics import Metric
from rankwise.present.report.report_making import ReportOptions
from rankwise.types import Study

#: What costs are told by: seconds on one core, for the sizes that a step grows with.
SCORED = 3e-5  # an output by a metric
RESAMPLED = 2e-7  # a resample of a segment of all systems
RUN = 3e-8  # a pair of judgments in a run of the ranking
EXCHANGED = 1e-6  # a pair of systems in a draw of the test between two metrics
REDRAWN = 1.5e-5  # a pair of systems in a resample of a metric's agreement
COMPARED = 3e-6  # a character of an output beside its reference
PAIRED = 2e-6  # a resample of two systems


def report_work(
    study: Study,
    metrics: Sequence[Metric],
    options: ReportOptions,
    progress: Callable[[float], object] | None = None,
) -> Work:
    """The steps of a report with their costs; *progress* is told what was done, in percent."""
    systems, segments = map(len, frame_of(study))
    results = len(metrics) + len(study.scores)
    duels, draws = systems * (systems - 1) / 2, options.resampling.draws
    has_both = study.human is not None and results > 0
    tested = options.draws * duels * has_both
    shown = min(options.segments, segments) * min(8, systems)
    judged = 0 if study.judgments is None else len(study.judgments)
    costs = {
        "scores": SCORED * len(metrics) * systems * segments,
        "boards": RESAMPLED * results * draws * segments,
        "people": RESAMPLED * draws * segments * (study.human is not None),
        "ranking": RUN * options.ranker.runs * judged * 10,  # pairs of a screen of five
        "meta": EXCHANGED * tested * results * (results - 1) / 2,
        "intervals": REDRAWN * tested * results,
        "segments": COMPARED * shown * _characters(study),
        "pairs": PAIRED * draws * duels * results,
    }
    return Work({step: 0.01 + cost for step, cost in costs.items()}, progress)


def _characters(study: Study) -> float:
    """The mean length of the first system's outputs."""
    if study.texts is None or not study.texts.outputs:
        return 0.0
    outputs = next(iter(study.texts.outputs.values()))
    return sum(len(text or "") for text in outputs) / max(1, len(outputs))
