"""``rankwise judge``: a language model judges the outputs, like a person would."""

from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.common.output import FOR_PROGRAMS, echo, note, print_table
from rankwise.cli.common.progress import reporting, working
from rankwise.cli.common.rare_options import BriefCommand
from rankwise.cli.judge.judge_options import (
    RARE,
    JudgeArguments,
    judge_options,
    onward,
    request_form,
)

if TYPE_CHECKING:
    from rankwise.judging.endpoint.answer_log import AnswerLog
    from rankwise.judging.endpoint.budget import Budget
    from rankwise.judging.model_judge import ModelJudge
    from rankwise.judging.model_verdicts import ModelVerdicts
    from rankwise.types import TestSet
    from rankwise.types.judging.screen import Screen


@click.command(cls=BriefCommand, rare=RARE)
@judge_options
def judge(**given: Any) -> None:
    """Have a language model judge OUTPUTS, a file of each system; its answers are judgments.

    The model sees anonymous outputs in a random order. What it says goes to -o, with the model as
    the judge: `rank`, `agree` and `meta` read it. What it says is kept as it comes, so that the
    same command goes on where an earlier one ended. The table tells how it went, and how often the
    place of an output, not its text, was preferred. The key comes from the environment.

    With --campaign and no OUTPUTS it judges for a campaign, to which it was invited as a machine:
    the campaign says what is asked, shows the texts, and gets the answers.
    """
    from rankwise.judging.endpoint.answer_log import AnswerLog, open_log
    from rankwise.judging.endpoint.budget import Budget

    options = JudgeArguments(**given)
    if options.show_prompt:
        from rankwise.judging.questions.prompt_files import built_in_text

        echo(built_in_text(options.protocol).rstrip("\n"))
        return
    options.check()
    if options.is_for_campaign:
        from rankwise.cli.judge.campaign import judge_for_campaign

        judge_for_campaign(options)
        return
    with working("reading"):
        testset = _testset(options)
        asking = _asking(options, testset)
    budget = Budget(options.max_requests, options.max_cost, options.token_prices())
    if options.dry_run:
        from pathlib import Path

        path = options.state_path
        if path is not None and Path(path).exists():
            with open_log(path) as log:
                _estimate(asking, testset, log, budget, options)
        else:
            _estimate(asking, testset, AnswerLog(), budget, options)
        return
    endpoint = options.endpoint_settings()
    total = len(asking.all_questions(testset))
    with open_log(options.state_path) as log, reporting("questions", total) as progress:
        found = asking.verdicts(testset, endpoint, log, budget, progress)
    _write(found, options)
    _say(found, budget, options)


def _testset(options: JudgeArguments) -> "TestSet":
    """The texts to judge; notes say what was chosen of them."""
    from dataclasses import replace

    from rankwise.cli.common.inputs import files_of
    from rankwise.errors import DataError
    from rankwise.io.study import study_of
    from rankwise.types.language_codes import pair_languages

    files = files_of(options)
    if not files.has_texts:
        raise click.UsageError("give --source and output files, or --testset")
    study = study_of(files)
    for sentence in study.notes:
        note(sentence)
    if study.texts is None or not study.texts.systems:
        raise DataError("there are no outputs to judge; expected a file of each system")
    texts = study.texts
    source, target = pair_languages(options.language_pair or "")
    return replace(
        texts,
        source_language=texts.source_language or source,
        target_language=texts.target_language or target,
    )


def _asking(options: JudgeArguments, testset: "TestSet") -> "ModelJudge":
    from rankwise.judging.model_judge import ModelJudge, plan_for
    from rankwise.judging.request_form import must_have_something

    form = request_form(options, options.protocol)
    plan = plan_for(
        options.protocol,
        k=options.k,
        per_segment=options.per_segment,
        count=options.questions,
        both_orders=options.both_orders,
        repeats=options.repeats,
        seed=options.seed,
    )
    return ModelJudge(
        form=must_have_something(testset, form),
        plan=plan,
        screens=_screens(options),
        strategy=(options.strategy or "clusters") if options.adaptive else None,
        again=options.again,
        name=options.name or "",
    )


def _screens(options: JudgeArguments) -> "list[Screen] | None":
    """The screens of a file: those that ``next`` chose, or those of other judgments."""
    from rankwise.io import read_judgments
    from rankwise.io.formats.judgments.screen_rows import read_screens
    from rankwise.io.sniffing import read_head
    from rankwise.types.judging.screen import Screen

    if options.screens is None:
        return None
    if read_head(options.screens).first_line.startswith("screen\tsegment\t"):
        return read_screens(options.screens)
    seen = {(one.segment, frozenset(one.systems)): one for one in read_judgments(options.screens)}
    return [Screen(ranking.systems, ranking.segment) for ranking in seen.values()]


def _estimate(
    asking: "ModelJudge",
    testset: "TestSet",
    log: "AnswerLog",
    budget: "Budget",
    options: JudgeArguments,
) -> None:
    from rankwise.present.judging.judging_tables import estimate_table

    found = asking.estimate(testset, log, budget)
    for_programs = options.output_format in FOR_PROGRAMS
    print_table(estimate_table(found, for_programs=for_programs), options.output_format)
    note(f"nothing was asked; {asking.form.prompt.signature} seed={options.seed}")


def _write(found: "ModelVerdicts", options: JudgeArguments) -> None:
    """The judgments so far into their file."""
    from rankwise.io import write_assessments, write_judgments

    assert options.output is not None
    said = found.judgments if found.judgments is not None else found.assessments
    if said is None or len(said) == 0:
        return
    if found.judgments is not None:
        losses = write_judgments(found.judgments, options.output)
    else:
        assert found.assessments is not None
        losses = write_assessments(found.assessments, options.output)
    for sentence in losses:
        note(sentence)


def _say(found: "ModelVerdicts", budget: "Budget", options: JudgeArguments) -> None:
    """How it went; an error where questions are left without a reply."""
    from rankwise.errors import StoreError
    from rankwise.evaluate.ranking.order_effects import order_effects, repeated_values
    from rankwise.present.judging.judging_tables import verdicts_table

    if found.unanswered < found.questions:
        for_programs = options.output_format in FOR_PROGRAMS
        if found.judgments is not None:
            table = verdicts_table(found, order_effects(found.judgments), for_programs=for_programs)
        else:
            assert found.assessments is not None
            repeats = repeated_values(found.assessments)
            table = verdicts_table(found, repeats, for_programs=for_programs)
        print_table(table, options.output_format)
    for sentence in found.notes:
        note(sentence)
    note(f"{found.model} {found.prompt} seed={options.seed}; answers: {options.state_path}")
    if found.stopped or found.unanswered:
        why = found.stopped or "; ".join(found.failures[:3])
        place = options.endpoint_settings().place
        raise StoreError(
            f"{place}: {why}; {found.unanswered} questions have no reply, nothing is lost, and "
            f"{onward(budget, found.stopped)}"
        )
