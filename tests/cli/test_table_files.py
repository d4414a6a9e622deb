"""``-o FILE``: every command that prints a table writes it as the suffix says, or refuses."""

import json
import sys
from pathlib import Path

import pytest

import rankwise as rw

EXAMPLE = Path(rw.__file__).parent / "bundled" / "example"
TEXTS = ("-r", EXAMPLE / "ref.a.txt", *sorted((EXAMPLE / "systems").glob("*.txt"))[:3])
COMMANDS = {
    "score": ("score", *TEXTS, "-m", "f1", "--resamples", 50),
    "groups": ("score", *TEXTS, "-m", "f1", "--by", "length", "--resamples", 50),
    "compare": ("compare", *TEXTS[:4], "-m", "f1", "--resamples", 50),
    "rank": ("rank", EXAMPLE / "judgments.jsonl", "--runs", 20),
    "values": ("rank", EXAMPLE / "assessments.tsv", "--runs", 20),
    "meta": ("meta", "-j", EXAMPLE / "judgments.jsonl", *TEXTS, "-m", "f1"),
    "agree": ("agree", EXAMPLE / "judgments.jsonl", EXAMPLE / "judgments.jsonl", "--samples", 9),
    "next": ("next", EXAMPLE / "judgments.jsonl", "--count", 3),
    "formats": ("formats",),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(run, command) -> list[dict]:
    done = run(*COMMANDS[command], "--format", "json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)["rows"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("suffix", "form"),
    [("tsv", "tsv"), ("csv", "csv"), ("md", "markdown"), ("tex", "latex"), ("html", "html")],
)
def test_a_text_is_what_the_command_prints(run, folder, command, suffix, form):
    printed = run(*COMMANDS[command], "--format", form).stdout
    done = run(*COMMANDS[command], "-o", f"out.{suffix}")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (folder / f"out.{suffix}").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "rank"])
def test_parquet_holds_the_rows_and_what_decides_them(run, folder, command):
    parquet = pytest.importorskip("pyarrow.parquet")
    done = run(*COMMANDS[command], "-o", "out.parquet")
    assert done.exit_code == 0, done.stderr
    table = parquet.read_table(folder / "out.parquet")
    rows, read = told(run, command), table.to_pylist()
    assert [list(row) for row in read] == [list(row) for row in rows]
    for row, other in zip(read, rows, strict=True):
        for value, wanted in zip(row.values(), other.values(), strict=True):
            is_number = isinstance(value, float) and not isinstance(wanted, str)
            assert value == (pytest.approx(wanted, nan_ok=True) if is_number else _text(wanted))
    facts = json.loads(table.schema.metadata[b"rankwise"])
    assert "notes" in facts


def _text(value):
    return value if value is None or isinstance(value, str | int) else str(value)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "rank"])
def test_a_spreadsheet_holds_the_numbers(run, folder, command):
    openpyxl = pytest.importorskip("openpyxl")
    done = run(*COMMANDS[command], "-o", "out.xlsx")
    assert done.exit_code == 0, done.stderr
    sheet = openpyxl.load_workbook(folder / "out.xlsx").worksheets[0]
    head, *cells = sheet.iter_rows(values_only=True)
    rows = told(run, command)
    assert list(head) == list(rows[0])
    for row, other in zip(cells, rows, strict=True):
        expected = [None if value == "" else value for value in other.values()]
        assert list(row) == [  # a sheet has sixteen digits
            pytest.approx(value, rel=1e-15) if isinstance(value, float) else value
            for value in expected
        ]


def test_a_ranking_is_a_table_for_programs(run, folder):
    parquet = pytest.importorskip("pyarrow.parquet")
    run(*COMMANDS["rank"], "-o", "out.parquet")
    header, *lines = run(*COMMANDS["rank"], "--format", "tsv").stdout.splitlines()
    read = parquet.read_table(folder / "out.parquet")
    assert read.column_names == header.split("\t")
    assert read.num_rows == len(lines)
    done = run(*COMMANDS["rank"], "--agreement", "--per-judge", "-o", "out.xlsx")
    assert (done.exit_code, "XLSX holds one table" in done.stderr) == (2, True)


def test_several_tables_go_into_one_text(run, folder):
    options = ("--agreement", "--per-judge")
    printed = run(*COMMANDS["rank"], *options).stdout
    run(*COMMANDS["rank"], *options, "-o", "out.txt")
    assert (folder / "out.txt").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["out.docx", "out.tsv.zst", "out.parquet.gz"])
def test_what_is_not_written_is_refused_before_any_work(run, folder, command, name):
    done = run(*COMMANDS[command], "-o", name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(f"Error: -o {name}: ")
    assert not (folder / name).exists()


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        ("pyarrow", "out.parquet", "Parquet needs pyarrow: pip install 'rankwise[cluster]'"),
        ("openpyxl", "out.xlsx", "xlsx needs openpyxl: pip install 'rankwise[excel]'"),
    ],
)
def test_a_library_that_is_missing_is_named(run, folder, monkeypatch, module, name, message):
    monkeypatch.setitem(sys.modules, module, None)
    done = run(*COMMANDS["formats"], "-o", name)
    assert (done.exit_code, done.stderr) == (1, f"rankwise: {message}\n")
    assert not (folder / name).exists()


def test_a_cell_is_no_formula_and_no_control_character(folder):
    openpyxl = pytest.importorskip("openpyxl")
    from rankwise.present.table_files import table_bytes
    from rankwise.present.tables import Column, Table

    columns = [Column("system"), Column("score", "right", ".2f")]
    table = Table(columns, [("=1+1", 0.5), ("a\x01b", float("nan"))], title="a/b: c")
    again = Table(columns, [("x", None)], title="A/b: c")
    (folder / "out.xlsx").write_bytes(table_bytes([table, again], "xlsx"))
    book = openpyxl.load_workbook(folder / "out.xlsx")
    assert book.sheetnames == ["a b  c", "A b  c 2", "about"]
    sheet = book.worksheets[0]
    assert (sheet["A2"].value, sheet["A2"].data_type) == ("=1+1", "s")
    assert (sheet["A3"].value, sheet["B3"].value) == ("a b", None)
    assert sheet["B2"].number_format == "0.00"
