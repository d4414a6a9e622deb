"""Sources that are pictures, sounds and videos, and places that light up, in every protocol."""

from base64 import b64decode
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from browser.campaign_server import PROTOCOLS, arabic, texts_of
from browser.people import PHONE
from browser.test_judge_documents import Text
from browser.test_organiser import PASSWORD, sign_in
from media import media_of, png, wav, without_sources
from rankwise.server.campaign.plan.sources.media_files import asset_file
from rankwise.server.phrases import LANGUAGES

pytestmark = pytest.mark.requires_program("chromium")

SOURCE = "Die alte Katze saß auf der Matte."
OUTPUTS = ("The old cat sat on the mat.", "An old cat was sitting on the mat.", "The cat.")
SUN = "A sun above the sea."
ROWS = {"picture": ("sun.png", SUN), "sound": ("tone.wav", "A tone."), "video": ("film.webm", "")}

#: What a browser records of a canvas that changes: a video as people have them.
RECORD = """async () => {
  const canvas = document.body.appendChild(document.createElement("canvas"));
  Object.assign(canvas, { width: 320, height: 180 });
  const pen = canvas.getContext("2d");
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm" });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  for (let step = 0; step < 30; step += 1) {
    pen.fillStyle = `hsl(${8 * step} 60% 45%)`;
    pen.fillRect(0, 0, 320, 180);
    pen.fillStyle = "white";
    pen.fillRect(10 * step, 70, 40, 40);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  recorder.stop();
  await ended;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
}"""


@pytest.fixture(scope="module")
def files(chromium):
    page = chromium.new_page()
    film = b64decode(page.evaluate(RECORD))
    page.close()
    return {"sun.png": png(), "tone.wav": wav(), "film.webm": film}


@pytest.fixture
def opened(server, come, files, tmp_path):
    """``opened(protocol, *kinds)``: a judge whose sources are of these kinds in turn."""

    def open_it(protocol="ranking", *kinds, people=None, texts=None, **changes):
        testset = texts or texts_of(SOURCE, (*OUTPUTS, *OUTPUTS[:2]), count=6)
        rows = [ROWS.get(kinds[place % len(kinds)]) if kinds else None for place in range(6)]
        media = media_of(tmp_path / "assets", files, rows[: len(testset.segments)])
        campaign = server.campaign(protocol, testset=testset, media=media, **changes)
        return come(server.invite(campaign), **(people or {})).begin()

    return open_it


LESSON = {"source": "", "asset": "sun.png", "asset_words": SUN, "outputs": list(OUTPUTS[:2])}


@pytest.mark.parametrize("protocol", ["ranking", "direct-assessment", "esa"])
def test_the_tutorial_shows_a_picture(server, come, files, tmp_path, protocol):
    rules = {} if protocol == "ranking" else {"rules": [{"text": 1, "score": [50, 100]}]}
    right = {"answer": {"ranks": [1, 2]}} if protocol == "ranking" else {}
    outputs = OUTPUTS[:1] if protocol == "direct-assessment" else OUTPUTS[:2]
    lesson = LESSON | {"outputs": list(outputs)} | rules | right
    media = media_of(tmp_path / "assets", files, [])
    media = replace(media, lessons=(asset_file(tmp_path / "assets", "sun.png"),))
    campaign = server.campaign(protocol, media=media, tutorial=[lesson])
    judge = come(server.invite(campaign)).begin()
    picture = judge.page.get_by_role("img", name=SUN).first
    expect(picture).to_be_visible()
    is_loaded(judge, "figure.asset img")
    assert "sun.png" not in judge.page.content()


def is_loaded(judge, selector):
    """Wait until what is to be seen or heard is there."""
    ready = "one => one.tagName === 'IMG' ? one.complete && one.naturalWidth : one.readyState > 0"
    judge.until(lambda: bool(judge.find(selector).first.evaluate(ready)))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_shows_the_picture_and_says_what_is_in_it(opened, protocol):
    texts = without_sources(texts_of(SOURCE, (*OUTPUTS, *OUTPUTS[:2]), count=6), range(6))
    judge = opened(protocol, "picture", texts=texts)
    if protocol == "adequacy-fluency":
        judge.press("4", "3", "5", "Enter")  # the source comes after the fluency
    picture = judge.page.get_by_role("img", name=SUN).first
    expect(picture).to_be_visible()
    is_loaded(judge, "figure.asset img")
    assert "(empty)" not in judge.find("main").inner_text()
    assert (judge.findings(), judge.overflows()) == ([], 0)


def test_fluency_is_rated_before_the_picture_comes(opened):
    judge = opened("adequacy-fluency", "picture")
    assert judge.find("figure.asset").count() == 0
    assert not [one for one in judge.responses if "/assets/" in one.url]
    judge.press("4", "3", "5", "Enter")
    is_loaded(judge, "#source-asset img")


@pytest.mark.parametrize("kind", ["sound", "video"])
def test_a_player_waits_and_is_played_by_keys(opened, kind):
    judge = opened("ranking", kind)
    player = judge.find("figure.asset :is(audio, video)")
    is_loaded(judge, "figure.asset :is(audio, video)")
    expect(player).to_have_js_property("paused", True)
    assert player.evaluate("one => [one.autoplay, one.currentTime, one.loop]") == [False, 0, False]
    judge.press("a")
    player.focus()
    judge.press(" ")
    expect(player).to_have_js_property("paused", False)
    judge.press("p")  # a letter is the page's: a pause of the work is one of the player
    judge.sees("#pause")
    expect(player).to_have_js_property("paused", True)
    judge.page.get_by_role("button", name="Go on").click()
    player.focus()
    judge.press("ArrowLeft", "Enter")
    judge.is_at("1 of 30")
    judge.press("2", "1", "3")
    assert judge.find("#summary").inner_text()


def test_a_description_of_a_sound_can_be_read(opened):
    judge = opened("ranking", "sound", k=2)
    player = judge.page.get_by_label("Sound of the source")
    described = player.get_attribute("aria-describedby")
    expect(judge.find(f"#{described}")).to_be_hidden()
    judge.page.get_by_text("Description").click()
    judge.reads(f"#{described}", "A tone.")
    assert judge.findings() == []


def test_what_plays_goes_on_when_the_rest_is_drawn_again(opened):
    judge = opened("ranking", "video", k=3)
    is_loaded(judge, "figure.asset video")
    judge.find("figure.asset video").evaluate("one => (one.dataset.same = 'yes')")
    judge.press("a", "1", "Shift+D", "?")
    judge.find("#show-hidden").check()
    judge.press("Escape")
    expect(judge.find("figure.asset video")).to_have_attribute("data-same", "yes")


def test_the_next_screen_has_its_own(opened):
    judge = opened("ranking", "picture", "sound", k=2)
    seen = []
    for _ in range(4):
        expect(judge.find("#source-asset figure")).to_have_count(1)
        seen.append(judge.find("#source-asset figure").get_attribute("class"))
        before = judge.find("#progress-text").inner_text()
        judge.press("a", "1", "2", "Enter")
        expect(judge.find("#progress-text")).not_to_have_text(before)
    assert set(seen) == {"asset is-image", "asset is-audio"}


@pytest.mark.parametrize("kind", ["picture", "sound"])
def test_a_file_that_does_not_come_is_asked_for_again(opened, kind):
    fresh = opened("ranking", kind, k=2)
    fresh.allow = ("Failed to load resource",)
    fresh.page.route("**/judge/assets/*", lambda route: route.abort())
    fresh.page.reload()
    expect(fresh.page.get_by_role("alert").get_by_text("could not be loaded")).to_be_visible()
    fresh.page.unroute("**/judge/assets/*")
    fresh.page.get_by_role("button", name="Try again").click()
    is_loaded(fresh, "figure.asset :is(img, audio)")
    expect(fresh.find(".asset-failed")).to_be_hidden()


@pytest.mark.parametrize("protocol", ["ranking", "esa"])
def test_a_phone_has_room_for_source_and_outputs(opened, protocol):
    judge = opened(protocol, "picture", "sound", "video", people=PHONE)
    is_loaded(judge, "figure.asset :is(img, audio, video)")
    assert (judge.findings(), judge.overflows()) == ([], 0)
    height = judge.find("figure.asset").first.bounding_box()["height"]
    assert height < 844 / 2
    if protocol == "ranking":
        panel = judge.find("#source-panel").evaluate("one => [one.scrollHeight, one.clientHeight]")
        assert panel[0] <= panel[1] + 1


def test_a_page_from_right_to_left(opened):
    judge = opened("esa", "picture", texts=_six(arabic()), k=2)
    judge.find(".language-choice summary").click()
    judge.page.get_by_role("button", name=LANGUAGES["ar"], exact=True).click()
    judge.sees("html[dir=rtl] figure.asset >> nth=0")
    is_loaded(judge, "figure.asset img")
    source, column = (judge.find(one).first.bounding_box()["x"] for one in (".asset", ".column"))
    assert source > column
    assert (judge.findings(), judge.overflows()) == ([], 0)


def _six(testset):
    outputs = {name: texts[:6] for name, texts in testset.outputs.items()}
    return type(testset)(testset.segments[:6], outputs, "six", "en", "ar")


def test_the_preview_shows_it_and_arrows_are_the_player_s(server, come, files, tmp_path):
    _, token = server.store.accounts.create("pia", "owner", "test")
    server.store.accounts.use_setup(token, PASSWORD)
    testset = texts_of(SOURCE, OUTPUTS, count=6)
    media = media_of(tmp_path / "assets", files, [ROWS["sound"]] * 6)
    campaign = server.campaign("ranking", testset=testset, media=media, k=3)
    pia = sign_in(come, server, name="pia")
    pia.page.goto(f"{server.url}/campaigns/{campaign.slug}/preview")
    is_loaded(pia, "figure.asset audio")
    place = pia.find("#preview-place").inner_text()
    pia.find("figure.asset audio").focus()
    pia.press("ArrowRight")
    pia.reads("#preview-place", place)
    pia.find("#question").focus()
    pia.press("ArrowRight")
    expect(pia.find("#preview-place")).not_to_have_text(place)
    pia.page.goto(f"{server.url}/campaigns/{campaign.slug}/items/0")
    is_loaded(pia, "audio")


# ---- places that light up


def lit(judge, selector):
    return judge.find(f"{selector} [data-echo]").all_inner_texts()


def test_places_stay_dark_unless_the_plan_says_so(opened):
    judge = opened("esa", k=2, window=1, context=0)
    judge.find(".column .unit").first.hover()
    assert lit(judge, "main") == []
    assert judge.find(".source-text[tabindex]").count() == 0


def test_a_word_of_the_source_lights_up_the_same_place_in_every_column(opened):
    judge = opened("esa", k=3, window=1, context=0, highlight=True)
    texts = {judge.find(".column .text").nth(n).inner_text(): n for n in range(3)}
    judge.find(".source-text .unit").first.hover()
    for text, place in texts.items():
        found = judge.find(".column").nth(place).locator("[data-echo]").all_inner_texts()
        assert found == text.split()[: len(found)] != []
    Text(judge, 0, texts[OUTPUTS[2]]).unit("cat").hover()
    assert set(lit(judge, ".source-text")) < set(SOURCE.replace(".", " .").split())
    assert "Katze" not in lit(judge, ".source-text")  # by place, not by meaning
    judge.find("#question").hover()
    assert lit(judge, "main") == []


@pytest.mark.parametrize("protocol", ["esa", "ranking", "direct-assessment"])
def test_keys_go_from_word_to_word_in_the_source(opened, protocol):
    changes = {} if protocol == "esa" else {"by_document": True}
    judge = opened(protocol, k=2, window=1, context=0, highlight=True, **changes)
    source = judge.page.get_by_role("group", name="Source of segment 1")
    source.focus()
    judge.press("Home")
    expect(source.locator("[data-caret]")).to_have_text("Die")
    judge.press("ArrowRight")
    expect(source.locator("[data-caret]")).to_have_text("alte")
    assert len(lit(judge, ".column")) >= 2
    judge.reads("#live", "alte")
    judge.press("End", "ArrowRight")
    expect(source.locator("[data-caret]")).to_have_text(".")
    judge.press("Tab")
    assert lit(judge, "main") == []
    assert judge.findings() == []


def test_where_nothing_is_marked_keys_go_through_outputs_too(opened):
    judge = opened("ranking", by_document=True, k=2, window=1, context=0, highlight=True)
    judge.page.get_by_role("group", name="Text of output A of segment 1").focus()
    judge.press("ArrowRight")
    assert lit(judge, ".source-text")[0] == "Die"
    assert judge.find("#summary").inner_text() == "0 of 1"  # and no key of the answer


def test_a_tap_on_the_source_lights_up_the_columns(opened):
    judge = opened("esa", k=2, window=1, context=0, highlight=True, people=PHONE)
    judge.find(".source-text .unit").first.tap()
    assert all(judge.find(".column").nth(n).locator("[data-echo]").count() for n in range(2))


def test_arrows_go_as_one_sees_them_from_right_to_left(opened):
    judge = opened("ranking", by_document=True, k=2, window=1, highlight=True, texts=_six(arabic()))
    text = judge.find(".column .text").first
    text.focus()
    judge.press("Home", "ArrowLeft")
    words = text.inner_text().split()
    expect(text.locator("[data-caret]")).to_have_text(words[1])
