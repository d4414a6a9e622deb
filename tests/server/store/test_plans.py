"""How SQLite goes about the statements of ``next`` and ``submit``: by indexes that narrow down.

A statement that walks through every judgment or screen is fast in a test and slow in a campaign of
100,000 judgments, so the plans themselves are looked at.
"""

from pathlib import Path

import pytest
from sqlalchemy import event, text

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from server.store.campaign_data import answer, campaign, do, judges, next_task, texts_of

#: What a plan may not do: read a whole table, or all rows whose indexed column is null.
WRONG = (
    "SCAN judgments",
    "SCAN screens",
    "SCAN leases",
    "SCAN drafts",
    "(supersedes=? AND",
    "for_judge=?)",
)


@pytest.fixture
def file_store(tmp_path: Path):
    store = CampaignStore(Database.open(sqlite_url(tmp_path / "rankwise.db")))
    yield store
    store.database.close()


def test_no_statement_walks_through_a_table(file_store):
    here = campaign(file_store, control_share=0.2, repeat_share=0.3, texts=texts_of(30, 5))
    (judge,) = judges(file_store, here, 1)
    for _ in range(25):
        do(file_store, judge)
    seen = {}
    for engine in (file_store.database._writer, file_store.database._readers):

        @event.listens_for(engine, "before_cursor_execute")
        def note(_, __, statement, values, *___):
            if statement.startswith(("SELECT", "UPDATE", "DELETE")):
                seen[statement] = values

    file_store.queue.top_up(here.id)
    seen.clear()
    for _ in range(15):
        task = next_task(file_store, judge)
        file_store.judging.save_draft(judge, task.token, {}, 1)
        receipt = file_store.judging.submit(judge, task.token, answer(task)).receipt
    again = file_store.judging.revise(judge, receipt)
    file_store.judging.submit(judge, again.token, answer(again))
    file_store.judging.history(judge)
    statements = dict(seen)
    assert len(statements) > 15
    with file_store.database.read() as connection:
        raw = connection.connection.dbapi_connection
        for statement, values in statements.items():
            plan = [row[3] for row in raw.execute("EXPLAIN QUERY PLAN " + statement, values)]
            wrong = [step for step in plan if any(word in step for word in WRONG)]
            assert wrong == [], statement
        assert connection.execute(text("SELECT COUNT(*) FROM judgments")).scalar_one() > 40


def test_systems_are_stored_in_blocks(file_store):
    """A statement for every system, and the segments read for each, took 2 s for 600 systems."""
    counted = {}
    for systems in (4, 40):
        seen = []

        def note(_, __, statement, *___, seen=seen):
            seen.append(statement)

        event.listen(file_store.database._writer, "before_cursor_execute", note)
        here = campaign(file_store, slug=f"of-{systems}", texts=texts_of(5, systems))
        event.remove(file_store.database._writer, "before_cursor_execute", note)
        counted[systems] = len(seen)
        assert file_store.campaigns.testset(here.id).outputs == texts_of(5, systems).outputs
    assert counted[4] == counted[40]
