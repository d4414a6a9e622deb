"""What the drop-in offers, refuses and says, against sacreBLEU 2.6; its tokenizers and n-grams."""

import inspect
import logging
import operator
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu import metrics as their_metrics
from sacrebleu.metrics import bleu as their_bleu
from sacrebleu.metrics import helpers as their_helpers
from sacrebleu.tokenizers import tokenizer_spm as their_spm
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer as TheirTercom

from parity.compat_cases import CORPORA, assert_same, keys, pair
from rankwise.compat import sacrebleu as ours
from rankwise.compat.sacrebleu import metrics
from rankwise.compat.sacrebleu.metrics import bleu, chrf, helpers, ter
from rankwise.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from rankwise.errors import DataError, MissingExtra
from shared_data import SHARED
from texts import texts

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["none", "13a", "intl", "char", "zh"])
@given(texts)
def test_tokenizers(name, line):
    theirs = their_bleu._get_tokenizer(name)()
    mine = ours.BLEU(tokenize=name).tokenizer
    assert (theirs(line), theirs.signature()) == (mine(line), mine.signature())


@given(texts, st.tuples(*[st.booleans()] * 4))
def test_tercom_tokenizer(line, options):
    assert TheirTercom(*options)(line) == TercomTokenizer(*options)(line)
    assert TheirTercom().signature() == TercomTokenizer().signature()


def test_the_same_tokenizers_are_known():
    assert list(sacrebleu.BLEU.TOKENIZERS) == list(ours.BLEU.TOKENIZERS)
    for name, place in their_bleu._TOKENIZERS.items():
        module, _, cls = place.partition(".")
        assert bleu._TOKENIZERS[name].__name__ == cls
        assert bleu._TOKENIZERS[name].__module__.endswith(f".tokenizers.{module}")


@pytest.mark.parametrize("name", ["flores101", "flores200", "spm", "spBLEU-1K"])
def test_models_are_not_downloaded(name, tmp_path, monkeypatch):
    monkeypatch.setattr(ours.utils, "SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(DataError, match="Rankwise downloads nothing"):
        ours.BLEU(tokenize=name)


@pytest.mark.parametrize(
    ("name", "module", "line"),
    [
        ("ja-mecab", "MeCab", " すもももももももものうち。 "),
        ("ko-mecab", "mecab_ko", " 아버지가방에들어가신다. "),
    ],
)
def test_mecab(name, module, line):
    try:
        mine = ours.BLEU(tokenize=name)
    except MissingExtra as error:
        pytest.skip(str(error))
    pytest.importorskip(module)
    theirs = sacrebleu.BLEU(tokenize=name)
    assert theirs.tokenizer(line) == mine.tokenizer(line)
    other = line.strip()[2:]
    assert_same(theirs.corpus_score([line], [[other]]), mine.corpus_score([line], [[other]]))
    assert keys(theirs.get_signature())[:2] == keys(mine.get_signature())[:2]


@pytest.mark.filterwarnings("ignore:The 'warn' method:DeprecationWarning")  # theirs, for spm
@pytest.mark.parametrize("name", ["flores101", "flores200", "spm", "spBLEU-1K"])
def test_sentencepiece(name, tmp_path, monkeypatch):
    pieces = pytest.importorskip("sentencepiece")
    lines = [line for line in CORPORA["3refs"][0] if line.isprintable()]  # no lone surrogates
    hypotheses, references = lines[1:], [lines[:-1], sorted(lines[1:])]
    folder = tmp_path / "models"
    folder.mkdir()
    for module in (ours.utils, their_spm):
        monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    pieces.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_prefix=str(tmp_path / "model"),
        vocab_size=100,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    file = Path(their_spm.SPM_MODELS[name]["url"]).name
    (tmp_path / "model.model").rename(folder / file)
    theirs, mine = pair("BLEU", {"tokenize": name, "lowercase": True})
    assert_same(
        theirs.corpus_score(hypotheses, references), mine.corpus_score(hypotheses, references)
    )
    assert keys(theirs.get_signature())[:2] == keys(mine.get_signature())[:2]


def test_a_tokenizer_of_ones_own():
    class Words:
        def signature(self):
            return "words"

        def __call__(self, line):
            return line.replace(" ", " _ ").replace("-", " ")

    for library in (sacrebleu, ours):
        metric = library.BLEU(lowercase=True)
        metric.tokenizer = Words()
        score = metric.corpus_score(["A-b-c d \t "], [["a-b-c d  "]])
        assert (score.totals, score.counts, score.ref_len) == ([5, 4, 3, 2], [5, 4, 3, 2], 5)


def test_a_subclass_of_a_tokenizer_is_called():
    class Marked(ours.BLEU().tokenizer.__class__):
        def __call__(self, line):
            return super().__call__(line) + " end"

    metric = ours.BLEU()
    metric.tokenizer = Marked()
    assert metric.corpus_score(["a."], [["a."]]).sys_len == 3


def test_options_may_change_between_calls():
    hypotheses, references = CORPORA["3refs"]
    theirs, mine = pair("BLEU", {})
    for metric in (theirs, mine):
        metric.lowercase = metric.effective_order = True
        metric.smooth_method = "floor"
    assert_same(
        theirs.corpus_score(hypotheses, references), mine.corpus_score(hypotheses, references)
    )


@given(texts, st.integers(1, 5), st.booleans())
def test_ngrams(line, order, spaces):
    for name, arguments in (
        ("extract_all_word_ngrams", (line, 1, order)),
        ("extract_word_ngrams", (line.split(), order)),
        ("extract_char_ngrams", (line, order, spaces)),
        ("extract_all_char_ngrams", (line, order, spaces)),
    ):
        expected = getattr(their_helpers, name)(*arguments)
        assert expected == getattr(helpers, name)(*arguments)


def test_public_names():
    assert sorted(sacrebleu.__all__) == sorted(ours.__all__)
    for name in ("compat", "dataset", "metrics", "utils"):
        assert getattr(sacrebleu, name).__name__.endswith(getattr(ours, name).__name__[-5:])
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = ours.nonsense
    assert list(their_metrics.METRICS) == list(metrics.METRICS)
    assert sacrebleu.BLEU.SMOOTH_DEFAULTS == ours.BLEU.SMOOTH_DEFAULTS
    assert their_bleu.MAX_NGRAM_ORDER == bleu.MAX_NGRAM_ORDER
    assert all([bleu.BLEUScore, chrf.CHRFScore, ter.TERScore, bleu.BLEUSignature])


@pytest.mark.parametrize("name", sacrebleu.DATASETS)
def test_datasets_are_described_alike(name):
    theirs, mine = sacrebleu.DATASETS[name], ours.DATASETS[name]
    for attribute in ("name", "data", "md5", "langpairs", "citation", "kwargs"):
        assert getattr(theirs, attribute) == getattr(mine, attribute), attribute
    assert theirs.description.strip() == mine.description
    assert sacrebleu.get_langpairs_for_testset(name) == ours.get_langpairs_for_testset(name)


def test_the_same_datasets_are_known():
    assert list(sacrebleu.DATASETS) == list(ours.DATASETS)
    assert sacrebleu.get_available_testsets() == ours.get_available_testsets()
    assert ours.get_langpairs_for_testset("nonsense") == []
    for languages in ("en-de", "fi-en", "xx-yy"):
        expected = sacrebleu.utils.get_available_testsets_for_langpair(languages)
        assert ours.utils.get_available_testsets_for_langpair(languages) == expected


CALLABLES = ["BLEU", "CHRF", "TER", "BLEU.compute_bleu", "BLEU.corpus_score", "BLEU.sentence_score"]
CALLABLES += [name for name in ours.__all__ if name.islower() and "_" in name and name[0] != "_"]


@pytest.mark.parametrize("name", CALLABLES)
def test_parameters_have_the_same_names_and_defaults(name):
    def parameters(library):
        found = operator.attrgetter(name)(library)
        return [(p.name, p.default) for p in inspect.signature(found).parameters.values()]

    assert parameters(sacrebleu) == parameters(ours)


REFUSED = [
    ("a b", [["a b"]], TypeError, "hypotheses are a str"),
    (["a b"], "a b", TypeError, "references are a str"),
    (["a b"], ["a b"], TypeError, "reference stream 1 is one string"),
    (["a b", None], [["a", "b"]], TypeError, "hypothesis 2 is a NoneType"),
    (iter(["a"]), [["a"]], TypeError, "hypotheses are a list_iterator"),
    (["a"], [iter(["a"])], TypeError, "stream 1 is a list_iterator"),
    ([], [[]], ValueError, "no hypothesis"),
    (["a", "b"], [["a"]], ValueError, "2 hypotheses but streams of 1 references"),
    (["a"], [["a", "b"]], ValueError, "1 hypotheses but streams of 2 references"),
    (["a", "b"], [["a", "b"], ["c"]], ValueError, "stream 1 has 2 lines but stream 2 has 1"),
    (["a", "b", "c"], [["a"], ["b"], ["c"]], ValueError, r"turn them with zip\(\*references\)"),
    (["a", "b"], [["a", None]], ValueError, "segment 2 has no reference"),
    (["a", "b"], [["a", 3.5], ["b", "c"]], ValueError, "reference of segment 2 is a float"),
    (["a"], None, RuntimeError, "no references were given"),
    (["a"], [], RuntimeError, "no references were given"),
]


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
@pytest.mark.parametrize(("hypotheses", "references", "error", "sentence"), REFUSED)
def test_refused(name, hypotheses, references, error, sentence):
    if not isinstance(hypotheses, list | str):
        hypotheses = iter(["a"])
    with pytest.raises(error, match=sentence):
        getattr(ours, name)().corpus_score(hypotheses, references)


@pytest.mark.parametrize("arguments", [(3, ["a"]), ("a", "a"), ("a", iter("a"))])
def test_wrong_types_of_a_sentence(arguments):
    for library in (sacrebleu, ours):
        with pytest.raises(TypeError):
            library.CHRF().sentence_score(*arguments)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"smooth_method": "laplace"}, "unknown smooth_method 'laplace'"),
        ({"tokenize": "14a"}, "unknown tokenizer '14a'"),
    ],
)
def test_unknown_options(options, sentence):
    with pytest.raises(DataError, match=sentence):
        ours.BLEU(**options)


def warnings_of(caplog, call):
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="sacrebleu"):
        call()
    return len(caplog.records) > 0


TOKENIZED = ["a test ."] * 100
TALKATIVE = [
    lambda m: m.BLEU().sentence_score("a", ["a"]),
    lambda m: m.BLEU(effective_order=True).sentence_score("a", ["a"]),
    lambda m: m.BLEU().corpus_score(TOKENIZED, [TOKENIZED]),
    lambda m: m.BLEU(force=True).corpus_score(TOKENIZED, [TOKENIZED]),
    lambda m: m.BLEU().corpus_score(TOKENIZED[1:], [TOKENIZED[1:]]),
    lambda m: m.CHRF().corpus_score(TOKENIZED, [TOKENIZED]),
    lambda m: m.BLEU(trg_lang="zh", tokenize="13a"),
    lambda m: m.BLEU(trg_lang="zh"),
    lambda m: m.BLEU(trg_lang="ja", tokenize="char"),
    lambda m: m.BLEU(trg_lang="ko", tokenize="char"),
    lambda m: m.BLEU(trg_lang="de", tokenize="char"),
]


@pytest.mark.parametrize("number", range(len(TALKATIVE)))
def test_warnings_come_when_sacrebleus_do(number, caplog):
    call = TALKATIVE[number]
    expected = warnings_of(caplog, lambda: call(sacrebleu))
    assert warnings_of(caplog, lambda: call(ours)) == expected


@pytest.mark.parametrize("name", ["lines.txt", "lines.txt.gz"])
def test_smart_open(name, tmp_path):
    path = str(tmp_path / name)
    with ours.smart_open(path, "wt") as file:
        file.write("é\r\nb\u2028c\n")
    with sacrebleu.smart_open(path) as theirs, ours.smart_open(path) as mine:
        assert list(theirs) == list(mine) == ["é\r\n", "b\u2028c\n"]


def their_tests():
    """The directory of sacreBLEU's own tests, if it was named or lies beside the shared data."""
    told = os.environ.get("RANKWISE_SACREBLEU_TESTS")
    places = [Path(told)] if told else [SHARED / "sacrebleu-tests"] if SHARED else []
    return next((place for place in places if (place / "test_bleu.py").is_file()), None)


@pytest.mark.skipif(their_tests() is None, reason="RANKWISE_SACREBLEU_TESTS names no tests")
def test_sacrebleus_own_tests_pass():
    script = ROOT / "scripts" / "run_sacrebleu_tests.py"
    done = subprocess.run(
        [sys.executable, str(script), str(their_tests())],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2.6.0+rankwise." in done.stderr


def test_the_runner_puts_the_drop_in_into_sacrebleus_place(tmp_path):
    (tmp_path / "test_bleu.py").write_text(
        "import sacrebleu\n"
        "from sacrebleu.metrics.bleu import BLEU\n"
        "from rankwise.compat.sacrebleu.metrics import BLEU as OURS\n"
        "def test_name(): assert 'rankwise' in sacrebleu.__version__ and BLEU is OURS\n"
        "def test_failure(): assert sacrebleu.BLEU is None\n"
    )
    script = ROOT / "scripts" / "run_sacrebleu_tests.py"
    command = [sys.executable, str(script), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
