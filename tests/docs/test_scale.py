"""The page about scale: does its code run, and does it name what there is?"""

import re
from pathlib import Path

import rankwise as rw
from rankwise.engine import ENGINES

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "large-data.md").read_text(encoding="utf-8")


def test_the_code_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shards").mkdir()
    rows = ["id\tref\tA", "1\ta cat sat here\ta cat sat here", "2\tso it is\tso it is"]
    (tmp_path / "shards" / "x.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(code, {})
    assert capsys.readouterr().out == "('A',) [[100. 100.]]\n{}\n"
    assert sorted(path.name for path in (tmp_path / "scores").iterdir()) == ["x.json", "x.parquet"]


def test_every_engine_and_way_in_is_named():
    assert all(f"--engine {engine}" in PAGE for engine in ENGINES)
    assert all(f"rw.{name}(…, site=…)" in PAGE for name in ("score_table", "learn", "rank"))
    assert rw.score_table.__doc__
