"""The preview before launch: the judge's own page, without names, and nothing is stored."""

import json
import re

import pytest
from sqlalchemy import text

from rankwise.server.campaign.plan.plan_files import example_plan
from rankwise.server.store.database.database_tables import metadata
from rankwise.types import Segment, TestSet
from web_client import BROWSER
from web_world import SYSTEMS, small_plan, small_testset


def rows(store):
    with store.database.read() as connection:
        return {
            name: connection.execute(text(f"SELECT COUNT(*) FROM {name}")).scalar()
            for name in metadata.tables
        }


def boot_of(page):
    found = re.search(r'<script type="application/json" id="boot">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


@pytest.mark.parametrize(
    ("protocol", "k"),
    [("ranking", 3), ("pairwise", 2), ("adequacy-fluency", 2), ("direct-assessment", 1)],
)
def test_every_protocol_has_one(store, organiser, protocol, k):
    made = small_plan("Look", protocol=protocol, k=k, control_share=0.1)
    campaign = store.campaigns.add(made, small_testset(), actor="test")
    before = rows(store)
    page = organiser.get("/campaigns/look/preview", headers=BROWSER)
    assert page.status_code == 200
    boot = boot_of(page.text)
    assert [screen["kind"] for screen in boot["screens"]] == ["work"] * 4 + ["control"]
    assert {len(screen["task"]["outputs"]) for screen in boot["screens"]} == {k}
    assert boot["plan"]["protocol"] == protocol
    assert not any(name in page.text for name in SYSTEMS)
    again = organiser.get("/campaigns/look/preview", headers=BROWSER)
    assert boot_of(again.text) == boot, "the same screens every time"
    if k > 1:
        compared = organiser.get("/campaigns/look/preview/0/differences?left=0&right=1")
        assert compared.json()["left"]
        assert not any(name in compared.text for name in SYSTEMS)
    assert rows(store) == before
    assert store.campaigns.get(campaign.slug).state == "draft"


def test_practice_comes_first_with_what_it_says_afterwards(store, organiser):
    tutorial = example_plan().to_json()["tutorial"]
    made = small_plan("Practice", protocol="ranking", k=3, tutorial=tutorial)
    store.campaigns.add(made, small_testset(), actor="test")
    screens = boot_of(organiser.get("/campaigns/practice/preview", headers=BROWSER).text)["screens"]
    assert [screen["kind"] for screen in screens[:2]] == ["tutorial", "work"]
    assert screens[0]["feedback"] == tutorial[0]["feedback"]
    assert screens[0]["task"]["outputs"] == list(tutorial[0]["outputs"])
    assert screens[1]["feedback"] is None


def test_only_our_own_pages_may_frame_it(store, organiser):
    store.campaigns.add(small_plan("Frame", k=3), small_testset(), actor="test")
    page = organiser.get("/campaigns/frame/preview", headers=BROWSER)
    assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "SAMEORIGIN"
    check = organiser.get("/campaigns/frame/check", headers=BROWSER)
    assert "frame-ancestors 'none'" in check.headers["content-security-policy"]
    assert check.headers["x-frame-options"] == "DENY"
    assert 'src="/campaigns/frame/preview"' in check.text
    forms = re.findall(
        r"<form[^>]*>", page.text
    )  # a choice of language asks the same address again
    assert all(re.search(r'method="(dialog|get)"', form) for form in forms)
    assert "action=" not in "".join(forms)


def test_what_cannot_be_shown_says_so(store, organiser):
    one = TestSet((Segment("1", "Quelle"),), {"a": ("x",)}, "one", "de", "en")
    store.campaigns.add(small_plan("Few", k=2), one, actor="test")
    check = organiser.get("/campaigns/few/check", headers=BROWSER)
    assert check.status_code == 200
    assert "<iframe" not in check.text
    shown = organiser.get("/campaigns/few/preview")
    assert (shown.status_code, shown.json()["error"]["code"]) == (409, "no_screens")


@pytest.mark.parametrize("path", ["99/differences?left=0&right=1", "0/differences?left=0&right=9"])
def test_there_are_only_these_screens(store, organiser, path):
    store.campaigns.add(small_plan("Few", k=2), small_testset(), actor="test")
    assert organiser.get(f"/campaigns/few/preview/{path}").status_code == 404
