"""Where errors lie: hand-worked tenths of segments and documents, and brute force."""

import json

import numpy as np

from rankwise.evaluate.marked.error_places import PARTS, error_places
from rankwise.present.charts.place_chart import place_chart
from rankwise.types import Assessments, Segment, TestSet


def span(start, end, severity="minor", **more):
    return {"start": start, "end": end, "severity": severity, "category": None, **more}


TEXTS = TestSet(
    tuple(Segment(str(n), "x", (), document="d") for n in (1, 2)),
    {"A": ("a" * 20, "b" * 30), "B": ("c" * 10, None), "C": ("d", "e")},
)


def marked(*looks):
    rows = [(system, segment, "ann", role, 1.0) for system, segment, role, _ in looks]
    cells = np.array([None if s is None else json.dumps(s) for *_, s in looks], object)
    return Assessments.from_rows(rows, info={"spans": cells})


SAID = marked(
    ("A", "1", "TGT", [span(0, 3), span(1, 3), span(2, 4, "major"), span(None, None)]),
    ("A", "2", "TGT", [span(27, 30), span(0, 5, side="source")]),
    ("B", "1", "TGT", []),
    ("B", "1", "BAD", [span(0, 10)]),
    ("C", "1", "TGT", None),
)


def test_tenths_of_segments():
    """Tenths of 2 and of 3 characters: [0, 3) is two of the first tenth and one of the second."""
    found = error_places(SAID, TEXTS)
    assert (found.systems, found.severities) == (("A", "B"), ("major", "minor"))
    major, minor = found.marked[0].tolist()
    assert minor == [2, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    assert major == [0, 2, 0, 0, 0, 0, 0, 0, 0, 0]
    assert found.judged.tolist() == [[5] * 10, [1] * 10]
    assert found.shares("minor")[:, 0].tolist() == [0.4, 0.0]


def test_tenths_of_documents():
    """A's document has 50 characters; the second segment begins at 20."""
    found = error_places(SAID, TEXTS, in_documents=True)
    major, minor = found.marked[0].tolist()
    assert minor == [3, 0, 0, 0, 0, 0, 0, 0, 0, 3] and major[0] == 2
    assert found.judged[0].tolist() == [5] * 10
    assert found.ordered(["B", "C"]).systems == ("B",)


def test_random_marks_equal_brute_force():
    random = np.random.default_rng(5)
    sizes = random.integers(1, 40, 30).tolist()
    texts = TestSet(
        tuple(Segment(str(n), "x", ()) for n in range(30)), {"A": tuple("a" * s for s in sizes)}
    )
    looks, expected = [], np.zeros(PARTS, int)
    for number, size in enumerate(sizes):
        start = int(random.integers(0, size))
        end = int(random.integers(start + 1, size + 1))
        looks.append(("A", str(number), "TGT", [span(start, end)]))
        for place in range(start, end):
            expected[10 * place // size] += 1
    found = error_places(marked(*looks), texts)
    assert found.marked[0, 0].tolist() == expected.tolist()
    assert found.judged.sum() == sum(sizes)
    assert error_places(marked(*looks), texts, in_documents=True) is None  # there are none


def test_nothing_marked_is_nothing_to_draw():
    assert error_places(marked(("A", "1", "TGT", [])), TEXTS) is None
    assert error_places(Assessments.from_rows([("A", "1", "ann", "TGT", 1.0)]), TEXTS) is None


def test_the_picture_says_percents_and_leaves_out_what_nobody_judged():
    shares = np.array([[0.5, np.nan], [0.016, 0.0]])
    drawn = place_chart(["good", "bad"], shares, title="Where")
    assert 'fill-opacity="1.00"' in drawn and ">50</text>" in drawn and ">1.6</text>" in drawn
    assert drawn.count('class="none"') == 1
    assert "good, 0 to 50 % of the text: 50.00 % marked" in drawn
