"""The cache of features: what is found again, what is not, and what is refused."""

import sys

import numpy as np
import pytest

import rankwise as rw
from rankwise.io.learned.feature_cache import FeatureCache, content_key, read_features
from rankwise.learning.features import feature_set

TEXTS = ["the cat", "a \ud800 dog"], ["the cat sat", ["a dog", "dogs"]]


@pytest.fixture
def arrow():
    return pytest.importorskip("pyarrow")


def fetch(folder, name="beer-2.0", hypotheses=TEXTS[0], groups=None):
    """The features, and how often they had to be computed."""
    features = feature_set(name)
    calls = []

    def compute():
        calls.append(1)
        return features.values(hypotheses, TEXTS[1], groups)

    found = FeatureCache(folder)(
        features.signature, features.names, hypotheses, TEXTS[1], groups, compute
    )
    np.testing.assert_array_equal(found, features.values(hypotheses, TEXTS[1], groups))
    return len(calls)


def test_features_are_computed_once(tmp_path, arrow):
    assert [fetch(tmp_path / "cache"), fetch(tmp_path / "cache")] == [1, 0]
    assert len(list((tmp_path / "cache").glob("*.parquet"))) == 1


def test_whatever_can_change_a_number_changes_the_file(tmp_path, arrow):
    assert fetch(tmp_path) == 1
    assert fetch(tmp_path, hypotheses=["the cat", "a dog"]) == 1
    assert fetch(tmp_path, name="beer-2.0:relative=z", groups=["s", "s"]) == 1
    assert fetch(tmp_path, name="beer-2.0:relative=z", groups=["s", "t"]) == 1
    assert fetch(tmp_path, name="beer-2.0:relative=z", groups=["u", "u"]) == 0  # the same sets


def test_texts_do_not_run_together():
    keys = {
        content_key("x", ["ab", ""], ["", ""]),
        content_key("x", ["a", "b"], ["", ""]),
        content_key("x", ["", "ab"], ["", ""]),
        content_key("x", ["a", ""], ["b", ""]),
        content_key("x", ["a", ""], [["b", ""], ""]),
        content_key("xa", ["", ""], ["b", ""]),
        content_key("x", ["1:a", ""], ["b", ""]),
    }
    assert len(keys) == 7


def test_the_version_is_part_of_the_key():
    assert f"version={rw.__version__}" in feature_set("beer-2.0").signature


def test_a_broken_file_is_named(tmp_path, arrow):
    fetch(tmp_path)
    (file,) = tmp_path.glob("*.parquet")
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(rw.DataError, match=r"\.parquet: cannot be read: .*delete the file"):
        fetch(tmp_path)


def test_a_damaged_number_is_found(tmp_path, arrow):
    """A bit of every 97th byte turned, of a file that Parquet reads all the same mostly."""
    fetch(tmp_path)
    (file,) = tmp_path.glob("*.parquet")
    whole, names = file.read_bytes(), feature_set("beer-2.0").names
    expected = read_features(file, names)
    refused = 0
    for place in range(0, len(whole), 97):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        try:
            np.testing.assert_array_equal(read_features(file, names), expected)
        except rw.DataError:
            refused += 1
    assert refused > 50


def test_two_programs_may_share_a_folder(tmp_path, arrow):
    """Both find nothing, compute and write; what is there is whole at any time."""
    features = feature_set("beer-2.0")
    arguments = features.signature, features.names, *TEXTS, None

    def slow():
        assert fetch(tmp_path) == 1  # the other program, which ends first
        return features.values(*TEXTS)

    found = FeatureCache(tmp_path)(*arguments, slow)
    np.testing.assert_array_equal(found, features.values(*TEXTS))
    assert fetch(tmp_path) == 0
    assert [file.suffix for file in tmp_path.iterdir()] == [".parquet"]


def test_a_file_with_other_columns_is_named(tmp_path, arrow):
    fetch(tmp_path)
    (file,) = tmp_path.glob("*.parquet")
    with pytest.raises(rw.DataError, match=r"has the columns char1\.a, .*; expected mine"):
        read_features(file, ["mine"])


def test_without_pyarrow_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(rw.MissingExtra, match=r"pip install 'rankwise\[learn\]'"):
        fetch(tmp_path)
