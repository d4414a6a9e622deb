"""The judges of a campaign: invite, see how they do, exclude and include, renew or end links."""

import csv
import io
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import RedirectResponse, Response

from rankwise.server.campaign.exchange.pay_sheet import pay_sheet
from rankwise.server.campaign.exchange.spreadsheets import guarded
from rankwise.server.campaign.plan.plan import person
from rankwise.server.campaign.standings.contents import DetailsPanel, JudgeDetail, Standings
from rankwise.server.records import Identity, Judge
from rankwise.server.settings import Settings
from rankwise.server.store.access.link_mails import Whom
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.campaign_parts import OwnCampaign, back
from rankwise.server.web.dependencies import (
    CurrentAccount,
    CurrentSettings,
    CurrentStore,
    Number,
)
from rankwise.server.web.mail_requests import ask, given_words, mail_card, refuse_mail
from rankwise.server.web.manage import dashboard_charts as charts
from rankwise.server.web.manage.links_page import links_page
from rankwise.server.web.pages import render
from rankwise.server.web.refusals import Refusal

router = APIRouter(prefix="/campaigns/{slug}")
#: How many judges one form may invite.
MOST_INVITED = 500


@router.get("/people")
def people(
    request: Request, store: CurrentStore, settings: CurrentSettings, campaign: OwnCampaign
) -> Response:
    """Everybody with what they did, how far they agree, and what is odd about it."""
    standing = store.standings.get(campaign.id, "people")
    machines = store.standings.get(campaign.id, "machines")
    kept = [one.content["rows"] for one in (standing, machines) if one is not None]
    rows = {row["judge"]: row for part in kept for row in part}
    identities = store.judges.identities(campaign.id)
    counts = store.log.judge_counts(campaign.id)
    found = [
        {
            "judge": judge,
            "identity": identities.get(judge.id),
            "counts": counts.get(judge.id),
            "measured": rows.get(judge.pseudonym),
        }
        for judge in store.judges.judges(campaign.id)
    ]
    agreement = store.standings.get(campaign.id, "agreement")
    context = {
        "campaign": campaign,
        "people": sorted(found, key=_is_machine),
        "has_machines": any(map(_is_machine, found)),
        "standing": standing,
        "agreement": None if agreement is None else agreement.content,
        "viewers": store.accounts.viewers(campaign.id),
        "open_link": store.open_links.of(campaign.id),
        "measure": "r" if campaign.plan.rules.is_scalar else "κ",
    }
    context |= mail_card(store.mails, settings, campaign.id)
    return render(request, "manage/people.html", context)


@router.get("/people/judge/{pseudonym}")
def judge_page(
    request: Request, store: CurrentStore, campaign: OwnCampaign, pseudonym: str
) -> Response:
    """One judge: how scores and times are spread, what was marked, checks, agreement."""
    judge = next((j for j in store.judges.judges(campaign.id) if j.pseudonym == pseudonym), None)
    if judge is None:
        raise Refusal(404, "no_judge", f"There is no judge {pseudonym!r} in this campaign.")
    found = Standings.of(
        {kind: one.content for kind, one in store.standings.all(campaign.id).items()}
    )
    panels = [panel for panel in (found.people, found.machines) if panel is not None]
    rows = {row["judge"]: row for panel in panels for row in panel["rows"]}
    details = found.details
    detail = None if details is None else details["judges"].get(pseudonym)
    spans = None if found.errors is None else found.errors.get("agreement")
    context = {
        "campaign": campaign,
        "judge": judge,
        "identity": store.judges.identities(campaign.id).get(judge.id),
        "counts": store.log.judge_counts(campaign.id).get(judge.id),
        "row": rows.get(pseudonym),
        "usual_s": None if found.people is None else found.people["median_s"],
        "detail": detail,
        "everybody": None if details is None else details["everybody"],
        "unit": None if details is None else details["unit"],
        "pictures": _spreads(details, detail, is_scalar=campaign.plan.rules.is_scalar),
        "span_measures": [] if spans is None else [one["name"] for one in spans["measures"]],
        "spans": None if spans is None else spans["by_judge"].get(pseudonym),
        "span_all": None if spans is None else spans["measures"],
        "measure": "r" if campaign.plan.rules.is_scalar else "κ",
    }
    return render(request, "manage/judge.html", context)


def _spreads(
    details: DetailsPanel | None, detail: JudgeDetail | None, *, is_scalar: bool
) -> Mapping[str, object]:
    """How one judge's values and times are spread, beside those of all."""
    if details is None or detail is None or not detail["screens"]:
        return {}
    everybody = details["everybody"]
    axis = "value" if is_scalar else "rank, 1 is best"
    values = charts.spread(
        details["value_bins"], detail["values"], everybody["values"], title="Values", axis=axis
    )
    times = charts.spread(
        details["time_bins"],
        detail["times"],
        everybody["times"],
        title="Time of a screen",
        axis="active time of a screen",
    )
    return {"values": values, "times": times}


def _is_machine(row: Mapping[str, Any]) -> bool:
    """Machines stand below the people."""
    judge: Judge = row["judge"]
    return judge.is_machine


@router.post("/invite-machine")
def invite_machine(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    machine: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """A link for a machine, called as its model; what it judges is kept apart in every number."""
    name = machine.strip()
    if not name:
        raise Refusal(422, "machine", "Say what the machine is called, such as its model.")
    judge, token = store.judges.invite(campaign.id, name=name, kind="machine", actor=account.name)
    link = _labelled(judge, settings.link(f"/j/{token}"), name=name, email=None)
    return links_page(request, campaign, [link], is_machine=True)


@router.post("/invite")
def invite(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    names: Annotated[str, Form(max_length=100_000)] = "",
    count: Annotated[int, Form(ge=0, le=MOST_INVITED)] = 0,
    mail: Annotated[bool, Form()] = False,
) -> Response:
    """One link per line of *names* (a name, perhaps with an address), and *count* without a name.

    The links are shown this once: only their hashes are kept. By *mail* those with an address get
    theirs, in the words that were used last, and the others' are shown.
    """
    if mail:
        refuse_mail(store.mails, settings, campaign.id)
    wanted = [person(line) for line in names.splitlines() if line.strip()]
    wanted += [(None, None)] * count
    if not 0 < len(wanted) <= MOST_INVITED:
        message = f"{len(wanted)} people are named; expected 1 to {MOST_INVITED}."
        raise Refusal(422, "invite", message)
    links = invited(store, settings, campaign, wanted, actor=account.name)
    if mail:
        links = _by_mail(store, settings, campaign, links, actor=account.name)
    return links_page(request, campaign, links) if links else back(campaign, "/people#h-people")


def _by_mail(
    store: CampaignStore,
    settings: Settings,
    campaign: Campaign,
    links: list[dict[str, str | None]],
    *,
    actor: str,
) -> list[dict[str, str | None]]:
    """Mail those who have an address; the links of the others."""
    named = {link["judge"] for link in links if link["email"]}
    judges = [one.id for one in store.judges.judges(campaign.id) if one.pseudonym in named]
    if judges:
        words = store.mails.last_words(campaign.id)
        ask(store.mails, settings, campaign.id, judges, words, actor=actor)
    return [link for link in links if link["judge"] not in named]


@router.post("/mail")
def mail_links(
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    whom: Annotated[Whom, Form()],
    subject: Annotated[str, Form(max_length=2000)] = "",
    text: Annotated[str, Form(max_length=100_000)] = "",
) -> Response:
    """Send everybody of *whom* a new link in the organiser's words."""
    words = given_words(subject, text)
    judges = [judge.id for judge in store.mails.whom(campaign.id, whom)]
    ask(store.mails, settings, campaign.id, judges, words, actor=account.name)
    return back(campaign, "/people#h-people")


@router.get("/people/questions.csv")
def answers_to_questions(
    store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign
) -> Response:
    """What judges answered before work, by pseudonym; cells are safe in a spreadsheet."""
    keys = [question.key for question in campaign.plan.questions]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["judge", "answered_at", *keys])
    for judge, at, answers in store.questionnaires.all(campaign.id):
        given = [answers.get(key) for key in keys]
        cells = ["" if one is None else guarded(str(one)) for one in given]
        writer.writerow([judge, datetime.fromtimestamp(at / 1000, UTC).isoformat(), *cells])
    store.events.add(account.name, "campaign.questions", campaign=campaign.id)
    return _csv_file(out.getvalue(), f"{campaign.slug}.questions.csv")


@router.get("/people/pay.csv")
def pay(store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign) -> Response:
    """Active time, screens and checks of every judge, to pay by."""
    sheet = pay_sheet(
        campaign.plan,
        store.judges.judges(campaign.id),
        store.judges.identities(campaign.id),
        store.log.stored(campaign.id, superseded=True),
    )
    store.events.add(account.name, "campaign.pay", campaign=campaign.id)
    return _csv_file(sheet, f"{campaign.slug}.pay.csv")


def _csv_file(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/csv", headers=headers)


@router.post("/open-link")
def open_link(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
) -> Response:
    """A link for everybody, in place of the one before; it is shown this once."""
    token = store.open_links.make(campaign.id, actor=account.name)
    link = {"name": "For everybody", "link": settings.link(f"/o/{token}"), "email": None}
    return links_page(request, campaign, [link])


@router.post("/open-link/end")
def end_open_link(store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign) -> Response:
    """Nobody comes in by it any more."""
    store.open_links.end(campaign.id, actor=account.name)
    return back(campaign, "/people")


@router.post("/try")
def try_as_judge(store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign) -> Response:
    """The judge's own pages for the organiser, as a judge who is left out of the results."""
    judge, token = store.judges.invite(campaign.id, name="Dry run", actor=account.name)
    store.judges.exclude(judge.id, "dry run", account.name)
    return RedirectResponse(f"/j/{token}", 303)


def invited(
    store: CampaignStore,
    settings: Settings,
    campaign: Campaign,
    people: Iterable[tuple[str | None, str | None]],
    *,
    actor: str,
) -> list[dict[str, str | None]]:
    """A link for each of *people*, given by name and address."""
    links = []
    for name, email in people:
        judge, token = store.judges.invite(campaign.id, name=name, email=email, actor=actor)
        links.append(_labelled(judge, settings.link(f"/j/{token}"), name=name, email=email))
    return links


def _labelled(
    judge: Judge, link: str, *, name: str | None, email: str | None
) -> dict[str, str | None]:
    label = f"{name} ({judge.pseudonym})" if name else judge.pseudonym
    label += ", a machine" if judge.is_machine else ""
    found = {"name": label, "link": link, "email": email}
    return found | {"judge": judge.pseudonym, "person": name}


def own_judge(store: CurrentStore, campaign: OwnCampaign, judge: Number) -> Judge:
    """The judge of the address, if of this campaign; 404 otherwise."""
    found = store.judges.judge(judge)
    if found is None or found.campaign != campaign.id:
        raise Refusal(404, "no_judge", "There is no such judge in this campaign.")
    return found


OwnJudge = Annotated[Judge, Depends(own_judge)]


@router.post("/people/renew")
def renew_links(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    sure: Annotated[bool, Form()] = False,
) -> Response:
    """New links in place of all personal links that are open, shown this once."""
    if not sure:
        message = "Say that you will send the new links: the old ones end at once."
        raise Refusal(422, "sure", message)
    renewed = store.judges.reissue_links(campaign.id, account.name)
    if not renewed:
        raise Refusal(409, "no_links", "No personal link is open; there is nothing to renew.")
    identities = store.judges.identities(campaign.id)
    links = []
    for judge, token in renewed:
        who = identities.get(judge.id, Identity(judge.id))
        link = settings.link(f"/j/{token}")
        links.append(_labelled(judge, link, name=who.name, email=who.email))
    return links_page(request, campaign, links)


@router.post("/people/{judge}/exclude")
def exclude(
    store: CurrentStore,
    account: CurrentAccount,
    campaign: OwnCampaign,
    judge: OwnJudge,
    reason: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Leave a judge out of the results, for a reason; it can be undone."""
    if not reason.strip():
        raise Refusal(422, "reason", "Say why this judge is left out; the reason is kept.")
    store.judges.exclude(judge.id, reason.strip(), account.name)
    return back(campaign, f"/people#{judge.pseudonym}")


@router.post("/people/{judge}/include")
def include(
    store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign, judge: OwnJudge
) -> Response:
    """Count a judge again."""
    store.judges.include(judge.id, account.name)
    return back(campaign, f"/people#{judge.pseudonym}")


@router.post("/people/{judge}/revoke")
def revoke(
    store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign, judge: OwnJudge
) -> Response:
    """End a judge's link and sessions."""
    store.judges.revoke(judge.id, account.name)
    return back(campaign, f"/people#{judge.pseudonym}")


@router.post("/people/{judge}/reissue")
def reissue(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    judge: OwnJudge,
) -> Response:
    """A new link in place of the old one, shown this once."""
    token = store.judges.reissue_link(judge.id, account.name)
    who = store.judges.identity(judge.id)
    link = _labelled(judge, settings.link(f"/j/{token}"), name=who.name, email=who.email)
    return links_page(request, campaign, [link], is_machine=judge.is_machine)


@router.post("/people/{judge}/mail")
def mail_link(
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    judge: OwnJudge,
) -> Response:
    """Send one judge a new link, in the words that were used last."""
    words = store.mails.last_words(campaign.id)
    ask(store.mails, settings, campaign.id, [judge.id], words, actor=account.name)
    return back(campaign, f"/people#{judge.pseudonym}")


@router.post("/people/{judge}/tutorial")
def reset_tutorial(
    store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign, judge: OwnJudge
) -> Response:
    """Let a judge who failed the tutorial begin it anew."""
    store.tutorials.reset(judge, account.name)
    return back(campaign, f"/people#{judge.pseudonym}")


@router.post("/people/{judge}/forget")
def forget(
    store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign, judge: OwnJudge
) -> Response:
    """Erase who a judge is; the judgments stay under the pseudonym."""
    store.judges.forget(judge.id, account.name)
    return back(campaign, f"/people#{judge.pseudonym}")
