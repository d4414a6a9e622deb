"""Published pages from a disk: their pictures and sounds are shown, by the rules of the pages."""

import pytest

from browser.people import until
from media import png, wav
from rankwise.server.campaign.exchange.published_pages import publish
from rankwise.server.records import Asset, SegmentAsset
from server.campaign.made import make_plan, make_testset, simulated

pytestmark = pytest.mark.requires_program("chromium")
FILES = {1: png(64, 42), 2: wav(0.2)}


def test_a_picture_and_a_sound_are_loaded(chromium, tmp_path):
    testset = make_testset(3, 2)
    kinds = {1: "image/png", 2: "audio/wav"}
    assets = {
        place: SegmentAsset(Asset(n, "k", "n", kinds[n], len(FILES[n])), "A sun")
        for place, n in enumerate((1, 2))
    }
    judgments = simulated(testset, 20, k=3)
    assert {one.segment for one in judgments} == {one.id for one in testset.segments}
    plan = make_plan(k=3)
    publish(plan, testset, judgments, tmp_path, assets=assets, content=lambda a: [FILES[a.id]])
    context = chromium.new_context()
    page, heard = context.new_page(), []
    page.on("console", lambda message: heard.append(message.text))
    has = {
        kind: next(p for p in sorted(tmp_path.glob("screens/*")) if f"<{kind} " in p.read_text())
        for kind in ("img", "audio")
    }
    page.goto(has["img"].as_uri())
    until(page, lambda: page.evaluate("document.querySelector('img').naturalWidth === 64"))
    page.goto(has["audio"].as_uri())
    page.evaluate("document.querySelector('audio').load()")
    page.evaluate("document.querySelector('audio').preload = 'auto'")
    until(page, lambda: page.evaluate("document.querySelector('audio').duration > 0.1"))
    context.close()
    assert heard == []
