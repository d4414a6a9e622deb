"""A matplotlib figure without a window, and its bytes."""

import io
from typing import TYPE_CHECKING, Any

from rankwise.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that the colour-blind tell apart (Okabe and Ito, 2008), the darkest first.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def new_figure(width: float, height: float) -> "tuple[Figure, Axes]":
    """An empty figure of so many inches, with one pair of axes."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra(
            "pictures need matplotlib; install it with pip install 'rankwise[plot]'"
        ) from error
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def picture(figure: "Figure", *, format: str = "png", dots_per_inch: int = 150) -> bytes:
    """The figure as the bytes of a file; the same figure gives the same bytes."""
    stream = io.BytesIO()
    facts: dict[str, Any] = {"png": {"Software": None}, "pdf": {"CreationDate": None}}
    figure.savefig(stream, format=format, dpi=dots_per_inch, metadata=facts.get(format))
    return stream.getvalue()
