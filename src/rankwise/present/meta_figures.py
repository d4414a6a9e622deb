"""The pictures of a meta-evaluation."""

import re
from collections.abc import Iterator

import numpy as np

from rankwise.agreement.tables.correlation import pearson
from rankwise.evaluate.meta.meta_evaluation import MetaEvaluation, MetaTask
from rankwise.evaluate.meta.meta_scores import PairScores
from rankwise.present.figures.figure_canvas import rendered
from rankwise.present.figures.measures import measures_over_experiments
from rankwise.present.figures.scatter import scatter
from rankwise.present.figures.significance import significance_matrix

#: How many metrics, best first, get a scatter plot.
SCATTERED = 6


def figures(found: MetaEvaluation) -> Iterator[tuple[str, bytes]]:
    """Names and PNG pictures: all measures, significance per task, the best metrics by system."""
    order = found.order.tolist()
    names = [found.metrics[place] for place in order]
    if len(found.tasks) > 1:
        lines = {task.label: task.numbers[order] for task in found.tasks}
        yield "measures", rendered(measures_over_experiments(names, lines, label="metrics"), "png")
    if found.trial.test != "none":
        for task in found.tasks:
            yield f"significance-{_file(task.label)}", _matrix(found, task)
    for scores in found.data:
        for name in [name for name in names if name in scores.metrics][:SCATTERED]:
            yield f"scatter-{scores.pair}-{_file(name)}", _scatter(scores, name)


def _matrix(found: MetaEvaluation, task: MetaTask) -> bytes:
    order = np.argsort(-task.numbers, kind="stable")
    order = order[~np.isnan(task.numbers[order])]
    names = [found.metrics[place] for place in order.tolist()]
    matrix = significance_matrix(names, task.better[np.ix_(order, order)], title=task.label)
    return rendered(matrix, "png")


def _scatter(scores: PairScores, name: str) -> bytes:
    human, metric = scores.gold.systems[:, 0], scores.metrics[name].systems[:, 0]
    figure = scatter(
        scores.systems,
        human,
        metric,
        title=f"{scores.pair}: r = {pearson(human, metric):.3f}",
        human_label=scores.gold_name or "human",
        metric_label=name,
    )
    return rendered(figure, "png")


def _file(label: str) -> str:
    """A label as part of a file name."""
    return re.sub(r"[^\w.+-]+", "-", label).strip("-")
