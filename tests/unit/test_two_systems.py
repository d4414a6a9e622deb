"""Two systems: differences, words, n-grams and segments worked out by hand."""

from collections import Counter

import numpy as np
import pytest

import rankwise as rw
from cpu_ratio import ratio
from rankwise.errors import DataError
from rankwise.evaluate.comparing.counted_texts import PairTexts
from rankwise.evaluate.comparing.every_pair import every_pair
from rankwise.evaluate.comparing.ngram_gains import ngram_gains
from rankwise.evaluate.comparing.word_buckets import word_buckets
from rankwise.evaluate.outside_tables import scored_tables
from rankwise.present.comparing.pair_data import cut_text
from rankwise.types import LevelScores, ScoreTable, Study

REFERENCES = ["the cat sat", "the dog sat down", "rain rain rain"]
A = ["the cat sat", "the dog sat", "rain rain"]
B = ["a cat sat", "the dog sat down", "snow rain"]
QUICK = rw.Resampling(samples=200)
NAN = np.nan


def study(**others) -> Study:
    more = {"documents": ["d1", "d1", "d2"], "domains": ["news", "news", "talk"]}
    texts = Study.from_texts({"A": A, "B": B, "C": B}, REFERENCES, **more).texts
    return Study(texts=texts, **others)


def people(values) -> LevelScores:
    return LevelScores.of(ScoreTable(("A", "B"), ("1", "2", "3"), np.array(values), "DA"))


def test_a_difference_is_the_first_minus_the_second():
    found = rw.compare(study(), "A", "B", "wer", resampling=QUICK)
    [wer] = found.differences
    # A lacks one word of four and one of three, B has one wrong of three and two of three
    assert wer.first == pytest.approx(100 * 2 / 10)
    assert wer.second == pytest.approx(100 * 3 / 10)
    assert wer.difference == pytest.approx(-10)
    assert wer.lead == pytest.approx(10)
    assert (wer.wins, wer.ties, wer.losses) == (2, 0, 1)
    assert wer.low <= wer.difference <= wer.high
    other = rw.compare(study(), "B", "A", "wer", resampling=QUICK).differences[0]
    assert other.difference == -wer.difference
    assert (other.low, other.high) == pytest.approx((-wer.high, -wer.low))
    assert (other.p_value, other.needed) == pytest.approx((wer.p_value, wer.needed))


def test_the_numbers_are_those_of_the_scoreboard():
    board = rw.score(study(), ["bleu", "chrf"], baseline="B", resampling=QUICK)
    found = rw.compare(study(), "A", "B", ["bleu", "chrf"], resampling=QUICK)
    for line, standing in zip(found.differences, board.standings, strict=True):
        scores = dict(zip(standing.result.systems, standing.result.corpus, strict=True))
        assert (line.first, line.second) == (scores["A"], scores["B"])
        tests = standing.tests
        place = [tests.systems[right] for right in tests.right].index("A")
        assert line.p_value == tests.p_values[place]


def test_people_are_compared_on_what_both_systems_have():
    human = people([[80.0, 60.0, NAN], [70.0, NAN, 90.0]])
    found = rw.compare(study(human=human), "A", "B", "wer", resampling=QUICK)
    last = found.differences[-1]
    assert (found.human, last.name, last.segments) == ("DA", "DA", 1)
    assert (last.first, last.second) == (80, 70)  # the first segment alone
    assert np.isnan(last.p_value) and np.isnan(last.needed)  # one segment tests nothing


def test_a_mean_has_the_error_of_its_differences():
    scores = np.array([[4.0, 2.0, 9.0, 5.0], [1.0, 2.0, 5.0, 4.0]])
    table = ScoreTable(("A", "B"), tuple("1234"), scores)
    given = Study(scores={"COMET": LevelScores.of(table)})
    [line] = rw.compare(given, "A", "B", resampling=QUICK).differences
    # differences 3, 0, 4, 1: mean 2, variance 10 / 3
    assert line.difference == 2
    assert line.error == pytest.approx(np.sqrt(10 / 3 / 4))
    assert line.finds == pytest.approx(2.8016 * line.error, rel=1e-4)
    assert line.needed == pytest.approx(4 * 2.8016**2 * (10 / 3 / 4) / 4, rel=1e-4)


def test_without_people_of_one_system_a_note_says_so():
    human = LevelScores.of(ScoreTable(("A",), ("1",), np.array([[1.0]]), "DA"))
    found = rw.compare(study(human=human), "A", "B", "wer", resampling=QUICK)
    assert found.human == "" and found.notes == ("DA: no human score of B",)


def test_groups_are_compared_by_themselves():
    found = rw.compare(study(), "A", "B", "wer", resampling=QUICK)
    domains = {part.label: part.difference for part in found.groups if part.kind == "domain"}
    assert domains["news"].difference == pytest.approx(0)  # one wrong word of seven each
    assert domains["talk"].difference == pytest.approx(100 * (1 - 2) / 3)
    assert domains["talk"].segments == 1


def test_n_grams_that_one_gets_and_the_other_does_not():
    texts = PairTexts.of(study().texts, ("A", "B"))
    gains = {gain.words: gain for gain in ngram_gains(texts, orders=(1, 2))}
    counted = {
        words: (gain.wanted, gain.first, gain.second, gain.first_alone, gain.second_alone)
        for words, gain in gains.items()
    }
    assert counted == {
        ("the",): (2, 2, 1, 1, 0),
        ("rain",): (3, 2, 1, 1, 0),
        ("down",): (1, 0, 1, 0, 1),
        ("the", "cat"): (1, 1, 0, 1, 0),
        ("rain", "rain"): (2, 1, 0, 1, 0),
        ("sat", "down"): (1, 0, 1, 0, 1),
    }
    assert gains[("down",)].z == -1


def test_words_by_frequency_and_length():
    texts = PairTexts.of(study().texts, ("A", "B"))
    buckets = word_buckets(texts, QUICK)
    found = {(word.kind, word.label): word for word in buckets}
    # once: cat, dog, down; twice to four times: the, sat, rain
    assert list(found) == [
        ("frequency", "1"), ("frequency", "2-4"), ("length", "2-3"), ("length", "4-6"),
    ]  # fmt: skip
    rare = found["frequency", "1"]
    assert rare.wanted == 3
    assert rare.recall == pytest.approx((200 / 3, 100))
    assert rare.precision == (100, 100)
    assert rare.difference.first == pytest.approx(100 * 2 * 2 / (2 + 3))
    often = found["frequency", "2-4"]
    assert often.recall == pytest.approx((100 * 6 / 7, 100 * 4 / 7))


def test_frequencies_may_be_given():
    texts = PairTexts.of(study().texts, ("A", "B"))
    counts = {"the": 5000, "cat": 1, "dog": 1, "sat": 20, "down": 3}
    kinds = [w.label for w in word_buckets(texts, QUICK, counts=counts) if w.kind == "frequency"]
    assert kinds == ["0", "1", "2-4", "10-99", "1000+"]  # rain is in no line of the counts


def test_n_grams_are_counted_all_at_once():
    """A few counters for each segment took six times as long as one for each text and order."""
    some = np.random.default_rng(1)
    lines = [[f"w{k}" for k in some.zipf(1.5, 30) % 5000] for _ in range(3000)]
    texts = PairTexts(lines[:1000], lines[1000:2000], [[words] for words in lines[2000:]])

    def one_by_one():
        for words in lines:
            for order in (1, 2, 3, 4):
                Counter(zip(*(words[start:] for start in range(order)), strict=False))

    def all_at_once():
        fresh = PairTexts(texts.first, texts.second, texts.references)
        ngram_gains(fresh)
        word_buckets(fresh, QUICK)

    assert ratio(all_at_once, one_by_one, repeats=3) < 3


def test_chinese_is_counted_by_characters():
    texts = Study.from_texts(
        {"A": ["今天很好"], "B": ["今天不好"]}, ["今天很好"], target_language="zh"
    ).texts
    gains = ngram_gains(PairTexts.of(texts, ("A", "B")), orders=(1,))
    assert [gain.words for gain in gains] == [("很",)]


def test_segments_are_listed_by_how_much_they_differ():
    found = rw.compare(study(), "A", "B", "wer", resampling=QUICK)
    # differences -33.3, 25 and -33.3, of 3, 4 and 3 words: times 3/8, 4/9 and 3/8
    assert found.segments.differences[0] == pytest.approx([-100 / 3, 25, -100 / 3])
    assert found.segments.listed() == [0, 2, 1]
    worse = rw.SegmentFilter(differences={"wer": (1, np.inf)})
    assert found.segments.listed(where=worse) == [1]
    low = rw.SegmentFilter(scores={"wer": (0, 0)})
    assert found.segments.listed(where=low) == [0, 1]  # either system has no error
    with pytest.raises(DataError, match="there is no metric 'x'; choose from wer"):
        found.segments.listed("x")


def test_segments_are_chosen_before_they_are_compared():
    talk = rw.SegmentFilter(domains=("talk",))
    found = rw.compare(study(), "A", "B", "wer", where=talk, resampling=QUICK)
    assert found.differences[0].segments == 1
    assert found.segments.ids == ("3",)
    long = rw.SegmentFilter(words=(4, np.inf))
    assert rw.compare(study(), "A", "B", "wer", where=long).segments.ids == ("2",)
    document = rw.SegmentFilter(documents=("d1",))
    assert rw.compare(study(), "A", "B", "wer", where=document).segments.ids == ("1", "2")


@pytest.mark.parametrize(
    ("names", "where", "sentence"),
    [
        (("A", "X"), None, "there is no system 'X'; choose from A, B, C"),
        (("A", "A"), None, "both systems are 'A'; expected two different ones"),
        ((None, None), None, "there are 3 systems; name two of A, B, C"),
        (("A", "B"), rw.SegmentFilter(domains=("x",)), "no domain 'x'; choose from news, talk"),
        (("A", "B"), rw.SegmentFilter(documents=("x",)), "no document 'x'; choose from d1, d2"),
        (("A", "B"), rw.SegmentFilter(words=(90, 99)), "no segment is left"),
    ],
)
def test_what_is_not_there_is_said(names, where, sentence):
    with pytest.raises(DataError, match=sentence):
        rw.compare(study(), *names, "wer", where=where)


def test_nothing_to_compare_is_said():
    texts = Study.from_texts({"A": A, "B": B}).texts
    with pytest.raises(DataError, match="nothing to compare; expected references, or scores"):
        rw.compare(texts, "A", "B")


def test_it_is_shown_as_any_result():
    found = rw.compare(study(), "A", "B", "wer", resampling=QUICK)
    assert repr(found) == "<TwoSystems A and B: wer -10.00>"
    assert str(found).startswith("metric      A      B  difference")
    plain = found.to_dict()
    assert plain["systems"] == ["A", "B"]
    assert plain["rows"][0]["difference"] == pytest.approx(-10)
    assert plain["ngrams"][0]["n-gram"] == "the cat sat"
    assert {row["segment"] for row in plain["segments_listed"]} == {"1", "2", "3"}


def test_systems_may_be_called_as_columns():
    texts = Study.from_texts({"p": A, "metric": B}, REFERENCES).texts
    found = rw.compare(texts, "p", "metric", "wer", resampling=QUICK)
    heads = [column.name for column in found.table().columns]
    assert heads[:3] == ["metric", "A: p", "B: metric"]


@pytest.mark.parametrize("has_holes", [False, True])
def test_every_pair_is_what_two_systems_are(has_holes):
    scores = np.random.default_rng(2).normal(50, 10, (4, 30))
    if has_holes:
        scores[0, :5] = scores[2, 3:9] = NAN
    table = ScoreTable(tuple("ABCD"), tuple(map(str, range(30))), scores)
    [result] = scored_tables({"COMET": table}).results
    pairs = every_pair(result, QUICK)
    assert list(pairs) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    given = Study(scores={"COMET": LevelScores.of(table)})
    for (one, two), found in pairs.items():
        [line] = rw.compare(given, "ABCD"[one], "ABCD"[two], resampling=QUICK).differences
        numbers = (line.first, line.second, line.low, line.high, line.p_value, line.needed)
        assert (found.first, found.second, found.low, found.high, found.p_value,
                found.needed) == pytest.approx(numbers)  # fmt: skip


def test_every_pair_of_texts_is_what_two_systems_are():
    [bleu] = rw.score_systems(rw.example().testset, "bleu")
    pairs = every_pair(bleu, QUICK)
    one, two = (bleu.systems.index(name) for name in ("birch", "willow"))
    found = pairs[min(one, two), max(one, two)]
    names = sorted(("birch", "willow"), key=bleu.systems.index)
    [line] = rw.compare(rw.example().testset, *names, "bleu", resampling=QUICK).differences
    assert (found.low, found.high, found.p_value, found.needed) == pytest.approx(
        (line.low, line.high, line.p_value, line.needed)
    )


def test_a_text_is_cut_as_scripts_count():
    text = "A 😀 cat. 今天"
    whole, lengths = cut_text(text)
    assert whole == text
    sizes = [ord(letter) - 0x5D for letter in lengths]
    assert sum(sizes) == len(text.encode("utf-16-le")) // 2


def test_progress_is_told_up_to_a_hundred_percent():
    texts = {"A": ["a cat", "dogs bark"], "B": ["a cat", "dog"]}
    seen = []
    rw.compare(Study.from_texts(texts, ["a cat", "dogs bark"]), "A", "B", progress=seen.append)
    assert len(seen) > 5 and sum(seen) == pytest.approx(100)
