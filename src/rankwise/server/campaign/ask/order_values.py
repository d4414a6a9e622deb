"""Rankings of the columns of documents as values, so that documents are chosen by them too."""

from collections.abc import Mapping

import numpy as np

from rankwise.server.campaign.ask.document_windows import Windows
from rankwise.types import Assessments, Judgments, TestSet


def order_values(judgments: Judgments, found: Windows, testset: TestSet) -> Assessments:
    r"""What every ranking says about its systems: the share of the others that each beats.

    .. math:: v_s = \frac{|\{t : s \succ t\}| + |\{t : s = t\}| / 2}{k - 1}

    with t over the k - 1 other systems of the screen. That a system met strong ones lowers the
    values of its whole screen alike, which what documents and judges have in common takes away
    (``aggregate.asking.score_posterior``). Skipped screens, and controls, have no values.
    """
    first = _first_segments(found, testset)
    rows: list[tuple[str, str, str, str, float]] = []
    documents: list[str] = []
    for ranking in judgments:
        ranked = [
            (name, rank)
            for name, rank in zip(ranking.systems, ranking.ranks, strict=True)
            if rank is not None and name in testset.outputs
        ]
        if len(ranked) < 2:
            continue
        ranks = np.array([rank for _, rank in ranked], np.float64)
        beaten = (ranks[:, None] < ranks).sum(axis=1)
        equal = (ranks[:, None] == ranks).sum(axis=1) - 1
        values = (beaten + equal / 2) / (len(ranked) - 1)
        for (name, _), value in zip(ranked, values.tolist(), strict=True):
            rows.append((name, ranking.segment, ranking.judge, "TGT", value))
            documents.append(first.get(ranking.segment, ranking.segment))
    info = {"document": np.array(documents, object)}
    return Assessments.from_rows(rows, name=testset.name, info=info)


def _first_segments(found: Windows, testset: TestSet) -> Mapping[str, str]:
    """The first segment of the document that each segment is in."""
    return {
        testset.segments[place].id: testset.segments[part[0]].id
        for part in found.places
        for place in part
    }
