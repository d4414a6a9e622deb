"""METEOR's normaliser as a list of regular expressions, one pass each."""

import re

A = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e"
A += "\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
AN = "0-9" + A
SPACE = " \t\n\x0b\f\r"
WIDE = "\u00a0\u2000-\u200a\u202f\u205f\u3000"

COMMAS = [(r"([^0-9]),([^0-9])", r"\1 , \2"), (r"([0-9]),([^0-9])", r"\1 , \2")]
COMMAS += [(r"([^0-9]),([0-9])", r"\1 , \2")]
QUOTES = [("[`‘’]", "'"), ("[“”]|''", ' " ')]
HYPHENS = [("–", "-"), ("--", "-"), (rf"([{AN}.])-([{AN}])", r"\1 \2")]
APOSTROPHES = {
    "en": [
        (rf"([^{A}])'([^{A}])", r"\1 ' \2"),
        (rf"([^{A}0-9])'([{A}])", r"\1 ' \2"),
        (rf"([{A}])'([^{A}])", r"\1 ' \2"),
        (rf"([{A}])'([{A}])", r"\1 '\2"),
        (r"([0-9])'(s)", r"\1 '\2"),
    ],
    "fr": [
        (rf"([^{A}])'([^{A}])", r"\1 ' \2"),
        (rf"([^{A}])'([{A}])", r"\1 ' \2"),
        (rf"([{A}])'([^{A}])", r"\1 ' \2"),
        (rf"([{A}])'([{A}])", r"\1' \2"),
    ],
}


def normalise(text, *, language, prefixes, numeric, punctuation=True):
    """The tokens of *text*, case kept."""
    line = f" {text} "
    line = re.sub(rf"([^{AN}{SPACE}.'`,\-‘’])", r" \1 ", line)
    line = re.sub(r"\.(\.+)", r" DOTMULTI\1", line)
    while "DOTMULTI." in line:
        line = re.sub(r"DOTMULTI\.([^.])", r"DOTDOTMULTI \1", line)
        line = line.replace("DOTMULTI.", "DOTDOTMULTI")
    rules = COMMAS + QUOTES + HYPHENS + APOSTROPHES.get(language, [("'", " ' ")])
    for pattern, replacement in rules:
        line = re.sub(pattern, replacement, line)
    words = re.findall("[^ \t\n\r\f]+", line)
    following = [*words, ""][1:]
    line = " ".join(
        full_stop(word, after, prefixes, numeric)
        for word, after in zip(words, following, strict=True)
    )
    while "DOTDOTMULTI" in line:
        line = line.replace("DOTDOTMULTI", "DOTMULTI.")
    line = line.replace("DOTMULTI", ".")
    if not punctuation:
        line = re.sub(rf"[^{AN}]", " ", line)
    line = re.sub(f"[ {WIDE}]+", " ", line)
    return re.findall("[^ \t\n\r\f]+", line.strip("".join(map(chr, range(33)))))


def full_stop(word, after, prefixes, numeric):
    if len(word) < 2 or not word.endswith("."):
        return word
    before = word[:-1]
    if "." in before and re.search(f"[{A}]", before):
        return word.replace(".", "")
    if before in prefixes or re.match("[a-z]", after):
        return word
    if before in numeric and re.match("[0-9]", after):
        return word
    return f"{before} ."
