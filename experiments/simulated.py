"""Campaigns with as many judgments as are wanted, and a known truth: choosing against uniform.

    python experiments/simulated.py RANKINGS... --seeds 5

The strengths that a finished campaign found are taken as true, and single comparisons are drawn
from the model. It prints, in Markdown, the judgments until the boundaries of the campaign's
clusters are found (median over seeds), and how many of all boundaries ever declared, at any look,
were right.
"""

import argparse

import numpy as np

import rankwise as rw
from rankwise.aggregate.asking.campaign_answers import SimulatedPairs
from rankwise.aggregate.asking.campaign_replay import boundaries, campaign
from rankwise.aggregate.asking.posterior import Evidence, posterior
from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.types.named import parse


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rankings", nargs="+")
    parser.add_argument("--strategies", nargs="+", default=["uniform", "clusters"])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--points", type=int, default=30)
    options = parser.parse_args()
    print(f"| campaign | {' | '.join(options.strategies)} | ratio | right |")
    print("|---|" + "---:|" * (len(options.strategies) + 2))
    ratios, totals = [], np.zeros((len(options.strategies), 2), np.int64)
    for path in options.rankings:
        evidence = Evidence.of(rw.read_judgments(path))
        found = [_strategy(evidence, name, options) for name in options.strategies]
        spent = [float(np.median([run[0] for run in runs])) for runs in found]
        counts = np.array([np.sum([run[1:] for run in runs], axis=0) for runs in found])
        totals += counts
        ratios.append(spent[-1] / spent[0])
        right = ", ".join(f"{good} of {every}" for every, good in counts.tolist())
        cells = " | ".join(f"{value:,.0f}" for value in spent)
        print(f"| {path.rsplit('/')[-1]} | {cells} | {ratios[-1]:.2f} | {right} |", flush=True)
    right = ", ".join(f"{good / every:.3f}" for every, good in totals.tolist())
    blank = " | " * len(options.strategies)
    print(f"| median {blank}| {np.median(ratios):.2f} | {right} |")


def _strategy(evidence, name, options):
    known = posterior(evidence)
    wanted = {frozenset(map(_number(known), top)) for top in boundaries(known.leaderboard())}
    most = 2 * len(evidence)
    return [_run(known.mean, wanted, name, seed, most, options) for seed in range(options.seeds)]


def _number(known):
    return {name: f"system{place}" for place, name in enumerate(known.systems)}.__getitem__


def _run(strengths, wanted, name, seed, most, options):
    """Judgments until the wanted boundaries are found; boundaries declared, and right ones."""
    order = np.argsort(-strengths)
    tops = [frozenset(f"system{s}" for s in order[:place]) for place in range(1, len(order))]
    declared, spent = set(), most
    steps = campaign(
        SimulatedPairs(strengths, seed=seed),
        parse(name, STRATEGIES),
        k=2,
        random=np.random.default_rng(seed),
        points=options.points,
        floor=2,
        most=most,
    )
    for asked, known in steps:
        found = boundaries(known.leaderboard())
        declared |= found
        if wanted <= found:
            spent = asked
            break
    return spent, len(declared), len(declared & set(tops))


if __name__ == "__main__":
    main()
