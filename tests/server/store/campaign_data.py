"""Small campaigns and judges for the tests of the store."""

from collections import Counter
from typing import Any

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Judge, JudgeTask, Submission
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.types import Segment, TestSet


def texts_of(segments: int = 12, systems: int = 4) -> TestSet:
    """Texts that are all different, in documents of four segments."""
    return TestSet(
        tuple(
            Segment(f"s{i}", f"Quelle {i}", (f"reference {i} of it",), f"doc{i // 4}", "news")
            for i in range(segments)
        ),
        {
            f"sys{s}": tuple(
                f"output number {i} by the {s} th of them all" for i in range(segments)
            )
            for s in range(systems)
        },
        "Test",
        "de",
        "en",
    )


def plan(**keys: Any) -> Plan:
    """A plan without controls, repeats or tutorial, unless *keys* say otherwise."""
    given = {
        "name": "Test",
        "source_language": "de",
        "target_language": "en",
        "k": 3,
        "control_share": 0.0,
        "repeat_share": 0.0,
        "strategy": "uniform",
        "sitting": 1000,
    }
    return Plan.from_json({**given, **keys})


def campaign(store: CampaignStore, *, texts: TestSet | None = None, **keys: Any) -> Campaign:
    """An open campaign."""
    made = store.campaigns.add(plan(**keys), texts or texts_of(), actor="test")
    return store.campaigns.set_state(made.slug, "open", actor="test")


def judges(store: CampaignStore, of: Campaign, count: int) -> list[Judge]:
    """Some judges."""
    return [store.judges.invite(of.id, actor="test")[0] for _ in range(count)]


def next_task(store: CampaignStore, judge: Judge) -> JudgeTask:
    """The next task, which there must be."""
    task = store.judging.next(judge)
    assert isinstance(task, JudgeTask), task
    return task


def answer(task: JudgeTask, **options: Any) -> Submission:
    """The outputs ranked in the order they are shown."""
    ranks = list(range(1, len(task.outputs) + 1))
    return Submission("answer", {"ranks": ranks}, **{"active_ms": 1000, **options})


def skip(reason: str = "cannot-judge") -> Submission:
    """A skip."""
    return Submission("skip", {"reason": reason}, active_ms=500)


def do(store: CampaignStore, judge: Judge) -> str:
    """Get a screen and answer it; the receipt."""
    task = next_task(store, judge)
    return store.judging.submit(judge, task.token, answer(task)).receipt


def screen_counts(store: CampaignStore, campaign_id: int) -> Counter[int]:
    """How many answers that count every screen has, by the screen's number."""
    stored = store.log.stored(campaign_id)
    return Counter(one.screen for one in stored if one.kind == "answer" and not one.surplus)
