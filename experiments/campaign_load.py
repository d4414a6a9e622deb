"""A hundred judges at once on this machine, through HTTP: how long they wait, what is stored.

    python experiments/campaign_load.py FOLDER --judges 100 --screens 20
    python experiments/campaign_load.py FOLDER --database postgresql://... --workers 4

With ``--documents`` a screen is a document of ten segments and three columns, with scores and error
spans (contrastive ESA), and half-done work is saved five times on the way.

It serves a campaign of 12 systems and 500 made-up segments from FOLDER (or from the database, which
must be empty), lets the judges work without a pause (or with one, drawn from an exponential
distribution), sends a fifth of the answers twice, and checks that every receipt has exactly one
judgment and no screen was issued too often. It prints the time of "next screen" and of "submit" as
the judge's browser would see them, the throughput, and how long the server computed for a request.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import httpx
from http_judges import crowd, ranks_of

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.types import Segment, TestSet

SYSTEMS, SEGMENTS, REDUNDANCY = 12, 500, 2
#: Of documents: segments of each, columns of a screen, drafts that a judge saves on the way.
SIZE, COLUMNS, DRAFTS = 10, 3, 5
#: Judges come to a server that is up: four workers take some seconds to start on two cores.
SETTLE_SECONDS = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--database")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--judges", type=int, default=100)
    parser.add_argument("--screens", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.0, help="mean seconds between screens")
    parser.add_argument("--documents", action="store_true", help="documents of 10 x 3 with spans")
    parser.add_argument("--limit", type=float, help="fail if p99 of a next screen is above, in ms")
    options = parser.parse_args()
    url = options.database or sqlite_url(options.folder / "rankwise.db")
    campaign, tokens = prepare(url, options)
    with serving(options) as base:
        time.sleep(SETTLE_SECONDS)
        links = [f"{base}/j/{token}" for token in tokens]
        rates, drafts = (marked, DRAFTS) if options.documents else (rate, 0)
        before = base.seconds()
        work = {"screens": options.screens, "resend": 0.2, "pause": options.pause}
        found = crowd(links, rates, drafts=drafts, **work)
        computed = base.seconds() - before
    report(found, check(url, campaign, found), options, computed)


def rate(task):
    return {"ranks": ranks_of([len(text) for text in task["outputs"]])}


def marked(task):
    """Two errors and a score for every text of a document."""
    rows = []
    for row in task["rows"]:
        cells = []
        for text in row["outputs"]:
            ends = [0, len(text) // 3, len(text) // 2, len(text)]
            spans = [
                {"start": ends[n], "end": ends[n + 1], "severity": severity}
                for n, severity in ((0, "minor"), (2, "major"))
            ]
            cells.append({"spans": spans, "score": len(text) % 101})
        rows.append(cells)
    return {"segments": rows}


def prepare(url, options):
    """An open campaign and the tokens of its judges."""
    database = Database.open(url)
    store = CampaignStore(database)
    keys = {"name": "Load", "source_language": "de", "target_language": "en"}
    keys |= {"protocol": "esa", "k": COLUMNS, "window": SIZE} if options.documents else {}
    plan = Plan.from_json({**keys, "redundancy": REDUNDANCY, "sitting": 10_000})
    campaign = store.campaigns.add(plan, made_up(options), actor="load")
    store.campaigns.set_state(campaign.slug, "open", actor="load")
    tokens = [store.judges.invite(campaign.id, actor="load")[1] for _ in range(options.judges)]
    store.queue.top_up(campaign.id)  # as the page does when the organiser opens a campaign
    database.close()
    return campaign, tokens


def made_up(options):
    """Sentences of random words, one for each system and segment."""
    drawn = random.Random(1)

    def sentence():
        return " ".join(
            "".join(drawn.choices("abdefghiklmnoprstuvw", k=drawn.randint(2, 9)))
            for _ in range(drawn.randint(5, 30))
        )

    size = SIZE if options.documents else 1
    count = SEGMENTS * size
    segments = tuple(
        Segment(str(n), sentence(), (sentence(),), document=f"d{n // size}") for n in range(count)
    )
    outputs = {f"system-{s}": tuple(sentence() for _ in segments) for s in range(SYSTEMS)}
    return TestSet(segments, outputs, "load", "de", "en")


class Served(str):
    """The address of a server, and how long its processes computed."""

    pid: int

    def seconds(self):
        """Seconds of computing so far, of the server and all its workers."""
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            ticks += sum(map(int, fields[11:15])) if int(fields[3]) == self.pid else 0
        return ticks / os.sysconf("SC_CLK_TCK")


class serving:  # noqa: N801 - used as a function
    """``rankwise serve`` as a process, for the length of a block."""

    def __init__(self, options):
        program = "from rankwise.cli import main; main()"
        command = [sys.executable, "-c", program, "serve", str(options.folder), "--port", "0"]
        if options.database:
            command += ["--database", options.database, "--workers", str(options.workers)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    def __enter__(self):
        base = Served(re.search(r"http://\S+", self.process.stdout.readline())[0])
        base.pid = self.process.pid
        for _ in range(200):
            try:
                httpx.get(f"{base}/readyz", timeout=20).raise_for_status()
            except httpx.TransportError:
                time.sleep(0.1)
            else:
                return base
        raise SystemExit("the server does not answer")

    def __exit__(self, *error):
        self.process.terminate()
        self.process.communicate(timeout=60)


def check(url, campaign, found):
    """What is wrong with what was stored; nothing, if all is well."""
    database = Database.open(url)
    stored = list(CampaignStore(database).log.stored(campaign.id, superseded=True))
    database.close()
    most = Counter(judgment.screen for judgment in stored).most_common(1)[0][1]
    wrong = []
    if sorted(judgment.receipt for judgment in stored) != sorted(found.receipts.values()):
        wrong.append(f"{len(stored)} judgments for {len(found.receipts)} receipts")
    if most > REDUNDANCY:
        wrong.append(f"a screen was issued {most} times")
    if found.mismatched:
        wrong.append(f"{found.mismatched} resent answers got another receipt")
    return wrong + [f"{count} x {error}" for error, count in found.errors.items()]


def report(found, wrong, options, computed):
    where = f"PostgreSQL, {options.workers} workers" if options.database else "SQLite, one process"
    count = len(found.receipts)
    print(f"{where}: {options.judges} judges, {count} judgments in {found.elapsed:.1f} s")
    print(f"({count / found.elapsed:.0f} a second), {found.resent} sent twice")
    requests = sum(map(len, found.seconds.values())) + found.resent
    print(f"{1000 * computed / requests:.1f} ms of computing for a request, of all processes")
    for name, seconds in found.seconds.items():
        if not seconds:
            continue
        ordered = sorted(seconds)
        cells = [f"p{p} {1000 * ordered[len(ordered) * p // 100]:.0f} ms" for p in (50, 90, 99)]
        print(f"{name:7}", ", ".join(cells), f"max {1000 * ordered[-1]:.0f} ms")
        slowest = 1000 * ordered[len(ordered) * 99 // 100]
        if options.limit is not None and slowest > options.limit and name != "submit":
            wrong.append(f"p99 of {name} is {slowest:.0f} ms, above {options.limit:.0f} ms")
    print("; ".join(wrong) or "every receipt has its judgment, no screen was issued too often")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
