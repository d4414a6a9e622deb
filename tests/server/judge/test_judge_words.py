"""Every sentence of the judge's pages is in every language, and none is outside the catalogues."""

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

from rankwise.server.campaign.launch.judge_words import PLURALS, words_of
from rankwise.server.phrases import LANGUAGES, Phrase, counted_phrase

ROOT = Path(__file__).parents[3]
SERVER = ROOT / "src" / "rankwise" / "server"
OTHERS = [code for code in LANGUAGES if code != "en"]
#: Templates that judges see, whole or in part.
TEMPLATES = [
    *sorted((SERVER / "templates" / "judge").glob("*.html")),
    SERVER / "templates" / "errors" / "error.html",
]
SCRIPTS = [
    path
    for path in sorted((SERVER / "static" / "judge").rglob("*.js"))
    if path.parent.name != "words"
]
#: What is the same in every language: a name, letters on buttons, what only developers see.
SAME = {"Rankwise", "· Rankwise", "A", "z", "JavaScript", "?", "0–100", "U+", "A > B", "B > A"}


@cache
def judge_words():
    """The script that finds sentences."""
    path = ROOT / "scripts" / "judge_words.py"
    spec = importlib.util.spec_from_file_location("judge_words", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def known():
    return judge_words().sentences()


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_every_sentence_and_no_other(code):
    found = judge_words().faults(code, known())
    todo = "write them into static/judge/words (docs/how-to/translate-the-pages.md)"
    assert not found, f"{todo}:\n" + "\n".join(found)


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_is_written_as_the_script_writes_it(code):
    module = judge_words()
    path = module.WORDS / f"{code}.js"
    assert path.read_text(encoding="utf-8") == module.written(code, module.catalogue(code))


def test_every_language_has_its_plurals_and_its_file():
    files = {path.stem for path in judge_words().WORDS.glob("*.js")}
    assert set(PLURALS) >= set(LANGUAGES) and files == set(OTHERS)


# ---- nothing is said outside


def words_between_tags(template):
    """The text of a template that no expression makes, and attributes that people read."""
    # a class of style, and what is no sentence of a page: what blocks of these names hold
    text = re.sub(r"{% block (?:body|main)_class %}.*?{% endblock %}", "", template)
    text = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", "", text, flags=re.DOTALL)
    read = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', text)
    return [part.strip() for part in [*re.split(r"<[^>]*>", text), *read]]


def literals(script):
    """The literals of a script that could be words, but for those that ``t`` and ``tn`` get."""
    text = re.sub(r"^\s*//.*$|\s// .*$", "", script, flags=re.MULTILINE)
    text = re.sub(r'(?<![\w.])t\(\s*"(?:[^"\\]|\\.)*"', "", text)
    text = re.sub(r'(?<![\w.])tn\([^"]*?"(?:[^"\\]|\\.)*",\s*"(?:[^"\\]|\\.)*"', "", text)
    plain = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return plain + [re.sub(r"\$\{[^}]*\}", "", part) for part in re.findall(r"`([^`]*)`", text)]


#: A capital and small letters, or two words of small letters: somebody is to read it.
SPOKEN = re.compile(
    r"^[^\w.#\[/(]*[A-Z][a-z]+\b(?![-_/:=])|^[a-z]+ [a-z]+[ .,!]|[a-z]+ [a-z]+ [a-z]+"
)
#: Names of keys, elements and events, addresses, classes of style.
NAMES = re.compile(
    r"^(Arrow\w+|Enter|Escape|Delete|Backspace|Home|End|Page\w+|Shift\+.*|Content-Type|X-[\w-]+"
    r"|Segmenter|Infinity|GET|POST|PUT|Key)$"
)
CLASSES = re.compile(
    r"^(button|banner|outputs|document|text|chip|chips|shelf|error-item|rank-end|level-)[\w -]*$"
)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_says_nothing_by_itself(path):
    said = [part for part in words_between_tags(path.read_text("utf-8")) if part not in SAME]
    found = [part for part in said if re.search(r"[A-Za-z]{2,}", part)]
    assert not found, f'put them into {{{{ t("…") }}}}: {found}'


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_nothing_by_itself(path):
    said = literals(path.read_text("utf-8"))
    found = [
        part
        for part in said
        if SPOKEN.search(part)
        and part not in SAME
        and not NAMES.match(part)
        and not CLASSES.match(part)
        and "var(" not in part
        and "querySelector" not in part
        and not re.search(r"[#\[=]|button:|application/|^\.", part)
    ]
    assert not found, f't("…") from words.js takes them: {found}'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('x = "Nothing here now";', ["Nothing here now"]),
        ("x = `Saved ${time}`;", ["Saved "]),
        ('x = t("Nothing here now");', []),
        ('x = tn(n, "One try.", "{n} tries.");', []),
    ],
)
def test_what_a_script_says_by_itself_is_found(text, found):
    assert [part for part in literals(text) if SPOKEN.search(part)] == found


def test_what_a_template_says_by_itself_is_found():
    found = words_between_tags('<p title="Read me">{{ t("Yes") }} and <b>no</b></p>{# but #}')
    assert [part for part in found if part] == ["and", "no", "Read me"]


# ---- how a sentence is said


def test_a_phrase_reads_as_english_and_is_said_in_german():
    german = words_of("de")
    said = Phrase(
        "Think again about the score of {text}.", text=Phrase("text {letter}", letter="A")
    )
    assert said == "Think again about the score of text A."
    assert german(said) == "Denken Sie noch einmal über die Punkte von Text A nach."


@pytest.mark.parametrize(("n", "said"), [(1, "1 Minute"), (2, "2 Minuten"), (0, "0 Minuten")])
def test_a_phrase_that_counts(n, said):
    assert words_of("de")(counted_phrase(n, "{n} minute", "{n} minutes")) == said


def test_what_no_catalogue_has_stays():
    assert words_of("de")("The dog barks.") == "The dog barks."
    assert not words_of("de").knows("The dog barks.") and words_of("en").knows("The dog barks.")
