"""Judgments out of a campaign: every format of ``io``, a tidy table, a side-car that explains.

Raw files are faithful to the byte; ``spreadsheet=True`` guards the cells of a table against being
run as formulas. Every file comes with ``FILE.about.json``: filters, counts in and left out, what
the columns mean, a snapshot id and versions; and where a format cannot hold the probability of a
screen, with ``FILE.screens.csv``. Judges are pseudonyms everywhere.
"""

import csv
import hashlib
import json
import platform
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rankwise import __version__
from rankwise.errors import DataError
from rankwise.io import write_assessments, write_judgments, write_testset
from rankwise.io.files import write_text
from rankwise.io.format_table import FORMATS, find_format
from rankwise.server.campaign.exchange.appraise_export import TASKS, write_batches
from rankwise.server.campaign.exchange.evalset_export import write_evalset
from rankwise.server.campaign.exchange.judgment_lines import line_of, write_records
from rankwise.server.campaign.exchange.long_table import COLUMNS, write_long
from rankwise.server.campaign.exchange.pearmut_answers_export import write_answers
from rankwise.server.campaign.exchange.pearmut_export import write_pearmut
from rankwise.server.campaign.exchange.spreadsheets import GUARDS, guard
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.counted import (
    WORK,
    Keep,
    assessments_of,
    judgments_of,
    kept,
)
from rankwise.server.records import StoredJudgment
from rankwise.types import TestSet

#: How the name of an exported file ends, by format.
SUFFIXES = {
    "records": ".campaign.jsonl",
    "long": ".csv",
    "testset": ".testset.jsonl",
    "pearmut": ".pearmut.json",
    "pearmut-answers": ".pearmut.jsonl",
    "appraise-batches": ".batches.json",
    "mt-metrics-eval": ".evalset.tar.gz",
    "jsonl": ".jsonl",
    "wmt-pairwise": ".wmt-pairwise.csv",
    "wmt-csv": ".wmt.csv",
    "pwcmp": ".pwcmp.csv",
    "appraise-xml": ".appraise.xml",
    "jcml": ".jcml",
    "fastchat": ".fastchat.json",
    "wmt-da-tsv": ".da.tsv",
    "appraise-scores": ".appraise.csv",
}
#: The columns of ``FILE.screens.csv``; they mean what they mean in the long table.
SCREEN_COLUMNS = ("judgment", "screen", "role", "probability", "strategy", "seed", "surplus")
_WITH_SCREENS = ("long", "records", "testset", "pearmut", "appraise-batches", "jsonl", "jcml")
_OWN = {
    "long": "a tidy long table (CSV), a row per judgment, segment and system",
    "records": "JSON lines that lose nothing; what “rankwise campaign import” reads back",
    "testset": "the texts: sources, references and outputs of all systems (JSON lines)",
}
#: What campaigns that give values have besides.
_EVALSET = (("mt-metrics-eval", "texts and mean values as a test set of mt-metrics-eval (tar.gz)"),)
#: What campaigns that mark errors have besides.
_PEARMUT = (
    ("pearmut", "plan and texts as a campaign of Pearmut (JSON), without the judgments"),
    ("pearmut-answers", "what judges said, as answers of Pearmut (JSON lines)"),
)
#: What campaigns that Appraise could run have besides.
_BATCHES = (("appraise-batches", "texts as batches of Appraise (JSON), without the judgments"),)


@dataclass(frozen=True, slots=True)
class Exported:
    """The file written, what came with it, how many judgments it holds, and what it lost.

    ``screens`` is ``FILE.screens.csv`` where the format itself cannot hold how screens were chosen.
    """

    path: Path
    sidecar: Path
    screens: Path | None
    judgments: int
    left_out: Mapping[str, int]
    losses: tuple[str, ...]
    about: Mapping[str, object]

    @property
    def files(self) -> tuple[Path, ...]:
        """Everything that was written."""
        return tuple(path for path in (self.path, self.sidecar, self.screens) if path is not None)


def formats(plan: Plan) -> list[tuple[str, str]]:
    """The formats a campaign of this plan can be exported to, each with a sentence."""
    own = [*_OWN.items(), *(_PEARMUT if isinstance(plan.rules, Documented) else ())]
    own += _BATCHES if plan.protocol in TASKS else ()
    own += _EVALSET if plan.rules.is_scalar else ()
    kinds = ["assessments"] if plan.rules.is_scalar else []
    kinds += ["judgments"] if plan.compares else []
    others = [
        (f.name, f.description)
        for f in FORMATS
        if f.kind in kinds and f.writable and f.name in SUFFIXES
    ]
    return [*own, *others]


def file_name(plan: Plan, format: str, *, spreadsheet: bool = False) -> str:
    """The name of an exported file."""
    return f"{plan.slug}{'.spreadsheet' if spreadsheet else ''}{SUFFIXES[format]}"


def write(
    plan: Plan,
    testset: TestSet,
    stored: Iterable[StoredJudgment],
    path: str | Path,
    *,
    format: str,
    keep: Keep = WORK,
    spreadsheet: bool = False,
    given: GivenSpans | None = None,
) -> Exported:
    """Write the judgments of *stored* that *keep* keeps to *path*, and the side-car beside it.

    *stored* is everything, superseded judgments too, so that what is left out can be counted.
    *given* are the errors that judges began with.
    """
    known = dict(formats(plan))
    if format not in known:
        raise DataError(f"unknown format {format!r}; choose from {', '.join(known)}")
    if spreadsheet and format not in GUARDS:
        tables = ", ".join(name for name in known if name in GUARDS)
        raise DataError(f"format {format!r} is no table for spreadsheets; choose from {tables}")
    every, target = list(stored), Path(path)
    chosen = kept(every, keep)
    content = _Content(plan, testset, every, chosen.judgments, keep, given or {})
    if spreadsheet:
        with tempfile.TemporaryDirectory() as folder:
            raw = Path(folder) / target.name
            losses = content.write(format, raw)
            guard(format, raw, target)
    else:
        losses = content.write(format, target)
    screens = None if format in _WITH_SCREENS else target.with_name(target.name + ".screens.csv")
    if screens is not None:
        _write_screens(chosen.judgments, screens)
    about = _about(content, target, format, dict(chosen.left_out), losses, spreadsheet)
    sidecar = target.with_name(target.name + ".about.json")
    with write_text(sidecar) as stream:
        stream.write(json.dumps(about, ensure_ascii=False, indent=2) + "\n")
    return Exported(target, sidecar, screens, len(chosen), chosen.left_out, tuple(losses), about)


@dataclass(frozen=True, slots=True)
class _Content:
    """What is exported: all judgments, those that count, and why."""

    plan: Plan
    testset: TestSet
    every: Sequence[StoredJudgment]
    chosen: Sequence[StoredJudgment]
    keep: Keep
    given: GivenSpans

    def write(self, format: str, path: Path) -> list[str]:
        """Write one format; a sentence for everything it cannot hold."""
        own: dict[str, Callable[[Path], object]] = {
            "long": lambda target: write_long(self.plan, self.every, target, self.keep),
            "records": lambda target: write_records(self.plan, self.chosen, target),
        }
        if format in own:
            own[format](path)
            return []
        if format == "pearmut":
            return write_pearmut(self.plan, self.testset, path, self.given)
        if format == "pearmut-answers":
            return write_answers(self.plan, self.testset, self.chosen, path)
        if format == "appraise-batches":
            return write_batches(self.plan, self.testset, path, self.given)
        if format == "mt-metrics-eval":
            values = assessments_of(self.every, self.plan, keep=self.keep)
            return write_evalset(self.plan, self.testset, values, path)
        if format == "testset":
            return write_testset(self.testset, path, format="testset-jsonl")
        if find_format(format).kind == "assessments":
            values = assessments_of(self.every, self.plan, keep=self.keep)
            pair = f"{self.plan.source_language}-{self.plan.target_language}"
            options = {"language_pair": pair} if format == "appraise-scores" else {}
            return write_assessments(values, path, format=format, **options)
        rankings = judgments_of(self.every, self.plan, keep=self.keep, info=True)
        return write_judgments(rankings, path, format=format)


def _write_screens(judgments: Sequence[StoredJudgment], path: Path) -> None:
    """How every judgment's screen was chosen, in the order of the rankings of the file."""
    with write_text(path) as stream:
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow(SCREEN_COLUMNS)
        for judgment in judgments:
            chance = "" if judgment.probability is None else repr(judgment.probability)
            choice = (judgment.role, chance, judgment.strategy, judgment.seed)
            writer.writerow((judgment.id, judgment.screen, *choice, int(judgment.surplus)))


def snapshot_of(judgments: Iterable[StoredJudgment]) -> str:
    """An id of just these judgments: the same ones always have the same id."""
    digest = hashlib.sha256()
    for judgment in judgments:
        digest.update(line_of(judgment).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def _about(
    content: _Content,
    path: Path,
    format: str,
    left_out: dict[str, int],
    losses: Sequence[str],
    spreadsheet: bool,
) -> dict[str, object]:
    plan = replace(content.plan, judges=())  # names of people stay out of every export
    return {
        "file": path.name,
        "format": format,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "is_spreadsheet_safe": spreadsheet,
        "campaign": plan.slug,
        "name": plan.name,
        "snapshot": snapshot_of(content.chosen),
        "judgments": {
            "all": len(content.every),
            "exported": len(content.chosen),
            "left_out": left_out,
        },
        "filters": asdict(content.keep),
        "filters_in_words": content.keep.words(),
        "losses": list(losses),
        "columns": COLUMNS if format == "long" else {},
        "judges": "pseudonyms, random for this campaign",
        "probability": "of choosing a screen given all asked before it; absent where there is no "
        "closed form: strategy, seed and the earlier judgments say how to choose it again",
        "versions": {"rankwise": __version__, "python": platform.python_version()},
        "plan": plan.to_json(),
    }
