"""The judge's pages: consent, the page to work on, signing out; the work itself is JSON.

A response to a judge holds texts and places, never the name of a system or the role of a screen.
"""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import RedirectResponse, Response

from rankwise.server.campaign.launch.judge_words import Words
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.outputs.further_questions import MOST_COMMENT, MOST_EDIT
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocols import SKIP_REASONS
from rankwise.server.campaign.plan.questions import questionnaire
from rankwise.server.phrases import Phrase
from rankwise.server.records import Judge
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.dependencies import CurrentJudge, CurrentStore, Posted, get_visitor
from rankwise.server.web.judge import asset_routes, pairs_page, task_routes
from rankwise.server.web.judge.safe_markdown import markdown
from rankwise.server.web.page_languages import choose
from rankwise.server.web.pages import render
from rankwise.server.web.refusals import Refusal
from rankwise.server.web.visitors import sign_out

router = APIRouter()
router.include_router(task_routes.router)
router.include_router(pairs_page.router)
router.include_router(asset_routes.router)

#: What the page needs to know of a plan; nothing of it says what is asked or why.
PLAN_KEYS = (
    "source_language",
    "target_language",
    "protocol",
    "sitting",
    "single_pass",
    "show_value",
)


def page_plan(plan: Plan, *, assets: str = "/judge/assets") -> dict[str, object]:
    """What the page needs to know of a plan; of documents also what may be marked in them.

    *assets* is where pictures, sounds and videos are.
    """
    found: dict[str, object] = {key: getattr(plan, key) for key in PLAN_KEYS}
    found["assets"] = assets
    rules = plan.rules
    if rules.is_document:
        found["by_document"] = plan.by_document
        found["unit"] = plan.spans.unit_of(plan.target_language)
        found["source_unit"] = plan.spans.unit_of(plan.source_language)
        found["highlight"] = plan.highlight
    if isinstance(rules, Documented):
        spans = plan.spans.to_json() | {"unit": plan.spans.unit_of(plan.target_language)}
        found["spans"] = spans | {"categories": plan.spans.categories}
        found["sliders"] = [slider.to_json() for slider in plan.further.sliders]
        found["comments"] = MOST_COMMENT if plan.further.comments else 0
        found["edits"] = MOST_EDIT if plan.further.post_edits else 0
    return found


def page_words(say: Words, plan: Plan) -> dict[str, object]:
    """What the page says besides its own sentences, in the judge's language.

    The guidelines, those for every domain (the domains themselves are not shown), why a screen may
    be skipped.
    """
    return {
        "guidelines": markdown(say.instructions(plan)),
        "told": [markdown(text) for text in say.domain_instructions(plan)],
        "reasons": [(reason, say(REASON_WORDS[reason])) for reason in SKIP_REASONS],
    }


REASON_WORDS = {
    "source-broken": Phrase("The source is broken or makes no sense"),
    "cannot-judge": Phrase("I cannot judge it (I lack the words or the knowledge)"),
    "offensive": Phrase("It is offensive or disturbing"),
    "technical": Phrase("The page does not show it properly"),
    "other": Phrase("Another reason (say it in a comment)"),
}


class PageSettings(BaseModel):
    """How a judge likes the page."""

    model_config = ConfigDict(extra="ignore", strict=True)

    size: Annotated[int, Field(ge=0, le=6)] = 2
    layout: Annotated[str, Field(pattern="^(cards|shelves)$")] = "cards"
    keys: bool = True
    hidden: bool = False
    keymap: Annotated[
        dict[
            Annotated[str, Field(max_length=20)], Annotated[str, Field(min_length=1, max_length=1)]
        ],
        Field(max_length=20),
    ] = Field(default_factory=dict)


@router.get("/judge")
def work_page(request: Request, judge: CurrentJudge, store: CurrentStore) -> Response:
    """The page to work on; the campaign's consent comes before it."""
    if judge.is_machine:
        message = Phrase("This link is a machine's: “rankwise judge --campaign” works through it.")
        raise Refusal(403, "machine", message)
    campaign = store.campaigns.by_id(judge.campaign)
    plan: Plan = campaign.plan
    say = choose(request, plan)
    if needs_consent(plan, judge):
        return render(
            request,
            "judge/consent.html",
            {
                "campaign": campaign,
                "consent": markdown(say.consent(plan)),
                "consent_version": plan.consent_version,
            },
        )
    if plan.questions and store.questionnaires.of(judge.id) is None:
        return _questions_page(request, campaign, {}, {})
    if judge.instructions_version != plan.instructions_version:
        words = {
            "campaign": campaign,
            "instructions": markdown(say.instructions(plan)),
            "instructions_version": plan.instructions_version,
            "is_new": judge.instructions_version is not None,
            "may_skip": judge.tutorial_done_at is None and store.tutorials.passed_before(judge),
        }
        return render(request, "judge/instructions.html", words)
    return render(
        request,
        "judge/page.html",
        {
            "campaign": campaign,
            "plan": plan,
            **page_words(say, plan),
            "boot": _boot(request, judge, campaign) | {"own": say.short_texts(plan)},
            "has_pairs": store.groups.person_of(judge.id) is not None,
        },
    )


def _boot(request: Request, judge: Judge, campaign: Campaign) -> dict[str, object]:
    """What the script begins with."""
    return {
        "csrf": get_visitor(request).csrf,
        "judge": judge.pseudonym,
        "campaign": campaign.slug,
        "plan": page_plan(campaign.plan),
        "settings": dict(judge.settings),
    }


def needs_consent(plan: Plan, judge: Judge) -> bool:
    """Whether the judge has to agree to something first."""
    return bool(plan.consent.strip()) and judge.consented_at is None


@router.post("/judge/consent")
def consent(
    judge: CurrentJudge, store: CurrentStore, version: Annotated[str, Form(max_length=64)] = ""
) -> Response:
    """Note that the judge agrees; if the text changed meanwhile, it is shown again."""
    plan = store.campaigns.by_id(judge.campaign).plan
    if version == plan.consent_version:
        store.judges.consent(judge.id, version)
    return RedirectResponse("/judge", 303)


def _questions_page(
    request: Request,
    campaign: Campaign,
    given: Mapping[str, str],
    problems: Mapping[str, str],
    status: int = 200,
) -> Response:
    choose(request, campaign.plan)
    words = {"campaign": campaign, "given": given, "problems": problems}
    words["questions"] = campaign.plan.questions
    return render(request, "judge/questions.html", words, status=status)


@router.post("/judge/questions")
def answer_questions(
    request: Request, judge: CurrentJudge, store: CurrentStore, form: Posted
) -> Response:
    """Keep the answers, or show the questions again with what does not fit."""
    campaign = store.campaigns.by_id(judge.campaign)
    given = {key: value for key, value in form.items() if isinstance(value, str)}
    answers, problems = questionnaire(campaign.plan.questions, given)
    if problems:
        return _questions_page(request, campaign, given, problems, 422)
    store.questionnaires.keep(judge.id, answers)
    return RedirectResponse("/judge", 303)


@router.post("/judge/instructions")
def accept_instructions(
    judge: CurrentJudge,
    store: CurrentStore,
    version: Annotated[str, Form(max_length=64)] = "",
    skip_tutorial: Annotated[bool, Form()] = False,
) -> Response:
    """Note that the judge read the instructions; if they changed meanwhile, they come again.

    Who passed the same tutorial before may go on without it.
    """
    if version == store.campaigns.by_id(judge.campaign).plan.instructions_version:
        if skip_tutorial and judge.tutorial_done_at is None:
            store.tutorials.skip(judge)
        store.judges.accept_instructions(judge.id, version)
    return RedirectResponse("/judge", 303)


@router.get("/judge/session")
async def session(request: Request, judge: CurrentJudge) -> dict[str, str | None]:
    """Who is signed in, and the token for the page that asks; a page left open asks this."""
    return {"judge": judge.pseudonym, "csrf": get_visitor(request).csrf}


@router.get("/judge/plan")
def plan(judge: CurrentJudge, store: CurrentStore) -> dict[str, object]:
    """What a program needs to know to judge: the protocol, the languages, what may be marked."""
    campaign = store.campaigns.by_id(judge.campaign)
    return {"judge": judge.pseudonym, "kind": judge.kind, **page_plan(campaign.plan)}


@router.put("/judge/settings")
def settings(judge: CurrentJudge, store: CurrentStore, body: PageSettings) -> dict[str, bool]:
    """Keep how the judge likes the page."""
    store.judges.set_settings(judge.id, body.model_dump())
    return {"saved": True}


@router.post("/judge/sign-out")
def leave(request: Request, judge: CurrentJudge, store: CurrentStore) -> Response:
    """End the session on this device."""
    campaign = store.campaigns.by_id(judge.campaign)
    choose(request, campaign.plan)
    response = render(request, "judge/thanks.html", {"campaign": campaign})
    sign_out(request, response, "judge")
    return response
