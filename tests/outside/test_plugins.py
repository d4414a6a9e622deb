"""Metrics of other packages: one that is really installed, and those that cannot be used."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "examples" / "rankwise-length-ratio"


def python(*words: object, folder: Path | None = None, **settings: str):
    """What Python prints with what lies in *folder* installed."""
    path = {} if folder is None else {"PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, *map(str, words)],
        env={**os.environ, **path, **settings},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The example package, installed by pip into a folder of its own, without a network."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("target")
    for file in PACKAGE.rglob("*"):
        if file.suffix in (".toml", ".py"):
            copy = source / file.relative_to(PACKAGE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", target)
    done = python("-m", "pip", "install", *options, source, PIP_DISABLE_PIP_VERSION_CHECK="1")
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def texts(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"src": "abcd\nef\n", "good": "abcd\nef\n", "bad": "ab\ne\n"}.items():
        Path(f"{name}.txt").write_text(lines)


def test_an_installed_package_is_named_like_ours(installed, texts):
    words = ("-m", "rankwise", "score", "-s", "src.txt", "good.txt", "bad.txt", "--resamples", 0)
    done = python(*words, "-m", "length-ratio", "-m", "length-ratio:usual=0.5", folder=installed)
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["system", "length-ratio", "length-ratio:usual=0.5"],
        ["good", "1.0000*", "0.5000"],
        ["bad", "0.5000", "1.0000*"],
    ]
    assert done.stderr.splitlines()[0].startswith(
        "length-ratio:usual=1.0:package=rankwise-length-ratio@1.0:version="
    )


def test_it_is_listed_with_its_package(installed):
    done = python("-m", "rankwise", "metrics", "--format", "tsv", folder=installed)
    [line] = [line for line in done.stdout.splitlines() if line.startswith("length-ratio")]
    assert line.split("\t") == [
        "length-ratio",
        "rankwise-length-ratio@1.0",
        "How close the length of the output is to the usual one, 0 to 1.",
        "usual",
    ]


def test_its_signature_parses_back(installed):
    code = (
        "import rankwise as rw; m = rw.metric('length-ratio:usual=2');"
        "assert rw.metric(m.signature) == rw.metric(str(m)) == m; print(m.signature)"
    )
    done = python("-c", code, folder=installed)
    assert "package=rankwise-length-ratio@1.0" in done.stdout, done.stderr


def test_shards_of_the_package_are_scored_by_processes(installed, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for part in ("a", "b"):
        table = pyarrow.table({"source": ["abcd", "ef"], "A": ["ab", "ef"], "B": ["abcd", "ef"]})
        parquet.write_table(table, tmp_path / f"{part}.parquet")
    words = ("score", "--engine", "local", tmp_path, "-m", "length-ratio", "--format", "tsv")
    done = python("-m", "rankwise", *words, folder=installed, RANKWISE_CACHE=str(tmp_path / "c"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:] == ["B\t1.0", "A\t0.75"]
    done = python("-m", "rankwise", "score", "--engine", "local", tmp_path, folder=installed)
    assert "segment 1 has no reference; expected at least one, which bleu needs" in done.stderr


# -- packages that cannot be used ------------------------------------------------------------------

BROKEN = {
    "missing": ("nowhere:Metric", "", "cannot be loaded: ModuleNotFoundError"),
    "failing": (
        "odd_one:Metric",
        "raise RuntimeError('no GPU\\nhere')",
        "RuntimeError: no GPU here",
    ),
    "absent": ("odd_one:Metric", "", "cannot be loaded: AttributeError"),
    "number": ("odd_one:Metric", "Metric = 7", "is odd_one:Metric, no class of metrics"),
    "renamed": (
        "odd_one:Metric",
        "from rankwise.metrics import Bleu as Metric",
        "calls itself 'bleu'",
    ),
    "half": (
        "odd_one:Metric",
        "from rankwise.metrics.outside.batch_metric import BatchMetric\n"
        "class Metric(BatchMetric):\n    name = 'half'",
        "lacks batch_scores",
    ),
}


def announce(folder: Path, package: str, name: str, value: str, code: str = "") -> None:
    facts = folder / f"{package}-2.1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 2.1\n")
    (facts / "entry_points.txt").write_text(f"[rankwise.metrics]\n{name} = {value}\n")
    (folder / "odd_one.py").write_text(code)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_package_is_named_in_one_sentence(tmp_path, texts, name):
    value, code, sentence = BROKEN[name]
    announce(tmp_path / "lib", "odd-metrics", name, value, code)
    words = ("-m", "rankwise", "score", "-s", "src.txt", "good.txt", "-m", name)
    done = python(*words, folder=tmp_path / "lib")
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(f"rankwise: the metric {name!r} of the package odd-metrics@2.1 ")
    assert sentence in line
    listed = python("-m", "rankwise", "metrics", "--format", "tsv", folder=tmp_path / "lib")
    assert f"{name}\todd-metrics@2.1\tcannot be used: " in listed.stdout


def test_two_packages_with_one_name(tmp_path, texts):
    announce(tmp_path / "lib", "one", "both", "odd_one:A")
    announce(tmp_path / "lib", "two", "both", "odd_one:B")
    words = ("-m", "rankwise", "score", "-s", "src.txt", "good.txt", "-m", "both")
    done = python(*words, folder=tmp_path / "lib")
    assert done.stderr == (
        "rankwise: the metric 'both' is in two packages, one@2.1 and two@2.1; expected one\n"
    )


def test_ours_are_not_replaced(tmp_path, texts):
    announce(tmp_path / "lib", "thief", "bleu", "odd_one:A")
    words = ("-m", "rankwise", "score", "-r", "src.txt", "good.txt", "-m", "bleu")
    assert python(*words, folder=tmp_path / "lib").returncode == 0
    listed = python("-m", "rankwise", "metrics", "--format", "tsv", folder=tmp_path / "lib")
    assert "bleu\tthief@2.1\tnot used: one of ours is called so" in listed.stdout


def test_who_names_ours_does_not_wait_for_a_look_at_packages(texts):
    for name in ("src", "good"):  # intervals of fewer segments need a table of Student's t
        Path(f"{name}.txt").write_text("ab cd ef\n" * 60)
    code = (
        "import sys\nfrom rankwise.cli import main\n"
        "try: main(['score', '-r', 'src.txt', 'good.txt'])\n"
        "except SystemExit: pass\n"
        "assert 'importlib.metadata' not in sys.modules\n"
        "assert 'rankwise.metrics.outside.plugins' not in sys.modules\n"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr


def test_the_page_shows_the_package_as_it_is():
    page = (ROOT / "docs" / "how-to" / "plug-in-a-metric.md").read_text("utf-8")
    code = (PACKAGE / "src" / "rankwise_length_ratio" / "__init__.py").read_text("utf-8")
    lines = (PACKAGE / "pyproject.toml").read_text("utf-8").splitlines()
    start = lines.index('[project.entry-points."rankwise.metrics"]')
    assert code in page
    assert "\n".join(lines[start : start + 2]) in page
