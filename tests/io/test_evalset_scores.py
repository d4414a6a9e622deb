"""The score files of an EvalSet folder."""

import pytest

from evalset_folders import make_evalset
from rankwise.errors import DataError
from rankwise.io.formats.scores import evalset_scores


@pytest.fixture
def folder(tmp_path):
    return make_evalset(tmp_path / "set")


def test_names(folder):
    assert evalset_scores.gold_names(folder, "en-de") == ("mqm",)
    assert evalset_scores.metric_files(folder, "en-de") == {
        "Good-refA": "refA",
        "Noise-src": "src",
        "Other-synthetic": "synthetic",
    }


def test_both_levels_are_read(folder):
    gold = evalset_scores.read_gold(folder, "en-de")
    assert gold.segments.values.shape == (5, 12)
    assert gold.systems.level == "system"
    (folder / "human-scores" / "en-de.mqm.sys.score").unlink()
    assert evalset_scores.read_gold(folder, "en-de", "mqm").systems is None


def test_unknown_gold_scores_are_refused_with_the_choices(folder):
    with pytest.raises(DataError, match="none called 'da'; choose from mqm"):
        evalset_scores.read_gold(folder, "en-de", "da")
    for name in ("one", "two"):
        (folder / "human-scores" / f"fr-en.{name}.seg.score").write_text("A\t1\n", "utf-8")
    with pytest.raises(DataError, match="there are several; choose from one, two"):
        evalset_scores.read_gold(folder, "fr-en")
