"""Texts that should be looked at: every trouble is named once, and clean texts are left alone."""

import re
import unicodedata

import pytest

from rankwise import Study
from rankwise.evaluate.odd.text_troubles import TextTroubles, text_troubles
from rankwise.text.languages import Language, target_language_of
from rankwise.types import Segment, TestSet
from rankwise.types.text_block import blocks_of
from shared_data import needs_shared
from wmt_sets import wmt_texts

CLEAN = [f"Number {i}, they said, isn't \"much\": it's 3.5 - or 1,000 more." for i in range(40)]
OTHER = [f"They said that {i}, it seems, isn't \"so much\"; it's 3.5 or 1,000." for i in range(40)]


def tokenised(line: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"([.,:;\"]|n't|'s)(?!\d)", r" \1 ", line)).strip()


def troubles(outputs, references=CLEAN, sources=(), language=None):
    texts = Study.from_texts(outputs, references, sources).texts
    return text_troubles(texts, language)


def test_clean_texts_are_left_alone():
    assert troubles({"a": OTHER, "b": OTHER[::-1]}) == []


def test_empty_outputs_are_counted_where_the_reference_has_text():
    with_gaps = ["", " ", *OTHER[2:]]
    assert troubles({"a": with_gaps, "b": OTHER}) == ["empty outputs, of 40 lines: a (2)"]
    both = troubles({"a": with_gaps}, ["", "", *CLEAN[2:]])
    assert both == ["empty references, of 40 lines: 2"]


def test_empty_references_are_counted():
    assert troubles({"a": OTHER}, ["", " ", *CLEAN[2:]]) == ["empty references, of 40 lines: 2"]
    two = {"one": ["", *CLEAN[1:]], "two": [*CLEAN[::-1][:39], ""]}
    assert troubles({"a": OTHER}, two) == ["empty references, of 40 lines: 2"]


def test_an_output_without_any_text_is_not_said_to_lack_capitals():
    assert troubles({"a": [""] * 40}) == ["empty outputs, of 40 lines: a (40)"]


def test_a_table_given_as_a_text_has_tabs():
    table = [f"{i}\t{line}" for i, line in enumerate(OTHER)]
    assert troubles({"a": table, "b": OTHER}) == [
        "tab characters, as of a table, in outputs, of 40 lines: a (40)"
    ]


@pytest.mark.parametrize(
    ("named", "references", "said"),
    [
        ("de", ["今日はいい天気です。"] * 40, "in the script of ja"),
        ("zh", CLEAN, "not in its script"),
        ("th", ["今天天气很好。"] * 40, "in the script of zh"),
        ("yue", ["今天天气很好。"] * 40, None),
        ("de", CLEAN, None),
        ("ru", CLEAN, None),  # words are found alike
        ("xx", ["今天天气很好。"] * 40, None),  # nothing is known of it
    ],
)
def test_a_language_whose_script_the_references_do_not_have(named, references, said):
    found = troubles({"a": OTHER}, references, language=Language(named, is_given=True))
    told = [x for x in found if x.startswith("the language is")]
    assert told == ([f"the language is {named}, but the references are {said}"] if said else [])


def test_the_reference_or_the_source_given_as_an_output():
    most = [*CLEAN[:27], *OTHER[27:]]
    assert troubles({"a": CLEAN, "b": most, "c": [*CLEAN[:26], *OTHER[26:]]}) == [
        "outputs that are the reference itself, of 40 lines: a (40), b (27)"
    ]
    two = {"one": OTHER[::-1], "two": CLEAN}
    assert troubles({"a": CLEAN}, two) == [
        "outputs that are the reference itself, of 40 lines: a (40)"
    ]
    source = [f"Quelle {i}" for i in range(40)]
    assert troubles({"a": source}, sources=source) == [
        "outputs that are the source itself, of 40 lines: a (40)"
    ]


def test_a_system_or_a_reference_that_came_twice():
    outputs = {"a": OTHER, "b": OTHER[::-1], "c": OTHER, "d": [*OTHER[:39], "else"]}
    assert troubles(outputs) == ["systems whose outputs are the same in every line: a, c"]
    twice = {"one": CLEAN, "two": CLEAN[::-1], "three": CLEAN}
    assert troubles({"a": OTHER}, twice) == ["references that are the same in every line: 1 and 3"]
    nearly = {"one": CLEAN, "two": [*CLEAN[:39], "else"]}
    assert troubles({"a": OTHER}, nearly) == []


def test_what_differs_in_a_later_block_is_no_twin():
    outputs = {"a": OTHER, "b": [*OTHER[:39], "else"], "c": OTHER}
    texts = Study.from_texts(outputs, {"one": CLEAN, "two": [*CLEAN[:35], *CLEAN[:5]]}).texts
    seen = TextTroubles()
    for block in blocks_of(texts, 10):
        seen.see(block)
    assert seen.sentences() == ["systems whose outputs are the same in every line: a, c"]


def test_tokenised_outputs_beside_plain_references():
    (said,) = troubles({"a": [tokenised(line) for line in OTHER], "b": OTHER})
    assert said.startswith("outputs look tokenised, the references do not (spaces before full")
    assert re.search(r": a \(\d+%\)$", said)


def test_tokenised_references():
    references = [tokenised(line) for line in CLEAN]
    (said,) = troubles({"a": [tokenised(line) for line in OTHER], "b": OTHER}, references)
    assert said == "the references look tokenised (spaces before full stops and commas), b not"


def test_escapes_that_the_references_lack():
    escaped = [line.replace('"', "&quot;").replace(" - ", " @-@ ") for line in OTHER]
    assert troubles({"a": escaped, "b": OTHER}) == [
        "escapes such as &quot; or @-@ in outputs, of 40 lines: a (40)"
    ]
    assert troubles({"a": escaped}, [line.replace('"', "&quot;") for line in CLEAN]) == []


def test_escapes_that_the_outputs_lack():
    references = [line.replace("'", "&apos;").replace(" - ", " @-@ ") for line in CLEAN]
    said = troubles({"a": OTHER, "b": OTHER[::-1]}, references)
    assert "escapes such as &quot; or @-@ in the references, of 40 lines: 40" in said


@pytest.mark.parametrize("piece", ["s@@ aid", "▁said"])
def test_pieces_of_words_that_were_never_joined(piece):
    cut = [line.replace("said", piece) for line in OTHER]
    assert troubles({"a": cut, "b": OTHER}) == [
        "pieces of words, with @@ or ▁, in outputs, of 40 lines: a (40)"
    ]
    references = [line.replace("said", piece) for line in CLEAN]
    assert troubles({"a": OTHER}, references) == [
        "pieces of words, with @@ or ▁, in the references, of 40 lines: 40"
    ]
    assert troubles({"a": cut}, references) == []


def test_capitals_that_are_lost():
    lower = [line.lower() for line in OTHER]
    said = "outputs have no capital letters, the references do: a"
    assert troubles({"a": lower, "b": OTHER}) == [said]
    references = [line.lower() for line in CLEAN]
    said = "the references have no capital letters, outputs do: b"
    assert troubles({"a": lower, "b": OTHER}, references) == [said]
    assert troubles({"a": lower}, references) == []
    half = [*lower[:20], *OTHER[20:]]  # as questions may be typed
    assert troubles({"a": half}) == []
    many = {f"s{number}": [f"{line} {number}" for line in lower] for number in range(6)}
    assert troubles(many) == [
        "outputs have no capital letters, the references do: s0, s1, s2, s3 and 2 more"
    ]


def test_nothing_is_said_of_references_that_are_not_there():
    apart = [f"\" {number} \" does n't do , it 's that ." for number in range(40)]
    sources = [f"Quelle {number}" for number in range(40)]
    for outputs in (OTHER, [line.lower() for line in OTHER], apart):
        found = troubles({"a": outputs}, references=(), sources=sources)
        assert [sentence for sentence in found if "references" in sentence] == []


def test_scripts_without_capitals_lose_none():
    arabic = [f"الطقس جميل اليوم {number}" for number in range(40)]
    assert troubles({"a": arabic[::-1]}, arabic) == []


def test_letters_in_another_form_of_unicode():
    accents = [line.replace("said", "sàid") for line in CLEAN]
    apart = [unicodedata.normalize("NFD", line.replace("said", "sàid")) for line in OTHER]
    assert troubles({"a": apart, "b": OTHER}, accents) == [
        "letters in another form of Unicode than NFC in outputs, of 40 lines: a (40)"
    ]
    assert troubles({"a": apart}, [unicodedata.normalize("NFD", line) for line in accents]) == []


def test_punctuation_of_another_width():
    chinese = Language("zh", "Han", is_given=True)
    lines = ["今天天气很好，我们去公园！", "他昨天买了一本新书，很有意思？"] * 10
    narrow = [line.translate(str.maketrans("，！？", ",!?")) for line in lines[::-1]]
    assert troubles({"a": narrow, "b": lines[::-1]}, lines, language=chinese) == [
        "punctuation marks are ， ！ ？ ； ： 、 in the references, , ! ? ; : in outputs: a"
    ]


def test_quotes_that_are_written_otherwise():
    bent = [re.sub('"(.*?)"', r"“\1”", line).replace("'", "’") for line in OTHER]
    assert troubles({"a": bent, "b": OTHER}) == [
        'quotation marks are " in the references, “ ” „ « » in outputs: a',
        "apostrophes are ' in the references, ’ in outputs: a",
    ]
    assert troubles({"a": bent, "b": OTHER}, [line.replace("'", "’") for line in CLEAN]) == [
        'quotation marks are " in the references, “ ” „ « » in outputs: a',
        "apostrophes are ’ in the references, ' in outputs: b",
    ]
    few = [*bent[:2], *(line.replace('"', "") for line in OTHER[2:])]
    assert not any("quotation" in said for said in troubles({"a": few}))


def test_quotes_that_stand_apart_where_full_stops_do_not():
    """As detokenisers leave them that know nothing of the language."""
    apart = [re.sub(r'"(.*?)"', r'" \1 "', line).replace("n't", " n't") for line in OTHER]
    apart = [line.replace('";', '" ;') for line in apart]
    (said,) = troubles({"a": apart, "b": OTHER})
    assert said.startswith("quotation marks or contractions stand between spaces, not in the ref")
    assert said.endswith("a (75%)")


def test_words_apart_in_a_language_without_spaces():
    chinese = Language("zh", "Han", is_given=True)
    lines = ["今天天气很好，我们去公园。", "他昨天买了一本新书，很有意思。"] * 10
    apart = [" ".join(line) for line in lines]
    (said,) = troubles({"a": apart}, lines, language=chinese)
    assert "(spaces between words): a (" in said
    assert troubles({"a": lines[::-1]}, lines, language=chinese) == []


def test_a_handful_of_lines_tells_nothing():
    assert troubles({"a": CLEAN[:9]}, CLEAN[:9]) == []


def test_a_system_without_some_output_is_passed_over():
    segments = tuple(Segment(str(i), "", (line,)) for i, line in enumerate(CLEAN))
    testset = TestSet(segments, {"a": (None, *OTHER[1:]), "b": tuple(CLEAN)})
    assert text_troubles(testset) == ["outputs that are the reference itself, of 40 lines: b (40)"]
    assert text_troubles(TestSet(segments, {"a": (None, *OTHER[1:])})) == []


def test_blocks_go_through_as_they_are_and_large_files_are_looked_at_in_part():
    texts = Study.from_texts({"a": ["", *CLEAN[1:]] * 100}, CLEAN * 100).texts
    blocks = list(blocks_of(texts, 1000))
    seen = TextTroubles()
    assert list(seen.watched(iter(blocks))) == blocks
    empty, copied = seen.sentences()
    assert empty == "empty outputs, of 4000 lines: a (100)"
    assert copied.startswith("outputs that are the reference itself, of 650 lines looked at: a (")


STRAIGHT = 'quotation marks are " in the references, “ ” „ « » in outputs: '
TWINS = "systems whose outputs are the same in every line: KwaiNLP, XMU"
BENT = 'quotation marks are “ ” „ « » in the references, " in outputs: '


@needs_shared
@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("wmt21/ja-en", [TWINS, f"{STRAIGHT}Online-Y"]),
        ("wmt21/ru-en", [f"{STRAIGHT}Online-Y"]),
        (
            "wmt21-wiki/bn-hi",
            [
                "letters in another form of Unicode than NFC in the references, of 503 lines: 41",
                f"{BENT}GTCOM, MS-EgDC, Online-A, Online-B and 3 more",
            ],
        ),
        ("wmt22/cs-en", [f"{STRAIGHT}HUMAN-C, Online-Y"]),
        (
            "wmt22/de-en",
            [
                f"{BENT}JDExploreAcademy, LT22, Lan-Bridge, Online-A and 4 more",
                "apostrophes are ’ in the references, ' in outputs: JDExploreAcademy, Lan-Bridge, "
                "Online-A, Online-B and 4 more",
            ],
        ),
        (
            "wmt24/en-cs",
            [
                "empty outputs, of 997 lines: CommandR-plus (1), Gemini-1.5-Pro (2), "
                "Phi-3-Medium (21)",
                "outputs that are the reference itself, of 997 lines: refA (997)",
                "escapes such as &quot; or @-@ in outputs, of 997 lines: ONLINE-B (163)",
                f"{BENT}CycleL, ONLINE-A, ONLINE-G, ONLINE-W and 1 more",
            ],
        ),
    ],
)
def test_systems_of_wmt(pair, expected):
    """What is said is true: ONLINE-B has &quot; for quotes, Online-Y alone has “ ”."""
    texts = wmt_texts(pair)
    assert text_troubles(texts, target_language_of(texts)) == expected
