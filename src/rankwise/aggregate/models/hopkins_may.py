"""Hopkins and May's model: qualities of translations scatter around a mean of their system."""

from dataclasses import dataclass
from math import hypot, isfinite
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.aggregate.models.outcomes import Outcomes, check_languages, check_systems
from rankwise.aggregate.models.preference_model import Model
from rankwise.aggregate.run_batch import Batch
from rankwise.errors import DataError
from rankwise.types import Judgments
from rankwise.types.named import check_choice
from rankwise.types.ratings import Ratings
from rankwise.types.seeds import generator_state

Floats = NDArray[np.float64]
Columns = tuple[NDArray[np.int64], NDArray[np.int32], Floats, NDArray[np.int64]]


@dataclass(frozen=True)
class HopkinsMay(Model):
    r"""Mean qualities of systems from a sampler that makes qualities respect the judgments.

    In every iteration each comparison draws two qualities :math:`q \sim N(\mu, \sigma_a^2)` from
    the means of its systems. Where their difference contradicts the judgment, both move by the
    same amount until it does not: to *d* if the first was judged better, into
    :math:`[-d, d]` for a *tie*. The new :math:`\mu` of a system is the mean of its qualities;
    means are centred, because only differences are known. The score is the average over the
    iterations after ``burn_in``, the deviation is their scatter. ``sigma_obs`` adds observation
    noise to every quality: the model has it, the paper's sampler leaves it out. Sums over more than
    64 comparisons with one outcome are drawn at once, from a normal distribution with their mean
    and variance.

    ``compat="wmt-trueskill"`` is the published code: each iteration takes one ranking of every
    segment, ``sigma_obs`` is 1, burn-in has no effect and the last sample is the score, with
    :math:`\sigma_a` for a deviation; rankings that leave out a system are dropped whole.
    Hopkins and May (2013), ACL; Sakaguchi, Post and Van Durme (2014), WMT, section 2.2.

    >>> from rankwise.types import Ranking
    >>> screens = [Ranking(str(i), "ann", ("A", "B"), (1, i % 4)) for i in range(800)]
    >>> HopkinsMay().ratings(Judgments.from_rankings(screens)).means.round(1)
    array([ 0.1, -0.1])
    """

    name: ClassVar[str] = "hopkins-may"
    sigma_a: float = 0.5
    sigma_obs: float | None = None
    d: float = 0.5
    iterations: int = 200
    burn_in: int = 50
    compat: Literal["wmt-trueskill"] | None = None

    def __post_init__(self) -> None:
        check_choice("hopkins-may", "compat", self.compat, [None, "wmt-trueskill"])
        for option, smallest in (("sigma_a", 0.0), ("sigma_obs", 0.0), ("d", 0.0), ("burn_in", 0)):
            value = getattr(self, option)
            if value is not None and not (isfinite(value) and value >= smallest):
                raise DataError(f"hopkins-may: {option} is {value!r}; expected a number from 0")
        if self.iterations < self.burn_in + 2:
            raise DataError(
                f"hopkins-may: {self.iterations} iterations with a burn-in of {self.burn_in}; "
                "expected at least two more"
            )

    def ratings(self, judgments: Judgments, *, seed: int = 1) -> Ratings:
        """The sampler on all judgments."""
        systems, means, variances = self._sampled(judgments, Batch(1, seed, unit=None))
        return Ratings(systems, means[0], np.sqrt(variances[0]))

    def run(self, judgments: Judgments, batch: Batch) -> Floats:
        """Scores on judgments drawn with replacement; nan where a run does not have a system."""
        return self._sampled(judgments, batch)[1]

    def _sampled(
        self, judgments: Judgments, batch: Batch
    ) -> tuple[tuple[str, ...], Floats, Floats]:
        if self.compat is None:
            return self._from_counts(judgments, batch)
        return self._from_segments(judgments, batch)

    def _from_counts(
        self, judgments: Judgments, batch: Batch
    ) -> tuple[tuple[str, ...], Floats, Floats]:
        outcomes = Outcomes.of(judgments)
        parts = [
            _core.hopkins_may(
                *outcomes.kinds,
                counts,
                len(outcomes.systems),
                deviation=hypot(self.sigma_a, self.sigma_obs or 0.0),
                radius=self.d,
                iterations=self.iterations,
                burn_in=self.burn_in,
                state=generator_state(batch.seed),
                first_run=numbers.start,
                runs=len(numbers),
            )
            for numbers, counts in outcomes.drawn(batch)
        ]
        means, variances = zip(*parts, strict=True)
        return outcomes.systems, np.concatenate(means), np.concatenate(variances)

    def _from_segments(
        self, judgments: Judgments, batch: Batch
    ) -> tuple[tuple[str, ...], Floats, Floats]:
        systems, columns = _by_segment(judgments, single_pairs=batch.unit == "pair")
        noise = 1.0 if self.sigma_obs is None else self.sigma_obs
        parts = [
            _core.hopkins_may_segments(
                *columns,
                len(systems),
                deviation=hypot(self.sigma_a, noise),
                radius=self.d,
                iterations=self.iterations,
                resample=batch.unit is not None,
                state=generator_state(batch.seed),
                first_run=numbers.start,
                runs=len(numbers),
            )
            for numbers in batch.pieces()
        ]
        means = np.concatenate(parts)
        return systems, means, np.full(means.shape, self.sigma_a**2)


def _by_segment(judgments: Judgments, *, single_pairs: bool) -> tuple[tuple[str, ...], Columns]:
    """Systems by name, and complete rankings (or their pairs) by segment."""
    check_languages(judgments)
    incomplete = np.add.reduceat(np.isnan(judgments.rank), judgments.starts[:-1]) > 0
    chosen = judgments.select((judgments.sizes >= 2) & ~incomplete)
    if len(chosen) == 0:
        raise DataError("the judgments hold no ranking without a gap")
    chosen = chosen.select(np.argsort(chosen.segment, kind="stable"))
    starts, players, ranks, segment = chosen.starts, chosen.system, chosen.rank, chosen.segment
    if single_pairs:
        pairs = chosen.pairs()
        segment = segment[pairs.ranking]
        starts = np.arange(0, 2 * len(pairs) + 1, 2, dtype=np.int64)
        players = np.stack([pairs.left, pairs.right], axis=1).ravel()
        ranks = np.stack([-pairs.sign, np.zeros_like(pairs.sign)], axis=1).ravel().astype(float)
    used = sorted(np.unique(players).tolist(), key=lambda code: chosen.systems[code])
    check_systems(len(used))
    numbers = np.zeros(len(chosen.systems), np.int32)
    numbers[used] = np.arange(len(used))
    segments = np.append(np.flatnonzero(np.diff(segment, prepend=-1)), len(segment))
    names = tuple(chosen.systems[code] for code in used)
    return names, (starts, numbers[players], ranks, segments.astype(np.int64))
