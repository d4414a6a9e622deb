"""A campaign as pages: what was shown and said is there, who said it is not."""

import re
from types import SimpleNamespace

import pytest

from media import png, wav
from rankwise import DataError
from rankwise.server.campaign.exchange.published_pages import publish
from rankwise.server.records import Asset, SegmentAsset
from server.campaign.made import make_plan, make_testset, simulated, stored


def test_every_screen_has_a_page_and_nobody_a_name(tmp_path):
    plan, testset = make_plan(k=3), make_testset(5, 6)
    judgments = simulated(testset, 20, k=3)
    made = publish(plan, testset, judgments, tmp_path)
    assert (made.screens, made.judgments) == (20, 20)
    pages = {path: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html")}
    assert len(pages) == 21
    for path, html in pages.items():
        assert not re.search(r"\bj0\d\b|r0000\d\d|<script|https?://", html)
        for link in re.findall(r'href="([^"]+)"', html):
            assert (path.parent / link).is_file(), link
    one = judgments[0]
    html = pages[tmp_path / "screens" / "1.html"]
    order = [html.index(f'<p class="who">{one.slots[n].systems[0]}</p>') for n in one.shown]
    assert order == sorted(order)
    assert "Judge 1" in html and "rank 1" in html
    assert all(system in pages[made.first] for system in testset.systems)


def test_errors_are_marked_and_texts_are_no_html(tmp_path):
    plan, testset = make_plan(protocol="esa", k=1), make_testset(2, 2)
    evil = ("<script>x</script>", "fine")
    testset = type(testset)(testset.segments, {"s00": evil, "s01": evil}, "made", "de", "en")
    spans = [
        {"start": 0, "end": 8, "severity": "major"},
        {"start": 4, "end": 10, "severity": "minor"},
        {"mark": "[missing]", "severity": "minor"},
    ]
    rows = [[{"spans": spans, "score": 12}], [{"spans": [], "score": 99}]]
    one = stored(1, ["s00"], {"segments": rows}, segments=("1", "2"), comment="I am Ann")
    publish(plan, testset, [one], tmp_path)
    html = (tmp_path / "screens" / "1.html").read_text(encoding="utf-8")
    assert "<script" not in html and "I am Ann" not in html
    assert '<mark class="strong" title="major">&lt;scr</mark>' in html
    assert '<mark class="strong" title="major; minor">ipt&gt;</mark>' in html
    assert "score 12; [missing] (minor)" in html and "score 99" in html


FILES = {1: png(64, 42), 2: wav(0.1), 3: b"\x1a\x45\xdf\xa3....webm"}
KINDS = {1: "image/png", 2: "audio/wav", 3: "video/webm"}


def asset_of(number, words=""):
    name = f"../<evil>{number}.html"
    return SegmentAsset(
        Asset(number, f"key{number}", name, KINDS[number], len(FILES[number])), words
    )


def content(asset):
    whole = FILES[asset.id]
    yield whole[:40]
    yield whole[40:]


@pytest.fixture
def judged():
    """A campaign of five segments; the third one was never judged."""
    plan, testset = make_plan(k=3), make_testset(5, 5)
    found = simulated(testset, 30, k=3)
    names = [segment.id for segment in testset.segments]
    stored_ = [one for one in found if one.segment != names[2]]
    seen = {names.index(one.segment) for one in stored_}
    assert seen == {0, 1, 3, 4}
    return SimpleNamespace(plan=plan, testset=testset, stored=stored_)


def pages_of(folder):
    return "".join(page.read_text(encoding="utf-8") for page in folder.glob("screens/*.html"))


def test_pages_hold_the_files_that_were_shown_and_no_others(tmp_path, judged):
    assets = {0: asset_of(1, 'A "sun" <b>'), 1: asset_of(2, "A tone"), 2: asset_of(3)}
    assets[4] = assets[0]
    made = publish(
        judged.plan, judged.testset, judged.stored, tmp_path, assets=assets, content=content
    )
    assert (made.files, made.size) == (2, len(FILES[1]) + len(FILES[2]))
    there = {path.name: path.read_bytes() for path in (tmp_path / "media").iterdir()}
    assert there == {"1.png": FILES[1], "2.wav": FILES[2]}
    html = pages_of(tmp_path)
    assert '<img src="../media/1.png" alt="A &quot;sun&quot; &lt;b&gt;">' in html
    assert '<audio src="../media/2.wav" controls preload="none"></audio>' in html
    assert "evil" not in html and "key1" not in html
    assert "img-src 'self' file:" in html and "default-src 'none'" in html


def test_without_the_files_their_descriptions_stay(tmp_path, judged):
    assets = {0: asset_of(1, "A sun"), 1: asset_of(2)}
    made = publish(judged.plan, judged.testset, judged.stored, tmp_path, assets=assets)
    html = pages_of(tmp_path)
    assert made.files == 0 and not (tmp_path / "media").exists()
    assert "A picture: A sun" in html and "A sound</p>" in html and "<img" not in html


@pytest.mark.parametrize("changed", [b"<html>" + b" " * 200, FILES[1] + b"more"])
def test_what_is_no_longer_what_was_stored_is_not_published(tmp_path, judged, changed):
    assets = {0: asset_of(1)}
    with pytest.raises(DataError, match=r"evil>1.html' is no longer what was stored: expected im"):
        publish(
            judged.plan,
            judged.testset,
            judged.stored,
            tmp_path,
            assets=assets,
            content=lambda _: [changed],
        )
    assert list((tmp_path / "media").iterdir()) == []
