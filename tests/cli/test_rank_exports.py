"""``rankwise rank`` on every export of a campaign: the board's numbers, or a stated loss."""

import json

import numpy as np
import pytest

from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.shares import LEVEL
from rankwise.server.campaign.standings.boards import models_of, ranking_board, value_board
from rankwise.server.campaign.standings.counted import assessments_of, judgments_of
from rankwise.server.records import Slot
from server.campaign.made import make_plan, make_testset, simulated, stored

CAMPAIGNS = {
    "ranking": ("ranking", 4),
    "pairwise": ("pairwise", 2),
    "adequacy-fluency": ("adequacy-fluency", 3),
    "direct-assessment": ("direct-assessment", 2),
    "esa": ("esa", 1),
    "cesa": ("esa", 3),
    "mqm": ("mqm", 2),
}
#: The formats that hold orders, not values.
RANKED = {"jsonl", "wmt-pairwise", "wmt-csv", "pwcmp", "appraise-xml", "jcml", "fastchat"}
#: What a format may lose that changes numbers, in the words of the export.
STATED = (
    "become pairs",
    "Tied pairs are not held",
    "shared a text is not held",
    "only the last is read",
)


def documents(testset, count, k, protocol):
    """Judgments of documents of two segments, some errors marked, by four judges."""
    random = np.random.default_rng(3)
    found = []
    for number in range(1, count + 1):
        chosen = random.permutation(len(testset.systems))[:k]
        rows = [[_cell(random, int(code), protocol) for code in chosen] for _ in range(2)]
        first = int(random.integers(1, len(testset)))
        names = (str(first), str(first + 1))
        systems = [testset.systems[code] for code in chosen]
        answer = {"segments": rows}
        more = {"segment": names[0], "segments": names, "judge": f"j{random.integers(4)}"}
        found.append(stored(number, systems, answer, **more))
    return found


def _cell(random, code, protocol):
    severity = "major" if random.random() < code / 8 else "minor"
    span = {"start": 0, "end": 4, "severity": severity}
    if protocol == "mqm":
        span["category"] = "Fluency/Punctuation"
    spans = [span] if random.random() < 0.7 else []
    score = int(np.clip(90 - 8 * code + random.normal(0, 10), 0, 100))
    return {"spans": spans} if protocol == "mqm" else {"spans": spans, "score": score}


def campaign(name):
    """A campaign with everything that does not count: skips, repeats, revisions, late work."""
    protocol, k = CAMPAIGNS[name]
    plan, testset = make_plan(protocol=protocol, k=k), make_testset(5, 9)
    if plan.rules.is_document:
        judged = documents(testset, 60, k, protocol)
    else:
        judged = simulated(testset, 60, k=k, protocol=protocol)
    last = judged[-1]
    shared = [Slot(("s00", "s01")), *last.slots[1:]] if k > 1 else list(last.slots)
    free = [name for name in testset.systems if name not in ("s00", "s01")]
    shared[1:] = [Slot((name,)) for name in free[: k - 1]]
    more = {"segment": last.segment, "segments": last.segments}
    further = [
        stored(101, shared, last.answer, **more),
        stored(102, last.slots, last.answer, role="repeat", repeats=last.screen, **more),
        stored(103, last.slots, last.answer, surplus=True, **more),
        stored(104, last.slots, last.answer, is_excluded=True, judge="out", **more),
        stored(105, judged[0].slots, judged[0].answer, supersedes=judged[0].id, **more),
        stored(106, last.slots, {"reason": "other"}, **more),
    ]
    return plan, testset, [*judged, *further]


def board_of(plan, judgments, model):
    if model in ("mixed", "means"):
        return value_board(assessments_of(judgments, plan), model, seed=1)
    return ranking_board(judgments_of(judgments, plan), model, seed=1)


#: What holds texts, or means, and no single judgments.
NO_JUDGMENTS = ("testset", "pearmut", "appraise-batches", "mt-metrics-eval")


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_export_ranks_as_the_board_does_or_says_what_it_lost(name, run, tmp_path):
    plan, testset, judgments = campaign(name)
    read = []
    for format, _ in export.formats(plan):
        if format in NO_JUDGMENTS:
            continue
        path = tmp_path / export.file_name(plan, format)
        made = export.write(plan, testset, judgments, path, format=format)
        is_ranked = format in RANKED or not plan.rules.is_scalar
        model = "trueskill" if is_ranked else "mixed"
        assert model in models_of(plan)
        board = board_of(plan, judgments, model)
        given = ("--model", model, "--runs", board["runs"], "--level", LEVEL, "--seed", 1)
        result = run("rank", path, *given, "--format", "json")
        assert result.exit_code == 0, (format, result.stderr)
        found = scores_of(json.loads(result.stdout))
        expected = {row["system"]: row["score"] for row in board["rows"]}
        lost = [loss for loss in made.losses if any(words in loss for words in STATED)]
        read.append(format)
        if format in ("pwcmp", "fastchat") and plan.k > 2:
            assert any("each a screen of its own" in loss for loss in lost), format
        if not lost:
            assert found == pytest.approx(expected, abs=1e-9), format
        assert set(found) == set(expected), format
    assert {"long", "records"} < set(read)


def scores_of(content):
    rows = content
    while not (isinstance(rows, list) and rows and "system" in rows[0]):
        if isinstance(rows, list):
            rows = rows[0]
        else:
            rows = next(v for v in rows.values() if isinstance(v, list))
    key = "score" if "score" in rows[0] else "rating"
    return {row["system"]: row[key] for row in rows}
