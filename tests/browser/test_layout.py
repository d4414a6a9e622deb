"""What does not fit a window is found, and nothing else: pieces of pages with known faults."""

import re

import pytest

from browser.layout import WINDOWS, Inspector
from browser.people import PATIENCE

pytestmark = pytest.mark.requires_program("chromium")

HEAD = "<meta name='viewport' content='width=device-width, initial-scale=1'>"
LONG = "Rindfleisch"
#: A piece of a page, and the beginning of what is wrong with it on the narrowest windows.
BROKEN = [
    ("<p style='width: 400px'>A</p>", "the page is 88 px too wide"),
    ("<p style='width: 400px'>A</p>", '<p> "A" reaches 88 px beyond the window'),
    ("<p style='position: fixed; width: 400px'>A</p>", '<p> "A" reaches 88 px'),
    ("<p style='margin-left: -30px'>A</p>", '<p> "A" reaches 22 px beyond the window'),
    ("<dialog open style='width: 340px'>A</dialog>", '<dialog> "A" reaches'),
    (
        "<div style='overflow: auto'><p style='width: 400px'>A</p></div>",
        "<div> .* scrolls sideways",
    ),
    (f"<button style='width: 30px'>{LONG}</button>", f'<button> "{LONG}" has text that runs out'),
    (f"<svg width='30' height='20'><text y='15'>{LONG}</text></svg>", "<svg> .* runs out by"),
    ("<b style='float: left; width: 9px'>Long</b><i>er</i>", '<b> "Long" lies over <i> "er" by'),
    ("<input placeholder='0 to 100' style='width: 40px'>", '<input> "0 to 100" cuts off'),
    ("<select style='width: 60px'><option>clusters</select>", '<select> "clusters" cuts off'),
]
SOUND = f"""
<div class='scroll' style='overflow: auto'><p style='width: 400px'>A table</p></div>
<p style='overflow: hidden; text-overflow: ellipsis; white-space: nowrap'>{LONG * 9}</p>
<button style='width: 60px; overflow-wrap: anywhere'>{LONG}</button>
<input placeholder='0 to 100' value='{"what somebody wrote may scroll " * 3}'>
<select style='width: 150px'><option>clusters<option>{"another choice " * 3}</select>
<p><b>Long</b><i>er</i></p>
<p style='position: absolute; top: 0'>What floats may cover the rest.</p>
"""


@pytest.fixture
def page(chromium):
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("piece", "sentence"), BROKEN)
def test_a_fault_is_found_in_the_windows_that_have_it(page, piece, sentence):
    page.set_content(HEAD + piece)
    found = "\n".join(Inspector(page).faults())
    for window in ("a small phone", "400 % zoom"):
        assert re.search(f"^{window}: {sentence}", found, re.MULTILINE), found


def test_what_fits_is_let_be(page):
    page.set_content(HEAD + SOUND)
    assert Inspector(page).faults() == []


def test_a_fault_in_a_frame_is_found(page):
    inside = BROKEN[0][0].replace("'", "&quot;")
    page.set_content(f"{HEAD}<iframe width='200' srcdoc='{inside}'></iframe>")
    page.frame_locator("iframe").locator("p").wait_for()
    assert "a phone: in a frame, the page is 208 px too wide" in Inspector(page).faults()


def test_every_window_is_as_wide_as_it_says(page):
    page.set_content(f"{HEAD}<body style='margin: 0'><p style='width: 400px; margin: 0'>A</p>")
    said = [one for one in Inspector(page).faults() if "the page" in one]
    assert said == [
        f"{window}: the page is {400 - size['width']} px too wide"
        for window, (size, _) in WINDOWS.items()
    ]
