"""Which language texts are in, and what metrics, lengths and differences make of it."""

import sys

import pytest

import rankwise as rw
from rankwise.errors import DataError, MissingExtra
from rankwise.evaluate.segment_groups import in_order_of_length, length_label
from rankwise.metrics import Meteor, in_language, language_notes, metrics_of
from rankwise.text import tokenise
from rankwise.text.languages import Language, language_of, target_language_of
from rankwise.types.language_codes import language_code

# A sentence in each, as people write it: what it is, by its letters, and what finds its words.
TEXTS = {
    "zh": ("他昨天买了三本书，今天就看完了。", "zh"),
    "zh traditional": ("他昨天買了三本書，今天就看完了。", "zh"),
    "zh with Latin": ("使用 GPT-4 和 Transformer 模型进行机器翻译的效果", "zh"),
    "zh with one kana": ("鲜の每日牛奶在这家超市里可以买到，价格也很便宜", "zh"),
    "ja": ("昨日、本を三冊買って、今日読み終わりました。", "ja-mecab"),
    "ja in katakana": ("コンピューターネットワーク", "ja-mecab"),
    "ja half width": ("ﾊﾝｶｸｶﾅ", "ja-mecab"),
    "ja headline": ("首相、来月に訪米へ 日米首脳会談で調整", "ja-mecab"),
    "ko": ("그는 어제 책 세 권을 샀다.", "ko-mecab"),
    "th": ("เมื่อวานเขาซื้อหนังสือสามเล่ม", "char"),
    "lo": ("ມື້ວານນີ້ລາວໄດ້ຊື້ປຶ້ມສາມຫົວ", "char"),
    "km": ("ម្សិលមិញគាត់បានទិញសៀវភៅបីក្បាល", "char"),
    "my": ("မနေ့က သူ စာအုပ် သုံးအုပ် ဝယ်ခဲ့တယ်", "char"),
    "bo": ("ཁོས་ཁ་སང་དེབ་གསུམ་ཉོས་པ་རེད།", "char"),
    "jv": ("ꦲꦤꦕꦫꦏ", "char"),
    "en": ("Yesterday he bought three books.", None),
    "en with a name": ("Beijing (北京) is the capital of the country.", None),
    "de": ("Gestern kaufte er drei Bücher für die Übung.", None),
    "vi": ("Hôm qua anh ấy đã mua ba cuốn sách.", None),
    "ru": ("Вчера он купил три книги.", None),
    "el": ("Χθες αγόρασε τρία βιβλία.", None),
    "ar": ("اشترى أمس ثلاثة كتب.", None),
    "he": ("אתמול הוא קנה שלושה ספרים.", None),
    "hi": ("उसने कल तीन किताबें खरीदीं।", None),
    "ta": ("அவர் நேற்று மூன்று புத்தகங்களை வாங்கினார்.", None),
    "am": ("ትናንት ሦስት መጻሕፍት ገዛ።", None),
    "ka": ("გუშინ მან სამი წიგნი იყიდა.", None),
    "numbers": ("12:30, 100 %", None),
    "nothing": ("", None),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_script_tells_what_finds_the_words(name):
    text, tokenizer = TEXTS[name]
    found = language_of([text])
    assert found.tokenizer == tokenizer
    assert found.code == (name.split()[0] if tokenizer else "")
    assert not found.is_given


def test_a_few_odd_lines_do_not_decide():
    chinese, english = TEXTS["zh"][0], TEXTS["en"][0]
    assert language_of([english] * 95 + [chinese] * 5).code == ""
    assert language_of([chinese] * 95 + [english] * 5).code == "zh"
    assert language_of(["", (), ("", chinese), (chinese, english)]).code == "zh"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *((name, "zh") for name in ("zh", "zh-CN", "zho_Hans", "cmn", "Chinese")),
        *(("jpn", "ja"), ("KO", "ko"), ("de_DE", "de"), ("gsw", "gsw")),
    ],
)
def test_a_language_has_many_names(name, code):
    assert language_code(name) == language_of([], name).code == code


def test_what_is_given_decides_where_something_is_known_of_it():
    chinese = [TEXTS["zh"][0]]
    assert language_of(chinese, "en").tokenizer is None
    assert language_of(["He."], "zh").tokenizer == "zh"
    # Shan, of which nothing is known, is written in the letters of Burmese
    shan = language_of(["မိူဝ်ႈဝႃး"], "shn")
    assert (shan.code, shan.tokenizer, str(shan)) == (
        "shn",
        "char",
        "shn (by the script of the references)",
    )
    assert language_of(["jawa"], "jv").tokenizer is None
    with pytest.raises(DataError, match="unknown language 'klingon'; expected a code like zh"):
        language_of(chinese, "klingon")


def test_a_test_set_names_its_language_or_its_references_tell():
    told = rw.Study.from_texts({"A": ["x"]}, [TEXTS["zh"][0]]).texts
    named = rw.Study.from_texts({"A": ["x"]}, ["x"], target_language="Thai").texts
    remark = rw.Study.from_texts({"A": ["x"]}, ["x"], target_language="several languages").texts
    assert [target_language_of(one).code for one in (told, named, remark)] == ["zh", "th", ""]


CHINESE, THAI, KOREAN = (Language(code, is_given=True) for code in ("zh", "th", "ko"))


@pytest.mark.parametrize(
    ("name", "language", "expected"),
    [
        ("bleu", CHINESE, "bleu:tokenize=zh"),
        ("bleu:compat=sacrebleu", CHINESE, "bleu:tokenize=zh:compat=sacrebleu"),
        ("bleu:tokenize=13a", CHINESE, "bleu"),
        ("bleu:tokenize=char", CHINESE, "bleu:tokenize=char"),
        ("f1", THAI, "f1:tokenize=char"),
        ("precision:lowercase=true", CHINESE, "precision:lowercase=true:tokenize=zh"),
        ("chrf", CHINESE, "chrf"),
        ("wer", CHINESE, "wer:tokenize=zh"),
        ("wer:tokenize=none", CHINESE, "wer:tokenize=none"),
        ("wer", KOREAN, "wer"),  # which writes words apart
        ("ter", CHINESE, "ter:normalized=true:asian_support=true"),
        ("ter:normalized=false", CHINESE, "ter"),
        ("ter", THAI, "ter:tokenize=char"),
        ("ter", KOREAN, "ter"),
        ("meteor", CHINESE, "meteor:language=other:tokenize=zh"),
        ("meteor:language=en", CHINESE, "meteor"),
        ("meteor", Language("de", is_given=True), "meteor:language=de"),
        ("meteor", Language("pl", is_given=True), "meteor:language=other"),
        ("meteor", language_of([TEXTS["ru"][0]]), "meteor:language=other"),
        ("meteor", language_of([TEXTS["de"][0]]), "meteor"),
        *((name, language_of([TEXTS["ru"][0]]), name) for name in ("bleu", "ter", "wer", "f1")),
        *((name, None, name) for name in ("bleu", "ter", "wer", "meteor")),
    ],
)
def test_a_language_decides_what_a_name_leaves_open(name, language, expected):
    assert str(in_language(name, language).metric) == expected


def test_a_metric_and_a_signature_stay_what_they_are():
    bleu, wer = rw.metric("bleu"), rw.metric("wer")
    assert metrics_of([bleu, wer], CHINESE) == [bleu, wer]
    signatures = [f"{bleu.signature}:nrefs=1", wer.signature]
    assert metrics_of(signatures, CHINESE) == [bleu, wer]


def test_a_tokenizer_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "MeCab", None)
    tokenise._mecab.cache_clear()
    japanese = language_of([TEXTS["ja"][0]])
    with pytest.raises(MissingExtra) as caught:
        metrics_of("bleu", japanese)
    assert str(caught.value) == (
        "bleu in the language ja (by the script of the references): this tokenizer needs the "
        "module MeCab: pip install 'rankwise[ja]'"
    )
    assert [str(found) for found in metrics_of(["chrf", "ter"], japanese)] == [
        "chrf",
        "ter:normalized=true:asian_support=true",
    ]


def test_a_note_says_what_was_decided_and_what_nobody_said():
    by_script = language_of([TEXTS["zh"][0]])
    assert language_notes(["bleu", "chrf", "ter"], by_script) == [
        "language zh (by the script of the references): bleu tokenize=zh, "
        "ter normalized=true asian_support=true"
    ]
    assert language_notes(["bleu:tokenize=13a", "chrf"], by_script) == []
    assert language_notes("bleu", CHINESE) == ["language zh: bleu tokenize=zh"]
    english = language_of([TEXTS["en"][0]])
    assert language_notes(["bleu", "meteor:language=en"], english) == []
    assert language_notes(["meteor"], english) == [
        "meteor takes the texts for English: name another with --language"
    ]
    assert language_notes(["meteor"], language_of([TEXTS["ru"][0]])) == [
        "language unknown (the script of the references is not Latin): meteor language=other"
    ]


def test_words_of_chinese_are_its_characters():
    # one of six characters differs, by hand: WER and TER 1/6, F1 5/6
    hypothesis, reference = ["他买了三本"], ["他买了四本书"]
    rates = {str(m): m.corpus(hypothesis, reference) for m in metrics_of(["wer", "ter"], CHINESE)}
    assert list(rates.values()) == pytest.approx([100 * 2 / 6, 100 * 2 / 6])
    assert rw.metric("wer").corpus(hypothesis, reference) == 100.0
    [f1] = metrics_of("f1", CHINESE)
    assert f1.corpus(hypothesis, reference) == pytest.approx(100 * 2 * 4 / (5 + 6))
    meteor = Meteor(language="other", tokenize="zh")
    spaced = Meteor(language="other")
    apart = " ".join
    expected = spaced.corpus([apart(hypothesis[0])], [apart(reference[0])])
    assert meteor.corpus(hypothesis, reference) == expected > 0
    assert len(meteor.alignment(hypothesis[0], reference[0]).matches) == 4


def test_lengths_are_counted_in_characters_where_words_are_not_written_apart():
    text = "他昨天买了三本书，今天就看完了。"
    assert length_label(text) == "1-10"
    assert length_label(text * 2, CHINESE) == "21-40 chars"
    assert length_label([f"{text} {text}", "x"], CHINESE) == "21-40 chars"
    assert length_label("ก" * 251, THAI) == "251+ chars"
    assert length_label("그는 어제 책 세 권을 샀다.", KOREAN) == "1-10"
    labels = [length_label("字" * count, CHINESE) for count in (101, 1, 30, 100)]
    assert in_order_of_length(labels) == ["1-20 chars", "21-40 chars", "81-100 chars", "101+ chars"]


def test_scores_of_a_study_follow_its_language():
    outputs = {"A": ["他买了三本书", "天气很好"], "B": ["他 买", "好"]}
    study = rw.Study.from_texts(outputs, ["他买了四本书", "天气很好"])
    resampling = rw.Resampling(samples=20)
    board = rw.score(study, ["bleu", "wer"], resampling=resampling)
    assert [str(s.result.metric) for s in board.standings] == [
        "bleu:tokenize=zh",
        "wer:tokenize=zh",
    ]
    plain = rw.score(study, rw.metric("bleu"), resampling=resampling)
    assert [str(s.result.metric) for s in plain.standings] == ["bleu"]
    assert [str(r.metric) for r in rw.score_systems(study.texts, "f1")] == ["f1:tokenize=zh"]
    assert rw.mbr(["天气很好", "天气好", "很好"], "wer").expected.max() < 100


def test_only_a_sample_is_looked_at():
    class Counted(str):
        looks = 0

        def __getitem__(self, place):
            Counted.looks += 1
            return str(self)[place]

    assert language_of([Counted(TEXTS["zh"][0] * 1000)] * 10_000).code == "zh"
    assert Counted.looks <= 32
