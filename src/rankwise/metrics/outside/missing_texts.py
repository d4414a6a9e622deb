"""What metrics need and the texts do not have, said before anything is computed."""

from collections.abc import Sequence

from rankwise.errors import DataError
from rankwise.metrics.metric_class import Metric
from rankwise.metrics.outside.text_batch import place_without_reference
from rankwise.types.text_block import Block


def must_have_texts_for(metrics: Sequence[Metric], block: Block) -> None:
    """Raise in one sentence unless *block* has all that *metrics* need."""
    if not len(block):
        return
    for metric in metrics:
        needs = metric.needs
        if needs.source and not len(block.sources):
            raise DataError(
                f"{metric.name} needs sources, and there are none; give --source with text files, "
                "or a test set that has them"
            )
        if needs.document:
            _must_have_documents(metric, block)
        place = place_without_reference(block) if needs.references else None
        if place is not None:
            raise DataError(
                f"segment {block.ids[place]} has no reference; expected at least one, which "
                f"{metric.name} needs"
            )


def _must_have_documents(metric: Metric, block: Block) -> None:
    if len(block.documents) and None not in block.documents:
        return
    where = "there are none"
    if len(block.documents):
        where = f"segment {block.ids[block.documents.index(None)]} has none"
    raise DataError(
        f"{metric.name} needs documents, and {where}; give --documents with text files, or a test "
        "set that has them"
    )
