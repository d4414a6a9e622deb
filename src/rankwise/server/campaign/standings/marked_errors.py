"""The errors that judges marked: how many, how severe, of which kind, in whose texts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.contents import ErrorRow, ErrorsPanel
from rankwise.server.records import StoredJudgment
from rankwise.types import TestSet


def error_counts(
    plan: Plan, testset: TestSet, judgments: Sequence[StoredJudgment]
) -> ErrorsPanel | None:
    """Errors by system; ``None`` where the protocol marks none. Controls are left out."""
    rules = plan.rules
    if not isinstance(rules, Documented) or not rules.spans.severities:
        return None
    found: dict[str, list[list[Any]]] = {name: [] for name in testset.systems}
    for system, spans in _texts(rules, judgments):
        found.setdefault(system, []).append(spans)
    return {
        "n": sum(map(len, found.values())),
        "severities": list(rules.spans.severities),
        "categories": [name for name, _ in rules.spans.categories],
        "rows": [_row(rules, system, texts) for system, texts in found.items()],
    }


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
