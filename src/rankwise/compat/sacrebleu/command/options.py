"""The options of sacreBLEU 2.6: one table, and what parses a command line by it."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from rankwise.compat.sacrebleu.version import __version__

#: The name in front of messages about wrong usage, and before the version: scripts read both.
PROGRAM = "sacrebleu"
FORMATS = ("json", "text", "latex")
METRICS = ("bleu", "chrf", "ter")
TOKENIZERS = (
    "none",
    "zh",
    "13a",
    "intl",
    "char",
    "ja-mecab",
    "ko-mecab",
    "spm",
    "flores101",
    "flores200",
    "spBLEU-1K",
)
SMOOTHINGS = ("none", "floor", "add-k", "exp")

TEST_SETS = "Test sets"
TEXTS = "Texts and metrics"
BLEU = "BLEU"
CHRF = "chrF"
TER = "TER"
INTERVALS = "Confidence intervals of one system"
PAIRED = "Paired tests of several systems against the first"
REPORTING = "Output"


@dataclass(frozen=True, slots=True)
class Option:
    """An option as it is typed, what it holds, and what it is for.

    *names* begin with the long form. *many* is argparse's ``+`` or ``*`` for several values;
    *is_flag* means none. Only ``--help-all`` shows *rare* ones.
    """

    group: str
    names: tuple[str, ...]
    help: str
    kind: type = str
    default: object = None
    choices: tuple[str, ...] = ()
    metavar: str = ""
    dest: str = ""
    many: str = ""
    is_flag: bool = False
    rare: bool = False


def _flag(group: str, names: str, text: str, *, dest: str = "", rare: bool = False) -> Option:
    return Option(group, (*names.split(),), text, bool, False, dest=dest, is_flag=True, rare=rare)


OPTIONS = (
    Option(
        TEST_SETS,
        ("--test-set", "-t"),
        "The name of a test set, as --list gives it; several are joined by commas.",
        metavar="SET",
    ),
    Option(
        TEST_SETS,
        ("--language-pair", "-l"),
        "Source and target language, like en-de; it also chooses the tokenizer.",
        metavar="PAIR",
        dest="langpair",
    ),
    _flag(TEST_SETS, "--list", "Print the test sets, or with -t the fields of each pair."),
    Option(TEST_SETS, ("--download",), "Download a test set and quit.", metavar="SET"),
    Option(
        TEST_SETS,
        ("--echo",),
        "Print fields of a test set (src, ref, docid, ref:A, all) in columns, and quit.",
        metavar="FIELD ...",
        many="+",
    ),
    _flag(TEST_SETS, "--citation --cite", "Print how to cite a test set.", rare=True),
    Option(
        TEST_SETS,
        ("--origlang", "-ol"),
        "Only segments that were written in this language; non-de for all others.",
        metavar="LANG",
        rare=True,
    ),
    Option(
        TEST_SETS,
        ("--subset",),
        "Only segments of documents whose domain matches this regular expression.",
        metavar="REGEX",
        rare=True,
    ),
    Option(
        TEXTS,
        ("--input", "-i"),
        "Outputs, a file per system; the first is the baseline. Standard input unless given.",
        metavar="FILE ...",
        many="*",
    ),
    Option(
        TEXTS,
        ("--num-refs", "-nr"),
        "How many references a line of the reference file holds, with tabs between them.",
        int,
        1,
        metavar="N",
    ),
    Option(TEXTS, ("--encoding", "-e"), "The encoding of text files.", default="utf-8", rare=True),
    Option(
        TEXTS,
        ("--metrics", "-m"),
        "The metrics to compute.",
        default=("bleu",),
        choices=METRICS,
        many="+",
    ),
    _flag(TEXTS, "--sentence-level -sl", "Score every segment."),
    Option(
        BLEU,
        ("--smooth-method", "-s"),
        "How n-grams that are never met are smoothed.",
        default="exp",
        choices=SMOOTHINGS,
        dest="bleu_smooth_method",
    ),
    Option(
        BLEU,
        ("--smooth-value", "-sv"),
        "What floor (0.1 unless given) and add-k (1) add.",
        float,
        metavar="NUMBER",
        dest="bleu_smooth_value",
        rare=True,
    ),
    Option(
        BLEU,
        ("--tokenize", "-tok"),
        "How words are found; unless given, zh, ja-mecab and ko-mecab by the language pair, "
        "13a for all others.",
        choices=TOKENIZERS,
        dest="bleu_tokenize",
    ),
    _flag(BLEU, "--lowercase -lc", "Ignore case.", dest="bleu_lowercase"),
    _flag(
        BLEU, "--force", "Do not warn that outputs look tokenized.", dest="bleu_force", rare=True
    ),
    Option(
        CHRF, ("--chrf-char-order", "-cc"), "Longest character n-grams.", int, 6, (), "N", rare=True
    ),
    Option(
        CHRF,
        ("--chrf-word-order", "-cw"),
        "Longest word n-grams; 2 makes it chrF++.",
        int,
        0,
        metavar="N",
    ),
    Option(CHRF, ("--chrf-beta",), "The weight of recall.", int, 2, (), "N", rare=True),
    _flag(CHRF, "--chrf-whitespace", "Count spaces as characters.", rare=True),
    _flag(CHRF, "--chrf-lowercase", "Ignore case.", rare=True),
    _flag(CHRF, "--chrf-eps-smoothing", "Smooth as chrF++.py, NLTK and Moses do.", rare=True),
    _flag(TER, "--ter-case-sensitive", "Do not ignore case.", rare=True),
    _flag(TER, "--ter-asian-support", "Take Asian characters for words.", rare=True),
    _flag(TER, "--ter-no-punct", "Leave punctuation out.", rare=True),
    _flag(TER, "--ter-normalized", "Normalise and tokenize.", rare=True),
    _flag(INTERVALS, "--confidence -ci", "Print the 95 % interval of resampled segments."),
    Option(
        INTERVALS, ("--confidence-n", "-cin"), "How many resamples.", int, 1000, (), "N", rare=True
    ),
    _flag(PAIRED, "--paired-ar -par", "Test by approximate randomisation."),
    _flag(PAIRED, "--paired-bs -pbs", "Test by the paired bootstrap."),
    Option(PAIRED, ("--paired-ar-n", "-parn"), "How often.", int, 10_000, (), "N", rare=True),
    Option(PAIRED, ("--paired-bs-n", "-pbsn"), "How often.", int, 1000, (), "N", rare=True),
    Option(
        PAIRED,
        ("--paired-jobs", "-j"),
        "Accepted and without effect: all threads are used.",
        int,
        1,
        metavar="N",
        rare=True,
    ),
    _flag(REPORTING, "--quiet -q", "Print warnings and errors alone on standard error."),
    _flag(REPORTING, "--short -sh", "Print short signatures.", rare=True),
    _flag(REPORTING, "--score-only -b", "Print the score alone."),
    Option(REPORTING, ("--width", "-w"), "How many decimals.", int, 1, metavar="N"),
    _flag(REPORTING, "--detail -d", "Scores by original language and domain too.", rare=True),
    _flag(REPORTING, "--no-color -nc", "No colours on a terminal.", rare=True),
    Option(
        REPORTING,
        ("--format", "-f"),
        "How to print: latex is for several systems. SACREBLEU_FORMAT overrides it.",
        default="json",
        choices=FORMATS,
    ),
    _flag(REPORTING, "--version -V", "Print the version and quit.", rare=True),
)
_EXCLUSIVE = ("--paired-ar", "--paired-bs")


class _Parser(argparse.ArgumentParser):
    """Usage in one line: ``--help`` has the list."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"usage: {PROGRAM} [OPTIONS] [REFS ...]\n{PROGRAM}: error: {message}\n")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The values of *arguments* by the names that sacreBLEU gives them; wrong usage exits with 2.

    ``SACREBLEU_FORMAT`` decides about the format where it names one.
    """
    found = _parser().parse_args(arguments)
    asked = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if asked in FORMATS:
        found.format = asked
    found.metrics, found.is_paired = [*found.metrics], found.paired_ar or found.paired_bs
    return found


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=PROGRAM, add_help=False)
    either = parser.add_mutually_exclusive_group()
    for option in OPTIONS:
        if option.names[0] == "--version":
            parser.add_argument(*option.names, action="version", version=f"%(prog)s {__version__}")
            continue
        _add(either if option.names[0] in _EXCLUSIVE else parser, option)
    parser.add_argument("refs", nargs="*", default=[])
    return parser


def _add(parser: argparse._ActionsContainer, option: Option) -> None:
    dest = option.dest or option.names[0].removeprefix("--").replace("-", "_")
    if option.is_flag:
        parser.add_argument(*option.names, dest=dest, action="store_true")
        return
    parser.add_argument(
        *option.names,
        dest=dest,
        type=option.kind,
        default=option.default,
        nargs=option.many or None,
        choices=option.choices or None,
    )
