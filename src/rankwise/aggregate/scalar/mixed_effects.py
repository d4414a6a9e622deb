r"""System means that take away how strict judges and how hard segments were: a mixed model.

.. math:: y_i = \mu_{s(i)} + a_{j(i)} + b_{g(i)} + e_i, \quad
          a \sim N(0, \sigma_a^2),\ b \sim N(0, \sigma_b^2),\ e \sim N(0, \sigma_e^2)

The means of systems are fixed, the effects of judges and of segments are drawn. Where all systems
were judged on the same segments by the same judges, the estimates are the plain means; where some
were judged by milder people or on easier texts, they are not. Henderson (1953), Biometrics 9.
"""

from dataclasses import dataclass, replace

import numpy as np

from rankwise.aggregate.scalar.judged_values import Codes, Floats, table_of_counts

#: When variances no longer change, as a share of all variance, and after how many steps at most.
_CLOSE = 1e-4
_STEPS = 200
#: No variance is called less than this share of all: a ratio of variances must be finite.
_LEAST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class MixedFit:
    """The means of systems, the influence (S, N) of every judgment on them, and the variances.

    The means are linear in the values, and so is their error: the effects of judges and segments
    and the noise, times their weights. ``influence`` shares it out: the noise to the judgment it
    is of, the effect of a judge or a segment evenly to the judgments of them.
    """

    means: Floats
    influence: Floats
    judge_variance: float
    segment_variance: float
    noise_variance: float


def mixed_fit(value: Floats, system: Codes, judge: Codes, segment: Codes) -> MixedFit:
    """The model fitted by restricted maximum likelihood (steps of expectation-maximisation).

    Numbers are from 0, and each occurs. With one judge there is no effect of judges. Here the
    second judge, who is stricter, judged less, and counts for almost as much as the first.

    >>> value = np.array([80.0, 60.0, 50.0, 30.0, 71.0, 52.0])
    >>> codes = (np.array([0, 1] * 3), np.array([0, 0, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 2, 2]))
    >>> mixed_fit(value, *codes).means.round(2)
    array([63.06, 43.39])
    """
    equations = _Equations.of(value, system, judge, segment)
    total = float(np.var(value)) or 1.0  # values that are all the same have no variance to share
    variances = np.array([total / 2, total / 4, total / 4])
    for _ in range(_STEPS):
        updated = equations.step(variances, least=_LEAST * total)
        change = float(np.abs(updated - variances).max())
        variances = updated
        if change < _CLOSE * total:
            break
    noise, judges, segments = variances.tolist()
    return MixedFit(*equations.means_and_influence(variances), judges, segments, noise)


def noise_of(values: Floats, system: Codes, judge: Codes, segment: Codes, fit: MixedFit) -> Floats:
    """What the model leaves of each of *values* (K, N), with the variances of *fit*.

    It is linear in the values: the product of one row and what is left of another one is that of
    generalised least squares.
    """
    equations = _Equations.of(values[0], system, judge, segment)
    variances = np.array([fit.noise_variance, fit.judge_variance, fit.segment_variance])
    inverse, diagonal = equations.solved(variances)
    each = [equations, *(equations.with_value(value) for value in values[1:])]
    return np.array([one.noise(*one.effects(inverse, diagonal)) for one in each])


@dataclass(frozen=True, slots=True, eq=False)
class _Equations:
    """The equations of the model, segments eliminated: what does not change from step to step.

    A column is a system or a judge: ``design`` counts columns that meet, ``joint[g]`` the columns
    of segment g; ``by_column`` and ``by_segment`` are sums of the values.
    """

    value: Floats
    system: Codes
    judge: Codes
    segment: Codes
    systems: int
    judges: int
    design: Floats
    joint: Floats
    by_column: Floats
    by_segment: Floats

    @classmethod
    def of(cls, value: Floats, system: Codes, judge: Codes, segment: Codes) -> "_Equations":
        systems, segments = int(system.max()) + 1, int(segment.max()) + 1
        judges = int(judge.max()) + 1 if judge.max() > 0 else 0
        columns = [(system, systems), *([(judge, judges)] if judges else [])]
        joint = [table_of_counts(segment, codes, (segments, size)) for codes, size in columns]
        blocks = [
            [table_of_counts(one, other, (rows, size)) for other, size in columns]
            for one, rows in columns
        ]
        without = cls(
            value, system, judge, segment, systems, judges,
            design=np.block(blocks),
            joint=np.hstack(joint),
            by_column=np.zeros(systems + judges),
            by_segment=np.zeros(segments),
        )  # fmt: skip
        return without.with_value(value)

    def with_value(self, value: Floats) -> "_Equations":
        """The same equations for other values of the same judgments."""
        sums = [np.bincount(self.system, value, self.systems)]
        if self.judges:
            sums.append(np.bincount(self.judge, value, self.judges))
        of_segments = np.bincount(self.segment, value, len(self.by_segment))
        return replace(
            self,
            value=value,
            by_column=np.concatenate(sums),
            by_segment=np.asarray(of_segments, np.float64),
        )

    def solved(self, variances: Floats) -> tuple[Floats, Floats]:
        """The inverse of the equations of columns, and the diagonal of those of segments."""
        noise, judges, segments = variances.tolist()
        diagonal = self.joint[:, : self.systems].sum(axis=1) + noise / segments
        matrix = self.design - self.joint.T @ (self.joint / diagonal[:, None])
        places = np.arange(self.systems, self.systems + self.judges)
        matrix[places, places] += noise / judges
        return np.linalg.inv(matrix), diagonal

    def effects(self, inverse: Floats, diagonal: Floats) -> tuple[Floats, Floats, Floats]:
        """The means of systems, the effects of judges and those of segments."""
        columns = inverse @ (self.by_column - self.joint.T @ (self.by_segment / diagonal))
        of_segments = (self.by_segment - self.joint @ columns) / diagonal
        return columns[: self.systems], columns[self.systems :], of_segments

    def noise(self, means: Floats, judges: Floats, segments: Floats) -> Floats:
        """What is left of the values."""
        rest = self.value - means[self.system] - segments[self.segment]
        return rest - judges[self.judge] if self.judges else rest

    def step(self, variances: Floats, *, least: float) -> Floats:
        """The variances of noise, judges and segments after a step from *variances*."""
        inverse, diagonal = self.solved(variances)
        means, judges, segments = self.effects(inverse, diagonal)
        shares = self.joint / diagonal[:, None]
        doubt = 1 / diagonal + ((shares @ inverse) * shares).sum(axis=1)
        of_noise, found = float(variances[0]), [0.0, least, least]
        if self.judges:
            doubts = float(np.trace(inverse[self.systems :, self.systems :]))
            found[1] = (float(judges @ judges) + of_noise * doubts) / self.judges
        found[2] = (float(segments @ segments) + of_noise * float(doubt.sum())) / len(diagonal)
        free = max(1, len(self.value) - self.systems)
        found[0] = float(self.value @ self.noise(means, judges, segments)) / free
        updated: Floats = np.maximum(np.array(found), least)
        return updated

    def means_and_influence(self, variances: Floats) -> tuple[Floats, Floats]:
        """The means (S,) and the influence (S, N); see :class:`MixedFit`."""
        inverse, diagonal = self.solved(variances)
        means, judges, segments = self.effects(inverse, diagonal)
        rows = inverse[: self.systems]
        of_segments = rows @ (self.joint / diagonal[:, None]).T
        weights: Floats = rows[:, self.system] - of_segments[:, self.segment]
        if self.judges:
            weights += rows[:, self.systems + self.judge]
        influence = weights * self.noise(means, judges, segments)
        influence += _shared_out(weights, segments, self.segment)
        if self.judges:
            influence += _shared_out(weights, judges, self.judge)
        return means, influence


def _shared_out(weights: Floats, effects: Floats, codes: Codes) -> Floats:
    """The influence of effects on the means, in equal parts for the judgments of each."""
    counts = np.bincount(codes, minlength=len(effects))
    whole = np.array([np.bincount(codes, row, len(effects)) for row in weights])
    found: Floats = (whole * (effects / counts))[:, codes]
    return found
