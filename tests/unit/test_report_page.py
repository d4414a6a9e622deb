"""The page: everything escaped, nothing fetched, only its own script."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rankwise.present.comparing.pair_data import PairMetric, pair_data
from rankwise.present.html_tables import html_table
from rankwise.present.page.html_page import Chart, Page, Section, html_page
from rankwise.present.page.pair_view import PairView
from rankwise.present.page.segment_cards import Card, CardList, CardText
from rankwise.present.tables import Column, Table
from rankwise.text.word_differences import Run
from rankwise.types import Segment, TestSet

HOSTILE = st.text(st.sampled_from("<>&\"'/=a \u2028\\`-!"), min_size=1) | st.sampled_from(
    ["</script><script>alert(1)</script>", '" onload="alert(1)', "<!--", "]]>", "</style>", "&lt;"]
)


class Reader(HTMLParser):
    """Tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.texts.append(data)


def pair_data_of(word: str) -> dict:
    """Two systems on one segment, with *word* wherever a text may stand."""
    segment = Segment("1" + word, word, (word,), word, word)
    testset = TestSet((segment,), {word: (word,), word + "2": ("x",)}, word, "en", "de")
    scores = [PairMetric(word, True, 1, np.array([[1.0], [np.nan]]), {})]
    return pair_data(testset.systems, [segment.id], scores, testset, [0])


def whole_page(word: str) -> Page:
    """A page that has *word* wherever a text may stand."""
    table = Table(
        [Column(word), Column("x" + word, "right", ".2f")], [(word, 1.5), (None, 2)], word, [word],
        marked=[(0, 0)], rules=[1],
    )  # fmt: skip
    runs = [Run(kind, word) for kind in ("same", "added", "missing")]
    card = Card(word, 1, word, {"people": (2.0, word)}, [CardText(word, runs, word)])
    section = Section(
        word, word, [table], [Chart(word, "<svg></svg>", word, table)],
        CardList([card], {"people": word}), [word], [word],
        PairView(pair_data_of(word), [card], (0, 1)),
    )  # fmt: skip
    return Page(word, word, [section], [(word, word)], [word])


@given(HOSTILE)
def test_no_text_becomes_markup(word):
    tame, wild = Reader(html_page(whole_page("tame"))), Reader(html_page(whole_page(word)))
    assert wild.tags == tame.tags
    assert wild.names == tame.names
    assert wild.tags.count("script") == 2  # the script, and the data that it reads
    if word.strip() and not word.isspace():
        assert word in wild.texts


def test_the_only_script_is_the_one_that_the_policy_names():
    page = html_page(whole_page("x"))
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert "default-src 'none'" in page


def test_nothing_is_fetched():
    page = html_page(whole_page("x"))
    assert re.findall(r"""(?:src|srcset)=|url\(|@import|https?:""", page) == []
    assert re.findall(r'href="(?!#)', page) == []


def test_sections_are_linked():
    page = html_page(Page("t", "l", [Section("Metrics and people"), Section("By domain")]))
    assert re.findall(r'href="#([^"]*)"', page) == ["metrics-and-people", "by-domain"]
    assert re.findall(r'<section id="([^"]*)"', page) == ["metrics-and-people", "by-domain"]


def test_what_is_not_there_is_said_in_one_line():
    page = html_page(Page("t", "l", [], absent=["a (give --b)", "c (give --d)"]))
    assert '<p class="absent">Not on this page: a (give --b); c (give --d).</p>' in page
    assert 'class="absent"' not in html_page(Page("t", "l", []))


def test_tables_keep_their_sides_marks_and_rules():
    table = Table(
        [Column("system"), Column("BLEU", "right", ".1f")], [("A", 31.25), ("B", None)],
        marked=[(0, 1)], rules=[1],
    )  # fmt: skip
    assert html_table(table) == (
        '<div class="scroll"><table class="sortable">\n<thead><tr>'
        '<th scope="col" class="name">system</th>'
        '<th scope="col" class="right">BLEU</th></tr></thead>\n<tbody>\n'
        '<tr><td class="name">A</td><td class="right"><strong>31.2</strong></td></tr>\n'
        '<tr class="rule"><td class="name">B</td><td class="right">-</td></tr>\n'
        "</tbody>\n</table></div>\n"
    )


def test_the_column_that_stays_is_that_of_the_systems():
    heads = [Column("cluster", "right"), Column("system"), Column("BLEU", "right", ".1f")]
    page = html_table(Table(heads, [(1, "A", 31.0)]))
    assert re.findall(r'class="name[^"]*">([^<]*)', page) == ["system", "A"]
    page = html_table(Table([Column("group"), Column("BLEU", "right", ".1f")], [("news", 31.0)]))
    assert re.findall(r'class="name[^"]*">([^<]*)', page) == ["group", "news"]


def test_charts_stand_beside_tables_unless_they_are_much_higher():
    table = Table([Column("system")], [(str(number),) for number in range(10)])
    for height, kind in ((100, "parts beside"), (5000, "parts")):
        chart = Chart("c", f'<svg width="400" height="{height}"></svg>', "x", table)
        page = html_page(Page("t", "l", [Section("s", tables=[table], charts=[chart])]))
        assert f'<div class="{kind}"><div class="tables">' in page


def test_every_chart_has_its_data_behind_it():
    table = Table([Column("system")], [("A",)])
    page = html_page(Page("t", "l", [Section("s", charts=[Chart("c", "<svg></svg>", "x", table)])]))
    assert "<svg></svg></div><figcaption>x</figcaption>" in page
    assert re.search(
        r"<details><summary>Data of this chart</summary>.*<td class=\"name\">A</td>",
        page,
        re.DOTALL,
    )


def test_only_the_first_cards_are_open():
    cards = [Card(str(n), n, "", {"people": (float(n), "")}, []) for n in range(5)]
    page = html_page(Page("t", "l", [Section("s", segments=CardList(cards, {"people": "p"}, 2))]))
    assert re.findall(
        r'<details class="segment" data-place="(\d)" data-people="\d" open>', page
    ) == [
        "0",
        "1",
    ]
