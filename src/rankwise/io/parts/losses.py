"""What a format without some column would lose: one sentence each, nothing when nothing is lost."""

from collections.abc import Collection

import numpy as np

from rankwise.io.parts.line_text import counted
from rankwise.types import Judgments


def lost_info(
    judgments: Judgments, *, kept: Collection[str] = (), numbers: Collection[str] = ()
) -> list[str]:
    """Further columns that are not *kept* as text or as *numbers*, and numbers that become text."""
    info = judgments.info
    lost = [name for name in info if name not in kept and name not in numbers]
    text = [name for name in info if name in kept and any(map(_is_number, info[name].tolist()))]
    return [
        *([f"Further columns are not held: {', '.join(lost)}."] if lost else []),
        *([f"Numbers become text in the columns {', '.join(text)}."] if text else []),
    ]


def _is_number(cell: object) -> bool:
    return isinstance(cell, float) and cell == cell


def lost_languages(judgments: Judgments) -> list[str]:
    """Languages, where there are any."""
    used = np.unique(judgments.language).tolist()
    lost = ["-".join(judgments.languages[code]) for code in used if any(judgments.languages[code])]
    return [f"Languages are not held: {', '.join(lost)}."] if lost else []


def lost_screens(judgments: Judgments) -> list[str]:
    """Screens, unless each is named by its ranking's number, which reading gives back."""
    if judgments.screens is None and np.array_equal(
        judgments.screen, np.arange(1, len(judgments) + 1)
    ):
        return []
    shared = len(judgments) - len(np.unique(judgments.screen))
    verb = "shares" if shared == 1 else "share"
    sharing = (
        f"; {counted(shared, 'ranking')} {verb} a screen with an earlier one" if shared else ""
    )
    return [f"Names of screens are not held{sharing}."]


def lost_outputs(judgments: Judgments) -> list[str]:
    """Which systems shared a text."""
    sharing = int((judgments.text_counts < judgments.sizes).sum())
    return (
        [f"Which systems shared a text is not held ({counted(sharing, 'ranking')})."]
        if sharing
        else []
    )


def lost_order(judgments: Judgments) -> list[str]:
    """The place of systems that shared a text, in formats that name them together."""
    steps = np.diff(judgments.output.astype(np.int64), prepend=0)
    steps[judgments.starts[:-1][judgments.sizes > 0]] = 0  # from one ranking to the next
    falls = np.concatenate(([0], np.cumsum(steps < 0)))
    apart = int((falls[judgments.starts[1:]] > falls[judgments.starts[:-1]]).sum())
    return (
        [f"Systems that shared a text are put side by side ({counted(apart, 'ranking')})."]
        if apart
        else []
    )


def lost_names(judgments: Judgments, *marks: str) -> list[str]:
    """Systems whose names are empty or hold a mark that means something else in the format."""
    lost = [name for name in judgments.systems if not name or any(mark in name for mark in marks)]
    quoted = " or ".join(repr(mark) for mark in marks)
    if not lost:
        return []
    return [f"Names that are empty or have {quoted} do not come back: {_some(lost)}."]


def lost_segments(judgments: Judgments) -> list[str]:
    """Segments, where they have names."""
    used = [judgments.segments[code] for code in np.unique(judgments.segment).tolist()]
    return ["Segments are not held."] if any(used) else []


def lost_ties(judgments: Judgments) -> list[str]:
    """Tied pairs."""
    ties = int((judgments.pairs().sign == 0).sum())
    return [f"Tied pairs are not held ({ties})."] if ties else []


def lost_unranked(judgments: Judgments) -> list[str]:
    """Rankings that were skipped, wholly or in part."""
    ranked = np.concatenate(([0], np.cumsum(np.isnan(judgments.rank))))
    partly = ranked[judgments.starts[1:]] != ranked[judgments.starts[:-1]]
    lost = int((partly | (judgments.sizes < 2)).sum())
    return (
        [f"Outputs that were not ranked are not held ({counted(lost, 'ranking')})."] if lost else []
    )


def lost_larger(judgments: Judgments) -> list[str]:
    """Rankings of more than two systems, which become pairs."""
    larger = int((judgments.sizes > 2).sum())
    if not larger:
        return []
    return [
        f"Rankings of more than two systems become pairs ({larger}), each a screen of its own: "
        "ranges of ranks come out too narrow."
    ]


def _some(names: list[str]) -> str:
    return ", ".join(map(repr, names[:5])) + (
        f" and {len(names) - 5} more" if len(names) > 5 else ""
    )
