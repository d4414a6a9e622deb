"""The words below a line of scores: short lines, every language, the widest font."""

import pytest

from browser.fonts import FONTS, environment
from browser.people import DESKTOP, PHONE, Person
from rankwise.server.campaign.launch.judge_words import words_of
from rankwise.server.phrases import LANGUAGES, RIGHT_TO_LEFT

WIDE = FONTS["wide"]
pytestmark = [
    pytest.mark.requires_program("chromium"),
    pytest.mark.requires_font(WIDE.file, WIDE.package),
]

#: What each page writes below its lines, from 0 to 100.
ANCHORS = {
    "esa": ("nonsense", "flawed", "good", "perfect"),
    "direct-assessment": ("nothing", "some of it", "most of it", "all of it"),
    "cards": ("nothing of the meaning", "some of it", "most of it", "all of it, well said"),
}
#: Where four columns and more are the narrowest, where they go two abreast, and phones.
WIDTHS = (1920, 1300, 1280, 900, 390, 360, 320)
#: A line shorter than this shows its numbers alone, in CSS pixels.
SHORTEST = 200

#: Puts other words below every line, and says of each line how long it is and of every anchor
#: where its number and every one of its words stand. A word that breaks has several boxes.
MEASURED = """([language, direction, words]) => {
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  const box = ({ left, right, top, bottom }) => ({ left, right, top, bottom });
  const range = document.createRange();
  return [...document.querySelectorAll(".line")].map((line) => ({
    length: line.clientWidth,
    track: box(line.querySelector(".rail").getBoundingClientRect()),
    anchors: [...line.querySelectorAll(".anchor")].map((anchor, place) => {
      const said = anchor.querySelector(".anchor-words");
      said.textContent = words[place];
      const parts = [...words[place].matchAll(/[^ ]+/g)].map((word) => {
        range.setStart(said.firstChild, word.index);
        range.setEnd(said.firstChild, word.index + word[0].length);
        return { word: word[0], boxes: [...range.getClientRects()].map(box) };
      });
      return { number: box(anchor.querySelector("b").getBoundingClientRect()), parts };
    }),
  }));
}"""


@pytest.fixture(scope="module")
def wide(launch, tmp_path_factory):
    """A browser whose font is the widest."""
    browser = launch(env=environment(WIDE, tmp_path_factory.mktemp("font")))
    yield browser
    browser.close()


@pytest.fixture
def judging(wide, server):
    """``judging(protocol, k)``: a judge before the first screen of such a campaign."""
    people = []

    def come(protocol, k, **options):
        plan = {"by_document": True} if protocol == "direct-assessment" else {}
        name = "direct-assessment" if protocol == "cards" else protocol
        campaign = server.campaign(name, k=k, **plan)
        people.append(Person(wide, server.invite(campaign), **options).begin())
        return people[-1]

    yield come
    for person in people:
        person.context.close()
        assert person.problems == []


def overlap(one, other) -> bool:
    """Whether two boxes have more than a pixel in common."""
    wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
    high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return wide > 1 and high > 1


def faults(line, *, may_break: bool) -> list[str]:
    """What is wrong below a line."""
    found, earlier = [], []
    for anchor in line["anchors"]:
        boxes = [anchor["number"]]
        for part in anchor["parts"]:
            if line["length"] >= SHORTEST and not part["boxes"]:
                found.append(f"{part['word']} is not shown")
            if len(part["boxes"]) > 1 and not may_break:
                found.append(f"{part['word']} breaks")
            boxes += part["boxes"]
        if any(overlap(box, other) for box in boxes for other in earlier):
            found.append(f"{anchor['parts'][0]['word']} lies over what stands before it")
        track = line["track"]
        if any(
            box["left"] < track["left"] - 1 or box["right"] > track["right"] + 1 for box in boxes
        ):
            found.append(f"{anchor['parts'][0]['word']} runs out of the line")
        earlier += boxes
    return found


def faults_in_every_language(page, protocol) -> list[str]:
    """What is wrong below the lines of a page, whatever language their words are in."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for language in LANGUAGES:
            words = [words_of(language)(word) for word in ANCHORS[protocol]]
            direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
            lines = page.evaluate(MEASURED, [language, direction, words])
            assert lines
            may_break = language in ("ja", "zh")  # between any two signs
            said = {fault for line in lines for fault in faults(line, may_break=may_break)}
            found += [f"{language} at {width} px: {fault}" for fault in sorted(said)]
    return found


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6])
def test_no_word_below_a_score_of_a_document_breaks(judging, k):
    page = judging("esa", k, **DESKTOP).page
    assert faults_in_every_language(page, "esa") == []


@pytest.mark.parametrize("protocol", ["direct-assessment", "cards"])
def test_no_word_below_other_scores_breaks(judging, protocol):
    page = judging(protocol, 3, **PHONE).page
    assert faults_in_every_language(page, protocol) == []


def test_numbers_stand_where_they_are_on_the_line(judging):
    page = judging("esa", 3, **DESKTOP).page
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        (line, *_) = page.evaluate(MEASURED, ["en", "ltr", list(ANCHORS["esa"])])
        track = page.locator(".track").first.bounding_box()
        for value, anchor in zip((33, 66), line["anchors"][1:3], strict=True):
            middle = (anchor["number"]["left"] + anchor["number"]["right"]) / 2
            assert abs(middle - track["x"] - value / 100 * track["width"]) < 3, width


def test_words_come_and_go_with_the_length_of_the_line(judging):
    page = judging("esa", 6, **DESKTOP).page
    page.set_viewport_size({"width": 1300, "height": 900})
    (line, *_) = page.evaluate(MEASURED, ["en", "ltr", list(ANCHORS["esa"])])
    assert line["length"] < SHORTEST
    assert not any(part["boxes"] for anchor in line["anchors"] for part in anchor["parts"])
