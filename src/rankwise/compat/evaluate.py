"""Metrics as Hugging Face ``evaluate`` gives them, computed by Rankwise: change one import.

    from rankwise.compat import evaluate      # instead of: import evaluate
    bleu = evaluate.load("sacrebleu")
    bleu.compute(predictions=["a cat"], references=[["the cat"]])

``load`` knows ``bleu``, ``sacrebleu``, ``chrf``, ``ter``, ``wer`` and ``cer``; results have the
keys and the scale that those of ``evaluate`` have. Nothing is downloaded. Any other metric of
Rankwise, with its options if it has some (``load("meteor")``, ``load("chrf:word_order=2")``), gives
its score, on its own scale, and its signature.

>>> found = load("chrf").compute(predictions=["the cat sat"], references=["the cat sat"])
>>> found["score"], found["char_order"], found["word_order"]
(100.0, 6, 0)
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from rankwise import metrics
from rankwise.compat.sacrebleu import CHRF, TER, corpus_bleu
from rankwise.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from rankwise.errors import DataError
from rankwise.metrics.bleu import Bleu
from rankwise.metrics.wer import Cer, ErrorRate, Wer

Texts = Sequence[str]
References = list[list[str]]
Compute = Callable[..., Any]


class EvaluationModule:
    """A metric that is told predictions and references, at once or piece by piece."""

    def __init__(self, name: str, compute: Compute) -> None:
        self.name = name
        self._compute = compute
        self._predictions: list[str] = []
        self._references: References = []

    def add(self, *, prediction: str, reference: str | Texts) -> None:
        """One prediction with its reference, or its references, for the next ``compute``."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Texts, references: Sequence[str | Texts]) -> None:
        """Some predictions with their references for the next ``compute``."""
        checked = _checked(predictions, references)
        self._predictions += predictions
        self._references += checked

    def compute(
        self,
        *,
        predictions: Texts | None = None,
        references: Sequence[str | Texts] | None = None,
        **options: Any,
    ) -> Any:
        """The result for what was added and what is given here; after it nothing is kept."""
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions or [], references=references or [])
        if not self._predictions:
            raise DataError(f"{self.name}: there is nothing to compute; give predictions")
        given = self._predictions, self._references
        self._predictions, self._references = [], []
        return self._compute(*given, **options)

    def __repr__(self) -> str:
        """What it computes and how much it holds, in one line."""
        return f"<EvaluationModule {self.name}: {len(self._predictions)} predictions>"


def load(path: str, config_name: str | None = None, **_: Any) -> EvaluationModule:
    """The metric called *path*; a *config_name* is refused, for these metrics have none.

    >>> wer = load("wer")
    >>> wer.add(prediction="a cat sat", reference="a cat sat down")
    >>> wer.compute()
    0.25
    """
    if config_name is not None:
        raise DataError(f"metric {path!r} has no configuration {config_name!r}; leave it out")
    if path in _METRICS:
        return EvaluationModule(path, _METRICS[path])
    return EvaluationModule(path, _any_metric(path))


def _checked(predictions: Texts, references: Sequence[str | Texts]) -> References:
    if isinstance(predictions, str) or isinstance(references, str):
        raise DataError("predictions or references are one text; expected a list of them")
    if len(predictions) != len(references):
        raise DataError(
            f"there are {len(predictions)} predictions and {len(references)} references; expected "
            "as many"
        )
    return [[entry] if isinstance(entry, str) else list(entry) for entry in references]


def _streams(references: References) -> list[list[str]]:
    """References as sacreBLEU takes them: the first of every segment, the second, and so on."""
    counts = {len(entry) for entry in references}
    if len(counts) > 1:
        listed = ", ".join(map(str, sorted(counts)))
        raise DataError(f"segments have {listed} references; expected as many for each")
    return [list(stream) for stream in zip(*references, strict=True)]


# -- one function for each -------------------------------------------------------------------------


def _sacrebleu(
    predictions: Texts,
    references: References,
    *,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> dict[str, Any]:
    chosen = {} if tokenize is None else {"tokenize": tokenize}
    found = corpus_bleu(
        predictions,
        _streams(references),
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        force=force,
        lowercase=lowercase,
        use_effective_order=use_effective_order,
        **chosen,
    )
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {name: getattr(found, name) for name in names}


def _bleu(
    predictions: Texts,
    references: References,
    *,
    tokenizer: Callable[[str], Any] | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    """BLEU from 0 to 1 with the shortest reference of each segment; *smooth* adds one to counts.

    Papineni et al. (2002); Lin and Och (2004), COLING, for smoothing.
    """
    split = _tokens(tokenizer)
    outputs = [split(text) for text in predictions]
    entries = [[split(text) for text in entry] for entry in references]
    rows = Bleu(tokenize="none", max_order=max_order).statistics(
        [" ".join(words) for words in outputs],
        [tuple(" ".join(words) for words in entry) for entry in entries],
    )
    sums = rows.sum(axis=0).tolist()
    matches, totals = sums[2 : 2 + max_order], sums[2 + max_order :]
    length = sum(map(len, outputs))
    shortest = sum(min(map(len, entry)) for entry in entries)
    more = 1 if smooth else 0
    precisions = [
        (right + more) / (whole + more) if whole + more else 0.0
        for right, whole in zip(matches, totals, strict=True)
    ]
    ratio = length / shortest if length and shortest else 0.0
    penalty = 0.0 if not ratio else 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    logs = [math.log(p) / max_order for p in precisions] if min(precisions) > 0 else []
    return {
        "bleu": math.exp(sum(logs)) * penalty if logs else 0.0,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": length,
        "reference_length": shortest,
    }


def _tokens(tokenizer: Callable[[str], Any] | None) -> Callable[[str], list[str]]:
    """A text as a list of tokens, none of which has white space in it."""
    split = Tokenizer13a() if tokenizer is None else tokenizer

    def tokens(text: str) -> list[str]:
        found = split(text)
        words = found.split() if isinstance(found, str) else [str(word) for word in found]
        return ["\u2581".join(word.split()) if word.split() != [word] else word for word in words]

    return tokens


def _chrf(
    predictions: Texts,
    references: References,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: int = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> dict[str, Any]:
    metric = CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    found = metric.corpus_score(predictions, _streams(references))
    return {name: getattr(found, name) for name in ("score", "char_order", "word_order", "beta")}


def _ter(
    predictions: Texts,
    references: References,
    *,
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
) -> dict[str, Any]:
    metric = TER(normalized, ignore_punct, support_zh_ja_chars, case_sensitive)
    found = metric.corpus_score(predictions, _streams(references))
    return {name: getattr(found, name) for name in ("score", "num_edits", "ref_length")}


def _rate(metric: ErrorRate) -> Compute:
    """Edits for each unit of the reference, as a share."""

    def compute(
        predictions: Texts, references: References, *, concatenate_texts: bool = False
    ) -> float:
        (stream,) = _only_one(references)
        texts = [" ".join(predictions)] if concatenate_texts else predictions
        against = [" ".join(stream)] if concatenate_texts else stream
        *edits, length = metric.statistics(texts, against).sum(axis=0).tolist()
        if not length:
            raise DataError(f"{metric.name}: the references are empty; expected some text")
        return float(sum(edits) / length)

    return compute


def _only_one(references: References) -> list[list[str]]:
    streams = _streams(references)
    if len(streams) != 1:
        raise DataError(f"there are {len(streams)} references for each; expected one")
    return streams


def _any_metric(name: str) -> Compute:
    """A metric by its own name and options, with its signature."""
    metric = metrics.metric(name)

    def compute(predictions: Texts, references: References) -> dict[str, Any]:
        score = metric.corpus(predictions, [tuple(entry) for entry in references])
        return {"score": score, "signature": metric.signature}

    return compute


_METRICS: dict[str, Compute] = {
    "bleu": _bleu,
    "sacrebleu": _sacrebleu,
    "chrf": _chrf,
    "ter": _ter,
    "wer": _rate(Wer()),
    "cer": _rate(Cer()),
}
