"""The sentences of the judge's pages: which there are, and what a language does not have yet.

    .venv/bin/python scripts/judge_words.py            # what is missing or too much, by language
    .venv/bin/python scripts/judge_words.py --fill     # writes the catalogues anew: sentences that
                                                       # are gone go, new ones come in English

Sentences are found where they are made: ``t("…")`` and ``tn(n, "…", "…")`` in templates and
scripts, ``Phrase("…")`` and ``counted_phrase(n, "…", "…")`` in Python, and the usual names of
errors.
"""

import ast
import json
import re
import sys
from pathlib import Path
from typing import Any

from rankwise.server.campaign.launch.judge_words import PLURALS, read_catalogue
from rankwise.server.campaign.plan.span_rules import ESA_RULES, MQM_RULES
from rankwise.server.phrases import LANGUAGES

SERVER = Path(__file__).parents[1] / "src" / "rankwise" / "server"
WORDS = SERVER / "static" / "judge" / "words"
_TEXT = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_ONE = re.compile(rf"(?<![\w.])t\(\s*{_TEXT}", re.DOTALL)
_COUNTED = re.compile(rf"(?<![\w.])tn\(\s*[^\"']*?,\s*{_TEXT},\s*{_TEXT}", re.DOTALL)
#: A sentence and its form for one, where it counts.
Sentences = dict[str, str | None]


def sentences() -> Sentences:
    """Every sentence that the pages can say, and the form for one of those that count."""
    found: Sentences = {}
    for path in sorted(SERVER.rglob("*.html")):
        found |= in_text(path.read_text(encoding="utf-8"))
    for path in sorted((SERVER / "static").rglob("*.js")):
        if path.parent != WORDS:
            found |= in_text(path.read_text(encoding="utf-8"))
    for path in sorted(SERVER.rglob("*.py")):
        found |= in_python(path.read_text(encoding="utf-8"))
    return found | dict.fromkeys(usual_names())


def in_text(text: str) -> Sentences:
    """The sentences of a template or a script.

    >>> in_text('t("Back") + tn(n, "One try.", "{n} tries.")')
    {'Back': None, '{n} tries.': 'One try.'}
    """
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    found: Sentences = {_plain(said): None for said in _ONE.findall(text)}
    return found | {_plain(many): _plain(one) for one, many in _COUNTED.findall(text)}


def _plain(quoted: str) -> str:
    value: str = ast.literal_eval(quoted)
    return value


def in_python(text: str) -> Sentences:
    """The sentences of a module in Python.

    >>> in_python('Phrase("Back"), counted_phrase(n, "One try.", "{n} tries.")')
    {'Back': None, '{n} tries.': 'One try.'}
    """
    found: Sentences = {}
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        said = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
        if node.func.id == "Phrase" and said:
            found[said[0]] = None
        elif node.func.id == "counted_phrase" and len(said) >= 2:
            found[said[-1]] = said[-2]
    return found


def usual_names() -> list[str]:
    """What errors are called where a plan names none: severities, categories, marks."""
    found = [name for rules in (ESA_RULES, MQM_RULES) for name in (*rules.severities, *rules.marks)]
    found += [name for group, inner in MQM_RULES.categories for name in (group, *inner)]
    return list(dict.fromkeys(found))


def catalogue(code: str) -> dict[str, Any]:
    """The sentences of a language as its file has them."""
    return read_catalogue((WORDS / f"{code}.js").read_text(encoding="utf-8"))


def placeholders(sentence: str) -> set[str]:
    """The places of a sentence.

    >>> sorted(placeholders("{done} of {all!r}"))
    ['all', 'done']
    """
    return set(re.findall(r"\{(\w+)(?:![rs])?\}", sentence))


def faults(code: str, known: Sentences) -> list[str]:
    """What is wrong with the catalogue of a language, a line each."""
    have = catalogue(code)
    found = [f"{code}: no translation of {said!r}" for said in known if said not in have]
    found += [f"{code}: {said!r} is said nowhere any more" for said in have if said not in known]
    for said, words in have.items():
        if said in known:
            found += [f"{code}: {said!r} {why}" for why in _wrong(code, said, known[said], words)]
    return found


def _wrong(code: str, said: str, one: str | None, words: object) -> list[str]:
    if one is None:
        if not isinstance(words, str) or not words.strip():
            return ["is no text"]
        same = placeholders(words) == placeholders(said)
        return [] if same else [f"has other places: {words!r}"]
    forms = set(map(PLURALS[code], range(1001)))
    if not isinstance(words, dict) or set(words) != forms:
        return [f"needs the forms {', '.join(sorted(forms))}"]
    # a form that stands for one number only may say it in words
    numbers = {form: [n for n in range(1001) if PLURALS[code](n) == form] for form in forms}
    spare = {form: {"n"} if len(numbers[form]) == 1 else set() for form in forms}
    return [
        f"has other places in the form {form!r}: {text!r}"
        for form, text in words.items()
        if placeholders(text) | spare[form] != placeholders(said) | spare[form]
    ]


def written(code: str, words: dict[str, Any]) -> str:
    """The file of a language."""
    table = json.dumps(words, ensure_ascii=False, indent=2)
    return (
        f"// {LANGUAGES[code]}: the English sentence, and what stands for it.\n"
        f'import {{ learn }} from "../words.js";\n\nlearn({table});\n'
    )


def filled(code: str, known: Sentences) -> dict[str, Any]:
    """The catalogue of a language in the order of the sentences; new ones stay in English."""
    path = WORDS / f"{code}.js"
    have = catalogue(code) if path.exists() else {}
    forms = dict.fromkeys(map(PLURALS[code], range(1001)))
    return {
        said: have.get(said, said if one is None else dict.fromkeys(forms, said))
        for said, one in known.items()
    }


def main(arguments: list[str]) -> int:
    """Say what is missing, or fill it in."""
    known = sentences()
    codes = [code for code in LANGUAGES if code != "en"]
    if arguments == ["--fill"]:
        for code in codes:
            (WORDS / f"{code}.js").write_text(written(code, filled(code, known)), encoding="utf-8")
        return 0
    found = [fault for code in codes for fault in faults(code, known)]
    print("\n".join(found) or f"{len(known)} sentences in {len(LANGUAGES)} languages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
