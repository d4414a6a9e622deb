"""Texts of segments as they are passed around: hypotheses, references, and a check of both."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from rankwise import _core
from rankwise._lazy import LazyModule
from rankwise.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = LazyModule("numpy")

Texts = Sequence[str]
#: One entry per segment: a reference, or several.
References = Sequence[str | Sequence[str]]


def check_texts(hypotheses: Texts, references: References) -> None:
    """Raise a clear error unless there is a non-empty set of references for every hypothesis."""
    for what, texts in (("hypotheses", hypotheses), ("references", references)):
        if not _is_sequence(texts):
            found = type(texts).__name__
            raise DataError(f"{what} are a {found}; expected a list with one entry per segment")
    if len(hypotheses) != len(references):
        raise DataError(
            f"{len(hypotheses)} hypotheses but references for {len(references)} segments; "
            "expected one entry (a str or a list of str) per segment"
        )
    if are_all_str(hypotheses) and are_all_str(references):
        return  # the usual case
    for number, (hypothesis, entry) in enumerate(zip(hypotheses, references, strict=True), 1):
        _check_text(hypothesis, f"hypothesis {number}")
        _check_entry(entry, number)


def _is_sequence(found: object) -> TypeGuard[Sequence[object]]:
    """Whether it has entries: a sequence that is no text, or an array."""
    if isinstance(found, Sequence):
        return not isinstance(found, str | bytes)
    return isinstance(found, np.ndarray)


def are_all_str(entries: Sequence[object]) -> bool:
    """Whether entries are plain str, found at the speed of C; False for a subclass of str."""
    if isinstance(entries, list | tuple):
        return _core.are_all_str(entries)
    return {*map(type, entries)} <= {str}


def _check_entry(entry: object, number: int) -> None:
    if isinstance(entry, str):
        return
    if not _is_sequence(entry):
        found = type(entry).__name__
        raise DataError(
            f"references of segment {number} are a {found}; expected a str or a list of str"
        )
    if len(entry) == 0:
        raise DataError(f"segment {number} has no reference; expected at least one")
    for reference in entry:
        _check_text(reference, f"a reference of segment {number}")


def _check_text(text: object, what: str) -> None:
    if not isinstance(text, str):
        raise DataError(f"{what} is a {type(text).__name__}; expected a str")


def lower_case(references: References) -> References:
    """Every text as ``str.lower`` has it; one of a script without capital letters stays as it is.

    >>> lower_case(["Ein Wort", ["Ἀθῆναι", "東京"]])
    ['ein wort', ['ἀθῆναι', '東京']]
    """
    if are_all_str(references):
        return _core.lower_case(references)  # type: ignore[arg-type]
    return [
        entry.lower() if isinstance(entry, str) else _core.lower_case(entry) for entry in references
    ]


def reference_starts(references: References) -> "NDArray[np.int64]":
    """Where the references of each segment begin among all of them, and where the last end."""
    if are_all_str(references):
        return np.arange(len(references) + 1, dtype=np.int64)
    counts = [1 if isinstance(entry, str) else len(entry) for entry in references]
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def best_reference_rows(
    rows: "NDArray[Any]",
    references: References,
    score: "Callable[[NDArray[Any]], NDArray[np.float64]]",
) -> "NDArray[Any]":
    """Of one row per reference, the row of each segment's best reference, the first if tied.

    >>> best_reference_rows(np.array([[1], [5], [5], [2]]), [["a", "b", "c"], "d"], np.ravel)
    array([[5],
           [2]])
    """
    if len(rows) == len(references):
        return rows
    bounds = reference_starts(references)
    starts, counts, scores = bounds[:-1], np.diff(bounds), score(rows)
    is_best = scores == np.repeat(np.maximum.reduceat(scores, starts), counts)
    positions = np.where(is_best, np.arange(len(rows)), len(rows))
    return rows[np.minimum.reduceat(positions, starts)]
