"""A server and a browser for all tests here, and people who use them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from browser.campaign_server import CampaignServer, campaign_server
from browser.people import PATIENCE, Person
from rankwise.cli import main

#: The last list counts, so that this one begins with what Playwright does without as well. The
#: pop-ups of an address bar that nobody sees cost every window a second of CPU.
WITHOUT = (
    "PaintHolding",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[CampaignServer]:
    with campaign_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Browser]]:
    """``launch(**options)`` starts a browser; options are Playwright's."""
    with sync_playwright() as playwright:

        def start(**options: Any) -> Browser:
            return playwright.chromium.launch(
                executable_path="/usr/bin/chromium",
                timeout=4 * PATIENCE,
                args=["--no-sandbox", f"--disable-features={','.join(WITHOUT)}"],
                **options,
            )

        yield start


@pytest.fixture
def shown_file(chromium) -> Iterator[Callable[..., Page]]:
    """``shown_file(path, **options)``: a file in a browser with those options.

    What the browser says on its console, and whom it asks, must be nothing by the end.
    """
    contexts, heard = [], []

    def show(path: Path, **options: Any) -> Page:
        contexts.append(chromium.new_context(**options))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("request", lambda request: heard.append(request.url))
        page.goto(path.as_uri())
        heard.remove(path.as_uri())
        return page

    yield show
    for context in contexts:
        context.close()
    assert heard == []


@pytest.fixture(scope="session")
def chromium(launch) -> Iterator[Browser]:
    browser = launch()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def report(tmp_path_factory) -> Path:
    """The page that the demo writes."""
    folder = tmp_path_factory.mktemp("demo") / "demo"
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--output", str(folder)])
    assert not ended.value.code
    return folder / "report.html"


@pytest.fixture
def come(chromium) -> Iterator[Callable[..., Person]]:
    """``come(link, **options)`` is somebody who opened a link; options are the browser's."""
    people: list[Person] = []

    def arrive(link: str, **options: Any) -> Person:
        people.append(Person(chromium, link, **options))
        return people[-1]

    yield arrive
    problems = [problem for person in people for problem in person.problems]
    for person in people:
        for page in person.context.pages:
            page.unroute_all(behavior="ignoreErrors")
        person.context.unroute_all(behavior="ignoreErrors")
        person.context.close()
    assert problems == []
