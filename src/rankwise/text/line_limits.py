"""Which lines are too long to be scored: the one place that says so.

A line of megabytes is a broken file more often than a text. What takes time or memory linear in a
line takes any; what does not states here where it stops, so that no line costs more than seconds
and two gigabytes.
"""

from collections.abc import Iterator

from rankwise.errors import LineError
from rankwise.text.segments import References, Texts, are_all_str

#: Characters of the longest text that a metric takes, unless its option ``longest`` says otherwise.
LONGEST = {"beer": 300_000, "learned": 20_000, "meteor": 300_000, "softmatch": 20_000}
#: Characters of the longest text of a campaign, where the server compares texts and shows them.
LONGEST_TEXT = 300_000
#: WER and CER: the units of a text times the edits it needs, about.
MOST_CELLS = 1 << 37
#: METEOR with paraphrases or ``compat=1.5``: words of a text times words of its reference.
MOST_WORD_PAIRS = 1 << 30


def check_lengths(
    owner: str, longest: int | None, hypotheses: Texts, references: References
) -> None:
    """Raise for the first text that is longer than *longest*, or than *owner* takes by default."""
    most = LONGEST[owner] if longest is None else longest
    hint = f"{owner} takes up to {most:,} ({owner}:longest=N takes more)"
    _check(most, hint, hypotheses, references)


def check_learned_lengths(hypotheses: Texts, references: References) -> None:
    """Raise for the first text that is too long for the features of a model."""
    most = LONGEST["learned"]
    _check(most, f"features are computed of up to {most:,}", hypotheses, references)


def _check(most: int, hint: str, hypotheses: Texts, references: References) -> None:
    if are_all_str(references) and not any(
        max(map(len, texts), default=0) > most for texts in (hypotheses, references)
    ):
        return  # the usual case
    for segment, number, text in _numbered(hypotheses, references):
        if len(text) > most:
            raise LineError(f"has {len(text):,} characters; {hint}", segment, number)


def _numbered(hypotheses: Texts, references: References) -> Iterator[tuple[int, int | None, str]]:
    """Every text with its segment, and with its number among the references if it is one."""
    for segment, (hypothesis, entry) in enumerate(zip(hypotheses, references, strict=True)):
        yield segment, None, hypothesis
        for number, text in enumerate([entry] if isinstance(entry, str) else entry):
            yield segment, number, text


def too_far_apart(owner: str, segment: int) -> LineError:
    """What to raise where the edits of a segment are too many to be counted."""
    said = (
        f"is too long to be aligned with a reference that differs so much; {owner} counts edits "
        f"up to a length times a distance of {MOST_CELLS:,}"
    )
    return LineError(said, segment)


def too_many_matches(segment: int) -> LineError:
    """What to raise where the matches of a segment are too many to be weighed."""
    said = (
        "has too many words that match words of a reference; with paraphrases or as METEOR 1.5 "
        f"has it, matches are sought in up to {MOST_WORD_PAIRS:,} pairs of words"
    )
    return LineError(said, segment)
