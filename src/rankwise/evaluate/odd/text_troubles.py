"""Texts that should be looked at before their scores are believed, in a sentence for each trouble.

Nothing here changes a number. Empty outputs are counted in all lines; the rest is a property of a
whole file, and some lines of every block tell it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import eq
from typing import TYPE_CHECKING
from unicodedata import is_normalized

from rankwise.evaluate.odd.shifted_lines import ShiftedLines
from rankwise.evaluate.odd.twin_texts import TwinTexts
from rankwise.text.languages import Language, language_of
from rankwise.types.text_block import Block, blocks_of, first_reference

if TYPE_CHECKING:
    from rankwise.types.testset import TestSet

#: Fewer segments than this tell nothing about a file.
LEAST_SEGMENTS = 10
#: The share of lines from which on an output is called a copy.
COPIED = 2 / 3
#: How many lines are looked at, spread evenly: of the first block, and of every other.
LOOKED_AT, LOOKED_AT_LATER = 500, 50
#: Of full stops and commas, the share with a space before it that tells tokens from text.
TOKENISED, PLAIN = 0.5, 0.1
#: What Moses and others leave in tokenised text.
ESCAPES = ("@-@", "&apos;", "&quot;", "&amp;", "&#91;", "&#93;", "&lt;", "&gt;")
#: What pieces of words have that were never joined: those of BPE and of SentencePiece.
PIECES = ("@@ ", "▁")
#: The share of lines with such a sign from which on it is no accident.
ESCAPED = 0.02
#: Signs of one kind that a text must have before it is said how it writes them.
LEAST_SIGNS = 10
#: Of quotation marks or apostrophes, the share of straight ones that says how a text writes them.
STRAIGHT = 0.9
#: Systems that are named of those that write them otherwise: it may be most of them.
NAMED = 4
#: How signs are written: straight or narrow, and otherwise.
QUOTES = {
    "quotation marks": ('"', "“”„«»"),
    "apostrophes": ("'", "’"),
    "punctuation marks": (",!?;:", "，！？；：、"),
}
#: What a line may have that others lack, and what is said of it.
ODD_LINES = {
    "escaped": "escapes such as &quot; or @-@",
    "pieces": "pieces of words, with @@ or ▁,",
    "decomposed": "letters in another form of Unicode than NFC",
    "tabs": "tab characters, as of a table,",
}
#: The share of lines without a capital letter from which on a text has lost them, or has them.
LOWERED, CAPITAL = 0.95, 0.5
#: Of characters in a language without spaces, the share of spaces that tells tokens from text.
SPACED = 0.15


class TextTroubles:
    """What was seen of texts so far; blocks go through as they are."""

    def __init__(self, language: Language | None = None) -> None:
        self._is_spaced = language is None or language.is_spaced
        self._language = language
        self._script: Language | None = None
        self._counts: dict[str, Counter[str]] = {}
        self._references: Counter[str] = Counter()
        self._lines = 0
        self._twins = TwinTexts()
        self._shifts = ShiftedLines()

    def watched(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The same blocks, looked at one by one."""
        for block in blocks:
            self.see(block)
            yield block

    def see(self, block: Block) -> None:
        """Count what is odd in a block."""
        self._twins.see(block)
        self._shifts.see(block)
        if self._script is None:
            self._script = language_of(block.references)
        wanted = LOOKED_AT_LATER if self._lines else LOOKED_AT
        places = slice(None, None, max(1, len(block) // wanted))
        self._lines += len(block)
        references = block.references[places]
        self._references += _signs([first_reference(entry) for entry in references])
        self._references["empty"] += _empty_references(block.references)
        self._references["missing"] += sum(entry == () for entry in references)
        for system, texts in block.outputs.items():
            counts, some = self._counts.setdefault(system, Counter()), texts[places]
            counts += _signs(some)
            counts["empty"] += _empty(texts, block.references)
            counts["reference"] += _copied(some, references)
            if len(block.sources):
                counts["source"] += sum(map(eq, some, block.sources[places]))

    def sentences(self) -> list[str]:
        """One sentence for every kind of trouble, with the systems and counts."""
        if self._lines < LEAST_SEGMENTS:
            return []
        return [
            *self._twins.sentences(),
            *self._shifts.sentences(),
            *self._about_language(),
            *self._about_lines(),
            *self._about_tokens(),
            *self._about_odd_lines(),
            *self._about_capitals(),
            *self._about_quotes(),
        ]

    def _about_language(self) -> Iterator[str]:
        """A language that was named and whose words are not found as the script asks for."""
        named, script = self._language, self._script
        if named is None or script is None or not named.is_known or not script.script:
            return
        if named.tokenizer != script.tokenizer:
            written = f"in the script of {script.code}" if script.code else "not in its script"
            yield f"the language is {named.code}, but the references are {written}"

    def _about_lines(self) -> Iterator[str]:
        looked = self._references["lines"]
        if self._references["empty"]:
            yield f"empty references, of {self._lines} lines: {self._references['empty']}"
        for kind, what, least, lines in (
            ("empty", "empty outputs", 1, self._lines),
            ("reference", "outputs that are the reference itself", COPIED * looked, looked),
            ("source", "outputs that are the source itself", COPIED * looked, looked),
        ):
            found = {name: counts[kind] for name, counts in self._counts.items()}
            listed = [f"{name} ({n})" for name, n in found.items() if n >= least]
            if listed:
                yield f"{what}, of {_of_lines(lines, self._lines)}: {', '.join(listed)}"

    def _about_tokens(self) -> Iterator[str]:
        shares = {name: self._share(counts) for name, counts in self._counts.items()}
        reference = self._share(self._references)
        least, most = (TOKENISED, PLAIN) if self._is_spaced else (SPACED, SPACED / 3)
        tokenised = [name for name, share in shares.items() if share >= least]
        plain = [name for name, share in shares.items() if share <= most]
        sign = "spaces before full stops and commas" if self._is_spaced else "spaces between words"
        if reference >= least:
            others = f", {', '.join(plain)} not" if plain else ""
            yield f"the references look tokenised ({sign}){others}"
        elif tokenised and reference <= most and self._has_references:
            listed = ", ".join(f"{name} ({shares[name]:.0%})" for name in tokenised)
            yield f"outputs look tokenised, the references do not ({sign}): {listed}"
        if reference < least:
            yield from self._about_apart({*tokenised})

    def _about_apart(self, told: set[str]) -> Iterator[str]:
        """Quotation marks and contractions that stand apart, where full stops do not."""
        if not self._has_references or _apart(self._references) > PLAIN:
            return
        apart = {name: _apart(c) for name, c in self._counts.items() if name not in told}
        listed = [f"{name} ({share:.0%})" for name, share in apart.items() if share >= TOKENISED]
        if listed:
            signs = "quotation marks or contractions"
            yield f"{signs} stand between spaces, not in the references: {', '.join(listed)}"

    def _about_odd_lines(self) -> Iterator[str]:
        """What outputs have in their lines and references lack, or the other way round."""
        references = self._references
        lines = _of_lines(references["lines"], self._lines)
        for kind, what in ODD_LINES.items():
            usual = _of_all(references, kind)
            found = {
                name: counts[kind]
                for name, counts in self._counts.items()
                if counts[kind] >= max(ESCAPED, 3 * usual) * counts["lines"]
            }
            if found:
                listed = ", ".join(f"{name} ({number})" for name, number in found.items())
                yield f"{what} in outputs, of {lines}: {listed}"
            most = max((_of_all(counts, kind) for counts in self._counts.values()), default=0.0)
            if usual >= max(ESCAPED, 3 * most):
                yield f"{what} in the references, of {lines}: {references[kind]}"

    def _about_capitals(self) -> Iterator[str]:
        """Who has no capital letters, where the others have some; of caseless scripts nothing."""
        if not self._has_references:
            return
        without = {name: _of_all(counts, "lowered") for name, counts in self._counts.items()}
        usual = _of_all(self._references, "lowered")
        texts = {name for name, counts in self._counts.items() if counts["empty"] < self._lines}
        lost = [name for name, share in without.items() if share >= LOWERED and name in texts]
        if lost and usual <= CAPITAL:
            yield f"outputs have no capital letters, the references do: {_some(lost)}"
        kept = [name for name, share in without.items() if share <= CAPITAL]
        if kept and usual >= LOWERED:
            yield f"the references have no capital letters, outputs do: {_some(kept)}"

    def _about_quotes(self) -> Iterator[str]:
        """Who writes quotation marks or apostrophes otherwise than the references."""
        for kind, (straight, others) in QUOTES.items():
            usual = _straight(self._references, kind)
            if usual is None or 1 - STRAIGHT < usual < STRAIGHT:
                continue
            shares = {name: _straight(counts, kind) for name, counts in self._counts.items()}
            odd = [
                name
                for name, share in shares.items()
                if share is not None and abs(share - usual) >= 2 * STRAIGHT - 1
            ]
            if odd:
                narrow, bent = " ".join(straight), " ".join(others)
                ours, theirs = (narrow, bent) if usual > 0.5 else (bent, narrow)
                yield f"{kind} are {ours} in the references, {theirs} in outputs: {_some(odd)}"

    @property
    def _has_references(self) -> bool:
        return self._references["missing"] < self._references["lines"]

    def _share(self, counts: "Counter[str]") -> float:
        if self._is_spaced:
            return counts["spaced"] / max(counts["marks"], 1)
        return counts["spaces"] / max(counts["characters"], 1)


def text_troubles(testset: "TestSet", language: Language | None = None) -> list[str]:
    """The sentences about a whole test set; systems without some output are passed over."""
    whole = {name: texts for name, texts in testset.outputs.items() if None not in texts}
    if not whole:
        return []
    troubles = TextTroubles(language)
    for block in blocks_of(replace(testset, outputs=whole)):
        troubles.see(block)
    return troubles.sentences()


def _of_lines(looked: int, lines: int) -> str:
    return f"{lines} lines" if looked == lines else f"{looked} lines looked at"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _of_all(counts: "Counter[str]", kind: str) -> float:
    """The share of the lines looked at."""
    return counts[kind] / max(counts["lines"], 1)


def _signs(texts: Sequence[str]) -> "Counter[str]":
    """What tells tokens from text, counted over some lines joined as one."""
    text = "\n".join(texts)
    spaced = text.count(" .") + text.count(" ,") - text.count(" ..")
    escaped = _with_any(ESCAPES, texts) if "@-@" in text or "&" in text else 0
    pieces = _with_any(PIECES, texts) if "@@" in text or "▁" in text else 0
    return Counter(
        lines=len(texts),
        marks=text.count(".") + text.count(","),
        spaced=spaced,
        escaped=escaped,
        pieces=pieces,
        tabs=sum("\t" in line for line in texts) if "\t" in text else 0,
        decomposed=0
        if is_normalized("NFC", text)
        else sum(not is_normalized("NFC", line) for line in texts),
        lowered=sum(map(eq, texts, map(str.lower, texts))),
        quotes=text.count('"') + text.count("'s ") + text.count("n't "),
        apart=text.count(' " ') + text.count(" 's ") + text.count(" n't "),
        **{
            f"{form} {kind}": sum(map(text.count, signs))
            for kind, forms in QUOTES.items()
            for form, signs in zip(("straight", "other"), forms, strict=True)
        },
        characters=len(text),
        spaces=text.count(" "),
    )


def _with_any(signs: Sequence[str], texts: Sequence[str]) -> int:
    return sum(any(map(line.__contains__, signs)) for line in texts)


def _apart(counts: "Counter[str]") -> float:
    """The share of quotation marks and contractions between spaces; 0 where there are few."""
    return counts["apart"] / counts["quotes"] if counts["quotes"] >= LEAST_SIGNS else 0.0


def _straight(counts: "Counter[str]", kind: str) -> float | None:
    """The share of straight ones among signs of a kind; None where there are few."""
    straight, other = counts[f"straight {kind}"], counts[f"other {kind}"]
    return straight / (straight + other) if straight + other >= LEAST_SIGNS else None


def _empty(texts: Sequence[str], references: Sequence[str | Sequence[str]]) -> int:
    """Outputs without any text, where the reference has some, or there is none."""
    if "" not in texts and not any(map(str.isspace, texts)):
        return 0
    pairs = zip(texts, references, strict=True)
    return sum(
        not text.strip() and (entry == () or bool(first_reference(entry).strip()))
        for text, entry in pairs
    )


def _empty_references(references: Sequence[str | Sequence[str]]) -> int:
    """Segments one of whose references is without any text."""
    return sum(
        not entry.strip() if isinstance(entry, str) else not all(map(str.strip, entry))
        for entry in references
    )


def _copied(texts: Sequence[str], references: Sequence[str | Sequence[str]]) -> int:
    """Outputs that are one of their references."""
    if isinstance(references[0], str):  # then all of them are, or equal nothing
        return sum(map(eq, texts, references))
    return sum(
        text == entry if isinstance(entry, str) else text in entry
        for text, entry in zip(texts, references, strict=True)
    )
