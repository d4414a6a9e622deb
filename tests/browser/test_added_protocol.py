"""The protocol that a page adds, in a copy of the package: does a judge get on with it?"""

import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from browser.people import PATIENCE, PHONE
from docs.copied_package import BEGIN, COMMAND, change, copied, python
from docs.page_sessions import blocks

pytestmark = pytest.mark.requires_program("chromium")

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "add-a-protocol.md"


@pytest.fixture
def link(tmp_path):
    """The personal link of a judge, served by the package as the page changes it."""
    folder = copied(tmp_path)
    shutil.copytree(folder / "src/rankwise/bundled/example", folder, dirs_exist_ok=True)
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if block.title:
            change(block, folder)
    created = python(COMMAND, folder, "campaign", "create", "plan.toml", "--open")
    path = re.search(r"/j/\S+", created)[0]
    code = BEGIN.format(folder=str(folder / "src")) + COMMAND
    command = [sys.executable, "-u", "-c", code, "serve", "--port", "0", "--no-example"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    ) as server:
        try:
            address = next(
                found[0] for line in server.stdout if (found := re.search(r"http://[\d.:]+", line))
            )
            wait_for(f"{address}/healthz")
            yield address + path
        finally:
            server.terminate()
            server.communicate(timeout=30)


def wait_for(url):
    """The address is printed just before the server listens there."""
    end = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            urllib.request.urlopen(url, timeout=PATIENCE / 1000).close()
            return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_a_judge_picks_the_best(link, come, device):
    judge = come(link, **device).begin()
    assert judge.overflows() == 0
    judge.press("Enter")
    judge.reads("#missing", "Pick the best output to submit.")
    judge.find(".chip").nth(1).click()
    judge.reads("#summary", "B > A = C = D")
    judge.press("c")
    judge.reads("#summary", "C > A = B = D")
    judge.find("#submit").click()
    judge.is_at("2 of 30")
