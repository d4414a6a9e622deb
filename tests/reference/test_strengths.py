"""Bradley-Terry with ties against the likelihood written down plainly and climbed by scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from rankwise.aggregate.models.connected import has_finite_estimate
from rankwise.aggregate.models.strengths import (
    Davidson,
    RaoKupper,
    most_likely,
    strength_deviations,
)


def davidson_chances(left, right, tie):
    nu = np.exp(tie)
    total = np.exp(left) + np.exp(right) + nu * np.exp((left + right) / 2)
    return np.exp(left) / total, nu * np.exp((left + right) / 2) / total


def rao_kupper_chances(left, right, tie):
    kappa = np.exp(tie)
    win = np.exp(left) / (np.exp(left) + kappa * np.exp(right))
    loss = np.exp(right) / (np.exp(right) + kappa * np.exp(left))
    return win, 1 - win - loss


MODELS = {"davidson": (Davidson, davidson_chances), "rao-kupper": (RaoKupper, rao_kupper_chances)}


def log_likelihood(chances, wins, ties, point):
    total, count = 0.0, len(wins)
    for i in range(count):
        for j in range(count):
            win, tie = chances(point[i], point[j], point[-1])
            if wins[i, j]:
                total += wins[i, j] * np.log(win)
            if i < j and ties[i, j]:
                total += ties[i, j] * np.log(tie)
    return total


@st.composite
def counts(draw):
    size = draw(st.integers(2, 4))
    cells = st.lists(st.integers(0, 4), min_size=size * size, max_size=size * size)
    wins = np.array(draw(cells), float).reshape(size, size)
    ties = np.triu(np.array(draw(cells), float).reshape(size, size), 1)
    np.fill_diagonal(wins, 0)
    return wins, ties + ties.T


@pytest.mark.parametrize("name", MODELS)
@given(data=counts(), strengths=st.lists(st.floats(-2, 2), min_size=4, max_size=4))
def test_value_and_derivatives_are_those_of_the_plain_likelihood(name, data, strengths):
    wins, ties = data
    kind, chances = MODELS[name]
    likelihood = kind(wins, ties)
    point = np.array([*strengths[: len(wins)], 0.4])
    if not ties.any():
        return
    assert log_likelihood(chances, wins, ties, point) == pytest.approx(likelihood.value(point))
    gradient, information = likelihood.derivatives(point)
    for k, unit in enumerate(np.eye(len(point)) * 1e-5):
        up, down = (likelihood.value(point + sign * unit) for sign in (1, -1))
        assert gradient[k] == pytest.approx((up - down) / 2e-5, abs=1e-4)
        up, down = (likelihood.derivatives(point + sign * unit)[0] for sign in (1, -1))
        np.testing.assert_allclose(information[k], (down - up) / 2e-5, atol=1e-4)


def can_move_without_loss(wins, ties):
    """Whether strengths, or the readiness to tie, can go on for ever without outcomes suffering.

    Moving by x and y, a win of i over j does not suffer where x_i - x_j >= 2 y and >= 0, a tie
    where 2 y >= |x_i - x_j|; strengths count from the first system's, and y is 0 without ties.
    """
    count = len(wins)
    rows = []
    for i, j in np.argwhere(wins > 0):
        row = np.zeros(count + 1)
        row[i], row[j] = -1, 1
        rows += [row, row + 2 * np.eye(count + 1)[-1]]
    for i, j in np.argwhere(ties > 0):
        row = np.zeros(count + 1)
        row[i], row[j], row[-1] = 1, -1, -2
        rows.append(row)
    bounds = [(0, 0)] + [(-1, 1)] * (count - 1) + [(-1, 1) if ties.any() else (0, 0)]
    rows = np.array(rows or np.zeros((1, count + 1)))
    return any(
        linprog(sign * unit, A_ub=rows, b_ub=np.zeros(len(rows)), bounds=bounds).fun < -1e-9
        for unit in np.eye(count + 1)
        for sign in (1, -1)
    )


@settings(max_examples=40)
@given(data=counts(), kept=st.floats(0, 0.6), seed=st.integers(0, 999))
def test_an_estimate_is_finite_where_nothing_can_move_for_ever(data, kept, seed):
    wins, ties = data
    shown = np.random.default_rng(seed).random(wins.shape) < kept
    wins, ties = wins * shown, ties * (shown & shown.T)
    assert has_finite_estimate(wins, ties) == (not can_move_without_loss(wins, ties))


@pytest.mark.parametrize("name", MODELS)
@given(data=counts())
def test_nothing_near_the_estimate_is_more_likely(name, data):
    wins, ties = data
    if not has_finite_estimate(wins, ties):
        return
    kind, _ = MODELS[name]
    likelihood = kind(wins, ties)
    point = most_likely(likelihood)
    assert point[:-1].sum() == pytest.approx(0, abs=1e-9)
    gradient, information = likelihood.derivatives(point)
    np.testing.assert_allclose(gradient, 0, atol=1e-7)
    # Semidefinite, and 0 only for moving all strengths alike.
    assert np.linalg.eigvalsh(information)[1] > 0


@pytest.mark.parametrize("name", MODELS)
def test_estimate_and_deviations_against_scipy(name):
    random = np.random.default_rng(5)
    wins = random.poisson(4, (5, 5)) * (1.0 - np.eye(5))
    ties = np.triu(random.poisson(3, (5, 5)), 1)
    ties = ties + ties.T
    kind, chances = MODELS[name]

    def loss(free):  # the last strength makes the sum 0
        point = np.array([*free[:4], -free[:4].sum(), free[4]])
        return -log_likelihood(chances, wins, ties, point)

    found = minimize(loss, np.array([0, 0, 0, 0, 0.5]), method="Nelder-Mead", options={
        "xatol": 1e-9, "fatol": 1e-12, "maxiter": 20000, "maxfev": 20000})  # fmt: skip
    likelihood = kind(wins, ties)
    point = most_likely(likelihood)
    np.testing.assert_allclose(point[:4], found.x[:4], atol=1e-6)
    assert point[-1] == pytest.approx(found.x[4], abs=1e-6)
    # The inverse of a numerical Hessian over the free parameters, mapped to all strengths.
    steps = np.eye(5) * 1e-4
    hessian = np.array(
        [
            [
                sum(
                    a * b * loss(found.x + a * steps[i] + b * steps[j])
                    for a in (1, -1)
                    for b in (1, -1)
                )
                / 4e-8
                for j in range(5)
            ]
            for i in range(5)
        ]
    )
    spread = np.vstack([np.eye(5)[:4], [-1, -1, -1, -1, 0]])
    expected = np.sqrt(np.diag(spread @ np.linalg.inv(hessian) @ spread.T))
    np.testing.assert_allclose(strength_deviations(likelihood, point), expected, rtol=1e-4)
