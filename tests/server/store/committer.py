"""A process that judges and prints a receipt for every judgment the store acknowledged.

It waits for a line on its input and then forks: the child works until it is killed. Forking saves
the imports, so that many kills take little time.
"""

import os
import sys

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from server.store.campaign_data import answer, next_task


def work(url: str, campaign_id: int) -> None:
    """Judge until killed."""
    store = CampaignStore(Database.open(url))
    people = store.judges.judges(campaign_id)
    while True:
        for judge in people:
            task = next_task(store, judge)
            store.judging.save_draft(judge, task.token, {"ranks": [1]}, task.draft_version + 1)
            print("sending", task.token, flush=True)
            receipt = store.judging.submit(judge, task.token, answer(task))
            print("stored", receipt.receipt, flush=True)


def main(url: str, campaign_id: int) -> None:
    """A child for every line of the input; its number first, its end after it was killed."""
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            print("child", os.getpid(), flush=True)
            work(url, campaign_id)
        os.waitpid(child, 0)
        print("died", child, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
