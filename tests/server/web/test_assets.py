"""Pictures, sounds and videos over HTTP: for whom, in which parts, as what, and from whom."""

from base64 import b64encode
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from sqlalchemy import update

from media import media_of, png, wav
from rankwise.errors import DataError
from rankwise.server.campaign.exchange.media_copies import write_media
from rankwise.server.settings import Settings
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.store_errors import NotFound
from rankwise.server.web.app import create_app
from server.judge.judge_client import JudgeClient
from web_client import BROWSER, browser, come_in, post, session_csrf
from web_world import PASSWORD, small_plan, small_testset

SUN, TONE = png(), wav()
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
HTML = b"<!DOCTYPE html><script>alert(1)</script>"


@pytest.fixture
def media(tmp_path):
    rows = [("sun.png", "A sun."), ("tone.wav", "A tone.")] * 3
    return media_of(tmp_path / "assets", {"sun.png": SUN, "tone.wav": TONE}, rows)


@pytest.fixture
def made(store, media):
    """``made(name)``: an open campaign whose sources are files, and the link of its judge."""

    def make(name="first", **keys):
        plan = small_plan(name, **keys)
        campaign = store.campaigns.add(plan, small_testset(), media=media, actor="test")
        store.campaigns.set_state(campaign.slug, "open", actor="test")
        _, token = store.judges.invite(campaign.id, actor="test")
        return campaign, f"/j/{token}"

    return make


def key_of(store, campaign, place=0):
    return store.campaigns.assets(campaign.id)[place].asset.key


def test_a_judge_gets_those_of_the_own_campaign_and_nobody_else_s(app, store, made, owner):
    (first, link), (second, _) = made("first"), made("second")
    judge, key, other = come_in(app, link), key_of(store, first), key_of(store, second)
    answer = judge.get(f"/judge/assets/{key}")
    assert (answer.status_code, answer.content) == (200, SUN)
    assert judge.get(f"/judge/assets/{other}").status_code == 404
    assert judge.get("/judge/assets/unknown").status_code == 404
    assert judge.get(f"/campaigns/first/assets/{key}").status_code in (303, 401, 403)
    assert owner.get(f"/campaigns/first/assets/{key}").content == SUN
    assert owner.get(f"/campaigns/first/assets/{other}").status_code == 404
    assert owner.get(f"/campaigns/none/assets/{key}").status_code == 404
    assert owner.get(f"/judge/assets/{key}").status_code == 401


def test_nobody_without_a_session_gets_one(app, store, made):
    campaign, link = made()
    key, nobody = key_of(store, campaign), browser(app)
    assert nobody.get(f"/judge/assets/{key}").status_code == 401
    answer = nobody.get(f"/campaigns/first/assets/{key}", headers=BROWSER)
    assert answer.headers.get("location", "").startswith("/login")
    viewer = come_in(app, f"/v/{store.accounts.add_viewer(campaign.id)}")
    for path in (f"/judge/assets/{key}", f"/campaigns/first/assets/{key}"):
        assert viewer.get(path).status_code in (303, 401, 403)
    judge = come_in(app, link)
    store.judges.revoke(store.judges.judges(campaign.id)[0].id, "test")
    assert judge.get(f"/judge/assets/{key}").status_code == 401


@pytest.mark.parametrize("key", ["..%2f..%2fetc%2fpasswd", "%ff", "%ed%a0%80", "x" * 500, "%00"])
def test_an_address_that_is_none(app, made, key):
    judge = come_in(app, made()[1])
    assert judge.get(f"/judge/assets/{key}").status_code in (400, 404, 422)


def test_it_is_what_its_content_says_and_nothing_a_browser_guesses(app, store, made):
    campaign, link = made()
    judge = come_in(app, link)
    for place, kind in ((0, "image/png"), (1, "audio/wav")):
        answer = judge.get(f"/judge/assets/{key_of(store, campaign, place)}")
        assert answer.headers["content-type"] == kind
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "private, no-cache"
        assert "content-encoding" not in answer.headers
        policy = answer.headers["content-security-policy"]
        assert "media-src 'self'" in policy and "img-src 'self'" in policy
        assert "sun.png" not in str(answer.headers)


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "text/javascript", "x\r\nA: b"])
def test_a_type_from_somebody_else_s_backup_is_none(app, store, made, tmp_path, kind):
    campaign, link = made()
    with store.database.write() as connection:
        connection.execute(update(tables.assets).values(kind=kind))
    judge = come_in(app, link)
    for ask in (judge.get, judge.head):
        answer = ask(f"/judge/assets/{key_of(store, campaign)}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/octet-stream"
    assets = store.campaigns.assets(campaign.id)
    with pytest.raises(DataError, match="is no longer what was stored"):
        write_media("first", assets, store.assets.content, 6, tmp_path / "out")
    assert list((tmp_path / "out" / "first.media").iterdir()) == []


@pytest.mark.parametrize(
    ("asked", "status", "said", "part"),
    [
        ("bytes=0-0", 206, "bytes 0-0/{size}", slice(0, 1)),
        ("bytes=100-199", 206, "bytes 100-199/{size}", slice(100, 200)),
        ("bytes=100-", 206, "bytes 100-{last}/{size}", slice(100, None)),
        ("bytes=-7", 206, "bytes {tail}-{last}/{size}", slice(-7, None)),
        ("bytes=5-99999999", 206, "bytes 5-{last}/{size}", slice(5, None)),
        ("bytes=99999999-", 416, "bytes */{size}", slice(0, 0)),
        ("bytes=0-1,5-6", 200, None, slice(None)),
        ("bytes=9-3", 200, None, slice(None)),
        ("bytes=-", 200, None, slice(None)),
        ("words=1-2", 200, None, slice(None)),
        ("bytes=" + "9" * 4000 + "-", 200, None, slice(None)),
    ],
)
def test_a_player_asks_for_parts(app, store, made, asked, status, said, part):
    campaign, link = made()
    path = f"/judge/assets/{key_of(store, campaign, 1)}"
    judge, size = come_in(app, link), len(TONE)
    answer = judge.get(path, headers={"range": asked})
    assert (answer.status_code, answer.content) == (status, TONE[part])
    values = {"size": size, "last": size - 1, "tail": size - 7}
    assert answer.headers.get("content-range") == (said and said.format(**values))
    assert answer.headers["accept-ranges"] == "bytes"
    assert int(answer.headers["content-length"]) == len(answer.content)
    head = judge.head(path, headers={"range": asked})
    assert (head.status_code, head.content) == (status, b"")
    assert head.headers["content-length"] == answer.headers["content-length"]


def test_what_a_browser_has_is_not_sent_again(app, store, made):
    campaign, link = made()
    path, judge = f"/judge/assets/{key_of(store, campaign)}", come_in(app, link)
    tag = judge.get(path).headers["etag"]
    assert judge.get(path, headers={"if-none-match": tag}).status_code == 304
    assert judge.get(path, headers={"if-none-match": '"other"'}).status_code == 200
    part = {"range": "bytes=0-3"}
    assert judge.get(path, headers={**part, "if-range": tag}).status_code == 206
    assert judge.get(path, headers={**part, "if-range": '"other"'}).status_code == 200
    judge.cookies.clear()  # and not at all to whom may not have it
    assert judge.get(path, headers={"if-none-match": tag}).status_code == 401


def test_tasks_say_key_kind_and_words(app, made):
    judge = JudgeClient(app, made()[1])
    task = judge.next()["task"]
    kinds = {"A sun.": "image", "A tone.": "audio"}
    assert task["asset"]["kind"] == kinds[task["asset"]["words"]]
    assert set(task["asset"]) == {"key", "kind", "words"}


def test_checks_and_repeats_look_like_all_others(app, store, made):
    campaign, link = made(control_share=0.5, repeat_share=0.3, redundancy=3, sitting=100)
    judge = JudgeClient(app, link)
    for _ in range(12):
        task = judge.next()["task"]
        assert task["asset"] is not None and task["source"]
        judge.answer(task["token"], list(range(1, len(task["outputs"]) + 1)))
    roles = {one.role for one in store.log.stored(campaign.id)}
    assert {"work", "control"} <= roles


def test_of_documents_every_row_has_its_own(app, made):
    judge = JudgeClient(app, made(protocol="esa", k=2, window=3)[1])
    rows = judge.next()["task"]["rows"]
    assert {row["asset"]["kind"] for row in rows} <= {"image", "audio"}
    assert all(row["asset"] for row in rows)


def test_fluency_comes_before_the_picture(app, made):
    judge = JudgeClient(app, made(protocol="adequacy-fluency", k=2)[1])
    task = judge.next()["task"]
    assert task["asset"] is None and task["source"] is None
    draft = {"answer": {"fluency": [3, 4], "adequacy": [None, None]}}
    path = f"/judge/tasks/{task['token']}"
    judge.send("PUT", f"{path}/draft", {"content": draft, "version": 1})
    assert judge.http.get(path).json()["task"]["asset"]["words"]


def test_pages_of_the_organiser_have_it(store, made, owner):
    campaign, _ = made()
    path = f"/campaigns/first/assets/{key_of(store, campaign)}"
    item = owner.get("/campaigns/first/items/0").text
    assert f'<img src="{path}" alt="A sun.">' in item and "sun.png" in item
    assert "<audio controls" in owner.get("/campaigns/first/items/1").text
    preview = owner.get("/campaigns/first/preview").text
    assert '"assets": "/campaigns/first/assets"' in preview.replace("\\u002f", "/")
    check = owner.get("/campaigns/first/check").text
    assert "Segments with a picture, sound or video" in check


# ---- from a form


FIELDS = {"name": "By form", "source_language": "de", "target_language": "en", "k": "2"}


def sent(client, files, path="/campaigns/new", fields=FIELDS):
    fields = {"csrf": session_csrf(client, path), **fields}
    every = [(part, (name, BytesIO(content))) for part, name, content in files]
    return client.post(path, data=fields, files=every, headers=BROWSER)


TEXTS = [
    ("source", "source.txt", b"\nzwei\n"),
    ("outputs", "a.txt", b"one\ntwo\n"),
    ("outputs", "b.txt", b"1\n2\n"),
]


def test_a_form_brings_files_and_a_list(store, owner):
    files = [*TEXTS, ("assets", "sun.png", SUN), ("media", "list.tsv", b"sun.png\tA sun.\n\n")]
    answer = sent(owner, files)
    assert answer.status_code == 303, answer.text
    found = store.campaigns.assets(store.campaigns.get("by-form").id)
    assert {place: (one.asset.name, one.words) for place, one in found.items()} == {
        0: ("sun.png", "A sun.")
    }


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([("assets", "x.png", SVG), ("media", "m", b"x.png\n\n")], "none of these by its content"),
        ([("assets", "x.png", HTML), ("media", "m", b"x.png\n\n")], "none of these by its content"),
        ([("assets", "x.png", SUN), ("media", "m", b"../x.png\n\n")], "the name of a file within"),
        ([("assets", "x.png", SUN), ("media", "m", b"/etc/passwd\n\n")], "the name of a file"),
        ([("assets", "x.png", SUN), ("media", "m", b"y.png\n\n")], "there is no file"),
        ([("assets", "x.png", SUN), ("assets", "a/x.png", SUN)], "two files are called"),
        ([("assets", "..", SUN), ("media", "m", b"x\n\n")], "is no name for a file here"),
        ([("assets", "x.png", SUN)], "a list of its files in"),
        ([("media", "m", b"x.png\n\n")], "expected a folder"),
    ],
)
def test_a_form_with_what_is_no_such_file(store, owner, files, message):
    answer = sent(owner, [*TEXTS, *files])
    assert answer.status_code == 422
    assert message.lower() in answer.text.lower().replace("&#39;", "'")
    assert "/tmp" not in answer.text
    assert store.campaigns.all() == []


def test_a_server_has_limits_of_its_own(store, media):
    app = create_app(store, Settings(refresher=False, asset_limit=len(SUN) - 1))
    _, token = store.accounts.create("owner", "owner", "test")
    client = browser(app)
    post(client, f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD})
    files = [*TEXTS, ("assets", "sun.png", SUN), ("media", "list.tsv", b"sun.png\n\n")]
    answer = sent(client, files)
    assert answer.status_code == 422
    assert "has 2.3 KiB; expected at most 2.3 KiB" in answer.text


def test_further_segments_by_form_have_theirs(store, made, owner):
    made()
    files = [
        ("source", "source.txt", b"\n"),
        ("outputs", "oaktree.txt", b"one\n"),
        ("outputs", "pinewood.txt", b"two\n"),
        ("outputs", "larchfield.txt", b"three\n"),
        ("documents", "docs.txt", b"news\tnew\n"),
        ("assets", "new.png", png(9, 9)),
        ("media", "list.tsv", b"new.png\tNew.\n"),
    ]
    fields = {"csrf": session_csrf(owner, "/campaigns/first/add")}
    every = [(part, (name, BytesIO(content))) for part, name, content in files]
    answer = owner.post("/campaigns/first/segments", data=fields, files=every, headers=BROWSER)
    assert answer.status_code in (200, 303), answer.text
    found = store.campaigns.assets(store.campaigns.get("first").id)[6]
    assert (found.asset.name, found.words) == ("new.png", "New.")


# ---- from a program


@pytest.fixture
def api(app, store):
    number, _ = store.accounts.create("owner", "owner", "test")
    token = store.accounts.add_token(number, "all", ["read", "export", "manage"])
    return browser(app, headers={"authorization": f"Bearer {token}"})


def body(**first):
    segments = [{"source": "", **first}, {"source": "zwei"}]
    plan = {"name": "By program", "source_language": "de", "target_language": "en", "k": 2}
    outputs = {"a": ["one", "two"], "b": ["1", "2"]}
    return {"plan": plan, "segments": segments, "outputs": outputs}


def base64(content):
    return b64encode(content).decode()


def test_a_program_sends_files_with_the_texts(store, api):
    first = {"asset": "sun", "asset_words": "A sun."}
    answer = api.post("/api/v1/campaigns", json=body(**first) | {"assets": {"sun": base64(SUN)}})
    assert answer.status_code == 201, answer.text
    (found,) = store.campaigns.assets(store.campaigns.get("by-program").id).values()
    assert (found.asset.kind, found.words) == ("image/png", "A sun.")
    assert b"".join(store.assets.content(found.asset)) == SUN
    findings = api.get("/api/v1/campaigns/by-program/check").json()
    assert not [one for one in findings if one["level"] == "error"]


@pytest.mark.parametrize(
    ("first", "assets", "message"),
    [
        ({"asset": "sun"}, {}, "one names 'sun'; expected a name that 'assets' has"),
        ({}, {"sun": base64(SUN)}, "no segment names 'sun'"),
        ({"asset": "sun"}, {"sun": "!"}, "'sun' is no base64"),
        ({"asset": "sun"}, {"sun": base64(SVG)}, "'sun' is none of these by its content"),
        ({"asset": "sun", "asset_words": "x" * 2001}, {"sun": base64(SUN)}, "2000"),
    ],
)
def test_a_program_that_sends_something_else(store, api, first, assets, message):
    answer = api.post("/api/v1/campaigns", json=body(**first) | {"assets": assets})
    assert answer.status_code == 422
    assert message in answer.text
    with pytest.raises(NotFound):
        store.campaigns.get("by-program")


def test_a_program_adds_segments_with_files(store, api):
    api.post("/api/v1/campaigns", json=body(source="eins"))
    added = {
        "segments": [{"source": "", "document": "new", "asset": "sun"}],
        "outputs": {"a": ["x"], "b": ["y"]},
        "assets": {"sun": base64(SUN)},
    }
    answer = api.post("/api/v1/campaigns/by-program/segments", json=added)
    assert answer.status_code == 201, answer.text
    assert set(store.campaigns.assets(store.campaigns.get("by-program").id)) == {2}


def test_a_campaign_without_any_source_text_can_be_opened(store, made, media):
    bare = small_testset()
    bare = replace(bare, segments=tuple(replace(one, source="") for one in bare.segments))
    for name, files in (("with", media), ("without", None)):
        more = {} if files is None else {"media": files}
        store.campaigns.add(small_plan(name), bare, actor="test", **more)
    app = create_app(store, Settings(refresher=False))
    number, _ = store.accounts.create("owner", "owner", "test")
    token = store.accounts.add_token(number, "all", ["manage"])
    api = browser(app, headers={"authorization": f"Bearer {token}"})
    states = [
        api.post(f"/api/v1/campaigns/{name}/state", json={"state": "open"}).status_code
        for name in ("with", "without")
    ]
    assert states == [200, 422]


def test_the_zip_file_of_an_export_has_them_with_their_list(store, made, owner):
    made()
    page = owner.get("/campaigns/first/exports", headers=BROWSER).text
    assert 'name="media"' in page
    form = {"csrf": session_csrf(owner, "/campaigns/first/exports"), "format": "testset"}
    plain = owner.post("/campaigns/first/exports", data=form, headers=BROWSER)
    whole = owner.post("/campaigns/first/exports", data={**form, "media": "on"}, headers=BROWSER)
    without, there = (
        {name: ZipFile(BytesIO(one.content)).read(name) for name in names_in(one)}
        for one in (plain, whole)
    )
    more = {name: content for name, content in there.items() if name not in without}
    assert more == {
        "first.media/1.png": SUN,
        "first.media/2.wav": TONE,
        "first.media.tsv": b"1.png\tA sun.\n2.wav\tA tone.\n" * 3,
    }


def test_without_any_nothing_speaks_of_them(store, owner):
    store.campaigns.add(small_plan("texts"), small_testset(), actor="test")
    assert 'name="media"' not in owner.get("/campaigns/texts/exports", headers=BROWSER).text
    form = {"csrf": session_csrf(owner, "/campaigns/texts/exports"), "format": "testset"}
    found = owner.post("/campaigns/texts/exports", data={**form, "media": "on"}, headers=BROWSER)
    assert found.status_code == 200 and not any("media" in name for name in names_in(found))


def names_in(answer):
    return ZipFile(BytesIO(answer.content)).namelist()
