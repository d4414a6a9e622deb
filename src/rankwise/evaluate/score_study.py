"""The systems of a study by metrics, with all that tells luck from merit."""

from collections.abc import Sequence

from rankwise.errors import DataError
from rankwise.evaluate.scoreboard import Resampling, Scoreboard, scoreboard
from rankwise.evaluate.scored_study import scored_study
from rankwise.metrics import Metric, metrics_of
from rankwise.text.languages import target_language_of
from rankwise.types import Study, TestSet
from rankwise.types.defaults import USUAL_METRICS
from rankwise.types.testset import as_usual


def score(
    study: Study | TestSet,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    is_corrected: bool = False,
    resampling: Resampling | None = None,
) -> Scoreboard:
    """Every system of the study by every metric, best first, with intervals, ranks and clusters.

    *metrics* are computed from the texts, BLEU, chrF and TER unless named; scores that the study
    has from other tools stand beside them. Without texts there are those alone. What the name of a
    metric leaves open follows the target language of the texts, given or told by their script.

    With a *baseline* every system is tested against it, with *all_pairs* every two; *is_corrected*
    corrects p-values as Holm (1979). *resampling* says how often and what is drawn. It is what
    ``rankwise score`` prints. A test set whose references stand among its systems is scored by the
    standard one of them, as ``read_study`` chooses it.

    >>> study = Study.from_texts({"A": ["a cat", "dogs bark"], "B": ["cat", "dog"]},
    ...                          ["a cat", "dogs bark"])
    >>> board = score(study, "chrf", resampling=Resampling(samples=100))
    >>> board.systems
    ('A', 'B')
    """
    known = Study(texts=as_usual(study)) if isinstance(study, TestSet) else study
    usual = USUAL_METRICS if known.texts is not None else ()
    language = None if known.texts is None else target_language_of(known.texts)
    chosen = metrics_of(usual if metrics is None else metrics, language)
    scored, _ = scored_study(known, chosen)
    if scored is None:
        raise DataError("there is nothing to score; expected texts, or scores of other tools")
    return scoreboard(
        scored,
        resampling or Resampling(),
        baseline=baseline,
        all_pairs=all_pairs,
        is_corrected=is_corrected,
    )
