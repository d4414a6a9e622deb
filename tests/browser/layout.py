"""What of a page does not fit its window: the page itself, parts of it, text in its buttons."""

from pathlib import Path

from playwright.sync_api import Error, Page

from browser.people import ZOOMED

_FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
#: The windows in which every page must fit, and whether a finger points in them: its targets are
#: larger, and hints about keys are left out.
WINDOWS = {
    "a small phone": ({"width": 320, "height": 568}, True),
    "a phone": ({"width": 360, "height": 740}, True),
    "400 % zoom": (ZOOMED["viewport"], False),
}
#: How many faults of a kind are named, the worst first.
NAMED = 4
#: How often a page is asked that may be on its way to the next.
TRIES = 20


class Inspector:
    """Looks at what a page shows, through the browser's own tools."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._tools = page.context.new_cdp_session(page)
        self._tools.send("DOM.enable")
        self._tools.send("CSS.enable")

    def faults(self) -> list[str]:
        """What does not fit in each of the windows, a sentence each; frames are looked into.

        The page is left in the last of the windows.
        """
        found = []
        for window, (size, is_touched) in WINDOWS.items():
            self._resize(size, is_touched)
            for frame in self.page.frames:
                where = "" if frame is self.page.main_frame else "in a frame, "
                found += [f"{window}: {where}{said}" for said in frame.evaluate(_FAULTS, NAMED)]
        return found

    def _resize(self, size: dict[str, int], is_touched: bool) -> None:
        metrics = {**size, "deviceScaleFactor": 1, "mobile": is_touched}
        self._tools.send("Emulation.setDeviceMetricsOverride", metrics)
        self._tools.send("Emulation.setTouchEmulationEnabled", {"enabled": is_touched})

    def families(self, selector: str) -> set[str]:
        """The families of the fonts in which the browser drew the text of an element."""
        for _ in range(TRIES - 1):
            try:
                return self._families(selector)
            except Error as error:  # the page went on between two questions: ask again
                if "Could not find node" not in error.message:
                    raise
        return self._families(selector)

    def _families(self, selector: str) -> set[str]:
        self.page.wait_for_load_state()  # the tools number all nodes anew when a page is loaded
        root = self._tools.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        found = self._tools.send("DOM.querySelector", {"nodeId": root, "selector": selector})
        drawn = self._tools.send("CSS.getPlatformFontsForNode", {"nodeId": found["nodeId"]})
        return {font["familyName"] for font in drawn["fonts"]}
