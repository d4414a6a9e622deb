"""Judges of a campaign of many systems wait for nothing that grows with them squared or faster."""

import pytest

from rankwise.aggregate.asking import next_screens
from rankwise.server.campaign.plan.size_limits import MOST_SYSTEMS
from rankwise.server.store.judging.queue import INLINE_SCREENS, INLINE_SYSTEMS
from server.store.campaign_data import campaign, do, judges, texts_of

#: More screens than are added at once, so that the queue runs dry behind answers.
SCREENS = 2 * INLINE_SCREENS + 1


@pytest.fixture
def fitted(monkeypatch):
    """How many systems each model had that was fitted."""
    sizes, fit = [], next_screens.posterior

    def noted(evidence):
        sizes.append(len(evidence.systems))
        return fit(evidence)

    monkeypatch.setattr(next_screens, "posterior", noted)
    return sizes


@pytest.mark.parametrize("systems", [INLINE_SYSTEMS, INLINE_SYSTEMS + 1])
def test_a_model_is_fitted_for_a_judge_who_waits_only_of_few_systems(store, fitted, systems):
    opened = campaign(store, texts=texts_of(4, systems), strategy="clusters", coverage_floor=0)
    (judge,) = judges(store, opened, 1)
    receipts = [do(store, judge) for _ in range(SCREENS)]
    assert len(set(receipts)) == SCREENS
    assert fitted == ([systems] * 3 if systems == INLINE_SYSTEMS else [])
    asked = {judgment.strategy for judgment in store.log.stored(opened.id)}
    assert asked == {"clusters" if systems == INLINE_SYSTEMS else "uniform"}


def test_as_many_systems_as_a_campaign_takes_have_screens(store):
    opened = campaign(store, texts=texts_of(2, MOST_SYSTEMS), strategy="clusters")
    (judge,) = judges(store, opened, 1)
    assert do(store, judge)
    assert store.queue.top_up(opened.id) > 0
