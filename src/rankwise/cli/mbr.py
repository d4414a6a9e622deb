"""``rankwise mbr``: candidates of a segment scored against each other, and the best of them."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TextIO

import click

from rankwise.cli.common.inputs import load_metrics, metric_option, model_download_option
from rankwise.cli.common.output import BY_SUFFIX, format_of, format_option, note
from rankwise.cli.common.progress import with_progress

if TYPE_CHECKING:
    from rankwise.metrics import Metric

#: Segments that are looked at to tell the language.
LOOKED_AT = 50


@click.command()
@click.argument("candidates", nargs=-1, required=True)
@metric_option
@model_download_option("a --metric")
@click.option(
    "-s",
    "--source",
    metavar="FILE",
    help="The source of every segment, line by line, for metrics that need it.",
)
@click.option(
    "--language",
    metavar="CODE",
    help="The language, like zh: how words are found.  [default: by the script of the candidates]",
)
@click.option("--matrix", is_flag=True, help="Print all scores of all against all instead.")
@click.option(
    "--size",
    type=click.IntRange(min=1),
    metavar="N",
    help="Every N lines are a segment, and blank lines are candidates too.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to write, instead of stdout; .tsv and .json say how.",
)
@format_option
def mbr(
    candidates: tuple[str, ...],
    metrics: tuple[str, ...],
    source: str | None,
    language: str | None,
    matrix: bool,
    size: int | None,
    output: str | None,
    output_format: str,
) -> None:
    """Choose the best of several CANDIDATES for each segment: minimum Bayes risk.

    A file holds candidates, one per line, with a blank line between segments; `-` is standard
    input. Every candidate is scored against every other one, and the one with the best expected
    score by the first metric is printed. With --matrix, every score is. A metric that reads no
    reference chooses by the score it gives each candidate.
    """
    from rankwise.evaluate.system_scores import whole_signature
    from rankwise.io.files import write_text
    from rankwise.text.languages import language_of

    suffixes = {suffix: form for suffix, form in BY_SUFFIX.items() if form in WRITERS}
    asked = format_of(output_format, output, suffixes)
    if asked not in WRITERS:
        raise click.UsageError(f"mbr prints {', '.join(WRITERS)}")
    for metric in load_metrics(metrics):  # a wrong name is an error, whether it is used or not
        if metric.needs.source and source is None:
            raise click.UsageError(f"{metric.name} needs --source, a line for every segment")
    segments = _segments(candidates, size, source)
    first = list(islice(segments, LOOKED_AT))
    texts = [text for segment in first for text in segment.texts]
    spoken = language_of(texts, language, called="candidates")
    chosen = load_metrics(metrics if matrix else metrics[:1], spoken)
    with write_text(output or "-") as stream:
        WRITERS[asked](chain(first, segments), chosen, stream, not matrix)
    if asked != "json":
        for metric in chosen:
            note(whole_signature(metric, "nrefs=1"))


class Candidates(NamedTuple):
    """The candidates of a segment, and its source where that is given."""

    texts: list[str]
    source: str | None

    def __len__(self) -> int:  # of candidates
        return len(self.texts)


def _segments(paths: tuple[str, ...], size: int | None, source: str | None) -> Iterator[Candidates]:
    from rankwise.io.parts.candidates import read_candidates

    segments = (segment for path in paths for segment in read_candidates(path, size=size))
    return with_progress(_with_sources(segments, source), "candidates")


def _with_sources(segments: Iterator[list[str]], source: str | None) -> Iterator[Candidates]:
    from rankwise.errors import DataError
    from rankwise.io.parts.line_text import all_lines, counted

    if source is None:
        yield from (Candidates(texts, None) for texts in segments)
        return
    lines, number = all_lines(source), 0
    for number, texts in enumerate(segments, 1):
        if number > len(lines):
            break
        yield Candidates(texts, lines[number - 1])
    if number != len(lines):
        some = f"candidates for {counted(number, 'segment')}"
        more = "more segments" if number > len(lines) else some
        raise DataError(
            f"{source} has {counted(len(lines), 'line')}, but there are {more}; expected a line "
            "for every segment"
        )


def _write_text(
    segments: Iterator[Candidates], metrics: "list[Metric]", stream: TextIO, chooses: bool
) -> None:
    """One matrix after the other, or the chosen candidates alone, line by line."""
    from rankwise.evaluate.expected_scores import mbr, score_matrix
    from rankwise.present.tables import Column, Table, render

    for number, (texts, source) in enumerate(segments, 1):
        for metric in metrics:
            if chooses:
                stream.write(mbr(texts, metric, source=source).text + "\n")
                continue
            matrix = score_matrix(metric, texts, source=source)
            digits = ".4f" if metric.best == 1.0 else ".2f"
            heads = [Column(str(j), "right", digits) for j in range(1, len(texts) + 1)]
            rows = [[i, *row] for i, row in enumerate(matrix.tolist(), 1)]
            table = Table([Column("", "right"), *heads], rows, f"segment {number}: {metric}")
            stream.write(render(table, "text") + "\n")


def _write_tsv(
    segments: Iterator[Candidates], metrics: "list[Metric]", stream: TextIO, chooses: bool
) -> None:
    """A row per pair, or a row per segment with the chosen candidate; numbers count from 1."""
    from rankwise.evaluate.expected_scores import mbr, score_matrix

    names = [str(metric) for metric in metrics]
    columns = ["candidate", *names, "text"] if chooses else ["candidate", "reference", *names]
    stream.write("\t".join(["segment", *columns]) + "\n")
    for number, (texts, source) in enumerate(segments, 1):
        if chooses:
            best = mbr(texts, metrics[0], source=source)
            score, text = float(best.expected[best.place]), best.text.replace("\t", " ")
            stream.write(f"{number}\t{best.place + 1}\t{score!r}\t{text}\n")
            continue
        matrices = [score_matrix(metric, texts, source=source) for metric in metrics]
        for i in range(len(texts)):
            rows = zip(*(matrix[i].tolist() for matrix in matrices), strict=True)
            stream.writelines(
                f"{number}\t{i + 1}\t{j}\t" + "\t".join(map(repr, cells)) + "\n"
                for j, cells in enumerate(rows, 1)
            )


def _write_json(
    segments: Iterator[Candidates], metrics: "list[Metric]", stream: TextIO, chooses: bool
) -> None:
    """One object: a list of segments, then the signatures."""
    import json

    from rankwise.evaluate.expected_scores import mbr, score_matrix
    from rankwise.evaluate.system_scores import whole_signature

    stream.write('{"segments": [')
    separator = "\n"
    for number, (texts, source) in enumerate(segments, 1):
        found: dict[str, object] = {"segment": number}
        for metric in metrics:
            if chooses:
                best = mbr(texts, metric, source=source)
                found |= {"candidate": best.place + 1, "text": best.text}
                found["expected"] = best.expected.tolist()
            else:
                found[str(metric)] = score_matrix(metric, texts, source=source).tolist()
        stream.write(separator + json.dumps(found, ensure_ascii=False, allow_nan=False))
        separator = ",\n"
    signatures = {str(metric): whole_signature(metric, "nrefs=1") for metric in metrics}
    stream.write(f'\n], "signatures": {json.dumps(signatures)}}}\n')


WRITERS = {"text": _write_text, "tsv": _write_tsv, "json": _write_json}
