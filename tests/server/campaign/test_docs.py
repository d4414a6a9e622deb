"""The page about campaigns is complete: its plan is read; keys, columns, commands are there."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from rankwise.cli.campaign import COMMANDS
from rankwise.io.format_table import FORMATS
from rankwise.server.campaign.exchange.export import SUFFIXES, formats
from rankwise.server.campaign.exchange.long_table import COLUMNS
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocols import PROTOCOLS, SKIP_REASONS
from server.campaign.made import make_plan

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "campaign-plan.md").read_text(encoding="utf-8")
#: What only documents know, and has a table of its own on the page.
OF_DOCUMENTS = {"spans", "further", "highlight", "domain_instructions"}
KEYS = [field.name for field in fields(Plan)]
TOML, SPANS, FURTHER = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_plan_on_the_page_is_read_and_has_every_key():
    table = tomllib.loads(TOML)
    assert sorted(table) == sorted(set(KEYS) - OF_DOCUMENTS)
    plan = Plan.from_json(table)
    assert plan.slug == "autumn"
    assert set(table["texts"]) == set(make_plan().to_json()["texts"])


@pytest.mark.parametrize("key", KEYS)
def test_a_default_on_the_page_is_the_default(key):
    given = {"name", "slug", "judges", "texts", "stop", "tutorial", "pay_per_hour", "instructions"}
    given |= {"translations"}
    if key not in given | OF_DOCUMENTS:
        assert tomllib.loads(TOML)[key] == make_plan().to_json()[key]


def test_the_table_of_spans_on_the_page_is_read_and_has_every_key():
    table, usual = tomllib.loads(SPANS)["spans"], make_plan(protocol="esa").to_json()["spans"]
    assert make_plan(protocol="esa", spans=table).spans.categories[1] == ("Style", ())
    assert sorted(table) == sorted(usual)
    own = {key: value for key, value in table.items() if key != "categories"}
    assert own == {key: usual[key] for key in own}


def test_the_further_questions_on_the_page_are_read_and_have_every_key():
    table, usual = tomllib.loads(FURTHER), make_plan(protocol="esa").to_json()
    assert set(table) == set(usual) - set(make_plan_keys()) - {"spans"}
    assert all(table[key] == usual[key] for key in table if type(table[key]) is bool)
    (slider,) = make_plan(protocol="esa", **table).further.sliders
    assert slider.to_json() == table["sliders"][0]


def make_plan_keys():
    """The keys that every protocol knows."""
    return [key for key, value in make_plan().to_json().items() if value is not None] + [
        "pay_per_hour"
    ]


@pytest.mark.parametrize(("name", "meaning"), COLUMNS.items())
def test_every_column_is_on_the_page(name, meaning):
    assert f"| `{name}` | {meaning} |" in PAGE


def test_every_command_protocol_format_and_reason_is_on_the_page():
    for name in COMMANDS:
        assert f"`rankwise campaign {name} " in PAGE
    for name in (*PROTOCOLS, *SKIP_REASONS, *SUFFIXES):
        assert f"`{name}`" in PAGE


def test_every_format_of_io_can_be_exported():
    offered = {name for key in PROTOCOLS for name, _ in formats(make_plan(protocol=key))}
    writable = {f.name for f in FORMATS if f.kind in ("judgments", "assessments") and f.writable}
    assert writable - {"evalset"} <= offered == set(SUFFIXES)
    assert "mt-metrics-eval" in offered  # an evalset, packed
