"""Questions before work: what fits is kept, apart from everything else, and can be erased."""

import pytest

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.questions import JudgeQuestion, questionnaire
from web_client import BROWSER, come_in, csrf_of, read_instructions

YEARS = {"key": "years", "text": "How many years?", "kind": "number"}
FIRST = {"key": "first", "text": "First language?", "kind": "choice", "choices": ["Yes", "No"]}
NOTE = {"key": "note", "text": "Anything else?", "required": False}
KEYS = {"name": "T", "source_language": "de", "target_language": "en"}


def test_answers_are_checked_one_by_one():
    asked = Plan.from_json({**KEYS, "questions": [YEARS, FIRST, NOTE]}).questions
    assert questionnaire(asked, {"years": "3", "first": "No"}) == (
        {"years": 3.0, "first": "No", "note": None},
        {},
    )
    _, problems = questionnaire(asked, {"years": "inf", "first": "Perhaps"})
    assert problems == {
        "years": "Please write a number.",
        "first": "Please choose one of the answers.",
    }
    assert asked[2] == JudgeQuestion("note", "Anything else?", required=False)


@pytest.mark.parametrize(
    "question",
    [{**YEARS, "key": "a b"}, {**YEARS, "choices": ["1"]}, {**FIRST, "choices": []}],
)
def test_questions_that_cannot_be_asked_are_refused(question):
    with pytest.raises(DataError, match="questions"):
        Plan.from_json({**KEYS, "questions": [question]})


def test_they_come_before_work_and_are_erased_with_the_person(app, invited, store):
    campaign, link = invited(questions=[YEARS, FIRST])
    client = come_in(app, link)
    page = client.get("/judge", headers=BROWSER).text
    assert "How many years?" in page
    token = csrf_of(page)
    headers = {"x-csrf-token": token, "sec-fetch-site": "same-origin"}
    refused = client.post("/judge/next", json={}, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "questions")
    form = {"csrf": token, "years": "<b>", "first": "Yes"}
    again = client.post("/judge/questions", data=form, headers=BROWSER)
    assert (again.status_code, "Please write a number." in again.text) == (422, True)
    assert "&lt;b&gt;" in again.text
    form["years"] = "12"
    assert client.post("/judge/questions", data=form, headers=BROWSER).status_code == 303
    read_instructions(client)
    assert client.post("/judge/next", json={}, headers=headers).status_code == 200
    (judge,) = store.judges.judges(campaign.id)
    (kept,) = store.questionnaires.all(campaign.id)
    assert (kept[0], kept[2]) == (judge.pseudonym, {"years": 12.0, "first": "Yes"})
    store.judges.forget(judge.id, "test")
    assert store.questionnaires.all(campaign.id) == []
