"""The types that the judge's scripts are checked with are those of what the server sends."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from rankwise.server.records import JudgeTask, TaskRow
from rankwise.server.web.judge.judge_pages import page_plan
from web_world import small_plan

ROOT = Path(__file__).parents[3]
TYPES = (ROOT / "scripts/javascript/judge.d.ts").read_text("utf-8")
TEMPLATES = ROOT / "src/rankwise/server/templates/judge"
ELEMENTS = {
    "HTMLButtonElement": "button",
    "HTMLDialogElement": "dialog",
    "HTMLDivElement": "div",
    "HTMLElement": "bdi|section|footer|span|p",
    "HTMLFormElement": "form",
    "HTMLHeadingElement": "h2",
    "HTMLInputElement": "input",
    "HTMLParagraphElement": "p",
    "HTMLProgressElement": "progress",
    "HTMLScriptElement": "script",
    "HTMLSpanElement": "span",
    "HTMLTableSectionElement": "tbody",
    "HTMLTextAreaElement": "textarea",
    "HTMLUListElement": "ul",
}


def members(name):
    """The members of an interface, with their types."""
    (body,) = re.findall(rf"^interface {name} \{{\n(.*?)^\}}", TYPES, re.MULTILINE | re.DOTALL)
    found = re.findall(r'^  "?([\w-]+)"?\??: (.+);$', body, re.MULTILINE)
    assert len(found) == len(body.splitlines())
    return dict(found)


def names(record):
    return {field.name for field in fields(record)}


def test_a_task_is_typed_as_it_is_sent():
    kept_here = {"document", "done_before"}
    assert members("Task").keys() == names(JudgeTask) - kept_here | {"now"}
    assert members("DocumentRow").keys() == names(TaskRow)


@pytest.mark.parametrize("protocol", ["ranking", "esa", "mqm"])
def test_a_plan_is_typed_as_it_is_sent(protocol):
    sent = page_plan(small_plan("typed", protocol=protocol))
    assert sent.keys() <= members("Plan").keys()
    if protocol != "ranking":
        assert sent.keys() == members("Plan").keys()
        assert members("SpanRules").keys() == sent["spans"].keys()


def test_elements_of_the_page_are_typed_as_they_are():
    page = "".join(path.read_text("utf-8") for path in sorted(TEMPLATES.glob("*.html")))
    elements = {}
    for tag, identity in re.findall(r'<(\w+)[^<>]*? id="([\w-]+)"', page):
        elements.setdefault(identity, set()).add(tag)
    wrong = [
        f"{identity}: {kind}, and the page has {elements.get(identity)}"
        for identity, kind in members("PageElements").items()
        if not any(re.fullmatch(ELEMENTS[kind], tag) for tag in elements.get(identity, ()))
    ]
    assert wrong == []
