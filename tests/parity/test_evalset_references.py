"""WMT23 scored by the reference of its task: the numbers that sacreBLEU gives for that file."""

import json

import pytest
import sacrebleu
from click.testing import CliRunner

from archives import unpack
from rankwise.cli import cli
from shared_data import needs_shared, shared

pytestmark = needs_shared


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("evalset")
    unpack(shared("data/evalset/wmt23.tar.xz"), place)
    return place / "wmt23"


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("pair", "reference"), [("en-de", "refA"), ("he-en", "refB")])
def test_score_uses_the_standard_reference(folder, pair, reference):
    options = ["-t", str(folder), "--language-pair", pair, "-m", "bleu", "--resamples", "0"]
    done = CliRunner().invoke(cli, ["score", *options, "--format", "json"])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    scores = {row["system"]: row["bleu"] for row in found["rows"]}
    assert not set(scores) & {"refA", "refB", "synthetic_ref"}
    assert found["signatures"]["bleu"].endswith(f":nrefs=1:refs={reference}")
    references = lines(folder / "references" / f"{pair}.{reference}.txt")
    for system in ("GPT4-5shot", "ONLINE-W" if pair == "en-de" else "ONLINE-A"):
        outputs = lines(folder / "system-outputs" / pair / f"{system}.txt")
        theirs = sacrebleu.corpus_bleu(outputs, [references]).score
        assert scores[system] == pytest.approx(theirs, abs=1e-9)
