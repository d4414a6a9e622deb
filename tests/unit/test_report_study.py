"""What a report computes: worked out by hand on two or three systems."""

import json
import re

import numpy as np
import pytest

from rankwise.aggregate.ranker import Ranker
from rankwise.errors import DataError
from rankwise.evaluate.outside_tables import aligned_scores, judged_scores
from rankwise.evaluate.scoreboard import Resampling
from rankwise.evaluate.segment_groups import length_weights
from rankwise.evaluate.system_scores import score_systems
from rankwise.metrics import metric
from rankwise.present.page.html_page import html_page
from rankwise.present.report.findings import Findings, findings, segment_wins
from rankwise.present.report.group_section import group_sections
from rankwise.present.report.judge_section import assessment_table
from rankwise.present.report.pair_section import ROOM
from rankwise.present.report.report_making import ReportOptions
from rankwise.present.report.segment_differences import (
    chosen_segments,
    differences,
    over_frame,
    percentiles,
)
from rankwise.present.report.segment_section import CHARACTERS, SHOWN
from rankwise.present.report.significance_section import pair_chart, significance_section
from rankwise.present.report.whole_report import figures, paper, report_page
from rankwise.types import (
    Assessments,
    Judgments,
    LevelScores,
    Ranking,
    ScoreTable,
    Segment,
    Study,
    TestSet,
)

NAN = np.nan
OPTIONS = ReportOptions(Resampling(samples=50), Ranker(runs=20), draws=20, segments=10)
REFERENCES = ("the cat sat on the mat", "it is raining", "we will go home now", "good night")


def found_in(
    texts: TestSet | None = None,
    metrics=(),
    scores: dict[str, ScoreTable] | None = None,
    human: ScoreTable | None = None,
    options: ReportOptions = OPTIONS,
    **others,
) -> Findings:
    """What a report finds in these."""
    study = Study(
        texts=texts,
        scores={name: LevelScores.of(table) for name, table in (scores or {}).items()},
        human=None if human is None else LevelScores.of(human),
        **others,
    )
    return findings(study, metrics, options)


def texts_of(count: int = 3) -> TestSet:
    """Outputs that keep all, most or few of the words of the references."""
    segments = tuple(
        Segment(str(n), f"Quelle {n}", (text,), f"doc{n // 2}", "news" if n < 2 else "talk")
        for n, text in enumerate(REFERENCES)
    )
    outputs = {
        f"S{number}": tuple(
            " ".join(["x"] * min(number, len(text.split())) + text.split()[number:])
            for text in REFERENCES
        )
        for number in range(count)
    }
    return TestSet(segments, outputs, "tiny", "de", "en")


def judgments() -> Judgments:
    return Judgments.from_rankings(
        Ranking(str(n % 4), judge, ("S0", "S1", "S2"), (1, 2, 3), f"{judge}{n}")
        for n in range(6)
        for judge in ("ann", "bo")
    )


def table(values, name="COMET", systems=("S0", "S1", "S2"), segments="0123") -> ScoreTable:
    return ScoreTable(systems, tuple(segments), np.array(values, float), name=name)


SCORES = table([[9, 9, 8, 9], [5, 6, 5, 5], [1, 2, 1, 3]])


# -- figures per segment ---------------------------------------------------------------------------


def test_wins_of_outputs_count_ties_half():
    found = segment_wins(
        Judgments.from_rankings(
            [
                Ranking("1", "ann", ("A", "B", "C"), (1, 2, 2)),
                Ranking("2", "ann", ("A", "B"), (2, 1)),
            ]
        )
    )
    cells = {
        (system, segment): found.values[found.systems.index(system), found.segments.index(segment)]
        for system in "ABC"
        for segment in "12"
    }
    expected = {"A1": 1.0, "B1": 0.25, "C1": 0.25, "A2": 0.0, "B2": 1.0, "C2": NAN}
    assert {a + b: value for (a, b), value in cells.items()} == pytest.approx(expected, nan_ok=True)


def test_percentiles_share_ties_and_skip_what_is_missing():
    assert percentiles(np.array([5.0, NAN, 1.0, 5.0])) == pytest.approx(
        [75, NAN, 0, 75], nan_ok=True
    )
    assert percentiles(np.array([7.0])) == pytest.approx([50])
    assert np.isnan(percentiles(np.array([NAN]))).all()


def test_the_largest_distance_to_people_is_found():
    result = score_systems(texts_of(2), [metric("wer")])[0]
    # WER: S0 has 0 everywhere, S1 one word wrong of 6, 3, 5, 2: S1 is worst on the last segment.
    gold = table([[1, 1, 1, 0], [0, 0, 0, 1]], systems=("S0", "S1"))
    found = differences([result], gold)
    assert found.systems == pytest.approx([100 / 6, 100 / 3, 20, 50])
    assert found.people_system.tolist()[3] == 1
    # People like four outputs (percentile 5.5/7); the metric puts S1's last output last.
    assert found.people[3] == pytest.approx(0 - 100 * 5.5 / 7)
    assert np.isnan(found.metrics).all()  # one metric cannot differ from itself
    assert set(found.sizes()) == {"people", "systems"}


def test_metrics_that_turn_each_other_round_are_100_apart():
    tables = {
        "a": table([[3], [2], [1]], "a", segments="0"),
        "b": table([[1], [2], [3]], "b", segments="0"),
    }
    found = found_in(scores=tables)
    assert differences(found.results, None).metrics.tolist() == [100.0]


def test_scores_are_matched_by_name():
    gold = table([[1, 2], [3, 4]], systems=("S1", "S9"), segments="10")
    assert over_frame(gold, SCORES)[1].tolist()[:2] == [2, 1]
    assert np.isnan(over_frame(gold, SCORES)[0]).all()


def test_segments_are_chosen_in_turn():
    sizes = {"a": np.array([4.0, 3.0, 2.0, 0.0]), "b": np.array([0.0, 1.0, 5.0, NAN])}
    assert chosen_segments(sizes, 10) == [0, 2, 1]  # the last differs nowhere
    assert chosen_segments(sizes, 1) == [0]
    assert chosen_segments(sizes, 0) == []


def test_a_short_segment_comes_after_a_long_one_that_differs_less():
    found = found_in(texts_of(), [metric("wer")])
    sizes = differences(found.results, None).sizes(length_weights([6, 3, 5, 2]))
    # S2 replaces two words of six, three, five and two: a range of WER of 33.3, 66.7, 40 and 100
    assert sizes["systems"] == pytest.approx([33.33 * 6 / 11, 66.67 * 3 / 8, 40 / 2, 100 * 2 / 7],
                                             rel=1e-3)  # fmt: skip
    assert chosen_segments(sizes, 4) == [3, 1, 2, 0]
    page = html_page(report_page(found))
    assert re.findall(r"<b>Segment (\d)</b>", page) == ["3", "1", "2", "0"]


def test_a_segment_without_a_word_is_not_shown():
    segments = tuple(Segment(str(n), "x", (text,)) for n, text in enumerate(("😀 😀", "a b c d e")))
    texts = TestSet(segments, {"A": ("😀 😀", "a b c d e"), "B": ("no", "a b c d x")})
    page = html_page(report_page(found_in(texts, [metric("wer")])))
    assert re.findall(r"<b>Segment (\d)</b>", page) == ["1"]


# -- inputs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (table([[1], [2]], systems=("S0", "S9"), segments="0"), "have no system 'S1'"),
        (
            table([[1]] * 3, segments="9"),
            "have no segment in common .*; found '9', expected '0'",
        ),
        (
            ScoreTable(("S0",), ("all",), np.array([[1.0]]), "COMET", "system"),
            "are of systems; expected scores of segments",
        ),
    ],
)
def test_scores_that_do_not_fit_are_refused(scores, message):
    with pytest.raises(DataError, match=message):
        aligned_scores("COMET", scores, ("S0", "S1", "S2"), ("0", "1"))


def test_what_is_left_out_is_said():
    more = table([[1, NAN], [2, 2], [3, 3]], systems=("S1", "S0", "S9"), segments="01")
    found, notes = aligned_scores("COMET", more, ("S0", "S1"), ("0", "1"))
    assert found.values.tolist()[0] == [2, 2]
    assert notes == [
        "COMET: 1 system is nowhere else, and left out: S9",
        "COMET: 1 of 4 scores are missing",
    ]


def test_systems_without_human_scores_are_named():
    human = table([[1, 2], [NAN, NAN]], "mqm", systems=("S0", "S1"), segments="01")
    found, notes = judged_scores("mqm", human, ("S0", "S1", "S2"), ("0", "1"))
    assert found.systems == ("S0",)
    assert notes[-1] == "mqm: no human score of S1, S2"
    with pytest.raises(DataError, match="are of none of the systems S7"):
        judged_scores("mqm", human, ("S7",), ("0",))


def test_nothing_to_report_on_is_an_error():
    with pytest.raises(DataError, match="nothing to look at"):
        found_in()


def test_several_language_pairs_are_refused():
    rankings = [
        Ranking("1", "ann", ("A", "B"), (1, 2), source_language=source, target_language="en")
        for source in ("de", "fr")
    ]
    said = Judgments.from_rankings(rankings)
    with pytest.raises(DataError, match="of the language pairs de-en, fr-en; choose one"):
        found_in(judgments=said)


def test_scores_may_not_be_called_as_a_computed_metric():
    with pytest.raises(DataError, match="scores 'wer' are called as a computed metric"):
        found_in(texts_of(), [metric("wer")], {"wer": SCORES})


def test_judgments_of_other_systems_are_refused():
    others = Judgments.from_rankings([Ranking("1", "ann", ("A", "B"), (1, 2))] * 3)
    with pytest.raises(DataError, match="expected some systems of the same name"):
        found_in(texts_of(), [metric("wer")], judgments=others)


HOSTILE = ["</script><script>alert(1)</script>", "\" onload='x'", "<!--", "<b>\u2028</b>"]


@pytest.mark.parametrize("word", HOSTILE)
def test_names_and_texts_of_any_kind_stay_texts(word):
    segments = tuple(
        Segment(f"{word}{n}", word, (f"{word} {n}",), f"{word}{n}", f"{word}{n}") for n in range(3)
    )
    systems = (word, f"{word}2")
    outputs = dict(zip(systems, [(word,) * 3, ("a", word, "b c")], strict=True))
    values = np.arange(6.0).reshape(2, 3)
    ids = tuple(segment.id for segment in segments)
    rankings = [Ranking(name, word, systems, (1, 2), f"{word}{name}") for name in ids]
    found = found_in(
        TestSet(segments, outputs, word, word, word),
        [metric("wer")],
        {word: ScoreTable(systems, ids, values)},
        human=ScoreTable(systems, ids, values, f"{word} people"),
        judgments=Judgments.from_rankings(rankings),
    )
    page = html_page(report_page(found, command=word))
    assert len(re.findall("<script", page)) == 2
    [data] = re.findall(r'<script type="application/json">(.*?)</script>', page)
    assert word not in page.replace(data, "")
    assert "<" not in data
    assert json.loads(data)["systems"] == list(systems)


# -- sections --------------------------------------------------------------------------------------

ALWAYS = ["What was computed"]
METRICS = ["Automatic scores", "Pairwise significance", "Score distributions"]
GROUPS = ["By domain", "By document"]  # all references are short
SEGMENTS = ["Segments that differ most"]
PAIRS = ["A against B"]
SUBSETS = {
    "texts": (
        {"texts": texts_of(), "metrics": [metric("wer")]},
        [*METRICS, *GROUPS, *SEGMENTS, *PAIRS],
    ),
    "one system": (
        {"texts": texts_of(1), "metrics": [metric("wer")]},
        ["Automatic scores", "Score distributions", *GROUPS],
    ),
    "scores": ({"scores": {"COMET": SCORES}}, [*METRICS, *SEGMENTS]),
    "texts without metrics": (
        {"texts": texts_of(), "scores": {"COMET": SCORES}},
        [*METRICS, *GROUPS, *SEGMENTS, *PAIRS],
    ),
    "human scores": (
        {"human": table(SCORES.values, "mqm")},
        ["Human scores: mqm", "Pairwise significance", "Score distributions", *SEGMENTS],
    ),
    "judgments": (
        {"judgments": judgments()},
        ["Human ranking", "Pairwise significance", "Judgments", "Annotator agreement"],
    ),
    "texts and judgments": (
        {"texts": texts_of(), "metrics": [metric("wer")], "judgments": judgments()},
        [
            "Automatic scores", "Human ranking", "Metrics and people", "Pairwise significance",
            "Judgments", "Annotator agreement", "Score distributions", *GROUPS, *SEGMENTS, *PAIRS,
        ],
    ),
    "everything": (
        {
            "texts": texts_of(),
            "metrics": [metric("wer"), metric("chrf")],
            "scores": {"COMET": SCORES},
            "human": table(SCORES.values, "mqm"),
            "judgments": judgments(),
        },
        [
            "Automatic scores", "Human ranking", "Human scores: mqm", "Metrics and people",
            "Pairwise significance", "Judgments", "Annotator agreement", "Score distributions",
            *GROUPS, *SEGMENTS,
            *PAIRS,
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("inputs", "titles"), SUBSETS.values(), ids=SUBSETS)
def test_a_page_has_the_sections_that_its_inputs_allow(inputs, titles):
    page = report_page(found_in(**inputs), command="rankwise report x")
    assert [section.title for section in page.sections] == titles + ALWAYS
    html = html_page(page)
    assert ">nan" not in html and '"nan' not in html
    assert "rankwise report x" in html
    for form in ("markdown", "latex"):
        assert paper(page, form).count("\n") > 3


def test_the_page_says_which_input_would_add_what():
    page = report_page(found_in(judgments=judgments()))
    assert page.absent == [
        "automatic scores (give references and outputs, or --scores)",
        "texts (give --testset, or outputs)",
    ]
    page = report_page(found_in(scores={"COMET": SCORES}))
    assert page.absent[0].startswith("human ranking and agreement with people (give --judgments")


def test_groups_that_were_never_compared_are_said():
    rankings = [Ranking("0", "ann", names, (1, 2), names[0]) for names in (("A", "B"), ("C", "D"))]
    said = found_in(judgments=Judgments.from_rankings(rankings))
    [section] = [s for s in report_page(said).sections if s.title.startswith("Hum")]
    assert "Note that the systems fall into 2 groups that were never compared" in section.lead
    page = report_page(found_in(judgments=judgments()))
    assert "groups" not in page.sections[0].lead


def test_no_resampling_leaves_intervals_and_tests_out():
    options = ReportOptions(Resampling(samples=0), draws=0)
    human = table(SCORES.values, "mqm")
    page = report_page(found_in(texts_of(), [metric("wer")], human=human, options=options))
    titles = [section.title for section in page.sections]
    assert "Pairwise significance" not in titles and "Automatic scores" in titles
    [first] = page.sections[0].tables
    assert [column.name for column in first.columns] == ["system", "wer"]
    charts = [chart for section in page.sections[:2] for chart in section.charts]
    heads = [[column.name for column in chart.table.columns] for chart in charts]
    assert heads == [["system", "score"], ["system", "score"]]
    assert ">nan<" not in html_page(page)


def test_the_scores_by_group_are_corpus_scores_of_the_group():
    found = found_in(texts_of(2), [metric("wer")])
    by_domain = group_sections(found)[0].charts[0].table
    # S1 has one wrong word in every segment; news: 6 + 3 words, talk: 5 + 2 words
    rows = {(row[0], row[2]): row[3] for row in by_domain.rows}
    assert rows["news", "S1"] == pytest.approx(100 * 2 / 9)
    assert rows["talk", "S1"] == pytest.approx(100 * 2 / 7)
    assert rows["talk", "S0"] == 0


def test_a_group_without_human_scores_has_a_dash():
    human = table([[9, 9, 8, 9], [5, 6, NAN, NAN], [1, 2, 1, 3]], "mqm")
    found = found_in(texts_of(), [metric("wer")], human=human)
    by_domain = group_sections(found)[0].charts[1].table
    assert {row[2]: row[3] for row in by_domain.rows if row[0] == "talk"}["S1"] is None


def test_counts_of_groups_are_those_of_judged_segments():
    """Two segments of news and two of talk; people judged one and two of them."""
    names = ("S0", "S1")
    human = ScoreTable(names, ("0", "1", "2", "3"), np.array([[9, NAN, 7, 5], [8, NAN, NAN, 1]]))
    found = found_in(texts_of(2), [metric("chrf")], human=human)
    section = next(s for s in group_sections(found) if s.title == "By domain")
    computed, judged = section.charts
    assert [head in computed.svg for head in ("news (2)", "talk (2)")] == [True, True]
    assert [head in judged.svg for head in ("news (1)", "talk (2)")] == [True, True]
    assert {tuple(row[:2]) for row in judged.table.rows} == {("news", 1), ("talk", 2)}
    page = report_page(found)
    lead = next(s.lead for s in page.sections if s.title.startswith("Human scores"))
    assert "over the 3 of 4 segments judged" in lead


def tiles(rows, samples=50):
    """The tile about who is best by people, of systems with these scores on each segment."""
    names = tuple(f"S{number}" for number in range(len(rows)))
    values = np.array(rows, float)
    table = ScoreTable(names, tuple(map(str, range(values.shape[1]))), values, "DA")
    options = ReportOptions(Resampling(samples=samples), Ranker(runs=20), draws=0)
    return report_page(found_in(human=table, options=options)).tiles[-1]


@pytest.mark.parametrize(
    ("rows", "samples", "tile"),
    [
        ([[9, 9, 9, 9], [1, 2, 1, 2]], 50, ("S0", "best by DA")),
        ([[9, 1, 9, 1], [1, 9, 2, 9]], 50, ("S1 or S0", "best by DA")),
        ([[9, 1, 9, 1]] * 4, 50, ("S0 or one of 3 more", "best by DA")),
        ([[9, 9, 9, 9], [1, 2, 1, 2]], 0, ("S0", "first by DA, not tested")),
        ([[9, 1], [1, 9], [1, 1]], 0, ("S0 or S1", "first by DA, not tested")),
        ([[9, 1]], 50, ("S0", "the one system with DA")),
    ],
)
def test_a_tile_names_all_that_may_be_the_best(rows, samples, tile):
    assert tiles(rows, samples) == tile


def test_pairs_of_the_matrix_have_the_better_system_first():
    ahead = np.array([[0.0, 1.0], [-1.0, 0.0]])
    p_values = np.array([[NAN, 0.004], [0.004, NAN]])
    chart = pair_chart(("A", "B"), ahead, p_values, 2 * p_values, "BLEU")
    assert chart.table.rows == (("A", "B", 0.004, 0.008),)
    assert "A better than B: p = 0.004" in chart.svg
    assert "B worse than A: p = 0.004" in chart.svg
    assert chart.svg.count("&lt;.01") == 2


def test_agreement_of_scores_counts_outputs_with_several_values():
    rows = [
        ("A", "1", "ann", "TGT", 80), ("A", "1", "bo", "TGT", 80),
        ("B", "1", "ann", "TGT", 20), ("B", "1", "bo", "TGT", 20),
        ("C", "1", "ann", "TGT", 50), ("A", "1", "bo", "BAD", 0),
    ]  # fmt: skip
    found = assessment_table(Assessments.from_rows(rows))
    assert found.rows[0] == ("as given", 2, 3, 2, 1.0)  # the two agree; BAD is a control item


def test_equal_outputs_share_a_line_and_differences_are_marked():
    texts = texts_of(2)
    outputs = {**texts.outputs, "copy": texts.outputs["S0"]}
    twins = TestSet(texts.segments, outputs, "twins", "de", "en")
    page = report_page(found_in(twins, [metric("wer")]))
    cards = next(s.segments for s in page.sections if s.segments is not None)
    [card] = [card for card in cards.cards if card.name == "Segment 3"]
    assert [text.label for text in card.texts] == [
        "source", "reference", "S0, copy: wer 0.0", "S1: wer 50.0",
    ]  # fmt: skip
    assert [(run.kind, run.text) for run in card.texts[3].runs] == [
        ("added", "x "), ("missing", "good"), ("same", "night"),
    ]  # fmt: skip


def test_of_many_systems_the_best_and_the_worst_are_shown():
    texts = texts_of(2)
    outputs = {
        f"S{n:02d}": tuple(" ".join(["x"] * n + text.split()) for text in REFERENCES)
        for n in range(SHOWN + 4)
    }
    many = TestSet(texts.segments, outputs, "many")
    page = report_page(found_in(many, [metric("wer")]))
    cards = next(s.segments for s in page.sections if s.segments is not None)
    labels = [text.label for text in cards.cards[0].texts][2:]
    assert len(labels) == SHOWN
    assert labels[0].startswith("S00") and labels[-1].startswith(f"S{SHOWN + 3}")


def significance_heads(found: Findings) -> list[str]:
    section = significance_section(found)
    assert section is not None
    table = section.charts[0].table
    assert table is not None
    return [column.name for column in table.columns]


def test_a_report_draws_as_often_as_the_correction_of_its_pairs_needs():
    """Twelve systems are 66 pairs: with 1,000 draws no corrected p-value could be below .066."""
    segments = tuple(Segment(str(n), "", (f"a{n} b",)) for n in range(60))
    share = [n * 60 // 12 for n in range(12)]
    outputs = {
        f"S{n:02}": tuple(f"a{i} b" if i < share[n] else "x" for i in range(60)) for n in range(12)
    }
    found = found_in(TestSet(segments, outputs), [metric("f1")], options=ReportOptions())
    assert found.board is not None
    assert found.board.resampling.draws == 40 * 66
    assert "p holm" in significance_heads(found)
    few = found_in(
        TestSet(segments, outputs), [metric("f1")], options=ReportOptions(Resampling(99))
    )
    assert "p holm" not in significance_heads(few)
    tests = found.board.standings[0].tests
    assert tests is not None
    assert np.nanmin(tests.holm) < 0.05
    with pytest.raises(DataError, match=r"with 19 draws a p-value is never below 0.05"):
        found_in(TestSet(segments, outputs), [metric("f1")], options=ReportOptions(Resampling(19)))


def test_long_texts_leave_the_page_small():
    long = " ".join(f"word{n % 97}" for n in range(3000))
    segments = tuple(Segment(str(n), "", (long,)) for n in range(200))
    outputs = {"A": (long + " end",) * 200, "B": (long[::-1],) * 200}
    options = ReportOptions(Resampling(samples=20), segments=200)
    page = report_page(found_in(TestSet(segments, outputs), [metric("wer")], options=options))
    cards = next(s.segments for s in page.sections if s.segments is not None).cards
    assert len(cards) == CHARACTERS // (len(long) * 3 + 4)
    assert {run.kind for card in cards for text in card.texts for run in text.runs} == {"same"}
    pairs = next(s.pairs for s in page.sections if s.pairs is not None).data
    assert len(pairs["ids"]) == ROOM // (len(long) * 3 + 4)
    assert len(html_page(page)) < 5_500_000


def test_missing_outputs_do_not_matter_where_nothing_is_computed():
    texts = texts_of()
    outputs = {**texts.outputs, "S1": (None, *texts.outputs["S1"][1:])}
    holes = TestSet(texts.segments, outputs, "holes")
    page = report_page(found_in(holes, scores={"COMET": SCORES}))
    cards = next(s.segments for s in page.sections if s.segments is not None).cards
    [card] = [card for card in cards if card.name == "Segment 0"]
    assert [text.runs for text in card.texts if text.label.startswith("S1")] == [[]]


def test_every_chart_can_be_drawn_for_a_paper():
    pytest.importorskip("matplotlib")
    page = report_page(found_in(**SUBSETS["everything"][0]))
    charts = [chart for section in page.sections for chart in section.charts]
    drawn = list(figures(page))
    assert len(drawn) == len(charts) > 15
    assert len({name for name, _ in drawn}) == len(drawn)


def test_the_same_study_gives_the_same_page():
    pages = [html_page(report_page(found_in(**SUBSETS["everything"][0]))) for _ in range(2)]
    assert pages[0] == pages[1]
