"""Ranking in a real browser: by keys, by touch, zoomed, in Arabic, with ties, on shelves."""

import pytest
from playwright.sync_api import expect

from browser.campaign_server import arabic, texts_of
from browser.people import PHONE, ZOOMED

pytestmark = pytest.mark.requires_program("chromium")


@pytest.fixture(scope="module")
def ranking(server):
    return server.campaign("ranking")


def shown_ranks(server, campaign) -> list[int]:
    """The only judgment's ranks in the order that its judge saw."""
    (judgment,) = server.stored(campaign)
    ranks = judgment.answer["ranks"]
    return [ranks[slot] for slot in judgment.shown]


def test_by_keys_only(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign)).begin()
    expect(judge.find("input:checked")).to_have_count(0)  # nothing is chosen for anybody
    judge.press("c", "1", "a", "2", "b", "3", "d", "=", "e", "5")
    judge.reads("#summary", "C > A > B = D > E")
    judge.press("Enter")
    judge.is_at("2 of 30")
    assert shown_ranks(server, campaign) == [2, 3, 1, 3, 4]  # dense


def test_a_number_chooses_the_next_card(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign)).begin()
    judge.press("2", "1", "3", "=", "5", "Enter")
    judge.is_at("2 of 30")
    assert shown_ranks(server, campaign) == [2, 1, 3, 3, 4]


def test_arrows_choose_and_delete_takes_back(server, come, ranking):
    judge = come(server.invite(ranking)).begin()
    judge.press("ArrowDown", "ArrowDown", "4")
    judge.reads("#summary", "B")
    judge.press("b", "Delete")
    judge.reads("#summary", "")


def test_what_is_missing_is_said_and_gets_the_focus(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign)).begin()
    judge.press("a", "1", "b", "2", "d", "3", "a", "Enter")
    judge.reads("#missing", "Give outputs C and E a rank to submit.")
    expect(judge.find("#submit")).to_have_attribute("aria-disabled", "true")
    expect(judge.find(".output[data-place='2']")).to_be_focused()
    expect(judge.find("#live")).to_have_text("Give outputs C and E a rank to submit.")
    judge.find("#submit").click(force=True)
    judge.is_at("1 of 30")
    assert server.stored(campaign) == []


def test_ranks_are_spoken(server, come, ranking):
    judge = come(server.invite(ranking)).begin()
    judge.press("a", "2")
    expect(judge.find("#live")).to_have_text("Output A: rank 2")
    judge.press("c", "=")
    expect(judge.find("#live")).to_have_text("Output C: rank 2, tied with A")
    groups = judge.page.get_by_role("radiogroup")
    assert groups.count() == 5
    expect(groups.first).to_have_attribute("aria-label", "Rank of output A, 1 is best")


def test_by_touch_on_a_phone(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign), **PHONE).begin()
    assert judge.overflows() == 0
    box = judge.find(".chip").first.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    for place, rank in enumerate([3, 1, 1, 2, 4]):
        judge.tick(place, rank)
    judge.reads("#summary", "B = C > D > A > E")
    judge.find("#submit").tap()
    judge.is_at("2 of 30")
    assert shown_ranks(server, campaign) == [3, 1, 1, 2, 4]
    assert server.stored(campaign)[0].details["device"] == "phone"


def test_at_400_percent_zoom(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign), **ZOOMED).begin()
    assert judge.overflows() == 0  # it reflows: one direction to scroll
    for place in range(5):
        judge.find(f".output[data-place='{place}'] input[value='{place + 1}']").check()
    judge.find("#submit").click()
    judge.is_at("2 of 30")
    assert judge.overflows() == 0
    assert shown_ranks(server, campaign) == [1, 2, 3, 4, 5]


def test_in_arabic(server, come):
    campaign = server.campaign("ranking", testset=arabic())
    judge = come(server.invite(campaign)).begin()
    text = judge.find(".output > .text").first
    assert text.evaluate("element => getComputedStyle(element).direction") == "rtl"
    assert text.get_attribute("lang") == "ar"
    source = judge.find("#source")
    assert source.evaluate("element => getComputedStyle(element).direction") == "ltr"
    assert source.get_attribute("lang") == "en"
    assert "(" in text.inner_text() or "[" in text.inner_text()
    judge.press("1", "2", "3", "4", "5", "Enter")
    judge.is_at("2 of 30")
    assert shown_ranks(server, campaign) == [1, 2, 3, 4, 5]


def test_all_equal_by_one_key_is_recorded_apart(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign)).begin()
    judge.press("0")
    judge.reads("#summary", "A = B = C = D = E")
    judge.press("Enter")
    judge.is_at("2 of 30")
    judge.press("1", "1", "1", "1", "1", "Enter")
    judge.is_at("3 of 30")
    first, second = server.stored(campaign)
    assert first.answer == second.answer == {"ranks": [1, 1, 1, 1, 1]}
    assert first.details["all_equal"] is True
    assert "all_equal" not in second.details


def test_shelves_move_cards_by_buttons_and_by_dragging(server, come):
    campaign = server.campaign("ranking", k=3)
    judge = come(server.invite(campaign)).begin()
    judge.find("#layout").click()
    judge.press("1", "2", "3")
    judge.page.get_by_role("button", name="Move output C up").click()
    judge.reads("#summary", "A > B = C")
    judge.drag(judge.find(".output[data-place='1']"), onto=judge.find(".shelf").first)
    judge.reads("#summary", "A = B > C")
    judge.press("Enter")
    judge.is_at("2 of 30")
    assert shown_ranks(server, campaign) == [1, 1, 2]
    expect(judge.find("#layout")).to_have_attribute("aria-pressed", "true")  # it stays so


def test_what_is_dropped_from_elsewhere_moves_no_card(server, come):
    judge = come(server.invite(server.campaign("ranking", k=3))).begin()
    judge.find("#layout").click()
    judge.press("1", "2", "3")
    judge.find(".shelf").last.evaluate(
        """shelf => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData("text/plain", "");
          shelf.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }"""
    )
    judge.reads("#summary", "A > B > C")


@pytest.mark.parametrize("size", [2, 8])
def test_two_to_eight_outputs(server, come, size):
    texts = tuple(f"The answer is number {number}." for number in range(size))
    campaign = server.campaign("ranking", k=size, testset=texts_of("Which one?", texts))
    judge = come(server.invite(campaign), **PHONE).begin()
    count = len(judge.outputs())
    assert count == size
    assert judge.overflows() == 0
    for box in (chip.bounding_box() for chip in judge.find(".chip").all()):
        assert min(box["width"], box["height"]) >= 44
    judge.press(*(str(rank) for rank in range(1, count + 1)), "Enter")
    judge.is_at("2 of 30")
    assert shown_ranks(server, campaign) == list(range(1, count + 1))


def test_differences_are_marked_and_their_use_is_recorded(server, come):
    campaign = server.campaign("ranking")
    judge = come(server.invite(campaign)).begin()
    texts = judge.outputs()
    judge.press("Shift+D")  # plain d chooses card D
    expect(judge.find(".difference").first).to_be_visible()
    assert judge.outputs() == texts
    judge.press("Shift+D")
    expect(judge.find(".difference")).to_have_count(0)
    judge.press("0", "Enter")
    judge.is_at("2 of 30")
    assert server.stored(campaign)[0].details["differences"] == 1


def test_words_that_an_output_lacks_are_shown_and_no_part_of_its_text(server, come):
    # whichever is the measure, another one lacks a word of it, far from what that one has besides
    whole = "The old man walked slowly down the long road to the sea"
    texts = texts_of("eins", (whole, whole.replace("old ", ""), whole.replace("long ", "")))
    judge = come(server.invite(server.campaign("ranking", testset=texts, k=3))).begin()
    shown = judge.outputs()
    judge.press("Shift+D")
    lacking = judge.find("del.difference")
    measures = judge.page.get_by_role("group", name="Compare with")
    for letter in "ABC":
        measures.get_by_role("button", name=letter, exact=True).click()
        expect(lacking.first).to_be_visible()
        assert {one.get_attribute("data-words") for one in lacking.all()} <= {"old", "long"}
        assert judge.outputs() == shown


def test_context_is_dimmed_and_on_demand(server, come):
    campaign = server.campaign("ranking", context=2)
    judge = come(server.invite(campaign)).begin()
    judge.misses(".context >> nth=0")
    judge.press("x")
    judge.sees(".context >> nth=0")
    judge.press("x", "0", "Enter")
    judge.is_at("2 of 30")
    assert server.stored(campaign)[0].details["context"] == 1


def test_pointing_at_a_sentence_lights_up_its_partners(server, come):
    texts = tuple(f"First one, {word}. Then the second." for word in ("fine", "good", "well"))
    testset = texts_of("Erst dies. Dann das.", texts)
    judge = come(server.invite(server.campaign("ranking", k=3, testset=testset))).begin()
    judge.find("#source .sentence").last.hover()
    expect(judge.find(".is-paired")).to_have_count(4)
    assert judge.find(".output .is-paired").all_inner_texts() == ["Then the second."] * 3
    judge.find("#question").hover()
    expect(judge.find(".is-paired")).to_have_count(0)


def sets_skip_to_k(response) -> bool:
    """Whether it is the answer to the last of the settings, however many requests they took."""
    if not response.url.endswith("/judge/settings"):
        return False
    return response.request.post_data_json["keymap"] == {"skip": "k"}


def test_size_and_keys_are_kept_for_the_next_visit(server, come, ranking):
    link = server.invite(ranking)
    judge = come(link).begin()
    size = "element => getComputedStyle(element).fontSize"
    before = judge.find("#source").evaluate(size)
    judge.press("+", "+", "?")
    with judge.page.expect_response(sets_skip_to_k):
        judge.page.get_by_label("Key: Skip this screen").fill("k")
        judge.find("#help-title").click()
    other = come(link).begin()
    assert float(other.find("#source").evaluate(size)[:-2]) > float(before[:-2])
    other.press("s")
    other.misses("#skip")
    other.press("k")
    other.sees("#skip")


def test_keys_can_be_switched_off_and_do_nothing_while_writing(server, come, ranking):
    judge = come(server.invite(ranking)).begin()
    judge.press("Shift+C")
    judge.page.keyboard.type("a1 b2 z?")
    judge.page.get_by_role("button", name="Keep the comment").click()
    judge.reads("#comment-words", "Comment ✓")
    judge.reads("#summary", "")
    judge.press("?")
    judge.find("#keys-on").uncheck()
    judge.press("Escape", "a", "1")
    judge.reads("#summary", "")
