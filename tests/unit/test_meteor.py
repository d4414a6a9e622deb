"""METEOR: values worked out by hand, what it does without its resources, what it refuses."""

import gzip
import zipfile

import numpy as np
import pytest

from rankwise.errors import DataError, MissingExtra
from rankwise.metrics import metric
from rankwise.metrics.meteor import Meteor
from rankwise.text import resources as resource_files
from rankwise.text.prefixes import PREFIXES, Prefixes
from rankwise.text.resources import meteor_resources, read_paraphrases, read_wordnet
from rankwise.text.snowball import stemmer_problem
from rankwise.text.stemming import stems_of
from rankwise.types.named import parse

needs_stemmer = pytest.mark.skipif(stemmer_problem() is not None, reason=str(stemmer_problem()))

#: METEOR as first published: every word counts the same. Banerjee and Lavie (2005), section 2.2.
FIRST = {"modules": "exact", "alpha": 0.9, "beta": 3.0, "gamma": 0.5, "delta": 0.5}


@pytest.fixture
def no_wordnet(monkeypatch):
    monkeypatch.setattr(resource_files, "_usual_stores", lambda: iter(()))


@pytest.fixture
def meteor_folder(tmp_path):
    """A METEOR folder with a word or two in every file."""
    files = {
        "function/english.words": "the\n.\n",
        "function/german.words": "der\n",
        "nonbreaking/english.prefixes": "# titles\nDr\n\nNo #NUMERIC_ONLY# \n",
        "nonbreaking/german.prefixes": "Hr\n",
        "synonym/english.synsets": "car\n00000011 00000012\nautomobile\n00000011\n"
        "mouse\n00000013\n",
        "synonym/english.exceptions": "mouse\nmice mouses\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "data").mkdir()
    table = "0.5\na lot of\nmany\n0.25\nfast\nin a hurry\n"
    (tmp_path / "data" / "paraphrase-en.gz").write_bytes(gzip.compress(table.encode()))
    return tmp_path


@pytest.fixture
def wordnet_folder(tmp_path):
    """A WordNet of two nouns and a verb that share a number."""
    licence = "  1 This software  \n  14 WordNet 3.0 Copyright 2006 by Princeton University.  \n"
    lines = {
        "noun": "car n 2 1 @ 2 1 00000011 00000012  \nauto n 1 1 @ 1 1 00000011  \n",
        "verb": "drive v 1 1 @ 1 1 00000012  \n",
        "adj": "",
        "adv": "",
    }
    for part, text in lines.items():
        (tmp_path / f"index.{part}").write_text(licence + text, "utf-8")
    (tmp_path / "noun.exc").write_text("carz car\n", "utf-8")
    return tmp_path


# ---- values ------------------------------------------------------------------------------------


def test_example_of_the_first_paper():
    """Two chunks, "the president" and "spoke to the audience": P = 1, R = 6/7."""
    metric = Meteor(**FIRST)
    hypothesis = "the president spoke to the audience"
    reference = "the president then spoke to the audience"
    assert metric.alignment(hypothesis, reference).chunks == 2
    mean = 10 * 1 * (6 / 7) / (6 / 7 + 9 * 1)
    expected = mean * (1 - 0.5 * (2 / 6) ** 3)
    assert metric.corpus([hypothesis], [reference]) == pytest.approx(expected, rel=1e-15)


def test_order_is_penalised_by_chunks():
    """on the mat | sat | the cat: three chunks of six words, P = R = 1."""
    metric = Meteor(**FIRST)
    score = metric.corpus(["on the mat sat the cat"], ["the cat sat on the mat"])
    assert score == pytest.approx(1 - 0.5 * (3 / 6) ** 3, rel=1e-15)


def test_function_words_weigh_less():
    """Only "the" matches: (1/4) of (3/4 + 1/4) on both sides; one chunk of one word."""
    metric = Meteor(modules="exact")
    assert metric.corpus(["the dog"], ["the cat"]) == pytest.approx(0.25 * (1 - 0.6), rel=1e-15)


@needs_stemmer
def test_matchers_have_their_weights():
    """cats/cat by stem: 0.6; one chunk of one word on each side, but all words: no penalty."""
    assert Meteor(modules="exact,stem").corpus(["cats"], ["cat"]) == pytest.approx(0.6, rel=1e-15)


def test_perfect_and_empty():
    metric = Meteor(modules="exact")
    scores = metric.segments(["A test.", "", "a", "", "x"], ["a test .", "", "", "a", "y"])
    np.testing.assert_array_equal([1, 0, 0, 0, 0], scores)


def test_corpus_is_the_score_of_summed_counts():
    """4 of 5 words on each side in chunks 0 (a perfect segment) + 1; delta is 0.5 for "other"."""
    metric = Meteor(language="other")
    score = metric.corpus(["u v w", "x y"], ["u v w", "x z"])
    assert score == pytest.approx(0.8 * (1 - 0.7 * (1 / 4) ** 1.4), rel=1e-15)


def test_the_best_reference_counts_and_the_first_of_equals():
    metric = Meteor(language="other")
    rows = metric.statistics(["a b c", "a b"], [["x y", "a b c d", "a b c"], ["a x y", "a y x"]])
    assert rows[0, :2].tolist() == [3, 3]
    assert rows[1, :2].tolist() == [2, 3]
    np.testing.assert_array_equal(
        rows[1], metric.statistics(["a b"], ["a x y"])[0], err_msg="the first of equal references"
    )


def test_no_segments():
    metric = Meteor(language="other")
    assert metric.statistics([], []).shape == (0, 21)


# ---- the search, and where it departs from METEOR 1.5 -----------------------------------------


def test_distance_is_paid_by_the_match_that_causes_it(meteor_folder):
    """Either "a" of the reference will do; the near one is better. METEOR 1.5 takes the far one."""
    ours = Meteor(modules="exact").alignment("a", "a a")
    theirs = Meteor(modules="exact", resources=str(meteor_folder), compat="1.5").alignment(
        "a", "a a"
    )
    assert [m.reference_start for m in ours.matches] == [0]
    assert [m.reference_start for m in theirs.matches] == [1]


@needs_stemmer
def test_a_stem_is_worth_more_than_nothing(meteor_folder):
    """METEOR 1.5 counts a stem as nothing, and so leaves "run" out to save a chunk."""
    options = {"modules": "exact,stem", "resources": str(meteor_folder)}
    texts = ("the runs running", "run the")
    assert len(Meteor(**options).alignment(*texts).matches) == 2
    assert len(Meteor(**options, compat="1.5").alignment(*texts).matches) == 1


def test_weights_belong_to_matchers_or_to_positions(meteor_folder):
    """English synonyms weigh 0.8; the second English weight is that of stems, 0.6."""
    options = {"modules": "exact,synonym", "resources": str(meteor_folder)}
    assert Meteor(**options).parameters.weights == {"exact": 1.0, "synonym": 0.8}
    original = Meteor(**options, compat="1.5")
    assert original.parameters.weights == {"exact": 1.0, "synonym": 0.6}


def test_function_words_are_those_of_the_language_or_always_english(meteor_folder):
    folder = str(meteor_folder)
    ours = Meteor(language="de", modules="exact", resources=folder)
    theirs = Meteor(language="de", modules="exact", resources=folder, compat="1.5")
    assert ours.statistics(["der the"], ["x"])[0, 2] == 1
    assert (ours.function_words, theirs.function_words) == ("de", "en")


def test_equal_hashes_are_equal_words_in_compat_only(meteor_folder):
    """Java gives "Aa" and "BB" the same hash."""
    options = {"modules": "exact", "normalize": False, "lowercase": False}
    assert Meteor(**options).corpus(["Aa"], ["BB"]) == 0
    compat = Meteor(**options, resources=str(meteor_folder), compat="1.5")
    assert compat.corpus(["Aa"], ["BB"]) == 1


# ---- resources ----------------------------------------------------------------------------------


def test_a_meteor_folder(meteor_folder):
    resources = meteor_resources(str(meteor_folder))
    assert resources.function_words("en") == {"the", "."}
    assert resources.prefixes("en") == Prefixes(frozenset({"Dr"}), frozenset({"No"}))
    assert resources.synonyms.synsets("cars") == {11, 12}
    assert resources.synonyms.synsets("mice") == {13}
    assert resources.synonyms.synsets("cats") == frozenset()


def test_a_jar_is_a_meteor_folder(meteor_folder, tmp_path_factory):
    jar = tmp_path_factory.mktemp("jar") / "meteor-1.5.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for file in meteor_folder.rglob("*.*"):
            if file.is_file():
                archive.write(file, file.relative_to(meteor_folder).as_posix())
    for path in (jar, jar.parent):
        assert meteor_resources(str(path)).function_words("en") == {"the", "."}
        assert meteor_resources(str(path)).synonyms.synsets("car") == {11, 12}


@needs_stemmer
def test_all_matchers_with_resources(meteor_folder):
    metric = Meteor(resources=str(meteor_folder))
    assert metric.modules == "exact,stem,synonym,paraphrase"
    assert metric.notes == ()
    alignment = metric.alignment(
        "Dr. No has many cars in a hurry", "Dr. No has a lot of automobiles"
    )
    found = [(m.reference_start, m.reference_length, m.stage) for m in alignment.matches]
    assert found[:3] == [(0, 1, "exact"), (1, 1, "exact"), (2, 1, "exact")]
    assert found[3:] == [(3, 3, "paraphrase"), (6, 1, "synonym")]


def test_wordnet_tells_parts_of_speech_apart(wordnet_folder):
    synonyms = read_wordnet(str(wordnet_folder))
    assert synonyms.synsets("carz") == synonyms.synsets("cars") == {11, 12}
    assert synonyms.synsets("auto") == {11}
    assert synonyms.synsets("drives").isdisjoint(synonyms.synsets("car"))


def test_wordnet_of_nltk_in_its_archive(wordnet_folder, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("nltk") / "corpora"
    folder.mkdir()
    with zipfile.ZipFile(folder / "wordnet.zip", "w") as archive:
        for file in wordnet_folder.iterdir():
            archive.write(file, f"wordnet/{file.name}")
    monkeypatch.setenv("NLTK_DATA", str(folder.parent))
    monkeypatch.setattr(resource_files, "Path", _only(folder.parent, resource_files.Path))
    read_wordnet.cache_clear()
    assert read_wordnet(None).synsets("auto") == {11}
    read_wordnet.cache_clear()


def _only(folder, path):
    """A Path that sees nothing outside *folder*: the machine's own WordNet must not matter."""
    return lambda name: path(name) if str(name).startswith(str(folder)) else path("/nowhere")


def test_another_wordnet_is_refused(wordnet_folder):
    (wordnet_folder / "index.adv").write_text("  14 WordNet 3.1 Copyright 2011\n", "utf-8")
    with pytest.raises(DataError, match=r"no WordNet 3\.0 in"):
        Meteor(modules="exact,synonym", wordnet=str(wordnet_folder))


def test_without_wordnet_it_works_and_says_so(no_wordnet):
    metric = Meteor()
    assert "synonym" not in metric.modules
    assert any("wordnet-base" in note for note in metric.notes)
    assert "modules=exact" in metric.signature
    assert metric.corpus(["a test"], ["a test"]) == 1
    with pytest.raises(DataError, match=r"cannot match by synonym: no WordNet 3\.0"):
        Meteor(modules="exact,synonym")


def test_without_a_stemmer_it_works_and_says_so(monkeypatch, no_wordnet):
    monkeypatch.setattr("rankwise.text.matchers.stemmer_problem", lambda: "no stemmer here")
    assert Meteor().modules == "exact"
    assert any("no stemmer here" in note for note in Meteor().notes)
    with pytest.raises(MissingExtra, match="cannot match by stem: no stemmer here"):
        Meteor(modules="exact,stem")


# ---- text --------------------------------------------------------------------------------------


def test_normalisation():
    metric = Meteor(modules="exact")
    text = "He said: “Mr. Smith's well-known in the U.S. — No. 5...” isn't 3,500.5%"
    expected = """he said : " mr. smith 's well known in the us — no. 5 ... " isn 't 3,500.5 %"""
    assert " ".join(metric.alignment(text, "").hypothesis) == expected
    quiet = Meteor(modules="exact", punctuation=False)
    expected = "he said mr smith s well known in the us no 5 isn t 3 500 5"
    assert " ".join(quiet.alignment(text, "").hypothesis) == expected


def test_french_apostrophes_stay_with_the_first_word():
    metric = Meteor(language="fr", modules="exact")
    assert metric.alignment("L'homme d'aujourd'hui", "").hypothesis == (
        "l'",
        "homme",
        "d'",
        "aujourd'",
        "hui",
    )


def test_prefixes_do_not_end_a_sentence_before_a_name():
    assert "Dr" in PREFIXES["en"].always
    assert "No" in PREFIXES["en"].numeric


@needs_stemmer
@pytest.mark.parametrize(
    ("language", "word", "modern", "original"),
    [
        ("de", "ereignisse", "ereignis", "ereigniss"),
        ("ru", "моём", "мо", "моём"),
        ("fr", "ambiguë", "ambigu", "ambigu"),
        ("fr", "naïve", "naïv", "naïv"),
        ("en", "running", "run", "run"),
    ],
)
def test_stems(language, word, modern, original):
    """The originals are the stems of the jar of METEOR 1.5."""
    assert stems_of(language)([word]) == [modern]
    assert stems_of(language, original=True)([word]) == [original]


# ---- names, options, messages ------------------------------------------------------------------


@pytest.mark.parametrize(
    "metric",
    [
        Meteor(modules="exact"),
        Meteor(language="cz", gamma=0.25, weights="0.5", modules="exact"),
        Meteor(language="it", task="li", modules="exact", lowercase=False),
    ],
)
def test_signature_parses_back(metric):
    assert parse(metric.signature, {"meteor": Meteor}) == metric


def test_signature_says_what_was_left_open(meteor_folder):
    metric = Meteor(language="cz", resources=str(meteor_folder))
    assert "language=cs:task=rank:modules=exact:normalize=true" in metric.signature
    assert "function_words=cs" in metric.signature


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"language": "xx"}, "unknown language 'xx'; choose from en, cs"),
        ({"task": "best"}, "unknown task 'best'; choose from rank, adq"),
        ({"language": "de", "task": "adq"}, "task 'adq' is for English"),
        ({"modules": "exact,lemma"}, "unknown module 'lemma'; choose from exact, stem"),
        ({"modules": "synonym,exact", "wordnet": "x"}, "no WordNet 3.0 in x"),
        ({"modules": "exact,exact"}, "each at most once"),
        ({"modules": "exact,paraphrase"}, "no table of paraphrases for 'en'"),
        ({"language": "cs", "modules": "stem"}, "no stemmer for 'cs'"),
        ({"language": "de", "modules": "synonym"}, "no synonyms for 'de', only for 'en'"),
        ({"language": "it", "normalize": True}, "no rules to normalize 'it'"),
        ({"normalize": False, "punctuation": False}, "punctuation=false is a rule of normalize"),
        ({"alpha": 2.0}, "alpha is 2.0; expected 0 to 1"),
        ({"modules": "exact", "weights": "1,x"}, "weights are '1,x'; expected 1 numbers"),
        ({"compat": "1.4"}, "unknown compat '1.4'"),
        ({"compat": "1.5"}, "compat=1.5 needs the word lists of METEOR 1.5"),
        ({"resources": "/nowhere"}, "/nowhere: there is no such METEOR folder or jar"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(options, message):
    with pytest.raises(DataError, match=message):
        Meteor(**options)


def test_wrong_resources_are_refused_in_a_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("no jar", "utf-8")
    with pytest.raises(DataError, match="expected a METEOR folder or jar, got another file"):
        meteor_resources(str(tmp_path / "notes.txt"))
    with pytest.raises(DataError, match="expected a METEOR folder \\(with function/"):
        meteor_resources(str(tmp_path))
    (tmp_path / "function").mkdir()
    with pytest.raises(DataError, match=r"function/english\.words is missing"):
        meteor_resources(str(tmp_path)).function_words("en")


def test_wrong_tables_are_refused_in_a_sentence(tmp_path):
    table = tmp_path / "paraphrase-en.gz"
    table.write_bytes(gzip.compress(b"0.5\na\nb\n0.5\n"))
    with pytest.raises(DataError, match="has 4 lines; expected three per entry"):
        read_paraphrases(table)
    (tmp_path / "broken.gz").write_bytes(b"no gzip")
    with pytest.raises(DataError, match=r"broken\.gz cannot be read"):
        read_paraphrases(tmp_path / "broken.gz")


def test_an_alignment_prints_its_matches():
    text = str(Meteor(modules="exact").alignment("a b", "b a"))
    assert "0:1 b" in text
    assert "2 matches in 2 chunks" in text


def test_what_follows_from_the_language_is_not_in_the_short_name():
    assert str(Meteor()) == "meteor"
    assert str(Meteor(language="de")) == "meteor:language=de"
    assert str(Meteor(modules="exact")) == "meteor:modules=exact"
    assert metric(str(Meteor(language="fr", function_words="en"))).function_words == "en"
