"""What ``rankwise meta`` reads: human scores, scores of metrics, and texts to score."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.inputs import human_scores

if TYPE_CHECKING:
    from rankwise.evaluate.meta.meta_scores import PairScores, Scores
    from rankwise.io.formats.scores.evalset_scores import LevelScores
    from rankwise.metrics import Metric
    from rankwise.types import ScoreTable, TestSet


@dataclass(frozen=True, slots=True)
class Sources:
    """What the options name; without a test set, its name is empty and there may be ``texts``."""

    testset: str
    pairs: tuple[str, ...] = ()
    human: str | None = None
    scores: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    keep_human: bool = True
    stored: bool = True
    lower_is_better: bool = False
    texts: "TestSet | None" = None


def load_pairs(sources: Sources) -> "list[PairScores]":
    """Every language pair with its gold scores and all metrics."""
    from rankwise.io.files import must_differ
    from rankwise.io.formats.testsets.evalset import language_pairs

    must_differ(sources.scores)
    is_folder = bool(sources.testset) and (Path(sources.testset) / "sources").is_dir()
    known = language_pairs(sources.testset) if is_folder else ()
    if is_folder:
        unknown = [pair for pair in sources.pairs if pair not in known]
        if unknown:
            listed = ", ".join(known)
            raise click.UsageError(
                f"there is no language pair {unknown[0]!r}; choose from {listed}"
            )
        wanted = sources.pairs or _judged(sources.testset, known)
        golds = [_gold(sources, pair, wanted) for pair in wanted]
        _check_excluded(sources, golds)
        return [
            _evalset_pair(sources, pair, wanted, gold)
            for pair, gold in zip(wanted, golds, strict=True)
        ]
    return [_other_texts(sources)]


def _check_excluded(sources: Sources, golds: "Sequence[LevelScores]") -> None:
    """Raise an error for a system to leave out that nobody judged."""
    from rankwise.types.text_block import must_be_there

    tables = [
        table for gold in golds for table in (gold.segments, gold.systems) if table is not None
    ]
    must_be_there(sources.excluded, *(table.systems for table in tables))


def _judged(folder: str, pairs: Sequence[str]) -> tuple[str, ...]:
    """The language pairs that people judged."""
    from rankwise.errors import DataError
    from rankwise.io.formats.scores.evalset_scores import gold_names

    judged = tuple(pair for pair in pairs if gold_names(folder, pair))
    if not judged:
        raise DataError(f"{folder}: no language pair has files in human-scores; expected some")
    return judged


def _evalset_pair(
    sources: Sources, pair: str, pairs: Sequence[str], gold: "LevelScores"
) -> "PairScores":
    from rankwise.evaluate.meta.meta_scores import aligned, pair_scores
    from rankwise.io.formats.scores import evalset_scores

    folder = sources.testset
    reference = _reference(sources, pair)
    name = gold.segments.name if gold.segments is not None else ""
    left_out = {*sources.excluded, reference}
    if not sources.keep_human:
        left_out |= set(evalset_scores.reference_names(folder, pair))
    scores = pair_scores(pair, gold.segments, gold.systems, excluded=left_out, gold_name=name)
    stored: dict[str, Scores] = {}
    if sources.stored:
        for full, uses in evalset_scores.metric_files(folder, pair).items():
            if uses not in (reference, evalset_scores.WITHOUT_REFERENCE, "all"):
                continue
            levels = evalset_scores.read_metric(folder, pair, full)
            short = full.removesuffix(f"-{reference}")
            stored[short] = aligned(scores, levels.segments, levels.systems)
    scores = scores.with_metrics(stored)
    return _with_given(sources, scores, pairs, reference)


def _gold(sources: Sources, pair: str, pairs: Sequence[str]) -> "LevelScores":
    """The human scores of the folder, or those of a file that is not called like any of them."""
    from rankwise.io.formats.scores.evalset_scores import LevelScores, gold_names, read_gold

    folder, human = sources.testset, sources.human
    if human is None or human in gold_names(folder, pair) or not Path(human).is_file():
        return read_gold(folder, pair, human)
    return LevelScores.of(_score_file(human, pair, pairs))


def _reference(sources: Sources, pair: str) -> str:
    """The reference of a language pair: ``refB`` or ``he-en=refB`` of the options, or standard."""
    from rankwise.errors import DataError
    from rankwise.io.formats.scores.evalset_scores import reference_names, standard_reference

    names = reference_names(sources.testset, pair)
    told = dict(_assignment(text) for text in sources.references)
    wanted = told.get(pair, told.get("")) or standard_reference(sources.testset, pair)
    if wanted is None or wanted not in names:
        raise DataError(
            f"{sources.testset}: {pair} has no reference {wanted!r}; it has {', '.join(names)}"
        )
    return wanted


def _assignment(text: str) -> tuple[str, str]:
    pair, equals, name = text.partition("=")
    return (pair, name) if equals else ("", text)


def _other_texts(sources: Sources) -> "PairScores":
    """A test set in any other format, or text files, with human scores in a file of their own."""
    from rankwise.evaluate.meta.meta_scores import pair_scores
    from rankwise.io.formats.scores.evalset_scores import LevelScores

    if sources.human is None:
        raise click.UsageError("give --human FILE with the human scores of the test set")
    gold, _ = human_scores(sources.human)
    _check_excluded(sources, [LevelScores.of(gold)])
    if sources.texts is not None:
        gold = _of_texts(gold, sources.texts)
    found = LevelScores.of(gold)
    pair = sources.pairs[0] if sources.pairs else Path(sources.testset).stem or gold.name
    name = gold.name if gold.name != pair else ""
    scores = pair_scores(
        pair, found.segments, found.systems, excluded=sources.excluded, gold_name=name
    )
    return _with_given(sources, scores, (pair,), None)


def _of_texts(gold: "ScoreTable", texts: "TestSet") -> "ScoreTable":
    """Human scores of the systems and segments that text files have, in their order."""
    from rankwise.present.report.report_inputs import judged_scores

    if gold.level == "system":
        return gold.without(set(gold.systems) - set(texts.systems))
    ids = [segment.id for segment in texts.segments]
    return judged_scores(gold.name, gold, texts.systems, ids)[0]


def _with_given(
    sources: Sources, scores: "PairScores", pairs: Sequence[str], reference: str | None
) -> "PairScores":
    """Metrics of files and of our own beside those that are there."""
    from rankwise.evaluate.meta.meta_scores import aligned, computed
    from rankwise.evaluate.system_scores import score_systems
    from rankwise.io.formats.scores.evalset_scores import LevelScores

    given: dict[str, Scores] = {}
    for text in sources.scores:
        table = _score_file(text, scores.pair, pairs)
        if table is not None:
            if sources.lower_is_better:
                table = replace(table, values=-table.values)
            found = LevelScores.of(table)
            given[table.name or Path(text).stem] = aligned(scores, found.segments, found.systems)
    if sources.metrics:
        texts = _texts(sources, scores.pair, reference, scores.systems)
        metrics = [_metric(name, texts.target_language) for name in sources.metrics]
        for result in score_systems(texts, metrics):
            given[f"{result.metric} (rankwise)"] = computed(scores, result)
    return scores.with_metrics(given)


def _score_file(text: str, pair: str, pairs: Sequence[str]) -> "ScoreTable | None":
    """The scores of a file for a language pair; None where it is for another one.

    A submission to WMT names the pairs itself; of other files the name or folder tells, and with
    one language pair there is nothing to tell.
    """
    from rankwise.errors import DataError
    from rankwise.io import read_scores, sniff

    if sniff(text, "scores").name == "wmt-metrics":
        return read_scores(text, language_pair=pair)
    path = Path(text)
    told = [p for p in pairs if path.name.startswith((f"{p}.", f"{p}_")) or path.parent.name == p]
    if len(pairs) > 1 and not told:
        raise DataError(
            f"{text}: the name does not say for which of {', '.join(pairs)} the scores are; "
            "expected 'PAIR.NAME.seg.score', or one --language-pair"
        )
    return read_scores(text) if not told or pair in told else None


def _texts(sources: Sources, pair: str, reference: str | None, systems: Sequence[str]) -> "TestSet":
    """The test set with one reference, and the outputs of the judged systems only."""
    from rankwise.io import read_testset

    texts = sources.texts
    if texts is None:
        options = {"language_pair": pair} if reference is not None else {}
        texts = read_testset(sources.testset, **options)
    outputs = {name: texts.outputs[name] for name in systems if name in texts.outputs}
    if reference is None:
        return replace(texts, outputs=outputs)
    segments = []
    for segment in texts.segments:
        place = segment.reference_names.index(reference)
        segments.append(
            replace(segment, references=(segment.references[place],), reference_names=(reference,))
        )
    return replace(texts, segments=tuple(segments), outputs=outputs)


def _metric(name: str, language: str) -> "Metric":
    """A metric; METEOR speaks the target language unless it is told another."""
    from rankwise.metrics import metric

    if name.split(":")[0] == "meteor" and "language=" not in name and language:
        name = f"{name}:language={language}"
    return metric(name)
