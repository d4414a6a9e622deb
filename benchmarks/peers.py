"""Every peer that scores texts, where it is installed: what it computes, and how it is called.

A peer is made afresh for every run, so that nothing is remembered. Those that are not installed are
named by :func:`missing`; none of them is needed to build or to test.
"""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

Texts = list[str]


@dataclass(frozen=True)
class Peer:
    """A function of another package: the score of hypotheses against references.

    ``is_same`` says whether it means the same number; ``most`` is how many lines it is given.
    """

    task: str
    package: str
    score: Callable[[Texts, Texts], float]
    is_same: bool = True
    most: int = 10**9

    @property
    def name(self) -> str:
        """The package and its version."""
        return f"{self.package} {version(self.package)}"

    @property
    def is_installed(self) -> bool:
        """Whether it can be run here."""
        return find_spec(self.package) is not None


def _sacrebleu(metric: str, **options: Any) -> Callable[[Texts, Texts], float]:
    def score(hypotheses: Texts, references: Texts) -> float:
        made = getattr(import_module("sacrebleu.metrics"), metric)(**options)
        return float(made.corpus_score(hypotheses, [references]).score)

    return score


def _sacrebleu_sentences(hypotheses: Texts, references: Texts) -> float:
    made = import_module("sacrebleu.metrics").BLEU(effective_order=True)
    pairs = zip(hypotheses, references, strict=True)
    return statistics.fmean(made.sentence_score(h, [r]).score for h, r in pairs)


def _bleuscore(hypotheses: Texts, references: Texts) -> float:
    lists = [[text] for text in references]
    return (
        100 * import_module("bleuscore").compute(predictions=hypotheses, references=lists)["bleu"]
    )


def _nltk_bleu(hypotheses: Texts, references: Texts) -> float:
    lists = [[text.split()] for text in references]
    found = import_module("nltk.translate.bleu_score").corpus_bleu(
        lists, [text.split() for text in hypotheses]
    )
    return 100 * float(found)


def _nltk_chrf(hypotheses: Texts, references: Texts) -> float:
    score = import_module("nltk.translate.chrf_score").sentence_chrf
    pairs = zip(hypotheses, references, strict=True)
    return 100 * statistics.fmean(score(r, h, max_len=6, beta=2.0) for h, r in pairs)


def _fastchrf(hypotheses: Texts, references: Texts) -> float:
    found = import_module("fastchrf").pairwise_chrf(
        [[text] for text in hypotheses], [[text] for text in references]
    )
    return statistics.fmean(scores[0][0] for scores in found)


def _torchmetrics(name: str, scale: float = 100) -> Callable[[Texts, Texts], float]:
    def score(hypotheses: Texts, references: Texts) -> float:
        function = getattr(import_module("torchmetrics.functional.text"), name)
        lists = references if name.endswith("rate") and "edit" not in name else None
        wanted = [[text] for text in references] if lists is None else lists
        return scale * float(function(hypotheses, wanted))

    return score


def _distance(package: str, by_words: bool) -> Callable[[Texts, Texts], float]:
    """Edits per 100 units, of a package that has a distance of two sequences."""

    def score(hypotheses: Texts, references: Texts) -> float:
        module = "rapidfuzz.distance.Levenshtein" if package == "rapidfuzz" else package
        distance, edits, length = import_module(module).distance, 0, 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            one, other = hypothesis.split(), reference.split()
            if not by_words:
                one, other = " ".join(one), " ".join(other)  # type: ignore[assignment]
            edits += distance(one, other)
            length += len(other)
        return 100 * edits / length

    return score


def _jiwer_words(hypotheses: Texts, references: Texts) -> float:
    """Words between any white space; by itself the package cuts at spaces alone, not at U+00A0."""
    package = import_module("jiwer")
    split = package.Compose([package.ReduceToListOfListOfWords(word_delimiter=None)])
    found = package.wer(
        references, hypotheses, reference_transform=split, hypothesis_transform=split
    )
    return 100 * float(found)


def _jiwer_characters(hypotheses: Texts, references: Texts) -> float:
    return 100 * float(import_module("jiwer").cer(references, hypotheses))


PEERS = (
    Peer("BLEU", "sacrebleu", _sacrebleu("BLEU")),
    Peer("BLEU", "bleuscore", _bleuscore),
    Peer("BLEU", "nltk", _nltk_bleu, is_same=False),
    Peer("BLEU", "torchmetrics", _torchmetrics("sacre_bleu_score"), is_same=False, most=1000),
    Peer("sentence BLEU", "sacrebleu", _sacrebleu_sentences),
    Peer("chrF", "sacrebleu", _sacrebleu("CHRF")),
    Peer("chrF", "torchmetrics", _torchmetrics("chrf_score"), is_same=False, most=100),
    Peer("sentence chrF", "fastchrf", _fastchrf, is_same=False),  # single precision
    Peer("sentence chrF", "nltk", _nltk_chrf, is_same=False, most=1000),
    Peer("chrF++", "sacrebleu", _sacrebleu("CHRF", word_order=2)),
    Peer("TER", "sacrebleu", _sacrebleu("TER"), most=100),
    Peer("TER", "torchmetrics", _torchmetrics("translation_edit_rate"), is_same=False, most=50),
    Peer("WER", "rapidfuzz", _distance("rapidfuzz", True)),
    Peer("WER", "Levenshtein", _distance("Levenshtein", True)),
    Peer("WER", "jiwer", _jiwer_words),
    Peer("WER", "torchmetrics", _torchmetrics("word_error_rate"), is_same=False, most=2000),
    Peer("CER", "rapidfuzz", _distance("rapidfuzz", False)),
    Peer("CER", "Levenshtein", _distance("Levenshtein", False)),
    Peer("CER", "jiwer", _jiwer_characters, is_same=False),
)


def installed() -> list[Peer]:
    """The peers that can be run here."""
    return [peer for peer in PEERS if peer.is_installed]


def missing() -> list[str]:
    """The packages that cannot."""
    return sorted({peer.package for peer in PEERS if not peer.is_installed})
