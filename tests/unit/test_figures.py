"""Figures: what they show, that equal input gives equal bytes, and what is refused."""

import builtins

import numpy as np
import pytest

from rankwise.aggregate.ranker import Ranker
from rankwise.errors import DataError, MissingExtra
from rankwise.evaluate.ranking.human_parts import Part
from rankwise.evaluate.ranking.human_ranking import with_counts
from rankwise.present import rank_figures
from rankwise.present.figures.clusters_by_data import clusters_by_data
from rankwise.present.figures.early_late import early_late, pair_counts
from rankwise.present.figures.figure_canvas import new_figure, rendered, short_names
from rankwise.present.figures.heat_map import heat_map
from rankwise.present.figures.rank_ranges import rank_ranges
from rankwise.present.figures.rating_intervals import rating_intervals
from rankwise.present.rank_figures import KINDS, figure
from rankwise.types import Judgments, Leaderboard, Ranking

pytest.importorskip("matplotlib")

MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def board(low=(1, 2, 2), high=(1, 3, 3), clusters=(1, 2, 2)):
    columns = (np.array(column) for column in (low, high, clusters))
    return Leaderboard(("set.A", "set.B", "set.C"), np.array([0.9, 0.4, 0.2]), *columns)


def texts(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def test_rank_ranges_show_ranges_boxes_and_lines():
    ranks = np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3]])
    drawn = rank_ranges(board(), ranks, title="fr-en")
    (axes,) = drawn.axes
    assert (axes.get_title(), texts(axes)) == ("fr-en", ["A", "B", "C"])
    ranges, runs = (
        [(segment[0, 0], segment[1, 0]) for segment in lines.get_segments()]
        for lines in axes.collections
    )
    assert ranges == [(1, 1), (2, 3), (2, 3)]
    assert runs == [(1, 1), (2, 3), (2, 3)]
    boxes = [(box.get_x(), box.get_width()) for box in axes.patches]
    assert boxes == [(1, 0), (2, 0.25), (2.75, 0.25)]
    means, cut = axes.lines
    assert means.get_xdata().tolist() == [1, 2.25, 2.75]
    assert set(cut.get_ydata()) == {0.5}
    assert len(rank_ranges(board()).axes[0].patches) == 0


def test_the_heat_of_a_pair_is_its_share():
    counts = np.array([[0, 6, 3], [6, 0, 1], [3, 1, 0]])
    drawn = heat_map(("A", "B", "C"), counts)
    shown = drawn.axes[0].images[0].get_array()
    np.testing.assert_allclose(shown.filled(-1), [[-1, 60, 30], [60, -1, 10], [30, 10, -1]])
    assert texts(drawn.axes[0]) == ["A  1", "B  2", "C  3"]


def test_early_and_late_are_the_first_and_the_last():
    left, right = np.array([0, 0, 0, 0, 2]), np.array([1, 1, 2, 2, 1])
    drawn = early_late(("A", "B", "C"), left, right)
    everything, first, last = (axes.images[0].get_array().filled(-1) for axes in drawn.axes[:3])
    assert everything[0].tolist() == [-1, 40, 40]
    assert first[0].tolist() == [-1, 100, 0]
    assert last[1].tolist() == [0, -1, 100]
    assert [axes.get_title() for axes in drawn.axes[:3]] == [
        "all, 5 comparisons",
        "first 20%",
        "last 20%",
    ]
    assert pair_counts(left, right, 3).sum() == 10


def test_clusters_are_means_with_their_range():
    found = {"trueskill": np.array([[1, 3], [2, 5]]), "expected-wins": np.array([[1, 2], [1, 2]])}
    drawn = clusters_by_data([10, 20], found, systems=6)
    first, second = drawn.axes[0].lines
    assert (first.get_xdata().tolist(), first.get_ydata().tolist()) == ([10, 20], [1.5, 4.0])
    assert second.get_ydata().tolist() == [1, 2]
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == list(found)


def test_ratings_have_their_deviations():
    drawn = rating_intervals(board(), np.array([0.1, 0.2, 0.3]))
    (bars,) = drawn.axes[0].collections
    ends = [(segment[0, 0], segment[1, 0]) for segment in bars.get_segments()]
    np.testing.assert_allclose(ends, [(0.8, 1.0), (0.2, 0.6), (-0.1, 0.5)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("file_format", MAGIC)
def test_equal_figures_are_equal_files(kind, file_format, monkeypatch):
    monkeypatch.setattr(rank_figures, "REPEATS", 1)
    monkeypatch.setattr(rank_figures, "STEPS", 2)
    random = np.random.default_rng(0)
    data = Judgments.from_rankings(
        Ranking(str(s), "ann", tuple("ABC"), tuple(random.permutation(3).tolist()))
        for s in range(40)
    )
    ranker = Ranker(runs=10)
    ranking = with_counts(Part({}, data), ranker.board(data))
    first, second = (rendered(figure(kind, ranking, ranker), file_format) for _ in range(2))
    assert first == second
    assert first.startswith(MAGIC[file_format])


def test_names_lose_what_all_share():
    assert short_names(["a.x", "a.y"]) == ["x", "y"]
    assert short_names(["a.x.en", "a.y.de.en"]) == ["x", "y.de"]
    assert short_names(["a", "a.b"]) == ["a", "a.b"]
    assert short_names(["a.b"]) == ["a.b"]
    assert short_names(["a.b", "a.b"]) == ["b", "b"]
    assert short_names([]) == []


def test_what_is_refused():
    with pytest.raises(DataError, match=r"ranks have shape \(4, 2\); expected \(runs, 3\)"):
        rank_ranges(board(), np.ones((4, 2)))
    with pytest.raises(DataError, match=r"counts have shape \(2, 2\); expected \(3, 3\)"):
        heat_map(("A", "B", "C"), np.ones((2, 2)))
    with pytest.raises(DataError, match="too few"):
        early_late(("A", "B"), np.array([0]), np.array([1]))
    with pytest.raises(DataError, match="no sizes"):
        clusters_by_data([], {}, systems=3)
    with pytest.raises(DataError, match="deviations have shape"):
        rating_intervals(board(), np.ones(2))
    with pytest.raises(DataError, match="unknown figure format 'gif'; choose from png, svg, pdf"):
        rendered(new_figure(1, 1)[0], "gif")


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def refuse(name, *arguments, **options):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r"pip install 'rankwise\[plot\]'"):
        new_figure(1, 1)
