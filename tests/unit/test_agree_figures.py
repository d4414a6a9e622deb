"""Pictures: what is drawn, without looking at pixels."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from rankwise.present.figures.figure_canvas import rendered
from rankwise.present.figures.measures import measures_over_experiments
from rankwise.present.figures.scatter import outliers, scatter
from rankwise.present.figures.significance import significance_matrix


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_a_scatter_names_the_systems_that_do_not_fit():
    human = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, np.nan])
    metric = np.array([1.0, 2.0, 3.0, 9.0, 5.0, 6.0, 7.0])
    figure = scatter("abcdefg", human, metric, title="en-de")
    assert texts(figure) == ["d"]
    assert figure.axes[0].get_title() == "en-de"


def test_a_scatter_names_outliers_of_people():
    human = np.array([70.0, 71.0, 72.0, 73.0, 20.0])
    assert texts(scatter("abcde", human, human)) == ["e"]


def test_outliers_need_a_spread():
    assert outliers(np.array([1.0, 1.0, 1.0, 5.0])).tolist() == [False] * 4
    assert outliers(np.array([])).tolist() == []


def test_experiments_are_ordered_by_a_measure():
    values = {"tau": np.array([0.1, 0.3, 0.2]), "mrr": np.array([0.5, 0.4, np.nan])}
    figure = measures_over_experiments(["x", "y", "z"], values)
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["y", "z", "x"]
    assert [line.get_label() for line in axes.lines] == ["tau", "mrr"]
    assert axes.lines[0].get_ydata().tolist() == [0.3, 0.2, 0.1]


def test_a_matrix_has_a_square_for_every_pair():
    better = np.array([[np.nan, 0.01], [0.99, np.nan]])
    axes = significance_matrix(["one", "two"], better).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["one", "two"]
    shown = axes.images[0].get_array()
    assert shown.mask.tolist() == [[True, False], [False, True]]
    assert shown[0, 1] == 0.01


def test_the_same_figure_gives_the_same_bytes():
    pictures = [rendered(scatter("abc", np.arange(3.0), np.arange(3.0)), "png") for _ in range(2)]
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(b"\x89PNG")
