"""Do features and runs computed in parts, elsewhere, equal those computed here to the last bit?"""

import math
import os
import pickle
import signal

import numpy as np
import pytest

import rankwise as rw
from rankwise.aggregate import MODELS, RECIPES
from rankwise.aggregate.ranker import Ranker
from rankwise.engine import Site
from rankwise.errors import DataError
from rankwise.evaluate.metric_learning.computed_features import computed_features, features
from rankwise.evaluate.ranking.spread_ranking import SpreadRuns

FEATURES = ["beer", "beer-1.1", "beer-2.0:relative=z", "duh:relative=rank", "soft", "chrf"]


class Travelled:
    """A site whose work is pickled and done here: quick, and as far away as another process."""

    def __init__(self):
        self.parts = 0

    def values(self, function, items, *, on_done=None):
        self.parts += len(items)
        found = []
        for item in items:
            there, it = pickle.loads(pickle.dumps((function, item)))
            found.append(pickle.loads(pickle.dumps(there(it))))
            if on_done is not None:
                on_done(item)
        return found


@pytest.fixture(scope="module")
def data():
    return rw.example()


@pytest.fixture
def dask(cluster):
    return {"site": Site("dask", cluster.scheduler_address)}


def same(found, expected):
    """Boards without rounding: arrays by their bytes, as some hold nan."""
    names = [name for name in expected.__slots__ if hasattr(expected, name)]
    return all(
        np.asarray(getattr(found, name)).tobytes() == np.asarray(getattr(expected, name)).tobytes()
        if isinstance(getattr(expected, name), np.ndarray)
        else getattr(found, name) == getattr(expected, name)
        for name in names
    )


@pytest.mark.parametrize("name", FEATURES)
def test_parts_of_features(name, data):
    systems, segments = data.testset.systems, range(40)
    texts = [data.testset.outputs[s][place] for place in segments for s in systems]
    references = [data.testset.segments[place].references for place in segments for _ in systems]
    groups = [place for place in segments for _ in systems]
    chosen, site = features(name), Travelled()
    whole = computed_features(chosen, texts, references, groups)
    parts = computed_features(chosen, texts, references, groups, site=site, size=17)
    assert site.parts > 3
    assert whole.tobytes() == parts.tobytes()
    assert computed_features(chosen, [], [], [], site=site).shape == (0, len(chosen.names))


def test_a_model_learned_on_a_cluster(data, dask, tmp_path):
    given = (data.testset, data.judgments)
    here = rw.learn(*given, features="duh:subset=1-12")
    there = rw.learn(*given, features="duh:subset=1-12", cache=rw.FeatureCache(tmp_path), **dask)
    again = rw.learn(*given, features="duh:subset=1-12", cache=rw.FeatureCache(tmp_path))
    assert here.train.rows.tobytes() == there.train.rows.tobytes() == again.train.rows.tobytes()
    assert here.model.to_json() == there.model.to_json() == again.model.to_json()


@pytest.mark.parametrize("how", [*MODELS, *(f"recipe {name}" for name in RECIPES)])
def test_parts_of_runs(how, data):
    chosen = {"recipe": how.split()[1]} if how.startswith("recipe") else {"model": how}
    heard, site = [], Travelled()
    here, runs = Ranker(**chosen, runs=83).board_and_runs(data.judgments)
    spread = Ranker(**chosen, runs=83, spread=SpreadRuns(site))
    there, parts = spread.board_and_runs(data.judgments, progress=heard.append)
    assert site.parts == 28  # of 3 runs each, as 83 / 40 is more than 2
    assert sum(heard) == 83
    assert runs.tobytes() == parts.tobytes()
    assert same(there, here)


def test_runs_on_a_cluster_with_a_dying_worker(data, dask, cluster):
    pids = [worker.pid for worker in cluster.workers.values()]
    killed = []

    def kill(_):
        if not killed:
            killed.append(pids[1])
            os.kill(pids[1], signal.SIGKILL)

    here = rw.rank(data.judgments, "hopkins-may", runs=80)
    there = rw.rank(data.judgments, "hopkins-may", runs=80, progress=kill, **dask)
    assert killed
    assert same(there, here)


def test_runs_on_processes(data):
    here = rw.rank(data.judgments, recipe="wmt16", runs=20)
    assert same(rw.rank(data.judgments, recipe="wmt16", runs=20, site=Site(workers=2)), here)


def test_an_error_of_a_part_is_the_error_of_all():
    with pytest.raises(DataError, match="ValueError: "):
        Site(workers=1).values(math.sqrt, [1.0, -1.0])
