"""A judge's work as JSON: get a task, keep a draft, answer or skip, look back, revise.

Routes return the response itself: FastAPI would check a plain value in a thread of its own.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from rankwise.errors import RankwiseError
from rankwise.server.campaign.launch.judge_words import Words
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.phrases import Phrase
from rankwise.server.records import Judge, JudgeTask, Nothing, Receipt, Retry, Submission
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.judging.offers import Offer
from rankwise.server.web.dependencies import CurrentJudge, CurrentStore, accepts_work
from rankwise.server.web.judge.text_differences import differences
from rankwise.server.web.page_languages import choose
from rankwise.server.web.pages import SafeJSON
from rankwise.server.web.refusals import Refusal

router = APIRouter()

#: A draft is a handful of numbers and a comment; that of a document has all errors marked so far.
DRAFT_LIMIT, DOCUMENT_DRAFT_LIMIT = 1 << 16, 1 << 19
SOURCE_SHOWN = 300
MESSAGES = {
    "sitting-done": Phrase("Well done. This is a good place for a break; go on whenever you like."),
    "all-done": Phrase("You have judged everything there is for you at the moment. Thank you!"),
    "paused": Phrase(
        "The organiser has paused the campaign. Your work is stored; please come back later."
    ),
    "closed": Phrase("Everything you submitted is stored. Thank you for your work!"),
    "tutorial-failed": Phrase(
        "Thank you for your time. Too few answers of the practice were right."
    ),
    "quota-done": Phrase(
        "You have done your share. Everything you submitted is stored. Thank you!"
    ),
    "revoked": Phrase("The organiser has ended your link. What you submitted is stored."),
}
Count = Annotated[int, Field(ge=0, le=1_000_000)]


class _SentByJudge(BaseModel):
    # strict: true is no number; what a newer page adds is let pass
    model_config = ConfigDict(strict=True, extra="ignore")


class NextBody(_SentByJudge):
    """Whether to go on after the end of a sitting."""

    new_sitting: bool = False


class DraftBody(_SentByJudge):
    """A draft in the order shown; a newer version replaces an older one."""

    version: Annotated[int, Field(ge=1, lt=1 << 31)]
    content: dict[str, Any]


class Details(_SentByJudge):
    """How an answer came about, as far as it may matter for reading the results.

    Of a machine: its model, the prompt, and how many errors it named that could not be marked.
    """

    all_equal: bool | None = None
    fluency_before_source: bool | None = None
    differences: Count | None = None
    context: Count | None = None
    device: Literal["phone", "tablet", "desktop"] | None = None
    model: Annotated[str, Field(max_length=200)] | None = None
    prompt: Annotated[str, Field(max_length=200)] | None = None
    unsaid: Count | None = None


class AnswerBody(_SentByJudge):
    """An answer, or the reason of a skip, in the order shown."""

    answer: dict[str, Any]
    active_ms: Annotated[int, Field(ge=0, lt=1 << 53)]
    comment: Annotated[str, Field(max_length=4000)] | None = None
    details: Details = Field(default_factory=Details)

    def submission(self, kind: Literal["answer", "skip"]) -> Submission:
        """What the store takes."""
        details = self.details.model_dump(exclude_none=True)
        comment = (self.comment or "").strip() or None
        return Submission(kind, self.answer, self.active_ms, comment, details)


@router.post("/judge/next", dependencies=[Depends(accepts_work)])
def next_task(
    request: Request, judge: CurrentJudge, store: CurrentStore, body: NextBody | None = None
) -> Response:
    """The task in hand or a new one, or why there is none."""
    _check_first_steps(store, judge)
    offer = store.judging.offer(judge, new_sitting=bool(body and body.new_sitting))
    return SafeJSON(_reply(choose(request, offer.plan), store, offer))


def _check_first_steps(store: CampaignStore, judge: Judge) -> None:
    """403 where something comes before work; the page then loads anew and shows it.

    A machine has nobody who could agree, answer or read.
    """
    if judge.is_machine:
        return
    plan = store.campaigns.by_id(judge.campaign).plan
    if judge.consented_at is None and plan.consent.strip():
        raise Refusal(
            403, "consent", Phrase("Load the page again: there is something to agree to first.")
        )
    if plan.questions and store.questionnaires.of(judge.id) is None:
        raise Refusal(403, "questions", Phrase("Load the page again: there are questions first."))
    if judge.instructions_version not in (None, plan.instructions_version):
        raise Refusal(
            403, "instructions", Phrase("Load the page again: the instructions have changed.")
        )


def _reply(say: Words, store: CampaignStore, offer: Offer) -> dict[str, object]:
    found = offer.found
    reply: dict[str, object] = {"pace": {"screens": offer.screens, "active_ms": offer.active_ms}}
    if isinstance(found, Nothing):
        ending = {"reason": found.reason, "message": _message(say, found)}
        return {**reply, "nothing": ending | ({"go": found.redirect} if found.redirect else {})}
    reply["sitting"] = {"done": found.done_before, "of": offer.plan.sitting}
    return {**reply, "task": task_json(found, offer.plan, now=store.clock())}


def _message(say: Words, found: Nothing) -> str:
    message = say(MESSAGES[found.reason])
    if found.redirect:
        further = say("Press “Finish” to go back to where you came from.")
        return f"{message} {further}"
    if found.code:
        return f"{message} {say('Your completion code: {code}', code=found.code)}"
    return message


def task_json(task: JudgeTask, plan: Plan, *, now: int) -> dict[str, object]:
    """A task for the page. The document's name stays here: it may tell where a text is from."""
    found = asdict(task)
    del found["document"], found["done_before"]
    if not task.rows:
        del found["rows"]
    if withholds_source(task, plan):
        found |= {"source": None, "reference": None, "asset": None, "before": (), "after": ()}
    return {**found, "now": now}


def withholds_source(task: JudgeTask, plan: Plan) -> bool:
    """Whether fluency is to be rated first: the source comes when a draft has all of it."""
    is_blind = plan.protocol == "adequacy-fluency" and not (plan.single_pass or plan.by_document)
    if not is_blind or task.supersedes is not None:
        return False
    drafted = (task.draft or {}).get("answer")
    fluency = drafted.get("fluency") if isinstance(drafted, Mapping) else None
    if not isinstance(fluency, list):
        return True
    return len(fluency) != len(task.outputs) or None in fluency


@router.get("/judge/tasks/{token}")
def task(request: Request, judge: CurrentJudge, store: CurrentStore, token: str) -> Response:
    """A task of this judge, with the newest draft."""
    offer = store.judging.around(judge, store.judging.task(judge, token))
    return SafeJSON(_reply(choose(request, offer.plan), store, offer))


@router.put("/judge/tasks/{token}/draft")
def draft(judge: CurrentJudge, store: CurrentStore, token: str, body: DraftBody) -> Response:
    """Keep a draft; 409 when a newer one is stored, or the answer itself (``already_done``)."""
    is_document = store.campaigns.by_id(judge.campaign).plan.rules.is_document
    limit = DOCUMENT_DRAFT_LIMIT if is_document else DRAFT_LIMIT
    if len(json.dumps(body.content)) > limit:
        raise Refusal(
            413, "too_large", Phrase("A draft is at most {most} characters long.", most=limit)
        )
    saved = store.judging.save_draft(judge, token, body.content, body.version)
    return SafeJSON({"saved_at": saved})


@router.post("/judge/tasks/{token}/renew")
def renew(judge: CurrentJudge, store: CurrentStore, token: str) -> Response:
    """Reserve the task for longer."""
    return SafeJSON({"expires_at": store.judging.renew(judge, token), "now": store.clock()})


@router.post("/judge/tasks/{token}/leave")
def leave(judge: CurrentJudge, store: CurrentStore, token: str) -> Response:
    """Give up a change that was begun; the answer stays. A new screen is skipped instead."""
    if store.judging.task(judge, token).supersedes is None:
        raise Refusal(
            409, "no_change", Phrase("This screen has no answer yet; skip it and say why.")
        )
    store.judging.release(judge, token)
    return Response(status_code=204)


@router.post("/judge/tasks/{token}/answer")
def answer(
    request: Request, judge: CurrentJudge, store: CurrentStore, token: str, body: AnswerBody
) -> Response:
    """Store an answer, once; the next task comes along, so that the page need not wait twice."""
    receipt = store.judging.submit(judge, token, body.submission("answer"))
    return _receipt(request, store, judge, "answer", receipt)


@router.post("/judge/tasks/{token}/skip")
def skip(
    request: Request, judge: CurrentJudge, store: CurrentStore, token: str, body: AnswerBody
) -> Response:
    """Store that a screen was skipped, and why."""
    receipt = store.judging.submit(judge, token, body.submission("skip"))
    return _receipt(request, store, judge, "skip", receipt)


def _receipt(
    request: Request, store: CampaignStore, judge: Judge, kind: str, receipt: Receipt | Retry
) -> Response:
    plan = store.campaigns.by_id(judge.campaign).plan
    say = choose(request, plan)
    if isinstance(receipt, Retry):
        hints = [say.own(plan, hint) for hint in receipt.hints]
        return SafeJSON({"kind": "retry", "hints": hints, "left": receipt.left})
    found = {
        "kind": kind,
        "receipt": receipt.receipt,
        "received_at": receipt.received_at,
        "replay": receipt.is_replay,
        "differs": receipt.differs,
        "feedback": receipt.feedback and say.own(plan, receipt.feedback),
        "next": _next_after(request, store, judge),
    }
    return SafeJSON(found)


def _next_after(
    request: Request, store: CampaignStore, judge: Judge
) -> Mapping[str, object] | None:
    """The next task; a stored answer gets its receipt even when this fails."""
    if request.app.state.health.sentence:
        return None
    try:
        _check_first_steps(store, judge)
        offer = store.judging.offer(judge)
        return _reply(choose(request, offer.plan), store, offer)
    except (RankwiseError, Refusal):
        return None  # the page asks again, and is told why


@router.get("/judge/tasks/{token}/differences")
def compare(
    judge: CurrentJudge,
    store: CurrentStore,
    token: str,
    left: Annotated[int, Query(ge=0)],
    right: Annotated[int, Query(ge=0)],
) -> Response:
    """What differs between the outputs at two places."""
    outputs = store.judging.task(judge, token).outputs
    if max(left, right) >= len(outputs):
        message = Phrase("There is no output at that place.")
        raise Refusal(422, "invalid", message)
    return SafeJSON(differences(outputs[left], outputs[right]).to_json())


@router.get("/judge/history")
def history(judge: CurrentJudge, store: CurrentStore) -> Response:
    """The judge's own last answers, newest first."""
    entries = [asdict(entry) for entry in store.judging.history(judge, limit=20)]
    for entry in entries:
        entry["source"] = entry["source"][:SOURCE_SHOWN]
    return SafeJSON({"history": entries})


@router.post("/judge/history/{receipt}/revise", dependencies=[Depends(accepts_work)])
def revise(request: Request, judge: CurrentJudge, store: CurrentStore, receipt: str) -> Response:
    """A task to change an earlier answer; the answer stands until the change is submitted."""
    offer = store.judging.around(judge, store.judging.revise(judge, receipt))
    return SafeJSON(_reply(choose(request, offer.plan), store, offer))
