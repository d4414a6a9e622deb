"""The site in a browser: it fits a phone, asks nobody for anything, and can be searched."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from browser.people import DESKTOP, PHONE
from docs.built_site import built

pytestmark = pytest.mark.requires_program("chromium")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        del arguments


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, and the address it is served at."""
    folder = built(tmp_path_factory.mktemp("site") / "site")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def open_page(chromium):
    """``open_page(address, options)``, a page whose complaints and requests are looked at."""
    contexts, problems = [], []

    def start(address, options):
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.on("console", lambda said: said.type == "error" and problems.append(said.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda asked: _elsewhere(asked.url, address, problems))
        return page

    yield start
    for context in contexts:
        context.close()
    assert problems == []


def _elsewhere(url, address, problems):
    if not url.startswith((address, "data:", "blob:")):
        problems.append(f"asked for {url}")


def test_no_page_scrolls_sideways(site, open_page):
    folder, address = site
    page, wide = open_page(address, PHONE), []
    for path in sorted(folder.rglob("*.html")):
        page.goto(f"{address}/{path.relative_to(folder)}")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path.name)
    assert wide == []


def test_a_search_finds_a_model(site, open_page):
    _, address = site
    page = open_page(address, DESKTOP)
    page.goto(f"{address}/index.html")
    field = page.get_by_role("textbox", name="Search")
    field.click()  # the index is read now; what is typed before it is there is not looked for
    expect(page.get_by_text("Type to start searching")).to_be_visible()
    field.press_sequentially("fligner")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    assert "fligner-verducci" in page.locator(".md-search-result").inner_text()
