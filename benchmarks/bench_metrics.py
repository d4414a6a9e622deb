"""The n-gram metrics against sacreBLEU, called from Python on lists of strings.

python benchmarks/bench_metrics.py [--segments 10000] [--repeats 3] [--json FILE] [--memory]
"""

import argparse
import functools
import statistics
from collections.abc import Callable
from pathlib import Path

import sacrebleu
from harness import compare, peak_megabytes, table, write_json
from sacrebleu.metrics import BLEU, CHRF
from script_texts import texts

from rankwise.metrics import Bleu, Chrf, Metric

MEMORY_SEGMENTS = 100_000
PEER = f"sacreBLEU {sacrebleu.__version__}"


def tasks(hypotheses: list[str], references: list[str]) -> dict[str, tuple[Callable, Callable]]:
    """Name to ours and theirs. Objects of the peer are made afresh, so that nothing is cached."""
    streams = [references]

    def sentence_bleu() -> float:
        bleu = BLEU(effective_order=True)
        pairs = zip(hypotheses, references, strict=True)
        return statistics.mean(bleu.sentence_score(h, [r]).score for h, r in pairs)

    def ours(metric: Metric) -> Callable[[], float]:
        return lambda: metric.corpus(hypotheses, references)

    return {
        "corpus BLEU": (
            ours(Bleu()),
            lambda: BLEU().corpus_score(hypotheses, streams).score,
        ),
        "sentence BLEU": (
            lambda: Bleu().segments(hypotheses, references).mean(),
            sentence_bleu,
        ),
        "chrF": (ours(Chrf()), lambda: CHRF().corpus_score(hypotheses, streams).score),
        "chrF++": (
            ours(Chrf(word_order=2)),
            lambda: CHRF(word_order=2).corpus_score(hypotheses, streams).score,
        ),
    }


def memory_task(metric: Metric) -> Callable[[], float]:
    """What the measured child process runs."""
    hypotheses, references, _ = texts(MEMORY_SEGMENTS)
    return lambda: metric.corpus(hypotheses, references)


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--memory", action="store_true", help="also measure 100,000 segments")
    options = parser.parse_args()
    hypotheses, references, source = texts(options.segments)
    timings = [
        compare(name, len(hypotheses), ours, theirs, peer=PEER, repeats=options.repeats)
        for name, (ours, theirs) in tasks(hypotheses, references).items()
    ]
    print(f"{source}, one core, against {PEER}\n{table(timings)}")
    memory = {}
    if options.memory:
        for metric in (Bleu(), Chrf(word_order=2)):
            memory[str(metric)] = peak_megabytes(functools.partial(memory_task, metric))
            print(f"{metric}: {MEMORY_SEGMENTS:,} segments add {memory[str(metric)]:.0f} MB")
    if options.json:
        write_json(options.json, timings, source=source, memory_megabytes=memory)


if __name__ == "__main__":
    main()
