"""The bundled example: its shape, its truth, and that the script regenerates it byte for byte."""

import json
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from rankwise.bundled import Example, example

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src" / "rankwise" / "bundled" / "example"
FILES = sorted(path.relative_to(FOLDER) for path in FOLDER.rglob("*") if path.is_file())
SYSTEMS = ("alder", "birch", "cedar", "hazel", "maple", "rowan", "spruce", "willow")


@pytest.fixture(scope="module")
def data() -> Example:
    return example()


@pytest.fixture(scope="module")
def regenerated(tmp_path_factory):
    """The example as the script writes it now."""
    target = tmp_path_factory.mktemp("example") / "again"
    script = ROOT / "scripts" / "make_example.py"
    subprocess.run([sys.executable, script, "--to", target], check=True)
    return target


def abilities(data: Example) -> np.ndarray:
    """The true abilities, in the order of the judgments' systems."""
    return np.array([data.truth["systems"][name]["ability"] for name in data.judgments.systems])


# -- the files -----------------------------------------------------------------------------------


def test_the_script_writes_the_committed_files_and_no_others(regenerated):
    found = sorted(
        path.relative_to(regenerated) for path in regenerated.rglob("*") if path.is_file()
    )
    assert found == FILES


@pytest.mark.parametrize("name", FILES, ids=str)
def test_the_script_regenerates_every_byte(name, regenerated):
    assert (regenerated / name).read_bytes() == (FOLDER / name).read_bytes()


def test_another_seed_gives_another_example(tmp_path, regenerated):
    """With this seed all systems agree on a segment, which then has nothing to rank."""
    script = ROOT / "scripts" / "make_example.py"
    command = [sys.executable, script, "--seed", "5", "--to", tmp_path]
    subprocess.run(command, check=True, timeout=600)
    texts = [path.read_text("utf-8").splitlines() for path in (tmp_path / "systems").iterdir()]
    assert any(len(set(outputs)) == 1 for outputs in zip(*texts, strict=True))
    for name in ("judgments.jsonl", "assessments.tsv", "systems/hazel.txt"):
        assert (tmp_path / name).read_bytes() != (regenerated / name).read_bytes()
    assert (tmp_path / "source.txt").read_bytes() == (regenerated / "source.txt").read_bytes()


def test_the_example_is_small():
    assert sum((FOLDER / name).stat().st_size for name in FILES) < 400_000


@pytest.mark.parametrize("name", FILES, ids=str)
def test_files_are_clean_text(name):
    text = (FOLDER / name).read_bytes().decode("utf-8")
    assert text == unicodedata.normalize("NFC", text)
    assert text.endswith("\n") and "\r" not in text
    lines = text.split("\n")[:-1]
    assert all(line == line.rstrip() for line in lines)
    if name.suffix == ".txt":
        assert len(lines) == 60
        assert all(line == " ".join(line.split()) and line for line in lines)


# -- the test set --------------------------------------------------------------------------------


def test_the_shape_of_the_test_set(data):
    testset = data.testset
    assert (testset.source_language, testset.target_language) == ("de", "en")
    assert [segment.id for segment in testset.segments] == [str(i) for i in range(1, 61)]
    assert tuple(sorted(testset.systems)) == SYSTEMS


def test_every_segment_has_two_different_references(data):
    for segment in data.testset.segments:
        first, second = segment.references
        assert segment.reference_names == ("refA", "refB")
        assert first.split() != second.split()


def test_documents_are_contiguous_and_lie_in_three_domains(data):
    places = [(segment.domain, segment.document) for segment in data.testset.segments]
    documents = dict.fromkeys(places)
    assert len(documents) == 8
    assert {domain for domain, _ in documents} == {"news", "review", "travel"}
    assert sum(left != right for left, right in pairwise(places)) == len(documents) - 1


def test_sources_are_varied(data):
    sources = [segment.source for segment in data.testset.segments]
    lengths = sorted(len(source.split()) for source in sources)
    assert lengths[0] <= 3
    assert lengths[-1] >= 40
    for mark in ("?", "!", "„", "%", "z. B.", "Dr.", ";", ":", "4,2", "12.000", "km/h"):
        assert any(mark in source for source in sources), mark


def test_the_best_system_is_almost_a_reference_and_the_worst_is_not(data):
    def share_of_references(name):
        texts = zip(data.testset.outputs[name], data.testset.references, strict=True)
        return np.mean([text in references for text, references in texts])

    assert share_of_references("rowan") > 0.5
    assert share_of_references("hazel") < 0.1


# -- the judgments -------------------------------------------------------------------------------


def test_the_shape_of_the_judgments(data):
    judgments = data.judgments
    assert len(judgments) == 600
    assert tuple(sorted(judgments.systems)) == SYSTEMS
    assert sorted(judgments.judges) == [f"judge{number:02}" for number in range(1, 13)]
    assert set(judgments.segments) == {segment.id for segment in data.testset.segments}
    assert set(judgments.sizes.tolist()) == {5}
    assert len({ranking.screen for ranking in judgments}) == 600


def test_equal_outputs_share_a_number_and_others_do_not(data):
    outputs, place = data.testset.outputs, {s.id: i for i, s in enumerate(data.testset.segments)}
    shared = 0
    for ranking in data.judgments:
        texts = [outputs[system][place[ranking.segment]] for system in ranking.systems]
        numbers = ranking.outputs or range(5)
        assert list(numbers) == [list(dict.fromkeys(texts)).index(text) for text in texts]
        shared += len(set(texts)) < 5
    assert shared >= 60


def test_skipped_screens_are_kept(data):
    skipped = data.judgments.select(data.judgments.is_skipped)
    assert len(skipped) == 6
    assert all(ranking.ranks == (None,) * 5 for ranking in skipped)
    assert all(ranking.info["duration"] > 0 for ranking in skipped)


def test_screens_are_repeated_by_the_same_judge_and_by_others(data):
    by_screen = {ranking.screen: ranking for ranking in data.judgments}
    repeated = [ranking for ranking in data.judgments if "repeats" in ranking.info]
    firsts = [by_screen[ranking.info["repeats"]] for ranking in repeated]
    same_judge = 0
    for again, first in zip(repeated, firsts, strict=True):
        assert (again.segment, set(again.systems)) == (first.segment, set(first.systems))
        same_judge += again.judge == first.judge
    assert (same_judge, len(repeated)) == (60, 120)


def test_ranks_have_ties(data):
    sign = data.judgments.pairs(within_outputs=False).sign
    assert 0.1 < np.mean(sign == 0) < 0.3


# -- the truth -----------------------------------------------------------------------------------


def test_mean_ranks_recover_the_true_abilities_but_for_two_neighbours(data):
    judgments = data.judgments
    ranked = ~np.isnan(judgments.rank)
    count = np.bincount(judgments.system[ranked])
    mean_rank = np.bincount(judgments.system[ranked], judgments.rank[ranked]) / count
    assert 0.9 <= spearmanr(-mean_rank, abilities(data)).statistic < 1
    place = dict(zip(judgments.systems, mean_rank, strict=True))
    assert sorted(place, key=place.__getitem__)[:3] == ["rowan", "willow", "birch"]


def test_mean_scores_recover_the_true_abilities(data):
    scores = data.assessments.scores(by_judge=True)
    truth = [data.truth["systems"][name]["ability"] for name in scores.systems]
    assert spearmanr(scores.system_means(), truth).statistic >= 0.9


def test_single_judgments_are_noisy(data):
    """So that ranking systems is a question of how many judgments there are."""
    pairs = data.judgments.pairs()
    decided = pairs.sign != 0
    truth = np.sign(abilities(data)[pairs.left] - abilities(data)[pairs.right])
    assert 0.7 < np.mean(truth[decided] == pairs.sign[decided]) < 0.85


def test_the_random_judge_agrees_least_with_the_truth(data):
    judgments = data.judgments
    pairs = judgments.pairs(within_outputs=False)
    decided = pairs.sign != 0
    truth = np.sign(abilities(data)[pairs.left] - abilities(data)[pairs.right])
    right = (truth == pairs.sign)[decided]
    judge = judgments.judge[pairs.ranking][decided]
    accuracy = np.bincount(judge, right) / np.bincount(judge)
    noise = {name: judge["noise"] for name, judge in data.truth["judges"].items()}
    assert judgments.judges[int(accuracy.argmin())] == max(noise, key=noise.__getitem__)


def test_two_neighbours_are_close_on_purpose(data):
    ability = sorted(abilities(data).tolist())
    gaps = np.diff(ability)
    assert gaps.min() < 0.1
    assert np.sort(gaps)[1] > 0.3


def test_the_truth_follows_its_own_formula(data):
    """The quality of a system's outputs averages to its ability, up to texts it shares."""
    quality = data.truth["quality"]
    assert set(quality) == set(SYSTEMS)
    for name, values in quality.items():
        assert len(values) == 60
        assert np.mean(values) == pytest.approx(data.truth["systems"][name]["ability"], abs=0.05)
    for place in range(60):
        texts = {data.testset.outputs[name][place]: quality[name][place] for name in SYSTEMS}
        assert all(texts[data.testset.outputs[n][place]] == quality[n][place] for n in SYSTEMS)


def test_the_truth_names_its_seed_and_model(data):
    assert data.truth["seed"] == 10
    assert "ability" in data.truth["model"]
    assert dict(data.truth) == json.loads((FOLDER / "truth.json").read_text("utf-8"))
    with pytest.raises(TypeError):
        data.truth["seed"] = 2  # type: ignore[index]


# -- the assessments -----------------------------------------------------------------------------


def test_the_shape_of_the_assessments(data):
    assessments = data.assessments
    roles = np.bincount(assessments.role, minlength=3)
    assert dict(zip(assessments.roles, roles.tolist(), strict=True)) == {
        "TGT": 432,
        "BAD": 48,
        "CHK": 24,
    }
    assert tuple(sorted(assessments.systems)) == SYSTEMS
    assert set(assessments.judges) == set(data.judgments.judges)
    assert set(assessments.segments) <= {segment.id for segment in data.testset.segments}
    assert assessments.value.min() >= 0 and assessments.value.max() <= 100


def test_bad_controls_score_lower(data):
    value, role = data.assessments.value, data.assessments.role
    mean = dict(
        zip(data.assessments.roles, np.bincount(role, value) / np.bincount(role), strict=True)
    )
    assert mean["BAD"] < mean["TGT"] - 20
    assert abs(mean["CHK"] - mean["TGT"]) < 20
