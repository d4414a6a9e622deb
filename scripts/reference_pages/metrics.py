"""The page about metrics."""

from rankwise.metrics import METRICS
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


def page() -> str:
    """What each metric is, its options, its rules, its examples."""
    return "\n".join([INTRO, sections(METRICS)])
