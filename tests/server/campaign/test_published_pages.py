"""A campaign as pages: what was shown and said is there, who said it is not."""

import re

from rankwise.server.campaign.exchange.published_pages import publish
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
