"""The report in a real browser: no network, no error, it sorts, it finds, it fits a phone.

A copy of the page gets a script that does what a person would and puts what it sees into the
title; the copy has no content policy, for that lets no script run but the page's own.
"""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from rankwise.cli import main
from rankwise.report.style import STYLE

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
    "--allow-file-access-from-files",
]


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "demo"
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--output", str(folder)])
    assert not ended.value.code
    return folder / "report.html"


def chromium(page: Path, folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """What Chromium prints for a page opened from disk."""
    browser = shutil.which("chromium")
    command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", *flags, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=240)


def probed(report: Path, folder: Path, script: str, *flags: str) -> object:
    """The value of a JavaScript expression on the page."""
    page = report.read_text(encoding="utf-8")
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n', "", page)
    probe = f"<script>document.title = JSON.stringify((() => {{ {script} }})())</script>"
    (folder / "probe.html").write_text(page + probe, encoding="utf-8")
    shown = chromium(folder / "probe.html", folder, "--dump-dom", *flags).stdout
    return json.loads(unescape(re.search(r"<title>(.*?)</title>", shown, re.DOTALL)[1]))


def test_it_shows_tables_and_charts(report, tmp_path):
    counts = probed(
        report,
        tmp_path,
        """
        const charts = ["figure > .scroll > svg", "figure details table"];
        const kinds = ["h2", ...charts, ".segment", "strong"];
        return kinds.map((what) => document.querySelectorAll(what).length);
        """,
    )
    assert counts[:4] == [13, 33, 33, 60]  # a chart has its data behind it
    assert counts[4] > 20


def test_its_own_policy_lets_its_script_run_and_nothing_is_logged(report, tmp_path):
    done = chromium(report, tmp_path, "--dump-dom", "--enable-logging=stderr", "--v=0")
    assert "CONSOLE" not in done.stderr
    assert "60 of 60 segments" in done.stdout  # the script ran
    assert '<th scope="col"><button type="button">system</button></th>' in done.stdout


def test_it_asks_nobody_for_anything(report, tmp_path):
    page = report.read_text(encoding="utf-8")
    assert re.findall(r"""(?:src|srcset)=|url\(|@import|href="[^#]""", page) == []
    asked = probed(report, tmp_path, 'return performance.getEntriesByType("resource").length;')
    assert asked == 0


def test_it_is_read_without_a_script(report, tmp_path):
    page = re.sub(r"<script>.*?</script>", "", report.read_text(encoding="utf-8"), flags=re.DOTALL)
    (tmp_path / "plain.html").write_text(page, encoding="utf-8")
    shown = chromium(tmp_path / "plain.html", tmp_path, "--dump-dom").stdout
    assert shown.count('<details class="segment"') == 60
    assert '<div class="tools" hidden="">' in shown


def test_words_are_found(report, tmp_path):
    script = """
      const search = document.querySelector(".search");
      search.value = "Brückner MONDAY";
      search.dispatchEvent(new Event("input"));
      const shown = Array.from(document.querySelectorAll(".segment:not([hidden]) summary b"));
      return [document.querySelector(".count").textContent, shown.map((b) => b.textContent)];
    """
    assert probed(report, tmp_path, script) == ["1 of 60 segments", ["Segment 3"]]


def test_segments_are_sorted(report, tmp_path):
    script = """
      const order = document.querySelector(".order");
      const values = (key) => {
        order.value = key;
        order.dispatchEvent(new Event("change"));
        return Array.from(document.querySelectorAll(".segment"), (card) =>
          parseFloat(card.getAttribute("data-" + key)));
      };
      return ["people", "systems", "metrics", "place"].map(values);
    """
    people, systems, metrics, place = probed(report, tmp_path, script)
    for values in (people, systems, metrics):
        assert values == sorted(values, reverse=True)
        assert values[0] > values[-1]
    assert place == list(range(1, 61))


def test_tables_are_sorted_up_and_down(report, tmp_path):
    script = """
      const table = document.querySelector("#automatic-scores table");
      const button = table.tHead.rows[0].cells[5].querySelector("button");
      const click = () => {
        button.click();
        return Array.from(table.tBodies[0].rows, (row) => row.cells[2].textContent);
      };
      return [click(), click(), table.tHead.rows[0].cells[5].getAttribute("aria-sort")];
    """
    up, down, state = probed(report, tmp_path, script)
    assert up[0] == "rowan" and up[-1] == "hazel"  # TER: rowan has the fewest errors
    assert down == up[::-1]
    assert state == "descending"


def test_it_is_dark_where_people_want_it_dark(report, tmp_path):
    script = """
      const style = getComputedStyle(document.body);
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      return [style.backgroundColor, style.color, dark];
    """
    light = probed(report, tmp_path, script)
    dark = probed(report, tmp_path, script, "--blink-settings=preferredColorScheme=0")
    assert light == ["rgb(255, 255, 255)", "rgb(28, 32, 36)", False]
    assert dark == ["rgb(22, 24, 27)", "rgb(232, 234, 237)", True]


def test_every_colour_has_a_dark_and_a_printed_twin():
    blocks = re.findall(r":root \{.*?\}", STYLE, re.DOTALL)
    names = [set(re.findall(r"(--[a-z]+):", block)) for block in blocks]
    assert len(names) == 3
    assert names[0] == names[1] == names[2]


@pytest.mark.parametrize("opened", [False, True])
def test_nothing_is_wider_than_a_phone(report, tmp_path, opened):
    """Headless Chromium makes no window narrower than 500 px: a frame is."""
    page = report.read_text(encoding="utf-8")
    if opened:
        page = page.replace("<details", "<details open")
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    (tmp_path / "frame.html").write_text(
        '<iframe src="page.html" style="width:390px;height:844px;border:0"></iframe><script>'
        "onload = () => { const page = frames[0].document.documentElement;"
        "document.title = page.clientWidth + ' ' + page.scrollWidth; }</script>",
        encoding="utf-8",
    )
    shown = chromium(tmp_path / "frame.html", tmp_path, "--dump-dom").stdout
    assert re.search(r"<title>(.*?)</title>", shown)[1] == "390 390"


def test_it_prints(report, tmp_path):
    target = tmp_path / "page.pdf"
    chromium(report, tmp_path, f"--print-to-pdf={target}")
    pages = len(re.findall(rb"/Type\s*/Page\b", target.read_bytes()))
    assert 5 <= pages <= 20
