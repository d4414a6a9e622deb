"""A campaign with its texts as batches of Appraise (JSON): ``appraise_batches`` reads them back.

Every output of a document is a run of items called ``document#system``; the runs are mixed by the
plan's seed and packed into batches of about a hundred items.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from rankwise.io.files import StrPath, write_text
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Json
from rankwise.types import TestSet

#: What judges are asked, as ``TASK_OPTIONS`` of a manifest says it.
TASKS = {"direct-assessment": "", "esa": "ESA", "mqm": "MQM"}
BATCH = 100
#: Appraise calls languages by three letters.
LANGUAGES = {
    "ar": "ara", "bg": "bul", "bn": "ben", "cs": "ces", "da": "dan", "de": "deu", "el": "ell",
    "en": "eng", "es": "spa", "et": "est", "fa": "fas", "fi": "fin", "fr": "fra", "gu": "guj",
    "he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind", "is": "isl", "it": "ita",
    "ja": "jpn", "kk": "kaz", "ko": "kor", "lt": "lit", "lv": "lav", "mr": "mar", "nl": "nld",
    "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv",
    "sr": "srp", "sv": "swe", "sw": "swa", "ta": "tam", "th": "tha", "tr": "tur", "uk": "ukr",
    "ur": "urd", "vi": "vie", "zh": "zho", "zu": "zul",
}  # fmt: skip


def write_batches(
    plan: Plan, testset: TestSet, path: StrPath, given: GivenSpans | None = None
) -> list[str]:
    """Write the file; a sentence for what Appraise does otherwise.

    *given* are the errors that judges begin with.
    """
    batches = [
        {"task": _task(plan, number), "items": items}
        for number, items in enumerate(_packed(plan, testset, given or {}), 1)
    ]
    with write_text(path) as stream:
        stream.write(json.dumps(batches, ensure_ascii=False, indent=1) + "\n")
    option = TASKS[plan.protocol]
    said = f"a manifest with TASK_TYPE Document and TASK_OPTIONS {option!r} goes with it"
    lost = [f"Appraise chooses nothing: every output of a document is in one batch; {said}."]
    lost.append(
        "Items are numbered from 1; the ids of segments stand in _item, references nowhere."
    )
    if TASKS[plan.protocol] and set(plan.spans.marks) - {"[missing]"}:
        lost.append("Appraise has no mark but [missing].")
    if any("+" in name for name in testset.systems):
        lost.append("Names of systems with + are taken for several systems.")
    if plan.tutorial or plan.checks or plan.control_share:
        lost.append("The tutorial, checks and controls are not in the batches.")
    return lost


def _task(plan: Plan, number: int) -> Json:
    source, target = (
        LANGUAGES.get(code.replace("_", "-").partition("-")[0].lower(), code)
        for code in plan.languages
    )
    return {
        "batchNo": number,
        "randomSeed": plan.seed,
        "requiredAnnotations": max(1, round(plan.redundancy)),
        "sourceLanguage": source,
        "targetLanguage": target,
    }


def _packed(plan: Plan, testset: TestSet, given: GivenSpans) -> Iterator[list[Json]]:
    """The items of every batch; an output of a document is in one batch."""
    runs = [
        items
        for document, places in _documents(testset)
        for system in testset.systems
        if (items := list(_run(plan, testset, document, places, system, given)))
    ]
    batch: list[Json] = []
    for place in np.random.default_rng(plan.seed).permutation(len(runs)).tolist():
        if batch and len(batch) + len(runs[place]) > BATCH:
            yield batch
            batch = []
        batch = batch + runs[place]
    if batch:
        yield batch


def _documents(testset: TestSet) -> Iterator[tuple[str, list[int]]]:
    """The name of every document and the places of its segments."""
    names = [segment.document or segment.id for segment in testset.segments]
    for name, places in groupby(range(len(names)), key=names.__getitem__):
        yield name, list(places)


def _run(
    plan: Plan,
    testset: TestSet,
    document: str,
    places: Sequence[int],
    system: str,
    given: GivenSpans,
) -> Iterator[Json]:
    """The items of an output of a document, segment by segment."""
    for place in places:
        segment, text = testset.segments[place], testset.outputs[system][place]
        if text is None:
            continue
        item: dict[str, object] = {
            "itemID": place + 1,
            "itemType": "TGT",
            "documentID": f"{document}#{system}",
            "sourceID": plan.slug,
            "targetID": system,
            "sourceText": segment.source,
            "targetText": text,
            "isCompleteDocument": False,
            "_item": f"{system} | {segment.id} | {document}",
        }
        if TASKS[plan.protocol]:
            spans = given[system][place] if system in given else None
            item["mqm"] = [_error(span, text) for span in spans or ()]
        yield item


def _error(span: Json, text: str) -> Json:
    """An error as Appraise has it: UTF-16 units, both ends in it."""
    place: Json = {"start_i": "missing", "end_i": "missing"}
    if "mark" not in span:
        first, last = (
            len(text[: span[key]].encode("utf-16-le", "surrogatepass")) // 2
            for key in ("start", "end")
        )
        place = {"start_i": first, "end_i": last - 1}
    found: Json = {**place, "severity": span["severity"]}
    return {**found, "error_type": span["category"]} if span.get("category") else found
