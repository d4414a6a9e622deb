"""Models that others published: small ones made up here, and what is refused."""

import math

import numpy as np
import pytest

import rankwise as rw
from rankwise.learning import beer_1_model, beer_2_model
from rankwise.learning.features import Beer20

WEIGHTS = {"WordMatching:exact:recall": -2.0, "Kendall": -1.0}


def document(name="beer_1.1/en_exact_weka", weights=None, intercept=0.5):
    entry = {
        "intercept_negative_class": intercept,
        "coef_negative_class": WEIGHTS if weights is None else weights,
    }
    return {"models": {name: entry}}


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def test_beer_1_0_is_a_probability():
    """Recall 2/3 and both words in order: 2 * 2/3 + 1 - 0.5."""
    model = beer_1_model(document("beer_1.0/en_exact_weka"), "beer_1.0/en_exact_weka")
    assert model.segments(["the cat"], ["the big cat"])[0] == pytest.approx(sigmoid(4 / 3 + 0.5))


def test_beer_1_1_compares_with_the_reference_itself():
    """The same, minus recall 1 and all words in order."""
    model = beer_1_model(document(), "beer_1.1/en_exact_weka")
    found = model.segments(["the cat", "the big cat"], ["the big cat", "the big cat"])
    assert found == pytest.approx([2 * sigmoid(-2 / 3 - 0.5), 2 * sigmoid(-0.5)])


def test_the_best_reference_counts():
    model = beer_1_model(document(), "beer_1.1/en_exact_weka")
    several = model.segments(["the cat", "a"], [["a dog", "the cat"], "a"])
    assert several.tolist() == model.segments(["the cat", "a"], ["the cat", "a"]).tolist()
    assert model.segments([], []).shape == (0,)


def test_options_come_before_what_the_name_says():
    name = "beer_1.1/hi_func_exact_stem_weka"
    model = beer_1_model(document(name), name, modules="exact")
    assert (model.features.language, model.features.modules) == ("other", "exact")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "x.json: there is no model 'beer_1.1/en_exact_weka'; choose from none"),
        (document("other"), "choose from other"),
        ({"models": {"beer_1.1/en_exact_weka": {}}}, "has no 'coef_negative_class'"),
        (document(weights={"Dep:x": 1.0}), "weight for 'Dep:x'"),
        (document(weights={"Kendall": math.nan}), "'Kendall' of model .* is nan"),
        (document(weights={"Kendall": 10**400}), "'Kendall' of model .* is 1000"),
        (document(weights={"Kendall": "1"}), "'Kendall' of model .* is '1'"),
        (document(intercept=None), "'the intercept' of model .* is None"),
    ],
)
def test_wrong_documents_are_refused(given, message):
    with pytest.raises(rw.DataError, match=message):
        beer_1_model(given, "beer_1.1/en_exact_weka", source="x.json")


def folder(**changes):
    """A BEER 2.0 model with two weights: words in common, and a scaled length."""
    names = Beer20().names
    weights = {"ngram1.a": 3.0, "len_disbalance_word.d.1.0": -1.0}
    files = {
        "core_model": "solver_type L2R_L2LOSS_SVC\nw\n"
        + "".join(f"{weights.get(name, 0.0)} \n" for name in names),
        "feature_names_mapping": "".join(f"{k} {name}\n" for k, name in enumerate(names)),
        "feature_values_scaling": "".join(
            "0.0 4.0\n" if name.startswith("len") else "0.0 1.0\n" for name in names
        ),
        "output_scaling": "solver_type L2R_L2LOSS_SVR\nw\n10.0 \n20.0 \n",
    }
    return {**files, **changes}


def test_beer_2_0_by_hand():
    """``a b c`` and ``a c``: ngram1.a is 4/5, the longer side half as long again."""
    model = beer_2_model(folder())
    margin = 3 * 4 / 5 - 0.5 / 4
    assert model.margins(["a b c"], ["a c"])[0] == pytest.approx(margin)
    assert model.segments(["a b c"], ["a c"])[0] == pytest.approx((10 + 20 * margin) / 100)
    assert model.segments(["x"], ["a c" * 99]).tolist() == [0.0]


def test_a_folder_of_beer_2_0_is_a_metric(tmp_path):
    """The same by hand, through the files."""
    for name, text in folder().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    metric = rw.metric(f"beer:version=2.0:model={tmp_path}")
    score = (10 + 20 * (3 * 4 / 5 - 0.5 / 4)) / 100
    assert metric.segments(["a b c"], ["a c"])[0] == pytest.approx(score, abs=1e-9)
    assert metric == rw.metric(metric.signature)
    with pytest.raises(rw.DataError, match=r"BEER 2\.0 does not have the option 'language'"):
        rw.metric(f"beer:version=2.0:model={tmp_path}:language=de")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"core_model": "nothing"}, "mine/core_model: there is no line 'w'"),
        ({"core_model": "\nw\n1 two\n"}, "mine/core_model: .*'two'; expected numbers"),
        ({"core_model": "\nw\n1\n"}, "1 weights, 62 names and 62 scales"),
        ({"core_model": "\nw\n1 nan\n"}, "not finite; expected numbers"),
        ({"feature_values_scaling": "0 x\n" * 62}, "mine/feature_values_scaling: .*'x'"),
        ({"feature_values_scaling": "0 1 2\n" * 62}, "not numbers of the expected shape"),
        ({"feature_values_scaling": "1 1\n" * 62}, "'.*' does not rise; expected LOW HIGH"),
        ({"output_scaling": "\nw\n1 2 3\n"}, "found 3 numbers; expected 2 of a line"),
    ],
)
def test_wrong_folders_are_refused(changes, message):
    with pytest.raises(rw.DataError, match=message):
        beer_2_model(folder(**changes), name="mine")
    odd = folder()["feature_names_mapping"].replace("char1.a", "char9.a")
    with pytest.raises(rw.DataError, match=r"'char1\.a' is not in both"):
        beer_2_model(folder(feature_names_mapping=odd))


def test_weights_follow_the_names_wherever_they_stand():
    files = folder()
    turned = {
        key: "\n".join(reversed(files[key].splitlines()))
        for key in ("feature_names_mapping", "feature_values_scaling")
    }
    head, _, numbers = files["core_model"].partition("\nw\n")
    turned["core_model"] = head + "\nw\n" + "\n".join(reversed(numbers.split()))
    pair = ["a b c"], ["a c"]
    np.testing.assert_array_equal(
        beer_2_model({**files, **turned}).margins(*pair), beer_2_model(files).margins(*pair)
    )
