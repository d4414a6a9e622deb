"""A campaign's plan: everything that decides what judges are asked, in one frozen record.

A plan is written as TOML or as JSON, with the same keys, which are the fields of the records here.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.errors import DataError
from rankwise.server.campaign.plan.document_protocols import MOST_SEGMENTS, Documented
from rankwise.server.campaign.plan.lessons import (
    TutorialItem,
    lesson_files,
    lesson_json,
    read_lesson,
)
from rankwise.server.campaign.plan.outputs.further_questions import (
    NOTHING_FURTHER,
    FurtherQuestions,
    read_further,
)
from rankwise.server.campaign.plan.outputs.whole_documents import rules_of
from rankwise.server.campaign.plan.plan_keys import PlanKeys
from rankwise.server.campaign.plan.protocol_kinds import Protocol
from rankwise.server.campaign.plan.protocols import PROTOCOLS
from rankwise.server.campaign.plan.questions import JudgeQuestion, read_questions
from rankwise.server.campaign.plan.recruiting import USUAL_RECRUITING, Recruiting, read_recruiting
from rankwise.server.campaign.plan.span_rules import ESA_RULES, SpanRules, read_span_rules
from rankwise.server.campaign.plan.words.translations import (
    NO_TRANSLATION,
    Translation,
    Translations,
    read_language,
    read_translations,
)
from rankwise.server.phrases import Phrase
from rankwise.types.named import parse

CONTROL_KINDS = ("degraded", "rotated", "reference", "own")

#: What a judge reads where the plan has no instructions.
INSTRUCTIONS = {
    "ranking": Phrase(
        "Rank the translations from best to worst. Equally good ones get the same rank."
    ),
    "pairwise": Phrase(
        "Say which translation is better, or that they are equally good or both bad."
    ),
    "adequacy-fluency": Phrase(
        "Say how fluent every translation is, and how much of the meaning it has."
    ),
    "direct-assessment": Phrase(
        "Say how well the translation expresses the meaning of the source."
    ),
    "esa": Phrase(
        "Mark every error in the translations, minor or major. Then give each translation of a "
        "segment a score, with the whole document in mind."
    ),
    "mqm": Phrase(
        "Mark every error in the translations, and say how severe it is and of which kind."
    ),
}

#: Slugs that are pages beside the campaigns.
RESERVED = ("new",)
#: What is expected where one of the keys is missing.
_BOTH = "a folder, and a list of its files in 'media', a line for every segment"
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Texts:
    """Where the texts are, as the plan's file says it: paths, relative to that file.

    ``source`` is a whole test set or the source of parallel files; ``references`` and ``outputs``
    are pairs (name, path), with the name ``""`` where the file's own name is meant; an output may
    be a pattern such as ``systems/*.txt``. ``documents`` has a line ``domain<TAB>document`` (or the
    document alone) for every segment. ``spans`` has errors that a machine marked, for documents.
    ``media`` has a line for every segment too, with the name of a picture, sound or video in the
    folder ``assets``, where those of the tutorial and of checks are too.
    """

    source: str = ""
    references: tuple[tuple[str, str], ...] = ()
    outputs: tuple[tuple[str, str], ...] = ()
    documents: str = ""
    format: str = ""
    spans: str = ""
    assets: str = ""
    media: str = ""


@dataclass(frozen=True, slots=True)
class StopRule:
    """When enough is known: after so many judgments, or once every boundary has its support.

    ``boundary_support`` is how sure the order of neighbouring systems must be at every boundary
    (the posterior probability for rankings, the share of resamples for values); ``None`` is never.
    """

    max_judgments: int | None = None
    boundary_support: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A campaign before anybody judged anything; ``reference/campaign-plan.md`` explains it all.

    ``by_document`` shows documents where the protocol can also be asked about one segment; ``esa``
    and ``mqm`` always do, and leave it false.
    """

    name: str
    slug: str
    source_language: str
    target_language: str
    protocol: str = "ranking"
    k: int = 5
    by_document: bool = False
    texts: Texts = Texts()
    redundancy: float = 1
    strategy: str = "clusters"
    coverage_floor: int = 3
    cold_start: int = 8
    repeat_share: float = 0.1
    control_share: float = 0.1
    control_kind: str = "degraded"
    context: int = 1
    show_reference: bool = False
    instructions: str = ""
    consent: str = ""
    tutorial: tuple[TutorialItem, ...] = ()
    tutorial_tries: int = 1
    tutorial_pass: float = 0.0
    checks: tuple[TutorialItem, ...] = ()
    questions: tuple[JudgeQuestion, ...] = ()
    check_tries: int = 1
    check_pass: float = 0.0
    sitting: int = 30
    lease_seconds: int = 1800
    single_pass: bool = False
    show_value: bool = True
    window: int = 10
    spans: SpanRules = ESA_RULES
    further: FurtherQuestions = NOTHING_FURTHER
    highlight: bool = False
    domain_instructions: tuple[tuple[str, str], ...] = ()
    recruiting: Recruiting = USUAL_RECRUITING
    stop: StopRule = StopRule()
    judges: tuple[str, ...] = ()
    seed: int = 1
    seconds_per_screen: float = 60.0
    pay_per_hour: float | None = None
    currency: str = "EUR"
    language: str = ""
    translations: Translations = ()

    @property
    def rules(self) -> Protocol:
        """The protocol itself, with what the plan says about spans and asks besides."""
        found = rules_of(self.protocol, by_document=self.by_document)
        if not isinstance(found, Documented):
            return found
        return replace(found, spans=self.spans, further=self.further)

    @property
    def compares(self) -> bool:
        """Whether a screen puts texts in an order, by ranks or by their scores side by side."""
        return not self.rules.is_scalar or (self.rules.is_document and self.k > 1)

    @property
    def instructions_version(self) -> str:
        """Which instructions a judge read, in any language: the beginning of their hash."""
        others = (found.instructions for _, found in self.translations)
        return text_version("\0".join((self.instructions, *filter(None, others))))

    @property
    def consent_version(self) -> str:
        """Which text a judge agreed to, in any language: the beginning of its hash."""
        others = (found.consent for _, found in self.translations)
        return text_version("\0".join((self.consent, *filter(None, others))))

    def translation(self, language: str) -> Translation:
        """The organiser's texts in a language, as far as there are any."""
        return dict(self.translations).get(language, NO_TRANSLATION)

    @property
    def lessons(self) -> tuple[TutorialItem, ...]:
        """Every screen with a known answer."""
        return (*self.tutorial, *self.checks)

    @property
    def short_texts(self) -> tuple[str, ...]:
        """Every short text that judges see and that a translation may have."""
        hints = (rule.hint for item in self.lessons for rule in item.rules)
        sliders = self.further.sliders
        found = (
            (self.name,),
            (text for one in self.questions for text in (one.text, *one.choices)),
            (text for item in self.lessons for text in (item.feedback, item.hint)),
            hints,
            (text for one in sliders for text in (one.name, *(words for _, words in one.anchors))),
            (*self.spans.severities, *self.spans.marks),
            (name for group, inner in self.spans.categories for name in (group, *inner)),
        )
        return tuple(dict.fromkeys(text for part in found for text in part if text))

    def passes(self, passed: int, checks: int) -> bool:
        """Whether so many of the checks passed are enough."""
        return passed >= self.check_pass * checks

    @property
    def tutorial_version(self) -> str:
        """Which tutorial a judge passed: it changes with its items, tries and pass mark."""
        items = [lesson_json(item) for item in self.tutorial]
        rules = [self.protocol, self.tutorial_tries, self.tutorial_pass, items]
        return text_version(json.dumps(rules, sort_keys=True, default=dict))

    @property
    def languages(self) -> tuple[str, str]:
        """Source and target."""
        return self.source_language, self.target_language

    def to_json(self) -> dict[str, object]:
        """The plan as JSON values; ``from_json`` makes an equal plan of it."""
        found: dict[str, object] = asdict(self)
        texts = {key: _files(getattr(self.texts, key)) for key in ("references", "outputs")}
        found["texts"] = asdict(self.texts) | texts
        found["tutorial"] = [lesson_json(item) for item in self.tutorial]
        found["checks"] = [lesson_json(item) for item in self.checks]
        found |= _document_json(self)
        found["translations"] = {code: one.to_json() for code, one in self.translations}
        del found["further"]
        return {key: _plain(value) for key, value in found.items()}

    @classmethod
    def from_json(cls, table: Mapping[str, object], *, where: str = "plan") -> "Plan":
        """The plan of a table of keys; *where* names it in messages.

        Unknown keys, wrong types and values out of range are refused with the key, what was found
        and what was expected. ``None`` stands for a key that is left out.

        >>> keys = {"name": "Try it", "source_language": "de", "target_language": "en"}
        >>> plan = Plan.from_json(keys | {"protocol": "pairwise"})
        >>> plan.slug, plan.k, Plan.from_json(plan.to_json()) == plan
        ('try-it', 2, True)
        """
        if isinstance(table, Mapping):
            table = {key: value for key, value in table.items() if value is not None}
        keys = PlanKeys(where, table)
        found = {**_who(keys), **_what(keys), **_how(keys), **_page(keys)}
        found["texts"], found["stop"] = _texts(keys), _stop(keys)
        found["recruiting"] = read_recruiting(keys.inner("recruiting"))
        rules = rules_of(found["protocol"], by_document=found["by_document"])
        if isinstance(rules, Documented):
            found |= _marked(keys, rules)
            rules = replace(rules, spans=found["spans"])
        if rules.is_document:
            found |= _document(keys)
        found["tutorial"] = tuple(read_lesson(item, rules) for item in keys.inners("tutorial"))
        found["questions"] = read_questions(keys)
        found["checks"] = tuple(read_lesson(item, rules) for item in keys.inners("checks"))
        if (found["control_kind"] == "own") != bool(found["checks"]):
            raise keys.error("control_kind", found["control_kind"], "'own', and a list of 'checks'")
        _check_files(keys, found["texts"], (*found["tutorial"], *found["checks"]))
        found["language"] = read_language(keys)
        made = cls(**found)
        domains = dict(made.domain_instructions)
        translations = read_translations(keys, made.short_texts, domains)
        keys.finish()
        return replace(made, translations=translations)


def text_version(text: str) -> str:
    """A short name of a text that changes with it.

    >>> text_version("Rank them."), text_version("Rank them all.")
    ('6c8365ebde42', '82ea4388745b')
    """
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def slug_of(name: str) -> str:
    """A name as it stands in an address: lower-case Latin letters and digits with hyphens.

    >>> slug_of("Größte Übung, Nr. 2")
    'grosste-ubung-nr-2'
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "campaign"


def person(line: str) -> tuple[str | None, str | None]:
    """The name and the address of ``Ann Example <ann@example.org>`` or ``Ann Example``.

    >>> person("Ann Example <ann@example.org>"), person("ann@example.org"), person("Ann")
    (('Ann Example', 'ann@example.org'), (None, 'ann@example.org'), ('Ann', None))
    """
    name, _, rest = line.strip().partition("<")
    email = rest.rstrip("> ").strip()
    if not email and "@" in name and " " not in name.strip():
        name, email = "", name.strip()
    return name.strip()[:200] or None, email[:200] or None


def _who(keys: PlanKeys) -> dict[str, Any]:
    name = keys.text("name")
    slug = keys.text("slug", slug_of(name))
    if not _SLUG.fullmatch(slug) or len(slug) > 80:
        raise keys.error("slug", slug, "small letters, digits and single hyphens, at most 80")
    if slug in RESERVED:
        raise keys.error("slug", slug, "another one: that is the address of a page")
    found: dict[str, Any] = {"name": name, "slug": slug, "judges": keys.texts("judges", ())}
    for key in ("source_language", "target_language"):
        found[key] = code = keys.text(key)
        if not _LANGUAGE.fullmatch(code):
            raise keys.error(key, code, "a language code such as de, en-GB or zh-Hans")
    return found


def _what(keys: PlanKeys) -> dict[str, Any]:
    protocol = keys.choice("protocol", PROTOCOLS, "ranking")
    by_document = _by_document(keys, PROTOCOLS[protocol])
    rules = rules_of(protocol, by_document=by_document)
    k = keys.whole("k", rules.usual, least=rules.least, most=rules.most)
    window = keys.whole("window", 10, least=1, most=MOST_SEGMENTS)
    pace = round(rules.pace * k * (window if rules.is_document else 1), 1)
    pay = keys.raw("pay_per_hour", None)
    pay = pay if pay is None else keys.number("pay_per_hour", least=0, most=1e6)
    return {
        "protocol": protocol,
        "k": k,
        "by_document": by_document,
        "window": window,
        "instructions": keys.text("instructions", "", empty=True) or INSTRUCTIONS[protocol],
        "consent": keys.text("consent", "", empty=True),
        "seconds_per_screen": keys.number("seconds_per_screen", pace, least=1, most=86400),
        "pay_per_hour": pay,
        "currency": keys.text("currency", "EUR"),
    }


def _how(keys: PlanKeys) -> dict[str, Any]:
    found = {
        "redundancy": _whole_if_it_is(keys.number("redundancy", 1, least=1, most=1000)),
        "strategy": keys.text("strategy", "clusters"),
        "coverage_floor": keys.whole("coverage_floor", 3, least=0, most=10**6),
        "cold_start": keys.whole("cold_start", 8, least=0, most=10**4),
        "repeat_share": keys.number("repeat_share", 0.1, least=0, most=0.5),
        "control_share": keys.number("control_share", 0.1, least=0, most=0.5),
        "control_kind": keys.choice("control_kind", CONTROL_KINDS, "degraded"),
        "seed": keys.whole("seed", 1, least=0, most=2**31 - 1),
    }
    try:
        parse(str(found["strategy"]), STRATEGIES)
    except DataError as error:
        raise keys.error("strategy", found["strategy"], f"one that is known: {error}") from error
    return found


def _whole_if_it_is(number: float) -> float:
    return int(number) if number.is_integer() else number


def _page(keys: PlanKeys) -> dict[str, Any]:
    return {
        "context": keys.whole("context", 1, least=0, most=50),
        "show_reference": keys.flag("show_reference", False),
        "sitting": keys.whole("sitting", 30, least=1, most=10**6),
        "lease_seconds": keys.whole("lease_seconds", 1800, least=30, most=604800),
        "single_pass": keys.flag("single_pass", False),
        "tutorial_tries": keys.whole("tutorial_tries", 1, least=1, most=100),
        "tutorial_pass": keys.number("tutorial_pass", 0.0, least=0, most=1),
        "check_tries": keys.whole("check_tries", 1, least=1, most=100),
        "check_pass": keys.number("check_pass", 0.0, least=0, most=1),
        "show_value": keys.flag("show_value", True),
    }


def _texts(keys: PlanKeys) -> Texts:
    inner = keys.inner("texts")
    if inner is None:
        return Texts()
    found = Texts(
        inner.text("source", "", empty=True),
        inner.named_texts("references"),
        inner.named_texts("outputs"),
        inner.text("documents", "", empty=True),
        inner.text("format", "", empty=True),
        inner.text("spans", "", empty=True),
        inner.text("assets", "", empty=True),
        inner.text("media", "", empty=True),
    )
    inner.finish()
    if found.media and not found.assets:
        raise inner.error("assets", "", f"{_BOTH}, as there is 'media'")
    return found


def _check_files(keys: PlanKeys, texts: Texts, lessons: Iterable[TutorialItem]) -> None:
    """A folder of files that nothing names shows that the list of them was forgotten."""
    if texts.assets and not texts.media and not lesson_files(lessons):
        raise keys.error("texts.media", "", f"{_BOTH}, as there is 'assets'")


def _by_document(keys: PlanKeys, rules: Protocol) -> bool:
    """Whether documents are shown by a protocol that need not; the others always show them."""
    found = keys.flag("by_document", rules.is_document)
    if rules.is_document and not found:
        raise keys.error("by_document", found, f"true: {rules.name} is about documents")
    return found and not rules.is_document


def _marked(keys: PlanKeys, rules: Documented) -> dict[str, Any]:
    """What may be marked in the texts, and what else is asked about them."""
    inner = keys.inner("spans")
    return {
        "spans": rules.spans if inner is None else read_span_rules(inner, rules.spans),
        "further": read_further(keys),
    }


def _document(keys: PlanKeys) -> dict[str, Any]:
    """What is shown around documents."""
    return {
        "highlight": keys.flag("highlight", False),
        "domain_instructions": _by_domain(keys),
    }


def _by_domain(keys: PlanKeys) -> tuple[tuple[str, str], ...]:
    found = keys.raw("domain_instructions", {})
    expected = "a table of domains, each with a text in Markdown"
    if not isinstance(found, Mapping):
        raise keys.error("domain_instructions", found, expected)
    for domain, text in found.items():
        if not isinstance(text, str) or not text.strip():
            raise keys.error(f"domain_instructions.{domain}", text, expected)
    return tuple((str(domain), text) for domain, text in found.items())


def _document_json(plan: Plan) -> dict[str, object]:
    """The keys that only some protocols have; ``None`` elsewhere."""
    marked: dict[str, object] = {
        "spans": plan.spans.to_json(),
        "sliders": [slider.to_json() for slider in plan.further.sliders],
        "output_comments": plan.further.comments,
        "post_edits": plan.further.post_edits,
    }
    around: dict[str, object] = {
        "highlight": plan.highlight,
        "domain_instructions": dict(plan.domain_instructions),
    }
    rules = plan.rules
    return {
        **(marked if isinstance(rules, Documented) else dict.fromkeys(marked)),
        **(around if rules.is_document else dict.fromkeys(around)),
        "by_document": None if isinstance(rules, Documented) else plan.by_document,
    }


def _stop(keys: PlanKeys) -> StopRule:
    inner = keys.inner("stop")
    if inner is None:
        return StopRule()
    most, support = inner.raw("max_judgments", None), inner.raw("boundary_support", None)
    found = StopRule(
        None if most is None else inner.whole("max_judgments", least=1, most=10**9),
        None if support is None else inner.number("boundary_support", least=0.5, most=1),
    )
    inner.finish()
    return found


def _plain(value: object) -> object:
    """Tuples as lists, so that the value equals what JSON gives back."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _files(pairs: Sequence[tuple[str, str]]) -> dict[str, str] | list[str]:
    """Named files as a table, unnamed ones as a list."""
    if pairs and all(name for name, _ in pairs):
        return dict(pairs)
    return [path for _, path in pairs]
