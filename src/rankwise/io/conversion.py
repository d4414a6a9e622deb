"""From one format to another, with a report of what was lost on the way."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from rankwise.errors import DataError
from rankwise.io.any_format import check_options, option_from_text, options_of
from rankwise.io.files import StrPath
from rankwise.io.format_table import (
    KINDS,
    Format,
    Kind,
    format_for_writing,
    formats_named,
    has_writer,
)
from rankwise.io.packed.archives import archive_of, unpacked_evalset
from rankwise.io.sniffing import sniff_all
from rankwise.types import Assessments, Judgments, ScoreTable, TestSet


@dataclass(frozen=True, slots=True)
class ConversionReport:
    """What a conversion read, what it wrote, and one sentence for everything it lost."""

    kind: Kind
    from_format: str
    to_format: str
    counts: dict[str, int]
    losses: tuple[str, ...]

    def __str__(self) -> str:
        counts = ", ".join(f"{number} {name}" for name, number in self.counts.items())
        lost = "".join(f"\nlost: {sentence}" for sentence in self.losses)
        return f"{self.kind} from {self.from_format} to {self.to_format}: {counts}{lost}"


def convert(
    source: StrPath,
    target: StrPath,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    typed_options: Mapping[str, str] | None = None,
    **options: Any,
) -> ConversionReport:
    """Read *source* and write it to *target*; formats are sniffed and told by the suffix.

    The kind of record that the source holds decides: rankings cannot become a test set. *options*
    go to the reader or the writer, whichever has an option of that name (or to both);
    *typed_options* are options as text, as a command line has them. An EvalSet may lie in an
    archive.
    """
    packed = archive_of(source)
    with nullcontext(source) if packed is None else unpacked_evalset(*packed) as there:
        return _converted(there, target, from_format, to_format, typed_options or {}, options)


def _converted(
    source: StrPath,
    target: StrPath,
    from_format: str | None,
    to_format: str | None,
    typed_options: Mapping[str, str],
    options: dict[str, Any],
) -> ConversionReport:
    read_as, write_as = _formats(source, target, from_format, to_format)
    reading, writing = _split_options(read_as, write_as, options)
    typed = _split_options(read_as, write_as, dict(typed_options))
    for function, texts, values in zip(
        (read_as.load().read, write_as.load().write), typed, (reading, writing), strict=True
    ):
        values |= {name: option_from_text(function, name, text) for name, text in texts.items()}
    check_options(read_as.name, read_as.load().read, reading)
    check_options(write_as.name, write_as.load().write, writing)
    record = read_as.load().read(source, **reading)
    losses = write_as.load().write(record, target, **writing)
    return ConversionReport(
        read_as.kind,
        read_as.name,
        write_as.name,
        _counts(record),
        (*getattr(read_as.load(), "NOT_READ", ()), *getattr(record, "notes", ()), *losses),
    )


def _formats(
    source: StrPath, target: StrPath, from_format: str | None, to_format: str | None
) -> tuple[Format, Format]:
    """The two formats; of a source that can be read as several kinds, the kind of the target."""
    read_as = formats_named(from_format) if from_format is not None else sniff_all(source)
    if to_format is None:
        kinds = [f.kind for f in read_as if has_writer(target, f.kind)]
    else:
        kinds = [f.kind for f in formats_named(to_format)]
    common = [f for f in read_as if f.kind in kinds]
    if not common and to_format is not None:
        raise DataError(
            f"{read_as[0].name} holds {KINDS[read_as[0].kind]} and {to_format} holds "
            f"{KINDS[kinds[0]]}; a conversion keeps what a file holds"
        )
    found = (common or read_as)[0]
    return found, format_for_writing(target, found.kind, to_format)


def _split_options(
    read_as: Format, write_as: Format, options: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the reader and those of the writer."""
    reader, writer = read_as.load().read, write_as.load().write
    reading = {name: value for name, value in options.items() if name in options_of(reader)}
    writing = {name: value for name, value in options.items() if name in options_of(writer)}
    for name in options.keys() - reading.keys() - writing.keys():
        known = ", ".join(dict.fromkeys([*options_of(reader), *options_of(writer)]))
        raise DataError(
            f"a conversion from {read_as.name} to {write_as.name} has no option {name!r}; "
            f"it has {known or 'none'}"
        )
    return reading, writing


def _counts(record: Any) -> dict[str, int]:
    match record:
        case Judgments():
            return {
                "rankings": len(record),
                "skipped": int(record.is_skipped.sum()),
                "systems": len(record.systems),
                "judges": len(record.judges),
            }
        case TestSet():
            return {"segments": len(record), "systems": len(record.systems)}
        case ScoreTable():
            return {"systems": len(record.systems), "segments": len(record.segments)}
        case Assessments():
            return {"assessments": len(record), "systems": len(record.systems)}
    return {}
