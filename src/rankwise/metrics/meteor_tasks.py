"""The parameters METEOR 1.5 was tuned to, by language and task.

Denkowski and Lavie (2014), Meteor Universal. A row has alpha, beta, gamma, delta, and a weight for
each matcher.
"""

from dataclasses import dataclass

from rankwise.errors import DataError

#: METEOR's names of languages that have another ISO 639-1 name.
ALIASES = {"cz": "cs", "se": "sv"}


@dataclass(frozen=True, slots=True)
class Parameters:
    """What turns counts into a score; ``weights`` by matcher, in the order matchers run.

    ``alpha`` weighs recall against precision, ``beta`` and ``gamma`` shape the penalty for
    fragmentation, ``delta`` weighs content words against function words.
    """

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: dict[str, float]


def _row(numbers: str, **weights: float) -> Parameters:
    alpha, beta, gamma, delta = map(float, numbers.split())
    return Parameters(alpha, beta, gamma, delta, weights)


_STEMMED_ONLY = _row(".75 1.40 .70 .50", exact=1, stem=0.5)

#: The task "rank" for every language; "other" is any language without rules of its own.
RANK = {
    "en": _row(".85 .20 .60 .75", exact=1, stem=0.6, synonym=0.8, paraphrase=0.6),
    "cs": _row(".95 .20 .60 .80", exact=1, paraphrase=0.4),
    "fr": _row(".90 1.40 .60 .65", exact=1, stem=0.2, paraphrase=0.4),
    "es": _row(".65 1.30 .50 .80", exact=1, stem=0.8, paraphrase=0.6),
    "de": _row(".95 1.00 .55 .55", exact=1, stem=0.8, paraphrase=0.2),
    "ru": _row(".75 1.40 .70 .50", exact=1, stem=0.5, paraphrase=0.5),
    **dict.fromkeys(("da", "fi", "hu", "it", "nl", "no", "pt", "ro", "sv", "tr"), _STEMMED_ONLY),
    "other": _row(".75 1.40 .70 .50", exact=1),
}

#: Tasks of English alone.
ENGLISH = {
    "adq": _row(".75 1.40 .45 .70", exact=1, stem=1, synonym=0.6, paraphrase=0.8),
    "hter": _row(".40 1.50 .35 .55", exact=1, stem=0.2, synonym=0.6, paraphrase=0.8),
    "util": _row(".65 .10 .55 .65", exact=1, stem=0, synonym=0, paraphrase=0.8),
    "tune": _row(".50 1.00 .50 .50", exact=1, stem=0.5, synonym=0.5, paraphrase=0.5),
}

#: Tasks of every language; "li" is independent of the language, "universal" knows no language.
ANY_LANGUAGE = {
    "li": _row(".75 1.40 .70 .50", exact=1, stem=0.5),
    "universal": _row(".70 1.40 .30 .70", exact=1, paraphrase=0.6),
}

TASKS = ("rank", *ENGLISH, *ANY_LANGUAGE)


def task_parameters(language: str, task: str) -> Parameters:
    """The parameters of a language for a task.

    >>> task_parameters("de", "rank").delta
    0.55
    """
    if task == "rank":
        return RANK[language]
    if task in ANY_LANGUAGE:
        return ANY_LANGUAGE[task]
    if language != "en":
        known = ", ".join(("rank", *ANY_LANGUAGE))
        raise DataError(
            f"meteor: task {task!r} is for English; for {language!r} choose from {known}"
        )
    return ENGLISH[task]
