"""``rankwise judge --campaign``: a model works through the screens of a campaign."""

from typing import TYPE_CHECKING

from rankwise.cli.common.output import FOR_PROGRAMS, note, print_table
from rankwise.cli.common.progress import reporting, working
from rankwise.cli.judge.judge_options import JudgeArguments, onward, request_form

if TYPE_CHECKING:
    from rankwise.judging.campaign_judge import CampaignWork
    from rankwise.judging.endpoint.budget import Budget


def judge_for_campaign(options: JudgeArguments) -> None:
    """Judge until the campaign has no more, and print how it went."""
    from rankwise.judging.campaign_judge import CampaignJudge
    from rankwise.judging.endpoint.answer_log import open_log
    from rankwise.judging.endpoint.budget import Budget
    from rankwise.judging.endpoint.campaign_server import CampaignServer, JudgeLink

    link = JudgeLink.of(options.link or "", allow_http=options.allow_http)
    server = CampaignServer(
        link, timeout=options.timeout, retries=options.retries, backoff=options.backoff
    )
    budget = Budget(options.max_requests, options.max_cost, options.token_prices())
    endpoint = options.endpoint_settings()
    with open_log(options.state) as log:
        judge = CampaignJudge(server, endpoint, log, budget, again=options.again)
        rules = judge.rules()
        form = request_form(options, rules.protocol)
        if options.questions is None:
            with working("judging"):
                done = judge.work(form, rules)
        else:
            with reporting("screens", options.questions) as progress:
                done = judge.work(form, rules, most=options.questions, progress=progress)
    _say(done, budget, options, endpoint.place)


def _say(done: "CampaignWork", budget: "Budget", options: JudgeArguments, place: str) -> None:
    """How it went; an error where the model or the budget ended it."""
    from rankwise.errors import StoreError
    from rankwise.present.judging.judging_tables import work_table

    for_programs = options.output_format in FOR_PROGRAMS
    print_table(work_table(done, for_programs=for_programs), options.output_format)
    note(f"{done.model} {done.prompt}")
    if done.stopped:
        raise StoreError(
            f"{place}: {done.stopped}; what was sent is stored, the screen in hand waits, and "
            f"{onward(budget, done.stopped)}"
        )
    note(f"ended: {done.ending}")
