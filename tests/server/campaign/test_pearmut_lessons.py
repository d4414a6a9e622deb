"""Tutorials, checks and limits of Pearmut's campaigns are taken over, and hold what they held."""

import json
import re
from itertools import combinations_with_replacement, product

import pytest

from rankwise import DataError
from rankwise.server.campaign.exchange.pearmut_export import write_pearmut
from rankwise.server.campaign.plan.lesson_rules import failed_rules
from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import read_pearmut
from rankwise.server.campaign.plan.other_tools.pearmut_lessons import lesson_parts
from rankwise.server.campaign.plan.questions import JudgeQuestion
from server.campaign.made import make_plan, make_testset

TEXTS = {"good": "the cat sat", "bad": "cat the s\U0001f431t"}


def lesson(**validation):
    return {"item_id": "w", "src": "die Katze", "tgt": TEXTS, "validation": validation}


def read(tmp_path, info=None, data=None, **parts):
    path = tmp_path / "x.json"
    work = [[{"item_id": "i1", "src": "s", "tgt": {"alpha": "one", "beta": "two"}}]]
    info = {"assignment": "dynamic", "protocol": "cESA"} | (info or {})
    content = {"campaign_id": "demo_cs-en", "info": info, "data": data or work, **parts}
    path.write_text(json.dumps(content), encoding="utf-8")
    return read_pearmut(path)


def answer(scores, spans=((), ())):
    texts = zip(scores, spans, strict=True)
    made = [
        {"score": s, "spans": [{"start": a, "end": b, "severity": v} for a, b, v in own]}
        for s, own in texts
    ]
    return {"segments": [made]}


def test_a_tutorial_with_rules(tmp_path):
    good = {"warning": "Compare again.", "score": [60, 90], "score_greaterthan": "bad"}
    bad = [{"warning": "Too many points.", "score": [0, 40]}]
    found = read(tmp_path, data_welcome=[[lesson(good=good, bad=bad)]])
    assert found.warnings == ()
    (item,), rules = found.plan.tutorial, found.plan.rules
    assert (item.source, item.outputs) == ("die Katze", tuple(TEXTS.values()))
    assert item.mistakes(rules, answer([70, 30])) == ()
    assert item.mistakes(rules, answer([70, 50])) == ("Too many points.",)
    assert item.mistakes(rules, answer([95, 30])) == ("Compare again.",)
    assert item.mistakes(rules, answer([35, 40])) == ("Compare again.",)
    assert found.plan.tutorial_tries > 1


def test_a_document_of_segments_and_rules_by_place(tmp_path):
    first, second = lesson(), lesson(bad={"score": [0, 50]})
    first["validation"] = [{"score": [50, 100]}, None or {}]  # in the order of the texts
    found = read(tmp_path, data_welcome=[[first, second]])
    (item,) = found.plan.tutorial
    assert [(r.segment, r.text, r.score) for r in item.rules] == [
        (1, 1, (50, 100)),
        (2, 2, (0, 50)),
    ]
    assert len(item.rows) == 2
    assert found.plan.tutorial_tries == 1, "nothing is said: it is silent"


def test_documents_to_learn_on_at_the_head_of_every_user(tmp_path):
    practice = [lesson(good={"score": [50, 100]}) | {"skippable": True}]
    work = [{"item_id": "i1", "src": "s", "tgt": {"alpha": "one"}}]
    found = read(tmp_path, {"assignment": "task-based"}, [[practice, work], [practice, work]])
    assert len(found.plan.tutorial) == 1
    assert found.testset.systems == ("alpha",)


def test_checks_their_share_and_threshold(tmp_path):
    check = [lesson(good={"score_greaterthan": "bad"})]
    parts = {"data_random": [check] * 4}
    plan = read(tmp_path, {"data_random_prob": 0.2, "validation_threshold": 0.25}, **parts).plan
    assert (plan.control_kind, plan.control_share, len(plan.checks)) == ("own", 0.2, 4)
    assert (plan.check_tries, plan.check_pass) == (1, 0.75)
    assert read(tmp_path, **parts).plan.check_pass == 1.0, "nothing may fail if nothing is said"
    found = read(tmp_path, {"validation_threshold": 1, "data_random_prob": 0.9}, **parts)
    assert (found.plan.check_pass, found.plan.control_share) == (0.75, 0.5)
    assert len(found.warnings) == 2
    loud = [lesson(good={"score_greaterthan": 1, "warning": "Look."})]
    assert read(tmp_path, data_random=[loud]).plan.check_tries > 1


def test_forms_are_questions(tmp_path):
    form = [
        {"text": "Your first language?", "form": "string"},
        {"text": "Years?", "form": "number"},
        {"text": "Paid?", "form": "choices", "choices": ["yes", "no"]},
        {"text": "x", "form": "script"},
    ]
    found = read(tmp_path, data_welcome=[form])
    assert found.plan.questions == (
        JudgeQuestion("q1", "Your first language?"),
        JudgeQuestion("q2", "Years?", "number"),
        JudgeQuestion("q3", "Paid?", "choice", ("yes", "no")),
    )
    assert found.warnings == ("the form 'script' of 'x' is not asked",)


def test_limits_codes_and_the_way_back(tmp_path):
    users = [{"user_id": n, "token_pass": "GOOD", "token_fail": "BAD"} for n in ("ann", "bob")]
    link = "<a href='https://example.org/done?cc=${TOKEN}'>back</a>"
    info = {"users": users, "docs_per_user": 20, "instructions_goodbye": link}
    info |= {"dynamic_coldstart": 30, "dynamic_coldstart_pool": 20}
    found = read(tmp_path, info)
    recruiting = found.plan.recruiting
    assert found.warnings == ()
    assert (found.plan.cold_start, recruiting.screens_per_judge) == (20, 20)
    assert (recruiting.code_pass, recruiting.code_fail) == ("GOOD", "BAD")
    assert recruiting.redirect_pass == "https://example.org/done?cc=GOOD"
    assert recruiting.redirect_fail == "https://example.org/done?cc=BAD"
    users[1]["token_pass"] = "OTHER"
    assert any("one code" in words for words in read(tmp_path, info).warnings)


def accepted(rule, start, end):
    """Whether Pearmut takes an error from *start* to *end*, both in UTF-16 and inclusive."""
    (a, b), (c, d) = rule["start_i"], rule["end_i"]
    return a <= start <= b and c <= end <= d


def units(text):
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("severity", ["minor", "major"])
def test_every_error_that_pearmut_takes_is_taken(tmp_path, severity):
    text = TEXTS["bad"]
    places = [
        (s, e) for s, e in combinations_with_replacement(range(len(text)), 2)
    ]  # code points, inclusive
    for begin, finish in product([[0, 2], [3, 3], [0, 11]], [[4, 8], [9, 11], [3, 5]]):
        rule = {"start_i": begin, "end_i": finish, "severity": "major"}
        found = read(tmp_path, data_welcome=[[lesson(bad={"error_spans": [rule]})]]).plan
        rules = found.tutorial[0].rules
        for s, e in places:
            said = answer([1, 1], ((), ((s, e + 1, severity),)))
            holds = not failed_rules(rules, found.rules, said)
            if accepted(rule, units(text[:s]), units(text[: e + 1]) - 1):
                assert holds == (severity == "major"), (rule, s, e)


def test_a_rule_of_ours_asks_for_the_same_there():
    text = TEXTS["bad"]
    for span, near in product([[0, 3], [4, 7], [9, 11], [10, 11]], [0, 2]):
        table = {"text": 1, "span": span, "severity": "minor", "near": near}
        item = {"source": "s", "outputs": [text], "rules": [table]}
        plan = make_plan(protocol="esa", k=1, tutorial=[item])
        ((written,),) = lesson_parts(plan.to_json())["data_welcome"]
        ((rule,),) = (one["error_spans"] for one in written["validation"]["A"])
        for s, e in combinations_with_replacement(range(len(text)), 2):
            said = {"segments": [[{"score": 1, "spans": [
                {"start": s, "end": e + 1, "severity": "minor"}]}]]}  # fmt: skip
            there = accepted(rule, units(text[:s]), units(text[: e + 1]) - 1)
            assert there != bool(failed_rules(plan.tutorial[0].rules, plan.rules, said)), (
                span,
                s,
                e,
            )


def lessons_plan(**keys):
    tutorial = [
        {
            "source": "eins",
            "outputs": ["one \U0001f431", "two"],
            "more": [{"source": "zwei", "outputs": ["two", "three"]}],
            "hint": "Look again.",
            "rules": [
                {"text": 1, "above": 2},
                {"text": 1, "span": [1, 3], "near": 1, "severity": "minor", "hint": "There."},
                {"text": 2, "segment": 2, "score": [0, 50]},
            ],
        },
        {"source": "x", "outputs": ["y"], "answer": {"segments": [[{"score": 9, "spans": []}]]}},
    ]
    checks = [{"source": "x", "outputs": ["a", "b"], "rules": [{"text": 2, "above": 1}]}]
    keys = {"tutorial": tutorial, "tutorial_tries": 3, "checks": checks, "check_pass": 0.7} | keys
    recruiting = {"screens_per_judge": 9, "code_pass": "P", "code_fail": "F", "most_judges": 7}
    own = {"control_kind": "own", "cold_start": 4, "recruiting": recruiting}
    return make_plan(protocol="esa", k=2, name="x de-en", **own, **keys)


def test_a_file_like_wmt26s_is_the_same_when_it_comes_back(tmp_path):
    def segment(place, n):
        texts = {f"sys{s}": f"output {s} of {place} {n}" for s in range(5)}
        key = f"{('news', 'social')[place % 2]}_###_d{place}_###_{n}"
        return {"item_id": key, "src": f"source {place} {n}", "tgt": texts}

    data = [[segment(place, n) for n in range(3)] for place in range(6)]
    rules = {
        "good": [{"warning": "Compare.", "score_greaterthan": "bad"}],
        "bad": [{"score": [0, 50]}],
    }
    info = {"users": ["ann"], "dynamic_models": 3, "dynamic_coldstart": 4, "docs_per_user": 20}
    info |= {"data_random_prob": 0.2, "validation_threshold": 0.4, "word_level": True, "seed": 7}
    info |= {"special_tokens": ["[missing]", "[instructions fault]"]}
    parts = {"data_welcome": [[lesson(**rules)]], "data_random": [[lesson(**rules)]]}
    first = read(tmp_path, info, data, **parts)
    assert first.warnings == ()
    files = []
    for name in ("one.json", "two.json"):
        write_pearmut(first.plan, first.testset, tmp_path / name)
        first = read_pearmut(tmp_path / name)
        files.append((tmp_path / name).read_text(encoding="utf-8"))
    assert files[0] == files[1]
    content = json.loads(files[0])
    assert content["data"] == data
    assert {key: content["info"][key] for key in info} == info
    for key in ("data_welcome", "data_random"):
        ((item,),) = content[key]
        assert item["src"] == "die Katze"
        assert list(item["tgt"].values()) == list(TEXTS.values())
        asked = {"A": rules["good"][0] | {"score_greaterthan": "B"}, "B": rules["bad"][0]}
        assert item["validation"] == {name: [rule] for name, rule in asked.items()}


def test_lessons_read_back_equal(tmp_path):
    plan, path = lessons_plan(), tmp_path / "x.json"
    lost = write_pearmut(plan, make_testset(), path)
    found = read_pearmut(path)
    assert (found.plan, found.warnings) == (plan, ())
    assert "Pearmut knows rules of lessons, and no whole answers." in lost


def test_without_what_is_ours_the_lessons_are_the_same(tmp_path):
    plan, path = lessons_plan(), tmp_path / "x.json"
    write_pearmut(plan, make_testset(), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["info"]["rankwise"]
    path.write_text(json.dumps(content | {"campaign_id": "x_de-en"}), encoding="utf-8")
    found = read_pearmut(path).plan
    assert [item.rows for item in found.tutorial] == [plan.tutorial[0].rows]
    said = [(r.text, r.segment, r.score, r.above, r.hint) for r in found.tutorial[0].rules]
    hints = ["Look again.", "There.", "Look again."]
    ours = plan.tutorial[0].rules
    assert said == [
        (r.text, r.segment, r.score, r.above, hint) for r, hint in zip(ours, hints, strict=True)
    ]
    assert found.tutorial[0].rules[1].span == (0, 4)
    assert found.checks == plan.checks
    assert (found.check_pass, found.cold_start, found.control_kind) == (0.7, 4, "own")
    assert found.recruiting.screens_per_judge == 9


def test_a_lesson_changed_in_the_file_counts(tmp_path):
    plan, path = lessons_plan(), tmp_path / "x.json"
    write_pearmut(plan, make_testset(), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["data_random"][0][0]["validation"] = {"A": [{"score_greaterthan": "B"}]}
    path.write_text(json.dumps(content), encoding="utf-8")
    (check,) = read_pearmut(path).plan.checks
    assert (check.rules[0].text, check.rules[0].above) == (1, 2)


@pytest.mark.parametrize(
    ("info", "rules", "said"),
    [
        ({}, {"zeta": {"score": [1, 2]}}, "has rules for 'zeta'"),
        ({}, {"good": "x"}, "has the rule 'x'; expected an object"),
        ({}, {"good": {"score_greaterthan": "zeta"}}, "compares with 'zeta'"),
        ({}, {"good": {"error_spans": ["x"]}}, "expects the error 'x'"),
        ({}, {"good": {"error_spans": "x"}}, "expects the error 'x'"),
        ({}, {"good": {"score": 7}}, "two numbers, the smaller one first"),
        ({}, {"good": {"error_spans": [{"start_i": [1]}]}}, "expects an error at [1]"),
        ({}, {"good": {"score": [90, 10]}}, "two numbers, the smaller one first"),
        ({"validation_threshold": "x"}, {"good": {"score": [1, 2]}}, "'validation_threshold' is"),
        ({"data_random_prob": 2}, {"good": {"score": [1, 2]}}, "'data_random_prob' is 2"),
        ({"dynamic_coldstart": "x"}, {"good": {"score": [1, 2]}}, "'dynamic_coldstart' is"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, info, rules, said):
    with pytest.raises(DataError, match=re.escape(said)):
        read(tmp_path, info, data_random=[[lesson(**rules)]])


def test_what_is_not_taken_over_is_named(tmp_path):
    mark = {"error_spans": [{"start_i": [12, 12], "end_i": [20, 20], "severity": "major"}]}
    rules = {"good": {"score": [1, 2], "odd": 1}, "bad": mark}
    found = read(tmp_path, data_welcome=[[lesson(**rules) | {"instructions": "Read."}]])
    assert len(found.plan.tutorial[0].rules) == 1
    said = ["'instructions' of 1 items", "'odd' of a rule", "a rule about a mark behind the text"]
    for words, start in zip(found.warnings, said, strict=True):
        assert words.startswith(start)
