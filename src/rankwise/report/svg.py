"""Charts as inline SVG: small, accessible, coloured by the page's own style sheet."""

from collections.abc import Sequence
from html import escape

from rankwise.types import Leaderboard

ROW = 26


def rank_ranges(board: Leaderboard) -> str:
    """One bar per system from its best to its worst rank, a line between clusters."""
    count, left = len(board), 150
    width, height = left + 40 * count + 30, ROW * (count + 1) + 12
    parts = []
    for rank in range(1, count + 1):
        x = _rank_x(rank, left)
        parts.append(f'<text class="axis" x="{x}" y="14" text-anchor="middle">{rank}</text>')
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="20" y2="{height - 8}"/>')
    for row, system in enumerate(board.systems):
        low, high = int(board.rank_low[row]), int(board.rank_high[row])
        y = ROW * (row + 1) + 10
        parts.append(
            f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{escape(system)}</text>'
            f'<line class="range" x1="{_rank_x(low, left)}" x2="{_rank_x(high, left)}" y1="{y}"'
            f' y2="{y}"/><circle class="dot" cx="{_rank_x(row + 1, left)}" cy="{y}" r="5">'
            f"<title>{escape(system)}: rank {low} to {high}</title></circle>"
        )
        if row and board.clusters[row] != board.clusters[row - 1]:
            line = y - ROW / 2
            parts.append(f'<line class="cut" x1="8" x2="{width - 8}" y1="{line}" y2="{line}"/>')
    return _figure("Rank ranges of the systems", width, height, parts)


def _rank_x(rank: int, left: int) -> int:
    return left + 40 * (rank - 1) + 20


def scatter(
    names: Sequence[str], x: Sequence[float], y: Sequence[float], x_title: str, y_title: str
) -> str:
    """One dot per system, named; *x* across, *y* up."""
    width, height, pad = 340, 280, 44
    parts = [
        f'<rect class="frame" x="{pad}" y="10" width="{width - pad - 10}" '
        f'height="{height - pad - 10}"/>',
        f'<text class="axis" x="{(width + pad) / 2}" y="{height - 8}" text-anchor="middle">'
        f"{escape(x_title)}</text>",
        f'<text class="axis" transform="translate(14 {(height - pad) / 2}) rotate(-90)" '
        f'text-anchor="middle">{escape(y_title)}</text>',
    ]
    parts += _ticks(x, y, width, height, pad)
    across = _scale(x, pad + 14, width - 24)
    up = _scale(y, height - pad - 14, 24)
    for name, place_x, place_y in zip(names, across, up, strict=True):
        anchor, shift = ("end", -8) if place_x > width / 2 else ("start", 8)
        parts.append(
            f'<circle class="dot" cx="{place_x:.1f}" cy="{place_y:.1f}" r="5"/>'
            f'<text x="{place_x + shift:.1f}" y="{place_y + 4:.1f}" text-anchor="{anchor}">'
            f"{escape(name)}</text>"
        )
    return _figure(f"{y_title} against {x_title}", width, height, parts)


def _ticks(x: Sequence[float], y: Sequence[float], width: int, height: int, pad: int) -> list[str]:
    """The smallest and the largest value on both axes."""
    bottom, right = height - pad + 14, width - 24
    low_y, high_y = height - pad - 10, 28
    return [
        f'<text class="tick" x="{pad + 14}" y="{bottom}" text-anchor="middle">{min(x):.3g}</text>',
        f'<text class="tick" x="{right}" y="{bottom}" text-anchor="middle">{max(x):.3g}</text>',
        f'<text class="tick" x="{pad - 4}" y="{low_y}" text-anchor="end">{min(y):.2g}</text>',
        f'<text class="tick" x="{pad - 4}" y="{high_y}" text-anchor="end">{max(y):.2g}</text>',
    ]


def _scale(values: Sequence[float], low: float, high: float) -> list[float]:
    smallest, spread = min(values), max(values) - min(values)
    if spread == 0:
        return [(low + high) / 2] * len(values)
    return [low + (value - smallest) / spread * (high - low) for value in values]


def _figure(title: str, width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )
