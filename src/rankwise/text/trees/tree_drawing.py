"""Trees as pictures: lines of text for a terminal, SVG for a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

_GAP = 2  # between neighbours, in characters
_STEP_X, _STEP_Y, _MARGIN = 34, 46, 24  # between leaves, between levels, around, in pixels
_LETTER = 8.5  # the width of a character in pixels


@dataclass(frozen=True)
class DrawnTree:
    """A node with a name; a leaf has no children."""

    name: str
    children: tuple["DrawnTree", ...] = ()


def _upwards(root: DrawnTree) -> list[DrawnTree]:
    """All nodes, children before their parents; trees may be deeper than Python's stack."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.children)
    return found[::-1]


# -- as text ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Block:
    """Lines of equal width, and the column its root hangs from."""

    lines: tuple[str, ...]
    width: int
    column: int


def drawing(root: DrawnTree) -> str:
    """The tree as lines of text, the root at the top."""
    blocks: dict[int, _Block] = {}
    for node in _upwards(root):
        children = [blocks.pop(id(child)) for child in node.children]
        blocks[id(node)] = _hung(node.name, children) if children else _leaf(node.name)
    return "\n".join(line.rstrip() for line in blocks[id(root)].lines)


def _leaf(name: str) -> _Block:
    return _Block((name,), len(name), len(name) // 2)


def _hung(name: str, children: Sequence[_Block]) -> _Block:
    """Children side by side under a name."""
    starts = list(accumulate((child.width + _GAP for child in children), initial=0))[:-1]
    columns = [start + child.column for start, child in zip(starts, children, strict=True)]
    stem = (columns[0] + columns[-1]) // 2
    shift = max(0, len(name) // 2 - stem)  # the name may reach further left than the children
    rows = [_branches(columns, stem), *_side_by_side(children)]
    width = max(starts[-1] + children[-1].width, stem - len(name) // 2 + len(name)) + shift
    top = " " * (stem + shift - len(name) // 2) + name
    lines = [top, *(" " * shift + row for row in rows)]
    return _Block(tuple(line.ljust(width) for line in lines), width, stem + shift)


def _branches(columns: Sequence[int], stem: int) -> str:
    row = [" "] * columns[0] + ["─"] * (columns[-1] - columns[0] + 1)
    for column in columns:
        row[column] = "┬"
    row[columns[0]], row[columns[-1]] = "┌", "┐"
    row[stem] = {"─": "┴", "┬": "┼"}[row[stem]]
    return "".join(row)


def _side_by_side(blocks: Sequence[_Block]) -> Iterator[str]:
    for number in range(max(len(block.lines) for block in blocks)):
        yield (" " * _GAP).join(
            block.lines[number] if number < len(block.lines) else " " * block.width
            for block in blocks
        )


# -- as SVG ----------------------------------------------------------------------------------------


def svg(root: DrawnTree, *, title: str) -> str:
    """The tree as an SVG element that draws with the colour of the text around it."""
    across = _across(root)
    lines, names = [], []
    width = height = 0.0
    waiting = [(root, 0)]
    while waiting:
        node, level = waiting.pop()
        x, y = across[id(node)], _MARGIN + level * _STEP_Y
        width = max(width, x + _LETTER * len(node.name) / 2 + _MARGIN)
        height = max(height, y + _MARGIN)
        kind = "operator" if node.children else "leaf"
        names.append(f'<text class="{kind}" x="{x:g}" y="{y}">{escape(node.name)}</text>')
        for child in node.children:
            lines.append(f"M{x:g} {y + 6}L{across[id(child)]:g} {y + _STEP_Y - 14}")
            waiting.append((child, level + 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'font-family="sans-serif" font-size="14" text-anchor="middle" fill="currentColor">'
        f'<title>{escape(title)}</title><path d="{"".join(lines)}" fill="none" '
        f'stroke="currentColor" stroke-opacity="0.5"/>{"".join(names)}</svg>'
    )


def _across(root: DrawnTree) -> dict[int, float]:
    """Where nodes stand: leaves in a row, each as wide as its name, others over their children."""
    nodes = _upwards(root)
    places: dict[int, float] = {}
    right = float(_MARGIN)
    for node in nodes:
        if not node.children:
            room = max(_STEP_X, _LETTER * len(node.name) + 12)
            places[id(node)] = right + room / 2
            right += room
    for node in nodes:
        if node.children:
            places[id(node)] = (places[id(node.children[0])] + places[id(node.children[-1])]) / 2
    overhang = min(
        (places[id(node)] - _LETTER * len(node.name) / 2 - _MARGIN / 2 for node in nodes),
        default=0.0,
    )
    return {key: place - min(0.0, overhang) for key, place in places.items()}
