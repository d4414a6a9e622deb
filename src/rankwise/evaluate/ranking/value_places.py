"""Documents and domains for values that name none: those of the texts that were judged."""

from dataclasses import replace

import numpy as np

from rankwise.aggregate.scalar.judged_values import DOCUMENT, DOMAIN
from rankwise.types import Assessments, TestSet


def with_places(assessments: Assessments, texts: TestSet | None) -> Assessments:
    """The judgments with the documents and domains of the texts, by the ids of segments.

    What the judgments say themselves stays; a segment that the texts do not have has no place.

    >>> from rankwise.types import Segment
    >>> rows = [("A", "1", "ann", "TGT", 80.0)]
    >>> texts = TestSet((Segment("1", "Ja.", document="talk"),))
    >>> with_places(Assessments.from_rows(rows), texts).info["document"]
    array(['talk'], dtype=object)
    """
    if texts is None:
        return assessments
    known = {name.lower() for name in assessments.info}
    info = dict(assessments.info)
    for names in (DOCUMENT, DOMAIN):
        column = names[0]
        places = {segment.id: getattr(segment, column) for segment in texts.segments}
        found = [places.get(segment) for segment in assessments.segments]
        if not known & set(names) and any(place is not None for place in found):
            info[column] = np.array(found, object)[assessments.segment]
    return replace(assessments, info=info)
