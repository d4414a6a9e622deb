"""What ``rankwise report`` reads: texts, scores and judgments, any of them."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.inputs import DEFAULT_METRICS, human_scores, load_metrics
from rankwise.cli.report.report_options import ReportArguments
from rankwise.cli.score.given_tables import named_tables

if TYPE_CHECKING:
    from rankwise.metrics import Metric
    from rankwise.present.report.report_inputs import InputFile, ReportInputs
    from rankwise.types import Assessments, Judgments, ScoreTable, TestSet


def load_inputs(arguments: ReportArguments) -> "ReportInputs":
    """Everything that the arguments name."""
    from rankwise.present.report.report_inputs import ReportInputs

    human, assessments = _human(arguments)
    testset = _testset(arguments, human)
    inputs = ReportInputs(
        testset=testset,
        metrics=_metrics(arguments, testset),
        scores=named_tables(arguments.scores),
        human=human,
        assessments=assessments,
        judgments=_judgments(arguments),
        higher_is_better=not arguments.lower_is_better,
    )
    return _without(inputs, arguments.excluded)


def _without(inputs: "ReportInputs", excluded: tuple[str, ...]) -> "ReportInputs":
    """Texts and scores without some systems, each of which one of them must have."""
    from rankwise.errors import DataError
    from rankwise.types.text_block import must_be_there

    texts, human = inputs.testset, inputs.human
    named = [] if texts is None else [texts.systems]
    named += [table.systems for table in inputs.scores.values()]
    named += [] if human is None else [human.systems]
    must_be_there(excluded, *named)
    if excluded and any(set(names) <= set(excluded) for names in named):
        raise DataError("every system is left out; expected at least one to report on")
    if texts is not None:
        kept = {name: found for name, found in texts.outputs.items() if name not in excluded}
        texts = replace(texts, outputs=kept)
    return replace(
        inputs,
        testset=texts,
        scores={name: table.without(excluded) for name, table in inputs.scores.items()},
        human=None if human is None else human.without(excluded),
    )


# -- texts -----------------------------------------------------------------------------------------


def _testset(arguments: ReportArguments, human: "ScoreTable | None") -> "TestSet | None":
    from rankwise.io import read_parallel, read_testset

    if arguments.testset is not None:
        pair = arguments.language_pair
        texts = read_testset(arguments.testset, **({"language_pair": pair} if pair else {}))
        return _standard_reference(arguments, texts, human) if _is_evalset(arguments) else texts
    if arguments.outputs:
        texts = read_parallel(arguments.source, arguments.references, arguments.outputs)
        return _with_documents(arguments, texts)
    return None


def _is_evalset(arguments: ReportArguments) -> bool:
    return arguments.testset is not None and (Path(arguments.testset) / "sources").is_dir()


def _pair(arguments: ReportArguments) -> str:
    from rankwise.io.formats.testsets.evalset import language_pairs

    assert arguments.testset is not None
    return arguments.language_pair or language_pairs(arguments.testset)[0]


def _standard_reference(
    arguments: ReportArguments, texts: "TestSet", human: "ScoreTable | None"
) -> "TestSet":
    """An EvalSet with the one reference that metrics are compared by, which is then no system.

    Its other references are systems only if people scored them.
    """
    from rankwise.io.formats.scores.evalset_scores import reference_names, standard_reference

    assert arguments.testset is not None
    name = standard_reference(arguments.testset, _pair(arguments))
    if name is None:
        return texts
    segments = tuple(
        replace(
            segment,
            references=(segment.references[segment.reference_names.index(name)],),
            reference_names=(name,),
        )
        for segment in texts.segments
    )
    left_out = {name, *reference_names(arguments.testset, _pair(arguments))}
    left_out -= set() if human is None else _scored(human) - {name}
    outputs = {system: found for system, found in texts.outputs.items() if system not in left_out}
    return replace(texts, segments=segments, outputs=outputs)


def _scored(human: "ScoreTable") -> set[str]:
    import numpy as np

    rows = zip(human.systems, human.values, strict=True)
    return {system for system, row in rows if not np.isnan(row).all()}


def _with_documents(arguments: ReportArguments, texts: "TestSet") -> "TestSet":
    if arguments.documents is None:
        return texts
    from rankwise.io.parts.place_lines import with_places

    return with_places(texts, arguments.documents)


def _metrics(arguments: ReportArguments, texts: "TestSet | None") -> "list[Metric]":
    """Those asked for; unless any are, the usual ones where there are references."""
    if texts is None:
        if arguments.metrics:
            raise click.UsageError("-m needs texts: output files with --reference, or --testset")
        return []
    has_references = all(segment.references for segment in texts.segments)
    return load_metrics(arguments.metrics or (DEFAULT_METRICS if has_references else ()))


# -- scores and judgments --------------------------------------------------------------------------


def _human(arguments: ReportArguments) -> "tuple[ScoreTable | None, Assessments | None]":
    """Human scores, and the single values behind them where the file has those."""
    named = arguments.human
    if _is_evalset(arguments) and (named is None or not Path(named).exists()):
        return _gold(arguments), None
    if named is None:
        return None, None
    return human_scores(named)


def _gold(arguments: ReportArguments) -> "ScoreTable | None":
    """The human scores of an EvalSet folder: those named, or the usual ones if there are any."""
    from rankwise.io.formats.scores.evalset_scores import GOLD_NAMES, gold_names, read_gold

    assert arguments.testset is not None
    pair = _pair(arguments)
    names = gold_names(arguments.testset, pair)
    if arguments.human is None and not any(name in names for name in GOLD_NAMES):
        return None
    found = read_gold(arguments.testset, pair, arguments.human).segments
    if found is None:
        return None
    name = (found.name or arguments.human or "human").removeprefix(f"{pair}.")
    return replace(found, name=name)


def _judgments(arguments: ReportArguments) -> "Judgments | None":
    from rankwise.errors import DataError
    from rankwise.io import read_judgments
    from rankwise.types.judging.language_pairs import of_language_pair

    names = arguments.judgments
    if not names:
        return None
    found = read_judgments(names[0] if len(names) == 1 else list(names))
    if len(found) == 0:
        raise DataError(f"{', '.join(names)}: no rankings")
    if arguments.language_pair is not None:
        found = of_language_pair(found, arguments.language_pair)
    return found


# -- what the page says about them -----------------------------------------------------------------


def input_files(arguments: ReportArguments) -> "list[InputFile]":
    """Every file that was named, with the digest of its bytes; folders and pipes have none."""
    from rankwise.present.report.report_inputs import InputFile

    return [InputFile(kind, name, _digest(Path(name))) for kind, name in _named(arguments)]


def _named(arguments: ReportArguments) -> Iterator[tuple[str, str]]:
    for kind, names in (
        ("test set", (arguments.testset,)),
        ("source", (arguments.source,)),
        ("reference", arguments.references),
        ("documents", (arguments.documents,)),
        ("output", arguments.outputs),
        ("scores", arguments.scores),
        ("human scores", (arguments.human,)),
        ("judgments", arguments.judgments),
    ):
        yield from ((kind, name) for name in names if name is not None)


def _digest(path: Path) -> str:
    import hashlib

    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def command_line(arguments: ReportArguments) -> str:
    """The command that makes the same page, with every option that was not left as it is."""
    context = click.get_current_context()
    words = ["rankwise", "report"]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument) or value in (None, (), False, parameter.default):
            continue
        option = max(parameter.opts, key=len)
        if value is True:
            words.append(option)
            continue
        for one in value if isinstance(value, tuple) else (value,):
            words += [option, str(one)]
    return shlex.join([*words, *arguments.outputs])
