"""The native aligner and normaliser equal their slow twins."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rankwise import _core
from rankwise.text.lexicon import Lexicon
from rankwise.text.synonyms import Synonyms
from reference import align as twin
from reference.normalise import normalise

STEMS = {word: word[0] for word in ("aa", "ab", "ac", "ba", "bb", "c", "d")}
SYNSETS = {"aa": {1, 2}, "ba": {2, 3}, "c": {3}, "d": {70}, "bb": {70, 1}}
FUNCTION = frozenset({"aa", "c"})

words = st.lists(st.sampled_from(sorted(STEMS)), max_size=14)
phrase = st.lists(st.sampled_from(sorted(STEMS)), min_size=1, max_size=3).map(tuple)
phrases = st.lists(st.tuples(phrase, phrase), max_size=8)


@st.composite
def candidate_sets(draw):
    """Lengths of both sides, and candidates ordered by the reference."""
    hyp_length, ref_length = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    count = draw(st.integers(0, 14))
    found = []
    for _ in range(count):
        j, i = draw(st.integers(0, ref_length - 1)), draw(st.integers(0, hyp_length - 1))
        ref = draw(st.integers(1, min(3, ref_length - j)))
        hyp = draw(st.integers(1, min(3, hyp_length - i)))
        found.append((j, ref, i, hyp, draw(st.integers(0, 3))))
    return hyp_length, ref_length, sorted(found, key=lambda match: match[0])


@given(candidate_sets(), st.booleans(), st.sampled_from([1, 3, 40]))
def test_search_equals_reference(problem, original, beam):
    hyp_length, ref_length, candidates = problem
    found = _core.align_candidates(
        np.array(candidates, np.int32).reshape(-1, 5),
        hyp_length,
        ref_length,
        original=original,
        beam=beam,
    )
    expected = twin.search(candidates, ref_length, original=original, beam=beam)
    assert [tuple(match) for match in found.tolist()] == expected


def native_pairs(pairs, pairs_of_phrases, stages, *, original, **options):
    """Rows and matches of many pairs of token lists, through the whole native path."""
    lexicon = Lexicon(
        FUNCTION,
        lambda forms: [STEMS[form] for form in forms],
        Synonyms([{w: " ".join(f"{s:08}" for s in sets) for w, sets in SYNSETS.items()}], {}),
        lowercase=True,
        hashes=False,
    )
    text = "".join(f"0.5\n{' '.join(p)}\n{' '.join(q)}\n" for p, q in pairs_of_phrases)
    table = _core.ParaphraseTable(text.encode())
    vocabulary, ids, starts, _ = _core.meteor_words(
        [" ".join(hyp) for hyp, _ in pairs],
        [" ".join(ref) for _, ref in pairs],
        normalise=False,
        punctuation=True,
        apostrophes=0,
        prefixes=[],
        numeric_prefixes=[],
    )
    rows, matches, match_starts = _core.align_texts(
        ids,
        starts,
        np.arange(len(pairs)),
        np.arange(len(pairs)) + len(pairs),
        **lexicon.columns(vocabulary),
        phrase_words=table.word_ids(vocabulary),
        paraphrases=table,
        stages="".join(map(str, stages)),
        original=original,
        keep_matches=True,
        **options,
    )
    return rows, matches, match_starts


@given(
    st.lists(st.tuples(words, words), max_size=3),
    phrases,
    st.lists(st.integers(0, 3), min_size=1, unique=True),
    st.booleans(),
)
@example([(["aa"] * 9 + ["ab"] * 9, ["ab"] * 9 + ["aa"] * 9)], [], [0, 1, 2], True)
@example([(["aa"] * 70, ["ab", "aa"] * 4)], [], [0, 1], False)
def test_alignment_equals_reference(pairs, pairs_of_phrases, stages, original):
    rows, matches, starts = native_pairs(pairs, pairs_of_phrases, stages, original=original)
    for k, (hyp, ref) in enumerate(pairs):
        candidates = twin.find_candidates(
            hyp,
            ref,
            stems=STEMS.get,
            synsets=lambda word: SYNSETS.get(word, set()),
            phrases=pairs_of_phrases,
            stages=stages,
        )
        expected = twin.search(candidates, len(ref), original=original)
        found = [tuple(match) for match in matches[starts[k] : starts[k + 1]].tolist()]
        assert found == expected
        assert rows[k].tolist() == twin.row(expected, hyp, ref, FUNCTION)


long_words = st.lists(
    st.tuples(st.sampled_from(sorted(STEMS)), st.integers(1, 90)).map(lambda run: [run[0]] * run[1])
    | st.lists(st.sampled_from(sorted(STEMS)), max_size=60),
    max_size=5,
).map(lambda parts: [word for part in parts for word in part])


@settings(max_examples=150)
@given(
    st.lists(st.tuples(long_words, long_words), max_size=3),
    st.lists(st.integers(0, 2), min_size=1, unique=True),
)
@example([(["aa"] * 2100, ["aa"] * 2500)], [0])
@example([(["ab", "aa"] * 700, ["ba", "aa", "aa"] * 500)], [0, 1, 2])
@example([(["aa"] * 100 + ["ab"] * 100, ["ab"] * 100 + ["aa"] * 90)], [1, 0])
def test_candidates_in_runs_give_the_alignment_of_candidates_in_lists(pairs, stages):
    listed, runs = (
        native_pairs(pairs, [], stages, original=False, listed_pairs=most) for most in (2**40, 0)
    )
    for one, other in zip(listed, runs, strict=True):
        np.testing.assert_array_equal(one, other)


pieces = st.sampled_from(
    [
        *"aZé9ж.,-'`‘’“–—%s日\t\x01\x0b\u00a0\u2003",
        *("..", "--", "''", " ", " ", "U.S.", "Mr.", "No.", "e.g.", "3,5"),
    ]
)


@given(
    st.one_of(st.lists(pieces, max_size=25).map("".join), st.text(max_size=12)),
    st.sampled_from(["en", "fr", "de"]),
    st.booleans(),
)
def test_normaliser_equals_reference(text, language, punctuation):
    found, ids, starts, _ = _core.meteor_words(
        [text],
        [""],
        normalise=True,
        punctuation=punctuation,
        apostrophes={"en": 1, "fr": 2, "de": 0}[language],
        prefixes=["Mr", "a"],
        numeric_prefixes=["No", "Z"],
    )
    expected = normalise(
        text,
        language=language,
        prefixes={"Mr", "a"},
        numeric={"No", "Z"},
        punctuation=punctuation,
    )
    assert [found[i] for i in ids[: starts[1]]] == expected


def test_results_do_not_depend_on_threads(monkeypatch):
    rng = np.random.default_rng(3)
    vocabulary = sorted(STEMS)
    pairs = [
        tuple([vocabulary[k] for k in rng.integers(0, 7, rng.integers(0, 20))] for _ in range(2))
        for _ in range(200)
    ]
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("RANKWISE_THREADS", threads)
        results.append(native_pairs(pairs, [(("aa",), ("c", "d"))], [0, 1, 2, 3], original=True))
    for one, three in zip(*results, strict=True):
        np.testing.assert_array_equal(one, three)


def test_a_table_with_a_broken_entry_says_how_many_lines_it_has():
    with pytest.raises(ValueError, match=r"^4$"):
        _core.ParaphraseTable(b"0.5\na\nb\n0.5\n")


def test_candidates_that_do_not_fit_are_errors():
    for start in (-1, 2, 2**31 - 1):
        with pytest.raises(ValueError, match="do not fit the texts"):
            _core.align_candidates(
                np.array([[start, 1, 0, 1, 0]], np.int32), 2, 2, original=False, beam=4
            )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"function": np.array([2], np.uint8)}, "a function word is 1"),
        ({"first_synset": np.array([0, 2])}, "starts of synsets"),
        ({"first_synset": np.array([1, 0])}, "starts of synsets"),
        ({"first_synset": np.array([-1, 1])}, "starts of synsets"),
        ({"stems": np.array([0, 1])}, "differ in length"),
    ],
)
def test_word_tables_that_do_not_fit_are_errors(wrong, message):
    columns = {
        "keys": np.array([0]),
        "stems": np.array([0]),
        "first_synset": np.array([0, 1]),
        "synsets": np.array([5]),
        "function": np.array([1], np.uint8),
        "phrase_words": np.array([-1], np.int32),
    }
    texts = np.array([0], np.uint32), np.array([0, 1]), np.array([0]), np.array([0])
    options = {"paraphrases": None, "stages": "012", "original": False, "keep_matches": False}
    _core.align_texts(*texts, **columns, **options)
    with pytest.raises(ValueError, match=message):
        _core.align_texts(*texts, **columns | wrong, **options)
