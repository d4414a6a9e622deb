"""Any rankings that can be held: shared texts, gaps, named screens, further columns."""

from hypothesis import strategies as st

from rankwise.types import Ranking

# A short alphabet instead of all of Unicode: hypothesis builds its tables of that slowly.
texts = st.text("ab \"'&<,+;:|~é中😀\t", max_size=3)
letters = st.sampled_from("ABCDEFG")


@st.composite
def rankings(
    draw: st.DrawFn,
    *,
    systems: st.SearchStrategy[str] = letters,
    labels: st.SearchStrategy[str] = texts,
    columns: tuple[str, ...] = ("time", "note"),
) -> Ranking:
    """One ranking over *systems*, with *labels* as segments, judges and languages."""
    names = draw(st.lists(systems, max_size=5, unique=True))
    shown = draw(st.lists(st.integers(0, 3), min_size=len(names), max_size=len(names)))
    numbers: dict[int, int] = {}
    outputs = tuple(numbers.setdefault(text, len(numbers)) for text in shown)
    rank = st.one_of(st.none(), st.integers(1, 5).map(float), st.floats(0, 9))
    ranks = {text: draw(rank) for text in numbers.values()}
    cell = st.one_of(st.floats(allow_nan=False, allow_infinity=False), texts)
    return Ranking(
        segment=draw(labels),
        judge=draw(labels),
        systems=tuple(names),
        ranks=tuple(ranks[text] for text in outputs),
        screen=draw(st.sampled_from(["1", "2", "7", "07", "x", "123456789012345678901"])),
        outputs=None if len(set(outputs)) == len(outputs) else outputs,
        source_language=draw(labels),
        target_language=draw(labels),
        info=draw(st.dictionaries(st.sampled_from(columns), cell)) if columns else {},
    )
