"""A plan is what its file says, to the last key; anything else is refused with the key's name."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import DataError, example
from rankwise.server.campaign.plan.plan import Plan, StopRule, slug_of
from rankwise.server.campaign.plan.plan_files import (
    example_campaign,
    example_plan,
    load_testset,
    read_plan,
)
from rankwise.server.campaign.plan.protocols import PROTOCOLS
from server.campaign.made import make_plan

WHOLE = """
name = "Autumn"
source_language = "de"
target_language = "en-GB"
protocol = "ranking"
k = 3
redundancy = 2
strategy = "paper:scale=5"
coverage_floor = 4
repeat_share = 0.2
control_share = 0.05
control_kind = "reference"
context = 2
show_reference = true
instructions = "Rank *them*."
consent = "I agree."
sitting = 10
lease_seconds = 600
seed = 7
seconds_per_screen = 45
pay_per_hour = 12.5
judges = ["Ann", "Bob"]

[texts]
source = "source.txt"
references = { refA = "a.txt" }
outputs = ["systems/*.txt"]

[stop]
max_judgments = 100
boundary_support = 0.9

[[tutorial]]
source = "Guten Tag."
outputs = ["Good day.", "Bad night."]
answer = { ranks = [1, 2] }
feedback = "The first is right."
"""


def test_every_key_of_a_file_arrives(tmp_path):
    (tmp_path / "plan.toml").write_text(WHOLE, encoding="utf-8")
    plan = read_plan(tmp_path / "plan.toml")
    assert (plan.name, plan.slug, plan.k, plan.redundancy) == ("Autumn", "autumn", 3, 2)
    assert (plan.strategy, plan.control_kind, plan.seed) == ("paper:scale=5", "reference", 7)
    assert plan.stop == StopRule(100, 0.9)
    assert plan.tutorial[0].answer == {"ranks": [1, 2]}
    assert plan.texts.references == (("refA", "a.txt"),)
    assert plan.texts.outputs == (("", "systems/*.txt"),)


def test_json_and_back_is_the_same_plan():
    plan = Plan.from_json(tomllib.loads(WHOLE))
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert Plan.from_json(example_plan().to_json()) == example_plan()


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("k", 9, "'k' is 9; expected a whole number from 2 to 8"),
        ("k", True, "'k' is True; expected a whole number"),
        ("redundancy", 0, "'redundancy' is 0"),
        ("repeat_share", float("nan"), "'repeat_share' is nan"),
        ("repeat_share", 10**400, "'repeat_share' is 1000"),
        ("protocol", "vote", "'protocol' is 'vote'; expected one of ranking, pairwise"),
        ("strategy", "guess", "'strategy' is 'guess'"),
        ("source_language", "d", "a language code such as de"),
        ("slug", "Über Alles", "small letters, digits and single hyphens"),
        ("colour", "red", "unknown key 'colour'"),
        ("show_reference", 1, "expected true or false"),
        ("stop", {"maximum": 3}, "unknown key 'stop.maximum'"),
        ("stop", {"boundary_support": 0.1}, "'stop.boundary_support' is 0.1"),
        ("texts", {"outputs": 7}, "'texts.outputs' is 7; expected a file, a list of files"),
        ("judges", "Ann", "'judges' is 'Ann'; expected a list of texts"),
        ("tutorial", [{"source": "x", "outputs": ["a"]}], "'tutorial[1].outputs'"),
        (
            "tutorial",
            [{"source": "x", "outputs": ["a", "b"], "answer": {"ranks": [1]}}],
            "'tutorial[1].answer'",
        ),
    ],
)
def test_a_wrong_key_is_named(key, value, sentence):
    with pytest.raises(DataError) as error:
        Plan.from_json(make_plan().to_json() | {key: value}, where="plan.toml")
    assert str(error.value).startswith("plan.toml: ")
    assert sentence in str(error.value)


def test_a_missing_key_is_named():
    with pytest.raises(DataError, match=r"plan: 'name' is missing; expected a text"):
        Plan.from_json({})


@pytest.mark.parametrize(
    "text", ["name = ", "k = " + "[" * 4000, "k = " + "9" * 5000], ids=["none", "deep", "long"]
)
def test_broken_toml_names_the_file(tmp_path, text):
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"plan\.toml: .*expected TOML"):
        read_plan(path)
    with pytest.raises(DataError, match=r"none\.toml: No such file"):
        read_plan(tmp_path / "none.toml")


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_has_a_usual_screen_and_instructions(name):
    plan = make_plan(protocol=name)
    assert plan.k == PROTOCOLS[name].usual
    assert plan.instructions and plan.seconds_per_screen > 0


@given(st.text())
def test_a_slug_is_always_fit_for_an_address(name):
    slug = slug_of(name)
    assert slug and set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert Plan.from_json(make_plan().to_json() | {"slug": slug[:80].strip("-")})


def test_a_test_set_of_parallel_files(tmp_path):
    (tmp_path / "systems").mkdir()
    texts = {
        "source.txt": "eins\nzwei\n",
        "a.txt": "one\ntwo\n",
        "where.tsv": "news\td1\nnews\td2\n",
    }
    texts |= {"systems/x.txt": "1\n2\n", "systems/y.txt": "I\nII\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    keys = tomllib.loads(WHOLE)
    keys["texts"]["documents"] = "where.tsv"
    found = load_testset(Plan.from_json(keys), tmp_path)
    assert found.outputs == {"x": ("1", "2"), "y": ("I", "II")}
    assert found.segments[1].references == ("two",)
    assert (found.segments[1].document, found.segments[1].domain) == ("d2", "news")
    assert (found.source_language, found.target_language) == ("de", "en-GB")


def test_texts_that_are_not_there(tmp_path):
    (tmp_path / "source.txt").write_text("eins\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"'texts\.source' is missing"):
        load_testset(make_plan(), tmp_path)
    plan = make_plan(texts={"source": "source.txt", "outputs": ["no/*.txt"]})
    with pytest.raises(DataError, match=r"'no/\*\.txt', which matches no file"):
        load_testset(plan, tmp_path)


def test_a_pattern_may_begin_at_the_root_of_the_system(tmp_path):
    folder = tmp_path / "with [brackets]"
    folder.mkdir()
    for name in ("source.txt", "a.out", "b.out"):
        (folder / name).write_text("eins\n", encoding="utf-8")
    for pattern in ("*.out", f"{tmp_path}/with*/*.out"):
        plan = make_plan(texts={"source": "source.txt", "outputs": pattern})
        assert load_testset(plan, folder).systems == ("a", "b")


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"source": "so\0urce.txt", "outputs": ["a.txt"]}, "'texts.source' has"),
        ({"source": "source.txt", "outputs": ["a\0.txt"]}, "'texts.outputs' has"),
        ({"source": "source.txt", "outputs": ["*\0.txt"]}, "'texts.outputs' has"),
        ({"source": "source.txt", "references": ["\0"], "outputs": ["a.txt"]}, "cannot hold a NUL"),
        ({"source": "source.txt", "documents": "\0", "outputs": ["a.txt"]}, "cannot hold a NUL"),
        ({"source": "source.txt", "outputs": ["a**/x*"]}, "which is no pattern|matches no file"),
    ],
)
def test_what_cannot_be_a_file_is_a_sentence(tmp_path, texts, words):
    for name in ("source.txt", "a.txt"):
        (tmp_path / name).write_text("eins\n", encoding="utf-8")
    with pytest.raises(DataError, match=words):
        load_testset(make_plan(texts=texts), tmp_path)


def test_the_bundled_example_is_ready_to_run():
    plan, testset = example_campaign()
    assert testset.outputs == example().testset.outputs
    assert plan.tutorial and plan.k <= len(testset.systems)


def test_the_address_of_a_page_is_no_slug():
    with pytest.raises(DataError, match=r"slug.*'new'.*address of a page"):
        make_plan(name="New")
    assert make_plan(name="New", slug="newer").slug == "newer"
