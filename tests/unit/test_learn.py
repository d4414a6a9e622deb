"""Learning a metric: what becomes an example, what is chosen, what the model keeps."""

import itertools
import json
import random
import sys
from dataclasses import replace

import numpy as np
import pytest

import rankwise as rw
from rankwise.errors import DataError
from rankwise.evaluate.metric_learning.learning_data import PairRules, learning_data
from rankwise.learning.learned_model import LearnedModel
from rankwise.metrics.features import features
from rankwise.types import Assessments, Judgments, Ranking, ScoreTable, Segment, TestSet

EXACT = "beer:modules=exact"
GOOD, FAIR, BAD = "the cat sat on the mat", "the cat sat on a rug", "dogs bark"


def texts(name="toy", count=6):
    """Every segment has the same three outputs: good is better than fair, fair than bad."""
    segments = tuple(
        Segment(str(n), "", (f"{GOOD} {n}",), reference_names=("refA",)) for n in range(count)
    )
    outputs = {
        system: tuple(f"{text} {n}" for n in range(count))
        for system, text in {"good": GOOD, "fair": FAIR, "bad": BAD, "refA": GOOD}.items()
    }
    return TestSet(segments, outputs, name)


def scores(count=6):
    values = np.array([[90.0] * count, [60.0] * count, [50.0] * count, [95.0] * count])
    return ScoreTable(("good", "fair", "bad", "refA"), tuple(map(str, range(count))), values)


@pytest.fixture(scope="module")
def example():
    return rw.example()


def data(human, **rules):
    return learning_data([(texts(), human)], features(EXACT), PairRules(**rules))


def test_scalar_judgments_give_pairs_beyond_the_threshold():
    found = data(scores()).examples
    # 90-60 and 90-50 are beyond 25, 60-50 is not; the reference judged as a system is no row
    assert (len(found), len(found.better)) == (18, 12)
    assert sorted(set(found.human.tolist())) == [50.0, 60.0, 90.0]
    assert (found.rows[found.better, 8] > found.rows[found.worse, 8]).all()


def test_a_lower_threshold_gives_more_pairs():
    assert len(data(scores(), threshold=5.0).examples.better) == 18


def on_scale(shift, factor):
    """The scores of the example on another scale."""
    given = scores()
    return replace(given, values=given.values * factor + shift)


@pytest.mark.parametrize(
    ("shift", "factor", "clear", "pairs"),
    [
        (0.0, 1.0, "25", 12),  # direct assessment: 90-60 and 90-50
        (-18.0, 0.2, "5", 12),  # MQM, from 0 down to -8: a major error is clear
    ],
)
def test_the_threshold_follows_the_kind_of_scores(shift, factor, clear, pairs):
    found = data(on_scale(shift, factor), threshold=None)
    assert (found.thresholds, len(found.examples.better)) == ((float(clear),), pairs)


def test_a_scale_that_is_not_known_is_an_error():
    with pytest.raises(DataError, match="what is a clear difference on this scale is not known"):
        data(on_scale(0.0, 10.0), threshold=None)


def test_excluded_systems_are_no_rows():
    found = data(scores(), exclude=("f*",)).examples
    assert (len(found), len(found.better)) == (12, 6)


def test_a_reference_under_another_name_is_no_row():
    """``good`` says what the reference says: by chance in 6 segments, but not in 20."""
    few = learning_data([(texts(), scores())], features(EXACT))
    assert (len(few.examples), few.copies) == (18, ())
    many = learning_data([(texts(count=20), scores(20))], features(EXACT), PairRules(threshold=5))
    assert (len(many.examples), len(many.examples.better), many.copies) == (40, 20, ("good",))


def test_the_model_says_which_references_were_left_out():
    found = rw.learn(texts(count=20), scores(20), features=EXACT, threshold=5)
    assert "; references good; " in found.model.training
    assert "; references " not in rw.learn(texts(), scores(), features=EXACT).model.training


def judged(judge, *values, offset=0):
    """Scores of good, fair and bad in the segments from an offset on, by one judge."""
    return [
        (system, str(segment + offset), judge, "SYSTEM", value)
        for segment in range(3)
        for system, value in zip(("good", "fair", "bad"), values, strict=True)
    ]


def test_scores_may_be_standardised_by_judge(tmp_path):
    """Ann uses 60 points of the scale, Bob 6; by judge both tell the same outputs apart."""
    human = Assessments.from_rows(judged("ann", 90, 60, 30) + judged("bob", 53, 50, 47, offset=3))
    raw = rw.learn(texts(), human, features=EXACT)
    found = rw.learn(texts(), human, features=EXACT, by_judge=True)
    assert (len(raw.train.better), len(found.train.better)) == (9, 18)
    spread = np.std([90, 60, 30] * 3, ddof=1)
    assert sorted(set(found.train.human.round(9))) == pytest.approx([-30 / spread, 0, 30 / spread])
    assert "threshold 1 by judge; " in found.model.training
    assert found.model.slope != 1.0  # calibrated to the scores as they were given


def test_scores_of_nobody_cannot_be_standardised_by_judge():
    with pytest.raises(rw.DataError, match="toy: does not say who scored; expected assessments"):
        rw.learn(texts(), scores(), features=EXACT, by_judge=True)


def judgments(*orders):
    """Rankings of segment 1, each from best to worst."""
    rankings = [Ranking("1", "ann", order, tuple(range(1, len(order) + 1))) for order in orders]
    return Judgments.from_rankings(rankings)


def test_rankings_give_their_untied_pairs():
    found = data(judgments(("good", "fair", "bad"), ("good", "refA"))).examples
    assert (len(found), len(found.better)) == (3, 3)  # only the judged segment, no reference
    assert np.isnan(found.human).all()


def test_repeated_judgments_may_be_one():
    human = judgments(("good", "bad"), ("good", "bad"), ("bad", "good"))
    assert len(data(human).examples.better) == 3
    assert data(human, repeated="majority").examples.weight.tolist() == [1.0]
    assert data(human, repeated="agreement").examples.weight == pytest.approx([1 / 3])


def test_unknown_judgments_are_a_sentence():
    other = ScoreTable(("x", "y"), ("77",), np.array([[90.0], [10.0]]))
    with pytest.raises(rw.DataError, match="toy: no untied judgment is about two of its outputs"):
        data(other)


def test_two_tracks_of_one_name_are_refused():
    with pytest.raises(rw.DataError, match="two test sets are called 'toy'"):
        rw.learn([texts(), texts()], [scores(), scores()], features=EXACT)


def test_as_many_judgments_as_test_sets():
    with pytest.raises(rw.DataError, match="1 test sets but 2 sets of judgments"):
        rw.learn(texts(), [scores(), scores()], features=EXACT)


def test_a_segment_without_reference_is_refused():
    bare = TestSet((Segment("0", ""),), {"good": ("a",), "bad": ("b",)})
    with pytest.raises(rw.DataError, match="segment '0' has no reference"):
        rw.learn(bare, scores(1), features=EXACT)


def test_the_learned_metric_orders_as_people_do(tmp_path):
    found = rw.learn(texts(), scores(), features=EXACT)
    rw.write_model(found.model, tmp_path / "m.json")
    metric = rw.metric(f"learned:model={tmp_path / 'm.json'}")
    good, fair, bad = metric.segments([GOOD, FAIR, BAD], [GOOD] * 3)
    assert good == 1.0
    assert 1 > fair > bad > 0
    assert found.model.measured == {"accuracy, 5 parts by segment": 1.0}


def test_usual_metrics_stand_beside_the_learned_one(example):
    """Counted anew, pair by pair: chrF on every judged pair, a tie half; segments drawn anew."""
    found = rw.learn(example.testset, example.judgments, features="duh:subset=1-12")
    compared = {entry.metric: entry for entry in found.compared}
    assert list(compared) == ["learned", "bleu", "chrf", "ter"]
    place = {segment.id: number for number, segment in enumerate(example.testset.segments)}
    for name, sign in (("chrf", 1), ("ter", -1)):
        chosen = rw.metric(name)
        references = [segment.references for segment in example.testset.segments]
        scores = {
            system: sign * chosen.segments(texts, references)
            for system, texts in example.testset.outputs.items()
        }
        right, by_segment = [], {}
        for ranking in example.judgments:
            for (a, b), (p, q) in zip(
                itertools.combinations(ranking.systems, 2),
                itertools.combinations(ranking.ranks, 2),
                strict=True,
            ):
                if p is None or q is None or p == q:
                    continue
                better, worse = (a, b) if p < q else (b, a)
                number = place[ranking.segment]
                lead = scores[better][number] - scores[worse][number]
                right.append((np.sign(lead) + 1) / 2)
                by_segment.setdefault(number, []).append(right[-1])
        entry = compared[name]
        assert entry.preferences == len(right)
        assert entry.accuracy == pytest.approx(np.mean(right), abs=1e-12)
        draw = random.Random(5)
        values = [
            np.mean(
                [x for s in draw.choices(list(by_segment.values()), k=len(by_segment)) for x in s]
            )
            for _ in range(1000)
        ]
        assert entry.low == pytest.approx(np.quantile(values, 0.025), abs=0.005)
        assert entry.high == pytest.approx(np.quantile(values, 0.975), abs=0.005)
        assert entry.lead == pytest.approx(compared["learned"].accuracy - entry.accuracy)
        assert entry.lead_low < entry.lead < entry.lead_high
    assert compared["learned"].lead == compared["learned"].lead_high == 0


def test_every_development_track_has_the_usual_metrics():
    tracks = [(texts("one"), scores()), (texts("two"), scores())]
    found = rw.learn(texts(), scores(), features=EXACT, development=tracks)
    assert [entry.part for entry in found.compared] == ["one"] * 4 + ["two"] * 4


def test_calibration_brings_scores_near_human_ones():
    found = rw.learn(texts(), scores(), features=EXACT)
    plain = rw.learn(texts(), scores(), features=EXACT, scale=None)
    assert plain.model.slope == 1.0 != found.model.slope
    assert np.array_equal(plain.model.scorer.weights, found.model.scorer.weights)


def chinese(count=6):
    """As ``texts``, in characters without spaces."""
    lines = {
        "good": "今天天气很好我们去公园",
        "fair": "今天天气很好我去公园",
        "bad": "今天气好去园",
    }
    outputs = {system: [f"{text}{n}" for n in range(count)] for system, text in lines.items()}
    found = rw.Study.from_texts(outputs, [f"{lines['good']}吧{n}" for n in range(count)]).texts
    from_0 = [replace(segment, id=str(n)) for n, segment in enumerate(found.segments)]
    return replace(found, segments=tuple(from_0))


def test_words_are_found_as_the_target_language_asks():
    """With words between spaces BLEU and TER told nothing apart: an accuracy of .5."""
    found = rw.learn(chinese(), scores(), features=["beer", "bleu", "duh"])
    accuracies = {entry.metric: entry.accuracy for entry in found.compared}
    usual = {"bleu:tokenize=zh", "chrf", "ter:normalized=true:asian_support=true"}
    assert {*accuracies} == {"learned", *usual}
    assert accuracies["bleu:tokenize=zh"] == 1.0
    beer, bleu, duh = found.features.sets
    assert (beer.language, bleu.metrics[0].tokenize, duh.tokenize) == ("other", "zh", "zh")
    how = "language zh (by the script of the references)"
    assert found.notes == (
        f"{how}: beer language=other, bleu tokenize=zh, duh tokenize=zh",
        f"{how}: bleu tokenize=zh, ter normalized=true asian_support=true",
    )


def test_what_is_typed_about_a_language_stays():
    wanted = ["beer:language=en", "bleu:tokenize=char"]
    found = rw.learn(chinese(), scores(), features=wanted)
    beer, bleu = found.features.sets
    assert (beer.language, bleu.metrics[0].tokenize) == ("en", "char")
    assert found.notes[1:] == () and "ter normalized=true" in found.notes[0]


def test_english_is_said_where_nobody_named_a_language():
    german = replace(texts("german"), target_language="de")
    assert rw.learn(german, scores()).features.language == "de"
    [said] = rw.learn(texts(), scores()).notes
    assert said.startswith("the features beer take the texts for English")
    both = rw.learn([german, replace(texts(), target_language="en")], [scores(), scores()])
    assert (both.features.language, both.notes[0]) == (
        "other",
        "several target languages: features have the rules of none",
    )


def test_a_tokenizer_that_is_not_installed_stops_before_the_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "MeCab", None)
    japanese = replace(chinese(), target_language="ja")
    with pytest.raises(rw.MissingExtra, match=r"bleu in the language ja: .*rankwise\[ja\]"):
        rw.learn(japanese, scores(), features="chrf", done=pytest.fail)


def test_scores_outside_the_scale_are_refused():
    with pytest.raises(
        rw.DataError, match=r"50 to 90; expected 0 to 1: give their scale \(--scale "
    ):
        rw.learn(texts(), scores(), features=EXACT, scale=(0, 1))
    points_off = -(90.0 - scores().values)  # as MQM counts: the best has -0
    table = ScoreTable(scores().systems, scores().segments, points_off)
    with pytest.raises(rw.DataError, match=r"from -40 to 0; expected 0 to 100: give"):
        rw.learn(texts(), table, features=EXACT, threshold=5.0, exclude=["refA"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed is -1; expected a whole number from 0"),
        ({"repeated": "never"}, "unknown repeated 'never'; choose from keep, majority, agreement"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(rw.DataError, match=message):
        rw.learn(texts(), scores(), features=EXACT, **options)


def test_a_seed_of_any_size_will_do():
    for name in ("ranksvm", "svr", "lambdamart:rounds=2"):
        found = rw.learn(texts(), scores(), features=EXACT, learner=name, seed=10**20)
        assert found.model.columns == features(EXACT).names


def test_same_seed_same_file(example):
    first, second = (
        rw.learn(example.testset, example.judgments, features=EXACT, seed=7).model.to_json()
        for _ in range(2)
    )
    assert first == second


def test_the_training_signature_tells_data_apart():
    def signature(**options):
        return rw.learn(texts(), scores(), features=EXACT, **options).model.training

    assert signature() == signature()
    assert signature() != signature(threshold=5.0)
    assert signature().startswith("data ")
    assert "tracks toy; outputs 18; preferences 12; development none" in signature()
    assert "learner logistic:cost=1.0" in signature()


def test_development_tracks_choose_the_cost():
    found = rw.learn(texts(), scores(), features=EXACT, development=[(texts("dev"), scores())])
    assert [trial.learner.cost for trial in found.trials] == [0.01, 0.1, 1.0, 10.0]
    assert found.learner.cost == 0.01  # all are right, and ties go to the first
    assert found.model.measured == {"accuracy on dev": 1.0}


def test_a_cost_that_is_given_is_kept():
    found = rw.learn(
        texts(),
        scores(),
        features=EXACT,
        learner="ranksvm:cost=0.5",
        development=[(texts("dev"), scores())],
    )
    assert [trial.learner.cost for trial in found.trials] == [0.5]


def test_progress_is_told_track_by_track():
    told = []
    dev = [(texts("dev", 2), scores(2))]
    rw.learn(texts(), scores(), features=EXACT, development=dev, done=told.append)
    assert told == [18, 6, 0]


def test_a_track_cannot_be_its_own_development():
    with pytest.raises(rw.DataError, match="track 'toy' is in training and in development"):
        rw.learn(texts(), scores(), features=EXACT, development=[(texts(), scores())])


def test_metrics_and_sets_join_in_one_model(tmp_path):
    found = rw.learn(texts(), scores(), features=[EXACT, "chrf"])
    rw.write_model(found.model, tmp_path / "m.json")
    metric = rw.metric(f"learned:model={tmp_path / 'm.json'}")
    assert found.model.columns[-1] == "chrf"
    assert metric.segments([GOOD], [GOOD]).tolist() == [1.0]


def test_the_metric_beer_is_a_feature_too(tmp_path):
    """By an option that only the metric has; the signature in the model says which it was."""
    found = rw.learn(texts(), scores(), features=["beer:version=2014", "softmatch"])
    assert found.model.columns == ("beer", "softmatch")
    assert "beer:version=2014:sha256=" in found.model.features
    rw.write_model(found.model, tmp_path / "m.json")
    metric = rw.metric(f"learned:model={tmp_path}/m.json")
    assert metric.segments([GOOD, BAD], [GOOD, GOOD]).round(2).tolist()[0] == 1.0


def test_metrics_compare_within_a_set_by_their_name():
    """What a model keeps as its features must be the same features again."""
    found = rw.learn(texts(), scores(), features=["chrf:relative=rank,z", "ter"]).model
    assert found.columns == ("chrf", "chrf@rank", "chrf@z", "ter")
    assert features(found.features).names == found.columns


def test_a_model_of_sets_is_no_metric(tmp_path):
    found = rw.learn(texts(), scores(), features="duh")
    rw.write_model(found.model, tmp_path / "m.json")
    with pytest.raises(rw.DataError, match="compares the outputs of a set"):
        rw.metric(f"learned:model={tmp_path / 'm.json'}")


def test_more_data_does_not_hurt_much(example):
    found = rw.learn(example.testset, example.judgments, features=EXACT)
    done: list[float] = []
    curve = found.curve((0.1, 1.0), progress=done.append)
    assert done == pytest.approx([100 * 0.1 / 1.1, 100 / 1.1])  # the cost grows with the share
    assert [point.share for point in curve] == [0.1, 1.0]
    assert curve[0].preferences < curve[1].preferences
    assert 0.5 < curve[0].accuracy <= curve[1].accuracy + 0.05 < 1


def test_a_share_of_nothing_is_refused(example):
    found = rw.learn(example.testset, example.judgments, features=EXACT)
    with pytest.raises(rw.DataError, match="a share of the training data is 0"):
        found.curve((0,))


def test_the_cache_gives_the_same_model(tmp_path, example):
    models = [
        rw.learn(example.testset, example.judgments, features=EXACT, cache=cache).model.to_json()
        for cache in (None, rw.FeatureCache(tmp_path), rw.FeatureCache(tmp_path))
    ]
    assert len(set(models)) == 1
    assert len(list(tmp_path.glob("*.parquet"))) == 1


def test_the_file_is_what_the_model_says(tmp_path):
    found = rw.learn(texts(), scores(), features=EXACT)
    rw.write_model(found.model, tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text(encoding="utf-8")
    assert LearnedModel.from_json(text).to_json() == text
    assert json.loads(text)["features"] == features(EXACT).signature
