"""Takes the pictures of the judge's pages in docs/screenshots; run it as a program.

Chinese and Japanese need fonts: ``apt-get install fonts-noto-cjk``.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.campaign_server import SYSTEMS, arabic, campaign_server
from browser.cjk import testset_of
from browser.people import DESKTOP, PHONE, ZOOMED, Person
from media import media_of, png, wav
from rankwise.server.campaign.plan.plan_files import example_plan
from rankwise.types import Segment, TestSet

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
LOOKS = {
    "light": DESKTOP,
    "dark": {**DESKTOP, "color_scheme": "dark"},
    "phone": PHONE,
}
ARABIC = {"testset": arabic(), "name": "News, English to Arabic"}
CHINESE = {"testset": testset_of("zh"), "name": "News, English to Chinese"}
JAPANESE = {"testset": testset_of("ja"), "name": "News, English to Japanese"}
BY_DOCUMENT = {"by_document": True, "k": 3, "window": 3}
CONSENT = (
    "You will compare translations of short sentences.\n\n"
    "- It takes about half a minute per screen; stop whenever you like.\n"
    "- Your answers are kept under a random name.\n"
    "- You may ask the organiser to forget who you are."
)


def ranked(judge: Person) -> None:
    judge.press("a", "2", "b", "1", "c", "=", "d", "4")


def rated(judge: Person) -> None:
    judge.press("4", "3", "5", "Enter", "4", "2")


def scored(judge: Person) -> None:
    judge.press("a", "7", "3", "b")


def marked(judge: Person) -> None:
    """Errors in the first two columns, and a score for each of the three."""
    columns = judge.find(".segment").first.locator(".column")
    judge.press("a", "ArrowRight", "ArrowRight", "1")
    judge.press("b", "ArrowRight", "Shift+ArrowRight", "2")
    for place, score in enumerate(("78", "41", "90")):
        columns.nth(place).locator(".track").focus()
        judge.press(*score)
    columns.nth(2).locator(".marked-text").focus()
    judge.press("End", "ArrowLeft", "Shift+ArrowLeft")


def categorised(judge: Person) -> None:
    """An error with its kind, and one that waits for it."""
    judge.press("a", "ArrowRight", "Shift+ArrowRight", "3")
    judge.find(".marking select").select_option("Accuracy/Mistranslation")
    judge.find(".marked-text").first.focus()
    judge.press("End", "2")


def chosen(judge: Person) -> None:
    judge.press("ArrowRight")


def ranked_segments(judge: Person) -> None:
    judge.press("a", "2", "1", "3", "n", "1")


def with_context(judge: Person) -> None:
    ranked(judge)
    judge.press("x", "Shift+D")


def on_shelves(judge: Person) -> None:
    ranked(judge)
    judge.find("#layout").click()


def with_help(judge: Person) -> None:
    judge.press("?")


def looking_back(judge: Person) -> None:
    for _ in range(3):
        before = judge.find("#progress-text").inner_text()
        judge.press("2", "1", "3", "=", "5", "Enter")
        judge.page.wait_for_function(
            "before => document.getElementById('progress-text').textContent !== before", arg=before
        )
    judge.press("v")


def offline(judge: Person) -> None:
    judge.context.set_offline(True)
    ranked(judge)
    judge.reads("#saved", "Not saved, retrying")


def nothing(judge: Person) -> None:
    del judge


def pointed(judge: Person) -> None:
    """A word of the second source, and its place in all columns."""
    judge.page.get_by_role("group", name="Source of segment 2").focus()
    judge.press("Home", "ArrowRight", "ArrowRight", "ArrowRight")


def with_files(folder: Path) -> dict[str, Any]:
    """A document that begins with a picture and goes on with somebody who speaks."""
    segments = (
        Segment("1", "", (), "sea", "travel"),
        Segment("2", "Gegen sechs ging die Sonne über dem Meer auf.", (), "sea", "travel"),
    )
    outputs = (
        ("The sun above the sea.", "Around six the sun rose over the sea."),
        ("A sun over a blue sea.", "At about six o'clock the sun rose above the sea."),
        ("Sunset at sea.", "Towards six, the sun went down over the sea."),
    )
    rows = [
        ("sun.png", "A yellow sun above a dark blue sea."),
        ("voice.wav", "A woman reads the sentence below."),
    ]
    return {
        "testset": TestSet(segments, dict(zip(SYSTEMS, outputs, strict=False)), "sea", "de", "en"),
        "media": media_of(folder / "files", {"sun.png": png(), "voice.wav": wav(4.0)}, rows),
        "highlight": True,
        "k": 3,
    }


Shot = tuple[str, str, Callable[[Person], None], dict[str, Any], dict[str, Any]]


def shots(folder: Path) -> list[Shot]:
    """Name, protocol, what to do, plan, look; *folder* is for files that campaigns have."""
    doing = {
        "ranking": ranked,
        "pairwise": chosen,
        "adequacy-fluency": rated,
        "direct-assessment": scored,
        "esa": marked,
        "mqm": categorised,
    }
    found: list[Shot] = [
        (f"{protocol}-{name}", protocol, do, {}, look)
        for protocol, do in doing.items()
        for name, look in LOOKS.items()
    ]
    found += [
        (f"{what}-{name}", "ranking", do, plan, look)
        for what, do, plan, names in (
            ("ranked-document", ranked_segments, BY_DOCUMENT, ("light",)),
            ("differences", with_context, {"context": 2}, ("light", "dark")),
            ("shelves", on_shelves, {}, ("light", "phone")),
            ("help", with_help, {}, ("light",)),
            ("back", looking_back, {}, ("light",)),
            ("offline", offline, {}, ("light", "phone")),
            ("arabic", ranked, ARABIC, ("light", "dark", "phone")),
            ("chinese", ranked, CHINESE, ("light", "phone")),
            ("japanese", ranked, JAPANESE, ("light", "phone")),
        )
        for name in names
        for look in (LOOKS[name],)
    ]
    found += [
        (f"sources-{name}", "esa", pointed, with_files(folder), LOOKS[name])
        for name in ("light", "phone")
    ]
    found.append(("zoom-400", "ranking", nothing, {}, ZOOMED))
    return found


def take(name: str, judge: Person) -> None:
    judge.page.wait_for_timeout(900)
    judge.page.screenshot(path=FOLDER / f"judge-{name}.png", scale="css")


def arrival(server: Any, browser: Any) -> None:
    tutorial = example_plan().to_json()["tutorial"]
    for name, look in LOOKS.items():
        campaign = server.campaign("ranking", consent=CONSENT, tutorial=tutorial, sitting=1)
        judge = Person(browser, server.invite(campaign), **look)
        judge.page.goto(judge.link)
        take(f"link-{name}", judge)
        judge.arrive()
        take(f"consent-{name}", judge)
        judge.page.get_by_role("button", name="I agree").click()
        take(f"instructions-{name}", judge)
        judge.read_instructions()
        judge.is_at("Practice")
        judge.press("1", "2", "3", "Enter")
        judge.sees("#feedback")
        take(f"tutorial-{name}", judge)
        judge.press("Enter")
        judge.is_at("1 of 1")
        judge.press("0", "Enter")
        judge.sees("#notice")
        take(f"sitting-{name}", judge)
        judge.context.close()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    only = sys.argv[1:]
    with (
        tempfile.TemporaryDirectory() as folder,
        campaign_server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for name, protocol, do, plan, look in shots(Path(folder)):
            if only and not any(part in name for part in only):
                continue
            campaign = server.campaign(protocol, **plan)
            judge = Person(browser, server.invite(campaign), allow=("",), **look).begin()
            do(judge)
            take(name, judge)
            judge.context.close()
        if not only or "arrival" in only:
            arrival(server, browser)
        browser.close()


if __name__ == "__main__":
    main()
