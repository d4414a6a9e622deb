"""Pictures, sounds and videos in the database: whole in parts, clones and backups, and gone."""

import hashlib
import json
import zipfile
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from media import media_of, png, wav
from rankwise.errors import DataError, StoreError
from rankwise.server.campaign.plan.size_limits import AssetLimits
from rankwise.server.campaign.plan.sources.media_files import MediaFiles
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaign_assets import BLOCK
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.backup import backup, restore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.server.store.database.store_errors import NotFound
from server.store.campaign_data import judges, next_task, plan, texts_of
from server.store.test_additions import more
from server.store.test_backup import first_row

#: Longer than the rows that are read at once.
LONG = wav(seconds=100.0)
SUN = "A sun."


@pytest.fixture
def media(tmp_path):
    files = {"sun.png": png(), "tone.wav": LONG}
    return media_of(tmp_path / "assets", files, [("sun.png", SUN), None, ("tone.wav", "")] * 4)


def made(store, media, **keys):
    campaign = store.campaigns.add(plan(**keys), texts_of(), media=media, actor="test")
    return store.campaigns.set_state(campaign.slug, "open", actor="test")


def whole(store, asset, *part):
    return b"".join(store.assets.content(asset, *part))


def stored(store, campaign):
    return {
        place: (one.asset.name, one.asset.kind, one.words, whole(store, one.asset))
        for place, one in store.campaigns.assets(campaign.id).items()
    }


def counts(store):
    every = (tables.assets, tables.asset_blocks, tables.segment_assets)
    with store.database.read() as connection:
        return [
            connection.execute(select(func.count()).select_from(one)).scalar_one() for one in every
        ]


def test_files_are_what_they_were_and_kept_once(store, media):
    here = made(store, media)
    found = stored(store, here)
    assert set(found) == {0, 2, 3, 5, 6, 8, 9, 11}
    assert found[0] == ("sun.png", "image/png", SUN, png())
    assert found[2] == found[11] == ("tone.wav", "audio/wav", "", LONG)
    assert counts(store) == [2, 1 + -(-len(LONG) // BLOCK), 8]


@pytest.mark.parametrize(
    "part",
    [(0, 1), (1, 2), (BLOCK - 1, BLOCK + 1), (16 * BLOCK - 1, 16 * BLOCK + 3), (len(LONG) - 1,)],
)
def test_any_part_can_be_had(store, media, part):
    assert len(LONG) > 17 * BLOCK
    asset = store.campaigns.assets(made(store, media).id)[2].asset
    assert whole(store, asset, *part) == LONG[slice(*part) if len(part) > 1 else slice(*part, None)]


def test_an_asset_is_its_campaign_s_alone(store, media):
    first, second = made(store, media), made(store, media, slug="other")
    key = store.campaigns.assets(first.id)[0].asset.key
    assert store.assets.get(first.id, key).name == "sun.png"
    for campaign, wanted in ((second.id, key), (first.id, "x"), (99, key)):
        with pytest.raises(NotFound, match="no such file in this campaign"):
            store.assets.get(campaign, wanted)


def test_a_task_has_it_without_its_name(store, media):
    here = made(store, media)
    task = next_task(store, judges(store, here, 1)[0])
    while task.asset is None or task.asset.kind != "image":
        (judge,) = judges(store, here, 1)
        task = next_task(store, judge)
    assert task.asset.words == SUN
    assert task.asset.key in {one.asset.key for one in store.campaigns.assets(here.id).values()}
    assert "sun.png" not in repr(task)


def test_a_clone_has_its_own(store, media):
    here = made(store, media)
    other = store.changes.clone(here.slug, "Other", actor="test")
    assert stored(store, other) == stored(store, here)
    keys = [{one.asset.key for one in store.campaigns.assets(c.id).values()} for c in (here, other)]
    assert not keys[0] & keys[1]
    store.changes.delete(other.slug, actor="test")
    assert counts(store)[0] == 2
    assert stored(store, here)[2][-1] == LONG


def test_further_segments_have_theirs(store, media, tmp_path):
    here = made(store, media)
    added = media_of(tmp_path / "more", {"new.png": png(8, 8)}, [None, ("new.png", "N")])
    rows = (*added.rows, *[None] * (len(more()) - 2))
    store.additions.segments(here.slug, more(), media=MediaFiles(rows), actor="test")
    found = stored(store, store.campaigns.get(here.slug))
    assert found[len(texts_of()) + 1] == ("new.png", "image/png", "N", png(8, 8))
    assert len(found) == 9


def test_a_segment_needs_no_text_where_it_has_a_file(store, media, tmp_path):
    here = made(store, media)
    new = more()
    bare = replace(new, segments=tuple(replace(one, source="") for one in new.segments))
    found = store.additions.segments(here.slug, bare, actor="test")
    assert any("empty" in one.code for one in found)
    second = made(store, media, slug="second")
    files = media_of(tmp_path / "more", {"n.png": png(8, 8)}, [("n.png", "")] * len(new))
    assert store.additions.segments(second.slug, bare, media=files, actor="test") == []


def test_additions_count_to_the_limit_of_the_campaign(store, media, tmp_path):
    here = made(store, media)
    added = media_of(tmp_path / "more", {"n.png": png(8, 8)}, [("n.png", "")] * len(more()))
    tight = replace(added, limits=AssetLimits(1 << 20, media.size + added.size - 1))
    with pytest.raises(DataError, match=r"campaign have 1\.5 MiB together; expected at most"):
        store.additions.segments(here.slug, more(), media=tight, actor="test")
    assert len(store.campaigns.testset(here.id)) == len(texts_of())
    exact = replace(tight, limits=AssetLimits(1 << 20, media.size + added.size))
    store.additions.segments(here.slug, more(), media=exact, actor="test")


def test_a_file_that_changes_while_it_is_read_makes_no_campaign(store, media):
    media.rows[0].file.path.write_bytes(png()[:-1])
    with pytest.raises(DataError, match=r"'sun\.png' changed while it was read; try again"):
        made(store, media)
    assert counts(store) == [0, 0, 0]
    assert store.campaigns.all() == []


def test_a_backup_is_whole(store, media, tmp_path):
    here = made(store, media)
    backup(store.database, tmp_path / "all.zip")
    restore(tmp_path / "all.zip", sqlite_url(tmp_path / "other.db"))
    other = CampaignStore(Database.open(sqlite_url(tmp_path / "other.db")))
    assert stored(other, here) == stored(store, here)
    assert other.campaigns.assets(here.id) == store.campaigns.assets(here.id)
    other.database.close()


@pytest.mark.parametrize("content", ["!!!!", "a", 7, ["iVBO"], None])
def test_a_crafted_backup_with_what_are_no_bytes_is_refused(store, media, tmp_path, content):
    made(store, media)
    path = tmp_path / "all.zip"
    backup(store.database, path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    first_row("asset_blocks", content=content)(members)
    manifest = json.loads(members["manifest.json"])
    blocks = members["asset_blocks.jsonl"]
    manifest["sha256"]["asset_blocks"] = hashlib.sha256(blocks).hexdigest()
    members["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(StoreError, match=r"asset_blocks.*'content' is of another kind"):
        restore(path, sqlite_url(tmp_path / "other.db"))
