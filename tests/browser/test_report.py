"""The report in a real browser: it needs no network and fits a phone."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rankwise.cli import main

pytestmark = pytest.mark.requires_program("chromium")

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--hide-scrollbars",
]


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "demo"
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--output", str(folder)])
    assert not ended.value.code
    return folder / "report.html"


def chromium(page: Path, folder: Path, *flags: str) -> str:
    """What Chromium prints for a page opened from disk."""
    browser = shutil.which("chromium")
    command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", *flags, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def test_it_shows_tables_and_charts(report, tmp_path):
    shown = chromium(report, tmp_path, "--dump-dom")
    assert shown.count("<table") == 3
    assert shown.count("<svg") == 5  # rank ranges, and one scatter plot for each of four metrics
    assert "<strong>" in shown


def test_it_asks_nobody_for_anything(report):
    page = report.read_text(encoding="utf-8")
    assert re.findall(r"""(?:src|href)=|url\(|@import|<script""", page) == []


def test_it_fits_a_phone(report, tmp_path):
    probe = "<script>document.title = document.documentElement.scrollWidth</script>"
    page = tmp_path / "probe.html"
    page.write_text(report.read_text(encoding="utf-8") + probe, encoding="utf-8")
    shown = chromium(page, tmp_path, "--dump-dom", "--window-size=390,844")
    width = int(re.search(r"<title>(\d+)</title>", shown)[1])
    assert width <= 500  # headless Chromium makes no window narrower than 500 px
