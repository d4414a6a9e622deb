"""How a learned metric and the usual ones agree with people on what was not learned from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.metric_learning.learning_data import LearningData
from rankwise.learning.examples import Examples
from rankwise.learning.features import Features
from rankwise.metrics import in_language
from rankwise.metrics.features import scores_alone
from rankwise.significance import Bootstrap, MeanScore, bootstrap
from rankwise.significance.few_items import intervals_of_few
from rankwise.types.defaults import USUAL_METRICS

LEARNED = "learned"
SAMPLES = 1000
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HeldOutAccuracy:
    """The pairwise accuracy of one metric on one held-out part, with intervals over segments.

    ``lead`` is the accuracy of the learned metric minus this one, ``lead_low`` and ``lead_high``
    its interval on the same draws; 0 for the learned metric itself.
    """

    part: str
    metric: str
    preferences: int
    accuracy: float
    low: float
    high: float
    lead: float
    lead_low: float
    lead_high: float


def held_out_accuracies(
    parts: Mapping[str, NDArray[np.bool_]],
    data: LearningData,
    margins: Floats,
    features: Features,
    *,
    seed: int,
) -> tuple[HeldOutAccuracy, ...]:
    """The learned metric, whose scores are *margins*, and others on every part of *data*.

    Others are the usual ones, where there are references, and those among the *features*: what is
    learned should be worth more than each of them alone. A part is a mask of outputs. Ties of a
    metric count half. Segments are drawn with replacement.
    """
    usual = baseline_scores(data) if all(data.references) else {}
    scores = {LEARNED: margins, **usual, **_feature_scores(data, features, usual)}
    return tuple(
        found
        for name, mask in parts.items()
        for found in _accuracies(name, data.examples, mask, scores, seed)
    )


def baseline_scores(
    data: LearningData, metrics: Sequence[str] = USUAL_METRICS
) -> dict[str, Floats]:
    """Segment scores of metrics, more is better, of the outputs that preferences are about.

    On every track a metric finds words as its target language asks for.
    """
    used = np.unique(np.concatenate([data.examples.better, data.examples.worse]))
    track = data.examples.track[used]
    found = {}
    for name in metrics:
        by_track = [in_language(name, language).metric for language in data.languages]
        scores = np.zeros(len(data.examples))
        for number, chosen in enumerate(by_track):
            rows = used[track == number].tolist()
            if rows:
                texts = [data.hypotheses[row] for row in rows]
                sign = 1 if chosen.higher_is_better else -1
                references = [data.references[row] for row in rows]
                scores[rows] = sign * chosen.segments(texts, references)
        written = {str(chosen) for chosen in by_track}
        found[written.pop() if len(written) == 1 else name] = scores
    return found


def _feature_scores(
    data: LearningData, features: Features, known: Mapping[str, Floats]
) -> dict[str, Floats]:
    """The metrics among the features that are not yet known, more is better."""
    return {
        name: sign * data.examples.rows[:, place]
        for name, (place, sign) in scores_alone(features).items()
        if name not in known
    }


def _accuracies(
    part: str, examples: Examples, mask: NDArray[np.bool_], scores: Mapping[str, Floats], seed: int
) -> list[HeldOutAccuracy]:
    inside = mask[examples.better] & mask[examples.worse]
    if not examples.weight[inside].sum() > 0:
        return []
    rows = {name: _segment_rows(examples, inside, values) for name, values in scores.items()}
    drawn = bootstrap(rows, MeanScore(), samples=SAMPLES, seed=seed)
    leads = Bootstrap(
        drawn.systems,
        drawn.scores[0] - drawn.scores,
        drawn.resampled[:, :1] - drawn.resampled,
    )
    counts = [len(segments) for segments in rows.values()]
    own, lead = intervals_of_few(drawn, counts), intervals_of_few(leads, counts)
    ends = (drawn.scores, own.low, own.high, leads.scores, lead.low, lead.high)
    columns = zip(*(end.tolist() for end in ends), strict=True)
    count = int(inside.sum())
    return [
        HeldOutAccuracy(part, name, count, *numbers)
        for name, numbers in zip(drawn.systems, columns, strict=True)
    ]


def _segment_rows(examples: Examples, inside: NDArray[np.bool_], scores: Floats) -> Floats:
    """Weight of the preferences that scores order alike, and of all, for every segment."""
    better, worse = examples.better[inside], examples.worse[inside]
    weight = examples.weight[inside]
    right = (np.sign(scores[better] - scores[worse]) + 1) / 2
    _, segment = np.unique(examples.group[better], return_inverse=True)
    sums = [np.bincount(segment, values) for values in (right * weight, weight)]
    return np.stack(sums, axis=1)
