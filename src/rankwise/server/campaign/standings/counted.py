"""Stored judgments as the records that the rest of Rankwise computes with, and what was left out.

What counts is a question of the reader's, so every filter is an argument (:class:`Keep`), and
nothing disappears without being counted.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.server.campaign.plan.document_protocols import FURTHER_KEYS, Documented
from rankwise.server.campaign.plan.outputs.given_spans import change_counts
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocol_kinds import Ordered, Valued, slot_names, value_role
from rankwise.server.records import ScreenRole, StoredJudgment
from rankwise.types import Assessments, Judgments

ALL_ROLES: tuple[ScreenRole, ...] = ("work", "repeat", "control", "tutorial")


@dataclass(frozen=True, slots=True)
class Keep:
    """Which judgments count. The default is what a leaderboard is made of.

    ``surplus`` keeps late work that nobody needed, ``excluded`` the work of excluded judges,
    ``superseded`` what was revised later, ``skips`` skipped screens, ``machines`` what machines
    judged.
    """

    roles: tuple[ScreenRole, ...] = ("work",)
    surplus: bool = False
    excluded: bool = False
    superseded: bool = False
    skips: bool = True
    machines: bool = False

    def words(self) -> list[str]:
        """The filters as sentences, for people."""
        left = [role for role in ALL_ROLES if role not in self.roles]
        found = [f"screens with the role {role} are left out" for role in left]
        for name, says in _REASONS.items():
            if not getattr(self, name, True):
                found.append(f"{says} are left out")
        return found or ["nothing is left out"]


_REASONS = {
    "superseded": "judgments that were revised later",
    "excluded": "judgments of excluded judges",
    "surplus": "late judgments that nobody needed any more",
    "skips": "skipped screens",
    "machines": "judgments of machines",
}
#: What leaderboards are made of, and all there is.
WORK = Keep()
EVERYTHING = Keep(ALL_ROLES, surplus=True, excluded=True, superseded=True, machines=True)


@dataclass(frozen=True, slots=True)
class Kept:
    """The judgments that count, and how many do not, by the first reason that applies."""

    judgments: tuple[StoredJudgment, ...]
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.judgments)


def kept(stored: Iterable[StoredJudgment], keep: Keep = WORK) -> Kept:
    """The judgments of *stored* that *keep* keeps, in their order."""
    every = stored if isinstance(stored, Sequence) else list(stored)
    replaced = {j.supersedes for j in every if j.supersedes is not None}
    left_out: Counter[str] = Counter()
    found = []
    for judgment in every:
        reason = _reason(judgment, keep, replaced)
        if reason:
            left_out[reason] += 1
        else:
            found.append(judgment)
    return Kept(tuple(found), dict(sorted(left_out.items())))


def _reason(judgment: StoredJudgment, keep: Keep, replaced: set[int]) -> str:
    if judgment.judge_kind == "machine" and not keep.machines:
        return "machines"
    if judgment.role not in keep.roles:
        return judgment.role
    if judgment.id in replaced and not keep.superseded:
        return "superseded"
    if judgment.is_excluded and not keep.excluded:
        return "excluded"
    if judgment.surplus and not keep.surplus:
        return "surplus"
    return "skips" if judgment.kind == "skip" and not keep.skips else ""


def judgments_of(
    stored: Iterable[StoredJudgment], plan: Plan, *, keep: Keep = WORK, info: bool = False
) -> Judgments:
    """The rankings of a campaign as columns, in the order they came in.

    Every judgment is a look of its own: its ``screen`` is the number of the judgment. With *info*
    the columns of ``Protocol.ranking`` come along. Scores side by side in a document are a ranking
    for every segment, all of one look. Other scalar protocols have no rankings.
    """
    found = kept(stored, keep).judgments
    rules = plan.rules
    if info or not isinstance(rules, Ordered):
        parts = (part for judgment in found for part in rules.parts(judgment))
        return Judgments.from_rankings(rules.ranking(part, plan.languages) for part in parts)
    if rules.is_document:
        found = tuple(part for judgment in found for part in rules.parts(judgment))
    return _columns(found, plan, rules)


class _Numbered(dict[str, int]):
    """Names numbered in the order they come up."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


def _columns(found: Sequence[StoredJudgment], plan: Plan, rules: Ordered) -> Judgments:
    """The same as through rankings, several times faster."""
    systems, segments, judges = _Numbered(), _Numbered(), _Numbered()
    system: list[int] = []
    rank: list[float] = []
    output: list[int] = []
    starts = [0]
    for judgment in found:
        slots = judgment.slots
        if judgment.kind == "skip":
            ranks: Sequence[float] = [np.nan] * len(slots)
        else:
            ranks = rules.ranks(judgment.answer)
        for number, slot in enumerate(slots):
            for name in slot.systems if slot.role == "TGT" else slot_names(slot.systems, slot.role):
                system.append(systems[name])
                rank.append(ranks[number])
                output.append(number)
        starts.append(len(system))
    segment = _codes((j.segment or "" for j in found), segments)
    judge = _codes((j.judge for j in found), judges)
    return Judgments(
        tuple(systems),
        tuple(segments),
        tuple(judges),
        (plan.languages,),
        starts=np.array(starts, np.int64),
        system=np.array(system, np.int32),
        rank=np.array(rank, np.float64),
        output=np.array(output, np.int16),
        segment=segment,
        judge=judge,
        language=np.zeros(len(found), np.int16),
        screen=np.array([j.id for j in found], np.int64),
    )


def _codes(names: Iterable[str], table: _Numbered) -> NDArray[np.int32]:
    return np.fromiter((table[name] for name in names), np.int32)


def assessments_of(
    stored: Iterable[StoredJudgment], plan: Plan, *, keep: Keep = WORK
) -> Assessments:
    """The values of a campaign as columns: their mean over the scales of the protocol.

    A row per system on a screen, with the roles TGT, REF, BAD and CHK (a repeated screen). The
    columns of ``info``: ``receipt``, ``judgment`` (its number) and every scale of the protocol; of
    documents also ``document`` (its first segment), ``spans`` as JSON, and what ``further_cells``
    gives where something was said; where machines judged, ``judge_kind``. Skipped screens have no
    rows.
    """
    rules = plan.rules
    if not isinstance(rules, Valued):
        raise DataError(f"protocol {plan.protocol!r} gives rankings, not values")
    answers = [j for j in kept(stored, keep).judgments if j.kind == "answer"]
    rows, origin = [], []
    scales: dict[str, list[float]] = {name: [] for name in rules.scales}
    has_spans = isinstance(rules, Documented)
    further = FURTHER_COLUMNS if has_spans and _says_more(answers) else ()
    named = (*(("document",) if rules.is_document else ()), *(("spans",) if has_spans else ()))
    texts: dict[str, list[str]] = {name: [] for name in (*named, *further)}
    for whole, judgment in [(one, part) for one in answers for part in rules.parts(one)]:
        values = rules.values(judgment.answer)
        for number, slot in enumerate(judgment.slots):
            role = value_role(judgment, slot.role)
            for name in slot_names(slot.systems, slot.role):
                rows.append((name, judgment.segment or "", judgment.judge, role, values[number]))
                origin.append(judgment)
                for each in rules.scales:
                    scales[each].append(judgment.answer[each][number])
                if rules.is_document:
                    texts["document"].append(whole.segment or "")
                if has_spans:
                    texts["spans"].append(spans_json(judgment.answer["spans"][number]))
                cells = further_cells(judgment.answer, number)
                for key in further:
                    texts[key].append(cells.get(key, ""))
    return Assessments.from_rows(rows, name=plan.protocol, info=_info(origin, scales, texts))


def spans_json(spans: Sequence[Mapping[str, Any]]) -> str:
    """The errors of a text as exports have them: an error without a place is called by its mark.

    >>> spans_json([{"mark": "[missing]", "severity": "major"}])
    '[{"start": null, "end": null, "severity": "major", "category": "[missing]"}]'
    """
    rows = [
        {
            "start": span.get("start"),
            "end": span.get("end"),
            "severity": span["severity"],
            "category": span.get("category") or span.get("mark"),
        }
        for span in spans
    ]
    return json.dumps(rows, ensure_ascii=False)


def _says_more(answers: Sequence[StoredJudgment]) -> bool:
    """Whether an answer says more than errors and scores."""
    cells = (c for one in answers for row in one.answer.get("segments", ()) for c in row)
    return any(key in cell for cell in cells for key in FURTHER_KEYS)


#: What is said about an output besides its value and its errors, as exports call it.
FURTHER_COLUMNS = ("given_spans", "span_changes", "sliders", "output_comment", "post_edit")


def further_cells(answer: Mapping[str, Any], number: int) -> dict[str, str]:
    """What a part of a judgment says about text *number* besides, by the columns of exports."""
    if "further" not in answer:
        return {}
    said, found = answer["further"][number], dict[str, str]()
    if "given" in said:
        found["given_spans"] = spans_json(said["given"])
        found["span_changes"] = json.dumps(change_counts(said["given"], answer["spans"][number]))
    if "sliders" in said:
        found["sliders"] = json.dumps(said["sliders"], ensure_ascii=False)
    found["output_comment"], found["post_edit"] = said.get("comment", ""), said.get("edit", "")
    return found


def _info(
    origin: Sequence[StoredJudgment],
    scales: Mapping[str, list[float]],
    texts: Mapping[str, list[str]],
) -> dict[str, NDArray[Any]]:
    receipt = np.empty(len(origin), object)
    receipt[:] = [judgment.receipt for judgment in origin]
    number = np.array([judgment.id for judgment in origin], np.int64)
    kinds = np.empty(len(origin), object)
    kinds[:] = [judgment.judge_kind for judgment in origin]
    columns = {name: np.array(values, np.float64) for name, values in scales.items()}
    named = {name: np.array(cells, object) for name, cells in texts.items()}
    found = {"receipt": receipt, "judgment": number, **columns, **named}
    return found if (kinds == "person").all() else {**found, "judge_kind": kinds}
