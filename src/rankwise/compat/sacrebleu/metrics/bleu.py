"""BLEU with the interface and the digits of sacreBLEU."""

import math
from collections.abc import KeysView, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from rankwise.compat.sacrebleu.log import sacrelogger
from rankwise.compat.sacrebleu.metrics.base import Metric, Sums
from rankwise.compat.sacrebleu.metrics.score import Score
from rankwise.compat.sacrebleu.metrics.signature import Signature
from rankwise.compat.sacrebleu.metrics.streams import Streams
from rankwise.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from rankwise.compat.sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from rankwise.compat.sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from rankwise.compat.sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from rankwise.compat.sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from rankwise.compat.sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from rankwise.compat.sacrebleu.tokenizers.tokenizer_spm import (
    Flores101Tokenizer,
    Flores200Tokenizer,
    TokenizerSPM,
    spBLEU1KTokenizer,
)
from rankwise.compat.sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from rankwise.metrics import Bleu
from rankwise.metrics.metric_class import Rows, map_references
from rankwise.text.segments import References, check_texts
from rankwise.types.named import check_choice

MAX_NGRAM_ORDER = 4

# The core applies these to all lines at once; any other tokenizer is called line by line.
_NATIVE: dict[type[BaseTokenizer], str] = {
    NoneTokenizer: "none",
    Tokenizer13a: "13a",
    TokenizerV14International: "intl",
    TokenizerChar: "char",
    TokenizerZh: "zh",
}
_TOKENIZERS: dict[str, type[BaseTokenizer]] = {
    "none": NoneTokenizer,
    "zh": TokenizerZh,
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "char": TokenizerChar,
    "ja-mecab": TokenizerJaMecab,
    "ko-mecab": TokenizerKoMecab,
    "spm": TokenizerSPM,
    "flores101": Flores101Tokenizer,
    "flores200": Flores200Tokenizer,
    "spBLEU-1K": spBLEU1KTokenizer,
}
# Smoothing methods, and the value of those that take one.
_SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
_OF_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_LANGUAGE_NAMES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}


class BLEUSignature(Signature):
    """``case``, ``eff``, ``tok`` and ``smooth``, after the number of references."""

    SHORT: ClassVar[Mapping[str, str]] = {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self.info["case"] = "lc" if args["lowercase"] else "mixed"
        self.info["eff"] = "yes" if args["effective_order"] else "no"
        self.info["tok"] = args["tokenizer_signature"]
        self.info["smooth"] = _smoothing(args["smooth_method"], args["smooth_value"])


class BLEUScore(Score):
    """A BLEU score with its n-gram counts, precisions in percent, penalty and lengths.

    With the smoothing ``add-k``, ``counts`` and ``totals`` include what was added.
    """

    def __init__(
        self,
        score: float,
        counts: list[Any],
        totals: list[Any],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.counts = counts
        self.totals = totals
        self.precisions = precisions
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.ratio = sys_len / ref_len if ref_len else 0
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class BLEU(Metric[BLEUScore]):
    """BLEU; see :class:`rankwise.metrics.Bleu` for the formula.

    >>> bleu = BLEU()
    >>> bleu.corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]])
    BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    >>> bleu.get_signature().format(short=True)  # doctest: +ELLIPSIS
    '#:1|c:mixed|e:no|tok:13a|s:exp|v:2.6.0+rankwise...'
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = _SMOOTH_DEFAULTS
    TOKENIZERS: ClassVar[KeysView[str]] = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT: ClassVar[str] = "13a"
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Streams | None = None,
    ) -> None:
        super().__init__(references)
        check_choice("BLEU", "smooth_method", smooth_method, _SMOOTH_DEFAULTS)
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.tokenizer = _tokenizer(tokenize, trg_lang)
        self.tokenizer_signature = self.tokenizer.signature()

    @staticmethod
    def compute_bleu(
        correct: Sequence[Any],
        total: Sequence[Any],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU of n-gram matches and totals by order, and of the two lengths.

        >>> round(BLEU.compute_bleu([9, 7, 5, 3], [10, 8, 6, 4], 11, 11).score, 8)
        83.75922397
        """
        check_choice("BLEU", "smooth_method", smooth_method, _SMOOTH_DEFAULTS)
        value = _SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
        counts, totals = list(correct), list(total)
        percents: list[float] = []
        if any(counts):
            if smooth_method == "add-k":
                counts, totals = _with_more(counts, value), _with_more(totals, value)
            percents = _percents(counts, totals, smooth_method, value)[:max_ngram_order]
        absent = [0.0] * (max_ngram_order - len(percents))
        penalty = _brevity_penalty(sys_len, ref_len)
        mean = _geometric_mean(percents if effective_order else percents + absent)
        return BLEUScore(
            penalty * mean, counts, totals, percents + absent, penalty, sys_len, ref_len
        )

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """The BLEU of one hypothesis; better with ``effective_order``, or short texts score 0."""
        if not self.effective_order:
            sacrelogger.warning("For sentence-level BLEU, effective_order=True is recommended.")
        return super().sentence_score(hypothesis, references)

    def native(self) -> Bleu:
        """The metric of Rankwise that has these options."""
        takes_value = _SMOOTH_DEFAULTS[self.smooth_method] is not None
        return Bleu(
            lowercase=bool(self.lowercase),
            tokenize=_NATIVE.get(type(self.tokenizer), "none"),
            smooth=self.smooth_method,
            smooth_value=self.smooth_value if takes_value else None,
            max_order=self.max_ngram_order,
            effective_order=bool(self.effective_order),
            compat="sacrebleu",
        )

    def scorer(self) -> Bleu:
        """Scores sums as arrays: the last digit of a resample's score decides nothing."""
        return replace(self.native(), compat="none")

    def resampled_scores(self, sums: Sums) -> Rows:
        """Precisions have single precision here, and what is made of their logarithms double."""
        return np.array([self._resampled_score(row) for row in sums])

    def _resampled_score(self, row: Sums) -> float:
        order, value = self.max_ngram_order, self.smooth_value
        value = _SMOOTH_DEFAULTS[self.smooth_method] if value is None else value
        counts, totals = list(row[2 : 2 + order]), list(row[2 + order :])
        if not any(counts):
            return 0.0
        if self.smooth_method == "add-k":
            counts, totals = _with_more(counts, value), _with_more(totals, value)
        percents = _percents(counts, totals, self.smooth_method, value)
        absent = [] if self.effective_order else [0.0] * (order - len(percents))
        penalty = _brevity_penalty(int(row[0]), int(row[1]))
        return penalty * _geometric_mean([*percents, *absent])

    def _statistics(self, hypotheses: Sequence[str], references: References) -> Rows:
        if type(self.tokenizer) not in _NATIVE:
            check_texts(hypotheses, references)
            hypotheses = [self._preprocess_segment(text) for text in hypotheses]
            references = map_references(self._preprocess_segment, references)
        return super()._statistics(hypotheses, references)

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        sys_len, ref_len, *counts = np.asarray(stats).tolist()
        return self.compute_bleu(
            counts[: self.max_ngram_order],
            counts[self.max_ngram_order :],
            int(sys_len),
            int(ref_len),
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            self.max_ngram_order,
        )


def _smoothing(method: str, value: float | None) -> str:
    default = _SMOOTH_DEFAULTS[method]
    return method if default is None else f"{method}[{default if value is None else value:.2f}]"


# The same as ``Bleu`` computes for rows, for one row of Python numbers: a score of a sentence
# takes microseconds, which arrays of four numbers do not.


def _with_more(counts: list[Any], value: float | None) -> list[Any]:
    """Counts of add-k smoothing, which leaves unigrams alone."""
    return [counts[0], *(count + value for count in counts[1:])]


def _percents(
    counts: list[Any], totals: list[Any], method: str, value: float | None
) -> list[float]:
    """Smoothed precisions of the orders before the first one without n-grams."""
    percents = []
    halved = 1.0
    for count, total in zip(counts, totals, strict=True):
        if total == 0:
            break
        if count == 0 and method == "exp":
            halved *= 2
            percents.append(100.0 / (halved * total))
        else:
            matched = value if count == 0 and method == "floor" and value else count
            percents.append(100.0 * matched / total)
    return percents


def _geometric_mean(percents: list[float]) -> float:
    if not percents or not all(percents):
        return 0.0
    return math.exp(sum([math.log(percent) for percent in percents]) / len(percents))


def _brevity_penalty(sys_len: int, ref_len: int) -> float:
    """With the exponential of ``math``, whose last digit may differ from numpy's."""
    if sys_len >= ref_len:
        return 1.0
    return math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0


def _tokenizer(name: str | None, language: str) -> BaseTokenizer:
    advised = _OF_LANGUAGE.get(language)
    if advised is not None and name not in (None, advised):
        # In sacreBLEU's own words, which scripts look for.
        sacrelogger.warning(
            "Consider using the %r or 'spm' tokenizer for %s.", advised, _LANGUAGE_NAMES[language]
        )
    name = name or advised or BLEU.TOKENIZER_DEFAULT
    check_choice("BLEU", "tokenizer", name, _TOKENIZERS)
    return _TOKENIZERS[name]()
