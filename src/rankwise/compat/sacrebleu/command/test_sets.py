"""What the command line does with named test sets: list, echo, download, choose parts of them."""

import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rankwise.compat.sacrebleu.command.command_refused import CommandRefused
from rankwise.compat.sacrebleu.command.command_texts import Systems
from rankwise.compat.sacrebleu.log import sacrelogger
from rankwise.io.files import read_lines
from rankwise.io.named_sets.fetching import Progress
from rankwise.io.named_sets.set_files import SetFiles, download, set_files
from rankwise.io.named_sets.set_list import named_sets
from rankwise.io.named_sets.set_places import shown


def listed(args: Namespace) -> Iterator[str]:
    """The test sets; of one set, the fields of each language pair."""
    from rankwise.compat.sacrebleu.dataset import DATASETS
    from rankwise.compat.sacrebleu.utils import get_available_testsets_for_langpair

    if args.test_set:
        _must_be_known(args.test_set)
        dataset = DATASETS[args.test_set]
        for pair in [args.langpair] if args.langpair else dataset.langpairs:
            yield f"{pair}: {', '.join(dataset.fieldnames(pair))}"
        return
    if args.langpair:
        yield f"The available test sets for {args.langpair} are:"
    else:
        yield "The available test sets are:"
    names = get_available_testsets_for_langpair(args.langpair) if args.langpair else named_sets()
    for name in sorted(names):
        yield f"{name:<30}: {named_sets()[name].title}"


def downloaded(args: Namespace) -> Iterator[str]:
    """Nothing to print; the test set is fetched unless it is here."""
    from rankwise.compat.sacrebleu.dataset import DATASETS

    name = args.download
    _must_be_known(name)
    if args.langpair is not None and args.langpair not in named_sets()[name].files:
        raise CommandRefused(f"No such language pair {name}/{args.langpair}")
    download(name, args.langpair, progress=_logged_progress())
    DATASETS[name].process_to_text(args.langpair)
    yield from ()


def _logged_progress() -> Progress:
    """Says once per archive how much there is to fetch, and at the end where it went."""
    told: set[int | None] = set()

    def tell(_done: int, total: int | None) -> None:
        if total not in told:
            told.add(total)
            size = "a file" if total is None else f"{total / 1e6:.1f} MB"
            sacrelogger.info(f"Downloading {size}")

    return tell


def cited(args: Namespace) -> Iterator[str]:
    """How to cite each test set."""
    if not args.test_set:
        raise CommandRefused("I need a test set (-t).")
    for name in args.test_set.split(","):
        _must_be_known(name)
        if named_sets()[name].citation:
            yield named_sets()[name].citation
        else:
            sacrelogger.error(f"No citation found for {name}")


def check(args: Namespace) -> None:
    """Raise a refusal unless the test sets and the language pair are known."""
    for name in args.test_set.split(","):
        _must_be_known(name)
    if args.refs:
        raise CommandRefused(
            "I need exactly one of (a) a predefined test set (-t) or (b) a list of references"
        )
    if args.langpair is None:
        raise CommandRefused(
            "I need a language pair (-l). Use --list to see available language pairs for this "
            "test set."
        )
    for name in args.test_set.split(","):
        pairs = [*named_sets()[name].files]
        if args.langpair not in pairs:
            raise CommandRefused(
                f"No such language pair {args.langpair!r}",
                f"Available language pairs for {name!r} are:",
                *(f" > {pair}" for pair in pairs),
            )


def _must_be_known(name: str) -> None:
    if name not in named_sets():
        raise CommandRefused(
            f"Unknown test set {name!r}",
            "Please run with --list to see the available test sets.",
        )


def echoed(args: Namespace) -> Iterator[str]:
    """Fields of test sets in columns, line by line."""
    if args.langpair is None or args.test_set is None:
        raise CommandRefused("--echo requires a test set (--t) and a language pair (-l)")
    for found in _sets(args):
        names = _asked_fields(args.echo, found)
        streams = [_lines(found.fields[name]) for name in names]
        for cells in zip(*_kept(streams, _keeps(args, [found])), strict=True):
            yield "\t".join(cells)


def _asked_fields(asked: list[str], found: SetFiles) -> list[str]:
    names = [*found.fields]
    if "all" in asked:
        if len(asked) > 1:
            raise CommandRefused("Cannot use --echo all with other fields")
        return names
    first = min(name for name in names if name.startswith("ref"))
    asked = [first if name == "ref" and "ref" not in names else name for name in asked]
    unknown = next((name for name in asked if name not in names), None)
    if unknown is None:
        return asked
    where = f"{found.found.name}/{found.pair}"
    lines = [
        f"No such field {unknown} in test set {found.found.name} for language pair {found.pair}.",
        f"available fields for {where}: {', '.join(names)}",
    ]
    if "ref" not in names:
        lines.append(f"'ref' also allowed for backwards compatibility (will return {first})")
    raise CommandRefused(*lines)


def reference_files(args: Namespace) -> list[list[str]]:
    """The files of references of every test set."""
    if args.bleu_tokenize == "none":
        sacrelogger.warning(
            "You are turning off BLEU's internal tokenizer presumably to supply your own tokenized "
            "files."
        )
        sacrelogger.warning("Published numbers will not be comparable to other papers.")
    files = [[str(path) for path in found.references.values()] for found in _sets(args)]
    for name, own in zip(args.test_set.split(","), files, strict=True):
        if not own:
            sacrelogger.warning(f"No references found for test set {name}/{args.langpair}.")
    return files


def _sets(args: Namespace) -> list[SetFiles]:
    return [set_files(name, args.langpair) for name in args.test_set.split(",")]


def _lines(path: Path) -> list[str]:
    return [line.rstrip() for _, line in read_lines(path)]


# -- parts of a test set ---------------------------------------------------------------------------


def chosen_part(
    args: Namespace, systems: Systems, references: list[list[str]]
) -> tuple[Systems, list[list[str]]]:
    """Outputs and references, of the segments that ``--origlang`` and ``--subset`` choose."""
    if args.origlang is None and args.subset is None:
        return systems, references
    if args.test_set is None or args.langpair is None:
        raise CommandRefused(
            "Filtering for --origlang or --subset needs a test (-t) and a language pair (-l)."
        )
    keeps = _keeps(args, _sets(args))
    return Systems(systems.names, _kept(systems.lines, keeps)), _kept(references, keeps)


def _kept(streams: list[list[str]], keeps: list[bool] | None) -> list[list[str]]:
    if keeps is None:
        return streams
    return [[line for line, keep in zip(stream, keeps, strict=False) if keep] for stream in streams]


def _keeps(args: Namespace, sets: list[SetFiles]) -> list[bool] | None:
    """Whether each segment is chosen; None means all."""
    if args.origlang is None and args.subset is None:
        return None
    subset = None if args.subset is None else args.subset.removeprefix("country:")
    return [keep for found in sets for keep in _keeps_of(found, args.origlang, subset)]


def _keeps_of(found: SetFiles, origlang: str | None, subset: str | None) -> list[bool]:
    if "origlang" not in found.fields:
        raise CommandRefused(
            "--origlang and --subset supports only WMT *.xml and *.sgm files, not "
            f"{str(found.raw_source)!r}"
        )
    languages = _lines(found.fields["origlang"])
    keeps = [_is_from(language, origlang) for language in languages]
    if subset is None:
        return keeps
    if "domain" not in found.fields and found.found.kind != "wmt-xml":
        raise CommandRefused(f"No subset annotation available for test set {found.found.name}")
    domains = _lines(found.fields["domain"]) if "domain" in found.fields else [""] * len(keeps)
    pairs = zip(keeps, domains, strict=True)
    return [keep and bool(domain) and bool(re.search(subset, domain)) for keep, domain in pairs]


def _is_from(language: str, wanted: str | None) -> bool:
    if wanted is None:
        return True
    if wanted.startswith("non-"):
        return language != wanted.removeprefix("non-")
    return language == wanted


def reference_doubts(args: Namespace) -> list[str]:
    """What is said where a test set and an output have not equally many lines."""
    places = [shown(found.source.parent) for found in _sets(args)]
    return [
        "This could be an issue with your system output or with sacreBLEU's reference database if "
        "-t is given.",
        "For the latter, try cleaning out the cache by typing:\n",
        f"  rm -r {' '.join(places)}\n",
        f"and fetch it again: rankwise sacrebleu --download {args.test_set}",
    ]


def nothing_left(args: Namespace) -> str:
    """What is said where no segment is to be scored."""
    said = f"Test set {args.test_set!r} contains no sentence"
    if args.origlang is not None or args.subset is not None:
        said += " with"
    if args.origlang:
        said += f" origlang={args.origlang}"
    if args.subset:
        said += f" subset={args.subset}"
    return said


def detailed(
    args: Namespace, metrics: dict[str, Any], lines: list[str], references: list[list[str]]
) -> Iterator[str]:
    """Scores by original language and, within each, by domain."""
    from rankwise.compat.sacrebleu.command.printed import Colours

    sets = _sets(args) if args.test_set else []
    languages = [args.origlang] if args.origlang else _values(sets, "origlang")
    if not languages:
        yield "No subset information found. Consider using --origlang argument."
        return
    domains = [args.subset] if args.subset is not None else _values(sets, "domain")
    rows: list[tuple[str, int, Any]] = []
    for language in languages:
        for domain in (None, *domains):
            part = Namespace(origlang=language, subset=domain)
            own, *others = _kept([lines, *references], _keeps(part, sets))
            if own:
                key = f"origlang={language} {_named(domain)}"
                rows += [(key, len(own), m.corpus_score(own, others)) for m in metrics.values()]
    colour = Colours(args)
    width = max((len(key) for key, _, _ in rows), default=0) + 1
    name_width = max((len(score.name) for _, _, score in rows), default=0)
    for key, count, score in rows:
        left = colour(f"{key:<{width}}", "yellow")
        value = f"{score.score:.{args.width}f}"
        yield f"{left}: sentences={count:<6} {score.name:<{name_width}} = {value}"


def _named(domain: str | None) -> str:
    if domain is None:
        return "domain=ALL"
    if domain.startswith("country:"):
        return f"country={domain.removeprefix('country:')}"
    return f"domain={domain}"


def _values(sets: list[SetFiles], field: str) -> list[str]:
    """What the sets have in a field, sorted."""
    found = {line for one in sets if field in one.fields for line in _lines(one.fields[field])}
    return sorted(found - {""})
