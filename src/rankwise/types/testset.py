"""Source segments with their references, and what the systems made of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rankwise.errors import DataError
from rankwise.types.renaming import with_names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: The references by which the WMT tasks compared metrics, where that is not the first.
STANDARD_REFERENCES = {
    ("wmt21.news", "en-de"): "refC",
    ("wmt21.news", "zh-en"): "refB",
    ("wmt21.tedtalks", "zh-en"): "refB",
    ("wmt22", "cs-en"): "refB",
    ("wmt22", "en-cs"): "refB",
    ("wmt23", "he-en"): "refB",
}


@dataclass(frozen=True, slots=True)
class Segment:
    """One source segment; its references live here, so any segment may have any number of them.

    ``reference_names`` names the references in the same order (``("refA", "refB")``), or is
    empty when they have no names.
    """

    id: str
    source: str
    references: tuple[str, ...] = ()
    document: str | None = None
    domain: str | None = None
    reference_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = self.reference_names
        if not names:
            return
        if len(names) != len(self.references):
            raise DataError(
                f"segment {self.id!r} has {len(self.references)} references "
                f"but {len(names)} reference names; expected as many"
            )
        if len(names) > 1 and len(set(names)) != len(names):
            raise DataError(
                f"segment {self.id!r} has two references with one name: {', '.join(names)}"
            )


@dataclass(frozen=True, slots=True)
class TestSet:
    """Segments and the outputs of named systems, one per segment in the same order.

    An output is ``None`` where a system has no output for a segment; the empty string is an
    (empty) output. ``source`` of a segment is ``""`` where the format does not carry it. ``notes``
    says in sentences what a reader left out; two test sets are equal when everything else is.
    """

    __test__ = False  # tells pytest that this is no test class

    segments: tuple[Segment, ...]
    outputs: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    name: str = ""
    source_language: str = ""
    target_language: str = ""
    notes: tuple[str, ...] = field(default=(), compare=False, kw_only=True)

    def __post_init__(self) -> None:
        self._check_ids()
        for system, texts in self.outputs.items():
            if len(texts) != len(self.segments):
                raise DataError(
                    f"system {system!r} has {len(texts)} outputs for {len(self.segments)} segments"
                )
        outputs = {system: tuple(texts) for system, texts in self.outputs.items()}
        object.__setattr__(self, "segments", tuple(self.segments))
        object.__setattr__(self, "outputs", MappingProxyType(outputs))

    def _check_ids(self) -> None:
        ids = [segment.id for segment in self.segments]
        if len(set(ids)) == len(ids):
            return
        seen: set[str] = set()
        for name in ids:
            if name in seen:
                raise DataError(f"segment id {name!r} occurs twice in test set {self.name!r}")
            seen.add(name)

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy does not pickle, and test sets travel to other processes.
        languages = (self.source_language, self.target_language)
        make = partial(TestSet, notes=self.notes)
        return make, (self.segments, dict(self.outputs), self.name, *languages)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order they were given."""
        return tuple(self.outputs)

    @property
    def references(self) -> list[tuple[str, ...]]:
        """The references of every segment: what a metric takes as its second argument."""
        return [segment.references for segment in self.segments]

    @property
    def reference_names(self) -> tuple[str, ...]:
        """Every name of a reference, in the order they first occur; empty when they have none."""
        names = (name for segment in self.segments for name in segment.reference_names)
        return tuple(dict.fromkeys(names))

    def __len__(self) -> int:
        return len(self.segments)

    def without(self, excluded: Collection[str]) -> "TestSet":
        """The same without the outputs of some systems, whether they are there or not."""
        kept = {name: texts for name, texts in self.outputs.items() if name not in excluded}
        return replace(self, outputs=kept)

    def renamed(self, names: Mapping[str, str]) -> "TestSet":
        """The same with systems under other names, new ones by old ones."""
        called = with_names(self.systems, names)
        return replace(self, outputs=dict(zip(called, self.outputs.values(), strict=True)))

    def with_outputs(self, outputs: Mapping[str, Sequence[str]]) -> "TestSet":
        """The same with the outputs of further systems, a text for every segment."""
        twice = next((name for name in outputs if name in self.outputs), None)
        if twice is not None:
            raise DataError(
                f"system {twice!r} is in the test set already; give the file another name, as in "
                "NAME=FILE"
            )
        added = {name: tuple(texts) for name, texts in outputs.items()}
        return replace(self, outputs={**self.outputs, **added})

    def __repr__(self) -> str:
        """What it holds, in one line."""
        languages = "-".join(filter(None, (self.source_language, self.target_language)))
        named = " ".join(filter(None, ("TestSet", self.name, languages)))
        most = max((len(segment.references) for segment in self.segments), default=0)
        return (
            f"<{named}: {len(self)} segments with up to {most} references, "
            f"{len(self.systems)} systems>"
        )

    def subset(self, indices: "Sequence[int] | NDArray[np.integer[Any]]") -> "TestSet":
        """The segments at *indices*, in that order, with the outputs of every system.

        >>> two = TestSet((Segment("1", "a"), Segment("2", "b")), {"A": ("x", "y")})
        >>> two.subset([1]).outputs["A"]
        ('y',)
        """
        chosen = [int(index) for index in indices]
        wrong = next((index for index in chosen if not 0 <= index < len(self)), None)
        if wrong is not None:
            raise DataError(f"there is no segment {wrong}; expected 0 to {len(self) - 1}")
        return TestSet(
            tuple(self.segments[index] for index in chosen),
            {name: tuple(texts[i] for i in chosen) for name, texts in self.outputs.items()},
            self.name,
            self.source_language,
            self.target_language,
        )


def standard_reference(testset: str, pair: str, names: Sequence[str]) -> str:
    """The one of *names* by which metrics are compared on a language pair of a test set.

    >>> standard_reference("wmt23", "he-en", ["refA", "refB"])
    'refB'
    """
    standard = STANDARD_REFERENCES.get((testset, pair), names[0])
    return standard if standard in names else names[0]


def are_systems(names: Sequence[str], systems: Collection[str]) -> bool:
    """Whether references stand among the systems, so that one of them counts and not all at once.

    A test set that has its references among its systems is one of a metrics task, which compares
    by one of them; any other has several because all of them count.
    """
    return not set(names).isdisjoint(systems)


def pair_of(texts: TestSet) -> str:
    """The language pair of a test set, or what is known of it."""
    return "-".join(filter(None, (texts.source_language, texts.target_language)))


def with_references(texts: TestSet, names: Sequence[str]) -> TestSet:
    """The test set with the references of these names alone; all where no name is given."""
    if not names or tuple(names) == texts.reference_names:
        return texts
    segments = []
    for segment in texts.segments:
        own = segment.reference_names
        kept = [(own.index(name), name) for name in names if name in own]
        segments.append(
            replace(
                segment,
                references=tuple(segment.references[place] for place, _ in kept),
                reference_names=tuple(name for _, name in kept),
            )
        )
    return replace(texts, segments=tuple(segments))


def as_usual(texts: TestSet) -> TestSet:
    """The test set as it is scored unless somebody says otherwise.

    Where references stand among the systems, the standard one counts and none of them is a system.

    >>> both = Segment("1", "a", ("x", "y"), reference_names=("refA", "refB"))
    >>> found = as_usual(TestSet((both,), {"A": ("x",), "refB": ("y",)}))
    >>> found.references, found.systems
    ([('x',)], ('A',))
    """
    names = texts.reference_names
    if not are_systems(names, texts.systems):
        return texts
    standard = standard_reference(texts.name, pair_of(texts), names)
    return with_references(texts, (standard,)).without(names)
