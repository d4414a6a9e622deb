"""Charts: places worked out by hand, and every drawing is well-formed and has a title."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from rankwise.present.charts.box_chart import box_chart, quantiles, usual_range
from rankwise.present.charts.chart_canvas import (
    Scale,
    cut_name,
    name_width,
    padded_range,
    round_ticks,
)
from rankwise.present.charts.interval_chart import interval_chart
from rankwise.present.charts.matrix_chart import Square, matrix_chart
from rankwise.present.charts.rank_range_chart import rank_range_chart
from rankwise.present.charts.scatter_chart import scatter_chart
from rankwise.types import Leaderboard

NAN = float("nan")
HOSTILE = '</title><script>alert("1")</script>&'


def board(*names: str) -> Leaderboard:
    ranks = np.arange(1, len(names) + 1)
    high = np.minimum(ranks + 1, len(names))
    return Leaderboard(names, -ranks.astype(float), ranks, high, np.ones_like(ranks))


def drawings(names: tuple[str, ...]) -> dict[str, str]:
    numbers = [float(place) for place in range(len(names))]
    squares = [[Square("heat", 0.5, "1", name) for _ in names] for name in names]
    title = names[0]
    return {
        "intervals": interval_chart(
            names, numbers, [(n - 1, n + 1) for n in numbers], title=title, axis=title
        ),
        "ranks": rank_range_chart(board(*names), title=title),
        "scatter": scatter_chart(names, numbers, numbers, title=title, x_title=title, y_title="y"),
        "matrix": matrix_chart(names, names, squares, title=title),
        "numbered": matrix_chart(names, names, squares, title=title, numbered=True),
        "boxes": box_chart(names, [[n] * 5 for n in numbers], title=title, axis=title),
    }


@pytest.mark.parametrize("kind", drawings(("A", "B")))
@pytest.mark.parametrize("count", [1, 2, 40])
def test_every_drawing_is_well_formed_and_says_what_it_is(kind, count):
    names = (HOSTILE, *(f"system {number}" for number in range(1, count)))
    drawing = ElementTree.fromstring(drawings(names)[kind])
    assert drawing.get("role") == "img"
    assert drawing.get("aria-label") == drawing.find("title").text == HOSTILE
    assert drawing.find("desc") is not None
    assert {element.tag for element in drawing.iter()} <= {
        "svg", "title", "desc", "text", "line", "circle", "rect",
    }  # fmt: skip


@pytest.mark.parametrize("kind", drawings(("A", "B")))
def test_names_are_shown_without_what_they_share(kind):
    names = tuple(f"newstest2013.fr-en.{name}.2755" for name in ("uedin", "online-B"))
    shown = re.findall(r"<text[^>]*>([^<]*)</text>", drawings(names)[kind])
    assert any(text.split("  ")[0] == "uedin" for text in shown)


def attributes(drawing: str, tag: str, kind: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(drawing)
    return [dict(element.attrib) for element in root.iter(tag) if element.get("class") == kind]


def test_scales_and_ranges():
    assert Scale(0, 10, 100, 200)(10) == 200
    assert Scale(3, 3, 100, 200)(3) == 150  # nothing to spread: the middle
    assert padded_range([]) == (0.0, 1.0)
    assert padded_range([NAN, 4.0], share=0.5) == (2.0, 6.0)
    assert padded_range([0.0]) == (-1.0, 1.0)
    assert cut_name("abc", 3) == "abc"


@pytest.mark.parametrize(
    ("ends", "ticks"),
    [
        ((0, 100), [0, 20, 40, 60, 80, 100]),
        ((-15, -2.5), [-14, -12, -10, -8, -6, -4]),
        ((0.62, 0.71), [0.62, 0.64, 0.66, 0.68, 0.7]),
    ],
)
def test_ticks_are_round(ends, ticks):
    assert round_ticks(*ends) == pytest.approx(ticks)


def test_an_interval_spans_its_ends():
    drawing = interval_chart(("A", "B"), [2.0, 1.0], [(1.0, 3.0), (NAN, NAN)], title="t", axis="x")
    [bar] = attributes(drawing, "line", "range")  # that of B is not known
    left = name_width(("A", "B"))  # where the plot of 300 px begins; its values are 0.9 to 3.1
    assert float(bar["x1"]) == pytest.approx(left + 300 * 0.1 / 2.2, abs=0.06)
    assert float(bar["x2"]) == pytest.approx(left + 300 * 2.1 / 2.2, abs=0.06)
    assert len(attributes(drawing, "circle", "dot")) == 2


def test_lines_separate_clusters():
    drawing = interval_chart(
        ("A", "B", "C"), [3.0, 2.0, 1.0], [(NAN, NAN)] * 3, title="t", axis="x", clusters=[1, 1, 2]
    )
    [cut] = attributes(drawing, "line", "cut")
    assert float(cut["y1"]) == 8 + 2 * 24  # below the second row


def test_ranks_have_their_places():
    drawing = rank_range_chart(board("A", "B", "C"), title="t")
    bars = attributes(drawing, "line", "range")
    widths = [float(bar["x2"]) - float(bar["x1"]) for bar in bars]
    assert widths == pytest.approx([34, 34, 0], abs=0.11)  # ranks 1-2, 2-3, 3; 34 px each


def test_systems_without_a_value_are_not_dots():
    drawing = scatter_chart(
        ("A", "B", "C"), [1.0, 2.0, NAN], [1.0, 2.0, 3.0], title="t", x_title="x", y_title="y"
    )
    assert len(attributes(drawing, "circle", "dot")) == 2
    assert attributes(drawing, "line", "fit") == []  # two dots need no line


def test_the_line_goes_through_dots_that_lie_on_one():
    numbers = [0.0, 1.0, 2.0]
    drawing = scatter_chart("ABC", numbers, numbers, title="t", x_title="x", y_title="y")
    [fit] = attributes(drawing, "line", "fit")
    dots = attributes(drawing, "circle", "dot")
    for end, dot in (("1", dots[0]), ("2", dots[2])):
        assert float(fit[f"x{end}"]) == pytest.approx(float(dot["cx"]))
        assert float(fit[f"y{end}"]) == pytest.approx(float(dot["cy"]))


def test_names_do_not_cover_each_other():
    numbers = [1.0, 1.001, 1.002, 5.0]
    drawing = scatter_chart(
        ("alpha", "beta", "gamma", "delta"), numbers, numbers, title="t", x_title="x", y_title="y"
    )
    places = [(float(text["x"]), float(text["y"])) for text in attributes(drawing, "text", "name")]
    assert len(places) == 4  # beside the dot, or below the chart
    for place, one in enumerate(places):
        for two in places[place + 1 :]:
            assert abs(one[0] - two[0]) > 20 or abs(one[1] - two[1]) >= 10


def test_every_dot_has_its_name_or_a_number_that_the_key_explains():
    names = [f"system {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    numbers = [1 + place / 1000 for place in range(len(names))]
    drawing = scatter_chart(names, numbers, numbers, title="t", x_title="x", y_title="y")
    root = ElementTree.fromstring(drawing)
    shown = [text.text for text in root.iter("text") if text.get("class") == "name"]
    in_dots = [text.text for text in root.iter("text") if text.get("class") == "inverse"]
    key = dict(text.split(" ", 1) for text in shown if text[0].isdigit())
    assert list(key) == in_dots  # numbers from 1
    beside = {text for text in shown if not text[0].isdigit()}
    assert key and beside | set(key.values()) == set(names)
    lowest = max(float(text.get("y", 0)) for text in root.iter("text"))
    assert lowest < float(root.get("height"))


def test_strong_squares_are_opaque_and_empty_ones_have_no_colour():
    squares = [[Square(), Square("above", 0.75, ".01", "A better than B")]]
    drawing = matrix_chart(["A"], ["1", "2"], squares, title="t", numbered=True)
    [above] = attributes(drawing, "rect", "above")
    [none] = attributes(drawing, "rect", "none")
    assert above["fill-opacity"] == "0.75"
    assert "fill-opacity" not in none
    assert "<title>A better than B</title>" in drawing
    assert re.findall(r'class="inverse"[^>]*>([^<]*)', drawing) == [".01"]


def test_many_small_squares_have_neither_text_nor_tooltip():
    names = [str(number) for number in range(40)]
    squares = [[Square("heat", 0.5, "12", "tooltip")] * 40] * 40
    drawing = matrix_chart(names, names, squares, title="t", numbered=True)
    assert "tooltip" not in drawing and ">12<" not in drawing.replace('class="tick"', "")
    assert len(drawing) < 200_000


def test_boxes_span_quartiles():
    values = np.arange(0.0, 101.0)
    assert quantiles(values) == [5, 25, 50, 75, 95]
    drawing = box_chart(("A", "B"), [quantiles(values), [NAN] * 5], title="t", axis="x")
    [box] = attributes(drawing, "rect", "box")
    [whisker] = attributes(drawing, "line", "whisker")
    span = float(whisker["x2"]) - float(whisker["x1"])
    assert float(box["width"]) == pytest.approx(span * 50 / 90, abs=0.2)
    assert quantiles(np.array([NAN])) == pytest.approx([NAN] * 5, nan_ok=True)


def test_a_whisker_far_out_does_not_squash_the_boxes():
    boxes = [[0.0, 20, 30, 40, 60], [5.0, 20, 30, 40, 5000], [0.0, 21, 31, 41, 70]]
    assert usual_range(boxes) == (0, 100)  # 40 and three lengths of 20; all but one end before
    drawing = box_chart("ABC", boxes, title="t", axis="x")
    widths = [float(box["width"]) for box in attributes(drawing, "rect", "box")]
    assert widths == pytest.approx([300 * 20 / 110] * 3, abs=0.1)  # with room of 5 % at both ends
    assert re.findall("[◂▸]", drawing) == ["▸"]  # the one that goes on
    assert usual_range([[3.0] * 5, [9.0] * 5]) == (3, 9)  # boxes without a length
    assert usual_range([[NAN] * 5]) == (0, 1)


def test_a_whole_box_far_out_is_an_arrow():
    boxes = [[0.0, 1, 2, 3, 4]] * 3 + [[900.0, 910, 920, 930, 940]]
    drawing = box_chart("ABCD", boxes, title="t", axis="x")
    assert len(attributes(drawing, "line", "median")) == 3
    assert re.findall("[◂▸]", drawing) == ["▸"]
