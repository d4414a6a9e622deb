"""A document with errors that a machine marked, sliders, texts of the judge's, and places."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from browser.campaign_server import arabic, texts_of
from browser.people import PHONE, ZOOMED
from browser.test_judge_documents import OUTPUTS, Text, said

pytestmark = pytest.mark.requires_program("chromium")

OLD = {"start": 4, "end": 7, "severity": "minor"}
MISSING = {"mark": "[missing]", "severity": "major"}
SLIDERS = [
    {
        "name": "Fluency",
        "low": 1,
        "high": 5,
        "anchors": [{"at": 1, "words": "poor"}, {"at": 5, "words": "perfect"}],
    },
    {"name": "Tone", "low": -1, "high": 1, "step": 0.5},
]


@pytest.fixture
def opened(server, come):
    def open_it(*, given=None, people=None, count=1, **changes):
        testset = texts_of("Die alte Katze saß auf der Matte.", OUTPUTS[:1], count=count)
        marked = None if given is None else {name: [given] * count for name in testset.systems}
        keys = {"k": 1, "context": 0, **changes}
        campaign = server.campaign("esa", testset=testset, given=marked, **keys)
        return campaign, come(server.invite(campaign), **(people or {})).begin()

    return open_it


def test_marked_errors_are_kept_changed_removed_and_added(opened, server):
    campaign, judge = opened(given=[OLD, MISSING], count=2)
    text = Text(judge, 0, 0)
    judge.reads("#question", "Correct the marked errors, then give every segment a score.")
    assert [line.split()[:3] for line in text.errors()] == [
        ["minor,", "by", "machine"],
        ["major,", "by", "machine"],
    ]
    text.unit("old").click()
    judge.press("2")
    assert text.errors()[0].startswith("major, by machine, changed")
    text.column.get_by_role("button", name="Remove major, by machine: [missing]").click()
    judge.press("z")
    assert len(text.errors()) == 2
    text.column.get_by_role("button", name="Remove major, by machine: [missing]").click()
    text.drag("mat", "mat")
    judge.press("1")
    for row in range(2):
        Text(judge, row, 0).score(40)
    judge.press("Enter")
    judge.is_at("2 of 30")
    (first,), (second,) = said(campaign, server)
    assert first["given"] == second["given"] == second["spans"] == [OLD, MISSING]
    assert [span["severity"] for span in first["spans"]] == ["major", "minor"]


def test_corrections_come_back_on_another_device(opened, come):
    _, judge = opened(given=[OLD], post_edits=True, output_comments=True, sliders=SLIDERS)
    Text(judge, 0, 0).column.get_by_role("button", name="Remove minor").click()
    judge.page.get_by_label("Fluency of output A of segment 1", exact=True).press("End")
    judge.page.get_by_role("textbox", name="Correction of output A").fill("The cat.")
    judge.page.get_by_role("button", name="Add a comment on output A").click()
    judge.page.get_by_role("textbox", name="Comment on output A").fill("zebra")
    judge.is_saved()
    other = come(judge.link).begin()
    assert Text(other, 0, 0).errors() == []
    for name, text in (("Correction of output A", "The cat."), ("Comment on output A", "zebra")):
        expect(other.page.get_by_role("textbox", name=name)).to_have_value(text)
    fluency = other.page.get_by_label("Fluency of output A of segment 1", exact=True)
    expect(fluency).to_have_attribute("aria-valuetext", "5")


def test_sliders_by_keys_and_numbers_nothing_chosen_before(opened, server):
    campaign, judge = opened(sliders=SLIDERS)
    text = Text(judge, 0, 0)
    assert text.column.locator(".track.is-set").count() == 0
    text.score(70)
    judge.press("Enter")
    judge.reads("#missing", "1 text is not finished: next, segment 1 needs a value for Fluency.")
    fluency, tone = (
        text.column.get_by_role("slider", name=f"{name} of") for name in ("Fluency", "Tone")
    )
    expect(fluency).to_be_focused()
    judge.press("ArrowRight", "ArrowRight")  # the middle first
    tone.focus()
    judge.press("Home", "ArrowRight")
    expect(tone).to_have_attribute("aria-valuetext", "-0.5")
    judge.find("#tools button").click()
    expect(tone).to_have_attribute("aria-valuetext", "no score yet")
    entry = text.column.get_by_label("Tone of output A of segment 1 as a number, -1 to 1")
    entry.fill("0.3")
    expect(entry).to_have_attribute("aria-invalid", "true")
    entry.fill("0.5")
    judge.press("Enter")
    judge.is_at("2 of 30")
    ((cell,),) = said(campaign, server)
    assert cell["sliders"] == {"Fluency": 4, "Tone": 0.5}


def test_a_slider_by_touch(opened):
    _, judge = opened(sliders=SLIDERS[:1], people=PHONE)
    judge.page.get_by_role("slider", name="Fluency of").tap()
    expect(judge.page.get_by_role("slider", name="Fluency of")).to_have_attribute(
        "aria-valuetext", "3"
    )


def test_a_correction_begins_with_the_output_and_can_be_taken_back(opened, server):
    campaign, judge = opened(post_edits=True)
    field = judge.page.get_by_role("textbox", name="Correction of output A")
    expect(field).to_have_value(OUTPUTS[0])
    reset = judge.page.get_by_role("button", name="As it was")
    expect(reset).to_be_hidden()
    field.press("End")
    judge.page.keyboard.type("z a1")  # letters here are no keys of the page
    expect(field).to_have_value(OUTPUTS[0] + "z a1")
    reset.click()
    expect(field).to_have_value(OUTPUTS[0])
    judge.find("#tools button").click()
    expect(field).to_have_value(OUTPUTS[0] + "z a1")
    Text(judge, 0, 0).score(5)
    judge.press("Enter")
    judge.is_at("2 of 30")
    ((cell,),) = said(campaign, server)
    assert cell["edit"] == OUTPUTS[0] + "z a1"
    assert "comment" not in cell


def test_texts_from_right_to_left(server, come):
    campaign = server.campaign("esa", testset=arabic(), k=1, window=1, post_edits=True)
    judge = come(server.invite(campaign)).begin()
    field = judge.page.get_by_role("textbox", name="Correction of output A")
    assert field.evaluate("one => getComputedStyle(one).direction") == "rtl"


def test_a_place_lights_up_in_the_source(opened):
    _, judge = opened(highlight=True)
    text = Text(judge, 0, 0)
    text.unit("mat").hover()
    lit = judge.find(".segment-source [data-echo]")
    assert "Matte" in "".join(lit.all_inner_texts())
    judge.find("#question").hover()
    expect(lit).to_have_count(0)
    judge.press("a", "Home")
    assert lit.all_inner_texts() == ["Die"]
    judge.find(".segment-source .unit").first.hover()
    assert text.column.locator("[data-echo]").all_inner_texts() == ["The"]


def test_places_can_be_switched_off(opened):
    _, judge = opened(highlight=False)
    Text(judge, 0, 0).unit("mat").hover()
    expect(judge.find("[data-echo]")).to_have_count(0)


def test_instructions_of_a_domain_stand_above_the_document(server, come):
    made = texts_of("Die Katze.", OUTPUTS[:1], count=2)
    news, other = (
        replace(segment, domain=domain, document=domain)
        for segment, domain in zip(made.segments, ("news", "other"), strict=True)
    )
    told = {"other": "<b>No.</b>", "news": "Names **stay**."}
    for segment, words in ((news, "Names stay."), (other, "<b>No.</b>")):
        outputs = {name: texts[:1] for name, texts in made.outputs.items()}
        testset = replace(made, segments=(segment,), outputs=outputs)
        campaign = server.campaign("esa", testset=testset, k=1, domain_instructions=told)
        judge = come(server.invite(campaign)).begin()
        judge.reads(".told", words)


@pytest.mark.parametrize("options", [PHONE, ZOOMED, {}], ids=["phone", "400 %", "desktop"])
def test_nothing_is_cut(opened, options):
    keys = {"sliders": SLIDERS, "output_comments": True, "post_edits": True}
    _, judge = opened(given=[OLD, MISSING], people=options, **keys)
    judge.page.get_by_role("button", name="Add a comment").click()
    assert judge.overflows() == 0
    assert judge.findings() == []
