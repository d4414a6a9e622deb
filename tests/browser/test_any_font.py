"""Every page fits a phone and 400 % zoom, whatever font the reader's system has."""

import re

import pytest

from browser.every_page import WALKS, made_world
from browser.fonts import FONTS, environment
from browser.layout import Inspector
from browser.people import PATIENCE, STILL, ZOOMED, Person
from rankwise.server.web import pages

NEEDED = {name: pytest.mark.requires_font(font.file, font.package) for name, font in FONTS.items()}
IN_EVERY_FONT = pytest.mark.parametrize(
    "font", [pytest.param(font, id=name, marks=NEEDED[name]) for name, font in FONTS.items()]
)
pytestmark = pytest.mark.requires_program("chromium")


@pytest.fixture(scope="module")
def world(server):
    return made_world(server)


@pytest.fixture(scope="module")
def launched(launch, tmp_path_factory):
    """``launched(font)``: a browser that shows every page in that font."""
    browsers = {}

    def in_font(font):
        if font not in browsers:
            browsers[font] = launch(env=environment(font, tmp_path_factory.mktemp("font")))
        return browsers[font]

    yield in_font
    for browser in browsers.values():
        browser.close()


@pytest.fixture
def opened(launched):
    """``opened(font)``: an empty page of a browser with that font."""
    contexts = []

    def open_page(font):
        contexts.append(launched(font).new_context(**ZOOMED))
        contexts[-1].set_default_timeout(PATIENCE)
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def rendered(monkeypatch):
    """The names of the templates that the server uses from here on."""
    names, load = set(), pages.environment().get_template

    def get_template(name, *options):
        names.add(name)
        return load(name, *options)

    monkeypatch.setattr(pages.environment(), "get_template", get_template)
    return names


def templates_of_pages() -> set[str]:
    """Every template but those that others extend or include."""
    folder = pages.FOLDER / "templates"
    texts = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.html")
    }
    return set(texts) - set(re.findall(r'{% (?:extends|include) "(.+?)"', "".join(texts.values())))


def found_by(inspector, font, where) -> list[str]:
    """What does not fit, each with where it is and in which font."""
    drawn = inspector.families("h1")
    assert font.family in drawn, f"{where} is drawn in {drawn}"
    return [f"{where} in {font.family}, {fault}" for fault in inspector.faults()]


@IN_EVERY_FONT
def test_every_page_fits(launched, world, rendered, font):
    found = []
    for walk in WALKS:
        person = Person(launched(font), "", allow=("",), **ZOOMED, **STILL)
        inspector = Inspector(person.page)
        for where in walk(person, world):
            found += found_by(inspector, font, where)
        person.context.close()
        assert person.problems == []
    assert not found, "\n".join(found)
    assert templates_of_pages() <= rendered  # no page was left out


@IN_EVERY_FONT
def test_the_report_fits(opened, report, font):
    page = opened(font)
    page.goto(report.as_uri())
    inspector = Inspector(page)
    found = found_by(inspector, font, "the report")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    found += found_by(inspector, font, "the report, unfolded")
    assert not found, "\n".join(found)


WORDS = "<nobr style='font-family: system-ui'>Choose the files again, one per line</nobr>"
WIDTH = "document.querySelector('nobr').getBoundingClientRect().width"


@NEEDED["narrow"]
@NEEDED["default"]
@NEEDED["wide"]
def test_the_fonts_are_of_three_widths(opened):
    widths = []
    for name in ("narrow", "default", "wide"):
        page = opened(FONTS[name])
        page.set_content(WORDS)
        widths.append(page.evaluate(WIDTH))
    assert widths[0] * 1.1 < widths[1] < widths[2] / 1.1
