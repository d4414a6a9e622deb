"""The table of formats: what each is called, what it holds, which module reads and writes it.

A format module has ``read(path, **options)``; ``sniff(head)``, which says whether the beginning of
a file looks like this format; and, where the table says so, ``write(record, path, **options)``,
which returns one sentence for everything the format could not hold. ``NOT_READ``, where a module
has it, holds one sentence for everything the format carries and ``read`` leaves out. A new format
joins by its module and a line here.
"""

import os
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Literal

from rankwise.errors import DataError
from rankwise.io.files import StrPath, target_name

Kind = Literal["judgments", "testset", "scores", "assessments"]

#: What a file of each kind holds, in the words of messages.
KINDS: dict[Kind, str] = {
    "judgments": "judgments",
    "testset": "a test set",
    "scores": "scores",
    "assessments": "assessments",
}

#: Where the modules of each kind are, in ``io.formats``.
FOLDERS: dict[Kind, str] = {
    "judgments": "judgments",
    "testset": "testsets",
    "scores": "scores",
    "assessments": "assessments",
}


@dataclass(frozen=True, slots=True)
class Format:
    """One line of the table; ``suffixes`` choose the format of an output file by its name."""

    name: str
    kind: Kind
    module: str
    suffixes: tuple[str, ...]
    writable: bool
    description: str

    def load(self) -> ModuleType:
        """The module that reads and writes this format."""
        return import_module(f"rankwise.io.formats.{FOLDERS[self.kind]}.{self.module}")


# Within a group the order is the order of sniffing: a format that accepts much comes last.
FORMATS: tuple[Format, ...] = (
    # -- judgments: human rankings -----------------------------------------------------------------
    Format(
        "jsonl",
        "judgments",
        "judgments_jsonl",
        (".jsonl",),
        True,
        "Rankwise's own JSON lines, which lose nothing",
    ),
    Format(
        "wmt-pairwise",
        "judgments",
        "wmt_pairwise",
        (".csv",),
        True,
        "WMT15-16 CSV, a pair of systems per row, with rankingID",
    ),
    Format(
        "wmt-csv",
        "judgments",
        "wmt_csv",
        (),
        True,
        "WMT07-14 CSV, a ranking of five systems per row",
    ),
    Format(
        "pwcmp",
        "judgments",
        "pwcmp",
        (),
        True,
        "pwcmp and ASAP CSV, a choice between two conditions per row",
    ),
    Format(
        "appraise-xml",
        "judgments",
        "appraise_xml",
        (".xml",),
        True,
        "Appraise ranking results, as of WMT13-16 and as of older releases",
    ),
    Format(
        "jcml",
        "judgments",
        "jcml",
        (".jcml",),
        True,
        "RankEval's XML of judged sentences",
    ),
    Format(
        "fastchat",
        "judgments",
        "fastchat",
        (".json",),
        True,
        "FastChat arena battles, clean JSON or the raw log",
    ),
    Format(
        "campaign-rankings",
        "judgments",
        "campaign_rankings",
        (),
        False,
        "the long table of a campaign that ranks, CSV",
    ),
    Format(
        "campaign-records",
        "judgments",
        "record_rankings",
        (),
        False,
        "the records of a campaign that ranks, JSON lines",
    ),
    Format(
        "rankings-table",
        "judgments",
        "rankings_table",
        (),
        False,
        "a table of your own with judge, segment, system and rank, CSV or TSV",
    ),
    # -- testset: sources, references, outputs -----------------------------------------------------
    Format(
        "testset-jsonl",
        "testset",
        "testset_jsonl",
        (".testset.jsonl", ".jsonl"),
        True,
        "Rankwise's own JSON lines, which lose nothing",
    ),
    Format(
        "wmt-xml",
        "testset",
        "wmt_xml",
        (".xml",),
        True,
        "WMT XML of 2021 and later, everything in one file",
    ),
    Format(
        "sgml",
        "testset",
        "sgml",
        (".sgm", ".sgml"),
        True,
        "WMT and NIST SGML, a file each for source, reference and system",
    ),
    Format("jcml", "testset", "jcml_texts", (".jcml",), True, "the texts of a JCML file"),
    Format(
        "tsv",
        "testset",
        "testset_tsv",
        (".tsv",),
        True,
        "a table with a column per reference and system, or a line per output",
    ),
    Format(
        "evalset",
        "testset",
        "evalset",
        (),
        True,
        "the folder of mt-metrics-eval, one language pair of it",
    ),
    Format(
        "lm-eval",
        "testset",
        "lm_eval_samples",
        (),
        False,
        "samples that the lm-evaluation-harness logs, JSON lines",
    ),
    Format(
        "text", "testset", "text_files", (), True, "parallel plain-text files, or a folder of them"
    ),
    # -- scores: numbers per system and segment ----------------------------------------------------
    Format(
        "scores-json",
        "scores",
        "scores_json",
        (".json",),
        True,
        "Rankwise's own JSON, which loses nothing",
    ),
    Format(
        "scores-tsv",
        "scores",
        "scores_tsv",
        (".tsv",),
        True,
        "a table with system, segment and score, TSV or CSV",
    ),
    Format("comet", "scores", "comet_text", (), False, "what comet-score prints"),
    Format("comet-json", "scores", "comet_json", (), False, "what comet-score --to_json writes"),
    Format("metricx", "scores", "metricx_jsonl", (), False, "predictions of MetricX, JSON lines"),
    Format(
        "gemba-errors", "scores", "gemba_errors", (), False, "what GEMBA-MQM prints with its errors"
    ),
    Format(
        "wmt-metrics", "scores", "wmt_metrics", (), True, "a submission to the WMT metrics task"
    ),
    Format(
        "mtme-scores", "scores", "mtme_scores", (".score",), True, "a score file of mt-metrics-eval"
    ),
    Format(
        "numbers",
        "scores",
        "number_lines",
        (".txt", ".scores"),
        True,
        "one number per line, one file per system",
    ),
    # -- assessments: scalar human judgments -------------------------------------------------------
    Format(
        "wmt-da-tsv",
        "assessments",
        "wmt_da_tsv",
        (".tsv",),
        True,
        "a table with annotator, system, seg, kind, score, z, qc and hit",
    ),
    Format(
        "campaign-values",
        "assessments",
        "campaign_values",
        (),
        False,
        "the long table of a campaign that gives values, CSV",
    ),
    Format(
        "campaign-records",
        "assessments",
        "record_values",
        (),
        False,
        "the records of a campaign that gives values, JSON lines",
    ),
    Format("wmt-esa", "assessments", "wmt_esa", (), False, "ESA judgments of WMT24, JSON lines"),
    Format(
        "pearmut",
        "assessments",
        "pearmut_answers",
        (),
        False,
        "answers of Pearmut (DA, ESA, contrastive ESA, MQM), JSON lines",
    ),
    Format(
        "mqm-tsv",
        "assessments",
        "mqm_tsv",
        (),
        False,
        "MQM ratings as Google publishes them, a line per error",
    ),
    Format(
        "xcomet-spans",
        "assessments",
        "comet_spans",
        (),
        False,
        "error spans of xCOMET, as comet-score --to_json writes them",
    ),
    Format(
        "spans-jsonl",
        "assessments",
        "span_lines",
        (),
        False,
        "error spans of every output, JSON lines",
    ),
    Format(
        "mtme-ratings", "assessments", "mtme_ratings", (), False, "MQM ratings of mt-metrics-eval"
    ),
    Format(
        "evalset",
        "assessments",
        "evalset_values",
        (),
        True,
        "what people gave to the test set of an mt-metrics-eval folder, one language pair of it",
    ),
    Format(
        "appraise-scores",
        "assessments",
        "appraise_scores",
        (),
        True,
        "DA, ESA and MQM scores exported by Appraise",
    ),
    Format(
        "values-table",
        "assessments",
        "values_table",
        (),
        False,
        "a table of your own with judge, segment, system and score, CSV or TSV",
    ),
)


def formats_of(kind: Kind | None = None) -> tuple[Format, ...]:
    """The formats of one kind of record, or all."""
    return tuple(f for f in FORMATS if kind is None or f.kind == kind)


def formats_named(name: str, kind: Kind | None = None) -> tuple[Format, ...]:
    """The formats called *name*: one, or one of each kind that a file of the format can hold."""
    known = formats_of(kind)
    found = tuple(f for f in known if f.name == name)
    if not found:
        raise DataError(f"unknown format {name!r}; choose from {names_of(known)}")
    return found


def find_format(name: str, kind: Kind | None = None) -> Format:
    """The (first) format called *name*."""
    return formats_named(name, kind)[0]


def format_for_writing(path: StrPath, kind: Kind, name: str | None = None) -> Format:
    """The format *name*, or the one that the suffix of *path* stands for; it must be writable."""
    writable = tuple(f for f in formats_of(kind) if f.writable)
    if name is not None:
        found = find_format(name, kind)
        if not found.writable:
            raise DataError(f"format {name!r} can only be read; choose from {names_of(writable)}")
        return found
    chosen = _by_suffix(path, writable)
    if len(chosen) == 1:
        return chosen[0]
    suffixes = ", ".join(dict.fromkeys(suffix for f in writable for suffix in f.suffixes))
    raise DataError(
        f"{target_name(path)}: the name does not tell the format of {KINDS[kind]}; expected "
        f"one of {suffixes} at its end, or name one of {names_of(chosen or writable)}"
    )


def has_writer(path: StrPath, kind: Kind) -> bool:
    """Whether the suffix of *path* stands for one format of a *kind*."""
    return len(_by_suffix(path, tuple(f for f in formats_of(kind) if f.writable))) == 1


def _by_suffix(path: StrPath, formats: tuple[Format, ...]) -> tuple[Format, ...]:
    plain = os.fspath(path).removesuffix(".gz")
    return tuple(f for f in formats if plain.endswith(f.suffixes))


def names_of(formats: tuple[Format, ...]) -> str:
    """The names of *formats* for a message."""
    return ", ".join(dict.fromkeys(f.name for f in formats)) or "none"
