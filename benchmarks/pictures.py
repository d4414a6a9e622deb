"""Pictures of a run: bars against peers, and lines of growth, both on logarithmic scales."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]

OURS, PEER, BEHIND = "#00695c", "#9e9e9e", "#c62828"


def _pyplot() -> Any:
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "rankwise", "font.size": 8, "svg.fonttype": "path"})
    from matplotlib import pyplot

    return pyplot


def peer_bars(timings: Sequence[Row], path: Path) -> None:
    """How many times faster ours is, one bar for each task and peer; red where it is not."""
    plt = _pyplot()
    rows = sorted(timings, key=lambda row: (row["peer"], row["task"]), reverse=True)
    figure, axes = plt.subplots(figsize=(8, 1 + 0.16 * len(rows)), layout="constrained")
    colours = [OURS if row["ratio"] >= 1 else BEHIND for row in rows]
    # Bars begin at 1: to the right ours is faster, to the left the peer.
    axes.barh(range(len(rows)), [row["ratio"] - 1 for row in rows], left=1, color=colours)
    axes.set_yticks(range(len(rows)), [f"{row['task']} / {row['peer']}" for row in rows])
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlabel("CPU time of the peer / ours")
    axes.grid(axis="x", color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    _save(figure, path)


def growth_lines(growth: Sequence[Row], path: Path) -> None:
    """CPU seconds by size; the fitted exponent stands beside each name."""
    plt = _pyplot()
    tasks = list(dict.fromkeys(row["task"] for row in growth))
    columns = 3
    height = (len(tasks) + columns - 1) // columns
    figure, grid = plt.subplots(
        height, columns, figsize=(9, 2.4 * height), layout="constrained", squeeze=False
    )
    for place, axes in enumerate(grid.flat):
        if place >= len(tasks):
            axes.set_visible(False)
            continue
        for row in (row for row in growth if row["task"] == tasks[place]):
            colour = OURS if row["who"] == "rankwise" else PEER
            label = f"{row['who']} {row['exponent']:.2f}"
            axes.loglog(row["sizes"], row["seconds"], marker="o", color=colour, label=label)
        axes.set_title(tasks[place])
        axes.legend(frameon=False)
        axes.grid(color="#dddddd", linewidth=0.5)
    figure.supylabel("CPU seconds")
    _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    _pyplot().close(figure)
