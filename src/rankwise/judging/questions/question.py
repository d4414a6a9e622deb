"""A question for a model: some outputs of one segment, in the order in which they are shown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rankwise.types import Segment, TestSet

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Question:
    """Which outputs of a segment a model is asked about.

    ``texts`` are the distinct outputs as shown, ``systems[i]`` those that made ``texts[i]``: nobody
    is asked twice about one text. ``number`` counts what is asked; the two orders of a pair and
    the repeats of a question share it. ``repeat`` counts the times it is asked, from 0.
    """

    segment: str
    texts: tuple[str, ...]
    systems: tuple[tuple[str, ...], ...]
    number: int = 0
    repeat: int = 0

    @property
    def labels(self) -> tuple[str, ...]:
        """What the outputs are called in the prompt: A, B, C, ..., so that no name speaks."""
        return tuple(LABELS[: len(self.texts)])

    def joined(self, other: "Question") -> "Question":
        """The same texts, in the same order, as outputs of the systems of both questions."""
        systems = zip(self.systems, other.systems, strict=True)
        return replace(self, systems=tuple(tuple(dict.fromkeys(a + b)) for a, b in systems))

    def reordered(self, order: Sequence[int]) -> "Question":
        """The same with the outputs in another order, given by their places."""
        return Question(
            self.segment,
            tuple(self.texts[place] for place in order),
            tuple(self.systems[place] for place in order),
            self.number,
            self.repeat,
        )


class Outputs:
    """The outputs of a test set by segment."""

    def __init__(self, testset: TestSet) -> None:
        self._places = {segment.id: place for place, segment in enumerate(testset.segments)}
        self._testset = testset

    def __contains__(self, segment: object) -> bool:
        return segment in self._places

    def segment(self, name: str) -> Segment:
        """The segment of that name, with its source and references."""
        return self._testset.segments[self._places[name]]

    def question(self, segment: str, systems: Sequence[str], number: int = 0) -> Question:
        """The question about these *systems*; one that has no output there is left out.

        >>> texts = {"A": ("a",), "B": ("b",), "C": ("a",)}
        >>> outputs = Outputs(TestSet((Segment("1", "x"),), texts))
        >>> outputs.question("1", ["A", "B", "C"]).systems
        (('A', 'C'), ('B',))
        """
        made: dict[str, list[str]] = {}
        for system in systems:
            text = self._testset.outputs[system][self._places[segment]]
            if text is not None:
                made.setdefault(text, []).append(system)
        return Question(segment, tuple(made), tuple(map(tuple, made.values())), number)
