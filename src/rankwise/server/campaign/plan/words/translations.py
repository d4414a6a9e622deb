"""The organiser's own texts in other languages: what a judge reads who chose one of them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rankwise.server.campaign.plan.plan_keys import PlanKeys
from rankwise.server.phrases import LANGUAGES


@dataclass(frozen=True, slots=True)
class Translation:
    """The texts of a plan in one language; what is empty or left out stays as the plan has it.

    ``texts`` are pairs of a short text of the plan and its translation: the name of the campaign,
    questions and their choices, hints and feedback, severities, categories, marks, sliders.
    """

    instructions: str = ""
    consent: str = ""
    domain_instructions: tuple[tuple[str, str], ...] = ()
    texts: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, object]:
        """The translation as a table of a plan."""
        found = {"instructions": self.instructions, "consent": self.consent}
        tables = {"domain_instructions": self.domain_instructions, "texts": self.texts}
        return {key: text for key, text in found.items() if text} | {
            key: dict(pairs) for key, pairs in tables.items() if pairs
        }


NO_TRANSLATION = Translation()
Translations = tuple[tuple[str, Translation], ...]


def read_language(keys: PlanKeys) -> str:
    """The language of the judge's pages where a judge chose none; empty for the browser's."""
    code = keys.text("language", "", empty=True)
    if code and code not in LANGUAGES:
        raise keys.error("language", code, f"one of {', '.join(LANGUAGES)}, or an empty text")
    return code


def read_translations(
    keys: PlanKeys, texts: Collection[str], domains: Collection[str]
) -> Translations:
    """The tables of languages; *texts* are the short texts that the plan has, *domains* its own."""
    table = keys.inner("translations")
    found = []
    for code in LANGUAGES:
        inner = None if table is None else table.inner(code)
        if inner is not None:
            found.append((code, _translation(inner, texts, domains)))
    if table is not None:
        table.finish()
    return tuple(found)


def _translation(keys: PlanKeys, texts: Collection[str], domains: Collection[str]) -> Translation:
    found = Translation(
        keys.text("instructions", "", empty=True),
        keys.text("consent", "", empty=True),
        _pairs(keys, "domain_instructions", domains, "a domain of 'domain_instructions'"),
        _pairs(keys, "texts", texts, "a text that the plan shows to judges"),
    )
    keys.finish()
    return found


def _pairs(
    keys: PlanKeys, key: str, known: Collection[str], expected: str
) -> tuple[tuple[str, str], ...]:
    table = keys.raw(key, {})
    if not isinstance(table, Mapping):
        raise keys.error(key, table, "a table of texts")
    for name, text in table.items():
        if name not in known:
            raise keys.error(key, name, expected)
        if not isinstance(text, str) or not text.strip():
            raise keys.error(f"{key}.{name}", text, "a text that is not empty")
    return tuple((str(name), text) for name, text in table.items())
