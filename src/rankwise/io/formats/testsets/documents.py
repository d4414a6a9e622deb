"""Documents whose segments are aligned by id: what the XML and SGML test sets are made of."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.types import Segment, TestSet

Texts = dict[str, str]


@dataclass(slots=True)
class Document:
    """One document: the texts of its source, its references and its outputs by segment id."""

    id: str | None
    domain: str | None
    source: Texts = field(default_factory=dict)
    references: dict[str, Texts] = field(default_factory=dict)
    outputs: dict[str, Texts] = field(default_factory=dict)

    def segment_ids(self) -> list[str]:
        """The ids of the source; where there is none, of everything else in order."""
        if self.source:
            return list(self.source)
        others = [*self.references.values(), *self.outputs.values()]
        return list(dict.fromkeys(key for texts in others for key in texts))


def add_text(texts: Texts, key: str, text: str) -> None:
    """Add the text of a segment, which must be the first with its id."""
    if key in texts:
        raise DataError(f"segment {key!r} occurs twice in its document; expected once")
    texts[key] = text


def testset_of(
    documents: Iterable[Document],
    path: StrPath,
    *,
    has_names: bool,
    name: str = "",
    languages: tuple[str, str] = ("", ""),
) -> TestSet:
    """The test set of aligned documents; segments are numbered from 1 over the whole file.

    A segment that a reference or an output lacks is absent there; one that only a reference or an
    output has is an error. *has_names* says whether the references have names of their own.
    """
    documents = list(documents)
    systems = dict.fromkeys(name for document in documents for name in document.outputs)
    segments: list[Segment] = []
    outputs: dict[str, list[str | None]] = {system: [] for system in systems}
    for document in documents:
        keys = document.segment_ids()
        _check_ids(document, set(keys), path)
        for key in keys:
            number = str(len(segments) + 1)
            segments.append(_segment(document, key, number, has_names=has_names))
        for system, column in outputs.items():
            column.extend(map(document.outputs.get(system, {}).get, keys))
    columns = {system: tuple(column) for system, column in outputs.items()}
    return TestSet(tuple(segments), columns, name, *languages)


def _segment(document: Document, key: str, number: str, *, has_names: bool) -> Segment:
    present = {name: texts[key] for name, texts in document.references.items() if key in texts}
    return Segment(
        number,
        document.source.get(key, ""),
        tuple(present.values()),
        document.id,
        document.domain,
        tuple(present) if has_names else (),
    )


def _check_ids(document: Document, known: set[str], path: StrPath) -> None:
    for kind, group in (("reference", document.references), ("system", document.outputs)):
        for name, texts in group.items():
            extra = next((key for key in texts if key not in known), None)
            if extra is not None:
                raise DataError(
                    f"{name_of(path)}: {kind} {name!r} has segment {extra!r} of document "
                    f"{document.id!r}; expected only segments of the source"
                )
