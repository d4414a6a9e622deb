"""What people said about outputs, as examples for a learner."""

import hashlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from rankwise.engine import Site
from rankwise.errors import DataError
from rankwise.evaluate.metric_learning.computed_features import KeptFeatures, computed_features
from rankwise.learning.examples import Examples
from rankwise.learning.features import Features
from rankwise.learning.features.context import NO_CONTEXT, Context, scores_digest
from rankwise.learning.pairs import Preferences, aggregated, ranked_preferences, scored_preferences
from rankwise.metrics.features import needs_of
from rankwise.text.languages import Language, target_language_of
from rankwise.types import Assessments, Judgments, ScoreTable, TestSet
from rankwise.types.human_scale import clear_difference
from rankwise.types.named import check_choice
from rankwise.types.score_table import must_count_alike

Human = Judgments | Assessments | ScoreTable
Tables = Mapping[str, ScoreTable]
Repeated = Literal["keep", "majority", "agreement"]
_MANY = 20  # outputs that no system has word for word as the reference, all of them


class Track(NamedTuple):
    """A test set, what people said about it, and scores of its outputs by other tools, by name."""

    testset: TestSet
    judgments: Human
    scores: Tables = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PairRules:
    """How judgments become preferences, and which systems are left out.

    ``threshold`` is for scalar judgments: a pair must differ by more; None is what is clear on the
    scale of each track (:func:`rankwise.types.human_scale.clear_difference`). ``by_judge``
    standardises the scores of every judge first (mean 0, deviation 1), for pairs and for
    regression: judges differ in their scales. ``repeated`` says what
    several judgments of a pair give: each a preference (``keep``), the majority one, or one with
    the weight of the majority's lead (``agreement``). ``exclude`` has names or patterns of systems.
    """

    threshold: float | None = 25.0
    repeated: Repeated = "keep"
    exclude: tuple[str, ...] = ()
    by_judge: bool = False

    def __post_init__(self) -> None:
        """Check what is chosen by name."""
        check_choice("learn", "repeated", self.repeated, get_args(Repeated))

    def leaves_out(self, system: str, testset: TestSet) -> bool:
        """Whether a system is excluded, or is a reference that was judged as a system."""
        is_reference = system in testset.reference_names
        return is_reference or any(fnmatchcase(system, pattern) for pattern in self.exclude)


@dataclass(frozen=True, slots=True, eq=False)
class LearningData:
    """Examples, the texts behind their rows, and a hash of all that they were made from.

    ``assessed`` are scalar judgments as they were given, where the examples may have standardised
    ones; nan where there is none. ``copies`` names the systems that were left out because they are
    references, by their texts; ``thresholds`` are the differences that made pairs of scalar
    judgments; ``context`` is what was known beside the texts; ``used_scores`` names scores of other
    tools, each with a hash. ``languages`` are the target languages of the tracks.
    """

    examples: Examples
    hypotheses: list[str]
    references: list[tuple[str, ...]]
    assessed: NDArray[np.float64]
    digest: str
    copies: tuple[str, ...] = ()
    thresholds: tuple[float, ...] = ()
    context: Context = NO_CONTEXT
    used_scores: tuple[str, ...] = ()
    languages: tuple[Language, ...] = ()


@dataclass(frozen=True, eq=False)
class _Outputs:
    """The outputs of one track that are in judged segments: segment and system of every row."""

    testset: TestSet
    segment: NDArray[np.int64]
    system: list[str]
    copies: list[str]
    tables: Tables

    @property
    def texts(self) -> list[str]:
        outputs = self.testset.outputs
        pairs = zip(self.system, self.segment.tolist(), strict=True)
        return [outputs[system][place] or "" for system, place in pairs]

    @property
    def references(self) -> list[tuple[str, ...]]:
        return [self.testset.segments[place].references for place in self.segment.tolist()]

    @cached_property
    def context(self) -> Context:
        """The sources, where the test set has any, and the scores of other tools."""
        places = self.segment.tolist()
        has_sources = any(segment.source for segment in self.testset.segments)
        segments = self.testset.segments
        return Context(
            [segments[place].source for place in places] if has_sources else (),
            {name: self._scores_of(name, table) for name, table in self.tables.items()},
        )

    def _scores_of(self, name: str, table: ScoreTable) -> NDArray[np.float64]:
        """What the table has of every row."""
        everywhere = [segment.id for segment in self.testset.segments]
        named = replace(table, name=name).by_place(everywhere)
        systems, used = sorted({*self.system}), sorted({*self.segment.tolist()})
        try:
            values = named.of_all(systems, [everywhere[place] for place in used], called=name)
        except DataError as error:
            raise DataError(f"{self.testset.name or 'the test set'}: {error}") from error
        row = {system: number for number, system in enumerate(systems)}
        column = {place: number for number, place in enumerate(used)}
        return np.asarray(
            values[
                [row[system] for system in self.system],
                [column[place] for place in self.segment.tolist()],
            ],
            np.float64,
        )

    @property
    def rows(self) -> dict[tuple[str, str], int]:
        """The row of a segment and a system by their names."""
        ids = [self.testset.segments[place].id for place in self.segment.tolist()]
        return {key: row for row, key in enumerate(zip(ids, self.system, strict=True))}


def learning_data(
    tracks: Sequence[Track | tuple[TestSet, Human]],
    features: Features,
    rules: PairRules | None = None,
    *,
    cache: KeptFeatures | None = None,
    site: Site | None = None,
    done: Callable[[int], None] | None = None,
) -> LearningData:
    """The outputs of judged segments with their features, and what people said about them.

    A track is a test set, called by its name, with rankings or scalar judgments, and scores of
    other tools where features are such; segments and systems are matched by name. Outputs that
    nobody judged are rows too, as intra-set features compare all outputs of a segment. *cache* is
    a folder where features are kept; *site* is where they are computed, if not on the threads of
    this process; *done* is called after every track, with how many outputs it has.
    """
    rules = rules or PairRules()
    given = [Track(*track) for track in tracks]
    names = _track_names([track.testset for track in given])
    needs_references = needs_of(features).references
    found = [_outputs(track, rules, needs_references=needs_references) for track in given]
    said = [
        _said(outputs, track.judgments, rules, name)
        for outputs, track, name in zip(found, given, names, strict=True)
    ]
    hypotheses = [text for outputs in found for text in outputs.texts]
    references = [entry for outputs in found for entry in outputs.references]
    rows = [_values(features, outputs, cache, site, done) for outputs in found]
    pairs = _pairs([preferences for preferences, *_ in said], found)
    examples = Examples(
        features.names,
        np.concatenate(rows),
        _groups(found),
        np.repeat(np.arange(len(found)), [len(outputs.system) for outputs in found]),
        names,
        pairs.better,
        pairs.worse,
        pairs.weight,
        np.concatenate([human for _, human, *_ in said]),
    )
    copies = dict.fromkeys(name for outputs in found for name in outputs.copies)
    digest = _digest(examples, hypotheses, references)
    assessed = np.concatenate([as_given for *_, as_given, _ in said])
    thresholds = dict.fromkeys(least for *_, least in said if least is not None)
    context = _together(found, needs_of(features).scores)
    used = [f"{name} {scores_digest(values)[:12]}" for name, values in context.scores.items()]
    return LearningData(
        examples,
        hypotheses,
        references,
        assessed,
        digest,
        tuple(copies),
        tuple(thresholds),
        context,
        tuple(used),
        tuple(target_language_of(track.testset) for track in given),
    )


def _pairs(said: Sequence[Preferences], found: Sequence[_Outputs]) -> Preferences:
    """The preferences of all tracks, between the rows of all."""
    starts = [0, *itertools.accumulate(len(outputs.system) for outputs in found)]
    tracks = list(zip(said, starts, strict=False))
    return Preferences(
        np.concatenate([part.better + start for part, start in tracks]).astype(np.int64),
        np.concatenate([part.worse + start for part, start in tracks]).astype(np.int64),
        np.concatenate([part.weight for part in said]),
    )


def _together(found: Sequence[_Outputs], wanted: Sequence[str]) -> Context:
    """What is known of the outputs of all tracks; sources only where all tracks have them."""
    contexts = [outputs.context for outputs in found]
    has_sources = all(len(each.sources) for each in contexts)
    return Context(
        [text for each in contexts for text in each.sources] if has_sources else (),
        {name: np.concatenate([each.scores[name] for each in contexts]) for name in wanted},
    )


def _track_names(testsets: Sequence[TestSet]) -> tuple[str, ...]:
    names = tuple(testset.name or f"track {n}" for n, testset in enumerate(testsets, 1))
    if not names:
        raise DataError("no test set to learn from; expected at least one")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"two test sets are called {twice!r}; expected a name for each track")
    return names


def _outputs(track: Track, rules: PairRules, *, needs_references: bool) -> _Outputs:
    testset, judged = track.testset, set(track.judgments.segments)
    must_count_alike("the judgments", judged, {segment.id for segment in testset.segments})
    places = [place for place, segment in enumerate(testset.segments) if segment.id in judged]
    bare = next((place for place in places if not testset.segments[place].references), None)
    if bare is not None and needs_references:
        raise DataError(f"segment {testset.segments[bare].id!r} has no reference; expected one")
    wanted = [name for name in testset.systems if not rules.leaves_out(name, testset)]
    copies = [name for name in wanted if _is_copy(testset, name)]
    cells = [
        (place, name)
        for place in places
        for name in wanted
        if name not in copies and testset.outputs[name][place] is not None
    ]
    segment = np.array([place for place, _ in cells], np.int64)
    return _Outputs(testset, segment, [name for _, name in cells], copies, track.scores)


def _is_copy(testset: TestSet, system: str) -> bool:
    """Whether a system is a reference under another name: all of its outputs are those texts.

    WMT calls reference B, say, ``HUMAN-B`` where it is judged. It must not be scored against
    itself; so a system of at least 20 outputs that all equal a reference is left out too.
    """
    pairs = [
        (text, segment.references)
        for text, segment in zip(testset.outputs[system], testset.segments, strict=True)
        if text is not None
    ]
    if len(pairs) < _MANY:
        return False
    return any(
        all(references[place : place + 1] == (text,) for text, references in pairs)
        for place in range(len(pairs[0][1]))
    )


def _said(
    outputs: _Outputs, human: Human, rules: PairRules, track: str
) -> tuple[Preferences, NDArray[np.float64], NDArray[np.float64], float | None]:
    """Preferences between the rows of a track, their scalar judgments, and those as given.

    The last is how far scalar judgments had to be apart.
    """
    least = None
    scores = given = np.full(len(outputs.system), np.nan)
    if isinstance(human, Judgments):
        found = ranked_preferences(human, _ranked_rows(outputs, human))
    else:
        scores = _scores(outputs, human, by_judge=rules.by_judge)
        given = _scores(outputs, human) if rules.by_judge else scores
        least = _least(scores, rules, track)
        found = scored_preferences(scores, outputs.segment, threshold=least)
    if rules.by_judge and not isinstance(human, Assessments):
        raise DataError(f"{track}: does not say who scored; expected assessments by judges")
    if not len(found.better) and np.isnan(scores).all():
        raise DataError(
            f"{track}: no untied judgment is about two of its outputs; expected judgments of its "
            f"systems ({', '.join(outputs.testset.systems[:3])}, ...) and segments"
        )
    if rules.repeated != "keep":
        found = aggregated(found, by_agreement=rules.repeated == "agreement")
    return found, scores, given, least


def _least(scores: NDArray[np.float64], rules: PairRules, track: str) -> float:
    """How far two scores of a track must be apart: as given, or what is clear on their scale."""
    if rules.threshold is not None:
        return rules.threshold
    if rules.by_judge:
        return 1.0
    if np.isnan(scores).all():
        return 0.0
    try:
        return clear_difference(scores)
    except DataError as error:
        raise DataError(f"{track}: {error}") from error


def _ranked_rows(outputs: _Outputs, human: Judgments) -> NDArray[np.int64]:
    """The row of each segment and system of the judgments, -1 where there is none."""
    rows = outputs.rows
    table = [[rows.get((segment, s), -1) for s in human.systems] for segment in human.segments]
    return np.array(table, np.int64).reshape(len(human.segments), len(human.systems))


def _scores(
    outputs: _Outputs, human: Assessments | ScoreTable, *, by_judge: bool = False
) -> NDArray[np.float64]:
    """The mean scalar judgment of every row."""
    scalar = human.scores(by_judge=by_judge) if isinstance(human, Assessments) else human
    scores, rows = np.full(len(outputs.system), np.nan), outputs.rows
    for system, values in zip(scalar.systems, scalar.values, strict=True):
        for segment, value in zip(scalar.segments, values.tolist(), strict=True):
            if (segment, system) in rows:
                scores[rows[segment, system]] = value
    return scores


def _groups(found: Iterable[_Outputs]) -> NDArray[np.int64]:
    """A number for every segment of every track."""
    parts, start = [], 0
    for outputs in found:
        parts.append(outputs.segment + start)
        start += len(outputs.testset)
    return np.concatenate(parts)


def _values(
    features: Features,
    outputs: _Outputs,
    cache: KeptFeatures | None,
    site: Site | None,
    done: Callable[[int], None] | None,
) -> NDArray[np.float64]:
    """The features of a track; a track is an entry of the cache."""
    texts, references, groups = outputs.texts, outputs.references, outputs.segment.tolist()
    context = outputs.context

    def compute() -> NDArray[np.float64]:
        return computed_features(features, texts, references, groups, context, site=site)

    kept_as = None if cache is None else features.kept_as(context)
    if cache is None or kept_as is None:
        found = compute()
    else:
        found = cache(kept_as, features.names, texts, references, groups, compute)
    if done is not None:
        done(len(texts))
    return found


def _digest(
    examples: Examples, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> str:
    """12 digits that differ when a text or a judgment differs."""
    digest = hashlib.sha256(repr(examples.tracks).encode())
    for text in [*hypotheses, *(text for entry in references for text in (*entry, ""))]:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(encoded) + encoded)
    for part in (examples.group, examples.track, examples.better, examples.worse):
        digest.update(part.astype("<i8").tobytes())
    for numbers in (examples.weight, examples.human):
        digest.update(numbers.astype("<f8").tobytes())
    return digest.hexdigest()[:12]
