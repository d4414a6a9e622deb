"""The metrics and their scores."""

from typing import Any

from rankwise.compat.sacrebleu.metrics.base import Metric
from rankwise.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from rankwise.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from rankwise.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS: dict[str, type[Metric[Any]]] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]
