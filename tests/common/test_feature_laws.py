"""Laws that every feature set obeys: one table of members, one test per law."""

import copy
import os
import subprocess
import sys

import numpy as np
import pytest

from rankwise.learning.features import FEATURE_SETS, feature_set

CASES = [
    "beer:modules=exact,stem",
    "beer:modules=exact:convention=beer-1.1:share=class",
    "beer:language=other:relative=z",
    "beer-1.1:modules=exact,stem",
    "beer-1.1:language=de:modules=exact:normalize=false",
    "beer-2.0",
    "beer-2.0:relative=best,rank,z",
    "duh",
    "duh:relative=best,z",
    "duh:subset=1-12:tokenize=intl:lowercase=true",
    "soft:relative=z",
    "soft",
    "soft:relative=rank",
]
HYPOTHESES = [
    "A quick brown fox jumped over the lazy dogs.",
    "Over the lazy dog the quick brown fox jumps.",
    "",
    "我们 明天 去 上海 看 长城 , 你 呢 ?",
    "\ud800 👍🏽 \x00",
    "dog " * 80,
]
REFERENCES = [
    "The quick brown fox jumps over the lazy dog.",
    "The quick brown fox jumps over the lazy dog.",
    "The quick brown fox jumps over the lazy dog.",
    "我们 明天 去 北京 看 长城 , 你 去 吗 ?",
    "",
    "the dog",
]
GROUPS = ["one", "one", "one", "two", "three", "three"]

every_set = pytest.mark.parametrize("name", CASES)


def values(name, order=slice(None)):
    features = feature_set(name)
    parts = (np.array(part, object)[order].tolist() for part in (HYPOTHESES, REFERENCES, GROUPS))
    return features.values(*parts)


def test_every_set_is_here():
    assert {name.partition(":")[0] for name in CASES} == set(FEATURE_SETS)


@every_set
def test_a_finite_row_per_translation(name):
    found = values(name)
    assert found.shape == (len(HYPOTHESES), len(feature_set(name).names))
    assert found.dtype == np.float64
    assert np.isfinite(found).all()


@every_set
def test_every_column_has_a_name_of_its_own_and_a_description(name):
    features = feature_set(name).features
    assert len({feature.name for feature in features}) == len(features)
    assert all(len(feature.description) > 8 for feature in features)


@every_set
def test_the_signature_parses_back(name):
    features = feature_set(name)
    assert feature_set(features.signature) == features
    assert feature_set(str(features)) == features


@every_set
def test_order_does_not_matter(name):
    order = [4, 2, 0, 5, 1, 3]
    np.testing.assert_allclose(values(name, order), values(name)[order], rtol=1e-12, atol=1e-12)


@every_set
def test_features_of_its_own_see_one_translation_at_a_time(name):
    features = feature_set(name)
    alone = [features.rows([h], [r])[0] for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    np.testing.assert_array_equal(features.rows(HYPOTHESES, REFERENCES), alone)


@every_set
def test_inputs_stay_as_they_are(name):
    given = copy.deepcopy((HYPOTHESES, REFERENCES, GROUPS))
    values(name)
    assert given == (HYPOTHESES, REFERENCES, GROUPS)


@every_set
def test_no_translation_at_all(name):
    assert feature_set(name).values([], [], []).shape == (0, len(feature_set(name).names))


@every_set
def test_one_reference_in_a_list_is_that_reference(name):
    features = feature_set(name)
    listed = features.values(HYPOTHESES, [[r] for r in REFERENCES], GROUPS)
    np.testing.assert_array_equal(listed, values(name))


@every_set
def test_a_reference_is_no_worse_a_translation_than_another(name):
    """Of its own features, by merit: all that is shared is shared."""
    features = feature_set(name)
    texts = [REFERENCES[0], REFERENCES[3]]
    perfect = features.merit(features.perfect(texts))
    others = features.merit(features.rows([HYPOTHESES[0], HYPOTHESES[3]], texts))
    assert (perfect >= others).all()


SCRIPT = """
import sys, numpy as np
from rankwise.learning.features import feature_set
words = ["the", "cat", "sat", "on", "a", "mat", "dog", "."]
rng = np.random.default_rng(1)
texts = [" ".join(rng.choice(words, rng.integers(1, 20))) for _ in range(1200)]
found = feature_set(sys.argv[1]).values(texts, texts[::-1], [i // 5 for i in range(1200)])
sys.stdout.buffer.write(found.tobytes())
"""


@pytest.mark.parametrize("name", ["beer:modules=exact,stem", "beer-2.0:relative=z", "duh", "soft"])
def test_any_number_of_threads_gives_the_same(name):
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, name],
            env={**os.environ, "RANKWISE_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "7")
    }
    assert len(outputs) == 1
