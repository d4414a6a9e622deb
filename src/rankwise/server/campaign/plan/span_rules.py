"""What may be marked in a text: severities, categories, marks for what is not there, overlaps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

from rankwise.errors import DataError
from rankwise.io.formats.assessments.error_spans import PUBLISHED, weight
from rankwise.server.campaign.plan.answer_parts import quoted
from rankwise.server.campaign.plan.plan_keys import PlanKeys

#: What a marked place is made of; ``auto`` goes by the language.
Unit = Literal["auto", "word", "character"]
#: Languages that are written without spaces between words.
UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my", "bo", "dz", "yue", "wuu"})
#: More errors in one text say nothing that fewer do not.
MOST_SPANS = 200

#: The categories of WMT's MQM: Freitag et al. (2021), TACL 9, appendix A.
TAXONOMY: dict[str, tuple[str, ...]] = {
    "Accuracy": ("Addition", "Omission", "Mistranslation", "Untranslated text"),
    "Fluency": (
        "Punctuation",
        "Spelling",
        "Grammar",
        "Register",
        "Inconsistency",
        "Character encoding",
    ),
    "Terminology": ("Inappropriate for context", "Inconsistent use"),
    "Style": ("Awkward",),
    "Locale convention": (
        "Address format",
        "Currency format",
        "Date format",
        "Name format",
        "Telephone format",
        "Time format",
    ),
    "Non-translation": (),
    "Source error": (),
    "Other": (),
}

Span = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SpanRules:
    """What a judge may mark.

    ``weights`` are by severity, or by ``severity/category`` in lower case; the longest key that
    fits counts. ``categories`` are pairs (category, its subcategories); without any, errors have
    none. ``marks`` stand for what has no place in the text. No severities: nothing is marked.
    """

    severities: tuple[str, ...] = ("minor", "major")
    weights: tuple[tuple[str, float], ...] = (("minor", 1.0), ("major", 5.0))
    categories: tuple[tuple[str, tuple[str, ...]], ...] = ()
    marks: tuple[str, ...] = ("[missing]",)
    overlap: bool = False
    unit: Unit = "auto"

    def to_json(self) -> dict[str, object]:
        """The rules as the table of a plan."""
        return {
            "severities": list(self.severities),
            "weights": dict(self.weights),
            "categories": {name: list(inner) for name, inner in self.categories},
            "marks": list(self.marks),
            "overlap": self.overlap,
            "unit": self.unit,
        }

    def unit_of(self, language: str) -> str:
        """What a marked place is made of in a language.

        >>> SpanRules().unit_of("zh-Hans"), SpanRules().unit_of("en_GB")
        ('character', 'word')
        """
        if self.unit != "auto":
            return self.unit
        code = language.replace("_", "-").partition("-")[0].lower()
        return "character" if code in UNSPACED else "word"

    @property
    def category_names(self) -> tuple[str, ...]:
        """Every category that a judge may choose.

        >>> SpanRules(categories=(("Fluency", ("Spelling",)), ("Other", ()))).category_names
        ('Fluency/Spelling', 'Other')
        """
        return tuple(
            f"{name}/{one}" if one else name
            for name, inner in self.categories
            for one in inner or ("",)
        )

    def penalty(self, spans: Sequence[Mapping[str, Any]]) -> float:
        """The sum of the weights of errors.

        >>> SpanRules().penalty([{"severity": "minor"}, {"severity": "major"}])
        6.0
        """
        table = dict(self.weights)
        return round(sum(weight(s["severity"], s.get("category") or "", table) for s in spans), 6)

    def normal(self, spans: object, *, is_given: bool = False) -> list[Span]:
        """Errors of one text in their normal form: by place, marks last; or a DataError.

        Those that a machine has *given* may lack a category, which the judge says then.
        """
        if not isinstance(spans, list | tuple) or len(spans) > MOST_SPANS:
            shown = f"{len(spans)} entries" if isinstance(spans, list | tuple) else quoted(spans)
            raise DataError(f"the errors are {shown}; expected a list of at most {MOST_SPANS}")
        found = [self._span(span, is_given=is_given) for span in spans]
        placed = sorted((s for s in found if "start" in s), key=lambda s: (s["start"], s["end"]))
        if not self.overlap:
            for before, after in pairwise(placed):
                if after["start"] < before["end"]:
                    raise DataError(f"an error begins at {after['start']}, within another one")
        return placed + [span for span in found if "mark" in span]

    def _span(self, span: object, *, is_given: bool) -> Span:
        if not isinstance(span, Mapping):
            raise DataError(f"an error is {quoted(span)}; expected an object")
        place = self._mark(span) if "mark" in span else self._place(span)
        severity = _known(span, "severity", self.severities)
        found = {**place, "severity": severity}
        if self.categories:
            is_open = is_given and span.get("category") is None
            known = self.category_names
            found["category"] = None if is_open else _known(span, "category", known)
        odd = [key for key in span if key not in found]
        if odd:
            raise DataError(f"an error has an unknown key {quoted(odd[0])}")
        return found

    def _mark(self, span: Mapping[str, Any]) -> Span:
        return {"mark": _known(span, "mark", self.marks)}

    @staticmethod
    def _place(span: Mapping[str, Any]) -> Span:
        start, end = span.get("start"), span.get("end")
        if type(start) is not int or type(end) is not int or not 0 <= start < end:
            raise DataError(
                f"an error reaches from {quoted(start)} to {quoted(end)}; expected two positions, "
                "the second after the first"
            )
        return {"start": start, "end": end}


def _known(span: Mapping[str, Any], key: str, known: Sequence[str]) -> str:
    value = span.get(key)
    if not isinstance(value, str) or value not in known:
        expected = ", ".join(known) or "none"
        raise DataError(f"the {key} of an error is {quoted(value)}; expected one of {expected}")
    return value


#: What ESA marks.
ESA_RULES = SpanRules()
#: What WMT's MQM marks.
MQM_RULES = SpanRules(
    severities=("neutral", "minor", "major"),
    weights=tuple((key, value) for key, value in PUBLISHED.items() if key != "no-error"),
    categories=tuple(TAXONOMY.items()),
    marks=("[missing]",),
)


def read_span_rules(keys: PlanKeys, usual: SpanRules) -> SpanRules:
    """The rules of a table of a plan; *usual* stands for what it does not say."""
    severities = _names(keys, "severities", usual.severities)
    weights = tuple(_weights(keys, usual, severities).items())
    categories = keys.raw("categories", None)
    unit: Any = keys.choice("unit", get_args(Unit), usual.unit)
    found = SpanRules(
        severities,
        weights,
        usual.categories if categories is None else _taxonomy(keys, categories),
        _names(keys, "marks", usual.marks),
        keys.flag("overlap", usual.overlap),
        unit,
    )
    keys.finish()
    return found


def _names(keys: PlanKeys, key: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    found = keys.texts(key, usual)
    if len(set(found)) < len(found) or len(found) > 20 or any(len(name) > 60 for name in found):
        raise keys.error(key, list(found), "at most 20 different names of up to 60 characters")
    return found


def _weights(keys: PlanKeys, usual: SpanRules, severities: Sequence[str]) -> dict[str, float]:
    given = keys.raw("weights", None)
    table = dict(usual.weights) if given is None else given
    expected = "a table of severities, or severities and categories, with numbers from 0"
    if not isinstance(table, Mapping):
        raise keys.error("weights", table, expected)
    found: dict[str, float] = {}
    for key, value in table.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= 1000:
            raise keys.error("weights", {key: value}, expected)
        found[str(key).lower()] = float(value)
    for severity in severities:
        if severity.lower() not in found:
            expected = f"a weight for the severity {severity!r}"
            raise keys.error("weights", found, expected)
    return found


def _taxonomy(keys: PlanKeys, table: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    expected = "a table of categories, each with a list of subcategories"
    if not isinstance(table, Mapping):
        raise keys.error("categories", table, expected)
    for name, inner in table.items():
        texts = [name, *inner] if isinstance(inner, list | tuple) else [None]
        if not all(isinstance(text, str) and text.strip() and "/" not in text for text in texts):
            raise keys.error("categories", {name: inner}, expected + ", names without '/'")
    return tuple((str(name), tuple(inner)) for name, inner in table.items())
