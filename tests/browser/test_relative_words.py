"""How a score stands to the others of its segment, in words that stay within the card."""

import pytest

from browser.people import DESKTOP, PHONE
from rankwise.server.campaign.launch.judge_words import words_of
from rankwise.server.phrases import LANGUAGES, RIGHT_TO_LEFT

pytestmark = pytest.mark.requires_program("chromium")

LOOKS = {
    "desktop": DESKTOP,
    "phone": PHONE,
    "small phone": {"viewport": {"width": 320, "height": 700}},
}
WORDS = ("equal", "highest", "lowest", "between")
#: Puts words below every score; how far anything of a score is out of its card, in CSS pixels.
OUTSIDE = """([language, direction, words]) => {
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  document.querySelectorAll(".relative").forEach((one, place) => {
    one.textContent = words[place % words.length];
  });
  return [...document.querySelectorAll(".score-entry, .relative")].map((one) => {
    const inner = one.getBoundingClientRect();
    const card = one.closest(".segment").getBoundingClientRect();
    return Math.max(card.left - inner.left, inner.right - card.right);
  });
}"""


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("look", LOOKS)
def test_they_stay_within_the_card_in_every_language(server, come, look, k):
    judge = come(server.invite(server.campaign("esa", k=k)), **LOOKS[look]).begin()
    for code in LANGUAGES:
        say, direction = words_of(code), "rtl" if code in RIGHT_TO_LEFT else "ltr"
        words = [say(word) for word in WORDS]
        for turn in range(len(words)):
            shown = [code, direction, words[turn:] + words[:turn]]
            outside = judge.page.evaluate(OUTSIDE, shown)
            assert outside and max(outside) <= 0, (code, words[turn])
