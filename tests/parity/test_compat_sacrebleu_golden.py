"""The golden numbers of sacreBLEU 2.6 through the drop-in: every field of every case."""

import gzip
import json
import sys

import numpy as np
import pytest
import sacrebleu

from rankwise.compat.sacrebleu import metrics
from rankwise.compat.sacrebleu.significance import PairedTest
from rankwise.errors import DataError
from shared_data import needs_shared, shared

pytestmark = needs_shared
# Of a case, what describes it rather than its result.
DESCRIPTION = {"input", "metric", "params", "mode", "seg_stats", "error"}
FLOAT32 = 2e-6
# The golden numbers come from Python 3.11. Since 3.12 its sum() rounds otherwise, and with it
# sacreBLEU's last digit: what is expected then is what sacreBLEU gives here.
SUM_IS_GOLDEN = sys.version_info < (3, 12)


@pytest.fixture(scope="module")
def golden():
    with gzip.open(shared("golden/sacrebleu.json.gz"), "rt", encoding="utf-8") as file:
        return json.load(file)


def scored(golden, case, module=metrics):
    """The metric after scoring, and the score."""
    data = golden["inputs"][case["input"]]
    metric = module.METRICS[case["metric"]](**case["params"])
    if case["mode"] == "corpus":
        return metric, metric.corpus_score(data["hyps"], data["refs"])
    number = int(case["mode"].partition(":")[2])
    references = [stream[number] for stream in data["refs"]]
    return metric, metric.sentence_score(data["hyps"][number], references)


def is_refused(case):
    """Whether sacreBLEU fails, drops segments or counts nothing: an error with a sentence here."""
    drops = case["input"] == "mismatch_len" and case["mode"] == "corpus"
    orders = [case["params"].get(name) for name in ("char_order", "word_order")]
    return "error" in case or drops or orders == [0, 0]


def fields(metric, score):
    signature = metric.get_signature()
    return {
        **vars(score),
        "text": score.format(width=4),
        "signature": _plain(str(signature)),
        "signature_short": _plain(signature.format(short=True)),
    }


def _plain(signature):
    """A signature with the version as sacreBLEU prints it."""
    return signature.partition("+rankwise.")[0]


def test_every_case(golden, record_property):
    compared = refused = 0
    for case in golden["cases"]:
        if is_refused(case):
            with pytest.raises(DataError):
                scored(golden, case)
            refused += 1
            continue
        found = fields(*scored(golden, case))
        expected = {key: value for key, value in case.items() if key not in DESCRIPTION}
        if not SUM_IS_GOLDEN:
            assert expected["score"] == pytest.approx(found["score"], rel=1e-14), case
            expected["score"] = scored(golden, case, sacrebleu.metrics)[1].score
        assert expected == {key: found[key] for key in expected}, case
        compared += 1
    record_property("compared", compared)
    record_property("refused", refused)
    assert compared > 2500


def test_significance(golden, monkeypatch):
    text = golden["inputs"]["sig60"]
    for case in (case for case in golden["significance"] if "results" in case):
        monkeypatch.setenv("SACREBLEU_SEED", case["seed"])
        options = {"word_order": 2} if case["metric"] == "CHRF++" else {}
        metric = metrics.METRICS[case["metric"].removesuffix("++")](**options)
        systems = [(result["system"], text["hyps"][result["system"]]) for result in case["results"]]
        test = PairedTest(systems, {"m": metric}, text["refs"], case["test"], case["n"])
        signatures, columns = test()
        found = columns[case["name"]]
        assert _plain(str(signatures[case["name"]])) == case["signature"]
        for expected, result in zip(case["results"], found, strict=True):
            assert expected["p_value"] == result.p_value, case
            rounding = 0.0 if SUM_IS_GOLDEN else 1e-14
            assert expected["score"] == pytest.approx(result.score, rel=rounding, abs=0), case
            if expected.get("mean") is not None:
                np.testing.assert_allclose(result.mean, expected["mean"], rtol=FLOAT32)
                np.testing.assert_allclose(result.ci, expected["ci"], rtol=20 * FLOAT32)
