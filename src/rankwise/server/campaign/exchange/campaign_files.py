"""A campaign that is not on a server yet, from one file to another: our TOML, Pearmut's JSON.

TOML has its texts in files beside it, ``NAME.testset.jsonl`` and ``NAME.spans.jsonl``; Pearmut has
everything in one file. A test set can be made of either.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io import write_testset
from rankwise.io.files import StrPath, read_blocks, write_text
from rankwise.server.campaign.exchange.pearmut_export import write_pearmut
from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import (
    PearmutCampaign,
    is_pearmut,
    read_pearmut,
)
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.plan_files import load_given, load_testset, read_plan
from rankwise.types import TestSet

#: What every plan must say, so that the others can be compared with what they are without a word.
_LEAST = ("name", "source_language", "target_language", "protocol")


def is_campaign(path: StrPath) -> bool:
    """Whether a file is a plan in TOML or a campaign of Pearmut."""
    if str(path).lower().endswith(".toml"):
        return True
    if not is_pearmut(path) or not Path(path).is_file():
        return False
    content = "".join(block for _, block in read_blocks(path))
    return content.lstrip().startswith("{") and '"campaign_id"' in content


def read_campaign(path: StrPath, *, language_pair: str | None = None) -> PearmutCampaign:
    """The plan, the texts and the given errors of either file, and what was not taken over."""
    if is_pearmut(path):
        return read_pearmut(path, language_pair=language_pair)
    plan, folder = read_plan(path), Path(path).parent
    testset = load_testset(plan, folder)
    given = load_given(plan, testset, folder)
    return PearmutCampaign(replace(plan, texts=type(plan.texts)()), testset, (), given)


def write_campaign(campaign: PearmutCampaign, path: StrPath, format: str | None) -> list[str]:
    """Write it as *format*, which the suffix tells otherwise; a sentence for what is lost.

    ``plan`` is TOML, ``pearmut`` JSON; every other format is one of test sets.
    """
    suffix = Path(path).suffix.lower()
    chosen = format or {".toml": "plan", ".json": "pearmut"}.get(suffix)
    if chosen == "plan":
        return _write_plan(campaign.plan, campaign.testset, campaign.given, Path(path))
    if chosen == "pearmut":
        return write_pearmut(campaign.plan, campaign.testset, path, campaign.given)
    lost = write_testset(campaign.testset, path, format=chosen)
    return ["Everything but the texts is left out.", *lost]


def _write_plan(plan: Plan, testset: TestSet, given: GivenSpans, path: Path) -> list[str]:
    texts = {"source": f"{path.stem}.testset.jsonl"}
    lost = write_testset(testset, path.parent / texts["source"], format="testset-jsonl")
    if given:
        texts["spans"] = f"{path.stem}.spans.jsonl"
        _write_given(given, testset, path.parent / texts["spans"])
    with write_text(path) as stream:
        stream.write(plan_toml(plan, texts))
    return lost


def _write_given(given: GivenSpans, testset: TestSet, path: Path) -> None:
    """The errors that judges begin with; a mark is an error without a place."""
    with write_text(path) as stream:
        for system, rows in given.items():
            for segment, spans in zip(testset.segments, rows, strict=True):
                if spans is not None:
                    placed = [_placed(span) for span in spans]
                    line = {"system": system, "segment": segment.id, "spans": placed}
                    stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def _placed(span: Mapping[str, object]) -> dict[str, object]:
    if "mark" not in span:
        return dict(span)
    place = {"start": None, "end": None, "severity": span["severity"]}
    return {**place, "category": span["mark"]}


def plan_toml(plan: Plan, texts: Mapping[str, str]) -> str:
    """The plan as TOML, with these *texts*; what it would be without a word is left out."""
    keys = plan.to_json()
    least = Plan.from_json({key: keys[key] for key in _LEAST}).to_json()
    said = {k: v for k, v in keys.items() if k in _LEAST or v != least[k]} | {"texts": dict(texts)}
    lines = [f"{_key(key)} = {_toml(value)}" for key, value in said.items() if value is not None]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """A value of TOML; tables are written inline, keys without a value left out."""
    if isinstance(value, Mapping):
        inner = (f"{_key(k)} = {_toml(v)}" for k, v in value.items() if v is not None)
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, str):
        # the same escapes as JSON's, but for the one character that JSON leaves as it is
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Sequence):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    raise DataError(f"the plan holds {value!r}, which TOML cannot; expected texts and numbers")


def _key(key: object) -> str:
    text = str(key)
    is_bare = text.isascii() and text.replace("_", "").replace("-", "").isalnum()
    return text if is_bare else _toml(text)
