"""Random clicks and keys on the judge's page: no error, and what is acknowledged is stored, once.

``RANKWISE_WALKS`` and ``RANKWISE_WALK_STEPS`` make it longer, as ``scripts/check-slow walks`` does.
"""

import json
import os
import random
import re

import pytest

from browser.campaign_server import PROTOCOLS
from browser.people import PHONE
from rankwise.server.records import Submission

pytestmark = pytest.mark.requires_program("chromium")

WALKS = int(os.environ.get("RANKWISE_WALKS", "1"))
STEPS = int(os.environ.get("RANKWISE_WALK_STEPS", "60"))
FIRST_SEED = int(os.environ.get("RANKWISE_WALK_SEED", "1"))
SMALLER = {"ranking": {"k": 3}, "adequacy-fluency": {"k": 2}, "esa": {"k": 2, "window": 1}}
#: What a browser says of a request that was cut off, or that the server refused.
CUT_OFF = ("Failed to load resource",)
ANSWER = re.compile(r"/judge/tasks/(?P<token>[^/]+)/(?P<kind>answer|skip)$")

#: Letters for cards, digits for ranks and scores, every action, and what fields and dialogs hear.
KEYS = (
    *"abcde12345123451234509=!,.",
    *("Enter",) * 6,
    *("Escape", "Escape", "Tab", "Tab", "Shift+Tab", "Space", "Backspace", "Delete", "Home", "End"),
    *("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowRight", "PageDown"),
    *"dxzscvgp+-?e",
    *("Shift+C", "Shift+D", "Shift+S", "Shift+A", "Control+z", "Control+a"),
)

#: A place on something that can be clicked and is seen; null where there is nothing.
#: What leaves the page is left out. Where a dialog is open, nothing else can be reached.
PLACE = """(draw) => {
  const within = document.querySelector("dialog[open]") ?? document;
  const all = [...within.querySelectorAll(
    "button, input, textarea, select, label, summary, [role=slider], [tabindex='0'], .text")];
  const seen = all.filter((one) => !one.closest("#sign-out, a, .preview-bar")
    && one.getClientRects().length && !one.disabled);
  if (!seen.length) return null;
  const mine = seen.filter((one) => one.closest("#outputs, #submit, dialog[open], #notice"));
  const from = mine.length && draw[0] < 0.75 ? mine : seen;
  const found = from[Math.floor(draw[1] * from.length)];
  found.scrollIntoView({ block: "center" });
  const box = found.getBoundingClientRect();
  return [box.x + draw[2] * box.width, box.y + draw[3] * box.height];
}"""
#: Answers that wait in this browser.
WAITING = "() => Object.keys(localStorage).some((key) => key.includes(':answer:'))"


class Walk:
    """Somebody who does anything; what the page sent and what the server said is kept."""

    def __init__(self, person, seed):
        self.person, self.page, self.draw = person, person.page, random.Random(seed)
        self.sent, self.refused, self.failures = {}, set(), []
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.page.on("request", self._sends)
        self.page.on("response", self._hears)

    def _sends(self, request):
        if found := ANSWER.search(request.url):
            self.sent.setdefault(found["token"], (found["kind"], request.post_data))

    def _hears(self, response):
        if response.status >= 500:
            self.failures.append(f"{response.status} of {response.url}")
        elif response.status >= 400 and (found := ANSWER.search(response.url)):
            self.refused.add(found["token"])

    def step(self):
        """One thing, drawn: mostly a click or some keys, now and then a mark, a reload, no net."""
        what = self.draw.random()
        if what < 0.45:
            self.click()
        elif what < 0.88:
            for _ in range(self.draw.choice((1, 1, 2, 4))):
                self.page.keyboard.press(self.draw.choice(KEYS))
        elif what < 0.95:
            self.drag()
        elif what < 0.97:
            self.page.reload()
        else:
            self.person.context.set_offline(self.draw.random() < 0.4)

    def place(self):
        return self.page.evaluate(PLACE, [self.draw.random() for _ in range(4)])

    def click(self):
        place = self.place()
        if place is not None:
            self.page.mouse.click(*place, click_count=self.draw.choice((1, 1, 1, 2)))

    def drag(self):
        """From one place to another, as somebody does who marks an error or moves a card."""
        begin, end = self.place(), self.place()
        if begin is not None and end is not None:
            self.page.mouse.move(*begin)
            self.page.mouse.down()
            self.page.mouse.move(*end, steps=2)
            self.page.mouse.up()

    def go(self, steps):
        for number in range(steps):
            try:
                self.step()
            except Exception as error:
                if "navigation" not in str(error) and "ERR_INTERNET" not in str(error):
                    raise AssertionError(f"step {number}: {error}") from error
                self.person.context.set_offline(False)
                self.page.goto(f"{self.person.link.rpartition('/j/')[0]}/judge")

    def settle(self):
        """Wait until nothing waits in the browser any more."""
        self.person.context.set_offline(False)
        self.page.reload()
        self.person.until(lambda: not self.page.evaluate(WAITING))
        self.page.wait_for_load_state("networkidle")


def sent_again(server, judge, walk):
    """The receipt of every answer that the page sent; sent again it is known, and the same.

    Once nothing waits in the browser, the page was told of each that it is stored.
    """
    found = []
    for token, (kind, content) in walk.sent.items():
        if token in walk.refused:
            continue
        body = json.loads(content)
        comment = (body.get("comment") or "").strip() or None
        again = Submission(kind, body["answer"], body["active_ms"], comment)
        receipt = server.store.judging.submit(judge, token, again)
        assert receipt.is_replay, f"the {kind} {body} was sent and is not stored"
        assert not receipt.differs, f"the {kind} {body} is stored otherwise"
        found.append(receipt.receipt)
    return found


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + WALKS))
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_random_walk_breaks_and_loses_nothing(server, come, protocol, seed):
    campaign = server.campaign(protocol, **SMALLER.get(protocol, {}))
    options = PHONE if seed % 4 == 0 else {}
    person = come(server.invite(campaign), allow=CUT_OFF, **options).begin()
    walk = Walk(person, f"{protocol} {seed}")
    walk.go(STEPS)
    walk.settle()
    assert walk.failures == []
    (judge,) = server.store.judges.judges(campaign.id)
    receipts = sent_again(server, judge, walk)
    stored = server.stored(campaign, superseded=True)
    assert sorted(receipts) == sorted(judgment.receipt for judgment in stored)
    print(f"{protocol}, seed {seed}: {STEPS} steps, {len(stored)} judgments")
