"""The disk is full while somebody judges: the page keeps the answer, and it is stored once."""

import pytest
from playwright.sync_api import expect

from browser.campaign_server import campaign_server
from rankwise.server.store.database import database

pytestmark = pytest.mark.requires_program("chromium")

#: A comment of several pages comes through whole.
LONG = "長い" * 1900


@pytest.fixture
def small(tmp_path):
    with campaign_server(tmp_path, refresher=True) as server:
        yield server


def fill(server):
    """No page more than there is, and a judgment needs many: SQLite says that it is full.

    An answer alone may fit into pages that a draft, or the background work, gives back meanwhile.
    """
    with server.store.database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE filler (bytes BLOB)")
        connection.exec_driver_sql(
            "CREATE TRIGGER needs_room BEFORE INSERT ON judgments "
            "BEGIN INSERT INTO filler VALUES (zeroblob(10000000)); END"
        )
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


def empty(server):
    with server.store.database.write() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=1000000")


def test_an_answer_waits_in_the_page_until_there_is_room(come, small, monkeypatch):
    campaign = small.campaign("ranking", k=3)
    judge = come(small.invite(campaign), allow=("503",)).begin()
    judge.press("3", "1", "2")
    judge.is_saved()
    judge.press("Shift+C")
    judge.find("#comment-text").fill(LONG)
    judge.page.get_by_role("button", name="Keep the comment").click()
    judge.reads("#comment-words", "Comment ✓")
    judge.reads("#summary", "B > C > A")
    judge.is_saved()

    monkeypatch.setattr(database, "LEAST_ROOM", 1 << 62)
    fill(small)
    judge.press("Enter")
    banner = judge.find("[data-reason='network']")
    expect(banner).to_contain_text("There is no room left")
    expect(banner).to_contain_text(
        "on its disk. Your answer is kept in this browser and will be sent by itself"
    )
    assert small.stored(campaign) == []

    # the tab is closed and opened again while the disk is still full
    judge.page.reload()
    expect(judge.find("[data-health]")).to_contain_text("The server cannot save at the moment.")
    expect(judge.find("[data-reason='network']")).to_contain_text("room")
    assert judge.findings() == []
    assert small.stored(campaign) == []

    # time stands still in the page, or it may send the answer just before somebody presses a button
    judge.stop_time()
    judge.page.reload()
    expect(judge.find("[data-reason='network']")).to_contain_text("Your answer is kept")
    monkeypatch.undo()
    empty(small)
    judge.page.get_by_role("button", name="Try now").click()
    judge.until(lambda: len(small.stored(campaign)) == 1)
    judge.page.clock.resume()  # the server may need a moment to find out that it can save again
    judge.is_at("2 of 30")
    expect(judge.find("[data-reason='network']")).to_have_count(0)
    (stored,) = small.stored(campaign)
    assert stored.comment == LONG
    shown = [stored.answer["ranks"][slot] for slot in stored.shown]
    assert shown == [3, 1, 2]
