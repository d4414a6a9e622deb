"""Somebody in front of a browser, by a link; what the browser complains about is kept."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Response, Route, expect

#: How long something may take on a busy machine, in ms: twice the page's longest wait for a retry.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)

#: Colours that are still changing have another contrast than those that a reader sees.
STILL = {"reduced_motion": "reduce"}
DESKTOP = {"viewport": {"width": 1280, "height": 800}, **STILL}
#: 1280 by 1024 at 400 % zoom has this many CSS pixels.
ZOOMED = {"viewport": {"width": 320, "height": 256}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


_LISTEN = """() => {
  window.isHeard = false;
  const hear = (event) => { window.isHeard = true; event.stopImmediatePropagation(); };
  addEventListener("keydown", hear, { capture: true, once: true });
}"""


def until(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait for something that no page shows; a page whose rules forbid eval may be asked too."""
    end = time.monotonic() + PATIENCE / 1000
    while not is_so():
        assert time.monotonic() < end
        page.wait_for_timeout(20)


def wait_for_keys(page: Page) -> None:
    """Press a key that means nothing until the page hears it: one that comes too early is lost."""
    page.evaluate(_LISTEN)
    end = time.monotonic() + PATIENCE / 1000
    while True:
        page.keyboard.press("F9")
        if page.evaluate("window.isHeard"):
            return
        assert time.monotonic() < end
        page.wait_for_timeout(20)


class Person:
    """A browser of its own; ``allow`` names complaints that the test provokes."""

    def __init__(
        self, browser: Browser, link: str, *, allow: tuple[str, ...] = (), **options: Any
    ) -> None:
        self.link, self.allow = link, allow
        self.context = browser.new_context(**{**DESKTOP, **options})
        self.context.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.responses: list[Response] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("response", lambda response: self.responses.append(response))
        return page

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning") and not any(
            text in message.text for text in self.allow
        ):
            self.problems.append(f"{message.type}: {message.text}")

    # ---- coming in
    def arrive(self) -> "Person":
        """Open the link and press its button."""
        self.page.goto(self.link)
        wait_for_keys(self.page)
        self.page.get_by_role("button", name="Begin").click()
        self.page.wait_for_url("**/judge")
        return self

    def read_instructions(self) -> "Person":
        """Press the button below the instructions, where they come first."""
        button = self.page.get_by_role("button", name="I have read them")
        expect(button.or_(self.find("#task, #notice, .consent-form")).first).to_be_attached()
        if button.count():
            button.click()
        return self

    def begin(self) -> "Person":
        """The same, up to the first task."""
        self.arrive().read_instructions()
        expect(self.page.locator("#task")).to_be_visible()
        wait_for_keys(self.page)
        return self

    # ---- looking
    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def reads(self, selector: str, text: str) -> None:
        expect(self.find(selector)).to_have_text(text)

    def sees(self, selector: str) -> None:
        expect(self.find(selector)).to_be_visible()

    def misses(self, selector: str) -> None:
        expect(self.find(selector)).to_be_hidden()

    def is_at(self, progress: str) -> None:
        """Wait for the screen of that number."""
        self.reads("#progress-text", progress)

    def outputs(self) -> list[str]:
        return self.find(".output > .text").all_inner_texts()

    # ---- doing
    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def held(self, pattern: str, *keys: str) -> Route:
        """The request to *pattern* that these keys cause; it waits until the test continues it."""
        found: list[Route] = []
        self.page.route(pattern, lambda route: found.append(route), times=1)
        self.press(*keys)
        self.until(lambda: bool(found))
        return found[0]

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something that no page shows."""
        until(self.page, is_so)

    def stop_time(self) -> None:
        """From here on time passes in the page as the test says, however busy the machine is."""
        now = datetime.now(UTC)
        self.page.clock.install(time=now)
        self.page.clock.pause_at(now + timedelta(seconds=1))

    def tick(self, place: int, rank: int) -> None:
        """Tap a rank chip."""
        self.find(f".output[data-place='{place}'] .chip:has(input[value='{rank}'])").tap()

    def drag(self, card: Locator, onto: Locator) -> None:
        """Take a card and drop it, as the page hears of it.

        The events are sent one by one: a mouse that a busy machine moves by jumps is now and then
        taken for a click, or for one that marks text.
        """
        carried = {"dataTransfer": self.page.evaluate_handle("new DataTransfer()")}
        card.dispatch_event("dragstart", carried)
        onto.dispatch_event("dragover", carried)
        onto.dispatch_event("drop", carried)
        card.dispatch_event("dragend", carried)

    def is_saved(self) -> None:
        expect(self.find("#saved")).to_contain_text("Saved")

    def findings(self) -> list[str]:
        """What axe calls serious or critical on the page as it is."""
        found = Axe().run(self.page).response["violations"]
        return [
            f"{item['id']}: {node['html'][:120]}"
            for item in found
            if item["impact"] in ("serious", "critical")
            for node in item["nodes"]
        ]

    def overflows(self) -> int:
        """By how many pixels the page is wider than the window."""
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        return int(self.page.evaluate(wide))
