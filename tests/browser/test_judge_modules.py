"""The page's pure modules, in a browser: ranking state, keys, active time."""

import json

import pytest

from browser.people import PATIENCE
from rankwise.server.web.judge.text_differences import differences

pytestmark = pytest.mark.requires_program("chromium")


@pytest.fixture(scope="module")
def run(server, chromium):
    """``run(module, body)``: what a function body returns that has the module as ``m``."""
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/login")

    def evaluate(module, body):
        script = f"async (module) => {{ const m = await import(module); {body} }}"
        return page.evaluate(script, f"/static/judge/{module}.js")

    yield evaluate
    page.close()


@pytest.mark.parametrize(
    ("ranks", "dense", "summary"),
    [
        ([1, 3, 2, 2], [1, 3, 2, 2], "A > C = D > B"),
        ([4, 1, 4], [2, 1, 2], "B > A = C"),
        ([None, 5, None], [None, 1, None], "B"),
        ([None, None], [None, None], ""),
    ],
)
def test_ranks_are_dense(run, ranks, dense, summary):
    found = run(
        "state",
        f"const r = {ranks}".replace("None", "null") + "; return [m.dense(r), m.summary(r)]",
    )
    assert found == [dense, summary]


def test_a_tie_needs_a_card_before(run):
    body = """
      const none = m.withTie(m.emptyRanking(3), 1);
      const tied = m.withTie(m.withRank(m.emptyRanking(3), 2, 3), 0);
      const gone = m.withTie(m.withRank(m.withRank(m.emptyRanking(3), 2, 3), 2, null), 0);
      return [none.ranks, tied.ranks, gone.ranks];
    """
    assert run("state", body) == [[None] * 3, [3, None, 3], [None] * 3]


def test_all_equal_is_apart_until_a_card_changes(run):
    body = """
      const all = m.withAllEqual(m.emptyRanking(2));
      return [all.allEqual, m.withRank(all, 0, 1).allEqual];
    """
    assert run("state", body) == [True, False]


def test_cards_stay_on_the_shelves(run):
    body = """
      let state = m.emptyRanking(3);
      const seen = [];
      for (const step of [-1, -1, -1, -1, 1]) seen.push((state = m.moved(state, 0, step)).ranks[0]);
      return seen;
    """
    assert run("state", body) == [3, 2, 1, 1, 2]


@pytest.mark.parametrize(
    ("event", "key"),
    [
        ({"key": "a", "code": "KeyQ"}, "a"),  # a French keyboard: what is written counts
        ({"key": "ф", "code": "KeyA"}, "a"),
        ({"key": "Ф", "code": "KeyA", "shiftKey": True}, "A"),
        ({"key": "٣", "code": "Digit3"}, "3"),
        ({"key": "ArrowUp", "code": "ArrowUp"}, "ArrowUp"),
        ({"key": "é", "code": "Digit2"}, "2"),
    ],
)
def test_other_keyboards_press_the_same_places(run, event, key):
    assert run("keys", f"return m.keyOf({event})".replace("True", "true")) == key


@pytest.mark.parametrize(
    ("event", "letters", "action"),
    [
        ({"key": "d"}, 0, "differences"),
        ({"key": "d"}, 5, None),  # card D has the letter
        ({"key": "D", "shiftKey": True}, 5, "differences"),
        ({"key": "z"}, 8, "undo"),
        ({"key": "?", "shiftKey": True}, 5, "help"),
        ({"key": "q"}, 0, None),
    ],
)
def test_a_card_owns_its_letter(run, event, letters, action):
    body = f"return m.actionFor({event}, m.keymap(), {letters})".replace("True", "true")
    assert run("keys", body) == action


def test_hidden_idle_and_paused_time_does_not_count(run):
    body = """
      let now = 0, visible = true;
      const events = new EventTarget();
      const clock = new m.Clock({ now: () => now, isVisible: () => visible });
      clock.start(events);
      const seen = [];
      const pass = (ms) => { now += ms; clock.tick(); seen.push(clock.active); };
      pass(10_000);                                   // looking
      visible = false; events.dispatchEvent(new Event("visibilitychange"));
      pass(30_000);                                   // elsewhere
      visible = true; events.dispatchEvent(new Event("visibilitychange"));
      pass(5_000);
      pass(100_000);                                  // idle: a minute since the last sign counts
      clock.sign();
      pass(1_000);
      clock.pause(true);
      pass(50_000);
      clock.pause(false);
      pass(2_000);
      now -= 500_000;                                 // the machine's clock is set back
      clock.sign();
      pass(3_000);
      return seen;
    """
    found = run("clock", body)
    assert found == [10_000, 10_000, 15_000, 70_000, 71_000, 71_000, 73_000, 76_000]


def test_who_hears_or_watches_a_source_works(run):
    body = """
      let now = 0;
      const events = new EventTarget();
      const clock = new m.Clock({ now: () => now, isVisible: () => true });
      clock.start(events);
      for (let second = 0; second < 200; second += 1) {
        now += 1000;
        if (second < 90) events.dispatchEvent(new Event("timeupdate"));
      }
      return clock.active;
    """
    assert run("clock", body) == 150_000  # and a minute after it ended


@pytest.mark.parametrize(
    ("units", "share", "found"),
    [
        ("one two three four", (0.0, 0.2), ["one"]),
        ("one two three four", (0.5, 1.0), ["three", "four"]),
        ("a    b", (0.4, 0.5), ["a"]),  # between words: the nearest
        ("   ", (0.0, 1.0), []),
        ("", (0.0, 1.0), []),
    ],
)
def test_the_same_share_of_a_text(run, units, share, found):
    body = f"""
      const {{ cut }} = await import("/static/judge/document/units.js");
      const units = cut({json.dumps(units)}, "word");
      return m.unitsBetween(units, {share[0]}, {share[1]}).map((place) => units[place].text);
    """
    assert run("document/echo", body) == found


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("A well-known, 1.5 cat’s", "word", ["A", "well-known", ",", "1.5", "cat’s"]),
        ("café\u0301 😀!", "word", ["café\u0301", "😀", "!"]),
        ("猫𠀀。", "character", ["猫", "𠀀", "。"]),
        ("", "word", []),
    ],
)
def test_texts_are_cut_into_what_can_be_marked(run, text, unit, expected):
    found = run("document/units", f"return m.cut({text!r}, {unit!r})")
    assert [one["text"] for one in found if not one["isSpace"]] == expected
    assert "".join(one["text"] for one in found) == text
    assert all(text[one["start"] : one["end"]] == one["text"] for one in found)  # code points


def test_errors_weigh_by_the_longest_key_and_look_as_severe_as_they_are(run):
    body = """
      const weights = { neutral: 0, minor: 1, major: 5, "minor/fluency/punctuation": 0.1 };
      const severities = ["neutral", "minor", "major"];
      const spans = [
        { severity: "minor", category: "Fluency/Punctuation" },
        { severity: "minor", category: "Fluency/Grammar" },
        { severity: "major" },
      ];
      const levels = severities.map((one) => m.level(one, { severities, weights }));
      return [m.penalty(spans, weights), levels];
    """
    assert run("document/spans", body) == [6.1, [0, 1, 4]]


def test_a_score_that_is_moved_is_one_change_and_everything_is_undone(run):
    body = """
      const found = new m.Answers(1, 2);
      found.set(0, 0, { score: 10 }, "score");
      found.set(0, 0, { score: 11 }, "score");
      found.set(0, 1, { score: 20 }, "score");
      const score = () => found.get(0, 0).score;
      return [score(), found.undo(), found.undo(), score(), found.undo(), found.canUndo];
    """
    assert run("document/answers", body) == [11, [[0, 1]], [[0, 0]], None, [], False]


@pytest.mark.parametrize(
    ("base", "other", "shown"),
    [
        ("The red house", "The house", "The [-red-]house"),
        ("The red house", "The blue house", "The {blue} house"),
        ("The old house there", "A house", "{A} house[-there-]"),
        ("It is not so.", "It is so.", "It is [-not-]so."),
        ("one two", "two", "[-one-]two"),
        ("one", "one two", "one {two}"),
        ("same", "same", "same"),
    ],
)
def test_words_that_a_text_lacks_are_shown_where_they_would_stand(run, base, other, shown):
    found = differences(base, other)
    marks = run(
        "differences", f"return m.withMissing({json.dumps(found.left)}, {json.dumps(found.right)})"
    )
    assert "".join(mark["text"] for mark in marks) == other
    signs = [
        f"[-{mark['missing']}-]"
        if mark.get("missing")
        else f"{{{mark['text']}}}"
        if mark["changed"]
        else mark["text"]
        for mark in marks
    ]
    assert "".join(signs) == shown
