"""How well models of preference foretell held-out judgments, by how many they have seen.

train, development = part(without(judgments, test), 200, seed=1, judges="researcher_*")
curve = learning_curve(CurveLearner("EW", ExpectedWins(), deviation=0.03), train, development, test)
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, cast, get_args

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate import BradleyTerry, Model
from rankwise.aggregate.models.outcomes import count_outcomes
from rankwise.aggregate.prediction import (
    RADII,
    Band,
    mean_surprise,
    outcome_chances,
    outcome_counts,
    outcome_variances,
    share_foretold,
)
from rankwise.aggregate.run_batch import Batch
from rankwise.errors import DataError
from rankwise.evaluate.work_done import Done, Work
from rankwise.types import Comparisons, Judgments, Ranking, Ratings
from rankwise.types.named import check_choice
from rankwise.types.shown import Shown

Floats = NDArray[np.float64]
Draw = Literal["pairs", "rankings", "model"]
Forecast = tuple[tuple[str, ...], list[Floats]]  # systems, and chances (S, S, 3) by radius
#: The numbers of pairwise judgments of Sakaguchi et al. (2014), tables 2 to 4.
SIZES = (400, 800, 1600, 3200, 6400)
_FIXED_COST = 5000  # pairs that are learned from while held-out ones are foretold


class Chooser(Protocol):
    """A model that chooses its comparisons itself, and differently in every run."""

    def rated(self, judgments: Judgments, batch: Batch) -> tuple[tuple[str, ...], Floats, Floats]:
        """Systems, means and variances (runs, S)."""


@dataclass(frozen=True)
class CurveLearner:
    """A model, how its training judgments are drawn, and how its ratings foretell outcomes.

    *model* is one, or a function from the number of pairwise judgments to one. *draw*: so many
    ``pairs`` with replacement; or whole ``rankings`` without, as many as hold that many pairs; or
    the ``model`` chooses for itself from all. *deviation* replaces those of the ratings, and must
    where they state none; *noise* is the deviation of one performance around a rating.
    ``own_chances``, for Bradley-Terry only, foretells by the fitted model of ties, which needs no
    decision radius, instead of by normal ratings.
    """

    name: str
    model: Model | Callable[[int], Model]
    draw: Draw = "pairs"
    deviation: float | None = None
    noise: float = 0.0
    own_chances: bool = False

    def __post_init__(self) -> None:
        check_choice("learner", "draw", self.draw, get_args(Draw))

    def model_of(self, size: int) -> Model:
        """The model for *size* pairwise judgments."""
        return self.model if isinstance(self.model, Model) else self.model(size)


@dataclass(frozen=True, slots=True, eq=False)
class PredictionCurve(Shown):
    """Accuracy and perplexity on the test part after each of ``sizes`` pairwise judgments.

    Means over runs, with standard errors; each at the decision radius that was best, on average
    over the runs, on the development part.
    """

    name: str
    sizes: tuple[int, ...]
    accuracy: Floats
    accuracy_error: Floats
    accuracy_radius: Floats
    perplexity: Floats
    perplexity_error: Floats
    perplexity_radius: Floats

    def __repr__(self) -> str:
        """The model and its first and last accuracy, in one line."""
        ends = [f"{self.accuracy[end]:.4f} after {self.sizes[end]:,}" for end in (0, -1)]
        return f"<PredictionCurve: {self.name}, accuracy {' to '.join(ends)} pairs>"


def learning_curve(
    learner: CurveLearner,
    train: Judgments,
    development: Judgments,
    test: Judgments,
    *,
    sizes: Sequence[int] = SIZES,
    runs: int = 100,
    seed: int = 1,
    radii: Sequence[float] = RADII,
    band: Band = "symmetric",
    progress: Done | None = None,
) -> PredictionCurve:
    """Train on *sizes* of *train* many times over, and foretell *test*.

    The parts must not overlap: see :func:`without` and :func:`part`. Sakaguchi et al. (2014), WMT.
    *progress* is called after each run with its share of the work, in percent.
    """
    if runs < 1 or not sizes:
        raise DataError(f"{runs} runs over {len(sizes)} sizes; expected at least one of each")
    held_out = development.pairs(), test.pairs()
    work = Work(dict(enumerate(_FIXED_COST + size for size in sizes)), progress)
    points = []
    for number, size in enumerate(sizes):
        done, judged = work.of(number), []
        for forecast in _forecasts(learner, train, size, radii, band, runs=runs, seed=seed):
            judged.append([_judged(forecast, pairs) for pairs in held_out])
            if done is not None:
                done(1 / runs)
        points.append(_point(np.array(judged), radii))
    columns = np.array(points).T
    return PredictionCurve(learner.name, tuple(sizes), *columns)


def without(judgments: Judgments, held_out: Judgments) -> Judgments:
    """The rankings that are not also in *held_out*: same segment, judge, systems and ranks."""
    known = {_key(ranking) for ranking in held_out}
    keep = [_key(ranking) not in known for ranking in judgments]
    return judgments.select(np.array(keep, np.bool_))


def part(
    judgments: Judgments, size: int, *, seed: int, judges: str | None = None
) -> tuple[Judgments, Judgments]:
    """The rest, and *size* random rankings, all by judges whose names match if *judges* is given.

    Equal rankings stay together, so that no one of the part is also in the rest.
    """
    pool = judgments if judges is None else judgments.where(judges=judges)
    if not 0 < size <= len(pool):
        raise DataError(f"{size} rankings are asked for; {len(pool)} are there")
    chosen = np.random.default_rng(seed).choice(len(pool), size, replace=False)
    taken = pool.select(np.sort(chosen))
    return without(judgments, taken), taken


def _key(ranking: Ranking) -> Hashable:
    return ranking.segment, ranking.judge, ranking.systems, ranking.ranks


def pairwise(judgments: Judgments) -> Judgments:
    """Every pair of ranked systems as a ranking of its own, on a screen of its own."""
    pairs = judgments.pairs()
    count = len(pairs)
    ranks = np.stack([np.zeros(count), pairs.sign.astype(np.float64)], axis=1)
    return Judgments(
        judgments.systems,
        judgments.segments,
        judgments.judges,
        judgments.languages,
        starts=np.arange(0, 2 * count + 1, 2),
        system=np.stack([pairs.left, pairs.right], axis=1).ravel(),
        rank=ranks.ravel(),
        output=np.tile(np.arange(2, dtype=np.int16), count),
        segment=judgments.segment[pairs.ranking],
        judge=judgments.judge[pairs.ranking],
        language=judgments.language[pairs.ranking],
        screen=np.arange(count),
    )


def forecast(
    learner: CurveLearner,
    model: Model,
    judgments: Judgments,
    radii: Sequence[float],
    band: Band,
    *,
    seed: int,
) -> Forecast:
    """What *model*, fitted to *judgments*, expects at every radius, and of which systems."""
    if not learner.own_chances:
        return _expected(learner, model.ratings(judgments, seed=seed), radii, band)
    if not isinstance(model, BradleyTerry):
        raise DataError(f"{model.name} has no chances of its own; bradley-terry has")
    systems, wins, ties = count_outcomes(judgments)
    return systems, [model.probabilities(wins, ties)] * len(radii)


def _expected(
    learner: CurveLearner, ratings: Ratings, radii: Sequence[float], band: Band
) -> Forecast:
    variances = outcome_variances(ratings, deviation=learner.deviation, noise=learner.noise)
    return ratings.systems, [
        outcome_chances(ratings.means, variances, radius=radius, band=band) for radius in radii
    ]


def _forecasts(
    learner: CurveLearner,
    train: Judgments,
    size: int,
    radii: Sequence[float],
    band: Band,
    *,
    runs: int,
    seed: int,
) -> Iterator[Forecast]:
    """What each run expects."""
    model = learner.model_of(size)
    if learner.draw != "model":
        for run, sample in enumerate(_samples(learner, train, size, runs=runs, seed=seed)):
            yield forecast(learner, model, sample, radii, band, seed=seed + run)
        return
    chooser = cast(Chooser, model)
    systems, means, variances = chooser.rated(train, Batch(runs, seed, unit=None))
    for mean, deviation in zip(means, np.sqrt(variances), strict=True):
        yield _expected(learner, Ratings(systems, mean, deviation), radii, band)


def _samples(
    learner: CurveLearner, train: Judgments, size: int, *, runs: int, seed: int
) -> Iterator[Judgments]:
    """The judgments that each run learns from; the same for all learners that draw alike."""
    random = np.random.default_rng((seed, size))
    pool = pairwise(train) if learner.draw == "pairs" else train
    count = round(size * len(pool) / max(1, pool.pair_count))
    if learner.draw == "rankings" and count > len(pool):
        raise DataError(f"{count} rankings are needed for {size} pairs; {len(pool)} are there")
    for _ in range(runs):
        yield pool.select(random.choice(len(pool), count, replace=learner.draw == "pairs"))


def _judged(forecast: Forecast, held_out: Comparisons) -> list[tuple[float, float]]:
    """Accuracy and log2 perplexity at every radius."""
    systems, chances = forecast
    counts = outcome_counts(held_out, systems)
    return [
        (float(share_foretold(one, counts)), float(mean_surprise(one, counts))) for one in chances
    ]


def _point(judged: Floats, radii: Sequence[float]) -> list[float]:
    """Mean, error and radius of accuracy, then of perplexity; *judged* is by run, part, radius."""
    development, test = judged[:, 0], judged[:, 1]
    best = int(development[..., 0].mean(axis=0).argmax())
    accuracy = test[:, best, 0]
    least = int(development[..., 1].mean(axis=0).argmin())
    perplexity = 2 ** test[:, least, 1]
    return [*_mean_and_error(accuracy), radii[best], *_mean_and_error(perplexity), radii[least]]


def _mean_and_error(values: Floats) -> tuple[float, float]:
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean()), float(error)
