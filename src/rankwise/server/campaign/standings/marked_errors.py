"""The errors that judges marked: how many, how severe, of which kind, in whose texts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rankwise.evaluate.marked.error_places import error_places
from rankwise.evaluate.marked.span_agreement import span_agreement
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import LEVEL, plain
from rankwise.server.campaign.standings.contents import (
    ErrorRow,
    ErrorsPanel,
    PlacesPanel,
    SpanCell,
    SpansPanel,
)
from rankwise.server.records import StoredJudgment
from rankwise.types import Assessments, TestSet

#: Resamples for the intervals of agreement on errors.
_SAMPLES = 400


def error_counts(
    plan: Plan,
    testset: TestSet,
    judgments: Sequence[StoredJudgment],
    values: Assessments | None = None,
    *,
    seed: int = 1,
) -> ErrorsPanel | None:
    """Errors by system; ``None`` where the protocol marks none. Controls are left out.

    With the *values* of the same judgments also how far judges agree on errors, and where in their
    texts these lie.
    """
    rules = plan.rules
    if not isinstance(rules, Documented) or not rules.spans.severities:
        return None
    found: dict[str, list[list[Any]]] = {name: [] for name in testset.systems}
    for system, spans in _texts(rules, judgments):
        found.setdefault(system, []).append(spans)
    panel: ErrorsPanel = {
        "n": sum(map(len, found.values())),
        "severities": list(rules.spans.severities),
        "categories": [name for name, _ in rules.spans.categories],
        "rows": [_row(rules, system, texts) for system, texts in found.items()],
    }
    if values is not None:
        panel["agreement"] = _agreement(values, testset, seed)
        panel["places"] = list(_places(values, testset))
    return plain(panel)


def _agreement(values: Assessments, testset: TestSet, seed: int) -> SpansPanel:
    found = span_agreement(values, texts=testset, samples=_SAMPLES, seed=seed, level=LEVEL)
    measures: list[SpanCell] = [
        {
            "name": one.name,
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "chance": one.chance,
        }
        for one in found.measures
    ]
    by_judge: dict[str, list[float | None]] = {
        judge: [*numbers, found.pairs_of[judge]] for judge, numbers in found.by_judge.items()
    }
    return {
        "pairs": found.pairs,
        "segments": found.segments,
        "errors": found.errors,
        "measures": measures,
        "by_judge": by_judge,
    }


def _places(values: Assessments, testset: TestSet) -> Iterator[PlacesPanel]:
    """Where errors lie in segments, and in documents of several segments."""
    for unit in ("segment", "document"):
        found = error_places(values, testset, in_documents=unit == "document")
        if found is not None:
            shares = {name: found.shares(name).tolist() for name in found.severities}
            yield {"unit": unit, "systems": list(found.systems), "shares": shares}


def _texts(
    rules: Documented, judgments: Sequence[StoredJudgment]
) -> Iterator[tuple[str, list[Any]]]:
    for judgment in judgments:
        for part in rules.parts(judgment) if judgment.kind == "answer" else ():
            for slot, spans in zip(part.slots, part.answer["spans"], strict=True):
                for system in slot.systems if slot.role == "TGT" else ():
                    yield system, spans


def _row(rules: Documented, system: str, texts: Sequence[list[Any]]) -> ErrorRow:
    errors = [span for spans in texts for span in spans]
    n = len(texts)
    kinds = (span.get("category", span.get("mark")) for span in errors)
    return {
        "system": system,
        "n": n,
        "by_severity": dict(Counter(span["severity"] for span in errors)),
        "by_category": dict(Counter(kind.partition("/")[0] for kind in kinds if kind)),
        "errors": len(errors),
        "per_text": len(errors) / n if n else None,
        "penalty": rules.spans.penalty(errors) / n if n else None,
    }
