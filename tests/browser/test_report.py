"""The report in a real browser: no network, no error, it sorts, it finds, it fits a phone."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from rankwise.present.page.html_page import Chart, Section, html_page
from rankwise.present.page.html_page import Page as ReportPage
from rankwise.present.page.page_style import STYLE
from rankwise.present.tables import Column, Table

pytestmark = pytest.mark.requires_program("chromium")


@pytest.fixture
def shown(shown_file, report):
    """``shown(path, **options)``: the report, or another file, in a browser with those options."""
    return lambda file=report, **options: shown_file(file, **options)


def test_it_shows_tables_and_charts(shown):
    page = shown()
    kinds = ("h2", "figure > .scroll > svg", "figure details table", ".segments > *", "strong")
    counts = [page.locator(kind).count() for kind in kinds]
    assert counts[:4] == [14, 33, 33, 60]  # a chart has its data behind it
    assert counts[4] > 20


def test_its_own_policy_lets_its_script_run(shown):
    page = shown()
    assert "script-src 'sha256-" in page.locator("meta[http-equiv]").get_attribute("content")
    expect(page.locator(".count")).to_have_text("60 of 60 segments")  # the script ran
    assert (
        '<th scope="col" class="name"><button type="button">system</button></th>' in page.content()
    )


def test_it_asks_nobody_for_anything(report, shown):
    page = report.read_text(encoding="utf-8")
    assert re.findall(r"""(?:src|srcset)=|url\(|@import|href="[^#]""", page) == []
    assert shown().evaluate("performance.getEntriesByType('resource').length") == 0


def test_it_is_read_without_a_script(report, shown, tmp_path):
    page = re.sub(r"<script>.*?</script>", "", report.read_text(encoding="utf-8"), flags=re.DOTALL)
    (tmp_path / "plain.html").write_text(page, encoding="utf-8")
    content = shown(tmp_path / "plain.html").content()
    assert content.count('<details class="segment"') == 60
    assert '<div class="tools" hidden="">' in content


def test_words_are_found(shown):
    page = shown()
    page.locator(".search").fill("Brückner MONDAY")
    expect(page.locator(".count")).to_have_text("1 of 60 segments")
    found = page.locator(".segments > .segment:not([hidden]) summary b")
    expect(found).to_have_text(["Segment 3"])


def test_segments_are_sorted(shown):
    script = """() => {
      const order = document.querySelector(".order");
      const values = (key) => {
        order.value = key;
        order.dispatchEvent(new Event("change"));
        return Array.from(document.querySelectorAll(".segments > *"), (card) =>
          parseFloat(card.getAttribute("data-" + key)));
      };
      return ["people", "systems", "metrics", "place"].map(values);
    }"""
    people, systems, metrics, place = shown().evaluate(script)
    for values in (people, systems, metrics):
        assert values == sorted(values, reverse=True)
        assert values[0] > values[-1]
    assert place == list(range(1, 61))


def test_tables_are_sorted_up_and_down(shown):
    script = """() => {
      const table = document.querySelector("#automatic-scores table");
      const button = table.tHead.rows[0].cells[5].querySelector("button");
      const click = () => {
        button.click();
        return Array.from(table.tBodies[0].rows, (row) => row.cells[2].textContent);
      };
      return [click(), click(), table.tHead.rows[0].cells[5].getAttribute("aria-sort")];
    }"""
    up, down, state = shown().evaluate(script)
    assert up[0] == "rowan" and up[-1] == "hazel"  # TER: rowan has the fewest errors
    assert down == up[::-1]
    assert state == "descending"


def test_it_is_dark_where_people_want_it_dark(shown):
    script = """() => {
      const style = getComputedStyle(document.body);
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      return [style.backgroundColor, style.color, dark];
    }"""
    light, dark = (shown(color_scheme=scheme).evaluate(script) for scheme in ("light", "dark"))
    assert light == ["rgb(255, 255, 255)", "rgb(28, 32, 36)", False]
    assert dark == ["rgb(22, 24, 27)", "rgb(232, 234, 237)", True]


def test_every_colour_has_a_dark_and_a_printed_twin():
    blocks = re.findall(r":root \{.*?\}", STYLE, re.DOTALL)
    names = [set(re.findall(r"(--[a-z]+):", block)) for block in blocks]
    assert len(names) == 3
    assert names[0] == names[1] == names[2]


@pytest.mark.parametrize("opened", [False, True])
def test_nothing_is_wider_than_a_phone(report, shown, tmp_path, opened):
    page = report.read_text(encoding="utf-8")
    if opened:
        page = page.replace("<details", "<details open")
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    phone = shown(tmp_path / "page.html", viewport={"width": 390, "height": 844})
    widths = "[document.documentElement.clientWidth, document.documentElement.scrollWidth]"
    assert phone.evaluate(widths) == [390, 390]


def test_it_prints(shown):
    pages = len(re.findall(rb"/Type\s*/Page\b", shown().pdf()))
    assert 5 <= pages <= 20


@pytest.fixture
def five_metrics(tmp_path) -> Path:
    """A page with a table of five metrics and five charts."""
    metrics = ("bleu", "chrf", "ter", "wer", "meteor:language=cs")
    columns = [Column("cluster", "right"), Column("ranks"), Column("system")]
    columns += [Column(name, "right") for name in metrics]
    cells = ["33.18 [32.0, 34.4]"] * len(metrics)
    rows = [(1, "1-2", f"CUNI-DocTransformer-{n}", *cells) for n in range(30)]
    table = Table(columns, rows)
    svg = '<svg width="460" height="760"><text y="20">A chart</text></svg>'
    charts = [Chart(name, svg, name, table) for name in metrics]
    page = ReportPage("Five metrics", "", [Section("Scores", tables=[table], charts=charts)])
    (tmp_path / "five.html").write_text(html_page(page), encoding="utf-8")
    return tmp_path / "five.html"


def test_five_metrics_fit_a_laptop(shown, five_metrics):
    page = shown(five_metrics, viewport={"width": 1400, "height": 900})
    sizes = "(box) => [box.scrollWidth, box.clientWidth]"
    needed, there = page.locator(".tables .scroll").first.evaluate(sizes)
    assert needed == there


def test_charts_use_the_width_of_the_window(shown, five_metrics):
    for width, columns in ((1400, 3), (1920, 4), (390, 1)):
        page = shown(five_metrics, viewport={"width": width, "height": 900})
        lefts = page.evaluate(
            "[...document.querySelectorAll('figure')].map((one) => one.getBoundingClientRect().x)"
        )
        assert len(set(lefts)) == columns


def test_names_of_systems_stay_when_a_phone_scrolls(shown, five_metrics):
    page = shown(five_metrics, viewport={"width": 390, "height": 844})
    table = page.locator(".tables .scroll").first
    place = "(one) => one.getBoundingClientRect().x"
    score = table.locator("tbody tr").first.locator("td").nth(3)
    before = score.evaluate(place)
    table.evaluate("(box) => { box.scrollLeft = 250; }")
    assert score.evaluate(place) == before - 250
    assert table.locator("td.name").first.evaluate(place) == table.evaluate(place)


def test_a_table_that_scrolls_says_so_and_takes_keys(shown, five_metrics):
    page = shown(five_metrics, viewport={"width": 390, "height": 844})
    table = page.locator(".tables .scroll").first
    drawn = table.evaluate("(box) => getComputedStyle(box).backgroundAttachment")
    assert drawn == "local, local, scroll, scroll"  # shadows, covered where the table ends
    table.focus()
    table.evaluate("(box) => { box.onscroll = () => { box.title = 'moved'; }; }")
    page.keyboard.press("ArrowRight")
    expect(table).to_have_attribute("title", "moved")


def test_the_first_segments_are_not_short_ones(shown):
    page = shown()
    texts = page.locator(".segments > [open] dd").all_inner_texts()
    assert texts
    assert min(len(text.split()) for text in texts) > 3
