"""What all figures share: an empty figure in the house style, and its bytes in a file format.

Nothing here uses ``pyplot``, whose state is global; the same figure gives the same bytes.
"""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rankwise.errors import DataError, MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that the colour-blind tell apart (Okabe and Ito, 2008).
BLUE, ORANGE, GREEN, RED, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#666666"
CYCLE = (BLUE, ORANGE, GREEN, RED, "#CC79A7", "#56B4E9", "#F0E442", "#000000")
#: For more lines than colours.
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
#: Of light to dark the same for every eye, and in print.
HEAT = "cividis"

FORMATS = ("png", "svg", "pdf")
_STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same on every machine
    "font.size": 9.0,
    "svg.hashsalt": "rankwise",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_UNDATED: dict[str, dict[str, str | None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": "Rankwise"},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": "Rankwise", "Producer": None},
}


def new_figure(width: float, height: float, columns: int = 1) -> "tuple[Figure, list[Axes]]":
    """An empty figure of so many inches with axes side by side."""
    matplotlib = _matplotlib()
    with matplotlib.rc_context(_STYLE):
        from matplotlib.figure import Figure

        figure = Figure(figsize=(width, height), layout="constrained")
        axes = [figure.add_subplot(1, columns, place + 1) for place in range(columns)]
    return figure, axes


def rendered(figure: "Figure", file_format: str) -> bytes:
    """The figure as a PNG, SVG or PDF file, without a date, so that equal figures are equal."""
    if file_format not in FORMATS:
        raise DataError(f"unknown figure format {file_format!r}; choose from {', '.join(FORMATS)}")
    buffer = io.BytesIO()
    with _matplotlib().rc_context(_STYLE):
        figure.savefig(buffer, format=file_format, dpi=150, metadata=_UNDATED[file_format])
    return buffer.getvalue()


def check_drawing() -> None:
    """Raise unless figures can be drawn here: better before long work than after it."""
    _matplotlib()


def short_names(systems: Sequence[str]) -> list[str]:
    """Names without the parts that all of them share, such as ``newstest2013.fr-en.``.

    Parts are what stands between dots; the last that remains stays.

    >>> short_names(["newstest2015.online-B.0.cs-en.txt", "newstest2015.JHU.4071.cs-en.txt"])
    ['online-B.0', 'JHU.4071']
    """
    parts = [name.split(".") for name in systems]
    if len(parts) < 2:
        return list(systems)
    while min(map(len, parts)) > 1 and len({words[0] for words in parts}) == 1:
        parts = [words[1:] for words in parts]
    while min(map(len, parts)) > 1 and len({words[-1] for words in parts}) == 1:
        parts = [words[:-1] for words in parts]
    return [".".join(words) for words in parts]


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        message = "figures need the module matplotlib: pip install 'rankwise[plot]'"
        raise MissingExtra(message) from None
    return matplotlib
