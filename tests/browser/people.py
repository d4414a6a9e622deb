"""Somebody in front of a browser, by a link; what the browser complains about is kept."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Response, expect

expect.set_options(timeout=10_000)

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
#: 1280 by 1024 at 400 % zoom has this many CSS pixels.
ZOOMED = {"viewport": {"width": 320, "height": 256}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


class Person:
    """A browser of its own; ``allow`` names complaints that the test provokes."""

    def __init__(
        self, browser: Browser, link: str, *, allow: tuple[str, ...] = (), **options: Any
    ) -> None:
        self.link, self.allow = link, allow
        self.context = browser.new_context(**{**DESKTOP, **options})
        self.context.set_default_timeout(10_000)
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
        self.page.get_by_role("button", name="Begin").click()
        self.page.wait_for_url("**/judge")
        return self

    def begin(self) -> "Person":
        """The same, up to the first task."""
        self.arrive()
        expect(self.page.locator("#task")).to_be_visible()
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

    def tick(self, place: int, rank: int) -> None:
        """Tap a rank chip."""
        self.find(f".output[data-place='{place}'] .chip:has(input[value='{rank}'])").tap()

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
