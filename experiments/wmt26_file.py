"""A campaign as WMT26 ran them, as one file of Pearmut, with made-up texts whose quality is known.

Three of twenty systems side by side, documents of four domains, twenty of them for the cold start,
a form, a tutorial with rules and five attention checks. ``Truth`` knows how good every text is.
"""

import random
from dataclasses import dataclass, field

DOMAINS = ("news", "speech", "social", "literary")
LETTERS = "abcdefghiklmnoprstuvz"
PRACTICE, CHECK = "practice", "check"


@dataclass
class Truth:
    """What is true of every text: the score it deserves; of lessons also the error to mark."""

    means: dict[str, float] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    errors: dict[str, tuple[int, int]] = field(default_factory=dict)


def wmt26_file(*, systems=20, documents=150, judges=30, quota=20, cold_start=20, seed=1):
    """The content of the file, and the truth."""
    drawn, truth = random.Random(seed), Truth()
    names = [f"system-{number:02d}" for number in range(1, systems + 1)]
    truth.means = {name: 88 - 30 * place / systems for place, name in enumerate(names)}
    data = [_document(number, names, truth, drawn) for number in range(documents)]
    codes = {"token_pass": "WELL-DONE", "token_fail": "NOT-THIS-TIME"}
    info = {
        "assignment": "dynamic",
        "protocol": "cESA",
        "users": [{"user_id": f"judge {n}", **codes} for n in range(1, judges + 1)],
        "seed": seed,
        "dynamic_models": 3,
        "dynamic_coldstart": cold_start,
        "docs_per_user": quota,
        "word_level": True,
        "special_tokens": ["[missing]", "[instructions fault]"],
        "instructions": "<p>Mark <b>errors</b>, then give a score.</p><p>Read the whole text.</p>",
        "data_random_prob": 0.2,
        "validation_threshold": 0.2,
        "show_alignment": True,
    }
    form = {"form": "number", "text": "For how many years have you translated?"}
    content = {"campaign_id": "wmt26_en-cs", "info": info, "data": data}
    content["data_welcome"] = [[form], *_practice(truth)]
    content["data_random"] = [_check(number, truth, drawn) for number in range(5)]
    return content, truth


def _words(drawn, count):
    return " ".join("".join(drawn.choices(LETTERS, k=drawn.randint(2, 9))) for _ in range(count))


def _document(number, names, truth, drawn):
    """Four segments; some documents are harder than others, for all or for a system."""
    domain = DOMAINS[number % len(DOMAINS)]
    hard = drawn.gauss(0, 6)
    own = {name: drawn.gauss(0, 8) for name in names}
    items = []
    for place in range(4):
        length = drawn.randint(6, 18)
        texts = {name: _words(drawn, length) for name in names}
        for name, text in texts.items():
            truth.scores[text] = truth.means[name] + hard + own[name] + drawn.gauss(0, 6)
        key = f"{domain}_###_document-{number:03d}_###_{place}"
        items.append({"item_id": key, "src": _words(drawn, length), "tgt": texts})
    if domain == "speech":
        items[0]["instructions"] = "This was said aloud; false starts may be left out."
    return items


def _practice(truth):
    """Two documents to learn on: a score and an error, and one output above another."""
    good, bad = "The dog sleeps under the table.", "The cat sleeps under the table."
    truth.scores |= {good: 95, bad: 40}
    truth.errors[bad] = (4, 7)
    hint = "Which animal is it?"
    error = {"start_i": [2, 4], "end_i": [6, 8], "severity": "major"}
    rules = {
        "A": {"score": [70, 100], "warning": "This one is right."},
        "B": {"score": [0, 60], "error_spans": [error], "warning": hint},
    }
    source = "Der Hund schläft unter dem Tisch."
    one = {"item_id": f"{PRACTICE}_1", "src": source, "tgt": {"A": good, "B": bad}}
    whole, half = "We come tomorrow at eight.", "We come tomorrow, I think."
    truth.scores |= {whole: 92, half: 55}
    above = {"A": {"score_greaterthan": "B", "warning": "When do they come?"}}
    other = {"item_id": f"{PRACTICE}_2", "src": "Wir kommen morgen um acht."}
    other |= {"tgt": {"A": whole, "B": half}, "validation": above}
    return [[one | {"validation": rules}], [other]]


def _check(number, truth, drawn):
    """Three texts of which the last has five words among themselves changed."""
    words = _words(drawn, 14).split()
    texts = {}
    for name in "AB":
        words = [*words[:-1], _words(drawn, 1)]
        texts[name] = " ".join(words)
        truth.scores[texts[name]] = 85.0
    texts["C"] = " ".join([*words[:4], *words[5:9], words[4], *words[9:]])
    truth.scores[texts["C"]] = 30.0
    rule = {"score_greaterthan": "C", "warning": "Please read carefully: one text is damaged."}
    source = " ".join(words)
    item = {"item_id": f"{CHECK}_{number}", "src": source, "tgt": texts}
    return [item | {"validation": {"A": rule, "B": rule}}]
