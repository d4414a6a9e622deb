"""A whole campaign through HTTP with judges of known ability: adaptive selection against uniform.

    python experiments/campaign_proof.py --seeds 3 --judgments 900 -o experiments/campaign-proof.svg

Ten systems of known quality make outputs whose texts say nothing; ten simulated judges open their
links and rank k outputs at a time, each with a noise of their own, until the campaign's limit.
The server chooses what to ask. Afterwards the judgments are replayed: for every 30 of them, the
boundaries of clusters that the same model finds, and whether they are true ones. It prints a table
and draws the curve.
"""

import argparse
import random
import tempfile
import threading
from pathlib import Path

import numpy as np
from campaign_load import serving
from http_judges import JudgeClient, ranks_of

from rankwise.aggregate.asking.posterior import Evidence, posterior
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.counted import judgments_of
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.types import Segment, TestSet

#: The truth: clusters of systems with the quality of each; systems of a cluster are equal.
TRUTH = ((1.6,), (1.0, 1.0), (0.55,), (0.1, 0.1, 0.1), (-0.45,), (-1.1, -1.1))
NOISE = (0.8, 1.6)  # the judges' deviations, from the best judge to the worst
STEP, JUDGES, SEGMENTS = 30, 10, 300


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--judgments", type=int, default=900)
    parser.add_argument("--k", type=int, default=5, help="outputs on a screen")
    parser.add_argument("--strategies", nargs="+", default=["uniform", "clusters"])
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    curves = {}
    for strategy in options.strategies:
        curves[strategy] = [campaign(strategy, seed, options) for seed in range(options.seeds)]
    table(curves)
    if options.output:
        draw(curves, options.output, options.k)


def qualities():
    """Every system's quality, and the sets of systems above each true boundary."""
    names, above, tops = {}, set(), set()
    for cluster in TRUTH:
        for quality in cluster:
            name = f"s{len(names)}"
            names[name] = quality
            above.add(name)
        tops.add(frozenset(above))
    return names, tops - {frozenset(names)}


def campaign(strategy, seed, wanted):
    """The judgments of one campaign, as the store has them in the end."""
    names, _ = qualities()
    # The output says which system made it, in a way only the simulated judge can read.
    secret = random.Random(seed)
    codes = {name: "".join(secret.choices("bcdfgklmnprstvz", k=8)) for name in names}
    quality = {codes[name]: value for name, value in names.items()}
    segments = tuple(Segment(str(n), f"source {n}") for n in range(SEGMENTS))
    outputs = {name: tuple(f"{codes[name]} {n}" for n in range(SEGMENTS)) for name in names}
    keys = {"name": "Proof", "source_language": "de", "target_language": "en", "seed": seed + 1}
    keys |= {"k": wanted.k, "strategy": strategy, "repeat_share": 0.0, "control_share": 0.0}
    plan = Plan.from_json({**keys, "sitting": 10**6, "stop": {"max_judgments": wanted.judgments}})
    with tempfile.TemporaryDirectory() as folder:
        url = sqlite_url(Path(folder) / "rankwise.db")
        database = Database.open(url)
        store = CampaignStore(database)
        made = store.campaigns.add(plan, TestSet(segments, outputs, "proof"), actor="proof")
        store.campaigns.set_state(made.slug, "open", actor="proof")
        tokens = [store.judges.invite(made.id, actor="proof")[1] for _ in range(JUDGES)]
        database.close()
        options = argparse.Namespace(folder=folder, database=None, workers=1)
        with serving(options) as base:
            work([f"{base}/j/{token}" for token in tokens], quality, seed, wanted.judgments)
        database = Database.open(url)
        found = judgments_of(list(CampaignStore(database).log.stored(made.id)), plan)
        database.close()
    return curve(found)


def work(links, quality, seed, judgments):
    """All judges at once, each as good as they are, until the campaign has its judgments."""
    left, guard = [judgments], threading.Lock()

    def one(number, link):
        drawn = random.Random(seed * 100 + number)
        noise = NOISE[0] + (NOISE[1] - NOISE[0]) * number / max(len(links) - 1, 1)

        def rate(task):
            seen = [quality[text.split()[0]] + drawn.gauss(0, noise) for text in task["outputs"]]
            return {"ranks": ranks_of([round(value / 0.4) for value in seen])}

        judge = JudgeClient(link, rate)
        judge.sign_in()
        while True:
            with guard:
                left[0] -= 1
                if left[0] < 0:
                    break
            task = judge.next()
            if task is None:
                break
            judge.submit(task)
        judge.close()

    threads = [threading.Thread(target=one, args=pair) for pair in enumerate(links)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def curve(judgments):
    """After every STEP judgments: true boundaries found, false ones claimed."""
    _, tops = qualities()
    rows = []
    for count in range(STEP, len(judgments) + 1, STEP):
        board = posterior(Evidence.of(judgments.select(np.arange(count)))).leaderboard(level=0.95)
        cut = np.flatnonzero(np.diff(board.clusters)) + 1
        found = {frozenset(board.systems[:place]) for place in cut.tolist()}
        rows.append((count, len(found & tops), len(found - tops)))
    return rows


def needed(rows, wanted):
    """The judgments from which on all true boundaries stay found; nan if not reached."""
    late = [count for count, right, _ in rows if right < wanted]
    last = max(late, default=0)
    return last + STEP if last < rows[-1][0] else float("nan")


def table(curves):
    wanted = len(TRUTH) - 1
    print(f"| strategy | judgments until all {wanted} true boundaries | false ones at the end |")
    print("|---|---:|---:|")
    for name, runs in curves.items():
        each = [needed(rows, wanted) for rows in runs]
        cells = ", ".join("not reached" if n != n else f"{n:.0f}" for n in each)
        wrong = ", ".join(str(rows[-1][2]) for rows in runs)
        print(f"| {name} | {cells} (median {np.nanmedian(each):.0f}) | {wrong} |")


def draw(curves, path, k):
    """True boundaries found against judgments, the mean over seeds with each seed behind it."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for number, (name, runs) in enumerate(curves.items()):
        shortest = min(len(rows) for rows in runs)
        counts = [row[0] for row in runs[0][:shortest]]
        values = np.array([[row[1] for row in rows[:shortest]] for rows in runs])
        for line in values:
            axes.plot(counts, line, color=f"C{number}", alpha=0.2, linewidth=1)
        axes.plot(counts, values.mean(axis=0), color=f"C{number}", label=name, linewidth=2)
    axes.axhline(len(TRUTH) - 1, color="0.6", linestyle=":", linewidth=1)
    axes.set_xlabel(f"judgments (screens of {k})")
    axes.set_ylabel("true boundaries found")
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
