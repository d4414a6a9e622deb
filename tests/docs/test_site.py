"""The site: does it build without a warning, and does it need nothing but itself?"""

import re
from html.parser import HTMLParser

import pytest

from docs.built_site import ROOT, built

PAGES = sorted(path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site as ``make docs`` builds it; broken links and missing anchors are errors."""
    return built(tmp_path_factory.mktemp("site") / "site")


class Loaded(HTMLParser):
    """What a browser fetches for a page, which links to click on are not."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.found += [given["src"]] if "src" in given else []
        self.found += [given["href"]] if tag == "link" and "href" in given else []


def test_every_page_is_built(site):
    assert PAGES
    assert [str(page) for page in PAGES if not (site / page.with_suffix(".html")).is_file()] == []


def test_a_page_fetches_nothing_from_elsewhere(site):
    for page in site.rglob("*.html"):
        loaded = Loaded()
        loaded.feed(page.read_text("utf-8"))
        assert loaded.found
        assert [one for one in loaded.found if re.match(r"(\w+:)?//", one)] == [], page


def test_no_style_fetches_anything_from_elsewhere(site):
    styles = list(site.rglob("*.css"))
    assert styles
    for style in styles:
        assert (
            re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", style.read_text("utf-8")) == []
        )


def test_formulas_are_drawn(site):
    metrics = (site / "reference" / "metrics.html").read_text("utf-8")
    assert metrics.count("<math") >= 5
    assert [page for page in site.rglob("*.html") if "arithmatex" in page.read_text("utf-8")] == []


def test_the_pages_can_be_searched(site):
    assert '"location":"reference/metrics.html' in (
        site / "search" / "search_index.json"
    ).read_text("utf-8")
