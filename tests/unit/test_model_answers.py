"""What an answer of a model says: found in any wrapping, and never guessed."""

import json
import time

import pytest

from rankwise.judging.questions.answer_text import is_refusal, objects_in
from rankwise.judging.questions.answer_values import read_answer
from rankwise.judging.questions.model_protocols import MODEL_PROTOCOLS
from rankwise.judging.questions.question import Question

THREE = Question("1", ("x", "y", "z"), (("X",), ("Y",), ("Z",)))
TWO = Question("1", ("x", "y"), (("X",), ("Y",)))
ONE = Question("1", ("green doors and green walls",), (("X",),))
QUESTIONS = {"ranking": THREE, "pairwise": TWO}


def read(protocol, text, **more):
    if not isinstance(text, str):
        text = json.dumps(text)
    reading = MODEL_PROTOCOLS[protocol].reading
    return read_answer(text, QUESTIONS.get(protocol, ONE), reading, **more)


@pytest.mark.parametrize(
    "text",
    [
        '{"ranks": {"A": 2, "B": 1, "C": 3}}',
        '  \n{"ranks": {"A": 2, "B": 1, "C": 3}}\n',
        '```json\n{"ranks": {"A": 2, "B": 1, "C": 3}}\n```',
        '```\n{"ranks": {"A": 2, "B": 1, "C": 3}}',
        'Here is {my} ranking: {"ranks": {"A": 2, "B": 1, "C": 3}}. I hope it helps!',
        '<think>maybe {"ranks": {"A": 1, "B": 2, "C": 3}}?</think>'
        '{"ranks": {"A": 2, "B": 1, "C": 3}}',
        '{"ranks": {"A": 2, "B": 1, "C": 3,},}',
        '{"ranks": {"a": "2", "b": "1", "c": "3"}}',
        '{"Ranks": {"Translation A": 2, "Output B": 1, "C": 3.0}}',
        '{"A": 2, "B": 1, "C": 3}',
        '{"ranking": ["B", "A", "C"]}',
        '{"ranks": {"A": 2, "B": 1, "C": 3}} or again {"ranks": {"A": 2, "B": 1, "C": 3}}',
        '{"reason": "a \\"}\\" in text", "ranks": {"A": 2, "B": 1, "C": 3}}',
    ],
)
def test_a_ranking_is_found_in_any_wrapping(text):
    assert read("ranking", text).ranks == (2, 1, 3)


@pytest.mark.parametrize(
    "said",
    [
        {"ranks": {"A": 1, "B": 2}},
        {"ranks": {"A": 1, "B": 2, "C": 3, "D": 4}},
        {"ranks": {"A": 1, "B": 2, "C": 4}},
        {"ranks": {"A": 0, "B": 1, "C": 2}},
        {"ranks": {"A": 1, "B": 2, "C": 2.5}},
        {"ranks": {"A": 1, "B": 2, "C": None}},
        {"ranks": {"A": 1, "B": 2, "C": True}},
        {"ranks": {"A": 1, "B": 2, "C": "third"}},
        {"ranks": {"A": 1, "a": 2, "B": 1, "C": 3}},
        {"ranks": [1, 2, 3]},
        {"ranks": None},
        {"ranking": ["A", "B"]},
        {"ranking": ["A", "B", "B", "C"]},
        {"better": "A"},
        {},
        [],
        "A is the best, then B, then C.",
        "",
        "{" * 5000,
        '{"ranks": {"A": 1, "B": 2, "C": 3}} no: {"ranks": {"A": 3, "B": 2, "C": 1}}',
        '{"ranks": {"A": 1, "A": 2, "B": 2, "C": 3}}',
        '{"ranks": {"A": 1, "B": 2, "C": NaN}}',
    ],
)
def test_what_is_no_ranking_is_not_understood(said):
    answer = read("ranking", said)
    assert (answer.status, answer.ranks) == ("not understood", None)


def test_ties_stay_ties():
    assert read("ranking", {"ranking": [["A", "C"], "B"]}).ranks == (1, 3, 1)
    assert read("ranking", {"ranks": {"A": 1, "B": 1, "C": 2}}).ranks == (1, 1, 2)


@pytest.mark.parametrize(
    ("better", "ranks"),
    [("A", (1, 2)), ("b", (2, 1)), ("tie", (1, 1)), ("Equal", (1, 1)), ("C", None), (1, None)],
)
def test_the_better_of_two(better, ranks):
    assert read("pairwise", {"better": better}).ranks == ranks


@pytest.mark.parametrize(
    ("score", "value"),
    [
        (71, 71),
        ("71.5", 71.5),
        (0, 0),
        (100, 100),
        (101, None),
        (-1, None),
        (True, None),
        (10**400, None),
    ],
)
def test_a_score_is_never_clamped(score, value):
    assert read("direct-assessment", {"score": score}).value == value


def test_spans_are_placed_by_their_words():
    errors = [{"text": word, "severity": "Minor"} for word in ("green", "green", "blue", "")]
    answer = read("esa", {"errors": errors, "score": 50})
    places = [(span["start"], span["end"]) for span in json.loads(answer.spans)]
    assert places == [(0, 5), (16, 21), (None, None), (None, None)]
    assert (answer.value, answer.unplaced) == (50, 1)


def test_a_word_is_found_before_a_part_of_one():
    question = Question("1", ("Since he is in",), (("X",),))
    said = json.dumps({"errors": [{"text": "in", "severity": "minor"}], "score": 1})
    answer = read_answer(said, question, MODEL_PROTOCOLS["esa"].reading)
    assert json.loads(answer.spans)[0]["start"] == 12


def test_mqm_weighs_errors_as_wmt24_does():
    kinds = [("minor", "fluency/punctuation"), ("major", "accuracy"), ("critical", "style")]
    errors = [{"text": "", "severity": s, "category": c} for s, c in kinds]
    assert read("mqm", {"errors": errors}).value == pytest.approx(-10.1)
    assert read("mqm", {"errors": []}).value == 0


@pytest.mark.parametrize(
    "error",
    [
        {"text": "x", "severity": "terrible", "category": "style"},
        {"text": "x", "category": "style"},
        {"text": "x", "severity": "minor"},
        {"text": 3, "severity": "minor", "category": "style"},
        "x",
    ],
)
def test_an_error_that_does_not_fit_spoils_the_answer(error):
    good = {"text": "green", "severity": "minor", "category": "style"}
    assert read("mqm", {"errors": [good, error]}).status == "not understood"


def test_a_refusal_is_told_apart_from_nonsense():
    assert read("pairwise", "I'm sorry, but I can't help with that.").status == "refused"
    assert read("pairwise", "", refused=True).status == "refused"
    assert read("pairwise", "Both have their merits.").status == "not understood"
    assert read("pairwise", '{"bett', cut=True).status == "cut short"
    assert read("pairwise", '{"better": "A"} and', cut=True).status == "answered"
    assert is_refusal("As an AI, I must decline") and not is_refusal("Sorry state of a text")


def test_a_hostile_text_takes_no_time():
    start = time.process_time()
    for text in ('{"a' * 40_000, "{" * 100_000, '{"a": [' * 20_000, '{"x": "\\' * 30_000):
        assert list(objects_in(text)) == []
    assert time.process_time() - start < 20
