"""Laws that every metric obeys: one table of members, one test per law.

A new metric joins with a line in METRIC_CASES (several, if its options change what it does).
"""

import copy
from importlib.resources import files

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.metrics import METRICS, metric
from rankwise.metrics.outside.batch_metric import BatchMetric

MODELS = files("rankwise.metrics") / "models"
METRIC_CASES = [
    "beer",
    "beer:language=de",
    f"learned:model={MODELS / 'softmatch.json'}",
    "softmatch",
    "bleu",
    "bleu:tokenize=intl:lowercase=true:smooth=floor",
    "bleu:tokenize=zh:compat=sacrebleu:max_order=6",
    "chrf",
    "chrf:word_order=2:whitespace=true:beta=1.5",
    "chrf:eps_smoothing=true",
    "precision",
    "recall:tokenize=char",
    "f1",
    "wer",
    "wer:lowercase=true",
    "cer",
    "cer:whitespace=false",
    "meteor:modules=exact,stem",
    "meteor:language=de:modules=exact",
    "ter",
    "ter:normalized=true:no_punct=true:asian_support=true",
    "ter:normalized=true:asian_support=true:case_sensitive=true",
    "ter:no_punct=true:compat=sacrebleu",
]
#: Metrics whose segment score with several references is that of the best one.
BEST_REFERENCE_CASES = [
    "beer",
    "softmatch",
    "chrf",
    "chrf:word_order=2:whitespace=true:beta=1.5",
    "f1",
    "wer",
    "cer",
]

SENTENCES = [
    "The quick brown fox jumps over the lazy dog.",
    "Diego Cocca becomes Mexico's new national coach, 1,000 times.",
    "Niemand hat die Absicht, eine Mauer zu errichten, sagte er damals.",
    "我们 明天 去 北京 看 长城 , 你 去 吗 ?",
    "مرحبا بالعالم هذا نص طويل بما يكفي للاختبار",
]
HYPOTHESES = [
    "A quick brown fox jumped over the lazy dogs.",
    "Diego Cocca is Mexico's new coach, 1000 times.",
    "Keiner hat die Absicht, eine Mauer zu bauen, sagte er.",
    "我们 明天 去 上海 看 长城 , 你 呢 ?",
    "مرحبا بالعالم هذا نص قصير",
]
HARD = {
    "empty": "",
    "white space": " \t\u3000 \u2028",
    "combining": "e\u0301te\u0301 n\u0303",
    "emoji": "👩‍👩‍👧 👍🏽 ☃",
    "right to left": "שלום עולם",
    "cjk": "我喜歡貓。𠮷",
    "control": "a\x00b\x1fc",
    "lone surrogate": "\ud800 \udfff",
    "one character": "x",
}

every_metric = pytest.mark.parametrize("name", METRIC_CASES)


def test_table_is_complete():
    ours = {name for name, kind in METRICS.items() if not issubclass(kind, BatchMetric)}
    assert {name.partition(":")[0] for name in METRIC_CASES} == ours


@every_metric
def test_identical_text_scores_best(name):
    m = metric(name)
    assert m.best == pytest.approx(m.corpus(SENTENCES, SENTENCES), rel=1e-12)
    assert [m.best] * len(SENTENCES) == pytest.approx(m.segments(SENTENCES, SENTENCES).tolist())


@every_metric
def test_different_text_scores_less(name):
    m = metric(name)
    corpus = m.corpus(HYPOTHESES, SENTENCES)
    assert corpus != pytest.approx(m.best)
    assert (corpus < m.best) == m.higher_is_better


@every_metric
def test_order_of_segments_does_not_matter(name):
    m = metric(name)
    forwards = m.segments(HYPOTHESES, SENTENCES)
    backwards = m.segments(HYPOTHESES[::-1], SENTENCES[::-1])
    assert forwards.tolist() == backwards[::-1].tolist()
    assert m.corpus(HYPOTHESES, SENTENCES) == m.corpus(HYPOTHESES[::-1], SENTENCES[::-1])


@every_metric
def test_statistics_add(name):
    m = metric(name)
    whole = m.statistics(HYPOTHESES, SENTENCES)
    parts = [m.statistics(HYPOTHESES[s], SENTENCES[s]) for s in (slice(0, 2), slice(2, None))]
    assert whole.tolist() == np.concatenate(parts).tolist()
    assert m.corpus(HYPOTHESES, SENTENCES) == m.score(parts[0].sum(0) + parts[1].sum(0))


@every_metric
def test_score_works_on_any_stack_of_rows(name):
    m = metric(name)
    rows = m.statistics(HYPOTHESES, SENTENCES)
    single = [m.score(row) for row in rows]
    assert all(type(score) is float for score in single)
    stack = np.stack([rows, rows[::-1], 2 * rows])
    assert m.score(stack).shape == (3, len(SENTENCES))
    assert single == m.score(stack)[0].tolist()
    assert single[::-1] == m.score(stack)[1].tolist()


@every_metric
def test_rows_must_have_the_metrics_width(name):
    m = metric(name)
    rows = m.statistics(HYPOTHESES, SENTENCES)
    with pytest.raises(DataError, match="last axis"):
        m.score(np.concatenate([rows, rows], axis=-1))


@every_metric
def test_threads_do_not_change_numbers(name, monkeypatch):
    m = metric(name)
    hypotheses, references = HYPOTHESES * 100, SENTENCES * 100
    monkeypatch.setenv("RANKWISE_THREADS", "1")
    one = m.statistics(hypotheses, references)
    monkeypatch.setenv("RANKWISE_THREADS", "4")
    assert one.tolist() == m.statistics(hypotheses, references).tolist()


@every_metric
def test_inputs_are_left_alone(name):
    m = metric(name)
    hypotheses, references = list(HYPOTHESES), [[s, s.upper()] for s in SENTENCES]
    before = copy.deepcopy((hypotheses, references))
    rows = m.statistics(hypotheses, references)
    saved = rows.copy()
    m.score(rows)
    assert before == (hypotheses, references)
    assert saved.tolist() == rows.tolist()


@every_metric
@pytest.mark.parametrize("hypothesis", HARD)
@pytest.mark.parametrize("reference", HARD)
def test_hard_text_has_a_finite_score(name, hypothesis, reference):
    m = metric(name)
    texts = [HARD[hypothesis]], [[HARD[reference], HARD[hypothesis] + "!"]]
    assert np.isfinite(m.segments(*texts)).all()
    assert np.isfinite(m.corpus(*texts))


@every_metric
def test_no_segments_give_no_rows(name):
    m = metric(name)
    rows = m.statistics([], [])
    assert rows.shape == (0, m.statistics(["a"], ["a"]).shape[1])
    assert m.segments([], []).shape == (0,)
    assert np.isfinite(m.corpus([], []))


@every_metric
def test_signature_parses_back(name):
    m = metric(name)
    assert m == metric(m.signature)
    assert m == metric(str(m))


@every_metric
def test_one_reference_as_str_or_list_or_tuple(name):
    m = metric(name)
    plain = m.statistics(HYPOTHESES, SENTENCES).tolist()
    assert plain == m.statistics(HYPOTHESES, [[s] for s in SENTENCES]).tolist()
    assert plain == m.statistics(tuple(HYPOTHESES), [(s,) for s in SENTENCES]).tolist()


@every_metric
def test_order_of_references_does_not_change_scores(name):
    m = metric(name)
    pairs = list(zip(SENTENCES, SENTENCES[::-1], strict=True))
    forwards = m.segments(HYPOTHESES, pairs)
    assert forwards.tolist() == m.segments(HYPOTHESES, [p[::-1] for p in pairs]).tolist()


@pytest.mark.parametrize("name", BEST_REFERENCE_CASES)
def test_several_references_score_as_the_best(name):
    m = metric(name)
    first, second = SENTENCES, SENTENCES[1:] + SENTENCES[:1]
    both = m.segments(HYPOTHESES, list(zip(first, second, strict=True)))
    better = np.maximum if m.higher_is_better else np.minimum
    best = better(m.segments(HYPOTHESES, first), m.segments(HYPOTHESES, second))
    assert best.tolist() == both.tolist()


@every_metric
@pytest.mark.parametrize(
    ("hypotheses", "references", "sentence"),
    [
        (["a", "b"], ["a"], "2 hypotheses but references for 1 segments"),
        (["a", "b"], ["a", []], "segment 2 has no reference"),
        ("ab", ["a", "b"], "hypotheses are a str"),
        (["a"], "a", "references are a str"),
        (["a", None], ["a", "b"], "hypothesis 2 is a NoneType; expected a str"),
        (["a"], [["a", 3]], "a reference of segment 1 is a int; expected a str"),
        (["a"], [None], "references of segment 1 are a NoneType"),
        (["a"], [b"a"], "references of segment 1 are a bytes"),
        ((text for text in "a"), ["a"], "hypotheses are a generator"),
    ],
)
def test_wrong_input_is_a_sentence(name, hypotheses, references, sentence):
    with pytest.raises(DataError, match=sentence):
        metric(name).statistics(hypotheses, references)
