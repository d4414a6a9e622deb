"""Source segments with their references, and what the systems made of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rankwise.errors import DataError


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
        if self.reference_names and len(self.reference_names) != len(self.references):
            raise DataError(
                f"segment {self.id!r} has {len(self.references)} references "
                f"but {len(self.reference_names)} reference names"
            )


@dataclass(frozen=True, slots=True)
class TestSet:
    """Segments and the outputs of named systems, one per segment in the same order.

    An output is ``None`` where a system has no output for a segment; the empty string is an
    (empty) output. ``source`` of a segment is ``""`` where the format does not carry it.
    """

    __test__ = False  # tells pytest that this is no test class

    segments: tuple[Segment, ...]
    outputs: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    name: str = ""
    source_language: str = ""
    target_language: str = ""

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for segment in self.segments:
            if segment.id in seen:
                raise DataError(f"segment id {segment.id!r} occurs twice in test set {self.name!r}")
            seen.add(segment.id)
        for system, texts in self.outputs.items():
            if len(texts) != len(self.segments):
                raise DataError(
                    f"system {system!r} has {len(texts)} outputs for {len(self.segments)} segments"
                )
        object.__setattr__(self, "outputs", MappingProxyType(dict(self.outputs)))

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order they were given."""
        return tuple(self.outputs)

    @property
    def references(self) -> list[tuple[str, ...]]:
        """The references of every segment: what a metric takes as its second argument."""
        return [segment.references for segment in self.segments]

    def __len__(self) -> int:
        return len(self.segments)
