"""An organiser with files of their own: what the form says when something is wrong."""

from dataclasses import replace

import pytest

from rankwise.server.campaign.launch.check_list import check
from rankwise.server.campaign.plan.plan import Plan, StopRule
from rankwise.server.campaign.plan.plan_files import example_campaign
from rankwise.server.store.campaigns.events import STOP_RULE
from rankwise.server.web.manage.form_words import LABELS
from rankwise.types import Segment, TestSet
from server.manage.conftest import judge_some
from web_client import BROWSER, csrf_of

SOURCE = "".join(f"Der Zug nach Ort {n} geht.\n" for n in range(4))
GOOD = {
    name: "".join(f"{words} {n}.\n" for n in range(4))
    for name, words in {
        "DeepTrans": "The train goes to",
        "online-B": "Train to",
        "baseline": "The after go",
    }.items()
}
FORM = {"name": "Trains", "source_language": "de", "target_language": "en", "texts": "files"}


def send(organiser, *, source="src.de", outputs=None, **fields):
    files = [("source", (source, SOURCE.encode()))] if source else []
    outputs = GOOD if outputs is None else outputs
    files += [("outputs", (f"{name}.en", text.encode())) for name, text in outputs.items()]
    token = csrf_of(organiser.get("/campaigns/new", headers=BROWSER).text)
    data = {"csrf": token, **FORM, "protocol": "ranking", "k": "3", **fields}
    return organiser.post("/campaigns/new", data=data, files=files, headers=BROWSER)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"source": None}, "No source was chosen; expected a file of source texts"),
        ({"outputs": {}}, "No outputs were chosen: add one file for each system"),
        ({"k": "9"}, "“Outputs on a screen” is 9; expected a whole number from 2 to 8."),
        ({"pay_per_hour": "12,50"}, "“Pay per hour” is &#39;12,50&#39;; expected a number such as"),
        ({"boundary_support": "95"}, "“Stop when every boundary has this support” is 95.0;"),
        ({"name": " "}, "“Name” is missing"),
        ({"outputs": {"a": "one line\n", "b": SOURCE}}, "“a.en” has 1 line, but “src.de” has 4"),
    ],
)
def test_the_form_speaks_its_own_words(organiser, changes, sentence):
    answer = send(organiser, **changes)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "rankwise-" not in answer.text.split("<main")[1], "no path of the server"


def test_the_same_name_again(organiser):
    assert send(organiser).headers["location"] == "/campaigns/trains/check"
    assert "choose another name." in send(organiser).text


def test_every_label_is_on_the_page(organiser):
    page = organiser.get("/campaigns/new", headers=BROWSER).text
    assert [label for label in LABELS.values() if label not in page] == []


def test_the_check_list_counts_one_and_many(organiser):
    outputs = {**GOOD, "DeepTrans": GOOD["DeepTrans"].replace("The", "DeepTrans: the", 1)}
    to = send(organiser, outputs=outputs, source_language="German").headers["location"]
    page = organiser.get(to, headers=BROWSER).text
    assert "1 output names a system" in page
    assert "The source language is &#39;German&#39;; expected a code such as de" in page
    assert "look at the warnings first" in page


@pytest.mark.parametrize("code", ["de", "zh-Hans", "pt_BR", "yue", "sr-Latn-RS"])
def test_codes_of_languages(code):
    plan = Plan.from_json({"name": "x", "source_language": code, "target_language": "en", "k": 2})
    texts = TestSet((Segment("1", "a b"),), {"a": ("x",), "b": ("y",)}, "t", code, "en")
    assert "odd-language" not in {finding.code for finding in check(plan, texts).findings}


def test_one_file_needs_no_list():
    texts = {"source": "s.txt", "references": "r.txt", "outputs": "systems/*.txt"}
    table = {"name": "x", "source_language": "de", "target_language": "en", "texts": texts}
    found = Plan.from_json(table).texts
    assert (found.references, found.outputs) == ((("", "r.txt"),), (("", "systems/*.txt"),))


def test_a_stop_rule_that_is_met_says_so(organiser, store):
    plan, testset = example_campaign()
    plan = replace(plan, tutorial=(), sitting=1000, stop=StopRule(max_judgments=6))
    made = store.campaigns.add(plan, testset, actor="test")
    campaign = store.campaigns.set_state(made.slug, "open", actor="test")
    judge_some(store, campaign, 4, judges=1)
    said = "The stop rule is met: judges get no new screens"
    assert said not in organiser.get("/campaigns/example", headers=BROWSER).text
    for _ in range(8):  # repeats and controls do not count
        judge_some(store, campaign, 1, judges=1)
        if said in organiser.get("/campaigns/example", headers=BROWSER).text:
            break
    else:
        pytest.fail("it never said so")
    store.campaigns.set_state(made.slug, "paused", actor=STOP_RULE)
    assert said in organiser.get("/campaigns/example", headers=BROWSER).text
    store.campaigns.set_state(made.slug, "open", actor="ann")
    page = organiser.get("/campaigns/example", headers=BROWSER).text
    assert said not in page
    assert "opened again and goes on without it" in page
