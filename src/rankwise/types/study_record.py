"""Everything that is known about the systems of one test, as one record."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from rankwise.errors import DataError
from rankwise.types.renaming import unused_names, with_names
from rankwise.types.shown import Shown
from rankwise.types.testset import Segment, TestSet
from rankwise.types.text_block import check_left_out

if TYPE_CHECKING:
    from rankwise.types.judging.assessments import Assessments
    from rankwise.types.judging.judgments import Judgments
    from rankwise.types.score_table import LevelScores

Texts = Sequence[str]
_People = TypeVar("_People", "Assessments | None", "Judgments | None")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study(Shown):
    """Texts, scores and what people said about the same systems; any of it may be absent.

    ``texts`` hold sources, references and outputs. ``scores`` are those of other tools by their
    names, of which ``errors`` lists those where less is better. ``human`` are those that people
    gave, of which more is better, and ``assessments`` the single values behind them where they are
    known; ``judgments`` are human rankings. ``places`` are the documents and domains of segments
    that files of scores tell, under "document" and "domain"; texts have their own. ``marks`` are
    the values of machines that marked errors, each with its spans. ``name`` says
    what the study is about, such as a language pair, ``references`` which were chosen of several,
    ``notes`` in sentences what was chosen or left out in reading it.
    """

    texts: TestSet | None = None
    scores: "Mapping[str, LevelScores]" = field(default_factory=dict)
    human: "LevelScores | None" = None
    assessments: "Assessments | None" = None
    judgments: "Judgments | None" = None
    marks: "tuple[Assessments, ...]" = ()
    places: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    name: str = ""
    references: tuple[str, ...] = ()
    errors: Collection[str] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_texts(
        cls,
        outputs: Mapping[str, Texts],
        references: Texts | Mapping[str, Texts] = (),
        sources: Texts = (),
        *,
        documents: Texts = (),
        domains: Texts = (),
        name: str = "",
        source_language: str = "",
        target_language: str = "",
    ) -> "Study":
        """The study of texts that are in memory: a list of lines for each system.

        *references* are the lines of one, or of several by their names. Segments are called by
        their number, from 1, as those of files are.

        >>> study = Study.from_texts({"A": ["a cat", "dogs bark"]}, ["the cat", "dogs bark"])
        >>> study.systems, len(study.texts)
        (('A',), 2)
        """
        named = references if isinstance(references, Mapping) else {"reference": references}
        named = {label: lines for label, lines in named.items() if len(lines)}
        columns = {f"system {system!r}": lines for system, lines in outputs.items()}
        columns |= {f"reference {label!r}": lines for label, lines in named.items()}
        columns |= {"sources": sources, "documents": documents, "domains": domains}
        count = _common_length({label: lines for label, lines in columns.items() if len(lines)})
        segments = tuple(
            Segment(
                str(place + 1),
                sources[place] if sources else "",
                tuple(lines[place] for lines in named.values()),
                documents[place] if documents else None,
                domains[place] if domains else None,
                tuple(named),
            )
            for place in range(count)
        )
        given = {system: tuple(lines) for system, lines in outputs.items()}
        texts = TestSet(segments, given, name, source_language, target_language)
        return cls(texts=texts, name=name)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of the texts; without texts, of the scores, of people, of the rankings."""
        named = self._named()
        if named:
            return tuple(named[0])
        return () if self.judgments is None else self.judgments.systems

    @property
    def known_systems(self) -> tuple[str, ...]:
        """Every system that texts or scores name."""
        return tuple(dict.fromkeys(name for names in self._named() for name in names))

    def _named(self) -> list[Sequence[str]]:
        """The systems of the texts and of every table."""
        tables = [table for given in self.scores.values() for table in given.tables]
        tables += [] if self.human is None else list(self.human.tables)
        texts = [] if self.texts is None else [self.texts.systems]
        return [*texts, *(table.systems for table in tables)]

    def must_hold_something(self) -> None:
        """Raise an error for a study of nothing."""
        if self.texts is None and not self.scores and self.human is None and not self.judgments:
            raise DataError("there is nothing to look at; give texts, scores or judgments")

    def without(self, excluded: Collection[str], *, must_be_known: bool = True) -> "Study":
        """Texts and scores without some systems, each of which one of them must have.

        Rankings keep their systems: who was beaten by one that is left out was beaten still.
        """
        if not excluded:
            return self
        if must_be_known:
            check_left_out(excluded, *self._named())
        return replace(
            self,
            texts=None if self.texts is None else self.texts.without(excluded),
            scores={name: given.without(excluded) for name, given in self.scores.items()},
            human=None if self.human is None else self.human.without(excluded),
        )

    def renamed(self, names: Mapping[str, str], *, must_be_known: bool = True) -> "Study":
        """Everything with systems under other names, new ones by old ones.

        A name that no system has is noted, and where none of them is known that is an error.
        """
        if not names:
            return self
        people = [] if self.judgments is None else [self.judgments.systems]
        people += [] if self.assessments is None else [self.assessments.systems]
        unused = unused_names(names, *self._named(), *people) if must_be_known else ()
        return replace(
            self,
            texts=None if self.texts is None else self.texts.renamed(names),
            scores={name: given.renamed(names) for name, given in self.scores.items()},
            human=None if self.human is None else self.human.renamed(names),
            assessments=_with_names(self.assessments, names),
            judgments=_with_names(self.judgments, names),
            marks=tuple(
                replace(values, systems=with_names(values.systems, names)) for values in self.marks
            ),
            notes=(*self.notes, *unused),
        )

    def __repr__(self) -> str:
        """What it holds, in one line."""
        parts = [] if not self.name else [repr(self.name)]
        if self.texts is not None:
            parts.append(f"{len(self.texts)} segments of {len(self.texts.systems)} systems")
        if self.scores:
            parts.append(f"scores {', '.join(self.scores)}")
        if self.human is not None:
            parts.append(f"human scores {self.human.name}".rstrip())
        if self.judgments is not None:
            parts.append(f"{len(self.judgments)} rankings")
        return f"<Study: {'; '.join(parts) or 'empty'}>"


def _with_names(people: _People, names: Mapping[str, str]) -> _People:
    """What people said, with systems under other names."""
    if people is None:
        return people
    return replace(people, systems=with_names(people.systems, names))


def _common_length(columns: Mapping[str, Texts]) -> int:
    """How many lines all columns have."""
    lengths = {label: len(lines) for label, lines in columns.items()}
    if not lengths:
        raise DataError("there is no text; expected outputs, references or sources")
    first, count = next(iter(lengths.items()))
    for label, other in lengths.items():
        if other != count:
            raise DataError(f"{label} has {other} lines, but {first} has {count}; expected as many")
    return count
