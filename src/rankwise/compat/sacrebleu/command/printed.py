"""Results as sacreBLEU prints them: one system as JSON or lines, several as JSON or a table."""

import json
import os
import re
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

from rankwise.compat.sacrebleu.command.grid import booktabs, grid

_COLOURS = {"red": 31, "green": 32, "yellow": 33, "cyan": 36}
_INTERVAL = re.compile(r"\(μ = [0-9.]+ ± [0-9.]+\)")


class Colours:
    """Marks text on a terminal, unless ``NO_COLOR`` or ``--no-color`` says not to."""

    def __init__(self, args: Namespace) -> None:
        is_wanted = not (os.environ.get("NO_COLOR") or args.no_color)
        self._is_on = is_wanted and sys.stdout.isatty()

    def __call__(self, text: str, colour: str) -> str:
        """The text, in colour where that can be seen."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self._is_on else text


def single_results(results: Sequence[str], args: Namespace) -> str:
    """The scores of one system: JSON, or lines with their equals signs below each other."""
    if args.format == "json":
        return results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]"
    colour = Colours(args)
    lines = [_INTERVAL.sub(lambda found: colour(found[0], "cyan"), line) for line in results]
    if len(lines) == 1:
        return lines[0]
    ends = [line.index("=") - 1 for line in lines if "=" in line and not args.score_only]
    if not ends:
        return "\n".join(lines)
    pairs = zip(lines, ends, strict=True)
    return "\n".join(f"{line[:end]:>{max(ends)}}{line[end:]}" for line, end in pairs)


def results_table(
    results: Mapping[str, Sequence[Any]], signatures: Mapping[str, str], args: Namespace
) -> str:
    """The scores of several systems by column, with what was tested and the signatures."""
    if args.format == "json":
        return json.dumps(_objects(results), indent=4)
    colour = Colours(args)
    columns, baseline = _coloured(_cells(results, args, colour), colour)
    table = (grid if args.format == "text" else booktabs)(columns, args.width)
    explained = [_explanation(args, baseline, colour)] if args.is_paired else []
    heading = "-----------------\nMetric signatures\n-----------------"
    listed = [f" - {name:<10} {signature}" for name, signature in signatures.items()]
    return "\n".join([table, "", *explained, heading, *listed])


def _objects(results: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """An object per system: texts as they are, results of tests with all their numbers."""
    found = []
    for place, system in enumerate(results["System"]):
        values = {name: column[place] for name, column in results.items() if name != "System"}
        shown = {
            name: value if isinstance(value, str) else vars(value) for name, value in values.items()
        }
        found.append({"system": system, **shown})
    return found


def _cells(
    results: Mapping[str, Sequence[Any]], args: Namespace, colour: Colours
) -> dict[str, list[str]]:
    """Columns of texts; those with intervals say so in their heading, and all after them."""
    columns = {"System": [*results["System"]]}
    is_bootstrap = False
    for name, values in results.items():
        if name == "System":
            continue
        is_bootstrap = is_bootstrap or any(getattr(v, "mean", None) is not None for v in values)
        heading = f"{name} (μ ± 95% CI)" if is_bootstrap else name
        columns[heading] = [_cell(value, args, colour) for value in values]
    return columns


def _cell(value: Any, args: Namespace, colour: Colours) -> str:
    if isinstance(value, str):
        return value
    text = f"{value.score:.{args.width}f}"
    if value.mean is not None:
        text += f" ({value.mean:.{args.width}f} ± {value.ci:.{args.width}f})"
    if value.p_value is None:
        return text
    chance = f"(p = {value.p_value:.4f})"
    marked = colour(chance, "red") if value.p_value > 0.05 else f"{chance}*"
    return text + ("\n" if args.format == "text" else " ") + marked


def _coloured(
    columns: Mapping[str, list[str]], colour: Colours
) -> tuple[dict[str, list[str]], str]:
    """Headings and the row of the baseline in colour, and what the baseline is called."""
    first = columns["System"][0]
    baseline = first if first.startswith("Baseline:") else ""
    found = {}
    for name, cells in columns.items():
        marked = [colour(cells[0], "yellow"), *cells[1:]] if baseline else cells
        found[colour(name, "cyan")] = marked
    return found, baseline


def _explanation(args: Namespace, baseline: str, colour: Colours) -> str:
    """What was tested and how the p-values are to be read, in the words that people know."""
    if args.paired_bs:
        title = f"Paired bootstrap resampling test with {args.paired_bs_n} resampling trials"
        given = "score / bootstrap estimated true mean / 95% CI are"
    else:
        title = f"Paired approximate randomization test with {args.paired_ar_n} trials"
        given = "score is"
    named, word = colour(baseline, "yellow"), colour("baseline", "yellow")
    null, red = colour("Null hypothesis", "green"), colour("highlighted in red", "red")
    rule = "-" * len(title)
    return f"""\
{rule}
{title}
{rule}
 - Each system is pairwise compared to {named}.
   Actual system {given} provided for each metric.

 - {null}: the system and the {word} translations are essentially
   generated by the same underlying process. For a given system and the {word},
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the {null.lower()} is correct.

 - Assuming a significance threshold of 0.05, the {null.lower()} can be rejected
   for p-values < 0.05 (marked with "*"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly "different" than the {word}.
   Otherwise, the p-values are {red}.

 - NOTE: Significance does not tell whether a system is "better" than the {word} but rather
   emphasizes the "difference" of the systems in terms of the replicability of the delta.
"""
