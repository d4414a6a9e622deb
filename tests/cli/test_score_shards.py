"""``rankwise score --engine``: exact output of runs over shards."""

import pytest


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = {"ref": ["a cat sat here", "dogs run fast now"], "A": ["a cat sat here", "dogs run"]}
    for name, lines in texts.items():
        (tmp_path / name).mkdir()
        for number, line in enumerate(lines):
            (tmp_path / name / f"{number}.txt").write_text(line + "\n", "utf-8")
    return tmp_path


LOCAL = ("score", "--engine", "local", "--workers", "1")


def test_a_table_and_files_that_stay(folders, run):
    result = run(*LOCAL, "-r", "ref", "A", "-m", "wer", "-o", "out")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "system    wer\nA       25.00\n"
    assert "2 segments in 2 shards" in result.stderr
    assert sorted(path.name for path in (folders / "out").iterdir()) == [
        "0.json", "0.parquet", "1.json", "1.parquet",
    ]  # fmt: skip


def test_a_bad_shard_is_named_and_nothing_is_printed(folders, run):
    (folders / "A" / "1.txt").write_text("two\nlines\n", "utf-8")
    result = run(*LOCAL, "-r", "ref", "A", "-m", "wer")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "shard 1: A/1.txt has 2 lines, but ref/1.txt has 1" in result.stderr
    assert "1 of 2 shards cannot be scored." in result.stderr


def test_a_cluster_finds_relative_paths_and_goes_on(folders, run, cluster):
    """The workers were started in another folder."""
    where = ("--engine", "dask", "--address", cluster.scheduler_address)
    options = ("score", *where, "-r", "ref", "A", "-m", "wer", "-o", "out", "--format", "tsv")
    first = run(*options)
    assert (first.exit_code, first.stdout) == (0, "system\twer\nA\t25.0\n"), first.stderr
    before = (folders / "out" / "0.parquet").stat().st_mtime_ns
    assert run(*options).stdout == first.stdout
    assert (folders / "out" / "0.parquet").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "dask", "A"], "--engine dask needs --address"),
        (["--engine", "local", "A", "--baseline", "A"], "--engine and --baseline do not go"),
        (["--engine", "local", "A", "--segments"], "--engine and --segments do not go"),
        (["--engine", "local", "A", "--resamples", "9"], "--engine and --resamples do not go"),
        (
            ["--engine", "local", "A", "--resample-by", "document"],
            "--engine and --resample-by document do not go",
        ),
        (["--workers", "2", "A"], "--address and --workers need --engine"),
        (["--engine", "local"], "--engine needs OUTPUTS"),
    ],
)
def test_options_that_do_not_go_together(arguments, message, run):
    result = run("score", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
