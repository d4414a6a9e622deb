"""TrueSkill and the sampler of Hopkins and May written the slow, obvious way."""

import math
from itertools import combinations

import numpy as np


def density(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def below(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def truncated(t, margin, is_tie):
    """v and w as the papers print them; for arguments where nothing underflows."""
    if not is_tie:
        v = density(t - margin) / below(t - margin)
        return v, v * (v + t - margin)
    a, b = margin - abs(t), -margin - abs(t)
    mass = below(a) - below(b)
    v = (density(b) - density(a)) / mass
    w = v * v + (a * density(a) - b * density(b)) / mass
    return math.copysign(v, v * t), w


def rate(skills, players, ranks, *, beta, epsilon, tau=0.0):
    """Two-player update of a list of (mean, variance)."""
    (one, first), (two, second) = sorted(zip(players, ranks, strict=True), key=lambda p: p[1])
    a, b = skills[one][1] + tau**2, skills[two][1] + tau**2
    c = math.sqrt(2 * beta**2 + a + b)
    v, w = truncated((skills[one][0] - skills[two][0]) / c, epsilon / c, first == second)
    skills[one] = (skills[one][0] + a / c * v, a * (1 - a / c**2 * w))
    skills[two] = (skills[two][0] - b / c * v, b * (1 - b / c**2 * w))


def generator_of_run(seed, run):
    """The stream of one run: numpy's, jumped once more for each."""
    return np.random.Generator(np.random.PCG64(seed).jumped(run + 1))


def opponent(skills, system, may, random):
    """Sixteen proposals, each accepted with probability exp(-|difference|); then the weights."""
    for _ in range(16):
        other = int(random.integers(len(skills) - 1))
        other += other >= system
        if not may(other):
            continue
        if random.random() < math.exp(-abs(skills[system][0] - skills[other][0])):
            return other
    allowed = [other for other in range(len(skills)) if other != system and may(other)]
    distances = [abs(skills[system][0] - skills[other][0]) for other in allowed]
    weights = [math.exp(min(distances) - distance) for distance in distances]
    left = random.random() * math.fsum(weights)
    for other, weight in zip(allowed, weights, strict=True):
        left -= weight
        if left < 0:
            return other
    return allowed[-1]


def selected_pairs(wins, ties, matches, seed, run, *, variance, beta, epsilon):
    """One run of match selection from matrices of wins and ties."""
    random, systems = generator_of_run(seed, run), range(len(wins))
    total = [[wins[i][j] + wins[j][i] + ties[i][j] for j in systems] for i in systems]
    skills = [(0.0, variance) for _ in systems]
    playing = [i for i in systems if any(total[i])]
    for _ in range(matches):
        one = max(playing, key=lambda i: (skills[i][1], i))
        two = opponent(skills, one, lambda other, i=one: total[i][other] > 0, random)
        pick = int(random.integers(total[one][two]))
        won, tied = wins[one][two], ties[one][two]
        ranks = (1, 2) if pick < won else (1, 1) if pick < won + tied else (2, 1)
        rate(skills, (one, two), ranks, beta=beta, epsilon=epsilon)
    return [skills[i][0] if i in playing else math.nan for i in systems]


def posterior(comparisons, systems, *, sigma, beta, epsilon, points=61):
    """Means and covariances of skills by brute force: the prior times every likelihood on a grid.

    comparisons: (better, worse, is_tie). Exact up to the grid; three systems at most.
    """
    axis = np.linspace(-5 * sigma, 5 * sigma, points)
    grid = np.stack(np.meshgrid(*[axis] * systems, indexing="ij")).reshape(systems, -1)
    logs = -((grid / sigma) ** 2).sum(axis=0) / 2
    scale = math.sqrt(2) * beta
    phi = np.vectorize(below)
    for better, worse, is_tie in comparisons:
        difference = grid[better] - grid[worse]
        if is_tie:
            chance = phi((epsilon - difference) / scale) - phi((-epsilon - difference) / scale)
        else:
            chance = phi((difference - epsilon) / scale)
        logs += np.log(np.maximum(chance, 1e-300))
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    means = grid @ weights
    centred = grid - means[:, None]
    return means, (centred * weights) @ centred.T


class Normals:
    """Marsaglia's polar method on numpy's uniform numbers."""

    def __init__(self, random):
        self.random, self.spare = random, None

    def __call__(self):
        if self.spare is not None:
            spare, self.spare = self.spare, None
            return spare
        while True:
            x, y = 2 * self.random.random() - 1, 2 * self.random.random() - 1
            square = x * x + y * y
            if 0 < square < 1:
                scale = math.sqrt(-2 * math.log(square) / square)
                self.spare = y * scale
                return x * scale


def centred(means, playing):
    level = sum(means[i] for i in playing) / len(playing)
    return [mean - level for mean in means]


def all_pairs(wins, ties, *, variance, beta, epsilon, rounds=60):
    """Means, and variances around their mean, of expectation propagation with whole matrices."""
    size = len(wins)
    outcomes = [(i, j, False, wins[i][j]) for i in range(size) for j in range(size) if wins[i][j]]
    outcomes += [(i, j, True, ties[i][j]) for i in range(size) for j in range(i) if ties[i][j]]
    messages = [(0.0, 0.0)] * len(outcomes)
    for _ in range(rounds):
        precision, weighted = np.eye(size) / variance, np.zeros(size)
        for (i, j, _, times), (sharpness, force) in zip(outcomes, messages, strict=True):
            step = np.zeros(size)
            step[i], step[j] = 1, -1
            precision += times * sharpness * np.outer(step, step)
            weighted += times * force * step
        covariance = np.linalg.inv(precision)
        means = covariance @ weighted
        for k, (i, j, is_tie, _) in enumerate(outcomes):
            spread = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            others = 1 / (1 / spread - messages[k][0])
            mean = ((means[i] - means[j]) / spread - messages[k][1]) * others
            c = math.sqrt(2 * beta**2 + others)
            v, w = truncated(mean / c, epsilon / c, is_tie)
            scale = 1 / (c**2 - others * w)
            messages[k] = w * scale, (v * c + mean * w) * scale
    centre = np.eye(size) - 1 / size
    return means, np.diag(centre @ covariance @ centre)


def kinds(wins, ties):
    """Columns of what may occur among systems, wins before ties, and a row of how often it did."""
    size = len(wins)
    rows = [
        (one, two, is_tie, int(table[one][two]))
        for one in range(size)
        for two in range(size)
        for is_tie, table in ((0, wins), (1, ties))
        if one < two or (one != two and not is_tie)
    ]
    better, worse, is_tie, counts = (np.array(column) for column in zip(*rows, strict=True))
    columns = better.astype(np.int32), worse.astype(np.int32), is_tie.astype(np.uint8)
    return *columns, counts.astype(np.int64)[np.newaxis]


def hopkins_may(wins, ties, seed, *, deviation, radius, iterations, burn_in):
    """All judgments in every iteration; counts small enough to draw one at a time."""
    systems = range(len(wins))
    cells = [
        (i, j, is_tie, matrix[i][j])
        for i in systems
        for j in systems
        for is_tie, matrix in ((False, wins), (True, ties))
        if matrix[i][j] and (not is_tie or i < j)
    ]
    counts = [sum(n for i, j, _, n in cells if s in (i, j)) for s in systems]
    playing = [s for s in systems if counts[s]]
    normals = Normals(generator_of_run(seed, 0))
    means, samples = centred([normals() for _ in systems], playing), []
    spread = math.sqrt(2) * deviation
    for _ in range(iterations):
        sums = [0.0] * len(means)
        for i, j, is_tie, n in cells:
            both = n * (means[i] + means[j]) + math.sqrt(n) * spread * normals()
            differences = 0.0
            for _ in range(n):
                t = means[i] - means[j] + spread * normals()
                differences += min(max(t, -radius), radius) if is_tie else max(t, radius)
            sums[i] += (both + differences) / 2
            sums[j] += (both - differences) / 2
        means = centred([total / max(1, n) for total, n in zip(sums, counts, strict=True)], playing)
        samples.append(means)
    kept = np.array(samples[burn_in:])
    return kept.mean(axis=0), kept.var(axis=0, ddof=1)


def hopkins_may_segments(rankings, systems, seed, *, deviation, radius, iterations):
    """The published code. rankings: by segment, lists of [(system, rank), ...]."""
    normals = Normals(generator_of_run(seed, 0))
    playing = sorted({system for segment in rankings for r in segment for system, _ in r})
    means = centred([normals() for _ in range(systems)], playing)
    qualities = {system: {} for system in playing}
    for _ in range(iterations):
        for number, segment in enumerate(rankings):
            ranking = segment[int(normals.random.integers(len(segment)))]
            drawn = {system: [] for system, _ in ranking}
            for pair in combinations(ranking, 2):
                (one, first), (two, second) = sorted(pair, key=lambda item: item[1])
                q1, q2 = means[one] + deviation * normals(), means[two] + deviation * normals()
                t = q1 - q2
                wanted = min(max(t, -radius), radius) if first == second else max(t, radius)
                drawn[one].append(q1 + (wanted - t) / 2)
                drawn[two].append(q2 - (wanted - t) / 2)
            for system, values in drawn.items():
                qualities[system][number] = sum(values) / len(values)
        for system in (system for system in playing if qualities[system]):
            means[system] = sum(qualities[system].values()) / len(qualities[system])
    return means
