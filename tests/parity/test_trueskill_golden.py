"""TrueSkill against numbers of the PyPI package and of the original WMT code."""

import json

import numpy as np
import pytest

from rankwise import _core
from rankwise.aggregate import TrueSkill
from rankwise.aggregate.models.trueskill import draw_margin
from rankwise.io import read_judgments
from shared_data import needs_shared, shared

pytestmark = needs_shared


@pytest.fixture(scope="module")
def golden():
    return json.loads(shared("golden/trueskill-updates.json").read_text())


def rated(case, means, deviations, players, ranks):
    """Means and deviations of all players after one match."""
    means, variances = _core.rate_matches(
        means,
        deviations**2,
        np.array([0, len(players)]),
        np.array(players, np.int32),
        np.array(ranks, float),
        beta=case["beta"],
        epsilon=draw_margin(case["draw_probability"], beta=case["beta"]),
        tau=case["tau"],
    )
    return means, np.sqrt(variances)


@pytest.mark.parametrize("grid", ["vw_grid", "vw_extreme"])
@pytest.mark.parametrize("kind", ["win", "tie"])
def test_v_and_w(golden, grid, kind):
    rows = [row for row in golden[grid] if row["exact"][f"v_{kind}"] is not None]
    t, margin = (np.array([row[name] for row in rows], float) for name in ("t", "eps"))
    found = _core.truncated(t, margin, kind == "tie")
    for column, name in enumerate("vw"):
        expected = [row["exact"][f"{name}_{kind}"] for row in rows]
        np.testing.assert_allclose(found[:, column], expected, rtol=1e-12, atol=1e-13)


def test_draw_margins(golden):
    for row in golden["draw_margin"]:
        found = draw_margin(row["draw_probability"], beta=row["beta"])
        assert found == pytest.approx(row["scipy"], rel=1e-13)


def test_two_player_sequences(golden):
    for case in golden["two_player"]:
        prior = case.get("prior", [case["mu"], case["sigma"]] * 2)
        means, deviations = np.array(prior[0::2]), np.array(prior[1::2])
        for outcome, state in zip(case["sequence"], case["states"]["scipy"], strict=True):
            ranks = {"w": (1, 2), "l": (2, 1), "d": (1, 1)}[outcome]
            means, deviations = rated(case, means, deviations, (0, 1), ranks)
            found = np.stack([means, deviations], axis=1).ravel()
            np.testing.assert_allclose(found, state, rtol=1e-12, atol=1e-12)


def test_free_for_alls(golden):
    for case in golden["free_for_all"]:
        prior = np.array(case["prior"])
        players = range(len(prior))
        found = rated(case, prior[:, 0].copy(), prior[:, 1].copy(), players, case["ranks"])
        np.testing.assert_allclose(
            np.transpose(found), case["posterior"]["scipy"], rtol=1e-12, atol=1e-12
        )


def test_free_for_all_sequences(golden):
    for case in golden["free_for_all_sequences"]:
        count = len(case["games"][0])
        means, deviations = np.full(count, case["mu"]), np.full(count, case["sigma"])
        for ranks, state in zip(case["games"], case["states"]["scipy"], strict=True):
            means, deviations = rated(case, means, deviations, range(count), ranks)
            np.testing.assert_allclose(
                np.stack([means, deviations], 1), state, rtol=1e-12, atol=1e-12
            )


@pytest.mark.parametrize("ways", [2, 3])
def test_a_thousand_matches_of_the_original(golden, ways):
    case = golden[f"trace_wmt13_fr-en_n{ways}"]
    players, ranks = (
        np.array([value for match in case["observations"] for value in match[part]])
        for part in (0, 1)
    )
    count = len(case["systems"])
    found = _core.rate_matches(
        np.zeros(count),
        np.full(count, case["sigma"] ** 2),
        np.arange(0, len(players) + 1, ways),
        players.astype(np.int32),
        ranks.astype(float),
        beta=case["beta"],
        epsilon=draw_margin(case["draw_probability"], beta=case["beta"]),
        tau=case["tau"],
    )
    # The original ran the package's default backend, which is 1e-7 wrong.
    np.testing.assert_allclose(found.T, case["final_mu_and_variance"], atol=1e-7)


def test_replay_of_wmt13_in_order():
    expected = json.loads(shared("golden/trueskill.json").read_text())["deterministic"]
    replay = expected["replay_pairs_file_order"]
    judgments = read_judgments(shared("data/rankings/wmt13_fr-en_train.csv.gz"))
    model = TrueSkill(selection="replay", beta="code", draw_probability=0.25)
    ratings = model.ratings(judgments)
    order = [ratings.systems.index(name) for name in expected["systems"]]
    np.testing.assert_allclose(ratings.means[order], replay["mu"], rtol=1e-9)
    np.testing.assert_allclose(ratings.deviations[order] ** 2, replay["sigma2"], rtol=1e-12)
