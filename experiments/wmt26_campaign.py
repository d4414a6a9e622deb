"""A campaign as WMT26 ran them, from Pearmut's file to the ranking, with judges who are simulated.

    python experiments/wmt26_campaign.py FOLDER --judges 30 --in-browser 3

It writes the file (20 systems, 3 side by side, 20 documents for the cold start, a form, a tutorial,
attention checks), makes the campaign from it, serves it, and lets the judges work: some in
Chromium, by keys, the others over HTTP, all at once. Then it prints the ranking, reads every export
with ``rankwise rank``, and runs the file through Pearmut's form and back. It ends with 1 if
something is not as it should be.
"""

import argparse
import csv
import io
import json
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from campaign_load import serving
from scipy.stats import kendalltau
from wmt26_file import wmt26_file
from wmt26_judges import BrowserJudge, FirstStepsClient, Mind

PROGRAM = [sys.executable, "-c", "from rankwise.cli import main; main()"]
SLUG = "wmt26-en-cs"
#: Exports that hold values; what ``rankwise rank`` makes of them is the leaderboard.
VALUES = {"long": ".csv", "records": ".campaign.jsonl", "wmt-da-tsv": ".da.tsv"}
#: Exports of comparisons: all hold the same ones.
ORDERS = {"jsonl": ".jsonl", "wmt-csv": ".wmt.csv", "wmt-pairwise": ".wmt-pairwise.csv"}


@dataclass
class Work:
    """What the judges saw: the last page's words by judge, hints, and what went wrong."""

    ends: dict[int, str] = field(default_factory=dict)
    hints: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judges", type=int, default=30)
    parser.add_argument("--in-browser", type=int, default=3)
    parser.add_argument("--browser-documents", type=int, default=20)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--documents", type=int, default=150)
    parser.add_argument("--quota", type=int, default=20, help="documents of every judge")
    options = parser.parse_args()
    sizes = {"systems": options.systems, "documents": options.documents}
    content, truth = wmt26_file(judges=options.judges, quota=options.quota, **sizes)
    options.folder.mkdir(parents=True, exist_ok=True)
    file = options.folder / "wmt26.json"
    file.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    folder = ["--folder", str(options.folder)]
    said = rankwise("campaign", "create", file, "--open", *folder)
    links = [row["link"] for row in csv.DictReader(io.StringIO(said))]
    begun = time.perf_counter()
    found = collect(options, links, truth)
    print(f"{len(links)} judges, {time.perf_counter() - begun:.0f} s")
    for words in sorted(set(found.ends.values())):
        print(f"{list(found.ends.values()).count(words):3} x {words or '(stopped before the end)'}")
    print("hints of the tutorial:", *sorted(set(found.hints)))
    wrong = found.problems + compare(options.folder, truth) + there_and_back(options.folder)
    print("\n".join(wrong) or "everything is as it should be")
    raise SystemExit(1 if wrong else 0)


def rankwise(*arguments):
    """What a command prints; its errors are shown."""
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def collect(options, links, truth):
    """All judges at once, on a server of its own."""
    found = Work()
    with serving(SimpleNamespace(folder=options.folder, database=None)) as base:
        here = [re.sub(r"^http://[^/]+", base, link) for link in links]
        others = [
            threading.Thread(target=over_http, args=(number, link, truth, found))
            for number, link in enumerate(here)
            if number >= options.in_browser
        ]
        for thread in others:
            thread.start()
        if options.in_browser:
            in_browsers(here[: options.in_browser], truth, options.browser_documents, found)
        for thread in others:
            thread.join()
    return found


def over_http(number, link, truth, found):
    """One judge, from the link to the last page; every tenth does not read."""
    mind = Mind(truth, number, is_careless=number % 10 == 9)
    judge = FirstStepsClient(link, mind.answer)
    try:
        judge.take_first_steps()
        found.ends[number] = judge.work()["message"]
    except Exception as error:  # counted, and the run fails
        found.problems.append(f"judge {number}: {error!r}")
    finally:
        judge.close()


def in_browsers(links, truth, documents, found):
    """Judges in Chromium, one after the other."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for number, link in enumerate(links):
            judge = BrowserJudge(browser, link, Mind(truth, number))
            judge.take_first_steps()
            found.hints.append(judge.practise())
            found.ends[number] = judge.judge(documents)
            found.problems += judge.problems
            judge.context.close()
        browser.close()


def compare(folder, truth):
    """What is wrong with the ranking and the exports; nothing, if all is well."""
    place = ["--folder", str(folder)]
    board = table(rankwise("campaign", "status", SLUG, "--format", "tsv", *place), "score")
    means = [truth.means[name] for name in board]
    values = [value for value, _, _ in board.values()]
    held = sum(low <= truth.means[name] <= high for name, (_, low, high) in board.items())
    print(f"Kendall's tau of the leaderboard with the truth: {kendalltau(values, means)[0]:.3f}")
    print(f"{held} of {len(board)} 95 % intervals hold the true mean")
    formats = [word for name in (*VALUES, *ORDERS) for word in ("--to", name)]
    rankwise("campaign", "export", SLUG, *formats, "-o", folder / "results", *place)
    wrong = []
    for suffix in VALUES.values():
        ranked = rank(folder, suffix)
        if ranked != board:
            wrong.append(f"{suffix}: rankwise rank gives another ranking than the leaderboard")
    first, *others = (rank(folder, suffix) for suffix in ORDERS.values())
    if any(other.keys() != first.keys() for other in others):
        wrong.append("exports of comparisons give different rankings")
    return wrong


def rank(folder, suffix):
    """The ranking of an exported file by its values, or by its comparisons."""
    file = folder / "results" / f"{SLUG}{suffix}"
    return table(rankwise("rank", file, "--format", "tsv"), "score")


def table(printed, column):
    """Value and interval of every system of a table, best first; intervals may be missing."""
    rows = csv.DictReader(io.StringIO(printed), delimiter="\t")
    keys = (column, "low", "high")
    return {r["system"]: tuple(float(r[k]) if r.get(k) else None for k in keys) for r in rows}


def there_and_back(folder):
    """Whether the campaign is the same after it was written for Pearmut and read again."""
    once, again, new = folder / "once", folder / "again", folder / "new"
    export = ["campaign", "export", SLUG, "--to", "pearmut"]
    rankwise(*export, "-o", once, "--folder", folder)
    new.mkdir(exist_ok=True)
    name = f"{SLUG}.pearmut.json"
    rankwise("campaign", "create", once / name, "--folder", new)
    rankwise(*export, "-o", again, "--folder", new)
    is_same = (once / name).read_bytes() == (again / name).read_bytes()
    return [] if is_same else ["the campaign is another after Pearmut's form and back"]


if __name__ == "__main__":
    main()
