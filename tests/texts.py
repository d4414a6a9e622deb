"""Texts that break tokenizers and n-gram counters, as hypothesis strategies."""

from hypothesis import strategies as st

#: Marks, digits, entities, every kind of space, several scripts, combining marks, lone surrogates.
PIECES = [
    *".,-'&<>$%\"!()[]{}_/\\|^~`:;?@#*+=",
    *"0123456789",
    *"aAbBzZßİΣς",
    *"éñüøđœ",
    *"،。、，．！？：「」“”‘’«»–—…·•",
    *"€£¥©®™°±×÷¢",
    *"½²³①Ⅷ٣९௧",
    *"我你好中文𠀀𠮷鿿豈丽⺀⼀㐀",
    *"アイウエオｱｲｳー々한국어",
    *"שלוםمرحبا",
    *"नमस्ते",
    "\u0301",
    "\u200b",
    "\ufeff",
    "\u200d",
    "👍🏽",
    "👩‍👩‍👧",
    "☃✂→↔",
    "\x00",
    "\ud800",
    "\udfff",
    "\U0010ffff",
    *" \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000",
    "-\n",
    "&quot;",
    "&amp;",
    "&lt;",
    "&gt;",
    "&amp;lt;",
    "<skipped>",
    "...",
    "1,000.5",
    "2-3",
    "the",
    "cat",
    "Cat",
    " the cat",
]

tricky = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=24).map("".join)
WORDS = ["a", "b", "the", "cat.", "(hi)", "x,", "。", "é"]
words = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
texts = tricky | words
references = st.lists(texts, min_size=1, max_size=3)
segments = st.lists(st.tuples(texts, references), min_size=1, max_size=5)


def unzip(pairs):
    """Hypotheses and references of (hypothesis, references) pairs."""
    return [hypothesis for hypothesis, _ in pairs], [references for _, references in pairs]
