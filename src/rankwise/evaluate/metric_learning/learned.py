"""Learning a metric from human judgments, and what came of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwise.engine import Site
from rankwise.errors import DataError
from rankwise.evaluate.metric_learning.computed_features import KeptFeatures
from rankwise.evaluate.metric_learning.held_out import (
    LEARNED,
    HeldOutAccuracy,
    held_out_accuracies,
)
from rankwise.evaluate.metric_learning.learning_data import (
    Human,
    LearningData,
    PairRules,
    Repeated,
    Tables,
    Track,
    learning_data,
)
from rankwise.evaluate.work_done import Done, Work
from rankwise.learning.examples import Examples, track_accuracy
from rankwise.learning.features import Features, ToolScores
from rankwise.learning.features.context import missing_scores
from rankwise.learning.learned_model import LearnedModel
from rankwise.learning.learners import Learner
from rankwise.learning.learners import learner as named_learner
from rankwise.learning.scorers import Scorer
from rankwise.learning.text_scorer import TextScorer
from rankwise.learning.tuning import GRIDS, TuningTrial, tuned
from rankwise.metrics import language_notes
from rankwise.metrics.features import feature_notes, sets_of, side_by_side
from rankwise.metrics.features import features as named_features
from rankwise.metrics.outside.batching import Batching
from rankwise.text.languages import OTHER, Language, target_language_of
from rankwise.types import TestSet
from rankwise.types.defaults import USUAL_METRICS
from rankwise.types.seeds import check_seed
from rankwise.types.shown import Shown
from rankwise.types.text_block import check_left_out

FOLDS = 5
#: The shares of the training segments that a learning curve has by default.
SHARES = (0.01, 0.03, 0.1, 0.3, 1.0)
#: Of test sets in several languages: the rules of none.
SEVERAL = Language(script=OTHER)


class CurvePoint(NamedTuple):
    """Learned from a share of the segments, with so many preferences: accuracy on the rest."""

    share: float
    preferences: int
    accuracy: float


@dataclass(frozen=True, slots=True, eq=False)
class Learned(Shown):
    """A learned model, how it was chosen, and what it was learned from.

    ``trials`` are all settings that were tried on the development tracks, none without them.
    ``compared`` are the accuracies of the metric and of the usual ones on what was held out,
    ``notes`` say what the language of the texts decided.
    """

    model: LearnedModel
    features: Features
    learner: Learner
    trials: tuple[TuningTrial, ...]
    train: Examples
    development: Examples | None
    seed: int
    compared: tuple[HeldOutAccuracy, ...] = ()
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """What was learned from what, in one line."""
        pairs = len(self.train.better)
        return f"<Learned: {len(self.features.names)} features, {self.learner}, {pairs} pairs>"

    def curve(
        self, shares: Sequence[float] = SHARES, *, progress: Done | None = None
    ) -> list[CurvePoint]:
        """Accuracy when learning from a random share of the segments only.

        Measured on the development tracks (mean over tracks), or without them on a fifth of the
        segments that is kept from learning. Shares that add no preference are left out. *progress*
        is called with what was done, in percent of all.
        """
        train, test = self.train, self.development
        if test is None:
            fold = _folds(train, self.seed)
            train, test = train.select(fold != 0), train.select(fold == 0)
        order = _ranks(train, self.seed)
        points: list[CurvePoint] = []
        wrong = next((share for share in shares if not 0 < share <= 1), None)
        if wrong is not None:
            raise DataError(f"a share of the training data is {wrong}; expected above 0, to 1")
        work = Work({share: share for share in shares}, progress)
        for share in shares:
            part = train.select(order < max(1, round(share * (order.max(initial=0) + 1))))
            if len(part.better) > (points[-1].preferences if points else 0):
                found = _mean_accuracy(test, self.learner.fit(part, seed=self.seed))
                points.append(CurvePoint(share, len(part.better), found))
            work.finish(share)
        return points


def learn(
    testset: TestSet | Sequence[TestSet],
    judgments: Human | Sequence[Human],
    *,
    features: str | Sequence[str] | None = None,
    scores: Tables | Sequence[Tables] = (),
    learner: str | Learner = "logistic",
    development: Sequence[Track | tuple[TestSet, Human]] = (),
    threshold: float | None = None,
    by_judge: bool = False,
    repeated: Repeated = "keep",
    exclude: Sequence[str] = (),
    scale: tuple[float, float] | None = (0.0, 100.0),
    seed: int = 1,
    cache: KeptFeatures | None = None,
    batching: Batching | None = None,
    site: Site | None = None,
    done: Callable[[int], None] | None = None,
) -> Learned:
    """A metric learned from what people said about outputs.

    *testset* and *judgments* are one each, or lists of as many: the tracks. Judgments are rankings,
    or scalar judgments, of which pairs of outputs of a segment that differ by more than *threshold*
    count. Unless given it follows the kind of the scores of each track: 5 for MQM, 25 for DA and
    ESA, 1 for standardised ones; *by_judge* standardises every judge's scores first.
    References that were judged as systems are left out, by their name or because all of at least 20
    outputs equal one, and so are systems that match *exclude*. *repeated* is that of
    :class:`~rankwise.evaluate.metric_learning.learning_data.PairRules`.

    *features* are feature sets and metrics by name, ``beer`` if nothing is given; what names leave
    open is that of the target language, if all tracks have one. *scores* are
    those that other tools gave the outputs, by name, each a feature; with several tracks, as many
    mappings. What reads the source gets it. Whoever scores with the model needs the same metrics,
    and scores of the same names.

    With *development*, further tracks of (test set, judgments), or of these and scores, the
    learner's main option is chosen by mean accuracy over them, unless *learner* gives it
    (``ranksvm:cost=0.1``), and the model keeps that accuracy as ``measured``. Without,
    it keeps that of a cross-validation in five parts by segment. ``compared`` has BLEU, chrF, TER
    and the metrics among the features on the same outputs, with intervals. Scalar judgments also
    calibrate scores: *scale* says what is worst and best, None leaves scores uncalibrated, as they
    are with rankings.

    *cache* is ``rw.FeatureCache(folder)``, where features are kept, a file for every track;
    *batching* says how metrics that score batches do so, and where their scores are kept. Features
    are computed on the threads of this process, or at a *site*: processes, or a cluster; that
    changes no number. ``rw.write_model(learned.model, "model.json")`` writes what was learned.
    *done* is called after the features of every track, with how many outputs it has, and at the
    end, with 0.

    >>> import rankwise as rw
    >>> data = rw.example()
    >>> found = learn(data.testset, data.judgments, features="beer:modules=exact")
    >>> round(found.model.measured["accuracy, 5 parts by segment"], 2)
    0.81
    """
    check_seed(seed)
    tracks = _tracks(testset, judgments, scores)
    apart = [Track(*track) for track in development]
    language = _language([*tracks, *apart])
    chosen = _features(features, tracks, apart, batching, language)
    notes = _about_language(features, [*tracks, *apart], language)
    rules = PairRules(threshold, repeated, tuple(exclude), by_judge)
    prepare = partial(
        learning_data, features=chosen, rules=rules, cache=cache, site=site, done=done
    )
    _must_match(exclude, [*tracks, *apart])
    data = prepare(tracks)
    held = prepare(apart) if apart else None
    held_examples = None if held is None else held.examples
    method, scorer, trials = _fitted(learner, data, held, seed)
    unseen, margins, masks = _held_out(data, held, method, scorer, seed)
    compared = held_out_accuracies(masks, unseen, margins, chosen, seed=seed)
    model = LearnedModel(
        chosen.signature,
        chosen.names,
        scorer,
        training=_training(data, held, method, rules, seed),
        measured=_measured(compared, by_track=held is not None),
    )
    model = _calibrated(model, chosen, data, scale)
    if done is not None:
        done(0)
    return Learned(
        model, chosen, method, trials, data.examples, held_examples, seed, compared, notes
    )


def _tracks(
    testset: TestSet | Sequence[TestSet],
    judgments: Human | Sequence[Human],
    scores: Tables | Sequence[Tables],
) -> list[Track]:
    testsets = [testset] if isinstance(testset, TestSet) else list(testset)
    people = list(judgments) if isinstance(judgments, Sequence) else [judgments]
    tables = [scores] if isinstance(scores, Mapping) else list(scores) or [{} for _ in testsets]
    if len(testsets) != len(people):
        raise DataError(
            f"{len(testsets)} test sets but {len(people)} sets of judgments; expected as many"
        )
    if len(testsets) != len(tables):
        raise DataError(
            f"{len(testsets)} test sets but scores of other tools for {len(tables)}; expected as "
            "many"
        )
    return [Track(*each) for each in zip(testsets, people, tables, strict=True)]


def _features(
    names: str | Sequence[str] | None,
    tracks: Sequence[Track],
    development: Sequence[Track],
    batching: Batching | None,
    language: Language,
) -> Features:
    """The features of these names, and a column for all scores of other tools that are given."""
    given = tracks[0].scores if tracks else {}
    for track in (*tracks, *development):
        odd = sorted({*given} ^ {*track.scores})
        if odd:
            raise DataError(
                f"the scores {odd[0]!r} are given for some test sets and not for others; expected "
                "scores of the same names for all"
            )
    wanted = names
    if wanted is None:
        wanted = [] if given else "beer"
    found = (
        list(sets_of(named_features(wanted, batching=batching, language=language)))
        if wanted
        else []
    )
    named = {each.called for each in found if isinstance(each, ToolScores)}
    lacking = next((str(name) for name in named if name not in given), None)
    if lacking is not None:
        raise DataError(missing_scores(lacking))
    found += [
        ToolScores(called=name, lower_is_better=table.counts_errors)
        for name, table in given.items()
        if name not in named
    ]
    return side_by_side(found) if found else named_features([])


def _language(tracks: Sequence[Track]) -> Language:
    """The target language of all tracks; an unknown one of no script where they have several."""
    found = [target_language_of(track.testset) for track in tracks]
    several = len({language.code or language.script for language in found}) > 1
    return SEVERAL if several or not found else found[0]


def _about_language(
    features: str | Sequence[str] | None, tracks: Sequence[Track], language: Language
) -> tuple[str, ...]:
    """What languages decided of features and of what they are compared with.

    A tokenizer that is not installed is an error here, before anything is computed.
    """
    given = [features] if isinstance(features, str) else features
    names = (() if tracks and tracks[0].scores else ("beer",)) if given is None else given
    several = "several target languages: features have the rules of none"
    notes = [several] if language is SEVERAL else feature_notes(names, language)
    for track in tracks:
        if any(track.testset.references):
            own = target_language_of(track.testset)
            notes += language_notes(USUAL_METRICS, own)
    return tuple(dict.fromkeys(notes))


def _must_match(patterns: Sequence[str], tracks: Sequence[Track]) -> None:
    """Raise an error for a name or pattern to leave out that no system of any track has."""
    systems = dict.fromkeys(system for track in tracks for system in track.testset.systems)
    check_left_out([p for p in patterns if not any(fnmatchcase(s, p) for s in systems)], systems)


def _fitted(
    learner: str | Learner, data: LearningData, held: LearningData | None, seed: int
) -> tuple[Learner, Scorer, tuple[TuningTrial, ...]]:
    method = named_learner(learner)
    if held is None:
        return method, method.fit(data.examples, seed=seed), ()
    option = GRIDS[method.name][0]
    is_given = isinstance(learner, str) and f":{option}=" in learner
    grid = [getattr(method, option)] if is_given else None
    best, trials = tuned(method, data.examples, held.examples, seed=seed, grid=grid)
    return best.learner, best.scorer, trials


def _held_out(
    data: LearningData, held: LearningData | None, method: Learner, scorer: Scorer, seed: int
) -> tuple[LearningData, NDArray[np.float64], dict[str, NDArray[np.bool_]]]:
    """Outputs that were not learned from, their margins, and the parts to measure on by name."""
    if held is not None:
        examples = held.examples
        tracks = np.unique(examples.track[examples.better]).tolist()
        masks = {examples.tracks[number]: examples.track == number for number in tracks}
        return held, scorer.margins(examples.rows), masks
    train = data.examples
    fold, margins = _folds(train, seed), np.zeros(len(train))
    if fold.max(initial=0) < 1:
        return data, margins, {}
    for number in range(int(fold.max()) + 1):
        part = method.fit(train.select(fold != number), seed=seed)
        margins[fold == number] = part.margins(train.rows[fold == number])
    everything = np.ones(len(train), np.bool_)
    return data, margins, {f"{fold.max() + 1} parts by segment": everything}


def _measured(compared: Sequence[HeldOutAccuracy], *, by_track: bool) -> dict[str, float]:
    """The accuracies of the learned metric, as its file keeps them."""
    word = "accuracy on" if by_track else "accuracy,"
    return {f"{word} {found.part}": found.accuracy for found in compared if found.metric == LEARNED}


def _mean_accuracy(test: Examples, scorer: Scorer) -> float:
    found = track_accuracy(test, scorer.margins(test.rows))
    return sum(found.values()) / len(found) if found else float("nan")


def _ranks(examples: Examples, seed: int) -> NDArray[np.int64]:
    """Every segment that has preferences in a random order, as a number at each of its rows.

    Segments without preferences come last.
    """
    _, group = np.unique(examples.group, return_inverse=True)
    useful = np.unique(group[examples.better])
    ranks = np.full(group.max(initial=-1) + 1, len(useful), np.int64)
    ranks[useful] = np.random.default_rng(seed).permutation(len(useful))
    return ranks[group]


def _folds(examples: Examples, seed: int) -> NDArray[np.int64]:
    """The part of each row, from 0; a segment is in one part."""
    useful = len(np.unique(examples.group[examples.better]))
    return np.asarray(_ranks(examples, seed) % max(1, min(FOLDS, useful)), np.int64)


def _calibrated(
    model: LearnedModel,
    features: Features,
    data: LearningData,
    scale: tuple[float, float] | None,
) -> LearnedModel:
    """The model with a slope that fits scalar judgments, and an anchor if it needs one.

    Without a *scale* or judgments on it, the slope is as it was.
    """
    human = np.full(len(data.assessed), np.nan)
    known = np.flatnonzero(~np.isnan(data.assessed)).tolist() if scale is not None else []
    if known and scale is not None and not features.compared:
        human[known] = _on_scale(data.assessed[known], scale)
    if not features.has_perfect:
        return model.anchored(model.margins(data.examples.rows), human)
    if np.isnan(human).all():
        return model
    texts = [data.hypotheses[row] for row in known]
    distance = TextScorer(model, features).distances(texts, [data.references[r] for r in known])
    return replace(model, slope=model.calibrated(distance, human[known]).slope)


def _on_scale(values: NDArray[np.float64], scale: tuple[float, float]) -> NDArray[np.float64]:
    """Human scores from 0 to 1."""
    low, high = scale
    found = (values - low) / (high - low) if low < high else np.array([np.inf])
    if not (found.min() >= 0 and found.max() <= 1):
        raise DataError(
            f"human scores are from {values.min():g} to {values.max() + 0:g}; expected {low:g} to "
            f"{high:g}: give their scale (--scale WORST BEST, or scale=)"
        )
    return np.asarray(found, np.float64)


def _thresholds(data: LearningData) -> str:
    """The differences that made pairs of scalar judgments; rankings need none."""
    return ",".join(f"{least:g}" for least in data.thresholds) or "none"


def _training(
    data: LearningData, held: LearningData | None, method: Learner, rules: PairRules, seed: int
) -> str:
    """What the model was learned from and how, so that it can be learned again."""
    examples = data.examples
    facts = {
        "data": data.digest,
        "tracks": ",".join(examples.tracks),
        "outputs": len(examples),
        "preferences": len(examples.better),
        "development": "none" if held is None else ",".join(held.examples.tracks),
        "development_data": "none" if held is None else held.digest,
        "threshold": _thresholds(data) + " by judge" * rules.by_judge,
        "repeated": rules.repeated,
        "exclude": ",".join(rules.exclude) or "none",
        **({"references": ",".join(data.copies)} if data.copies else {}),
        **({"scores": ",".join(data.used_scores)} if data.used_scores else {}),
        "learner": method.signature,
        "seed": seed,
    }
    return "; ".join(f"{name} {value}" for name, value in facts.items())
