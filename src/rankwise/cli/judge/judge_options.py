"""The options of ``rankwise judge``: how they are typed, and one record that holds them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rankwise.cli.common.inputs import (
    documents_option,
    download_option,
    human_systems_option,
    names_option,
    reference_set_option,
)
from rankwise.cli.common.option_list import all_options
from rankwise.cli.common.output import format_option

if TYPE_CHECKING:
    from rankwise.judging.endpoint.budget import Budget, Prices
    from rankwise.judging.endpoint.chat_exchange import AnswerFormat
    from rankwise.judging.endpoint.endpoint_settings import Endpoint
    from rankwise.judging.questions.prompt_files import Prompt
    from rankwise.judging.request_form import RequestForm

PROTOCOLS = ("ranking", "pairwise", "direct-assessment", "esa", "mqm")
#: The options that only ``--help-all`` shows.
RARE = (
    "--k",
    "--rpm",
    "--concurrency",
    "--price-in",
    "--price-out",
    "--documents",
    "--download",
    "--reference-set",
    "--human-systems",
    "--names",
    "--no-reference",
    "--per-segment",
    "--screens",
    "--strategy",
    "--judge",
    "--state",
    "--answers",
    "--again",
    "--temperature",
    "--max-tokens",
    "--set",
    "--key-env",
    "--key-header",
    "--allow-http",
    "--timeout",
    "--retries",
    "--backoff",
    "--seed",
    "--format",
)
_above_zero = click.FloatRange(min=0, min_open=True)

judge_options = all_options(
    click.argument("outputs", nargs=-1),
    click.option("-s", "--source", help="The source text."),
    click.option(
        "-r", "--reference", "references", multiple=True, help="A reference, shown to the judge."
    ),
    click.option("-t", "--testset", help="A test set in any format, in place of text files."),
    click.option("-l", "--language-pair", help="Like en-de; told to the judge."),
    click.option(
        "--endpoint",
        envvar="RANKWISE_JUDGE_ENDPOINT",
        metavar="URL",
        help="An OpenAI-compatible API, like https://host/v1; or in RANKWISE_JUDGE_ENDPOINT.",
    ),
    click.option(
        "--model",
        envvar="RANKWISE_JUDGE_MODEL",
        metavar="NAME",
        help="The model to ask; or in RANKWISE_JUDGE_MODEL.",
    ),
    click.option(
        "--protocol",
        type=click.Choice(PROTOCOLS),
        default="ranking",
        show_default=True,
        help="What is asked about the outputs.",
    ),
    click.option(
        "--k", type=click.IntRange(2, 8), help="Of a ranking: outputs in a question.  [default: 5]"
    ),
    click.option(
        "--questions",
        type=click.IntRange(min=1),
        metavar="N",
        help="At most so many questions.  [default: about all outputs]",
    ),
    click.option(
        "--adaptive", is_flag=True, help="Ask what tells the systems apart soonest, until they are."
    ),
    click.option("--both-orders", is_flag=True, help="Ask about every pair in both orders."),
    click.option(
        "--repeats",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="How often every question is asked.",
    ),
    click.option(
        "--campaign",
        "link",
        envvar="RANKWISE_JUDGE_LINK",
        metavar="LINK",
        help="Judge for a campaign, by a machine's link; better in RANKWISE_JUDGE_LINK.",
    ),
    click.option("--prompt", metavar="FILE", help="A prompt of your own."),
    click.option("--show-prompt", is_flag=True, help="Print the built-in prompt, and exit."),
    click.option(
        "--max-requests",
        type=click.IntRange(min=1),
        metavar="N",
        help="At most so many requests, those of earlier runs included.",
    ),
    click.option(
        "--max-cost",
        type=_above_zero,
        metavar="MONEY",
        help="At most so much money, that of earlier runs included; needs --price-in, --price-out.",
    ),
    click.option(
        "--price-in",
        type=click.FloatRange(min=0),
        metavar="MONEY",
        help="The price of a million tokens that the model reads.",
    ),
    click.option(
        "--price-out",
        type=click.FloatRange(min=0),
        metavar="MONEY",
        help="The price of a million tokens that it writes.",
    ),
    click.option("--rpm", type=_above_zero, metavar="N", help="At most so many requests a minute."),
    click.option(
        "--concurrency",
        type=click.IntRange(1, 256),
        default=4,
        show_default=True,
        help="Requests on their way at a time.",
    ),
    click.option("--dry-run", is_flag=True, help="Ask nothing; say what asking would take."),
    click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Where the judgments go: .jsonl for rankings, .tsv for values.",
    ),
    documents_option,
    download_option,
    reference_set_option,
    human_systems_option,
    names_option,
    click.option("--no-reference", is_flag=True, help="Do not show references to the judge."),
    click.option(
        "--per-segment",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="In how many questions of a segment every system stands.",
    ),
    click.option(
        "--screens",
        metavar="FILE",
        help="Ask these: screens of `rankwise next` as TSV, or the screens of other judgments.",
    ),
    click.option("--strategy", help="Of --adaptive: see `rankwise next`.  [default: clusters]"),
    click.option("--judge", "name", metavar="NAME", help="The judge's name.  [default: the model]"),
    click.option(
        "--state",
        metavar="FILE",
        help="Where answers are kept, to go on from and to ask nothing twice.  [default: beside "
        "the output, with .answers.jsonl]",
    ),
    click.option(
        "--answers",
        type=click.Choice(["schema", "object", "text"]),
        default="schema",
        show_default=True,
        help="How the shape of answers is asked for: by JSON schema, as any JSON object, in words.",
    ),
    click.option(
        "--again",
        type=click.IntRange(0, 20),
        default=0,
        show_default=True,
        help="How often a question is asked again whose answer cannot be read.",
    ),
    click.option(
        "--temperature",
        type=click.FloatRange(0, 2),
        default=0.0,
        show_default=True,
        help="How freely the model chooses its words.",
    ),
    click.option(
        "--max-tokens", type=click.IntRange(min=1), help="Of an answer.  [default: 400, or 2000]"
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=JSON",
        help="A further field of requests, like top_p=0.9; null takes one away; may be repeated.",
    ),
    click.option(
        "--key-env",
        metavar="NAME",
        help="The environment variable with the key.  [default: RANKWISE_JUDGE_KEY]",
    ),
    click.option(
        "--key-header",
        default="Authorization",
        show_default=True,
        help="The header that carries the key.",
    ),
    click.option(
        "--allow-http", is_flag=True, help="Send key and texts in clear to another machine."
    ),
    click.option(
        "--timeout",
        type=_above_zero,
        default=120.0,
        show_default=True,
        help="Seconds for a whole answer.",
    ),
    click.option(
        "--retries",
        type=click.IntRange(0, 100),
        default=6,
        show_default=True,
        help="How often a request is sent again after a failure that may pass.",
    ),
    click.option(
        "--backoff",
        type=_above_zero,
        default=1.0,
        show_default=True,
        help="Seconds to wait after the first failure; twice as long after each further one.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        help="Same seed, same questions in the same order.",
    ),
    format_option,
)


#: What may be said beside a campaign: whom to ask, how, and how much.
_OF_CAMPAIGNS = {
    *("link", "endpoint", "model", "key_env", "key_header", "allow_http", "state", "output_format"),
    *("prompt", "show_prompt", "answers", "again", "temperature", "max_tokens", "settings"),
    *("questions", "max_requests", "max_cost", "price_in", "price_out"),
    *("rpm", "concurrency", "timeout", "retries", "backoff"),
}


def _typed() -> dict[str, str]:
    """The options that were typed, by the names of their fields."""
    context = click.get_current_context()
    return {
        str(one.name): one.opts[-1]
        for one in context.command.params
        if context.get_parameter_source(str(one.name)) is ParameterSource.COMMANDLINE
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeArguments:
    """What was typed; the fields are the options."""

    outputs: tuple[str, ...]
    source: str | None
    references: tuple[str, ...]
    testset: str | None
    language_pair: str | None
    endpoint: str | None
    model: str | None
    protocol: str
    k: int | None
    questions: int | None
    adaptive: bool
    both_orders: bool
    repeats: int
    link: str | None
    prompt: str | None
    show_prompt: bool
    max_requests: int | None
    max_cost: float | None
    price_in: float | None
    price_out: float | None
    rpm: float | None
    concurrency: int
    dry_run: bool
    output: str | None
    documents: str | None
    download: bool
    reference_set: tuple[str, ...]
    human_systems: bool | None
    names: str | None
    no_reference: bool
    per_segment: int
    screens: str | None
    strategy: str | None
    name: str | None
    state: str | None
    answers: "AnswerFormat"
    again: int
    temperature: float
    max_tokens: int | None
    settings: tuple[str, ...]
    key_env: str | None
    key_header: str
    allow_http: bool
    timeout: float
    retries: int
    backoff: float
    seed: int
    output_format: str

    def check(self) -> None:
        """Raise a usage error for options that do not go together."""
        if not self.dry_run and (self.endpoint is None or self.model is None):
            raise click.UsageError("give --endpoint and --model, or --dry-run")
        self._check_prices()
        if self.is_for_campaign:
            return
        if not self.dry_run and self.output is None:
            raise click.UsageError("give -o, the file that the judgments go to, or --dry-run")
        if self.strategy is not None and not self.adaptive:
            raise click.UsageError("--strategy needs --adaptive")
        if self.adaptive and (self.screens is not None or self.protocol not in PROTOCOLS[:2]):
            raise click.UsageError("--adaptive chooses screens of rankings or pairs by itself")
        if self.both_orders and self.protocol != "pairwise":
            raise click.UsageError("--both-orders needs --protocol pairwise")
        if self.k is not None and self.protocol != "ranking":
            raise click.UsageError("--k needs --protocol ranking")
        self._check_output()

    @property
    def is_for_campaign(self) -> bool:
        """Whether a campaign says what is asked; texts are given otherwise.

        A link of the environment is for commands without texts; beside one that was typed, what the
        campaign decides may not be said.
        """
        if self.link is None:
            return False
        typed = _typed()
        if "link" not in typed and (self.outputs or self.source or self.testset):
            return False
        decided = next((name for field, name in typed.items() if field not in _OF_CAMPAIGNS), None)
        if decided is not None:
            raise click.UsageError(
                f"--campaign: what is asked is the campaign's; leave out {decided}"
            )
        return True

    def _check_prices(self) -> None:
        if (self.price_in is None) != (self.price_out is None):
            raise click.UsageError("--price-in and --price-out belong together")
        if self.max_cost is not None and self.price_in is None:
            raise click.UsageError("--max-cost needs --price-in and --price-out")

    def _check_output(self) -> None:
        """Raise before anything is asked where the answers could not be written."""
        from rankwise.io.format_table import format_for_writing

        if self.output is None:
            return
        if self.output == "-":
            raise click.UsageError("-o -: the judgments go to a file; the table goes to stdout")
        is_ranked = self.protocol in PROTOCOLS[:2]
        format_for_writing(self.output, "judgments" if is_ranked else "assessments")
        if self.state_path is not None and Path(self.state_path) == Path(self.output):
            raise click.UsageError("--state and -o name one file; the two are kept apart")

    def endpoint_settings(self) -> "Endpoint":
        """Where to ask; the key comes from the environment."""
        from rankwise.judging.endpoint.endpoint_settings import Endpoint, key_from_environment

        return Endpoint(
            url=self.endpoint or "",
            model=self.model or "",
            key=key_from_environment(self.key_env),
            key_header=self.key_header,
            allow_http=self.allow_http,
            timeout=self.timeout,
            concurrency=self.concurrency,
            requests_per_minute=self.rpm,
            retries=self.retries,
            backoff=self.backoff,
        )

    @property
    def state_path(self) -> str | None:
        """The file of answers: the one named, or the one beside the output."""
        if self.state is not None or self.output is None:
            return self.state
        path = Path(self.output.removesuffix(".gz"))
        return str(path.with_name(f"{path.stem}.answers.jsonl"))

    def own_prompt(self) -> "Prompt | None":
        """The prompt of the user's file, if there is one."""
        from rankwise.judging.model_judge import read_prompt

        return None if self.prompt is None else read_prompt(self.prompt)

    def token_prices(self) -> "Prices | None":
        """The prices, if they are given."""
        from rankwise.judging.endpoint.budget import Prices

        if self.price_in is None or self.price_out is None:
            return None
        return Prices(self.price_in, self.price_out)

    def fields(self) -> dict[str, Any]:
        """The further fields of requests."""
        found = {}
        for given in self.settings:
            name, equals, value = given.partition("=")
            try:
                found[name] = json.loads(value)
            except ValueError as error:
                raise click.UsageError(
                    f"--set {given}: expected NAME=JSON, like top_p=0.9 or stop='\"x\"'"
                ) from error
            if not equals or not name or name in ("model", "messages", "stream"):
                raise click.UsageError(f"--set {given}: this field cannot be set")
        return found


def request_form(options: JudgeArguments, protocol: str) -> "RequestForm":
    """How a *protocol* is asked, by the options."""
    from rankwise.judging.request_form import RequestForm

    return RequestForm.of(
        options.model or "",
        protocol,
        options.own_prompt(),
        answers=options.answers,
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        settings=options.fields(),
        with_reference=not options.no_reference,
    )


def onward(budget: "Budget", stopped: str) -> str:
    """How a run that was *stopped* goes on: a limit of its own would end it at once again."""
    higher = " with a higher limit" if budget.has_ended(stopped) else ""
    return f"the same command{higher} goes on from here"
