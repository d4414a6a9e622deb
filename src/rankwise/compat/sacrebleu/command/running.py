"""A run of the command line: check what was asked, read, score, print, end with an exit code."""

import logging
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rankwise.compat.sacrebleu.command.command_refused import CommandRefused
from rankwise.compat.sacrebleu.command.command_texts import Systems, read_references, read_systems
from rankwise.compat.sacrebleu.command.options import PROGRAM, parse
from rankwise.compat.sacrebleu.log import sacrelogger
from rankwise.errors import RankwiseError

Metrics = dict[str, Any]
#: What a shell reports of a program whose reader has gone away, as sacreBLEU's has.
BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> None:
    """Run sacreBLEU's command line with *arguments*, or with those of this process; it exits."""
    try:
        sys.exit(run(sys.argv[1:] if arguments is None else arguments))
    except RankwiseError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        sys.exit(1)


def run(arguments: Sequence[str]) -> int:
    """Do what *arguments* ask for, print it, and return the exit code."""
    args = parse(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    with _messages(is_quiet=args.quiet):
        try:
            for text in _results(args):
                print(text)
            sys.stdout.flush()
        except CommandRefused as refusal:
            refusal.log()
            return refusal.code
        except BrokenPipeError:
            return _give_up_stdout()
    return 0


def _give_up_stdout() -> int:
    """Nobody reads on, as after ``head``: what is left goes nowhere."""
    import os

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return BROKEN_PIPE


@contextmanager
def _messages(*, is_quiet: bool) -> Iterator[None]:
    """What is logged goes to standard error: all of it, or without a prefix what went wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s" if is_quiet else "sacreBLEU: %(message)s"))
    before = sacrelogger.level, sacrelogger.propagate
    sacrelogger.setLevel(logging.WARNING if is_quiet else logging.INFO)
    sacrelogger.addHandler(handler)
    sacrelogger.propagate = False
    try:
        yield
    finally:
        sacrelogger.removeHandler(handler)
        sacrelogger.level, sacrelogger.propagate = before


def _results(args: Namespace) -> Iterator[str]:
    """The texts to print, one after the other."""
    files: list[list[str]] = [args.refs]
    if args.download or args.list or args.citation or args.echo or args.test_set:
        from rankwise.compat.sacrebleu.command import test_sets

        if args.download:
            return test_sets.downloaded(args)
        if args.list:
            return test_sets.listed(args)
    if args.sentence_level and len(args.metrics) > 1:
        raise CommandRefused("Only one metric can be used in sentence-level mode.")
    if args.citation:
        return test_sets.cited(args)
    _check(args)
    if args.echo:
        return test_sets.echoed(args)
    if args.test_set is not None:
        files = test_sets.reference_files(args)
    references = read_references(args, files)
    args.num_refs = len(references)
    systems = read_systems(args)
    _check_systems(args, systems)
    return _scores(args, systems, references)


def _check(args: Namespace) -> None:
    """Raise a refusal for options that do not go together."""
    if args.num_refs != 1 and (args.test_set is not None or len(args.refs) > 1):
        raise CommandRefused(
            "The --num-refs argument allows you to provide any number of tab-delimited references "
            "in a single file.",
            "You can only use it with externally provided references, however (i.e., not with "
            "`-t`),",
            "and you cannot then provide multiple reference files.",
        )
    if args.test_set is None and not args.refs:
        from rankwise.compat.sacrebleu.utils import get_available_testsets

        raise CommandRefused(
            "If manual references given, make sure to provide them before the -i/--input argument "
            "to avoid confusion.",
            "Otherwise, I need a predefined test set (-t) from the following list:",
            str(get_available_testsets()),
        )
    if args.test_set is not None:
        from rankwise.compat.sacrebleu.command.test_sets import check

        check(args)
    if args.langpair is not None:
        if "-" not in args.langpair:
            raise CommandRefused(
                f"--language-pair is {args.langpair!r}; expected two languages, as en-de"
            )
        args.bleu_trg_lang = args.langpair.split("-")[1]


def _check_systems(args: Namespace, systems: Systems) -> None:
    several = len(systems.names) > 1
    if args.sentence_level and several:
        raise CommandRefused("Only one system can be evaluated in sentence-level mode.")
    if args.sentence_level and (args.confidence or args.is_paired):
        raise CommandRefused("Statistical tests are unavailable in sentence-level mode.")
    if args.is_paired and not several:
        raise CommandRefused("Paired tests require multiple input systems given to --input (-i).")
    if args.confidence and several:
        raise CommandRefused("Use paired tests (--paired) for multiple systems.")


def _scores(args: Namespace, whole: Systems, references: list[list[str]]) -> Iterator[str]:
    from rankwise.compat.sacrebleu.command.printed import single_results

    systems, streams = whole, references
    if args.origlang is not None or args.subset is not None:
        from rankwise.compat.sacrebleu.command.test_sets import chosen_part

        systems, streams = chosen_part(args, whole, references)
    _check_lengths(args, systems, streams)
    metrics = _metrics(args, streams)
    if args.sentence_level:
        yield from _sentences(args, next(iter(metrics.values())), systems.lines[0], streams)
    elif len(systems.names) > 1:
        yield _several(args, metrics, systems)
    else:
        if args.detail and args.format == "json":
            args.format = "text"
        yield single_results(_single(args, metrics, systems.lines[0]), args)
        if args.detail:
            from rankwise.compat.sacrebleu.command.test_sets import detailed

            yield from detailed(args, metrics, whole.lines[0], references)


def _check_lengths(args: Namespace, systems: Systems, streams: list[list[str]]) -> None:
    for lines in systems.lines:
        if lines and all(len(stream) == len(lines) for stream in streams):
            continue
        said = ["System and reference streams have different lengths."]
        if args.test_set or not lines:
            from rankwise.compat.sacrebleu.command.test_sets import nothing_left, reference_doubts

            said = said + reference_doubts(args) if lines else [nothing_left(args)]
        raise CommandRefused(*said)


def _metrics(args: Namespace, references: list[list[str]]) -> Metrics:
    """The metrics by their names in capitals, with the options that begin with their names."""
    from rankwise.compat.sacrebleu.metrics import METRICS

    if args.sentence_level:
        args.bleu_effective_order = True
    found = {}
    for name in args.metrics:
        given = {
            key.removeprefix(f"{name}_"): value
            for key, value in vars(args).items()
            if key.startswith(f"{name}_")
        }
        found[name.upper()] = METRICS[name.upper()](**given, references=references)
    return found


def _sentences(
    args: Namespace, metric: Any, lines: list[str], references: list[list[str]]
) -> Iterator[str]:
    for hypothesis, *own in zip(lines, *references, strict=True):
        score = metric.sentence_score(hypothesis, own)
        signature = metric.get_signature().format(args.short)
        yield score.format(args.width, args.score_only, signature)


def _single(args: Namespace, metrics: Metrics, lines: list[str]) -> list[str]:
    """A line, or an object of JSON, for every metric; sorted by their names."""
    resamples = args.confidence_n if args.confidence else 1
    is_json = args.format == "json"
    texts = []
    for name in sorted(metrics):
        score = metrics[name].corpus_score(lines, None, n_bootstrap=resamples)
        signature = metrics[name].get_signature().format(args.short and not is_json)
        texts.append(score.format(args.width, args.score_only, signature, is_json))
    return texts


def _several(args: Namespace, metrics: Metrics, systems: Systems) -> str:
    from rankwise.compat.sacrebleu.command.printed import results_table

    sacrelogger.info(f"Found {len(systems.names)} systems.")
    columns, signatures = (
        _tested(args, metrics, systems) if args.is_paired else _table(args, metrics, systems)
    )
    return results_table(columns, signatures, args)


def _table(
    args: Namespace, metrics: Metrics, systems: Systems
) -> tuple[dict[str, list[Any]], dict[str, str]]:
    columns: dict[str, list[Any]] = {"System": systems.names}
    signatures = {}
    for lines in systems.lines:
        for name in sorted(metrics):
            score = metrics[name].corpus_score(lines, None)
            signatures[score.name] = metrics[name].get_signature().format(args.short)
            columns.setdefault(score.name, []).append(score.format(args.width, True))
    return columns, signatures


def _tested(
    args: Namespace, metrics: Metrics, systems: Systems
) -> tuple[dict[str, list[Any]], dict[str, str]]:
    from rankwise.compat.sacrebleu.significance import PairedTest

    test = PairedTest(
        list(zip(systems.names, systems.lines, strict=True)),
        metrics,
        None,
        test_type="bs" if args.paired_bs else "ar",
        n_samples=args.paired_bs_n if args.paired_bs else args.paired_ar_n,
        n_jobs=args.paired_jobs,
    )
    signatures, columns = test()
    return columns, {name: found.format(args.short) for name, found in signatures.items()}
