"""``rankwise campaign status`` and ``pay``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.campaign import counted, opened, store_options
from rankwise.cli.common.output import echo, format_option, note, print_table
from rankwise.cli.common.progress import working

if TYPE_CHECKING:
    from rankwise.present.tables import Table
    from rankwise.server.campaign.standings.contents import JudgeRow, LiveBoard, Standings
    from rankwise.server.store.campaign_store import CampaignStore


@click.command("status")
@click.argument("slug", required=False)
@click.option(
    "--model",
    help="Rank by this model: trueskill, expected-wins, bradley-terry; of values mixed, means-z or "
    "means. "
    "[default: the first]",
)
@click.option("--people", is_flag=True, help="Show the judges in place of the systems.")
@click.option("--machines", is_flag=True, help="Count the judgments of machines like people's.")
@format_option
@store_options
def status_command(
    slug: str | None,
    model: str | None,
    people: bool,
    machines: bool,
    output_format: str,
    folder: Path,
    database: str | None,
) -> None:
    """Show all campaigns, or how the campaign SLUG stands: its leaderboard, or its people.

    Whether it is open, alarms about uneven sampling, the stop rule and what is left out go to
    stderr.
    """
    with opened(folder, database, reading=True) as store:
        if slug is None:
            print_table(_campaigns(store), output_format)
            return
        campaign = store.campaigns.get(slug)
        with working("computing"):
            found = _standings(store, slug)
    sizes = f"{campaign.systems} systems, {campaign.segments} segments"
    note(f"campaign {slug!r} is {campaign.state}; {sizes}")
    if people:
        print_table(_people(found), output_format)
        return
    others = found.machines
    if machines and found.with_machines is not None:
        found = found.with_machines
    chosen = model or next(iter(found.boards))
    if chosen not in found.boards:
        raise click.UsageError(f"--model {chosen!r}: choose from {', '.join(found.boards)}")
    board = found.boards[chosen]
    print_table(_board(board), output_format)
    _notes(found, board)
    for row in others["rows"] if others else ():
        note(_agreement(row, others["people_median"] if others else None))


@click.command("pay")
@click.argument("slug")
@click.option("-o", "--output", help="A CSV file that only you can read, in place of the terminal.")
@store_options
def pay_command(slug: str, output: str | None, folder: Path, database: str | None) -> None:
    """Write the active time, screens and checks of every judge of the campaign SLUG, as CSV.

    Time is that of the page's clock, which stands still after a minute without a sign of life; it
    is in minutes, for practice and for work. With pay_per_hour in the plan the sheet has the sum.
    It names people as they were invited: keep it like a list of wages.
    """
    from rankwise.io.files import write_text
    from rankwise.server.campaign.exchange.pay_sheet import pay_sheet

    with opened(folder, database, reading=True) as store:
        found = store.campaigns.get(slug)
        judges, who = store.judges.judges(found.id), store.judges.identities(found.id)
        stored = store.log.stored(found.id, superseded=True)
        sheet = pay_sheet(found.plan, judges, who, stored)
    if output is None:
        echo(sheet.replace("\r\n", "\n").rstrip("\n"))
        return
    with write_text(output, private=True) as stream:
        stream.write(sheet)
    note(f"{output}: {sum(not one.is_machine for one in judges)} judges of {slug!r}")


def _standings(store: "CampaignStore", slug: str) -> "Standings":
    from rankwise.server.campaign.standings.standings import compute

    campaign = store.campaigns.get(slug)
    testset = store.campaigns.testset(campaign.id)
    stored = list(store.log.stored(campaign.id, superseded=True))
    scores, seed = store.scores.get(campaign.id), campaign.plan.seed
    return compute(campaign.plan, testset, stored, seed=seed, scores=scores)


def _campaigns(store: "CampaignStore") -> "Table":
    from rankwise.present.tables import Column, Table

    rows = []
    for campaign in store.campaigns.all():
        plan = campaign.plan
        judges = len(store.judges.judges(campaign.id, kind="person"))
        languages = "-".join(plan.languages)
        counts = (judges, store.log.count(campaign.id))
        rows.append((campaign.slug, campaign.state, plan.protocol, languages, *counts))
    names = [Column("campaign"), Column("state"), Column("protocol"), Column("languages")]
    return Table([*names, Column("judges", "right"), Column("judgments", "right")], rows)


def _board(board: "LiveBoard") -> "Table":
    from rankwise.present.tables import Column, Table

    columns = [Column("system"), Column("score", "right", ".4f"), Column("low", "right", ".4f")]
    columns += [Column("high", "right", ".4f"), Column("ranks", "right")]
    columns += [Column("cluster", "right"), Column("n", "right"), Column("line", "right", ".3f")]
    rows = [
        (
            row["system"],
            row["score"],
            row["low"],
            row["high"],
            f"{row['rank_low']}-{row['rank_high']}",
            row["cluster"],
            row["n"],
            row["support_below"],
        )
        for row in board["rows"]
    ]
    facts = {"signature": board["signature"]}
    return Table(columns, rows, notes=board.get("unsure", []), facts=facts)


def _agreement(row: "JudgeRow", usual: float | None) -> str:
    """How far a machine agrees with people, in a sentence."""
    value, measure = row["kappa_others"], row["agreement_measure"]
    if value is None:
        return f"machine {row['judge']}: {row['n']} judgments, none of what people judged"
    said = (
        f"machine {row['judge']}: {measure} {value:.2f} with people (n = {row['kappa_others_n']})"
    )
    return said if usual is None else f"{said}; people with each other {usual:.2f}"


def _people(found: "Standings") -> "Table":
    from rankwise.present.tables import Column, Table

    panels = (("person", found.people), ("machine", found.machines))
    people = [(kind, row) for kind, panel in panels for row in (panel["rows"] if panel else ())]
    columns = [Column("judge"), Column("kind"), Column("n", "right"), Column("skips", "right")]
    columns += [Column("median_s", "right", ".1f"), Column("controls_passed", "right")]
    columns += [Column("controls", "right"), Column("kappa_others", "right", ".3f")]
    columns += [Column("kappa_self", "right", ".3f"), Column("tie_rate", "right", ".2f")]
    rows = [
        (
            row["judge"],
            kind,
            row["n"],
            row["skips"],
            row["median_s"],
            row["controls_passed"],
            row["controls"],
            row["kappa_others"],
            row["kappa_self"],
            row["tie_rate"],
            "; ".join(row["flags"]),
        )
        for kind, row in people
    ]
    return Table([*columns, Column("flags")], rows)


def _notes(found: "Standings", board: "LiveBoard") -> None:
    if not board["n_judgments"]:
        note("no leaderboard: there are no judgments yet")
    elif board["problem"]:
        note(f"no leaderboard: {board['problem']}")
    if board["rows"] and board["unjudged"]:
        note(f"no answers yet: {', '.join(board['unjudged'])}")
    if found.coverage and found.coverage["alarm"]:
        note(f"alarm: {found.coverage['alarm']}")
    if found.done:
        note(found.done["stop"]["sentence"])
    note(f"{board['n_judgments']} judgments; left out: {counted(board['left_out'])}")
    note(board["signature"])
