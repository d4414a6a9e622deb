"""Any two systems of the report against each other: their scores, and segments to look through."""

from collections.abc import Mapping, Sequence

import numpy as np

from rankwise.evaluate.comparing.every_pair import PairSummary, every_pair
from rankwise.evaluate.scoreboard import Scoreboard
from rankwise.evaluate.segment_groups import length_weights, words_of_segments
from rankwise.evaluate.system_scores import SystemScores
from rankwise.present.comparing.pair_data import PairMetric, pair_data, within_room
from rankwise.present.page.html_page import Section
from rankwise.present.page.pair_view import PairView
from rankwise.present.report.findings import Findings
from rankwise.present.report.segment_differences import chosen_segments, differences, over_frame
from rankwise.present.score_tables import number_formats
from rankwise.text.languages import target_language_of
from rankwise.types import TestSet

Pair = tuple[int, int]

#: Characters of the texts of all systems that this section may hold.
ROOM = 1_500_000


def pair_section(findings: Findings) -> Section | None:
    """Two systems to be chosen; None without texts, or with one system."""
    texts, results = findings.study.texts, findings.results
    if texts is None or not results or len(results[0].systems) < 2:
        return None
    places = within_room(texts, _places(findings, texts), ROOM)
    if not places:
        return None
    frame = results[0].segments
    metrics = _metrics(findings)
    data = pair_data(frame.systems, frame.segments, metrics, texts, places)
    lead = (
        "Choose two systems: their scores, the difference A minus B with its interval and paired "
        "bootstrap test, and how many segments like these would tell them apart (p < .05) in 80 of "
        f"100 cases if the difference is the one seen. Below, {len(places):,} of "
        f"{len(frame.segments):,} segments, those that differ most. Words, n-grams and all "
        "segments of two systems: rankwise compare."
    )
    return Section("A against B", lead, pairs=PairView(data, chosen=_best_two(findings)))


def _best_two(findings: Findings) -> Pair:
    """The places of the two best systems by the first metric."""
    assert findings.board is not None  # where there are results there is a board
    one, two = findings.board.order[:2].tolist()
    return one, two


def _places(findings: Findings, texts: TestSet) -> list[int]:
    """The segments that differ most, as in the section about all systems."""
    golds = findings.golds
    found = differences(findings.results, golds[0].segments if golds else None)
    weights = length_weights(words_of_segments(texts, target_language_of(texts)))
    sizes = found.sizes(weights if weights.any() else None)
    return chosen_segments(sizes, findings.options.segments)


def _metrics(findings: Findings) -> list[PairMetric]:
    """Computed and given metrics with tests of all pairs, then what people say."""
    frame = findings.results[0].segments
    found = [] if findings.board is None else _tested(findings.board, findings.results)
    for gold in findings.golds:
        tests: Mapping[Pair, PairSummary] = {}
        if findings.human is not None and gold.name == str(_human(findings).metric):
            tests = _in_frame(findings, frame.systems)
        values = over_frame(gold.segments, frame)
        digits = 1 if np.nanmax(np.abs(values), initial=0.0) > 2 else 2
        found.append(PairMetric(gold.segments.name or gold.name, True, digits, values, tests))
    return found


def _tested(board: Scoreboard, results: Sequence[SystemScores]) -> list[PairMetric]:
    return [
        PairMetric(
            str(result.metric),
            result.metric.higher_is_better,
            int(number_formats(result)[1].strip(".f")),
            result.segments.values,
            every_pair(result, board.resampling, _groups(board)),
        )
        for result in results
    ]


def _groups(board: Scoreboard) -> Sequence[str] | None:
    """What is drawn as a whole: documents, or nothing."""
    return board.scored.labels["document"] if board.resampling.unit == "document" else None


def _human(findings: Findings) -> SystemScores:
    assert findings.human is not None
    return findings.human.scored.results[0]


def _in_frame(findings: Findings, systems: Sequence[str]) -> dict[Pair, PairSummary]:
    """Tests of human scores by the places of systems in the frame; people may judge only some."""
    assert findings.human is not None
    result = _human(findings)
    found = {}
    board = findings.human
    for (one, two), line in every_pair(result, board.resampling, _groups(board)).items():
        first, second = (systems.index(result.systems[place]) for place in (one, two))
        if first < second:
            found[first, second] = line
        else:
            found[second, first] = PairSummary(
                line.second, line.first, -line.high, -line.low, line.p_value, line.needed
            )
    return found
