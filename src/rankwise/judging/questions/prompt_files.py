"""Prompts: plain files with two parts and names in braces, which a user may replace."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from rankwise.errors import DataError
from rankwise.judging.questions.question import Question
from rankwise.types import Segment

#: What a prompt may name in braces.
PLACEHOLDERS = (
    "source",
    "references",
    "output",
    "outputs",
    "labels",
    "source_language",
    "target_language",
    "document",
)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_PART = re.compile(r"^\[(system|user)\][ \t]*$", re.MULTILINE)
_TITLE = re.compile(r"\A# rankwise prompt: (\S+ \S+)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The two messages of a prompt with their placeholders, and what it is called.

    ``name`` and version come from the first line of the file, ``# rankwise prompt: NAME VERSION``.
    """

    name: str
    system: str
    user: str

    @property
    def signature(self) -> str:
        """The name, the version and eight digits of the text, which another text has not."""
        text = f"{self.system}\0{self.user}".encode()
        return f"{self.name.replace(' ', '-')}:{hashlib.sha256(text).hexdigest()[:8]}"

    def messages(self, values: Mapping[str, str]) -> list[dict[str, str]]:
        """The chat messages with *values* in their places.

        A paragraph that names something without a value is left out. What is put in is never looked
        through for further names.
        """
        parts = {"system": _filled(self.system, values), "user": _filled(self.user, values)}
        return [{"role": role, "content": text} for role, text in parts.items() if text]


def built_in_text(protocol: str) -> str:
    """The file of the prompt that comes with a protocol."""
    place = files("rankwise.judging").joinpath("prompts", f"{protocol}.txt")
    return place.read_text(encoding="utf-8")


def built_in_prompt(protocol: str) -> Prompt:
    """The prompt that comes with a protocol.

    >>> built_in_prompt("pairwise").name
    'pairwise 1'
    """
    return parsed_prompt(built_in_text(protocol), protocol)


def parsed_prompt(text: str, origin: str) -> Prompt:
    r"""The prompt of a file's *text*; errors, and a prompt without a title, call it *origin*.

    >>> parsed_prompt("[user]\nTranslate {source}.\n", "mine").messages({"source": "x"})
    [{'role': 'user', 'content': 'Translate x.'}]
    """
    head, *rest = _PART.split(text)
    parts = dict(zip(rest[::2], (part.strip("\n") for part in rest[1::2]), strict=True))
    if "user" not in parts or len(rest) != 2 * len(parts):
        raise DataError(
            f"{origin}: expected a prompt with one line [user], the message below it, and above "
            "it perhaps [system] with another"
        )
    if any(line.strip() and not line.startswith("#") for line in head.splitlines()):
        raise DataError(f"{origin}: expected only lines that begin with # above the first part")
    for name in _PLACEHOLDER.findall("\n".join(parts.values())):
        if name not in PLACEHOLDERS:
            known = ", ".join(f"{{{one}}}" for one in PLACEHOLDERS)
            raise DataError(f"{origin}: unknown name {{{name}}}; choose from {known}")
    title = _TITLE.search(text)
    return Prompt(title[1] if title else origin, parts.get("system", ""), parts["user"])


def must_show(prompt: Prompt, *, several: bool) -> None:
    """Raise unless the prompt shows what is judged: ``{outputs}`` of several, else ``{output}``."""
    wanted, other = ("outputs", "output") if several else ("output", "outputs")
    named = set(_PLACEHOLDER.findall(f"{prompt.system}\n{prompt.user}"))
    if wanted not in named or other in named:
        raise DataError(
            f"prompt {prompt.name!r} must have {{{wanted}}} and no {{{other}}} for this protocol"
        )


def values_of(
    question: Question, segment: Segment, languages: tuple[str, str], *, with_reference: bool = True
) -> dict[str, str]:
    """What a prompt may show of a question; texts are JSON strings, so that none can end itself."""
    shown = {
        "source": json.dumps(segment.source, ensure_ascii=False) if segment.source else "",
        "source_language": languages[0],
        "target_language": languages[1],
        "document": segment.document or "",
        "labels": ", ".join(question.labels),
        "output": json.dumps(question.texts[0], ensure_ascii=False),
        "outputs": "\n".join(
            f"{label}: {json.dumps(text, ensure_ascii=False)}"
            for label, text in zip(question.labels, question.texts, strict=True)
        ),
    }
    if with_reference and segment.references:
        told = dict.fromkeys(segment.references)
        shown["references"] = "\n".join(json.dumps(text, ensure_ascii=False) for text in told)
    return {name: text for name, text in shown.items() if text}


def _filled(part: str, values: Mapping[str, str]) -> str:
    paragraphs = re.split(r"\n[ \t]*\n", part)
    kept = [p for p in paragraphs if all(name in values for name in _PLACEHOLDER.findall(p))]
    return "\n\n".join(
        _PLACEHOLDER.sub(lambda found: values[found[1]], paragraph) for paragraph in kept
    ).strip()
