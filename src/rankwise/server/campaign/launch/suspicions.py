"""Texts that should be looked at before judges see them: each suspicion is a rule stated here."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from rankwise.server.campaign.ask.looks import look
from rankwise.server.campaign.launch.system_names import SystemNames
from rankwise.types import Segment

#: A segment is very long from so many words, or so many characters, on.
LONG_WORDS, LONG_CHARACTERS = 100, 1000

#: Every suspicion: how bad it is, and the sentence about one text and about n.
TEXT_CHECKS: dict[str, tuple[Literal["error", "warning", "info"], tuple[str, str]]] = {
    "names-system": (
        "warning",
        (
            "output names a system, so that judges may know whose it is.",
            "outputs name a system, so that judges may know whose they are.",
        ),
    ),
    "names-itself": (
        "warning",
        (
            "output speaks about who made it, or about being translated.",
            "outputs speak about who made them, or about being translated.",
        ),
    ),
    "empty": (
        "warning",
        (
            "output is empty; judges see an empty text.",
            "outputs are empty; judges see empty texts.",
        ),
    ),
    "empty-source": ("warning", ("source is empty.", "sources are empty.")),
    "copied": (
        "info",
        ("output is the same as its source.", "outputs are the same as their source."),
    ),
    "long": (
        "warning",
        (
            "text is very long (over 100 words or 1000 characters).",
            "texts are very long (over 100 words or 1000 characters).",
        ),
    ),
    "controls": (
        "warning",
        (
            "text holds control characters, which are not shown as such.",
            "texts hold control characters, which are not shown as such.",
        ),
    ),
    "bidi": (
        "warning",
        (
            "text holds bidirectional overrides, which can disguise it.",
            "texts hold bidirectional overrides, which can disguise a text.",
        ),
    ),
    "encoding": (
        "warning",
        (
            "text looks wrongly decoded (such as Ã¤ for ä, or U+FFFD).",
            "texts look wrongly decoded (such as Ã¤ for ä, or U+FFFD).",
        ),
    ),
    "markup": (
        "info",
        (
            "text holds markup or entities; it is shown as it is.",
            "texts hold markup or entities; they are shown as they are.",
        ),
    ),
}


def counted(count: int, one: str, many: str) -> str:
    """A sentence about a number of things.

    >>> counted(1, "source is empty.", "sources are empty.")
    '1 source is empty.'
    """
    return f"{count:,} {one if count == 1 else many}"


_SELF = re.compile(
    r"\b(as an? (ai|artificial|large language|language) (model|intelligence|assistant)?"
    r"|i(?:'m| am) (an ai|a language model|chatgpt|claude|gemini)|chatgpt|openai|gpt-?[345]"
    r"|google translate|deepl\b|bing translator|microsoft translator|als ki-|en tant qu['’]ia"
    r"|here(?:'s| is) (the|your|a) translation|translation:|translated (by|text:)"
    r"|i cannot translate|hier ist die übersetzung)",
    re.IGNORECASE,
)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\u2028\u2029]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_MOJIBAKE = re.compile(
    "\ufffd|Ã[\u0080-\u00bf¤-¿]|â€[\u0080-\u00ff™œ\u201c\u201d˜]|Â[\u00a0-\u00bf]|Ð[\u0080-\u00bf]Ð"
)
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]{0,80}>|&(?:amp|lt|gt|quot|apos|nbsp|#\d+);")


@dataclass(frozen=True, slots=True)
class SuspectText:
    """One text of a segment: an output, or the source itself."""

    text: str
    segment: Segment
    is_output: bool

    def reasons(self, names: SystemNames) -> Iterator[str]:
        """The names of all suspicions about this text."""
        text = self.text
        if not text.strip():
            yield "empty" if self.is_output else "empty-source"
            return
        if self.is_output:
            yield from self._of_output(names)
        if len(text) > LONG_CHARACTERS or text.count(" ") >= LONG_WORDS:
            yield "long"
        for name, rule in _ANYWHERE.items():
            if rule.search(text):
                yield name

    def _of_output(self, names: SystemNames) -> Iterator[str]:
        if self._is_new(names.are_in):
            yield "names-system"
        if self._is_new(_SELF.search):
            yield "names-itself"
        source = self.segment.source
        if len(source.split()) >= 3 and look(self.text) == look(source):
            yield "copied"

    def _is_new(self, fits: Callable[[str], object]) -> bool:
        """Whether a rule fits the output, but neither the source nor a reference."""
        if not fits(self.text):
            return False
        return not any(fits(text) for text in (self.segment.source, *self.segment.references))


_ANYWHERE = {"controls": _CONTROLS, "bidi": _BIDI, "encoding": _MOJIBAKE, "markup": _MARKUP}
