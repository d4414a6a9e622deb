"""Every page of the server in every state that looks different, as those see it who come by.

A walk goes from one to the next and says each time what is on the screen now.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

from browser.campaign_server import CampaignServer, arabic, blinded, texts_of
from browser.people import Person, wait_for_keys
from rankwise import example
from rankwise.server.campaign.plan.plan_files import example_plan
from rankwise.server.campaign.standings.standings import compute
from rankwise.server.records import JudgeTask, Submission
from rankwise.types import ScoreTable

PASSWORD = "correct horse battery"
#: Words as long as people write them, where pages show them as they are.
LONG_WORD = "Nachrichtenübersetzungswettbewerb"
NAME = f"{LONG_WORD} 2027, German to English"
ORGANISER = "firstname.lastname_of_the_laboratory@example.org"
SYSTEMS = tuple(f"Laboratory_of_unbroken_names_{number}" for number in range(8))
LINK = "https://example.org/" + "a_path_without_any_break/" * 3
UNBROKEN = tuple(LINK + "x" * number for number in range(3))
GUIDELINES = f"# How to judge\n\nRead **every** output first, see {LINK}\n\n- `{LONG_WORD}`"
QUESTIONS = [
    {"key": "work", "text": f"Did you work for {LINK}?", "kind": "choice", "choices": ["Yes", "No"]}
]
CONSENT = f"# What happens\n\nYour answers are kept **without your name**. See {LINK}"
ANSWERS: dict[str, Callable[[int, int], dict[str, list[int]]]] = {
    "ranking": lambda size, seed: {"ranks": [1 + (seed + i) % 3 for i in range(size)]},
    "direct-assessment": lambda size, seed: {"scores": [(9 * seed + i) % 101 for i in range(size)]},
}

#: How many screens each judge answers; a screen of documents takes longer to make up.
SCREENS_OF = {"esa": 6}

_NUMBERS = count(1)


def answer_to(protocol: str, task: JudgeTask, seed: int) -> dict[str, Any]:
    """An answer that fits the texts of a task; of documents with an error in most of them."""
    if protocol in ANSWERS:
        return ANSWERS[protocol](len(task.outputs), seed)
    return {
        "segments": [
            [_marked(text, seed + n) for text in row.outputs] for n, row in enumerate(task.rows)
        ]
    }


def _marked(text: str, seed: int) -> dict[str, Any]:
    start = len(text) * (seed % 7) // 8
    end = min(len(text), start + 5 + seed % 3)
    severity = "major" if seed % 4 == 0 else "minor"
    spans = [{"start": start, "end": end, "severity": severity}] if seed % 5 and text else []
    return {"spans": spans, "score": (37 * seed + len(text)) % 101}


@dataclass(frozen=True)
class World:
    """A server with an organiser and campaigns that were judged, and others as they are needed."""

    server: CampaignServer
    judged: tuple[Any, ...]
    made: dict[str, Any] = field(default_factory=dict)

    def campaign(self, name: str, protocol: str, **plan: Any) -> Any:
        """The campaign that the walks call *name*."""
        if name not in self.made:
            self.made[name] = self.server.campaign(protocol, **{"name": NAME, **plan})
        return self.made[name]


Walk = Callable[[Person, World], Iterator[str]]


def made_world(server: CampaignServer) -> World:
    """The world that the walks are through."""
    _, token = server.store.accounts.create(ORGANISER, "owner", "test")
    account = server.store.accounts.use_setup(token, PASSWORD)
    server.store.accounts.add_token(account.id, "export_of_every_night", ["read", "export"])
    server.store.accounts.create(f"other.{ORGANISER}", "organiser", ORGANISER)
    server.app.state.health.add_error("4f0c9d2e", "the database cannot be reached")
    return World(server, tuple(_judged(server, protocol) for protocol in (*ANSWERS, "esa")))


def _judged(server: CampaignServer, protocol: str) -> Any:
    """A campaign with two judges, one of them left out, a comment, a skip and an open screen."""
    shares = {"repeat_share": 0.1, "control_share": 0.1}
    if protocol == "esa":
        shares = {"redundancy": 2}
    testset = blinded(example().testset, SYSTEMS)
    campaign = server.campaign(protocol, name=NAME, testset=testset, sitting=100, **shares)
    for name in ("Bea", ORGANISER):
        judge, _ = server.store.judges.invite(campaign.id, name=name, actor=ORGANISER)
        for seed in range(SCREENS_OF.get(protocol, 20)):
            task = server.store.judging.next(judge)
            assert isinstance(task, JudgeTask)
            answer = answer_to(protocol, task, seed)
            sent = Submission("answer", answer, 9_000, LINK if seed == 0 else None)
            if seed == 1:
                sent = Submission("skip", {"reason": "source-broken"}, 9_000)
            server.store.judging.submit(judge, task.token, sent)
        server.store.judging.next(judge)
    server.store.judges.exclude(judge.id, f"too fast, see {LINK}", ORGANISER)
    server.store.judges.revoke(judge.id, ORGANISER)
    _add_machine(server, campaign)
    server.store.accounts.add_viewer(campaign.id)
    stored = server.stored(campaign)
    scores = np.random.default_rng(1).random((len(SYSTEMS), len(testset)))
    names = tuple(segment.id for segment in testset.segments)
    server.store.scores.attach(
        campaign.id, ScoreTable(SYSTEMS, names, scores, f"{LONG_WORD}-XXL"), actor=ORGANISER
    )
    table = server.store.scores.get(campaign.id)
    found = compute(campaign.plan, testset, stored, seed=1, scores=table)
    server.store.standings.put_all(campaign.id, len(stored), found.contents())
    return campaign


def _add_machine(server: CampaignServer, campaign: Any) -> None:
    """A machine with some judgments and a screen in hand."""
    given = {"name": f"{LONG_WORD}-70B", "kind": "machine", "actor": ORGANISER}
    judge, _ = server.store.judges.invite(campaign.id, **given)
    for seed in range(SCREENS_OF.get(campaign.plan.protocol, 15)):
        task = server.store.judging.next(judge)
        assert isinstance(task, JudgeTask)
        answer = answer_to(campaign.plan.protocol, task, seed)
        server.store.judging.submit(judge, task.token, Submission("answer", answer, 400))
    server.store.judging.next(judge)


# ---- coming in


def coming_in(person: Person, world: World) -> Iterator[str]:
    """What anybody sees."""
    server, page = world.server, person.page
    campaign = world.judged[0]
    for path in ("/login", "/api/docs", "/nothing_that_is_here", "/j/unknown", "/judge"):
        page.goto(server.url + path)
        yield path
    server.app.state.health.note("hardly any room is left on the disk of the database; make some")
    page.goto(f"{server.url}/login")
    server.app.state.health.note(None)
    yield "/login while the server cannot save"
    page.get_by_label("Name").fill("nobody")
    page.get_by_label("Password").fill("a wrong one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    yield "/login after a wrong password"
    account = next(one for one in server.store.accounts.all() if one.name.startswith("other"))
    page.goto(f"{server.url}/setup/{server.store.accounts.new_setup(account.id, 'test')}")
    yield "/setup"
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD + "!")
    page.get_by_role("button").last.click()
    expect(page.get_by_role("alert")).to_contain_text("differ")
    yield "/setup with two passwords that differ"
    page.goto(f"{server.url}/v/{server.store.accounts.add_viewer(campaign.id)}")
    yield "/v"
    page.get_by_role("button").last.click()
    expect(page.locator("table.board").first).to_be_visible()
    yield "/view"


# ---- organising


def organising(person: Person, world: World) -> Iterator[str]:
    """What an organiser sees."""
    server, page = world.server, person.page
    sign_in(person, world)
    for path in ("/", "/audit", "/campaigns/new"):
        page.goto(server.url + path)
        open_all(page)
        yield path
    yield from _making_a_campaign(page)
    unjudged = world.campaign("unjudged", "ranking")
    for path in ("/edit", "/delete"):
        page.goto(f"{server.url}/campaigns/{unjudged.slug}{path}")
        open_all(page)
        yield path
    for campaign in world.judged:
        judge = server.stored(campaign)[0].judge
        if campaign.plan.rules.is_document:  # the other pages look as those of other protocols
            for path in ("", f"/people/judge/{judge}", "/items/0"):
                page.goto(f"{server.url}/campaigns/{campaign.slug}{path}")
                open_all(page)
                yield f"{path or 'the standing'} of {campaign.plan.protocol}"
            continue
        for path in (
            f"/people/judge/{judge}",
            "",
            "/edit",
            "/add",
            "/people",
            "/items",
            "/items/0",
            "/scores",
            "?machines=true",
            "/floor",
            "/exports",
            "/audit",
            "/check",
        ):
            page.goto(f"{server.url}/campaigns/{campaign.slug}{path}")
            open_all(page)
            yield f"{path or 'the standing'} of {campaign.plan.protocol}"
    page.goto(f"{server.url}/campaigns/{world.judged[0].slug}/people")
    page.get_by_label("Names, one per line").fill(f"Bea <{ORGANISER}>\nCleo")
    page.get_by_role("button", name="Make links").click()
    expect(page.locator("[data-link]")).to_have_count(2)
    yield "the links of two judges"
    page.goto(f"{server.url}/campaigns/{world.judged[0].slug}/people")
    page.get_by_label("What it is called").fill(f"{LONG_WORD}-8B")
    page.get_by_role("button", name="Make its link").click()
    expect(page.locator("[data-link]")).to_have_count(1)
    yield "the link of a machine"
    yield from _an_event(page, world)
    yield from _account(page, server.url)


def _an_event(page: Page, world: World) -> Iterator[str]:
    """An event of all campaigns: made, somebody invited, the table over all.

    One of them is new, since a campaign is of one event and the walk goes this way in every font.
    """
    world.server.campaign("pairwise", name=f"{NAME} ({next(_NUMBERS)})")
    page.goto(f"{world.server.url}/events/new")
    yield "/events/new"
    page.get_by_label("Name of the event").fill(f"{NAME} ({next(_NUMBERS)})")
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Make the event").click()
    expect(page.get_by_role("button", name="Open all")).to_be_visible()
    yield "an event"
    address = page.url
    page.get_by_label("Names, one per line").fill(f"Bea <{ORGANISER}>")
    page.get_by_role("button", name="Make links").click()
    expect(page.locator("[data-link]")).to_have_count(1)
    link = page.locator("[data-link]").inner_text()
    yield "the link of somebody in an event"
    page.goto(address)
    open_all(page)
    yield "an event with somebody in it"
    page.goto(f"{address}/board")
    yield "the table over an event"
    page.context.request.post(link, headers={"Origin": world.server.url})
    page.goto(f"{world.server.url}/judge/pairs")
    expect(page.get_by_role("button", name="Begin").first).to_be_visible()
    yield "the language pairs of a judge"


def sign_in(person: Person, world: World) -> None:
    """The organiser comes in."""
    person.page.goto(f"{world.server.url}/login")
    person.page.get_by_label("Name").fill(ORGANISER)
    person.page.get_by_label("Password").fill(PASSWORD)
    person.page.get_by_role("button", name="Sign in").click()
    expect(person.page.get_by_role("heading", name="Campaigns")).to_be_visible()


def open_all(page: Page) -> None:
    """Unfold whatever can be unfolded."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")


def _making_a_campaign(page: Page) -> Iterator[str]:
    name, new = f"{NAME} ({next(_NUMBERS)})", page.url  # no two campaigns have the same
    for label, value in (("Name", name), ("Source language", "de"), ("Target language", "en")):
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Make the draft").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was made.")
    yield "/campaigns/new without files"
    page.get_by_label("The bundled example").check()
    page.get_by_role("button", name="Make the draft").click()
    expect(page.get_by_role("button", name="Launch")).to_be_visible()
    expect(page.frame_locator("iframe").locator("#task")).to_be_visible()
    open_all(page)
    yield "/check of a draft"
    page.get_by_role("link", name="Standing").click()
    expect(page.locator(".empty")).to_be_visible()
    yield "the standing of a draft"
    page.goto(new)
    open_all(page)
    page.get_by_label("Pearmut's campaign").set_input_files(_of_pearmut())
    page.get_by_role("button", name="Take it over").click()
    expect(page.get_by_role("heading", name="What was not taken over")).to_be_visible()
    yield "what was not taken over of a campaign of Pearmut"


def _of_pearmut() -> dict[str, Any]:
    """A file of Pearmut with a judge and a key that is not known."""
    info = {"assignment": "dynamic", "protocol": "ESA", "users": [ORGANISER], LONG_WORD: 1}
    item = {"item_id": "1", "src": "eins", "tgt": {SYSTEMS[0]: "one"}}
    name = f"{NAME} ({next(_NUMBERS)}) de-en"
    content = {"campaign_id": name, "info": info, "data": [[item]]}
    return {
        "name": "x.json",
        "mimeType": "application/json",
        "buffer": json.dumps(content).encode(),
    }


def _account(page: Page, url: str) -> Iterator[str]:
    page.goto(f"{url}/account")
    yield "/account"
    page.get_by_label("Name of a new token").fill(f"for {LONG_WORD}")
    page.get_by_label("read").check()
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("#secret")).to_be_visible()
    yield "/account with a new token"
    page.get_by_role("button", name="New set-up link").first.click()
    expect(page.locator("#secret")).to_contain_text("/setup/")
    yield "/account with a set-up link"


# ---- judging


def beginning(person: Person, world: World) -> Iterator[str]:
    """From a judge's link to the first screen, and out again."""
    tutorial = example_plan().to_json()["tutorial"]
    plan = {"consent": CONSENT, "questions": QUESTIONS, "instructions": GUIDELINES}
    plan["tutorial"] = tutorial
    campaign = world.campaign("beginning", "ranking", **plan)
    page = person.page
    page.goto(world.server.invite(campaign))
    yield "a judge's link"
    wait_for_keys(page)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/judge")
    yield "the consent"
    page.get_by_role("button", name="I agree").click()
    expect(page.get_by_role("button", name="Keep the answers")).to_be_visible()
    yield "the questions"
    page.get_by_label("Yes").check()
    page.get_by_role("button", name="Keep the answers").click()
    expect(page.get_by_role("button", name="I have read them")).to_be_visible()
    yield "the instructions"
    person.read_instructions()
    person.is_at("Practice")
    wait_for_keys(page)
    yield "practice"
    person.press("1", "2", "3", "Enter")
    person.sees("#feedback")
    yield "practice with its feedback"
    person.press("Enter")
    person.is_at("1 of 30")
    yield "the first screen"
    for key, window in (("p", "pause"), ("g", "guidelines"), ("?", "help"), ("s", "skip")):
        person.press(key)
        person.sees(f"#{window}")
        yield f"the window {window}"
        person.press("Escape")
        person.misses(f"#{window}")
    page.evaluate("document.getElementById('sign-in').showModal()")
    page.evaluate("document.getElementById('sign-in-wrong').hidden = false")
    yield "the window sign-in"
    person.press("Escape", "p")
    page.get_by_role("button", name="Sign out on this device").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    yield "signed out"


def ranking(person: Person, world: World) -> Iterator[str]:
    """Ranks with everything that can be unfolded, and what follows an answer."""
    plan = {"context": 2, "show_reference": True, "sitting": 3}
    campaign = world.campaign("ranking", "ranking", **plan)
    world.server.store.campaigns.set_state(campaign.slug, "open", actor="test")
    person.link = world.server.invite(campaign)
    person.begin()
    person.find("#menu-button").click()
    yield "ranking with its menu"
    person.find("#menu-button").click()
    person.press("x", "Shift+D", "a", "2", "b", "1", "c", "=", "d", "4")
    expect(person.find(".difference").first).to_be_visible()
    yield "ranking with context and differences"
    person.find("#layout").click()
    yield "ranking on shelves"
    person.find("#layout").click()
    person.press("Shift+C")
    person.find("#comment-text").fill(LINK)
    yield "the window comment"
    person.page.get_by_role("button", name="Keep the comment").click()
    person.press("e", "5", "Enter")
    person.is_at("2 of 3")
    # it is there for ten seconds only, and the machine may be slow
    person.page.evaluate("document.getElementById('undo-bar').hidden = false")
    yield "ranking after an answer"
    person.press("v")
    person.sees("#history")
    yield "the window history"
    person.page.get_by_role("button", name="Change").click()
    person.sees("#revision-note")
    yield "ranking anew"
    person.find("#leave-revision").click()
    person.is_at("2 of 3")
    person.context.set_offline(True)
    person.press("0")
    person.reads("#saved", "Not saved, retrying")
    yield "ranking without a network"
    person.press("Enter")
    person.sees("#notice")
    yield "an answer that waits"
    person.context.set_offline(False)  # it is sent by itself
    person.is_at("3 of 3")
    person.press("0", "Enter")
    person.reads("#notice-title", "This sitting is done")
    yield "the end of a sitting"
    world.server.store.campaigns.set_state(campaign.slug, "closed", actor="test")
    person.page.get_by_role("button", name="Continue").click()
    person.reads("#notice-title", "The campaign is closed")
    yield "the end of a campaign"


#: Name, protocol, plan, the keys of an answer.
SCREENS: tuple[tuple[str, str, dict[str, Any], tuple[str, ...]], ...] = (
    ("two outputs", "pairwise", {}, ("ArrowRight",)),
    ("fluency", "adequacy-fluency", {}, ("4", "3")),
    ("adequacy", "adequacy-fluency", {}, ("4", "3", "5", "Enter", "4")),
    ("fluency and adequacy", "adequacy-fluency", {"single_pass": True}, ("4", "3", "5")),
    ("scores", "direct-assessment", {}, ("a", "7", "3", "b")),
    ("scores without numbers", "direct-assessment", {"show_value": False}, ()),
    ("eight outputs", "ranking", {"k": 8}, ("a", "7", "b", "=")),
    ("two outputs to rank", "ranking", {"k": 2}, ("a", "1")),
    ("Arabic", "ranking", {"testset": arabic()}, ("a", "1")),
    ("unbroken texts", "ranking", {"k": 3, "testset": texts_of(LINK, UNBROKEN)}, ("a", "1")),
)


def judging(person: Person, world: World) -> Iterator[str]:
    """A screen of every protocol, as it comes and when something is answered."""
    for name, protocol, plan, keys in SCREENS:
        link = world.server.invite(world.campaign(name, protocol, **plan))
        person.context.request.post(link, headers={"Origin": world.server.url})  # signs in
        person.page.goto(f"{world.server.url}/judge")
        person.read_instructions()
        person.sees("#task")
        wait_for_keys(person.page)
        yield name
        for key in keys:
            person.press(key)
            if key == "Enter":
                person.sees("#source")
        if keys:
            expect(person.find("#summary")).not_to_be_empty()
            yield f"{name}, partly answered"


def previewing(person: Person, world: World) -> Iterator[str]:
    """The judge's pages as an organiser sees them before launch."""
    sign_in(person, world)
    for protocol in ("ranking", "pairwise", "adequacy-fluency", "direct-assessment"):
        campaign = world.campaign(f"preview of {protocol}", protocol, control_share=0.1)
        person.page.goto(f"{world.server.url}/campaigns/{campaign.slug}/preview")
        person.sees("#task")
        yield f"the preview of {protocol}"


WALKS: tuple[Walk, ...] = (coming_in, organising, beginning, ranking, judging, previewing)
