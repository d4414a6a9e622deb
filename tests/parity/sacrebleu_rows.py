"""Statistics and scores of sacreBLEU's own metrics, in the form that resampling takes."""

import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER

METRICS = {
    "BLEU": lambda: BLEU(),
    "CHRF": lambda: CHRF(),
    "CHRF++": lambda: CHRF(word_order=2),
    "TER": lambda: TER(),
}


class Scores:
    """sacreBLEU's score of a row, applied to stacks of rows one by one."""

    def __init__(self, metric):
        self.metric = metric
        self.higher_is_better = not isinstance(metric, TER)

    def score(self, rows):
        flat = np.asarray(rows).reshape(-1, np.shape(rows)[-1])
        scores = [self.metric._compute_score_from_stats(row).score for row in flat.tolist()]
        return np.array(scores).reshape(np.shape(rows)[:-1])

    def rows(self, hypotheses, references):
        return np.array(self.metric._extract_corpus_statistics(hypotheses, [references]))
