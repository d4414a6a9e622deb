"""Permutation trees by trying everything; slow and obvious."""

from functools import cache
from itertools import combinations, pairwise


def is_range(values):
    return max(values) - min(values) + 1 == len(values)


def operator(parts):
    lows = [min(part) for part in parts]
    return tuple(sorted(lows).index(low) + 1 for low in lows)


def is_simple(key):
    """Whether no neighbours but all of them are a range."""
    return not any(
        is_range(key[i:j])
        for i in range(len(key))
        for j in range(i + 2, len(key) + 1)
        if j - i < len(key)
    )


@cache
def trees(values):
    """Every tree as nested tuples: an operator, then the children."""
    if len(values) == 1:
        return (values[0],)
    found = []
    for cuts in range(1, len(values)):
        for places in combinations(range(1, len(values)), cuts):
            borders = (0, *places, len(values))
            parts = [values[a:b] for a, b in pairwise(borders)]
            if all(map(is_range, parts)) and is_simple(operator(parts)):
                found += [(operator(parts), *rest) for rest in product_of(parts)]
    return tuple(found)


def product_of(parts):
    if not parts:
        return [()]
    return [(first, *rest) for first in trees(parts[0]) for rest in product_of(parts[1:])]


def operators(tree):
    """The operators of all nodes of a tree."""
    if not isinstance(tree, tuple):
        return []
    key, *children = tree
    return [key, *(k for child in children for k in operators(child))]


def steps(values):
    """Shift, then join the fewest topmost nodes that are a range together, while any are."""
    stack, taken = [], []
    for value in values:
        stack.append([value])
        taken.append(0)
        while (children := fewest(stack)) is not None:
            joined = [value for node in stack[-children:] for value in node]
            stack[-children:] = [joined]
            taken.append(children)
    return taken


def fewest(stack):
    for children in range(2, len(stack) + 1):
        if is_range([value for node in stack[-children:] for value in node]):
            return children
    return None


def inversions(values):
    return sum(a > b for a, b in combinations(values, 2))


def leaves(tree):
    return sum(map(leaves, tree[1:])) if isinstance(tree, tuple) else 1


def recursive(tree, beta):
    """The recursive score of one tree: its root's operator, and its children by their words."""
    if not isinstance(tree, tuple):
        return 1.0
    key, *children = tree
    mean = sum(recursive(child, beta) * leaves(child) for child in children) / leaves(tree)
    return beta * (key == (1, 2)) + (1 - beta) * mean
