"""Pictures, sounds and videos as sources of the tutorial and of an organiser's own checks."""

import json
from base64 import b64encode
from dataclasses import replace

import pytest

from media import media_of, png, wav
from rankwise import DataError
from rankwise.server.campaign.exchange.pearmut_export import write_pearmut
from rankwise.server.campaign.plan.lessons import LessonFile
from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import read_pearmut
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.plan_files import load_media
from rankwise.server.campaign.plan.size_limits import USUAL_ASSETS, AssetLimits
from rankwise.server.campaign.plan.sources.media_files import asset_file
from server.campaign.made import make_plan, make_testset
from server.judge.judge_client import JudgeClient
from web_client import browser, come_in
from web_world import small_plan, small_testset

SUN, TONE = png(), wav()
RANKED = {
    "source": "",
    "asset": "sun.png",
    "asset_words": "A sun.",
    "outputs": ["sun", "moon"],
    "answer": {"ranks": [1, 2]},
}
MARKED = {
    "source": "Sonne",
    "outputs": ["sun", "moon"],
    "more": [{"source": "", "asset": "tone.wav", "asset_words": "A tone.", "outputs": ["a", "b"]}],
    "rules": [{"text": 1, "score": [50, 100]}],
}
DOCUMENTS = {"protocol": "esa", "k": 2, "window": 2}


@pytest.fixture
def made(store, tmp_path):
    """``made(**keys)``: an open campaign whose segments have no files, and a judge's link."""

    def make(name="first", **keys):
        media = media_of(tmp_path / "assets", {"sun.png": SUN, "tone.wav": TONE}, [])
        files = tuple(asset_file(tmp_path / "assets", one) for one in ("sun.png", "tone.wav"))
        plan = small_plan(name, **keys)
        media = replace(media, lessons=files)
        campaign = store.campaigns.add(plan, small_testset(), media=media, actor="test")
        store.campaigns.set_state(campaign.slug, "open", actor="test")
        _, token = store.judges.invite(campaign.id, actor="test")
        return campaign, f"/j/{token}"

    return make


def test_a_judge_sees_the_picture_of_the_tutorial_and_not_its_name(app, made):
    link = made(tutorial=[RANKED])[1]
    judge = JudgeClient(app, link)
    task = judge.next()["task"]
    assert (task["role"], task["source"]) == ("tutorial", "")
    assert (task["asset"]["kind"], task["asset"]["words"]) == ("image", "A sun.")
    assert "sun.png" not in json.dumps(task)
    answer = judge.http.get(f"/judge/assets/{task['asset']['key']}")
    assert (answer.status_code, answer.content) == (200, SUN)
    judge.answer(task["token"], [1, 2])
    assert judge.http.get("/judge/history").json()["history"][0]["source"] == "A sun."
    assert judge.next()["task"]["asset"] is None, "sources of work have none"


def test_every_segment_of_a_document_has_its_own(app, made):
    judge = JudgeClient(app, made(**DOCUMENTS, tutorial=[MARKED])[1])
    task = judge.next()["task"]
    assert [row["source"] for row in task["rows"]] == ["Sonne", ""]
    first, second = (row["asset"] for row in task["rows"])
    assert first is None and task["asset"] is None
    assert (second["kind"], second["words"]) == ("audio", "A tone.")
    assert judge.http.get(f"/judge/assets/{second['key']}").content == TONE


def test_a_check_has_one_like_screens_of_work(app, made):
    checks = {"checks": [RANKED], "control_kind": "own", "control_share": 0.5}
    judge = JudgeClient(app, made(**checks)[1])
    seen = []
    for _ in range(6):
        task = judge.next()["task"]
        seen.append((task["role"], task["asset"] and task["asset"]["words"]))
        judge.answer(task["token"], list(range(1, len(task["outputs"]) + 1)))
    assert ("work", "A sun.") in seen


def test_a_clone_has_files_of_its_own_and_the_preview_shows_them(app, store, made, owner):
    campaign, link = made(tutorial=[RANKED])
    key = JudgeClient(app, link).next()["task"]["asset"]["key"]
    clone = store.changes.clone("first", "Second", actor="test")
    store.campaigns.set_state(clone.slug, "open", actor="test")
    judge = JudgeClient(app, f"/j/{store.judges.invite(clone.id, actor='test')[1]}")
    other = judge.next()["task"]["asset"]["key"]
    assert other != key and judge.http.get(f"/judge/assets/{other}").content == SUN
    assert judge.http.get(f"/judge/assets/{key}").status_code == 404
    assert key in owner.get(f"/campaigns/{campaign.slug}/preview").text
    assert owner.get(f"/campaigns/{campaign.slug}/check").status_code == 200
    assert come_in(app, link).get(f"/judge/assets/{other}").status_code == 404


def test_an_edit_may_name_what_is_there_and_nothing_else(app, store, made):
    campaign, link = made()
    store.campaigns.set_state(campaign.slug, "paused", actor="test")
    with pytest.raises(DataError, match=r"shows the file 'gone\.png', which the campaign does not"):
        changes = {"tutorial": [RANKED | {"asset": "gone.png"}]}
        store.changes.edit(campaign.slug, changes, actor="test")
    assert store.campaigns.get(campaign.slug).plan.tutorial == ()
    store.changes.edit(campaign.slug, {"tutorial": [RANKED]}, actor="test")
    store.campaigns.set_state(campaign.slug, "open", actor="test")
    assert JudgeClient(app, link).next()["task"]["asset"]["words"] == "A sun."


# ---- in plans


@pytest.mark.parametrize("keys", [{"tutorial": [RANKED]}, {**DOCUMENTS, "tutorial": [MARKED]}])
def test_a_plan_is_the_same_again(keys):
    plan = make_plan(**keys)
    assert plan.tutorial[0].files
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_what_is_seen_is_with_the_segment_it_belongs_to():
    (item,) = make_plan(**DOCUMENTS, tutorial=[MARKED]).tutorial
    assert item.files == (None, LessonFile("tone.wav", "A tone."))
    assert item.without_files().rows[1] == ("A tone.", ("a", "b"))
    (alone,) = make_plan(tutorial=[RANKED]).tutorial
    assert alone.without_files().source == "A sun." and not alone.without_files().files


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"asset": ""}, r"'tutorial\[1\]\.asset_words' is 'A sun\.'.*that 'asset' names"),
        ({"asset": "", "asset_words": ""}, r"'tutorial\[1\]\.source' is ''; expected a text"),
        ({"asset_words": "x" * 2001}, r"at most 2000 characters"),
        ({"asset": 7}, r"'tutorial\[1\]\.asset' is 7"),
    ],
)
def test_what_is_wrong_with_one(change, message):
    with pytest.raises(DataError, match=message):
        make_plan(tutorial=[RANKED | change])


def test_a_misspelt_key_of_a_further_segment_is_told():
    more = [MARKED["more"][0] | {"asset_word": "x"}]
    with pytest.raises(DataError, match="asset_word"):
        make_plan(**DOCUMENTS, tutorial=[MARKED | {"more": more}])


def test_files_come_from_the_folder_of_the_texts(tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "sun.png").write_bytes(SUN)
    plan = make_plan(tutorial=[RANKED], texts={"source": "x", "assets": "files"})
    found = load_media(plan, make_testset(2, 4), tmp_path)
    assert [one.name for one in found.files] == ["sun.png"] and found and not found.rows
    with pytest.raises(DataError, match="together"):
        limits = AssetLimits(len(SUN), len(SUN) - 1)
        load_media(plan, make_testset(2, 4), tmp_path, limits)
    bare = make_plan(tutorial=[RANKED])
    with pytest.raises(DataError, match=r"show the file 'sun\.png'; expected the folder"):
        load_media(bare, make_testset(2, 4), tmp_path)
    (tmp_path / "files" / "sun.png").write_bytes(b"<html>")
    with pytest.raises(DataError, match="none of these by its content"):
        load_media(plan, make_testset(2, 4), tmp_path)


# ---- from programs and files of Pearmut


@pytest.mark.parametrize(("name", "status"), [("sun.png", 201), ("gone.png", 422)])
def test_a_program_sends_them_with_the_texts(app, store, name, status):
    number, _ = store.accounts.create("owner", "owner", "test")
    token = store.accounts.add_token(number, "all", ["read", "export", "manage"])
    api = browser(app, headers={"authorization": f"Bearer {token}"})
    plan = {"name": "P", "source_language": "de", "target_language": "en", "k": 2}
    sent = {
        "plan": plan | {"tutorial": [RANKED | {"asset": name}]},
        "segments": [{"source": "eins"}, {"source": "zwei"}],
        "outputs": {"a": ["one", "two"], "b": ["1", "2"]},
        "assets": {"sun.png": b64encode(SUN).decode()},
    }
    answer = api.post("/api/v1/campaigns", json=sent)
    assert answer.status_code == status, answer.text
    assert status == 201 or "'sun.png'" in answer.text


@pytest.fixture
def hosted(tmp_path):
    (tmp_path / "videos").mkdir()
    (tmp_path / "videos" / "sun.png").write_bytes(SUN)
    lesson = {
        "item_id": "w",
        "src": '<img src="assets/mine/sun.png" alt="A sun."/>',
        "tgt": {"good": "sun", "bad": "moon"},
        "validation": {"good": {"score": [60, 100], "warning": "Look again."}},
    }
    work = [[{"item_id": "i1", "src": "s", "tgt": {"alpha": "one", "beta": "two"}}]]
    info = {"assignment": "dynamic", "protocol": "cESA"}
    info |= {"assets": {"source": "videos", "destination": "assets/mine"}}
    parts = {"data_welcome": [[lesson]], "data_random": [[lesson | {"item_id": "r"}]]}
    content = {"campaign_id": "demo_cs-en", "info": info, "data": work, **parts}
    (tmp_path / "x.json").write_text(json.dumps(content), encoding="utf-8")
    return tmp_path / "x.json"


def test_lessons_of_pearmut_have_their_pictures(hosted, app, store):
    found = read_pearmut(hosted, limits=USUAL_ASSETS)
    assert not any("HTML" in warning for warning in found.warnings), found.warnings
    for item in (*found.plan.tutorial, *found.plan.checks):
        assert (item.source, item.files) == ("", (LessonFile("sun.png", "A sun."),))
    assert [one.name for one in found.media.files] == ["sun.png"]
    campaign = store.campaigns.add(found.plan, found.testset, media=found.media, actor="test")
    store.campaigns.set_state(campaign.slug, "open", actor="test")
    judge = JudgeClient(app, f"/j/{store.judges.invite(campaign.id, actor='test')[1]}")
    assert judge.next()["task"]["rows"][0]["asset"]["words"] == "A sun."


def test_html_that_is_not_taken_over_is_told(hosted):
    content = json.loads(hosted.read_text(encoding="utf-8"))
    del content["info"]["assets"]
    hosted.write_text(json.dumps(content), encoding="utf-8")
    found = read_pearmut(hosted, limits=USUAL_ASSETS)
    assert any("of 2 sources is shown as its HTML" in warning for warning in found.warnings)


def test_a_file_for_pearmut_has_words_in_their_place_and_can_be_read(hosted, tmp_path):
    found = read_pearmut(hosted, limits=USUAL_ASSETS)
    path = tmp_path / "out.json"
    lost = write_pearmut(found.plan, found.testset, path)
    assert any("of lessons are left out" in sentence for sentence in lost)
    again = read_pearmut(path, limits=USUAL_ASSETS)
    assert [item.source for item in again.plan.tutorial] == ["A sun."]
    assert not again.plan.tutorial[0].files and not again.media
