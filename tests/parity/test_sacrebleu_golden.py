"""The golden numbers of sacreBLEU 2.6: every BLEU, chrF and tokenizer case."""

import gzip
import json
import sys

import pytest

from rankwise import _core
from rankwise.metrics import Bleu, Chrf
from shared_data import needs_shared, shared

pytestmark = needs_shared
NAMES = {"smooth_method": "smooth", "max_ngram_order": "max_order"}
METRICS = {"BLEU": Bleu, "CHRF": Chrf}
# Inputs on which sacreBLEU drops segments or fails; Rankwise refuses them with a sentence.
REFUSED = {"mismatch_len", "all_none"}
# The golden numbers come from Python 3.11. Since 3.12 its sum() rounds otherwise, and with it
# sacreBLEU's last digit; that we equal sacreBLEU to the last digit there, other tests hold.
ROUNDING = 0.0 if sys.version_info < (3, 12) else 1e-12


@pytest.fixture(scope="module")
def golden():
    with gzip.open(shared("golden/sacrebleu.json.gz"), "rt", encoding="utf-8") as file:
        return json.load(file)


def segments(golden, case):
    """Hypotheses and references by segment; a reference that is None is absent."""
    data = golden["inputs"][case["input"]]
    references = [
        [text for text in entry if text is not None] for entry in zip(*data["refs"], strict=True)
    ]
    if case["mode"].startswith("sentence:"):
        number = int(case["mode"].partition(":")[2])
        return data["hyps"][number : number + 1], references[number : number + 1]
    return data["hyps"], references


def options_of(case):
    options = {NAMES.get(key, key): value for key, value in case["params"].items()}
    if options.get("smooth", "exp") in ("exp", "none"):
        options.pop("smooth_value", None)  # which sacreBLEU ignores and Rankwise refuses
    return options


def test_tokenizers(golden, record_property):
    names = {"none": "none", "13a": "13a", "intl": "intl", "char": "char", "zh": "zh-sacrebleu"}
    cases = [case for case in golden["tokenizers"] if case["tok"] in names]
    for case in cases:
        ours = _core.tokenise([case["input"]], names[case["tok"]])
        assert [case["output"].split()] == ours, case
    record_property("compared", len(cases))
    assert len(cases) > 500


@pytest.mark.parametrize("name", METRICS)
def test_scores(golden, name, record_property):
    compared, largest = 0, 0.0
    for case in golden["cases"]:
        options = options_of(case)
        if case["metric"] != name or case["input"] in REFUSED or "score" not in case:
            continue
        if options.get("char_order") == 0 and not options.get("word_order"):
            continue  # nothing is counted: refused
        compat = {"compat": "sacrebleu", "effective_order": False} if name == "BLEU" else {}
        metric = METRICS[name](**{**compat, **options})
        rows = metric.statistics(*segments(golden, case))
        if "seg_stats" in case:
            assert rows.tolist() == case["seg_stats"], case
        score = metric.score(rows.sum(axis=0))
        largest = max(largest, abs(score - case["score"]))
        compared += 1
    print(f"{name}: {compared} cases compared, largest difference {largest:.3g}")
    record_property("compared", compared)
    assert largest <= ROUNDING
    assert compared > 500
