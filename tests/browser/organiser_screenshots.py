"""Takes pictures of the organiser's pages with thirty systems for docs/screenshots; a program."""

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.campaign_server import campaign_server
from browser.judge_screenshots import FOLDER, LOOKS
from browser.people import Person
from rankwise.server.campaign.plan.plan_files import example_plan
from rankwise.server.campaign.standings.standings import compute
from rankwise.server.records import JudgeTask, Submission
from rankwise.types import Segment, TestSet

SENTENCE = "the old house by the river was sold to a family from the north last spring"
PASSWORD = "correct horse battery"
SYSTEMS, SEGMENTS, JUDGES, SCREENS = 30, 80, 6, 60
PAGES = {"dashboard-30": "", "check": "/check", "preview": "/preview"}
#: The dashboard of thirty systems is longer than a picture should be.
HIGHEST = 1500


def large_testset() -> TestSet:
    """Thirty systems of long and short names; better ones write longer texts."""
    words = SENTENCE.split()
    segments = tuple(
        Segment(f"s{n}", f"Satz {n}: das alte Haus am Fluss.", (" ".join(words),), f"doc{n // 8}")
        for n in range(SEGMENTS)
    )
    outputs = {
        f"{'Laboratory-of-Long-Names-' if s % 7 == 3 else 'lab-'}{s:02d}": tuple(
            " ".join([*words[: 4 + s // 3], f"number {n}", words[(s + n) % len(words)], "x" * s])
            for n in range(SEGMENTS)
        )
        for s in range(SYSTEMS)
    }
    return TestSet(segments, outputs, "large", "de", "en")


def judged(server: Any) -> Any:
    """A campaign in which judges who mostly like long texts answered."""
    testset = large_testset()
    shares = {"repeat_share": 0.1, "control_share": 0.1}
    tutorial = example_plan().to_json()["tutorial"]
    plan = {"name": "Thirty systems, German to English", "strategy": "clusters", **shares}
    campaign = server.campaign("ranking", testset=testset, tutorial=tutorial, **plan)
    drawn = random.Random(1)
    for _ in range(JUDGES):
        judge, _ = server.store.judges.invite(campaign.id, name="Somebody", actor="ann")
        for _ in range(SCREENS):
            task = server.store.judging.next(judge, new_sitting=True)
            assert isinstance(task, JudgeTask)
            spent = drawn.randint(8_000, 60_000)
            server.ahead += spent
            values = [len(text) + drawn.gauss(0, 12) for text in task.outputs]
            order = sorted(values, reverse=True)
            ranks = [order.index(value) + 1 for value in values]
            sent = Submission("answer", {"ranks": ranks}, spent)
            server.store.judging.submit(judge, task.token, sent)
    stored = list(server.store.log.stored(campaign.id))
    found = compute(campaign.plan, testset, stored, seed=1).contents()
    server.store.standings.put_all(campaign.id, len(stored), found)
    return campaign


def come_in(browser: Any, server: Any, look: dict[str, Any]) -> Person:
    ann = Person(browser, f"{server.url}/login", allow=("",), **look)
    ann.page.goto(ann.link)
    ann.page.get_by_label("Name").fill("ann")
    ann.page.get_by_label("Password").fill(PASSWORD)
    ann.page.get_by_role("button", name="Sign in").click()
    ann.page.wait_for_url(f"{server.url}/")
    return ann


def take(page: Any, path: Path, *, is_whole: bool) -> None:
    size = page.evaluate("[innerWidth, document.documentElement.scrollHeight, innerHeight]")
    height = min(size[1], HIGHEST) if is_whole else size[2]
    clip = {"x": 0, "y": 0, "width": size[0], "height": height}
    page.screenshot(path=path, full_page=is_whole, clip=clip, scale="css")


def main() -> None:
    only, folder = sys.argv[1:], FOLDER
    with (
        tempfile.TemporaryDirectory() as place,
        campaign_server(Path(place)) as server,
        sync_playwright() as playwright,
    ):
        _, token = server.store.accounts.create("ann", "owner", "test")
        server.store.accounts.use_setup(token, PASSWORD)
        campaign = judged(server)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for look, options in LOOKS.items():
            ann = come_in(browser, server, options)
            for name, path in PAGES.items():
                if only and name not in only:
                    continue
                ann.page.goto(f"{server.url}/campaigns/{campaign.slug}{path}")
                ann.page.wait_for_timeout(900)
                take(ann.page, folder / f"organiser-{name}-{look}.png", is_whole=name != "preview")
                if ann.overflows():
                    print(f"{name} {look}: {ann.overflows()} px too wide")
            ann.context.close()
        browser.close()


if __name__ == "__main__":
    main()
