"""Paired tests of systems against the first one, with the p-values of sacreBLEU.

All systems are resampled in step by the native core, so ``n_jobs`` is accepted and has no effect.
Scores of resamples are rounded to single precision where sacreBLEU 2.6 rounds them, so that means,
intervals and p-values have its digits. ``SACREBLEU_SEED=0`` is a seed like any other here, not the
absence of one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.compat.sacrebleu.environment_seed import seed_name, seed_number
from rankwise.compat.sacrebleu.log import sacrelogger
from rankwise.compat.sacrebleu.metrics.base import Metric, Signature, Sums
from rankwise.compat.sacrebleu.metrics.streams import Streams
from rankwise.errors import DataError
from rankwise.metrics.metric_class import Rows
from rankwise.significance.statistics import Statistics
from rankwise.types.named import check_choice
from rankwise.types.seeds import generator_state

Scores = NDArray[Any]
#: What is logged of each test, in sacreBLEU's words.
_STEPS = {
    "ar": " > Performing approximate randomization test (# trials: %s)",
    "bs": " > Performing paired bootstrap resampling test (# resamples: %s)",
}
#: Coins that are held at once where ties hang on how sums are rounded: some 400 MB.
_MOST_COINS = 50_000_000
_BLOCK = 2048  # resamples at a time: a multiple of 64, at which the stream of coins can be cut


class Result:
    """The score of a system; its p-value, unless it is the baseline; mean and half-width."""

    def __init__(
        self,
        score: float,
        p_value: float | None = None,
        mean: float | None = None,
        ci: float | None = None,
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        """``score=..,p_value=..,mean=..,ci=..``."""
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


def estimate_ci(scores: Scores) -> tuple[float, float]:
    """The mean of resampled scores, and half the length of their central 95 per cent.

    >>> estimate_ci(np.array([3.0, 1.0, 2.0]))
    (2.0, 1.0)
    """
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    return float(ordered.mean()), float(0.5 * (ordered[-1 - cut] - ordered[cut]))


class PairedTest:
    """Tests every system against the first, the baseline, under each metric.

    ``test_type`` is ``"ar"``, approximate randomisation (Riezler and Maxwell, 2005), or ``"bs"``,
    the paired bootstrap (Koehn, 2004); ``n_samples`` of 0 means 10,000 or 1,000. With ``"ar"``
    there are means and intervals only if ``n_ar_confidence`` is not negative: so many resamples, 0
    for 1,000. Calling the test gives the signatures by metric, and by column the systems' names
    and their :class:`Result`.

    >>> from rankwise.compat.sacrebleu.metrics import CHRF
    >>> systems = [("one", ["a b", "c d", "e"]), ("two", ["a b", "c e", "e f"])]
    >>> test = PairedTest(systems, {"chrF": CHRF()}, [["a b", "c d", "e"]], "bs", n_samples=99)
    >>> signatures, results = test()
    >>> results["System"], [result.p_value for result in results["chrF2"]]
    (['one', 'two'], [None, 0.12])
    >>> signatures["chrF2"]  # doctest: +ELLIPSIS
    nrefs:1|bs:99|seed:12345|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0+rankwise...
    """

    _DEFAULT_SAMPLES: ClassVar[dict[str, int]] = {"ar": 10_000, "bs": 1000}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: Streams | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        check_choice("PairedTest", "test_type", test_type, self._DEFAULT_SAMPLES)
        if not named_systems:
            raise DataError("PairedTest: no system; expected the baseline and others")
        self.named_systems = named_systems
        self.references = references
        self.test_type = test_type
        self.n_systems = len(named_systems) - 1
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence or self._DEFAULT_SAMPLES["bs"]
        self.n_jobs = n_jobs
        self._seed_name, self._seed = seed_name(), seed_number()
        # Named as their scores are: chrF2++ rather than what the caller chose.
        self.metrics: dict[str, Metric[Any]] = {}
        self._baselines: dict[str, tuple[Rows, float]] = {}
        self._signatures: dict[str, Signature] = {}
        for name, metric in metrics.items():
            self._add(name, metric)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """The signatures, and the columns of names and results."""
        rows = {name: [found] for name, (found, _) in self._baselines.items()}
        scores = {name: [score] for name, (_, score) in self._baselines.items()}
        for system, lines in self.named_systems[1:]:
            for name, metric in self.metrics.items():
                sacrelogger.info(
                    "Computing %s for %r and extracting sufficient statistics", name, system
                )
                rows[name].append(metric._extract_corpus_statistics(lines, self.references))
                scores[name].append(metric._aggregate_and_compute(rows[name][-1]).score)
                sacrelogger.info(_STEPS[self.test_type], self.n_samples)
        columns: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        test = self._bootstrap if self.test_type == "bs" else self._randomise
        for name, metric in self.metrics.items():
            results = [Result(value) for value in scores[name]]
            columns[name] = test(results, _Resamples(rows[name], metric, self._seed))
        return self._signatures, columns

    def _add(self, given: str, metric: Metric[Any]) -> None:
        name, lines = self.named_systems[0]
        sacrelogger.info("Pre-computing %s statistics for %r", given, name)
        rows = metric._extract_corpus_statistics(lines, self.references)
        score = metric._aggregate_and_compute(rows)
        signature = metric.get_signature()
        signature.update("seed", self._seed_name)
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        self.metrics[score.name] = metric
        self._baselines[score.name] = rows, score.score
        self._signatures[score.name] = signature

    def _bootstrap(self, results: list[Result], resamples: "_Resamples") -> list[Result]:
        drawn = resamples.bootstrap(self.n_samples)
        _set_intervals(results, drawn)
        for result, scores in zip(results[1:], drawn[1:], strict=True):
            differences = np.abs(scores - drawn[0])
            observed = abs(results[0].score - result.score)
            result.p_value = _p_value(differences - differences.mean(), observed)
        return results

    def _randomise(self, results: list[Result], resamples: "_Resamples") -> list[Result]:
        shuffled = resamples.shuffle(self.n_samples)
        observed = resamples.observed([result.score for result in results])
        for number, differences in enumerate(shuffled):
            results[number + 1].p_value = _p_value(differences, observed[number])
        if self.n_ar_confidence > 0:
            # As in sacreBLEU, the baseline is drawn from a fresh stream, the others after coins.
            fresh = _Resamples(resamples.rows[:1], resamples.metric, self._seed)
            _set_intervals(results[:1], fresh.bootstrap(self.n_ar_confidence))
            _set_intervals(results[1:], resamples.bootstrap(self.n_ar_confidence)[1:])
        return results


def bootstrap_scores(metric: Metric[Any], rows: Rows, samples: int, seed: int) -> Scores:
    """Scores of one system on *samples* resamples of its rows."""
    return _Resamples([rows], metric, seed).bootstrap(samples)[0]


class _Resamples:
    """Scores of systems on resamples, drawn one after the other from one random stream."""

    def __init__(self, rows: Sequence[Rows], metric: Metric[Any], seed: int) -> None:
        self.rows, self.metric, self._seed = rows, metric, seed
        self._shuffles = 0
        self._scorer = metric.scorer()
        self._statistics = Statistics.of({str(i): array for i, array in enumerate(rows)})
        self._resampler = _core.Resampler(self._statistics.flat, generator_state(seed))
        self._totals = self._statistics.integers.sum(axis=0)

    def bootstrap(self, samples: int) -> list[Scores]:
        """Scores of every system on items drawn with replacement, rounded as in sacreBLEU."""
        if samples < 1:
            raise DataError(f"{samples} resamples; expected at least 1")
        if self._are_halves():
            sums = [self._resampler.bootstrap(size) for size in _sizes(samples)]
            scaled = self._statistics.rescaled(self._statistics.shaped(np.concatenate(sums)))
            singles = [scaled[:, place].astype(np.float32) for place in range(len(self.rows))]
        else:
            singles = self._rounded_sums(samples)
        return [self.metric.resampled_scores(found) for found in singles]

    def _are_halves(self) -> bool:
        """Whether single precision holds sums as they are, which it does up to 2**23."""
        return all(np.array_equal(2 * rows, np.rint(2 * rows)) for rows in self.rows)

    def _rounded_sums(self, samples: int) -> list[Sums]:
        """Sums that are rounded after every item, in the order of the draws."""
        count = len(self.rows[0])
        generator = np.random.default_rng(self._seed)
        if self._shuffles:  # at once, because a call throws the rest of its last coins away
            generator.integers(2, size=(self._shuffles, count), dtype=bool)
        singles = [rows.astype(np.float32) for rows in self.rows]
        sums = [np.empty((samples, rows.shape[1]), np.float32) for rows in singles]
        for sample in range(samples):
            drawn = generator.choice(count, size=count)
            for place, rows in enumerate(singles):
                sums[place][sample] = rows[drawn].sum(0)
        return sums

    def shuffle(self, samples: int) -> Sequence[Scores]:
        """Differences from the baseline, of each other system, after exchanging items by a coin."""
        self._shuffles = samples
        if self._hangs_on_order():
            return self._rounded_differences(samples)
        blocks = [self._shuffled(self._resampler.coins(size)) for size in _sizes(samples)]
        return [*np.concatenate(blocks).T]

    def observed(self, scores: Sequence[float]) -> Sequence[float]:
        """Differences from the baseline on the items as they are, computed as those of shuffles."""
        if self._hangs_on_order():
            return [abs(scores[0] - score) for score in scores[1:]]
        found = self._scores(self._totals)
        return [*np.abs(found[1:] - found[0])]

    def _hangs_on_order(self) -> bool:
        """Whether sums of a shuffle are rounded, which decides about ties; not of huge corpora."""
        return not self._are_halves() and self._shuffles * len(self.rows[0]) <= _MOST_COINS

    def _rounded_differences(self, samples: int) -> list[Scores]:
        """Differences of sums that are rounded as a product of matrices rounds them."""
        generator = np.random.default_rng(self._seed)
        coins = generator.integers(2, size=(samples, len(self.rows[0])), dtype=bool)
        first = np.asarray(self.rows[0], np.float64)
        found = []
        for rows in self.rows[1:]:
            other = np.asarray(rows, np.float64)
            left, right = coins @ first + ~coins @ other, ~coins @ first + coins @ other
            found.append(np.abs(self._exact_scores(left) - self._exact_scores(right)))
        return found

    def _exact_scores(self, sums: Rows) -> Scores:
        return np.array([self.metric._compute_score_from_stats(row).score for row in sums])

    def _shuffled(self, picked: NDArray[np.int64]) -> Scores:
        sums = self._statistics.shaped(picked)
        moved = sums[:, 1:] - sums[:, :1]
        left, right = self._totals[0] + moved, self._totals[1:] - moved
        return np.asarray(np.abs(self._scores(left) - self._scores(right)))

    def _scores(self, sums: NDArray[np.int64]) -> Scores:
        return np.asarray(self._scorer.score(self._statistics.rescaled(sums)), np.float64)


def _sizes(samples: int) -> Iterator[int]:
    for first in range(0, samples, _BLOCK):
        yield min(_BLOCK, samples - first)


def _set_intervals(results: Sequence[Result], drawn: Sequence[Scores]) -> None:
    for result, scores in zip(results, drawn, strict=True):
        result.mean, result.ci = estimate_ci(scores)


def _p_value(differences: Scores, observed: float) -> float:
    """The share of differences above the one observed, which counts as one of them.

    Two equal systems get the smallest p-value there is, as in sacreBLEU;
    :func:`rankwise.significance.paired_bootstrap` gives them 1.
    """
    return (1 + int((differences > observed).sum())) / (1 + len(differences))
