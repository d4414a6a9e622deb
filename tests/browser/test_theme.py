"""Light and dark: as the system says, or as the switch says, on the same page."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.requires_program("chromium")

#: The paper and the ink of ``base.css``.
LIGHT, DARK = ("rgb(246, 247, 249)", "rgb(27, 31, 36)"), ("rgb(18, 21, 25)", "rgb(231, 234, 238)")


def colours(person):
    style = "const s = getComputedStyle(document.body); [s.backgroundColor, s.color]"
    return tuple(person.page.evaluate(style))


@pytest.mark.parametrize(("system", "own"), [("light", LIGHT), ("dark", DARK)])
def test_the_switch_goes_before_the_system(come, server, system, own):
    somebody = come(f"{server.url}/login", color_scheme=system)
    somebody.page.goto(somebody.link)
    assert colours(somebody) == own
    switch = somebody.page.locator("[data-theme-switch]")
    for name, wanted in (("light", LIGHT), ("dark", DARK)):
        switch.click()
        expect(switch).to_have_attribute("title", f"Theme: {name}")
        assert colours(somebody) == wanted
    somebody.page.reload()
    assert colours(somebody) == DARK
    switch.click()
    assert colours(somebody) == own


def test_paper_is_white_even_at_night(come, server):
    somebody = come(f"{server.url}/login", color_scheme="dark")
    somebody.page.goto(somebody.link)
    somebody.page.emulate_media(media="print", color_scheme="dark")
    assert colours(somebody) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
