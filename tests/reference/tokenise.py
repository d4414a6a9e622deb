"""The tokenizers as chains of replacements, as their authors describe them; slow and obvious."""

import re

import regex

ASCII_SYMBOLS = "".join(
    c for c in map(chr, range(0x20, 0x7F)) if not c.isalnum() and c not in "'.,-"
)
CHINESE = [
    (0x2E80, 0x2EFF),
    (0x2F00, 0x2FDF),
    (0x2FF0, 0x2FFF),
    (0x2600, 0x27BF),
    (0x3000, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31EF),
    (0x3200, 0x33FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
]
EXTENSION_B = [(0x20000, 0x2A6D6), (0x2F800, 0x2FA1D)]
SACREBLEU_SLIP = [(0x2001, 0x2A6D), (0x2F81, 0x2FA1)]


def tokenise(text: str, tokenizer: str) -> list[str]:
    return RULES[tokenizer](text)


def western(line: str) -> list[str]:
    """The language-dependent half of mteval-v13a."""
    line = "".join(f" {c} " if c in ASCII_SYMBOLS else c for c in line)
    line = re.sub(r"([^0-9])([.,])", r"\1 \2 ", line)
    line = re.sub(r"([.,])([^0-9])", r" \1 \2", line)
    line = re.sub(r"([0-9])(-)", r"\1 \2 ", line)
    return line.split()


def mteval_13a(text: str) -> list[str]:
    pairs = [("<skipped>", ""), ("-\n", ""), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<")]
    for escaped, plain in [*pairs, ("&gt;", ">")]:
        text = text.replace(escaped, plain)
    return western(f" {text} ")


def mteval_14(text: str) -> list[str]:
    text = regex.sub(r"(\P{N})(\p{P})", r"\1 \2 ", text)
    text = regex.sub(r"(\p{P})(\P{N})", r" \1 \2", text)
    return regex.sub(r"(\p{S})", r" \1 ", text).split()


def chinese(text: str, characters: set[str]) -> list[str]:
    return western("".join(f" {c} " if c in characters else c for c in text.strip()))


def characters_of(ranges: list[tuple[int, int]]) -> set[str]:
    return {chr(c) for first, last in ranges for c in range(first, last + 1)}


CHINESE_CHARACTERS = characters_of(CHINESE + EXTENSION_B)
SACREBLEU_CHARACTERS = characters_of(CHINESE + SACREBLEU_SLIP)


RULES = {
    "none": str.split,
    "13a": mteval_13a,
    "intl": mteval_14,
    "char": lambda text: [c for c in text if not c.isspace()],
    "zh": lambda text: chinese(text, CHINESE_CHARACTERS),
    "zh-sacrebleu": lambda text: chinese(text, SACREBLEU_CHARACTERS),
}
