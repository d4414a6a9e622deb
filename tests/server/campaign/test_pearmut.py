"""Campaigns of Pearmut: every key is taken over or named, and what we write reads back equal."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import DataError
from rankwise.server.campaign.exchange.campaign_files import read_campaign, write_campaign
from rankwise.server.campaign.exchange.pearmut_export import write_pearmut
from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import (
    PearmutCampaign,
    read_pearmut,
)
from rankwise.server.campaign.plan.outputs.further_questions import FurtherQuestions, Slider
from rankwise.types import Segment, TestSet
from server.campaign.made import make_plan, make_testset

INFO = {"assignment": "dynamic", "protocol": "ESA"}


def item(number, **more):
    texts = {"alpha": f"one {number}", "beta": f"two {number}"}
    return {"item_id": f"i{number}", "src": f"src {number}", "tgt": texts} | more


def written(tmp_path, info=None, data=None, **more):
    path = tmp_path / "x.json"
    content = {"campaign_id": "demo_cs-en", "info": INFO | (info or {}), **more}
    content["data"] = [[item(1), item(2)], [item(3)]] if data is None else data
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_documents_systems_and_languages(tmp_path):
    found = read_pearmut(written(tmp_path, data=[[item(1, ref="r"), item(2)], [item(3)]]))
    assert found.warnings == ()
    assert found.plan.languages == ("cs", "en")
    assert (found.plan.protocol, found.plan.k, found.plan.slug) == ("esa", 2, "demo-cs-en")
    segments = found.testset.segments
    assert [(s.id, s.document, s.references) for s in segments] == [
        ("i1", "i1", ("r",)),
        ("i2", "i1", ()),
        ("i3", "i3", ()),
    ]
    assert found.testset.outputs["beta"] == ("two 1", "two 2", "two 3")


def test_the_lists_of_users_become_one_test_set(tmp_path):
    one, other = item(1), item(1) | {"tgt": {"gamma": "three"}}
    path = written(tmp_path, {"assignment": "task-based"}, [[[one], [item(2)]], [[other]]])
    found = read_pearmut(path)
    assert found.testset.outputs["gamma"] == ("three", None)
    assert any("'task-based' is not kept" in warning for warning in found.warnings)


def test_settings_are_taken_over(tmp_path):
    info = {
        "protocol": "MQM",
        "users": ["ann", {"user_id": "bob", "token_pass": "yes", "token_fail": "no"}],
        "seed": 7,
        "dynamic_models": 2,
        "word_level": False,
        "special_tokens": ["[missing]", "[instructions fault]"],
        "mqm_categories": {"Accuracy": ["Addition"], "Other": []},
        "mqm_severities": ["neutral", "minor", "major", "critical", "odd"],
        "instructions": "<p>Mark <b>all</b>.</p><p>Then score.</p>",
    }
    found = read_pearmut(written(tmp_path, info))
    plan = found.plan
    assert (plan.protocol, plan.k, plan.seed, plan.judges) == ("mqm", 2, 7, ("ann", "bob"))
    assert plan.spans.unit == "character"
    assert plan.spans.marks == ("[missing]", "[instructions fault]")
    assert plan.spans.category_names == ("Accuracy/Addition", "Other")
    assert plan.spans.severities == ("neutral", "minor", "major", "critical", "odd")
    weights = dict(plan.spans.weights)
    assert (weights["critical"], weights["odd"]) == (5.0, 1.0)
    assert plan.instructions == "Mark all.\n\nThen score."
    assert (plan.recruiting.code_pass, plan.recruiting.code_fail) == ("yes", "no")
    assert len(found.warnings) == 2
    for words in ("without its HTML", "severity 'odd'"):
        assert any(words in warning for warning in found.warnings), words


@pytest.mark.parametrize(
    "key",
    [
        "shuffle",
        "instructions_goodbye",
        "assets",
        "show_progress",
        "show_model_names",
        "something_new",
    ],
)
def test_a_setting_without_a_counterpart_is_named(tmp_path, key):
    (warning,) = read_pearmut(written(tmp_path, {key: 1})).warnings
    assert warning.startswith(f"'info.{key}' is not taken over: ")


@pytest.mark.parametrize("key", ["instructions", "validation", "skippable", "odd"])
def test_a_key_of_an_item_without_a_counterpart_is_named(tmp_path, key):
    (warning,) = read_pearmut(written(tmp_path, data=[[item(1, **{key: "x"})]])).warnings
    assert warning.startswith(f"{key!r} of 1 items is not taken over: ")


def test_sliders_text_fields_and_places_are_taken_over(tmp_path):
    sliders = [{"name": "Fluency", "min": 1, "max": 5, "step": 0.5}]
    info = {"sliders": sliders, "textfield": "prefilled", "show_alignment": False}
    found = read_pearmut(written(tmp_path, info))
    assert found.plan.further == FurtherQuestions((Slider("Fluency", 1, 5, 0.5),), False, True)
    assert found.plan.highlight is False
    assert "beside the score" in "".join(found.warnings)
    assert read_pearmut(written(tmp_path, {"textfield": "hidden"})).plan.further.comments


def test_marked_errors_are_what_judges_begin_with(tmp_path):
    spans = [{"start_i": 0, "end_i": 2, "severity": "minor", "category": None}]
    spans += [{"start_i": 5, "end_i": 13, "severity": "major", "category": None}]  # [missing]
    found = read_pearmut(written(tmp_path, data=[[item(1, error_spans={"alpha": spans}), item(2)]]))
    missing = {"mark": "[missing]", "severity": "major"}
    assert found.given == {"alpha": [[{"start": 0, "end": 3, "severity": "minor"}, missing], None]}
    assert found.warnings == ()


def test_instructions_of_a_domain_are_told_above_its_documents(tmp_path):
    def named(domain, number, **more):
        return item(number, **more) | {"item_id": f"{domain}_###_d{number}_###_1"}

    same = [[named("news", 1, instructions="<p>Read.</p>")], [named("speech", 2)]]
    found = read_pearmut(written(tmp_path, data=same))
    assert found.plan.domain_instructions == (("news", "Read."),)
    assert found.warnings == ()
    mixed = [*same, [named("news", 3, instructions="Other.")]]
    (warning,) = read_pearmut(written(tmp_path, data=mixed)).warnings
    assert warning.startswith("'instructions' of 2 items is not taken over")


@pytest.mark.parametrize(
    ("info", "items", "said"),
    [
        ({"sliders": 1}, {}, "'sliders' is 1; expected a list"),
        ({"sliders": [{"name": "x"}]}, {}, "expected name, min, max and step"),
        ({"textfield": "odd"}, {}, "'textfield' is 'odd'; expected one of hidden"),
        ({}, {"error_spans": "x"}, "'error_spans' of item 'i1' is no object"),
        ({}, {"error_spans": {"gamma": []}}, "has 'gamma'; expected a list for a system"),
        (
            {},
            {"error_spans": {"alpha": [{"start_i": 1, "end_i": 1, "severity": "odd"}]}},
            "segment 'i1', system 'alpha': the severity of an error is 'odd'",
        ),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, info, items, said):
    with pytest.raises(DataError, match=re.escape(said)):
        read_pearmut(written(tmp_path, info, [[item(1, **items)]]))


def test_a_part_without_a_counterpart_is_named(tmp_path):
    (warning,) = read_pearmut(written(tmp_path, data_goodbye=[[item(9)]])).warnings
    assert warning.startswith("'data_goodbye' (1 documents) is not taken over: ")
    for key in ("data_welcome", "data_random"):
        (warning,) = read_pearmut(written(tmp_path, **{key: [[item(9)]]})).warnings
        assert (
            warning == f"document 1 of {key!r} is not taken over: nothing says what is right in it"
        )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"info": {"protocol": "SQM"}}, "'protocol' is 'SQM'; expected one of DA, ESA, cESA, MQM"),
        ({"info": {"assignment": "odd"}}, "'assignment' is 'odd'"),
        ({"info": {"users": "ann"}}, "'users' is 'ann'"),
        ({"data": []}, "'data' has no documents"),
        ({"data": [[]]}, "no list of items"),
        ({"data": [["x"]]}, "no object"),
        ({"data": [[{"item_id": "1"}]]}, "lacks item_id or the text src"),
        ({"data": [[item(1, tgt={"a": 7})]]}, "'tgt' of item 'i1' is no object of texts"),
        ({"data": [[item(1)], [item(1) | {"src": "other"}]]}, "two different sources"),
        ({"campaign_id": "demo"}, "nothing says the languages"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path, changes, message):
    with pytest.raises(DataError, match=message):
        read_pearmut(written(tmp_path, **changes))


def test_an_option_says_the_languages(tmp_path):
    found = read_pearmut(written(tmp_path, campaign_id="demo"), language_pair="en-cs_CZ")
    assert found.plan.languages == ("en", "cs_CZ")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)


ANCHORS = [{"at": 1, "words": "bad"}, {"at": 5, "words": "good"}]


def marked_words(plan, testset):
    """The first letter of every output marked, and every mark of the plan beside it."""
    if not plan.spans.severities:
        return {}
    severity, *kind = plan.spans.severities[0], *plan.spans.category_names[:1]
    last = {"severity": severity, **({"category": kind[0]} if kind else {})}
    marks = [{"mark": mark, **last} for mark in plan.spans.marks] if not kind else []
    spans = [{"start": 0, "end": 1, **last}, *marks]
    columns = testset.outputs.items()
    found = {name: [None if t is None else spans for t in texts] for name, texts in columns}
    return {name: column for name, column in found.items() if any(column)}


@st.composite
def campaigns(draw):
    protocol = draw(st.sampled_from(["esa", "mqm"]))
    spans = {"marks": draw(st.lists(TEXT, max_size=2, unique=True))}
    spans["unit"] = draw(st.sampled_from(["auto", "word", "character"]))
    if protocol == "esa" and draw(st.booleans()):
        spans |= {"severities": [], "weights": {}}
    plan = make_plan(
        name=draw(TEXT),
        protocol=protocol,
        k=draw(st.integers(1, 6)),
        seed=draw(st.integers(0, 99)),
        instructions=draw(st.one_of(TEXT, st.just("see <b>this</b>"))),
        redundancy=draw(st.integers(1, 4)),
        judges=draw(st.lists(TEXT, max_size=3)),
        spans=spans,
        stop={"max_judgments": 50},
        window=draw(st.integers(1, 20)),
        sliders=[{"name": "A", "low": 1, "high": 5, "step": 0.5, "anchors": ANCHORS}],
        output_comments=draw(st.booleans()),
        post_edits=draw(st.booleans()),
        highlight=draw(st.booleans()),
        domain_instructions={"news": draw(TEXT)},
    )
    count = draw(st.integers(1, 5))
    documents = draw(st.lists(st.sampled_from(["a", "b", None]), min_size=count, max_size=count))
    segments = tuple(
        Segment(f"s{n}", draw(TEXT), (draw(TEXT),) * draw(st.integers(0, 2)), document, "news")
        for n, document in enumerate(documents)
    )
    one = st.lists(st.one_of(st.none(), TEXT), min_size=count, max_size=count).map(tuple)
    outputs = {name: draw(one) for name in draw(st.permutations(["x", "y", "z"]))}
    return plan, TestSet(segments, outputs, plan.name, *plan.languages)


@given(campaigns())
def test_what_we_write_reads_back_equal(tmp_path_factory, campaign):
    path = tmp_path_factory.mktemp("pearmut") / "x.json"
    plan, testset = campaign
    given = marked_words(plan, testset)
    write_pearmut(plan, testset, path, given)
    found = read_pearmut(path)
    assert (found.plan, found.testset) == campaign
    assert {name: list(column) for name, column in found.given.items()} == given
    assert found.warnings == ()


@given(campaigns())
def test_a_plan_in_toml_with_texts_beside_it_reads_back_equal(tmp_path_factory, campaign):
    folder = tmp_path_factory.mktemp("toml")
    plan, testset = campaign
    given = marked_words(plan, testset)
    made = PearmutCampaign(plan, testset, (), given)
    if not any(any(column) for column in testset.outputs.values()):
        return  # a test set without an output is none
    write_campaign(made, folder / "x.toml", None)
    found = read_campaign(folder / "x.toml")
    assert found.plan == plan
    assert found.testset == testset
    assert {name: list(column) for name, column in found.given.items()} == given


def test_questions_are_forms(tmp_path):
    asked = [
        {"key": "q1", "text": "Years?", "kind": "number"},
        {"key": "q2", "text": "Paid?", "kind": "choice", "choices": ["yes", "no"]},
    ]
    plan, path = make_plan(protocol="esa", k=2, questions=asked), tmp_path / "x.json"
    write_pearmut(plan, make_testset(), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert [form["form"] for form in content["data_welcome"][0]] == ["number", "choices"]
    assert read_pearmut(path).plan == plan
    del content["info"]["rankwise"]  # as if another tool had written it
    path.write_text(json.dumps(content), encoding="utf-8")
    assert read_pearmut(path, language_pair="de-en").plan.questions == plan.questions


def test_a_ranking_is_no_campaign_of_pearmut(tmp_path):
    with pytest.raises(DataError, match="Pearmut has no ranking"):
        write_pearmut(make_plan(), make_testset(), tmp_path / "x.json")


def test_a_setting_changed_in_the_file_counts(tmp_path):
    plan, path = make_plan(protocol="esa", k=2), tmp_path / "x.json"
    write_pearmut(plan, make_testset(), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["info"] |= {"seed": 99, "dynamic_models": 3, "instructions": "Other words."}
    path.write_text(json.dumps(content), encoding="utf-8")
    expected = replace(plan, seed=99, k=3, instructions="Other words.")
    assert read_pearmut(path).plan == expected
