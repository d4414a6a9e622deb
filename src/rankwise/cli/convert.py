"""``rankwise convert``: between formats, saying what was lost."""

import click

from rankwise.cli.common.output import note
from rankwise.cli.common.progress import working


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_format", help="The format of IN; sniffed if not given.")
@click.option("--to", "to_format", help="The format of OUT; told by its suffix if not given.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the reader or the writer, like collapsed=true; may be repeated.",
)
def convert(
    source: str,
    target: str,
    from_format: str | None,
    to_format: str | None,
    options: tuple[str, ...],
) -> None:
    """Convert IN to OUT: judgments, test sets, scores, assessments or a campaign.

    `rankwise formats` lists the formats. What the target cannot hold is said on stderr, one line
    each. `-` is standard input or output.

    A campaign is a plan (.toml) or a campaign of Pearmut (.json); OUT is the other of them (--to
    plan, --to pearmut), or a test set. The texts of a plan lie in files beside it. Of a campaign of
    Pearmut whose id does not say it, --option language_pair=cs-en names the languages.
    """
    from rankwise import io
    from rankwise.server.campaign.exchange.campaign_files import is_campaign

    typed = _split(options)
    if from_format is None and is_campaign(source):
        _convert_campaign(source, target, to_format, typed)
        return
    with working("converting"):
        report = io.convert(
            source, target, from_format=from_format, to_format=to_format, typed_options=typed
        )
    note(str(report))


def _convert_campaign(
    source: str, target: str, to_format: str | None, options: dict[str, str]
) -> None:
    from rankwise.errors import DataError
    from rankwise.server.campaign.exchange.campaign_files import read_campaign, write_campaign
    from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import is_pearmut
    from rankwise.server.campaign.plan.plan_files import read_plan

    pair = options.pop("language_pair", None)
    if options:
        raise click.UsageError(f"--option {next(iter(options))}: a campaign has language_pair only")
    with working("converting"):
        try:
            campaign = read_campaign(source, language_pair=pair)
        except DataError as error:  # told by the option that there is here
            message = str(error).replace("--language-pair", "--option language_pair=cs-en")
            raise DataError(message) from error
        lost = write_campaign(campaign, target, to_format)
        if not is_pearmut(source) and read_plan(source).texts.media:
            lost.append("'texts.media' is not taken over: pictures, sounds and videos stay behind")
    for sentence in (*campaign.warnings, *lost):
        note(sentence)
    systems, segments = campaign.testset.systems, campaign.testset.segments
    note(f"campaign {campaign.plan.name!r}: {len(systems)} systems, {len(segments)} segments")


def _split(options: tuple[str, ...]) -> dict[str, str]:
    texts = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"--option {option!r}: expected NAME=VALUE")
        texts[name] = value
    return texts
