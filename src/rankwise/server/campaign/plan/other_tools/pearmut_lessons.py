"""Tutorials, checks, questions and limits of a campaign of Pearmut, as keys of a plan, and back.

``data_welcome`` is the tutorial, and what is asked of judges before work; ``data_random`` are
checks. Rules of their items (``validation``) are rules of lessons. Both directions work on the
plan's table, so that a file of ours says the same again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankwise.errors import DataError
from rankwise.server.records import Json

#: So often a judge may answer where Pearmut would ask until the answer is right.
_TRIES = 20
#: The keys of ``info`` that are read here.
LESSON_INFO = (
    "data_random_prob",
    "validation_threshold",
    "docs_per_user",
    "dynamic_coldstart",
    "dynamic_coldstart_pool",
    "instructions_goodbye",
)
_FORMS = {"string": "text", "number": "number", "choices": "choice"}
_LINK = re.compile(r"""href\s*=\s*["'](https://[^"']+)["']""", re.IGNORECASE)
_RULES = ("score", "score_greaterthan", "error_spans")


@dataclass(slots=True)
class _Lessons:
    """What was read so far: keys of a plan, and what could not be taken over."""

    name: str
    keys: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_lessons(
    content: Json, own: Json, name: str, practice: Sequence[list[dict[str, Any]]] = ()
) -> tuple[dict[str, Any], list[str]]:
    """The keys that a file says, and a sentence for what has no counterpart.

    *own* is the plan's table in a file of ours; what it says holds unless the file was changed.
    *practice* are documents among the work that are there to learn on, once for every user.
    """
    if own and not practice and _as_written(content, own):
        return {}, []
    info, found = content["info"], _Lessons(name)
    welcome, questions = _welcome(content, found)
    welcome += [one for place, one in enumerate(practice) if one not in practice[:place]]
    if questions:
        found.keys["questions"] = questions
    tutorial = _lessons(welcome, "data_welcome", found)
    if tutorial:
        found.keys |= {"tutorial": tutorial, "tutorial_tries": _tries(tutorial)}
    checks = _lessons(_documents(content, "data_random", name), "data_random", found)
    if checks:
        found.keys |= {"checks": checks, "control_kind": "own", "check_tries": _tries(checks)}
        found.keys["check_pass"] = _check_pass(info, len(checks), found)
        found.keys |= _share(info, found)
    recruiting = _recruiting(info, found)
    if recruiting:
        found.keys["recruiting"] = {**(own.get("recruiting") or {}), **recruiting}
    found.keys |= _cold_start(info, found)
    return found.keys, found.warnings


def lesson_parts(table: Json) -> dict[str, list[list[dict[str, Any]]]]:
    """The tutorial, the questions before it and the checks of a plan's table, as documents."""
    parts = {"data_welcome": table.get("tutorial") or [], "data_random": table.get("checks") or []}
    found = {
        key: [_document(item, f"{key}_{n}") for n, item in enumerate(items)]
        for key, items in parts.items()
        if items
    }
    forms = [_form(one) for one in table.get("questions") or ()]
    return {**found, "data_welcome": [forms, *found.get("data_welcome", [])]} if forms else found


def _form(question: Json) -> dict[str, Any]:
    """A question as a form of Pearmut."""
    form = next(name for name, kind in _FORMS.items() if kind == question["kind"])
    found = {"form": form, "text": question["text"]}
    return found | ({"choices": list(question["choices"])} if question.get("choices") else {})


def lesson_info(table: Json) -> dict[str, Any]:
    """The keys of ``info`` that go with it."""
    found: dict[str, Any] = {"dynamic_coldstart": table["cold_start"]}
    if table.get("checks"):
        found["data_random_prob"] = table["control_share"]
        found["validation_threshold"] = round(1 - table["check_pass"], 9)
    quota = (table.get("recruiting") or {}).get("screens_per_judge")
    return found | ({"docs_per_user": quota} if quota else {})


def _as_written(content: Json, own: Json) -> bool:
    """Whether nothing of it was changed since we wrote the file."""
    parts, info = lesson_parts(own), lesson_info(own)
    same = all(content.get(key) == parts.get(key) for key in ("data_welcome", "data_random"))
    return same and all(content["info"].get(key) == info.get(key) for key in LESSON_INFO)


def _documents(content: Json, key: str, name: str) -> list[list[dict[str, Any]]]:
    found = content.get(key) or []
    if not isinstance(found, list) or not all(
        isinstance(one, list) and one and all(isinstance(item, dict) for item in one)
        for one in found
    ):
        raise DataError(f"{name}: {key!r} is no list of documents; expected lists of items")
    return found


def _welcome(
    content: Json, found: _Lessons
) -> tuple[list[list[dict[str, Any]]], list[dict[str, Any]]]:
    """The documents to learn on, and the questions of forms."""
    documents: list[list[dict[str, Any]]] = []
    questions: list[dict[str, Any]] = []
    for document in _documents(content, "data_welcome", found.name):
        if not any("form" in item for item in document):
            documents.append(document)
            continue
        for item in document:
            kind, choices = item.get("form"), item.get("choices") or item.get("options")
            number = len(questions) + 1
            if kind not in _FORMS or (kind == "choices" and not choices):
                shown = str(item.get("text", ""))[:60]
                found.warnings.append(f"the form {kind!r} of {shown!r} is not asked")
                continue
            asked = {"key": f"q{number}", "text": plain(item.get("text")), "kind": _FORMS[kind]}
            questions.append(asked | ({"choices": choices} if kind == "choices" else {}))
    return documents, questions


def plain(text: object) -> str:
    """A text of the file; what is left of HTML is dealt with by whoever shows it."""
    return str(text or "").strip()


def _lessons(documents: list[list[dict[str, Any]]], key: str, found: _Lessons) -> list[Any]:
    """Documents with rules as the plan's items; the others are named."""
    lessons = []
    told = sum(bool(item.get("instructions")) for document in documents for item in document)
    if told:
        why = "the plan's instructions are read before"
        found.warnings.append(f"'instructions' of {told} items of {key!r} is not taken over: {why}")
    for number, document in enumerate(documents, 1):
        where = f"{found.name}: document {number} of {key!r}"
        systems = list(_texts(document[0], where))
        rows = [_texts(item, where) for item in document]
        if any(list(row) != systems for row in rows) and any(set(r) != set(systems) for r in rows):
            raise DataError(f"{where} has other systems in some segments; expected the same in all")
        rules = [
            rule
            for place, (item, row) in enumerate(zip(document, rows, strict=True), 1)
            for rule in _rules(item, row, systems, place, where, found)
        ]
        if not rules:
            why = "nothing says what is right in it"
            found.warnings.append(f"document {number} of {key!r} is not taken over: {why}")
            continue
        shown = [
            {"source": plain(item.get("src")), "outputs": [row[system] for system in systems]}
            for item, row in zip(document, rows, strict=True)
        ]
        lessons.append(shown[0] | ({"more": shown[1:]} if shown[1:] else {}) | {"rules": rules})
    return lessons


def _texts(item: Json, where: str) -> dict[str, str]:
    texts = item.get("tgt")
    if not isinstance(texts, dict) or not texts:
        raise DataError(f"{where} has an item without 'tgt'; expected a text by system")
    if not isinstance(item.get("src"), str) or not all(isinstance(t, str) for t in texts.values()):
        raise DataError(f"{where} has an item without the text 'src', or other than texts in 'tgt'")
    return texts


def _rules(
    item: Json,
    texts: Mapping[str, str],
    systems: Sequence[str],
    segment: int,
    where: str,
    found: _Lessons,
) -> Iterator[dict[str, Any]]:
    """The rules of a segment, one for everything that is asked of a text."""
    validation = item.get("validation") or {}
    if isinstance(validation, list):  # in the order of the texts
        validation = dict(zip(systems, validation, strict=False))
    if not isinstance(validation, Mapping):
        raise DataError(f"{where} has the 'validation' {validation!r}; expected rules by system")
    for system, given in validation.items():
        if system not in texts:
            raise DataError(f"{where} has rules for {system!r}; expected a system of its 'tgt'")
        for one in given if isinstance(given, list) else [given]:
            if not isinstance(one, Mapping):
                raise DataError(f"{where} has the rule {one!r}; expected an object")
            base = {"text": systems.index(system) + 1, "segment": segment}
            hint = plain(one.get("warning"))
            for rule in _said(one, texts[system], systems, where, found):
                yield base | rule | ({"hint": hint} if hint else {})


def _said(
    one: Json, text: str, systems: Sequence[str], where: str, found: _Lessons
) -> Iterator[dict[str, Any]]:
    if one.get("score") is not None:
        yield {"score": one["score"]}
    if one.get("score_greaterthan") is not None:
        other = one["score_greaterthan"]
        place = other if type(other) is int else systems.index(other) if other in systems else -1
        if not 0 <= place < len(systems):
            raise DataError(f"{where} compares with {other!r}; expected a system of its 'tgt'")
        yield {"above": place + 1}
    spans = one.get("error_spans") or []
    for span in spans if isinstance(spans, list) else [spans]:
        rule = _span_rule(span, text, where)
        if rule is None:
            found.warnings.append(
                f"a rule about a mark behind the text is not taken over: {where.partition(': ')[2]}"
            )
        else:
            yield rule
    odd = [key for key in one if key not in (*_RULES, "warning")]
    if odd:
        found.warnings.append(f"{odd[0]!r} of a rule is not known and not taken over")


def _span_rule(span: object, text: str, where: str) -> dict[str, Any] | None:
    """Where an error must reach: what every place that Pearmut takes has in common."""
    if not isinstance(span, Mapping):
        raise DataError(f"{where} expects the error {span!r}; expected an object")
    start, end = (_between(span.get(key), where) for key in ("start_i", "end_i"))
    first, last = min(start[1], end[0]), max(start[1], end[0])
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    if first >= units:
        return None
    place = [_point(text, first), max(_point(text, first) + 1, _point(text, min(last, units) + 1))]
    severity = span.get("severity")
    return {"span": place} | ({"severity": str(severity)} if severity else {})


def _between(value: object, where: str) -> tuple[int, int]:
    pair = [value, value] if type(value) is int else value
    if not isinstance(pair, list) or len(pair) != 2 or any(type(n) is not int for n in pair):
        raise DataError(f"{where} expects an error at {value!r}; expected two whole numbers")
    return pair[0], pair[1]


def _point(text: str, units: int) -> int:
    """How many code points begin within so many UTF-16 units."""
    count = 0
    for place, character in enumerate(text):
        if count >= units:
            return place
        count += 1 + (character > "\uffff")
    return len(text)


def _tries(lessons: Sequence[Json]) -> int:
    """Items whose rules say a hint are asked again; without any they are silent."""
    return _TRIES if any(rule.get("hint") for one in lessons for rule in one["rules"]) else 1


def _check_pass(info: Json, count: int, found: _Lessons) -> float:
    most: Any = info.get("validation_threshold", 0)
    if type(most) not in (int, float) or most < 0:
        raise DataError(
            f"{found.name}: 'validation_threshold' is {most!r}; expected how many may fail"
        )
    if type(most) is int and most > 0:
        found.warnings.append(f"{most} failures of {count} checks, in 'info', became that share")
        return round(max(0.0, 1 - most / count), 9)
    return float(round(max(0.0, 1 - most), 9))


def _share(info: Json, found: _Lessons) -> dict[str, float]:
    """How often there is a check."""
    share: Any = info.get("data_random_prob")
    if share is None:
        return {}
    if type(share) not in (int, float) or not 0 <= share <= 1:
        raise DataError(f"{found.name}: 'data_random_prob' is {share!r}; expected 0 to 1")
    if share > 0.5:
        found.warnings.append("'info.data_random_prob' is more than half, which is most here")
    return {"control_share": float(min(share, 0.5))}


def _recruiting(info: Json, found: _Lessons) -> dict[str, Any]:
    """How much each may do, and what they get in the end."""
    keys: dict[str, Any] = {}
    if info.get("docs_per_user") is not None:
        keys["screens_per_judge"] = info["docs_per_user"]
    users = (
        [user for user in info.get("users") or () if isinstance(user, dict)]
        if isinstance(info.get("users"), list)
        else []
    )
    codes = {(plain(u.get("token_pass")), plain(u.get("token_fail"))) for u in users}
    code = codes.pop() if len(codes) == 1 else ("", "")
    if codes:
        found.warnings.append("tokens of 'info.users' are not taken over: all judges have one code")
    elif any(code):
        keys |= {"code_pass": code[0], "code_fail": code[1]}
    words = str(info.get("instructions_goodbye") or "")
    link = _LINK.search(words)
    if link and "${USER_ID}" not in link[1] and (code[0] or "${TOKEN}" not in link[1]):
        for key, token in zip(("redirect_pass", "redirect_fail"), code, strict=True):
            if token or "${TOKEN}" not in link[1]:
                keys[key] = link[1].replace("${TOKEN}", token)
    elif words:
        why = "the last page says thanks and shows the code"
        found.warnings.append(f"'info.instructions_goodbye' is not taken over: {why}")
    return keys


def _cold_start(info: Json, found: _Lessons) -> dict[str, int]:
    """On how many documents all systems are judged first."""
    given = [
        info[key]
        for key in ("dynamic_coldstart", "dynamic_coldstart_pool")
        if info.get(key) is not None
    ]
    if any(type(one) is not int or one < 0 for one in given):
        raise DataError(f"{found.name}: 'dynamic_coldstart' is {given!r}; expected a whole number")
    return {"cold_start": min(given)} if given else {}


def _document(lesson: Json, name: str) -> list[dict[str, Any]]:
    """An item of the plan as a document; texts are called by their letters."""
    rows = [lesson, *(lesson.get("more") or ())]
    systems = [chr(ord("A") + n) for n in range(len(lesson["outputs"]))]
    items = []
    for number, row in enumerate(rows, 1):
        item = {"item_id": f"{name}_{number}", "src": row["source"]}
        texts = dict(zip(systems, row["outputs"], strict=True))
        rules: dict[str, list[dict[str, Any]]] = {}
        for rule in lesson.get("rules") or ():
            if rule.get("segment", 1) == number:
                system = systems[rule["text"] - 1]
                written = _written(rule, systems, texts[system], lesson)
                rules.setdefault(system, []).append(written)
        items.append(item | {"tgt": texts} | ({"validation": rules} if rules else {}))
    return items


def _written(rule: Json, systems: Sequence[str], text: str, lesson: Json) -> dict[str, Any]:
    hint = rule.get("hint") or lesson.get("hint")
    found: dict[str, Any] = {"warning": hint} if hint else {}
    if rule.get("score") is not None:
        found["score"] = list(rule["score"])
    if rule.get("above") is not None:
        found["score_greaterthan"] = systems[rule["above"] - 1]
    if rule.get("span") is not None:
        near = rule.get("near") or 0
        start, end = max(0, rule["span"][0] - near), rule["span"][1] + near
        first, last = (
            len(text[:place].encode("utf-16-le", "surrogatepass")) // 2 for place in (start, end)
        )
        whole = len(text.encode("utf-16-le", "surrogatepass")) // 2
        span: dict[str, Any] = {"start_i": [0, last - 1], "end_i": [first, max(first, whole - 1)]}
        if rule.get("severity"):
            span["severity"] = rule["severity"]
        found["error_spans"] = [span]
    return found
