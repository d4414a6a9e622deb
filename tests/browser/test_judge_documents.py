"""Documents in a browser: errors by mouse, touch and keys, scores, drafts, and what is stored."""

import pytest
from playwright.sync_api import expect

from browser.campaign_server import arabic, texts_of
from browser.people import PHONE, ZOOMED

pytestmark = pytest.mark.requires_program("chromium")

OUTPUTS = ("The old cat sat on the mat.", "An old cat was on a mat.", "Cats sit on old mats.")


@pytest.fixture
def opened(server, come):
    """``opened(protocol, **changes)``: a campaign over texts that are known, and its judge."""

    def open_it(protocol="esa", *, people=None, count=2, **changes):
        testset = texts_of("Die alte Katze saß auf der Matte.", OUTPUTS, count=count)
        campaign = server.campaign(protocol, testset=testset, context=0, **changes)
        return campaign, come(server.invite(campaign), **(people or {})).begin()

    return open_it


class Text:
    """One text of the document, by its segment and its place."""

    def __init__(self, judge, row, place):
        self.judge = judge
        self.column = judge.find(".segment").nth(row).locator(".column").nth(place)
        self.text = self.column.locator(".marked-text")

    def unit(self, words):
        return self.column.locator(".unit", has_text=words).first

    def drag(self, first, last):
        mouse = self.judge.page.mouse
        for step, words in enumerate((first, last)):
            box = self.unit(words).bounding_box()
            mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if step == 0:
                mouse.down()
        mouse.up()

    def errors(self):
        return self.column.locator(".error-words").all_inner_texts()

    def score(self, value):
        self.column.locator(".track").first.focus()
        self.judge.press(*str(value))


def said(campaign, server):
    """The cells of the only judgment, rows in the order shown."""
    (judgment,) = server.stored(campaign)
    rows = judgment.answer["segments"]
    return [[row[slot] for slot in judgment.shown] for row in rows]


def words_of(text, spans):
    return [text[span["start"] : span["end"]] for span in spans]


def test_errors_by_mouse_and_scores_by_number(opened, server):
    campaign, judge = opened(k=2)
    first = Text(judge, 0, 0)
    shown = first.text.inner_text()
    first.drag("old", "mat")
    first.column.get_by_role("button", name="major").click()
    (chip,) = first.errors()
    assert chip.startswith("major") and "old" in chip
    judge.press("Enter")
    judge.reads("#missing", "4 texts are not finished: next, output A of segment 1 needs a score.")
    for row in range(2):
        for place in range(2):
            Text(judge, row, place).score(20 * row + 10 * place + 15)
    expect(first.column.locator(".relative")).to_have_text("lowest")
    judge.press("Enter")
    judge.is_at("2 of 30")
    cells = said(campaign, server)
    assert [[cell["score"] for cell in row] for row in cells] == [[15, 25], [35, 45]]
    (span,) = cells[0][0]["spans"]
    (marked,) = words_of(shown, [span])
    assert span["severity"] == "major"
    assert marked.startswith("old") and marked.endswith(("mat", "mats"))


def test_errors_by_keys_alone_are_changed_removed_and_undone(opened, server):
    campaign, judge = opened(k=1, count=1)
    text = Text(judge, 0, 0)
    judge.press("a", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "1")
    assert len(text.errors()) == 1
    judge.press("End", "2")
    assert [line.split()[0] for line in text.errors()] == ["minor", "major"]
    judge.press("End", "1")  # one is there already
    expect(text.column.locator(".marking-note")).to_contain_text("may not overlap")
    judge.press("Delete")
    assert len(text.errors()) == 1
    judge.press("z")
    assert len(text.errors()) == 2
    judge.press("z", "z")
    assert text.errors() == []
    judge.press("z")  # nothing is left to undo, and nothing was sent that could be
    judge.press("Home", "2")
    text.score(7)
    judge.press("Enter")
    judge.is_at("2 of 30")
    ((cell,),) = said(campaign, server)
    assert (len(cell["spans"]), cell["spans"][0]["start"], cell["score"]) == (1, 0, 7)


def test_errors_by_two_taps_on_a_phone(opened, server):
    campaign, judge = opened(k=1, count=1, people=PHONE)
    text = Text(judge, 0, 0)
    assert judge.overflows() == 0
    text.unit("old").tap()
    text.unit("on").tap()
    text.column.get_by_role("button", name="minor").tap()
    text.column.get_by_role("button", name="Add [missing]").tap()
    judge.find("#submit").tap(force=True)
    judge.reads(
        "#missing", "Say what is wrong with the error in segment 1; 1 text is not finished."
    )
    text.column.get_by_role("button", name="major").tap()
    text.column.locator(".track").tap()
    judge.find("#submit").tap()
    judge.is_at("2 of 30")
    ((cell,),) = said(campaign, server)
    assert cell["spans"][1] == {"mark": "[missing]", "severity": "major"}
    assert cell["score"] == 50


def test_work_in_the_middle_comes_back_on_another_device(opened, come, server):
    campaign, judge = opened(k=2)
    Text(judge, 0, 1).drag("old", "old")
    judge.press("2")
    Text(judge, 1, 0).score(61)
    judge.is_saved()
    other = come(judge.link).begin()
    again = Text(other, 0, 1)
    assert [line.split() for line in again.errors()] == [["major", "old"]]
    expect(Text(other, 1, 0).column.locator(".score-entry")).to_have_value("61")
    other.reads("#summary", "1 of 4")
    for row, place in ((0, 0), (0, 1), (1, 1)):
        Text(other, row, place).score(40)
    other.press("Enter")
    other.is_at("2 of 30")
    assert said(campaign, server)[1][0]["score"] == 61


def test_an_answer_is_looked_at_and_changed(opened, server):
    campaign, judge = opened(k=1, count=1)
    Text(judge, 0, 0).score(30)
    judge.press("Enter")
    judge.is_at("2 of 30")
    judge.find("#back-button").click()
    judge.reads(".history-said >> nth=0", judge.find(".history-said").first.inner_text())
    assert "0 errors in 1 text; 30" in judge.find(".history-said").first.inner_text()
    judge.find(".history .button").first.click()
    judge.sees("#revision-note")
    expect(Text(judge, 0, 0).column.locator(".score-entry")).to_have_value("30")
    Text(judge, 0, 0).drag("old", "old")
    judge.press("1")
    judge.find("#submit").click()
    judge.is_at("2 of 30")
    ((cell,),) = said(campaign, server)
    assert (cell["score"], len(cell["spans"])) == (30, 1)


def test_mqm_asks_for_a_kind_and_for_texts_without_errors(opened, server):
    campaign, judge = opened("mqm", k=1, count=2)
    text = Text(judge, 0, 0)
    text.drag("old", "old")
    judge.press("3")
    expect(text.column.locator(".marking select")).to_be_focused()
    text.column.locator(".marking select").select_option("Accuracy/Mistranslation")
    expect(text.column.locator(".penalty")).to_have_text("Sum of weights: 5")
    judge.find("#submit").click(force=True)
    judge.reads(
        "#missing",
        "1 text is not finished: next, segment 2 needs its errors marked, or “No errors”.",
    )
    judge.page.get_by_role("button", name="No errors in output A of segment 2").click()
    judge.find("#submit").click()
    judge.is_at("2 of 30")
    ((first,), (second,)) = said(campaign, server)
    assert first["spans"][0]["category"] == "Accuracy/Mistranslation"
    assert (first["spans"][0]["severity"], second) == ("major", {"spans": []})


def test_arrows_go_as_one_sees_them_in_arabic(server, come):
    campaign = server.campaign("esa", testset=arabic(), k=1, window=1)
    judge = come(server.invite(campaign)).begin()
    text = Text(judge, 0, 0)
    shown = text.text.inner_text()
    judge.press("a", "ArrowLeft", "Shift+ArrowLeft", "1")
    text.score(50)
    judge.press("Enter")
    judge.is_at("2 of 30")
    ((cell,),) = said(campaign, server)
    assert words_of(shown, cell["spans"]) == [" ".join(shown.split()[:2])]


def test_characters_are_marked_in_chinese(server, come):
    testset = texts_of("The cat sat.", ("猫坐在垫子上𠀀。", "猫在垫子上。"), count=1)
    campaign = server.campaign("esa", testset=testset, k=1, target_language="zh", context=0)
    judge = come(server.invite(campaign)).begin()
    text = Text(judge, 0, 0)
    shown = text.text.inner_text()
    judge.press("a", "End", "ArrowLeft", "1")
    text.score(50)
    judge.press("Enter")
    judge.is_at("2 of 30")
    ((cell,),) = said(campaign, server)
    assert words_of(shown, cell["spans"]) == [shown[-2]]  # by code points


@pytest.mark.parametrize("options", [PHONE, ZOOMED], ids=["phone", "400 %"])
def test_nothing_is_cut_on_small_screens(opened, options):
    _, judge = opened(k=3, people=options)
    text = Text(judge, 0, 0)
    text.text.focus()
    judge.press("ArrowRight", "Shift+ArrowRight")
    judge.sees(".marking >> nth=0")
    assert judge.overflows() == 0
    assert judge.findings() == []
