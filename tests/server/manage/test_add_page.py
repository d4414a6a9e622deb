"""The page that adds a system or documents to a campaign under way."""

from server.manage.conftest import judge_some
from web_client import BROWSER, session_csrf

LINES = "\n".join(f"what the late one made of {n}" for n in range(60))


def send(organiser, part, files, **fields):
    form = {"csrf": session_csrf(organiser, "/campaigns/example/add"), **fields}
    return organiser.post(f"/campaigns/example/{part}", data=form, files=files, headers=BROWSER)


def test_a_system_joins_a_campaign_with_judgments(organiser, store, campaign):
    judge_some(store, campaign, 3)
    page = organiser.get("/campaigns/example/add", headers=BROWSER).text
    assert "60 segments of 8 systems and 3 judgments" in page
    done = send(organiser, "systems", {"outputs": ("late.txt", LINES)})
    assert (done.status_code, "System “late” is added." in done.text) == (200, True)
    assert store.campaigns.get("example").size == (9, 60)
    assert store.log.count(campaign.id) == 3
    event = store.events.list(campaign.id)[0]
    assert (event.actor, event.action, event.object) == ("ann", "campaign.system", "late")
    named = send(organiser, "systems", {"outputs": ("late.txt", LINES)}, name="Another")
    assert "System “Another” is added." in named.text
    assert "each such text is shown once for all of them" in named.text  # it is a copy


def test_what_is_wrong_is_said_and_nothing_is_added(organiser, store, campaign):
    short = send(organiser, "systems", {"outputs": ("late.txt", "one")}, name="Typed")
    assert short.status_code == 422
    assert "has 1 outputs; expected one for each of the 60 segments" in short.text
    assert 'value="Typed"' in short.text
    source = ("source", ("more.txt", "Neu eins"))
    lacking = send(organiser, "segments", [source, ("outputs", ("rowan.txt", "new"))])
    assert "the new segments have no outputs of" in lacking.text
    assert "/tmp" not in lacking.text
    store.campaigns.set_state("example", "closed", actor="test")
    page = organiser.get("/campaigns/example/add", headers=BROWSER).text
    assert "Open it again to add texts" in page
    closed = organiser.post(
        "/campaigns/example/systems",
        data={"csrf": session_csrf(organiser, "/campaigns/example/people")},
        files={"outputs": ("late.txt", LINES)},
        headers=BROWSER,
    )
    assert (closed.status_code, "is closed; open it again" in closed.text) == (422, True)
    assert store.campaigns.get("example").size == (8, 60)


def test_documents_join_with_outputs_of_all(organiser, store, campaign):
    names = store.campaigns.testset(campaign.id).systems
    files = [("source", ("more.txt", "Neu eins\nNeu zwei"))]
    files += [("outputs", (f"{name}.txt", f"{name} one\n{name} two")) for name in names]
    done = send(organiser, "segments", files)
    assert "2 segments are added." in done.text
    testset = store.campaigns.testset(campaign.id)
    assert [one.source for one in testset.segments[-2:]] == ["Neu eins", "Neu zwei"]
    assert testset.outputs[names[3]][-1] == f"{names[3]} two"
    twice = send(organiser, "segments", files)
    assert (twice.status_code, "only what is not in the campaign yet" in twice.text) == (422, True)
