"""Tables of results: exact output in every format."""

import csv
import io
import json
import math

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.present.tables import RENDERERS, Column, Table, render

SCORES = Table(
    columns=[Column("system"), Column("BLEU", "right", ".2f"), Column("wins", "right")],
    rows=[("birch", 31.4159265358979, 12), ("Übersetzer_2", 7.5, None), ("elm", math.nan, 0)],
    title="Scores",
    notes=["seed 1", "n = 60"],
)


def one(cell, format, *, name="x", align="left", number=""):
    """The rendering of a table with a single cell."""
    return render(Table([Column(name, align, number)], [(cell,)]), format)


def test_text_is_aligned_and_rounded():
    expected = """\
Scores

system         BLEU  wins
birch         31.42    12
Übersetzer_2   7.50     -
elm             nan     0

seed 1
n = 60
"""
    assert expected == render(SCORES, "text")


def test_rules_are_lines_above_rows_for_people():
    table = Table([Column("x")], [("a",), ("bcd",), ("e",)], rules=[1])
    assert render(table, "text") == "x\na\n---\nbcd\ne\n"
    assert "\\midrule\na   \\\\\n\\midrule\nbcd \\\\\ne" in render(table, "latex")
    for unruled in ("tsv", "json", "markdown"):
        plain = Table([Column("x")], [("a",), ("bcd",), ("e",)])
        assert render(table, unruled) == render(plain, unruled)


def test_tsv_has_every_digit_and_no_title():
    expected = "system\tBLEU\twins\nbirch\t31.4159265358979\t12\nÜbersetzer_2\t7.5\t\nelm\tnan\t0\n"
    assert expected == render(SCORES, "tsv")


def test_json_has_numbers_as_numbers_and_nan_as_null():
    expected = """\
{
 "title": "Scores",
 "rows": [
  {"system": "birch", "BLEU": 31.4159265358979, "wins": 12},
  {"system": "Übersetzer_2", "BLEU": 7.5, "wins": null},
  {"system": "elm", "BLEU": null, "wins": 0}
 ],
 "notes": ["seed 1", "n = 60"]
}
"""
    assert expected == render(SCORES, "json")


def test_markdown_is_aligned_as_its_rule_says():
    expected = """\
**Scores**

| system       |  BLEU | wins |
| :----------- | ----: | ---: |
| birch        | 31.42 |   12 |
| Übersetzer_2 |  7.50 |    - |
| elm          |   nan |    0 |

seed 1

n = 60
"""
    assert expected == render(SCORES, "markdown")


def test_latex_is_a_table_with_caption_and_notes():
    expected = r"""% needs \usepackage{booktabs}
\begin{table}
\centering
\caption{Scores}
\begin{tabular}{lrr}
\toprule
system        &  BLEU & wins \\
\midrule
birch         & 31.42 &   12 \\
Übersetzer\_2 &  7.50 &    - \\
elm           &   nan &    0 \\
\bottomrule
\end{tabular}
\par\smallskip{\footnotesize seed 1}
\par\smallskip{\footnotesize n = 60}
\end{table}
"""
    assert expected == render(SCORES, "latex")


@pytest.mark.parametrize("format", RENDERERS)
def test_a_table_without_rows_title_and_notes(format):
    expected = {
        "text": "a  b\n",
        "tsv": "a\tb\n",
        "csv": "a,b\n",
        "html": '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        "<title>Rankwise</title></head>\n<body>\n"
        '<div class="scroll"><table>\n<thead><tr><th scope="col" class="center">a</th>'
        '<th scope="col">b</th></tr></thead>\n<tbody>\n</tbody>\n</table></div>\n'
        "</body>\n</html>\n",
        "json": '{\n "title": "",\n "rows": [],\n "notes": []\n}\n',
        "markdown": "|  a  | b   |\n| :-: | :-- |\n",
        "latex": "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n"
        "\\begin{tabular}{cl}\n\\toprule\na & b \\\\\n\\midrule\n\\bottomrule\n"
        "\\end{tabular}\n\\end{table}\n",
    }[format]
    assert expected == render(Table([Column("a", "center"), Column("b")], []), format)


# -- escaping ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("a|b", r"a\|b"),
        ("a\\b", r"a\\b"),
        ("`*<[~", r"\`\*\<\[\~"),
        ("word_order", "word_order"),
        ("_private and odd_", r"\_private and odd\_"),
        ("R&D", "R&D"),
        ("&lt;", r"\&lt;"),
        ("two\nlines\r\x1b", "two lines  "),
    ],
)
def test_markdown_escapes(cell, expected):
    width = max(3, len(expected))
    lines = [f"| {'x':{width}} |", f"| :{'-' * (width - 1)} |", f"| {expected:{width}} |", ""]
    assert "\n".join(lines) == one(cell, "markdown")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (r"& % _ # $ { }", r"\& \% \_ \# \$ \{ \}"),
        ("~", r"\textasciitilde{}"),
        ("^", r"\textasciicircum{}"),
        ("\\", r"\textbackslash{}"),
        ("\\{", r"\textbackslash{}\{"),
        ("a<b>c|d", r"a\textless{}b\textgreater{}c\textbar{}d"),
        ("[2pt]*", r"{[}2pt]{*}"),
        ("-dash", "-dash"),
        ("a\nb", "a b"),
    ],
)
def test_latex_escapes(cell, expected):
    row = one(cell, "latex").splitlines()[7]
    assert rf"{expected} \\" == row


def test_latex_escapes_names_title_and_notes():
    lines = render(Table([Column("a_b")], [], title="50 %", notes=["x & y"]), "latex").splitlines()
    assert r"\caption{50 \%}" in lines
    assert r"a\_b \\" in lines
    assert r"\par\smallskip{\footnotesize x \& y}" in lines


def test_latex_numbers_have_a_minus():
    assert one(-0.5, "latex", number=".2f").splitlines()[7] == r"$-$0.50 \\"
    assert one(-2e-7, "latex", number=".0e").splitlines()[7] == r"$-$2e$-$07 \\"
    assert one(0.125, "latex", number=".1%").splitlines()[7] == r"12.5\% \\"


def test_tsv_cells_cannot_break_the_table():
    assert one("c\td\ne\rf\\t", "tsv", name="a\tb") == "a b\nc d e f\\t\n"


def test_text_cells_cannot_steer_the_terminal():
    assert one("a\x1b[31mb\u2028c", "text") == "x\na [31mb c\n"


def test_json_escapes_what_it_must():
    cell = 'tab\t"quote" \\ \x1b 語'
    document = json.loads(one(cell, "json"))
    assert [{"x": cell}] == document["rows"]


# -- widths --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("日本", 4),
        ("ｶﾅ", 2),  # halfwidth forms
        ("Ａ", 2),  # fullwidth form
        ("e\u0301", 1),  # a combining acute accent
        ("\u0e01\u0e34", 1),  # Thai consonant with a vowel sign above it
        ("\u1112\u1161\u11ab", 2),  # a Korean syllable as three conjoining letters
        ("a\u200bb", 2),  # zero-width space
        ("a\u00adb", 3),  # soft hyphen
        ("🙂", 2),
    ],
)
def test_text_alignment_counts_terminal_cells(text, width):
    table = Table([Column("name"), Column("n")], [(text, 1), ("-" * 8, 2)])
    assert f"{text}{' ' * (8 - width)}  1" == render(table, "text").splitlines()[1]


def test_wide_characters_are_aligned_on_the_right_and_in_the_middle():
    table = Table(
        [Column("数", "right"), Column("中", "center"), Column("z")], [("abcd", "vwxyz", 1)]
    )
    assert render(table, "text") == "  数   中    z\nabcd  vwxyz  1\n"


# -- cells ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "number", "text", "tsv", "value"),
    [
        (-0.001, ".2f", "0.00", "-0.001", -0.001),
        (1e-20, "", "1e-20", "1e-20", 1e-20),
        (0.1 + 0.2, ".3f", "0.300", "0.30000000000000004", 0.30000000000000004),
        (3, ".1f", "3.0", "3", 3),
        (True, ".2f", "true", "true", True),
        (math.inf, ".2f", "inf", "inf", None),
        (np.float64(0.25), ".2f", "0.25", "0.25", 0.25),
        (np.float32(0.5), "", "0.5", "0.5", 0.5),
        (np.int64(7), "", "7", "7", 7),
        (np.bool_(False), "", "false", "false", False),
        ("", "", "", "", ""),
        (None, "", "-", "", None),
    ],
)
def test_one_cell_in_every_kind_of_format(cell, number, text, tsv, value):
    assert f"x\n{text}\n" == one(cell, "text", number=number)
    assert f"x\n{tsv}\n" == one(cell, "tsv", number=number)
    found = json.loads(one(cell, "json", number=number))["rows"][0]["x"]
    assert (value, type(value)) == (found, type(found))


def test_a_table_does_not_change_with_what_it_was_made_from():
    row = ["A", 1.0]
    rows = [row]
    table = Table([Column("s"), Column("v")], rows)
    row[0] = "B"
    rows.clear()
    assert table.rows == (("A", 1.0),)


# -- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Table([], []), "table '' has no columns; expected at least one"),
        (
            lambda: Table([Column("a"), Column("a")], [], title="T"),
            "column 'a' occurs twice in table 'T'",
        ),
        (
            lambda: Table([Column("a"), Column("b")], [(1, 2), (1,)], title="T"),
            "row 2 of table 'T' has 1 cells; expected 2: a, b",
        ),
        (
            lambda: Table([Column("a")], [([1],)]),
            r"a table cell is \[1\]; expected text, a number or None",
        ),
        (
            lambda: Column("a", "middle"),
            "column 'a' is aligned 'middle'; expected left, right, center",
        ),
        (
            lambda: Column("a", "left", "two"),
            "column 'a' has number format 'two'; expected one for floats, such as '.2f'",
        ),
        (
            lambda: render(SCORES, "xml"),
            "unknown table format 'xml'; choose from text, tsv, csv, json, markdown, latex, html",
        ),
    ],
)
def test_errors(make, message):
    with pytest.raises(DataError, match=f"^{message}$"):
        make()


def test_marked_cells_stand_out_for_people_and_not_for_programs():
    columns = [Column("system"), Column("BLEU", "right", ".1f")]
    table = Table(columns, [("A", 31.25), ("B", 9)], marked=[(0, 1)])
    assert render(table, "text") == "system  BLEU\nA       31.2*\nB        9.0\n"
    assert "| **31.2** |" in render(table, "markdown")
    assert r"\textbf{31.2}" in render(table, "latex")
    assert render(table, "tsv") == "system\tBLEU\nA\t31.25\nB\t9\n"


def test_facts_are_fields_of_the_json_object_alone():
    table = Table([Column("x")], [(1,)], facts={"signatures": {"bleu": "bleu:version=1"}, "n": 2})
    found = json.loads(render(table, "json"))
    assert found["signatures"] == {"bleu": "bleu:version=1"}
    assert found["n"] == 2
    assert "signatures" not in render(table, "text") + render(table, "tsv")


def test_csv_is_read_back_by_the_library():
    table = Table(
        [Column("name"), Column("x", "right", ".1f")], [('a "b", c\n', 1 / 3), ("d", None)]
    )
    rows = list(csv.reader(io.StringIO(render(table, "csv"))))
    assert rows == [["name", "x"], ['a "b", c\n', "0.3333333333333333"], ["d", ""]]


def test_html_is_a_page_of_its_own():
    page = render(Table([Column("a<b")], [("<i>",)], title="T & Co"), "html")
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>T &amp; Co</title>" in page
    assert "<td>&lt;i&gt;</td>" in page
