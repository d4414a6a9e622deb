"""Systems that one side knows and another does not, or hardly: counted and named in a sentence."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import median

#: How many systems are named.
NAMED = 6
#: The share of what others have below which a system was judged little.
LITTLE = 0.1


def some_of(names: Sequence[str]) -> str:
    """The names, or the first of them and how many more there are.

    >>> some_of(["A", "B"]), some_of(list("ABCDEFGH"))
    ('A, B', 'A, B, C, D, E, F and 2 more')
    """
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def unshared(
    left: tuple[str, Collection[str]], right: tuple[str, Collection[str]]
) -> Iterator[str]:
    """What two sides, each with its title and systems, do not share, and so is left out.

    >>> list(unshared(("scores", ["A", "B", "C"]), ("judgments", ["B", "A"])))
    ['systems of the scores that the judgments lack are left out (1): C']
    """
    for (title, systems), (other, theirs) in ((left, right), (right, left)):
        alone = [name for name in systems if name not in theirs]
        if alone:
            yield (
                f"systems of the {title} that the {other} lack are left out ({len(alone)}): "
                f"{some_of(alone)}"
            )


def judged_little(counts: Mapping[str, int], what: str) -> list[str]:
    """A sentence where systems have less than a tenth of what the median system has.

    >>> judged_little({"A": 60, "B": 62, "C": 2}, "judgments")
    ['judged little, so that its rank is hardly known: C (2 judgments, the median system has 60)']
    >>> judged_little({"A": 60, "B": 62, "C": 20}, "judgments")
    []
    """
    middle = median(counts.values()) if counts else 0
    few = [f"{name} ({count} {what}" for name, count in counts.items() if count < LITTLE * middle]
    if not few:
        return []
    whose = "its rank is" if len(few) == 1 else "their ranks are"
    listed = some_of([f"{text}, the median system has {middle:.0f})" for text in few])
    return [f"judged little, so that {whose} hardly known: {listed}"]
