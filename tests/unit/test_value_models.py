"""Rankings by values: by hand, by drawing slowly, against a direct solution; what is refused."""

import numpy as np
import pytest
from scipy import stats

import rankwise as rw
from rankwise.aggregate.scalar.clustered_errors import clustered_errors
from rankwise.aggregate.scalar.judged_values import JudgedValues
from rankwise.aggregate.scalar.mixed_effects import mixed_fit
from rankwise.aggregate.scalar.value_models import Mixed
from rankwise.errors import DataError
from rankwise.types import Assessments

nan = float("nan")
ROWS = [
    ("A", "1", "ann", "TGT", 80.0),
    ("A", "1", "bob", "TGT", 60.0),
    ("A", "2", "ann", "TGT", 40.0),
    ("B", "1", "ann", "TGT", 60.0),
    ("B", "1", "cem", "TGT", 10.0),
    ("B", "2", "bob", "TGT", nan),
    ("B", "2", "ann", "BAD", 0.0),
]


def scores(rows, model="mean", **options):
    found = rw.rank_assessments(Assessments.from_rows(rows), model, **options)
    return dict(zip(found.board.systems, found.board.scores.tolist(), strict=True))


@pytest.mark.parametrize("model", ["mixed", "mean", "mean:unit=judge"])
def test_a_system_judged_once_may_have_any_rank(model):
    rows = [*random_rows(), ("D", "3", "j1", "TGT", 99.0)]
    found = rw.rank_assessments(Assessments.from_rows(rows), model, runs=200)
    place = found.board.systems.index("D")
    assert np.isnan([found.found.low[place], found.found.high[place]]).all()
    assert (found.board.rank_low[place], found.board.rank_high[place]) == (1, 4)
    others = np.delete(np.arange(4), place)
    assert np.isfinite(found.found.low[others]).all()
    assert (found.found.p_values[place, others] == 1).all()


def random_rows(seed=0, shift=8.0):
    random = np.random.default_rng(seed)
    return [
        (system, str(segment), f"j{random.integers(6)}", "TGT", float(value))
        for segment in range(40)
        for place, system in enumerate("ABC")
        for value in random.normal(50 - shift * place, 15, random.integers(0, 3))
    ]


# -- means -----------------------------------------------------------------------------------------


def test_raw_means_by_hand():
    # A: segment 1 has 70, segment 2 has 40; B: only segment 1, 35; the control does not count.
    assert scores(ROWS, "mean:normalise=none", runs=5) == pytest.approx({"A": 55, "B": 35})
    plain = scores(ROWS, "mean:normalise=none:average=judgment", runs=5)
    assert plain == pytest.approx({"A": 60, "B": 35})


def test_means_on_the_scale_of_each_judge_by_hand():
    # ann: 80, 40, 60, 0: mean 45, sample deviation sqrt(3500 / 3). bob and cem gave one value: 0.
    ann = np.sqrt(3500 / 3)
    assert scores(ROWS, runs=5) == pytest.approx(
        {"A": (35 / ann / 2 - 5 / ann) / 2, "B": (15 / ann + 0) / 2}
    )


def test_domains_weigh_alike_however_many_segments_they_have():
    rows = [("A", str(g), "ann", "TGT", 90.0) for g in range(8)] + [("A", "9", "bob", "TGT", 10.0)]
    rows += [("B", str(g), "ann", "TGT", 60.0) for g in (1, 9)]
    domain = np.array([*["news"] * 8, "talk", "news", "talk"], object)
    assessments = Assessments.from_rows(rows, info={"domain": domain})
    found = rw.rank_assessments(assessments, "mean:normalise=none:average=domain", runs=5)
    assert dict(zip(found.board.systems, found.board.scores, strict=True)) == {"B": 60, "A": 50}


def test_a_constant_judge_says_nothing():
    rows = [(s, str(g), "eve", "TGT", 99.0) for s in "AB" for g in range(3)]
    assert scores(rows, runs=5) == {"A": 0.0, "B": 0.0}
    assert scores(rows, "mixed") == pytest.approx({"A": 99.0, "B": 99.0})


@pytest.mark.parametrize("average", ["segment", "judgment", "domain"])
@pytest.mark.parametrize("unit", ["segment", "judge", "document"])
def test_resamples_are_those_of_the_drawn_units(average, unit):
    rows = random_rows()
    places = {
        "document": np.array([f"d{int(row[1]) // 4}" for row in rows], object),
        "domain": np.array([f"m{int(row[1]) % 2}" for row in rows], object),
    }
    model = f"mean:normalise=none:average={average}:unit={unit}"
    found = rw.rank_assessments(Assessments.from_rows(rows, info=places), model, runs=60, seed=3)
    # The same draws the slow way: every judgment as often as its unit, shared among its segment's.
    column = {"segment": 1, "judge": 2}.get(unit)
    own = places["document"].tolist() if column is None else [row[column] for row in rows]
    first = list(dict.fromkeys(own))  # segments and judges are numbered as they come
    names = sorted(first) if unit == "document" else first
    random, best = np.random.default_rng(3), found.board
    for run in found.found.runs:
        counts = random.multinomial(len(names), np.full(len(names), 1 / len(names)))
        for system, whole, score in zip(best.systems, best.scores, run, strict=True):
            means = []
            for domain in ("m0", "m1") if average == "domain" else ("",):
                total = weight = 0.0
                for row, unit_of, place in zip(rows, own, places["domain"], strict=True):
                    if row[0] == system and domain in ("", place):
                        same = sum(other[:2] == row[:2] for other in rows)
                        share = 1 if average == "judgment" else 1 / same
                        total += counts[names.index(unit_of)] * share * row[4]
                        weight += counts[names.index(unit_of)] * share
                means.append(total / weight)
            units = len({name for row, name in zip(rows, own, strict=True) if row[0] == system})
            wide = stats.t.ppf(0.975, units - 1) / stats.norm.ppf(0.975)
            wide *= np.sqrt(units / (units - 1))
            assert score == pytest.approx(whole + (np.mean(means) - whole) * wide)


def few_rows(documents: int) -> Assessments:
    """Three systems that two judges judged on ten documents of two segments; "new" on fewer."""
    random = np.random.default_rng(8)
    rows = [
        (system, f"{document}-{k}", judge, "TGT", ability + random.normal(0, 5))
        for system, ability in (("A", 60.0), ("B", 50.0), ("C", 40.0), ("new", 70.0))
        for document in range(documents if system == "new" else 10)
        for k in range(2)
        for judge in ("ann", "bob")
    ]
    places = np.array([f"d{row[1].split('-')[0]}" for row in rows], object)
    return Assessments.from_rows(rows, info={"document": places})


@pytest.mark.parametrize("model", ["mixed", "mixed:unit=document", "mean:unit=document"])
def test_a_system_of_one_document_may_have_any_rank(model):
    """Two judges say nothing of how other documents would have been translated."""
    found = rw.rank_assessments(few_rows(1), model)
    [place] = [k for k, name in enumerate(found.board.systems) if name == "new"]
    assert np.isnan(found.found.low[place])
    assert found.board.rank_low[place] == 1
    assert found.board.rank_high[place] == 4
    assert not (np.delete(found.found.p_values[place], place) < 0.05).any()


def test_two_documents_of_ten_count_as_two():
    """Its errors are those of two documents, with one degree of freedom; others keep theirs."""
    few, ten = few_rows(2), few_rows(10)
    found = {name: rw.rank_assessments(rows, "mixed:unit=document") for name, rows in
             (("few", few), ("ten", ten))}  # fmt: skip
    board, whole = found["few"].board, found["ten"].board
    assert board.deviations is not None
    assert whole.deviations is not None
    place = board.systems.index("new")
    half = (found["few"].found.high - found["few"].found.low)[place] / 2
    assert half == pytest.approx(stats.t.ppf(0.975, 1) * board.deviations[place])
    values = few.value[few.system == few.systems.index("new")]
    one, two = values[:4].mean(), values[4:].mean()
    assert board.deviations[place] == pytest.approx(abs(one - two) / 2, rel=0.15)
    first = board.systems.index("A")
    assert board.deviations[first] == pytest.approx(
        whole.deviations[whole.systems.index("A")], rel=0.1
    )
    assert found["few"].found.p_values[place, first] > 0.05


def test_a_judge_more_takes_no_interval_away():
    """A judge who saw some systems only says nothing of the others, and takes nothing from them."""
    one = few_rows(10)
    rows = [
        (one.systems[s], one.segments[g], one.judges[j], "TGT", v)
        for s, g, j, v in zip(one.system, one.segment, one.judge, one.value, strict=True)
        if one.judges[j] == "ann" or (one.systems[s] in "AB" and one.segments[g] == "0-0")
    ]
    found = rw.rank_assessments(Assessments.from_rows(rows))
    assert not np.isnan(found.found.low).any()
    assert (found.found.high - found.found.low > 0).all()


def test_clear_differences_make_clusters():
    rows = random_rows(shift=30.0)
    for model in ("mean", "mixed"):
        found = rw.rank_assessments(Assessments.from_rows(rows), model)
        assert found.board.systems == ("A", "B", "C")
        assert found.board.clusters.tolist() == [1, 2, 3]
    assert found.board.signature == (
        "mixed:average=segment:unit=judge+document:version=0.1.0 draws:runs=1000:seed=1:level=0.95"
    )


# -- the mixed model -------------------------------------------------------------------------------


def crossed(random, systems=3, judges=6, segments=20):
    """Every judge gives every system a value for every segment."""
    shape = np.meshgrid(range(systems), range(judges), range(segments), indexing="ij")
    return [codes.ravel().astype(np.int64) for codes in shape], random.normal(size=shape[0].size)


def test_where_all_judged_all_the_estimates_are_plain_means():
    (system, judge, segment), noise = crossed(np.random.default_rng(1))
    value = noise + system + 3.0 * judge + 0.1 * segment
    fit = mixed_fit(value, system, judge, segment)
    np.testing.assert_allclose(fit.means, [value[system == s].mean() for s in range(3)])


def test_errors_of_judges_are_those_of_a_paired_test_of_their_means():
    (system, judge, segment), noise = crossed(np.random.default_rng(2), systems=2)
    rows = [
        (f"s{s}", f"g{g}", f"j{j}", "TGT", v)
        for s, g, j, v in zip(system, segment, judge, noise, strict=True)
    ]
    means, errors = Mixed(unit="judge").estimates(JudgedValues.of(Assessments.from_rows(rows)))
    by_judge = [[noise[(system == s) & (judge == j)].mean() for j in range(6)] for s in range(2)]
    assert errors.p_values(means)[0, 1] == pytest.approx(stats.ttest_rel(*by_judge).pvalue)


def test_segments_apart_are_documents_of_one_segment():
    (system, judge, segment), noise = crossed(np.random.default_rng(4))
    rows = [
        (f"s{s}", f"g{g}", f"j{j}", "TGT", v + g // 4)
        for s, g, j, v in zip(system, segment, judge, noise, strict=True)
    ]
    documents = np.array([f"d{int(row[1][1:]) // 4}" for row in rows], object)
    alone = JudgedValues.of(Assessments.from_rows(rows))
    judged = JudgedValues.of(Assessments.from_rows(rows, info={"document": documents}))
    apart, together, plain = (
        model.ranked(values, runs=50, seed=1, level=0.95)
        for model, values in (
            (Mixed(unit="judge+segment"), judged),
            (Mixed(), judged),
            (Mixed(), alone),
        )
    )
    np.testing.assert_allclose(apart.low, plain.low, rtol=1e-12)
    assert not np.allclose(apart.low, together.low)


def test_the_estimates_solve_the_whole_covariance():
    """Generalised least squares with the variances found, written out with all matrices."""
    random = np.random.default_rng(3)
    (system, judge, segment), noise = crossed(random)
    kept = random.random(len(noise)) < 0.3
    system, judge, segment = system[kept], judge[kept], segment[kept]
    value = noise[kept] + system + random.normal(0, 2, 6)[judge]
    fit = mixed_fit(value, system, judge, segment)
    design, own, of_segment = (np.eye(c.max() + 1)[c] for c in (system, judge, segment))
    whole = fit.noise_variance * np.eye(len(value))
    whole += fit.judge_variance * own @ own.T + fit.segment_variance * of_segment @ of_segment.T
    inverse = np.linalg.inv(whole)
    expected = np.linalg.solve(design.T @ inverse @ design, design.T @ inverse @ value)
    np.testing.assert_allclose(fit.means, expected, rtol=1e-6)


def test_variances_are_those_of_the_restricted_likelihood():
    """No other variances make the data more likely, up to where the steps stop."""
    random = np.random.default_rng(4)
    (system, judge, segment), noise = crossed(random, judges=8, segments=15)
    value = noise + 2 * random.normal(size=8)[judge] + random.normal(size=15)[segment]
    fit = mixed_fit(value, system, judge, segment)
    best = (fit.noise_variance, fit.judge_variance, fit.segment_variance)

    def likelihood(noise, of_judge, of_segment):
        design, own, place = (np.eye(c.max() + 1)[c] for c in (system, judge, segment))
        whole = noise * np.eye(len(value)) + of_judge * own @ own.T + of_segment * place @ place.T
        inverse = np.linalg.inv(whole)
        inner = design.T @ inverse @ design
        rest = value - design @ np.linalg.solve(inner, design.T @ inverse @ value)
        found = np.linalg.slogdet(whole)[1] + np.linalg.slogdet(inner)[1]
        return -(found + rest @ inverse @ rest) / 2

    top = likelihood(*best)
    for place in range(3):
        for factor in (0.8, 1.25):
            other = [v * factor if number == place else v for number, v in enumerate(best)]
            assert likelihood(*other) < top


def test_a_strict_judge_and_an_easy_text_are_taken_away():
    """A was judged by a mild judge on easy segments, B by strict ones on hard segments."""
    random = np.random.default_rng(5)
    rows = []
    for g in range(60):
        easy = 10.0 if g < 30 else -10.0
        for judge, strict in (("ann", 0.0), ("bob", -20.0), ("cem", -5.0)):
            for system, ability in (("A", 60.0), ("B", 65.0)):
                seen = (system == "A") == (easy > 0) and (system == "A") == (judge == "ann")
                if seen or random.random() < 0.25:
                    value = ability + easy + strict + random.normal(0, 2)
                    rows.append((system, str(g), judge, "TGT", value))
    plain = scores(rows, "mean:normalise=none", runs=5)
    fair = scores(rows, "mixed")
    assert plain["A"] > plain["B"]
    assert fair["B"] - fair["A"] == pytest.approx(5, abs=1)


def test_errors_of_one_group_by_hand():
    values = np.array([[3.0, 5.0, 4.0, 8.0, 6.0, 4.0]])
    group = np.array([0, 0, 1, 1, 2, 2])
    found = clustered_errors((values - 5) / 6, group)
    assert found.deviations[0] == pytest.approx(np.std([4, 6, 5], ddof=1) / np.sqrt(3))
    assert found.mean_freedom == 2


def test_documents_within_judges_count_as_judges():
    """Where each document has one judge, two-way errors are those of judges."""
    random = np.random.default_rng(6)
    document = np.repeat(np.arange(20), 5)
    judge = document // 4
    influence = (random.normal(size=100) + random.normal(size=5)[judge])[None] / 100
    both = clustered_errors(influence, judge, document)
    alone = clustered_errors(influence, judge)
    assert both.covariance[0, 0] == alone.covariance[0, 0]
    assert both.mean_freedom == 4


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("mean:normalise=system", {}, "unknown normalise 'system'; choose from judge, none"),
        ("mean:average=document", {}, "unknown average"),
        ("mean:unit=pair", {}, "unknown unit"),
        ("mixed:unit=pair", {}, "unknown unit"),
        ("median", {}, "unknown model of values 'median'; choose from mean, mixed"),
        ("mean", {"runs": 0}, "0 runs"),
        ("mixed", {"runs": 0}, "0 runs"),
        ("mean", {"level": 95}, "level 95 is no share"),
        ("mixed", {"level": 95}, "level 95 is no share"),
        (None, {"recipe": "wmt99"}, "unknown recipe 'wmt99'; choose from wmt17"),
        ("mean", {"recipe": "wmt17"}, "recipe 'wmt17' brings its own model"),
        ("mixed:average=domain", {}, "not every judgment names one"),
        (
            None,
            {"recipe": "wmt24"},
            "wmt24. averages over domains, .* give --documents FILE",
        ),
    ],
)
def test_what_is_refused(model, options, message):
    with pytest.raises(DataError, match=message):
        rw.rank_assessments(Assessments.from_rows(ROWS), model, **options)


def test_a_system_that_a_domain_lacks_is_named():
    domain = np.array(["news", "news", "talk", "news", "news", "talk", "talk"], object)
    with pytest.raises(DataError, match="'B' was not judged in 'talk'"):
        rw.rank_assessments(
            Assessments.from_rows(ROWS, info={"domain": domain}), "mean:average=domain"
        )


@pytest.mark.parametrize("rows", [[], [ROWS[5]], [ROWS[6]]])
def test_nothing_to_rank(rows):
    with pytest.raises(DataError, match="no value of a system's own output"):
        rw.rank_assessments(Assessments.from_rows(rows))


def test_one_judge_and_one_document_tell_nothing():
    rows = [("A", "1", "ann", "TGT", 80.0), ("B", "1", "ann", "TGT", 70.0)]
    with pytest.raises(DataError, match="nothing to tell chance by"):
        rw.rank_assessments(Assessments.from_rows(rows))
    rows += [("A", "2", "ann", "TGT", 70.0), ("B", "2", "ann", "TGT", 75.0)]
    found = rw.rank_assessments(Assessments.from_rows(rows))
    assert found.notes[0].startswith("one judge: nothing is known")
