"""Two packages stem, one of them on each Python: for any word they give the same stem."""

import gzip
import itertools
import random
import re
from importlib import import_module, metadata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankwise as rw
from rankwise.errors import MissingExtra
from rankwise.text import snowball
from rankwise.text.function_words import function_words
from rankwise.text.stemming import ALGORITHMS, stems_of
from shared_data import SHARED
from texts import tricky

TABLES = Path(rw.__file__).parent / "text" / "data"
both = pytest.mark.skipif(
    snowball.snowball_package() != "PyStemmer", reason="PyStemmer 2 is not here: Python 3.14"
)


def stemmer(package, algorithm):
    return lambda words: snowball._stems(snowball._STEMMERS[package](algorithm), words)


def differences(algorithm, words):
    """Words that the packages stem otherwise, with both stems."""
    one, other = (stemmer(package, algorithm)(words) for package in snowball.PACKAGES)
    return [found for found in zip(words, one, other, strict=True) if found[1] != found[2]]


@pytest.fixture(scope="module")
def seen_words():
    """Words of the example, of the tables of the package and of the shared data, where they are."""
    testset = rw.example().testset
    texts = [text for outputs in testset.outputs.values() for text in outputs]
    texts += [
        part for segment in testset.segments for part in (segment.source, *segment.references)
    ]
    texts += [" ".join(function_words(language)) for language in ALGORITHMS]
    for path in sorted(TABLES.glob("*.gz")):
        texts.append(gzip.decompress(path.read_bytes()).decode())
    if SHARED is not None:
        for path in sorted((SHARED / "data").rglob("*.txt")):
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
    found = {word for text in texts for word in re.findall(r"\S+|\w+", text)}
    return sorted(found | {word.lower() for word in found})


@both
@pytest.mark.parametrize("language", ALGORITHMS)
def test_words_that_occur_have_one_stem(language, seen_words):
    words = random.Random(language).sample(seen_words, min(len(seen_words), 12_000))
    assert len(words) > 5_000
    assert differences(ALGORITHMS[language], words) == []


def endings(algorithm):
    """Every ending and beginning that the rules of an algorithm look for."""
    module = import_module(f"snowballstemmer.{algorithm}_stemmer")
    rules = vars(getattr(module, f"{algorithm.capitalize()}Stemmer"))
    tables = [table for name, table in rules.items() if re.fullmatch(r"a_\d+", name)]
    return sorted({among.s for table in tables for among in table})


@both
@pytest.mark.parametrize("language", ALGORITHMS)
def test_words_made_of_all_endings_have_one_stem(language):
    """Roots of random letters with every ending, and with two of them in a row."""
    algorithm, draw = ALGORITHMS[language], random.Random(language)
    parts = endings(algorithm)
    letters = sorted({letter for part in parts for letter in part} | set("aeioubcdgst"))
    twice = list(itertools.product(parts, parts))
    tails = [*parts, *(first + last for first, last in draw.sample(twice, min(len(twice), 3_000)))]
    words = [
        "".join(draw.choices(letters, k=draw.randint(0, 7))) + tail
        for tail in tails
        for _ in range(2)
    ]
    assert len(words) > 100
    assert differences(algorithm, words) == []


@both
@given(word=tricky, algorithm=st.sampled_from(sorted(ALGORITHMS.values())))
def test_hostile_words_have_one_stem(word, algorithm):
    assert differences(algorithm, [word]) == []


@pytest.mark.parametrize(
    ("versions", "package"),
    [
        ({"PyStemmer": "2.2.0.3", "snowballstemmer": "2.2.0"}, "PyStemmer"),
        ({"PyStemmer": "3.1.0", "snowballstemmer": "2.2.0"}, "snowballstemmer"),
        ({"snowballstemmer": "2.2.0"}, "snowballstemmer"),
        ({"PyStemmer": "3.1.0"}, "PyStemmer 3.1.0 stems some words differently from version 2"),
        ({"snowballstemmer": "3.0.1"}, "snowballstemmer 3.0.1 stems some words differently"),
        ({}, "stems need Snowball 2: pip install"),
    ],
)
def test_which_package_stems(versions, package, monkeypatch):
    def version(name):
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(snowball.metadata, "version", version)
    for function in (snowball.snowball_package, snowball.stemmer_problem):
        function.cache_clear()
        monkeypatch.setattr(snowball, function.__name__, function.__wrapped__)
    if package in snowball.PACKAGES:
        assert snowball.snowball_package() == package
        assert snowball.stemmer_problem() is None
    else:
        assert snowball.snowball_package() is None
        with pytest.raises(MissingExtra, match=package):
            stems_of("en")


def test_stems_of_the_package_in_python():
    stems = stemmer("snowballstemmer", "english")
    assert stems(["running", "cats", "\ud800ing"]) == ["run", "cat", "\ud800ing"]
