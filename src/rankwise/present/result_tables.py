"""The table of every result: one way to look at whatever a public function returns."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from rankwise.errors import MissingExtra
from rankwise.present.tables import Cell, Column, Table, one_type

if TYPE_CHECKING:
    from rankwise.aggregate.asking.campaign_replay import Replay
    from rankwise.evaluate.comparing.two_systems import TwoSystems
    from rankwise.evaluate.group_boards import GroupBoards
    from rankwise.evaluate.list_agreement import ListAgreement
    from rankwise.evaluate.marked.span_agreement import SpanAgreement
    from rankwise.evaluate.meta.against_people import Agreement
    from rankwise.evaluate.meta.meta_evaluation import MetaEvaluation
    from rankwise.evaluate.metric_learning.learned import Learned
    from rankwise.evaluate.ranking.judge_agreement import JudgeAgreement
    from rankwise.evaluate.ranking.order_effects import OrderEffects
    from rankwise.evaluate.ranking.prediction_curves import PredictionCurve
    from rankwise.evaluate.ranking.predictions import Prediction
    from rankwise.evaluate.ranking.proxy_ranking import ProxyRanking
    from rankwise.evaluate.ranking.value_ranking import ValueRanking
    from rankwise.evaluate.scoreboard import Scoreboard
    from rankwise.judging.model_verdicts import ModelVerdicts
    from rankwise.types import Judgments, Leaderboard, Study


def table_of(result: object, *, for_programs: bool = False) -> Table:
    """The table of a result: narrow for people, or with every number in a column of its own."""
    return TABLES[type(result).__name__](result, for_programs)


def data_frame(table: Table) -> Any:
    """The table as a pandas data frame, its facts in ``attrs``."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtra("to_pandas needs pandas: pip install 'rankwise[pandas]'") from error
    frame = pd.DataFrame(table.rows, columns=[column.name for column in table.columns])
    frame.attrs.update(table.facts)
    return frame


def polars_frame(table: Table) -> Any:
    """The table as a polars data frame; its columns have one type each."""
    try:
        polars = import_module("polars")
    except ImportError as error:
        raise MissingExtra("to_polars needs polars: pip install 'rankwise[polars]'") from error
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    named = zip(table.columns, columns, strict=True)
    return polars.DataFrame({column.name: one_type(cells) for column, cells in named})


def _leaderboard(board: "Leaderboard", for_programs: bool) -> Table:
    from rankwise.present import rank_tables

    make = rank_tables.leaderboard_rows if for_programs else rank_tables.leaderboard_table
    return make(board)


def _values(ranking: "ValueRanking", for_programs: bool) -> Table:
    from rankwise.present.values import value_tables

    return (
        value_tables.ranking_rows([ranking]) if for_programs else value_tables.value_table(ranking)
    )


def _with_proxy(ranking: "ProxyRanking", for_programs: bool) -> Table:
    from rankwise.present.values import proxy_tables

    return proxy_tables.proxy_rows([ranking]) if for_programs else proxy_tables.proxy_table(ranking)


def _scoreboard(board: "Scoreboard", for_programs: bool) -> Table:
    from rankwise.present import score_tables

    make = score_tables.table_for_programs if for_programs else score_tables.table_for_people
    return make(board)


def _two_systems(found: "TwoSystems", for_programs: bool) -> Table:
    from rankwise.present.comparing.compare_tables import difference_table

    return difference_table(found, for_programs=for_programs)


def _groups(found: "GroupBoards", for_programs: bool) -> Table:
    from rankwise.present.group_tables import groups_table

    return groups_table(found, for_people=not for_programs)


def _meta(found: "MetaEvaluation", for_programs: bool) -> Table:
    from rankwise.present.meta_tables import meta_table

    return meta_table(found, for_people=not for_programs)


def _agreement(found: "Agreement", _: bool) -> Table:
    from rankwise.present.meta_tables import agreement_table

    return agreement_table([found])


def _lists(found: "ListAgreement", _: bool) -> Table:
    from rankwise.present.list_tables import list_table

    return list_table(found, {})


def _judges(found: "JudgeAgreement", _: bool) -> Table:
    from rankwise.present.rank_tables import kinds_table

    return kinds_table((found.inter, found.intra), found_texts=found.found_texts)


def _spans(found: "SpanAgreement", _: bool) -> Table:
    from rankwise.present.values.span_tables import span_table

    return span_table(found)


def _learned(found: "Learned", _: bool) -> Table:
    from rankwise.present.learn_tables import weight_table

    return weight_table(found)


def _prediction(found: "Prediction", _: bool) -> Table:
    from rankwise.present.prediction_tables import prediction_table

    return prediction_table([("", found)])


def _curve(found: "PredictionCurve", _: bool) -> Table:
    from rankwise.present.prediction_tables import prediction_curve_table

    return prediction_curve_table([("", found)])


def _verdicts(found: "ModelVerdicts", for_programs: bool) -> Table:
    from rankwise.present.judging.judging_tables import verdicts_table

    return verdicts_table(found, for_programs=for_programs)


def _effects(found: "OrderEffects", for_programs: bool) -> Table:
    from rankwise.present.judging.judging_tables import effects_table

    return effects_table(found, for_programs=for_programs)


def _replay(found: "Replay", _: bool) -> Table:
    from rankwise.present.replay_tables import replay_table

    return replay_table(found)


def _study(study: "Study", _: bool) -> Table:
    """A row for every system: what there is about it, human and given scores as means."""
    columns, cells = [Column("system")], [list[Cell](study.systems)]
    if study.texts is not None:
        outputs = study.texts.outputs
        columns.append(Column("outputs", "right"))
        cells.append([sum(t is not None for t in outputs[name]) for name in study.systems])
    if study.judgments is not None:
        columns.append(Column("rankings", "right"))
        counts = dict(zip(study.judgments.systems, _times(study.judgments), strict=True))
        cells.append([counts.get(name, 0) for name in study.systems])
    given = dict(study.scores)
    if study.human is not None:
        given = {study.human.name or "human": study.human} | given
    for name, scores in given.items():
        columns.append(Column(name, "right", ".3f"))
        means = scores.means()
        cells.append([means.get(system) for system in study.systems])
    return Table(columns, list(zip(*cells, strict=True)), notes=study.notes)


def _times(judgments: "Judgments") -> list[int]:
    """In how many rankings every system stands."""
    found: list[int] = np.bincount(judgments.system, minlength=len(judgments.systems)).tolist()
    return found


TABLES: dict[str, Callable[[Any, bool], Table]] = {
    "Agreement": _agreement,
    "GroupBoards": _groups,
    "JudgeAgreement": _judges,
    "Leaderboard": _leaderboard,
    "Learned": _learned,
    "PredictionCurve": _curve,
    "ListAgreement": _lists,
    "MetaEvaluation": _meta,
    "ModelVerdicts": _verdicts,
    "OrderEffects": _effects,
    "Prediction": _prediction,
    "ProxyRanking": _with_proxy,
    "Replay": _replay,
    "Scoreboard": _scoreboard,
    "SpanAgreement": _spans,
    "Study": _study,
    "TwoSystems": _two_systems,
    "ValueRanking": _values,
}
