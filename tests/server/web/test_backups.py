"""Backups that the server makes by itself, and the one that the owner takes."""

import io
import zipfile
from datetime import UTC, datetime, timedelta

from rankwise.server.background.health import Health
from rankwise.server.background.hourly_backups import back_up, backup_name, outdated
from rankwise.server.background.refresher import Refresher
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.backup import restore, verify
from rankwise.server.store.database.database import Database, sqlite_url
from web_client import BROWSER, csrf_of
from web_world import small_plan, small_testset

NOW = datetime(2026, 11, 15, 14, tzinfo=UTC)


def test_a_year_of_hours_leaves_24_hours_and_14_days():
    names = {backup_name(NOW - timedelta(hours=hours)) for hours in range(24 * 365)}
    left = names - outdated(names, NOW)
    # the last of each of 25 clock hours, and the last of the 13 or 14 days before those
    assert {backup_name(NOW - timedelta(hours=hours)) for hours in range(25)} <= left
    assert len(left) == 25 + 13
    assert outdated(left, NOW) == set()


def test_there_is_one_an_hour_and_it_restores(store, tmp_path):
    store.campaigns.add(small_plan("first"), small_testset(), actor="test")
    folder = tmp_path / "backups"
    path = back_up(store.database, folder, NOW)
    assert verify(path).rows["campaigns"] == 1
    assert back_up(store.database, folder, NOW + timedelta(minutes=59)) is None
    assert back_up(store.database, folder, NOW + timedelta(minutes=60)) is not None
    url = sqlite_url(tmp_path / "again.db")
    restore(path, url)
    again = CampaignStore(Database.open(url))
    assert [campaign.slug for campaign in again.campaigns.all()] == ["first"]
    again.database.close()


def test_a_backup_that_fails_is_said_and_stops_nothing(store, tmp_path, caplog):
    (tmp_path / "file").write_text("")
    health = Health()
    Refresher(store, Settings(backups=tmp_path / "file" / "in"), health).refresh()
    [error] = health.errors()
    assert "The backup failed" in error["sentence"]
    assert health.sentence is None


def test_the_refresher_makes_them(store, tmp_path):
    Refresher(store, Settings(backups=tmp_path / "backups"), Health()).refresh()
    assert len(list((tmp_path / "backups").iterdir())) == 1


def test_the_owner_downloads_one(store, owner):
    token = csrf_of(owner.get("/account", headers=BROWSER).text)
    answer = owner.post("/account/backup", data={"csrf": token}, headers=BROWSER)
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert "manifest.json" in archive.namelist()
    assert "backup.download" in {event.action for event in store.events.list()}
