"""Bradley-Terry with ties against the likelihood written down plainly and climbed by scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from rankwise import _core
from rankwise.aggregate import BradleyTerry
from rankwise.aggregate.models.connected import (
    has_finite_estimate,
    joined_groups,
    main_group,
    why_not_finite,
)
from rankwise.aggregate.models.met_pairs import MetPairs
from rankwise.aggregate.models.strengths import strength_deviations
from reference import strengths as slow


def davidson_chances(left, right, tie):
    nu = np.exp(tie)
    total = np.exp(left) + np.exp(right) + nu * np.exp((left + right) / 2)
    return np.exp(left) / total, nu * np.exp((left + right) / 2) / total


def rao_kupper_chances(left, right, tie):
    kappa = np.exp(tie)
    win = np.exp(left) / (np.exp(left) + kappa * np.exp(right))
    loss = np.exp(right) / (np.exp(right) + kappa * np.exp(left))
    return win, 1 - win - loss


MODELS = {
    "davidson": (slow.Davidson, davidson_chances),
    "rao-kupper": (slow.RaoKupper, rao_kupper_chances),
}


def most_likely(name, wins, ties):
    """The point that the native core finds."""
    pairs = MetPairs.of_matrices(wins, ties)
    points, missed = _core.most_likely_strengths(*pairs.native(), name, np.empty(0))
    assert missed == 0
    return points[0]


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
    point = most_likely(name, wins, ties)
    np.testing.assert_allclose(point, slow.most_likely(likelihood), atol=1e-9)
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
    point = most_likely(name, wins, ties)
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


def sparse_counts(systems, comparisons, seed, ties):
    """Wins and ties of some pairs of many systems."""
    random = np.random.default_rng(seed)
    left = random.integers(0, systems, comparisons)
    right = (left + random.integers(1, systems, comparisons)) % systems
    strength = random.normal(0, 1, systems)
    won = random.random(comparisons) < 1 / (1 + np.exp(strength[right] - strength[left]))
    tied = random.random(comparisons) < ties
    wins, drawn = np.zeros((2, systems, systems))
    np.add.at(wins, (left[won & ~tied], right[won & ~tied]), 1)
    np.add.at(wins, (right[~won & ~tied], left[~won & ~tied]), 1)
    np.add.at(drawn, (left[tied], right[tied]), 1)
    return wins, drawn + drawn.T


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("systems", "ties"), [(96, 0.1), (97, 0.1), (97, 0.0), (150, 0.3)])
def test_many_systems_have_the_estimate_of_the_slow_search(name, systems, ties):
    # Up to 96 systems equations are solved by elimination, above by conjugate gradients.
    wins, tied = sparse_counts(systems, 20 * systems, systems, ties)
    expected = slow.most_likely(MODELS[name][0](wins, tied))
    np.testing.assert_allclose(most_likely(name, wins, tied), expected, atol=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_a_long_chain_of_systems_has_the_estimate_of_the_slow_search(name):
    # The worst for conjugate gradients: the ends of the chain know of each other by 119 steps.
    wins = np.diag(np.full(119, 3.0), 1) + np.diag(np.full(119, 1.0), -1)
    ties = np.diag(np.full(119, 1.0), 1) + np.diag(np.full(119, 1.0), -1)
    expected = slow.most_likely(MODELS[name][0](wins, ties))
    np.testing.assert_allclose(most_likely(name, wins, ties), expected, rtol=1e-9, atol=1e-9)


@st.composite
def sparse_tables(draw):
    size = draw(st.integers(1, 7))
    pair = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    wins, ties = np.zeros((2, size, size))
    for row, column in draw(st.lists(pair, max_size=10)):
        wins[row, column] += row != column
    for row, column in draw(st.lists(pair, max_size=4)):
        ties[row, column] = ties[column, row] = ties[row, column] + (row != column)
    return wins, ties


@given(sparse_tables())
def test_what_comparisons_join_is_what_paths_join(tables):
    wins, ties = tables
    assert slow.has_finite_estimate(wins, ties) == has_finite_estimate(wins, ties)
    groups = slow.joined_groups(wins, ties)
    assert groups == joined_groups(wins, ties)
    largest = max(groups, key=len)  # the first of equal ones
    assert list(largest) == np.flatnonzero(main_group(wins, ties)).tolist()


@given(sparse_tables())
def test_the_reason_names_who_reaches_nobody_else(tables):
    wins, ties = tables
    if slow.has_finite_estimate(wins, ties) or len(slow.joined_groups(wins, ties)) > 1:
        return
    paths = slow.reachable((wins > 0) | (ties > 0))
    reason = why_not_finite([str(number) for number in range(len(wins))], wins, ties)
    for led, verb in ((paths, "never won against"), (paths.T, "never lost to")):
        ends = {tuple(np.flatnonzero(row).tolist()) for row in led if (led[row] == row).all()}
        named = {end for end in ends if len(end) < len(wins)}
        for end in named:
            assert f"{', '.join(map(str, end))} {verb}" in reason
        assert len(named) == reason.count(verb)


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper", "half", "drop"])
@pytest.mark.parametrize("prior", [0.0, 0.5])
def test_counts_as_columns_and_as_matrices_are_rated_alike(ties, prior):
    wins, tied = sparse_counts(12, 60, 4, 0.2)
    runs = np.stack([wins, wins.T, np.zeros_like(wins)]), np.stack([tied, 0 * tied, tied])
    model = BradleyTerry(ties=ties, prior=prior)
    together = model.resampled_scores(*runs)
    for row, *one in zip(together, *runs, strict=True):
        np.testing.assert_array_equal(row, model.resampled_scores(one[0][None], one[1][None])[0])


@pytest.mark.parametrize("name", MODELS)
def test_a_start_changes_nothing(name):
    random = np.random.default_rng(8)
    wins = random.integers(1, 9, (5, 12, 12)) * (1 - np.eye(12, dtype=int))
    ties = np.triu(random.integers(0, 5, (5, 12, 12)), 1)
    ties[3] = 0
    pairs = MetPairs.of_matrices(wins, ties + ties.swapaxes(1, 2))
    expected, _ = _core.most_likely_strengths(*pairs.native(), name, np.empty(0))
    for start in (expected[0], -expected[0], random.normal(0, 3, 13)):
        found, missed = _core.most_likely_strengths(*pairs.native(), name, start)
        assert missed == 0
        np.testing.assert_allclose(found[:, :-1], expected[:, :-1], atol=1e-12)
    with pytest.raises(ValueError, match="a strength per system and one number more"):
        _core.most_likely_strengths(*pairs.native(), name, np.zeros(12))
