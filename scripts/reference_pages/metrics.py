"""The page about metrics."""

from rankwise.metrics import METRICS
from rankwise.text.line_limits import LONGEST, LONGEST_TEXT, MOST_CELLS, MOST_WORD_PAIRS
from reference_pages.named_things import sections

INTRO = """\
<!-- Written by scripts/make_reference.py from the modules of rankwise.metrics: change it there. -->

# Metrics

What `-m` and `rw.metric` take: a name and options, `chrf:word_order=2:lowercase=true`. The
signature that a result carries parses back to the same metric. Scores are on the scale of the tools
people cite: percentages, but METEOR and metrics with a model up to 1. Every metric states its
statistics, one row per segment, and a score computed from a row or a sum of rows; intervals, paired
tests and corpus scores follow from these. [Choose a metric](../how-to/choose-a-metric.md) says which one to take.

Where a peer is wrong, ours is right by default, and an option gives the old number:

| what | the peer | ours by default | the old number |
|---|---|---|---|
| a perfect corpus | sacreBLEU may print BLEU 100.00000000000004 | 100 | `bleu:compat=sacrebleu` |
| tokenizer `zh` | sacreBLEU splits dashes, quotes and arrows as Chinese, but not CJK extension B | the ranges of Chinese | `bleu:tokenize=zh:compat=sacrebleu` |
| identical texts under `normalized` | sacreBLEU tokenises references twice: TER 40 for "It is Jim's." | 0 | `ter:normalized=true:compat=sacrebleu` |
| surplus segments | sacreBLEU drops them silently | an error | none |
| a segment without reference | a traceback | an error that names the segment | none |
| two systems that no resample tells apart | sacreBLEU: p = 1 / (1 + R) | p = 1 | `rankwise.compat.sacrebleu` |
| METEOR's search and word lists | two search bugs; English function words in every language | see below | `meteor:compat=1.5:resources=PATH` |
"""

LINEAR = """\
## Long lines

A line of megabytes costs seconds and at most about two gigabytes, or is refused in one sentence with its file and line
(exit code 1). What grows with the line alone takes any line; the others state a limit:

| metric | the longest text it takes |
|---|---|
| `bleu`, `chrf`, `precision`, `recall`, `f1` | any; memory of up to 120 bytes for a character |
| `ter` | any; memory of up to 120 bytes for a character, with `normalized` up to 200 |
"""


def _limits() -> str:
    """The table of limits, from the one place that has them."""
    lines = [
        f"| `{name}` | {most:,} characters, or those of the option `longest` |"
        for name, most in LONGEST.items()
    ]
    lines.append(
        "| `wer`, `cer` | any, up to a length (in words or characters) times a number of edits of "
        f"about {MOST_CELLS / 1e9:,.0f} billion: lines of 370,000 characters that share nothing, "
        "or of 10 million that differ in 13,000; with the option `longest`, no text of more characters |"
    )
    lines.append(
        "| `meteor`, `beer` with paraphrases, and `meteor:compat=1.5` | besides, "
        f"{MOST_WORD_PAIRS / 1e9:,.0f} billion pairs of words (lines of 32,000), of which 8 "
        "million match |"
    )
    text = (
        f"\nFeatures for `rankwise learn` are computed of texts of up to {LONGEST['learned']:,} "
        f"characters, and a campaign takes texts of up to {LONGEST_TEXT:,}.\n"
    )
    return LINEAR + "\n".join(lines) + "\n" + text


def page() -> str:
    """What each metric is, its options, its rules, its examples."""
    return "\n".join([INTRO, _limits(), sections(METRICS)])
