"""The page of two systems in a real browser: filters, sorting, pages, keys, phones, marks."""

import random
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import rankwise as rw
from browser.fonts import FONTS, environment
from browser.layout import Inspector
from browser.people import ZOOMED
from rankwise.present.comparing.compare_page import compare_page
from rankwise.text.languages import Language
from rankwise.text.word_differences import nearest, word_differences
from rankwise.types import LevelScores, ScoreTable, Study

pytestmark = pytest.mark.requires_program("chromium")

COUNT = 50
PAGE = 20


def study() -> Study:
    """Fifty segments; system A loses a word of every third one, B of every second one."""
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    references = [" ".join(words[: 4 + number % 7]) + f" n{number}" for number in range(COUNT)]
    outputs = {
        name: [
            text.replace("two", wrong) if number % step == 0 else text
            for number, text in enumerate(references)
        ]
        for name, wrong, step in (("alpha", "2", 3), ("beta", "zwei", 2))
    }
    texts = Study.from_texts(
        outputs, references, [f"source {number}" for number in range(COUNT)],
        documents=[f"doc{number // 10}" for number in range(COUNT)],
        domains=["news" if number < 20 else "talk" for number in range(COUNT)],
    ).texts  # fmt: skip
    human = np.array([[50.0 + number % 5 for number in range(COUNT)], [50.0] * COUNT])
    table = ScoreTable(("alpha", "beta"), tuple(s.id for s in texts.segments), human, "DA")
    return Study(texts=texts, human=LevelScores.of(table))


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    found = rw.compare(study(), "alpha", "beta", ["chrf"], resampling=rw.Resampling(samples=50))
    target = tmp_path_factory.mktemp("compare") / "page.html"
    compare_page(found).save(target)
    return target


@pytest.fixture
def shown(shown_file, path):
    """``shown(file, **options)``: a page in a browser that says nothing and asks nobody."""
    return lambda file=path, **options: shown_file(file, **options)


def names(page: Page) -> list[str]:
    return page.locator(".pair-list summary b").all_inner_texts()


def count(page: Page) -> int:
    return int(page.locator(".pair-count").inner_text().split(" of ")[0])


def test_a_page_holds_some_segments_and_the_next_the_others(shown):
    page = shown()
    total = count(page)
    seen = names(page)
    assert len(seen) == PAGE
    expect(page.locator(".pair-page").first).to_have_text(f"page 1 of {-(-total // PAGE)}")
    while page.locator(".pair-on").first.is_enabled():
        page.locator(".pair-on").first.click()
        seen += names(page)
    assert len(seen) == len(set(seen)) == total
    assert page.locator(".pair-back").first.is_enabled()


def test_domains_documents_lengths_and_words_are_filtered(shown):
    page = shown()
    total = count(page)
    page.locator(".pair-domain").select_option("news")
    news = count(page)
    assert 0 < news < total
    assert all("news" in text for text in page.locator(".pair-list summary").all_inner_texts())
    page.locator(".pair-document").fill("doc1")
    in_document = count(page)
    assert 0 < in_document < news
    page.locator(".pair-document").fill("")
    page.locator(".pair-domain").select_option("")
    page.locator(".pair-least").fill("9")
    long = page.locator(".pair-list dd:nth-of-type(2)").all_inner_texts()
    assert long and all(len(text.split()) >= 9 for text in long)
    page.locator(".pair-least").fill("")
    page.locator(".pair-search").fill("N8 TWO")
    assert names(page) == ["Segment 9"]
    page.locator(".pair-search").fill("nothing like this")
    assert names(page) == []
    expect(page.locator(".pair-page").first).to_have_text("page 1 of 1")


def test_human_differences_and_scores_are_filtered(shown):
    page = shown()
    page.locator(".pair-metric").select_option("DA")
    page.locator(".pair-from").fill("3")
    found = names(page)
    assert found  # those with a difference of 3 or 4, whose numbers end so
    assert all((int(name.split()[1]) - 1) % 5 >= 3 for name in found)
    page.locator(".pair-to").fill("3")
    assert all((int(name.split()[1]) - 1) % 5 == 3 for name in names(page))
    page.locator(".pair-from").fill("")
    page.locator(".pair-to").fill("")
    page.locator(".pair-low").fill("54")
    assert all((int(name.split()[1]) - 1) % 5 == 4 for name in names(page))


def test_segments_are_sorted(shown):
    page = shown()

    def by(order: str) -> list[float]:
        page.locator(".pair-sort").select_option(order)
        heads = page.locator(".pair-list summary").all_inner_texts()
        numbers = [head.split("chrf ")[1].split()[0] for head in heads]
        return [float(number.replace("\u2212", "-")) for number in numbers]

    first, second = by("first"), by("second")
    assert first == sorted(first, reverse=True) and first[0] > 0
    assert second == sorted(second) and second[0] < 0
    page.locator(".pair-sort").select_option("place")
    places = [int(name.split()[1]) for name in names(page)]
    assert places == sorted(places)


def test_words_are_marked_against_the_reference_or_the_other(shown):
    page = shown()
    page.locator(".pair-search").fill("source 2 n2")  # beta alone is wrong in segment 3
    page.locator(".pair-sort").select_option("place")
    card = page.locator(".pair-list .segment").first
    assert card.locator("b").inner_text() == "Segment 3"
    outputs = card.locator("dd")
    assert outputs.nth(2).locator("ins, del").count() == 0
    assert outputs.nth(3).locator("ins").all_inner_texts() == ["zwei"]
    assert outputs.nth(3).locator("del").all_inner_texts() == ["two"]
    page.locator(".pair-marks").select_option("other")
    outputs = page.locator(".pair-list .segment").first.locator("dd")
    assert outputs.nth(2).locator("ins").all_inner_texts() == ["two"]
    assert outputs.nth(2).locator("del").all_inner_texts() == ["zwei"]


def test_it_is_used_by_keys(shown):
    page = shown()
    page.locator(".pair-search").focus()
    page.keyboard.type("doc")  # documents are no text
    assert count(page) == 0
    for _ in "doc":
        page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".pair-domain")).to_have_value("news")
    page.locator(".pair-on").first.focus()
    page.locator(".pair-domain").select_option("")
    page.locator(".pair-on").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pair-page").first).to_have_text("page 2 of 3")
    focused = page.evaluate("document.activeElement.tagName")
    assert focused == "SUMMARY"  # the first segment of the new page
    page.keyboard.press("Enter")
    assert page.locator(".pair-list details").first.get_attribute("open") is None


def test_it_is_read_without_a_script(chromium, path):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator(".pair-list .segment").count() == PAGE
    assert not page.locator(".filters").first.is_visible()
    context.close()


def test_many_segments_do_not_freeze_it(shown, tmp_path):
    draw = np.random.default_rng(1)
    words = [f"w{number}" for number in range(500)]
    references = [" ".join(draw.choice(words, 12)) for _ in range(5000)]
    outputs = {
        name: [" ".join(w for w in text.split() if draw.random() > 0.1) for text in references]
        for name in "AB"
    }
    texts = Study.from_texts(outputs, references)
    found = rw.compare(texts, "A", "B", "f1", resampling=rw.Resampling(samples=20), ngrams=5)
    target = tmp_path / "large.html"
    compare_page(found).save(target)
    assert target.stat().st_size < 6_000_000
    page = shown(target)
    assert page.locator(".pair-list .segment").count() == PAGE
    milliseconds = page.evaluate("""() => {
      const search = document.querySelector(".pair-search");
      const start = performance.now();
      search.value = "w17";
      search.dispatchEvent(new Event("input"));
      return performance.now() - start;
    }""")
    assert milliseconds < 1000
    expect(page.locator(".pair-count")).to_contain_text("of 2,000 segments")


@pytest.mark.parametrize("name", ["narrow", "wide"])
def test_it_fits_a_phone_in_any_font(launch, path, tmp_path, name):
    font = FONTS[name]
    browser = launch(env=environment(font, tmp_path))
    page = browser.new_context(**ZOOMED).new_page()
    page.goto(path.as_uri())
    inspector = Inspector(page)
    assert font.family in inspector.families("h1")
    found = inspector.faults()
    page.set_viewport_size({"width": 390, "height": 844})
    wide = page.evaluate("document.documentElement.scrollWidth")
    browser.close()
    assert not found, "\n".join(found)
    assert wide <= 390


def test_marks_are_those_of_the_other_pages(shown):
    """The script compares words as Python does, on random texts, and finds the same reference."""
    page = shown()
    draw = random.Random(3)
    cases = []
    for _ in range(300):
        text, *others = (
            [draw.choice("abcde") + " " for _ in range(draw.randint(0, 9))] for _ in range(4)
        )
        cases.append((text, others))
    script = """(cases) => {
      const view = document.querySelector(".pair-view");
      return cases.map(([text, others]) => [
        view.runs(text, others[0]), others.indexOf(view.nearest(text, others))]);
    }"""
    language = Language()
    for (text, others), (runs, place) in zip(cases, page.evaluate(script, cases), strict=True):
        joined = ["".join(some) for some in others]
        expected = word_differences("".join(text), joined[0], language=language)
        assert runs == [[run.kind, run.text] for run in expected]
        assert joined[place] == joined[nearest("".join(text), joined, language=language)]


def test_texts_of_any_script_are_shown_as_they_are(shown, tmp_path):
    references = ["A 😀 cat & <b>dogs</b> sat down", "今天天气很好。 ok", "مرحبا بالعالم كله اليوم"]
    outputs = {"A": [text.replace("a", "e") + " 😀 x" for text in references], "B": references}
    found = rw.compare(Study.from_texts(outputs, references), "A", "B", "chrf")
    compare_page(found).save(tmp_path / "any.html")
    page = shown(tmp_path / "any.html")
    page.locator(".pair-sort").select_option("place")
    cards = page.locator(".pair-list .segment")
    for number, reference in enumerate(references):
        texts = cards.nth(number).locator("dd").all_inner_texts()
        assert texts[0] == texts[2] == reference  # the reference, and B
        assert cards.nth(number).locator("ins").last.inner_text().endswith("😀 x")


# -- in the report ---------------------------------------------------------------------------------


def test_any_two_systems_of_a_report_are_chosen(shown, report):
    page = shown(report)
    heads = page.locator(".pair-table th")
    options = page.locator(".pair-first option").all_inner_texts()
    assert len(options) > 2
    one, two = options[1], options[2]
    page.locator(".pair-first").select_option(one)
    page.locator(".pair-second").select_option(two)
    assert heads.all_inner_texts()[1:3] == [one, two]
    before = page.locator(".pair-table tbody tr").first.locator("td").all_inner_texts()
    page.locator(".pair-swap").click()
    after = page.locator(".pair-table tbody tr").first.locator("td").all_inner_texts()
    assert (after[1], after[2]) == (before[2], before[1])
    assert (after[0], after[5:]) == (before[0], before[5:])  # the metric, p and segments needed
    assert after[3].lstrip("+\u2212") == before[3].lstrip("+\u2212")
    labels = page.locator(".pair-list .segment").first.locator("dt").all_inner_texts()
    assert labels[-2].startswith(f"{two}:") and labels[-1].startswith(f"{one}:")
    page.locator(".pair-second").select_option(two)
    expect(page.locator(".pair-count")).to_have_text("0 of 60 segments")  # one and the same
