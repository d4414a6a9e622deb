"""A campaign with its texts as a file of Pearmut; ``pearmut_campaigns`` reads it back, equal."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_text
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.lessons import lesson_files
from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import OWN
from rankwise.server.campaign.plan.other_tools.pearmut_lessons import lesson_info, lesson_parts
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Json
from rankwise.types import TestSet


def write_pearmut(
    plan: Plan, testset: TestSet, path: StrPath, given: GivenSpans | None = None
) -> list[str]:
    """Write a campaign with its texts as one file; a sentence for what Pearmut does not use.

    *given* are the errors that judges begin with.
    """
    if not isinstance(plan.rules, Documented):
        raise DataError(f"Pearmut has no {plan.protocol}; it has error spans and scores (esa, mqm)")
    has_files = bool(lesson_files(plan.lessons))
    plan = replace(
        plan,
        tutorial=tuple(item.without_files() for item in plan.tutorial),
        checks=tuple(item.without_files() for item in plan.checks),
    )
    content = {
        "campaign_id": plan.name,
        "info": _info(plan, testset),
        "data": [_document(plan, testset, run, given or {}) for run in document_runs(testset)],
        **lesson_parts(plan.to_json()),
    }
    with write_text(path) as stream:
        stream.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    lost = ["Pearmut chooses by mean scores: strategy, coverage floor and stop rule are not used."]
    if any(item.answer is not None for item in plan.lessons):
        lost.append("Pearmut knows rules of lessons, and no whole answers.")
    if has_files:
        lost.append("Pictures, sounds and videos of lessons are left out; their words are there.")
    if not plan.judges:
        lost.append("No judges are named: 'users' is empty.")
    if plan.repeat_share or (plan.control_share and not plan.checks):
        lost.append("Repeats, and controls that are made of outputs, are not shown by Pearmut.")
    if plan.further.sliders and plan.protocol == "esa":
        lost.append("Pearmut asks for the sliders in place of the score.")
    if plan.further.comments and plan.further.post_edits:
        lost.append("Pearmut has one field for a text: the correction, not the comment.")
    return lost


def _info(plan: Plan, testset: TestSet) -> dict[str, object]:
    rules = plan.spans
    kind = "MQM" if plan.protocol == "mqm" else "cESA" if plan.k > 1 else "ESA"
    found: dict[str, object] = {
        "assignment": "dynamic",
        "protocol": kind if rules.severities else "DA",
        "users": list(plan.judges),
        "seed": plan.seed,
        "dynamic_models": plan.k,
        "word_level": rules.unit_of(plan.target_language) == "word",
        "special_tokens": list(rules.marks),
        "instructions": plan.instructions,
        "show_alignment": plan.highlight,
        **lesson_info(plan.to_json()),
    }
    further = plan.further
    if further.sliders:
        found["sliders"] = [
            {"name": one.name, "min": one.low, "max": one.high, "step": one.step}
            for one in further.sliders
        ]
    if further.comments or further.post_edits:
        found["textfield"] = "prefilled" if further.post_edits else "visible"
    if plan.protocol == "mqm":
        found["mqm_severities"] = list(rules.severities)
        found["mqm_categories"] = {name: list(kinds) for name, kinds in rules.categories}
    segments = {
        s.id: [s.document, s.domain, list(s.references), list(s.reference_names)]
        for s in testset.segments
    }
    kept = replace(plan, judges=()).to_json()
    found[OWN] = {"plan": kept, "systems": list(testset.systems), "segments": segments}
    return found


def document_runs(testset: TestSet) -> Iterator[list[int]]:
    """The places of the segments of every document."""
    places = enumerate(testset.segments)
    for _, group in groupby(places, key=lambda pair: pair[1].document or pair[1].id):
        yield [place for place, _ in group]


def _document(
    plan: Plan, testset: TestSet, run: Sequence[int], given: GivenSpans
) -> list[dict[str, object]]:
    items = [_item(testset, place, given, plan) for place in run]
    told = dict(plan.domain_instructions).get(testset.segments[run[0]].domain or "")
    return [{**items[0], "instructions": told}, *items[1:]] if told else items


def _item(testset: TestSet, place: int, given: GivenSpans, plan: Plan) -> dict[str, object]:
    segment = testset.segments[place]
    texts = {system: column[place] for system, column in testset.outputs.items()}
    found: dict[str, object] = {"item_id": segment.id, "src": segment.source}
    if segment.references:
        found["ref"] = segment.references[0]
    found["tgt"] = {name: text for name, text in texts.items() if text is not None}
    marked = {name: given[name][place] for name in texts if name in given}
    spans = {
        name: [marked_error(span, texts[name] or "", plan) for span in spans]
        for name, spans in marked.items()
        if spans is not None
    }
    return {**found, "error_spans": spans} if spans else found


def marked_error(span: Json, text: str, plan: Plan) -> dict[str, object]:
    """An error as Pearmut has it; marks are text behind the text, in the order of the plan."""
    if "mark" in span:
        place = plan.spans.marks.index(span["mark"])
        start, end = (_units(text + "".join(plan.spans.marks[:n])) for n in (place, place + 1))
    else:
        start, end = (_units(text[: span[key]]) for key in ("start", "end"))
    found: dict[str, object] = {"start_i": start, "end_i": end - 1, "severity": span["severity"]}
    return found | {"category": span.get("category", span.get("mark"))}


def _units(text: str) -> int:
    """The length of a text as scripts of pages count it, in UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
