"""Commands on texts whose words are not written apart: what they choose, print and refuse."""

import json
import sys

import pytest

from chinese import OUTPUTS, REFERENCES
from evalset_folders import make_evalset
from rankwise.text import tokenise

OUTPUT_FILES = [f"{name}.txt" for name in OUTPUTS]
BY_SCRIPT = "language zh (by the script of the references): "
USUAL = "bleu tokenize=zh, ter normalized=true asian_support=true"
ZH_BLEU = (
    "bleu:lowercase=false:tokenize=zh:smooth=exp:max_order=4:compat=none:version=0.1.0:nrefs=1"
)


@pytest.fixture
def chinese(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": REFERENCES, **OUTPUTS}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def test_the_script_of_the_references_decides_and_a_note_says_so(chinese, run):
    done = run("score", "-r", "ref.txt", *OUTPUT_FILES, "--resamples", "0", "-m", "bleu")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "system", "closer", "close", "far"
    ]  # fmt: skip
    assert done.stderr.splitlines() == [
        f"{BY_SCRIPT}bleu tokenize=zh",
        ZH_BLEU,
        "bleu tokenize=zh may differ a little from sacreBLEU 2.6, which mistypes two ranges of "
        "Chinese characters: bleu:compat=sacrebleu gives its numbers",
    ]


OTHER_SCRIPT = "the language is en, but the references are in the script of zh"


@pytest.mark.parametrize(
    ("given", "first"),
    [
        ([], BY_SCRIPT + USUAL),
        (["--language", "zh"], f"language zh: {USUAL}"),
        (["--language", "Chinese"], f"language zh: {USUAL}"),
        (["--language-pair", "en-zh"], f"language zh: {USUAL}"),
        (["--language", "th"], "language th: bleu tokenize=char, ter tokenize=char"),
        (["--language-pair", "zh-en"], f"{OTHER_SCRIPT}\nbleu:lowercase=false:tokenize=13a"),
        (["--language", "en", "-m", "chrf"], f"{OTHER_SCRIPT}\nchrf:"),
        (["-m", "bleu:tokenize=13a"], "bleu:lowercase=false:tokenize=13a"),
        (["-m", "wer", "-m", "f1"], f"{BY_SCRIPT}wer tokenize=zh, f1 tokenize=zh"),
        (["-m", "meteor"], f"{BY_SCRIPT}meteor language=other tokenize=zh"),
    ],
)
def test_what_is_typed_decides_and_what_is_not_follows_the_language(chinese, run, given, first):
    done = run("score", "-r", "ref.txt", *OUTPUT_FILES, "--resamples", "0", *given)
    assert done.exit_code == 0
    assert done.stderr.startswith(first)


def test_a_language_that_is_none_is_refused(chinese, run):
    done = run("score", "-r", "ref.txt", "far.txt", "--language", "klingon")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "rankwise: unknown language 'klingon'; expected a code like zh, ja or de\n"
    )
    for command in (["score"], ["report", "-o", "x.html"], ["score", "--engine", "local"]):
        done = run(*command, "-r", "ref.txt", "far.txt", "--language-pair", "enzh")
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr == (
            "rankwise: unknown language pair 'enzh'; expected two languages like en-zh\n"
        )
    done = run("score", "--scores", "x.tsv", "--language", "zh")
    assert done.exit_code == 2
    assert "--language needs texts" in done.stderr


def test_a_tokenizer_that_is_missing_stops_the_command(tmp_path, monkeypatch, run):
    monkeypatch.setitem(sys.modules, "MeCab", None)
    tokenise._mecab.cache_clear()
    for name in ("ref", "A"):
        (tmp_path / name).write_text("昨日、本を三冊買って、今日読み終わりました。\n", "utf-8")
    done = run("score", "-r", tmp_path / "ref", tmp_path / "A")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "rankwise: bleu in the language ja (by the script of the references): this tokenizer needs "
        "the module MeCab: pip install 'rankwise[ja]'\n"
    )
    done = run("score", "-r", tmp_path / "ref", tmp_path / "A", "-m", "bleu:tokenize=char")
    assert done.exit_code == 0


def test_segments_stream_and_shards_follow_one_choice(chinese, run):
    done = run("score", "--segments", "-r", "ref.txt", "closer.txt", "-m", "wer")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[:2] == [
        "segment\tsystem\twer:tokenize=zh",
        "1\tcloser\t0.0",  # the space counts for nothing
    ]
    for name in ("ref", "closer"):
        (chinese / name).mkdir()
        # the second shard alone would look like English
        parts = ["".join(f"{line}\n" for line in {"ref": REFERENCES, **OUTPUTS}[name]), "OK\n"]
        for number, text in enumerate(parts):
            (chinese / name / f"{number}.txt").write_text(text, "utf-8")
    shards = ["--engine", "local", "--workers", "1", "-r", "ref", "closer", "-m", "bleu"]
    done = run("score", *shards)
    assert done.exit_code == 0, done.stderr
    assert done.stderr.startswith(f"{BY_SCRIPT}bleu tokenize=zh\n")
    assert ZH_BLEU in done.stderr
    (chinese / "all-ref.txt").write_text("\n".join([*REFERENCES, "OK"]) + "\n", "utf-8")
    (chinese / "all.txt").write_text("\n".join([*OUTPUTS["closer"], "OK"]) + "\n", "utf-8")
    whole = run("score", "-r", "all-ref.txt", "all.txt", "-m", "bleu", "--resamples", "0")
    assert whole.stdout.split()[-1].rstrip("*") == done.stdout.split()[-1]
    assert "tokenize=13a" in run("score", *shards, "--language", "en").stderr


def test_lengths_are_those_of_characters(chinese, run):
    given = ("-r", "ref.txt", "close.txt", "--by", "length", "-m", "chrf", "--resamples", "0")
    done = run("score", *given)
    labels = [line.split("  ")[0] for line in done.stdout.splitlines()[1:]]
    assert labels == ["1-20 chars", "21-40 chars"]


def test_a_report_says_what_the_language_decided(chinese, run):
    done = run("report", "-r", "ref.txt", *OUTPUT_FILES, "-o", "report.html", "--resamples", "20")
    assert done.exit_code == 0
    assert done.stderr.startswith(BY_SCRIPT + USUAL)
    page = (chinese / "report.html").read_text("utf-8")
    assert "tokenize=zh" in page
    assert "language zh (by the script of the references)" in page
    assert "length of the reference in characters" in page
    assert 'lang="zh"' in page
    assert "今天<del>就</del>看完了" in page  # the words that differ are characters


def test_meta_follows_the_language_of_each_pair_under_one_name(tmp_path, run):
    folder = make_evalset(tmp_path / "set", pairs=("en-de", "en-zh"))
    done = run(
        "meta", "-t", folder, "-m", "bleu", "-m", "meteor", "--test", "none", "--format", "tsv"
    )
    assert done.exit_code == 0, done.stderr
    assert "language zh: bleu tokenize=zh, meteor language=other tokenize=zh\n" in done.stderr
    assert "language de: meteor language=de\n" in done.stderr
    head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    named = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    for name in ("bleu (rankwise)", "meteor (rankwise)"):  # one row, with both pairs in it
        assert all(named[name][f"{pair} spa"] for pair in ("en-de", "en-zh"))
    done = run("meta", "-t", folder, "-m", "bleu", "--language", "zh")
    assert done.exit_code == 2
    assert "--language is for one language pair" in done.stderr


def test_mbr_follows_the_script_of_the_candidates(chinese, run):
    (chinese / "candidates.txt").write_text("天气很好\n天气好\n很好\n", "utf-8")
    done = run("mbr", "candidates.txt", "-m", "wer", "--format", "json")
    assert done.exit_code == 0
    assert done.stderr == ("language zh (by the script of the candidates): wer tokenize=zh\n")
    [segment] = json.loads(done.stdout)["segments"]
    # edits over the length of the other, by hand: 天气好 loses a character and changes one
    edits = [0 + 1 / 3 + 2 / 2, 1 / 4 + 0 + 2 / 2, 2 / 4 + 2 / 3 + 0]
    assert segment["expected"] == pytest.approx([100 * edit / 3 for edit in edits])
    assert segment["text"] == "很好"
    plain = run("mbr", "candidates.txt", "-m", "wer", "--language", "en", "--format", "json")
    assert json.loads(plain.stdout)["segments"][0]["expected"] == pytest.approx([200 / 3] * 3)
