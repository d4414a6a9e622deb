"""Which language a judge gets, and the organiser's own texts in it."""

import re

import pytest

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.plan_edits import edited
from rankwise.server.web.page_languages import accepted
from server.judge.judge_client import JudgeClient
from server.judge.test_pages import boot_of
from web_client import BROWSER, browser, come_in, csrf_of

KEYS = {"name": "T", "source_language": "de", "target_language": "en"}
QUESTION = {"key": "years", "text": "For how many years?", "kind": "number"}
GERMAN = {
    "instructions": "Bitte **ordnen**.",
    "consent": "Ich *stimme* zu.",
    "texts": {"For how many years?": "Seit wie vielen Jahren?", "T": "Versuch"},
}
OWN = {"name": "T", "questions": [QUESTION], "consent": "I agree.", "translations": {"de": GERMAN}}


def page(client, language=None):
    headers = BROWSER | ({"accept-language": language} if language else {})
    return client.get("/judge", headers=headers).text


def post(client, path, text, **form):
    headers = {"sec-fetch-site": "same-origin"}
    return client.post(path, data={"csrf": csrf_of(text), **form}, headers=headers)


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-US,de;q=0.9", "en"),
        ("tlh,de;q=0.1", "de"),
        ("de;q=0", "en"),
        ("", "en"),
        ("de;q=nan, *;q=0.5", "en"),
        ("," * 10_000, "en"),
    ],
)
def test_the_browsers_language(header, code):
    assert accepted(header) == code


def test_the_browser_the_campaign_and_the_judge_choose_in_this_order(app, invited):
    client = come_in(app, invited()[1])
    assert '<html lang="de" dir="ltr">' in page(client, "de")
    assert '<html lang="en" dir="ltr">' in page(client)
    client = come_in(app, invited(slug="german", language="de")[1])
    text = page(client, "en")
    assert '<html lang="de"' in text
    answer = post(client, "/judge/language", text, language="en", to="/judge")
    assert (answer.status_code, answer.headers["location"]) == (303, "/judge")
    assert '<html lang="en"' in page(client, "de")


def test_a_language_that_nobody_speaks_or_an_address_elsewhere_is_refused(app, invited):
    client = come_in(app, invited()[1])
    text = page(client)
    assert post(client, "/judge/language", text, language="tlh").status_code == 422
    answer = post(client, "/judge/language", text, language="de", to="//evil.example")
    assert answer.headers["location"] == "/"


def test_before_work_everything_is_in_the_judges_language(app, invited):
    client = come_in(app, invited(language="de", **OWN)[1])
    text = page(client)
    assert "Ich <em>stimme</em> zu." in text and "<h1>Versuch</h1>" in text
    version = text.split('name="version" value="')[1].split('"')[0]
    post(client, "/judge/consent", text, version=version)
    text = page(client)
    assert "Seit wie vielen Jahren?" in text
    refused = post(client, "/judge/questions", text, years="viele")
    assert refused.status_code == 422 and "Bitte schreiben Sie eine Zahl." in refused.text
    post(client, "/judge/questions", text, years="3")
    assert "Bitte <strong>ordnen</strong>." in page(client)


def test_what_the_organiser_wrote_goes_its_own_way(app, invited):
    """English that nobody translated, on a page from right to left, ends with its full stop."""
    _, link = invited(**OWN | {"instructions": "Rank them."})
    client = come_in(app, link)
    consent = page(client, "ar")
    assert '<html lang="ar" dir="rtl"' in consent
    assert '<div class="prose" dir="auto"><p>I agree.' in consent
    version = re.search(r'name="version" value="([^"]*)"', consent)[1]
    post(client, "/judge/consent", consent, version=version)
    questions = page(client, "ar")
    assert '<span dir="auto">For how many years?</span>' in questions
    post(client, "/judge/questions", questions, years="3")
    assert '<div class="prose" dir="auto"><p>Rank them.' in page(client, "ar")


def test_the_usual_instructions_are_in_the_judges_language(app, invited):
    text = page(come_in(app, invited(language="de")[1]))
    assert "Ordnen Sie die Übersetzungen" in text and "Rank the translations" not in text


def test_the_page_gets_the_organisers_short_texts(app, invited):
    plan = {"name": "T", "translations": {"de": {"texts": {"T": "V"}}}}
    client = come_in(app, invited(language="de", **plan)[1])
    text = page(client)
    assert boot_of(text)["own"] == {"T": "V"} and "judge/words/de.js" in text


def test_errors_speak_the_language_of_the_page(app, invited):
    client = JudgeClient(app, invited()[1])
    client.http.headers["x-page-language"] = "de"
    reply = client.send("GET", "/judge/tasks/none")
    assert reply.json()["error"]["message"].startswith("eine solche Aufgabe gibt es für Sie nicht")
    # what no catalogue has: what it means, and what to do
    reply = client.send("POST", "/judge/tasks/none/answer", {"answer": 1, "active_ms": "x"})
    assert reply.json()["error"]["message"].startswith("Etwas fehlt oder ist falsch.")


def test_pages_of_errors_and_links_speak_the_browsers_language(app, invited):
    client = browser(app)
    german = {**BROWSER, "accept-language": "de"}
    assert "Dieser Link gilt nicht mehr" in client.get("/j/none", headers=german).text
    assert "Beginnen" in client.get(invited()[1], headers=german).text
    assert "There is nothing here" in client.get("/none", headers=german).text  # nobody's


def test_hints_and_feedback_come_in_the_judges_language(app, invited):
    texts = {"Which animal barks?": "Welches Tier bellt?", "A dog.": "Ein Hund."}
    item = {
        "source": "Hund",
        "outputs": ["dog", "cat"],
        "feedback": "A dog.",
        "rules": [{"text": 1, "above": 2, "hint": "Which animal barks?"}],
    }
    plan = {"protocol": "ranking", "k": 2, "tutorial": [item], "tutorial_tries": 2}
    link = invited(language="de", translations={"de": {"texts": texts}}, **plan)[1]
    client = JudgeClient(app, link)
    token = client.next()["task"]["token"]
    assert client.answer(token, [2, 1]).json()["hints"] == ["Welches Tier bellt?"]
    done = client.answer(token, [1, 2]).json()
    assert done["feedback"] == "Das ist auch unsere Antwort. Ein Hund."


# ---- the plan


def test_a_plan_with_translations_comes_back_equal():
    plan = Plan.from_json({**KEYS, "language": "de", **OWN})
    assert Plan.from_json(plan.to_json()) == plan
    assert plan.translation("de").instructions == "Bitte **ordnen**."
    assert plan.translation("fr").instructions == ""


def test_other_instructions_in_any_language_are_read_again():
    plan = Plan.from_json({**KEYS, **OWN})
    other = edited(plan, {"translations": {"de": {**GERMAN, "instructions": "Bitte sehr."}}})
    assert plan.instructions_version != other.instructions_version
    assert plan.consent_version == other.consent_version
    less = edited(plan, {"translations": {"de": {**GERMAN, "texts": {"T": "Anders"}}}})
    assert less.instructions_version == plan.instructions_version


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"language": "tlh"}, r"'language' is 'tlh'; expected one of en, de"),
        ({"translations": {"tlh": {}}}, r"unknown key 'translations\.tlh'"),
        ({"translations": {"de": {"text": {}}}}, r"unknown key 'translations\.de\.text'"),
        ({"translations": {"de": {"texts": {"x": "y"}}}}, "a text that the plan shows to judges"),
        ({"translations": {"de": {"texts": {"T": ""}}}}, "a text that is not empty"),
        ({"translations": {"de": {"texts": 1}}}, "a table of texts"),
        (
            {"translations": {"de": {"domain_instructions": {"news": "x"}}}},
            "a domain of 'domain_instructions'",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(keys, said):
    with pytest.raises(DataError, match=said):
        Plan.from_json({**KEYS, **keys})
