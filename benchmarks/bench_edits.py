"""TER against sacreBLEU, WER and CER against rapidfuzz: ``python benchmarks/bench_edits.py``.

rapidfuzz is not a dependency; its rows are left out where it is not installed. It gives distances
of lists and strings, so WER includes ``str.split`` for both, and CER runs on text without repeated
spaces. sacreBLEU takes minutes for what takes us milliseconds, so it gets few lines.
"""

import argparse
import importlib.util
import sys
from pathlib import Path

from harness import Timing, compare, table, write_json
from sacrebleu.metrics import TER
from script_texts import texts

from rankwise.metrics.ter import Ter
from rankwise.metrics.wer import Cer, Wer


def ter_timings(count: int) -> list[Timing]:
    """TER as it comes and with punctuation split off."""
    hypotheses, references, _ = texts(count)
    timings = []
    for task, options in (("TER", {}), ("TER normalized", {"normalized": True})):
        ours = Ter(**options, compat="sacrebleu")
        timings.append(
            compare(
                task,
                count,
                lambda ours=ours: ours.corpus(hypotheses, references),
                # A fresh object each time: sacreBLEU caches what its tokenizer has seen.
                lambda options=options: TER(**options).corpus_score(hypotheses, [references]).score,
                peer="sacreBLEU",
                repeats=1,
            )
        )
    return timings


def distance_timings(count: int) -> list[Timing]:
    """WER and CER against distances, and against the edits that make them up."""
    from rapidfuzz.distance import Levenshtein

    given, references, _ = texts(count)
    hypotheses = [" ".join(text.split()) for text in given]
    references = [" ".join(text.split()) for text in references]

    def wer(distance):
        edits = words = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            expected = reference.split()
            edits += distance(hypothesis.split(), expected)
            words += len(expected)
        return 100 * edits / words

    def cer(distance):
        edits = sum(distance(h, r) for h, r in zip(hypotheses, references, strict=True))
        return 100 * edits / sum(map(len, references))

    def edit_count(hypothesis, reference):
        return len(Levenshtein.editops(hypothesis, reference))

    tasks = [
        ("WER", Wer(), wer, Levenshtein.distance, "rapidfuzz distance"),
        ("WER with edits", Wer(), wer, edit_count, "rapidfuzz editops"),
        ("CER", Cer(), cer, Levenshtein.distance, "rapidfuzz distance"),
        ("CER with edits", Cer(), cer, edit_count, "rapidfuzz editops"),
    ]
    return [
        compare(
            task,
            count,
            lambda ours=ours: ours.corpus(hypotheses, references),
            lambda theirs=theirs, distance=distance: theirs(distance),
            peer=peer,
        )
        for task, ours, theirs, distance, peer in tasks
    ]


def main() -> None:
    """Measure, print the table, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ter-lines", type=int, default=150)
    parser.add_argument("--lines", type=int, default=7000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    timings = ter_timings(arguments.ter_lines)
    if importlib.util.find_spec("rapidfuzz") is None:
        print("rapidfuzz is not installed: no comparison for WER and CER", file=sys.stderr)
    else:
        timings += distance_timings(arguments.lines)
    print(table(timings))
    if arguments.json:
        write_json(arguments.json, timings)


if __name__ == "__main__":
    main()
