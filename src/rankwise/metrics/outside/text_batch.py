"""What a metric that scores batches is given: texts side by side, each distinct one once."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rankwise.errors import DataError
from rankwise.metrics.metric_class import Needs
from rankwise.text.segments import are_all_str
from rankwise.types.text_block import Block


class TextItem(NamedTuple):
    """One output with what the metric reads beside it; what it does not read is empty."""

    output: str
    source: str = ""
    references: tuple[str, ...] = ()
    document: str = ""

    @property
    def length(self) -> int:
        """How many characters all its texts have."""
        return len(self.output) + len(self.source) + sum(map(len, self.references))


def quoted(text: str, length: int = 60) -> str:
    """*text* as a message quotes it: cut when long.

    >>> quoted("four"), quoted("four", 2)
    ("'four'", "'fo'...")
    """
    return repr(text) if len(text) <= length else f"{text[:length]!r}..."


#: Items that are scored together: one segment, or a document where the metric needs documents.
Passage = tuple[TextItem, ...]


class TextBatch(NamedTuple):
    """Outputs and what belongs to them, one entry each in every list.

    ``sources``, ``references`` and ``documents`` are empty lists where the metric does not read
    them, or nobody gave them. Where a metric needs documents, the segments of a document follow
    each other in their order, and a batch holds whole documents.
    """

    outputs: list[str]
    sources: list[str]
    references: list[tuple[str, ...]]
    documents: list[str]

    def __len__(self) -> int:  # of segments, not of lists
        return len(self.outputs)

    @classmethod
    def of(cls, items: Sequence[TextItem], reads: Needs) -> "TextBatch":
        """The texts of *items* that the metric reads."""
        return cls(
            [item.output for item in items],
            [item.source for item in items] if reads.source else [],
            [item.references for item in items] if reads.references else [],
            [item.document for item in items] if reads.document else [],
        )


def items_of(block: Block, outputs: Sequence[str], reads: Needs) -> list[TextItem]:
    """The outputs of one system in *block* with what is read beside them."""
    sources: Iterable[str] = block.sources if reads.source else [""] * len(outputs)
    references: Iterable[tuple[str, ...]] = [()] * len(outputs)
    if reads.references:
        references = [(e,) if isinstance(e, str) else tuple(e) for e in block.references]
    documents: Iterable[str | None] = block.documents if reads.document else [""] * len(outputs)
    columns = zip(outputs, sources, references, documents, strict=True)
    return [TextItem(text, source, entry, name or "") for text, source, entry, name in columns]


def passages_of(items: Sequence[TextItem], *, by_document: bool) -> Iterator[Passage]:
    """Items one by one, or those of a document together, which must follow each other."""
    if not by_document:
        yield from ((item,) for item in items)
        return
    seen: set[str] = set()
    for document, group in groupby(items, key=lambda item: item.document):
        if document in seen:
            raise DataError(
                f"the segments of document {document!r} do not follow each other; "
                "expected each document in one piece"
            )
        seen.add(document)
        yield tuple(group)


def place_without_reference(block: Block) -> int | None:
    """The place of the first segment that has no reference; an empty text is one."""
    if are_all_str(block.references):
        return None
    bare = (place for place, entry in enumerate(block.references) if not isinstance(entry, str))
    return next((place for place in bare if not len(block.references[place])), None)


def what_there_is(block: Block, reads: Needs) -> Needs:
    """What of the texts that a metric reads a block has."""
    return Needs(
        reads.source and len(block.sources) > 0,
        reads.references and place_without_reference(block) is None,
        reads.document and len(block.documents) > 0,
    )
