"""The table over the campaigns of an event, worked out by hand."""

from rankwise.server.campaign.standings.event_table import event_table
from server.campaign.made import make_plan


def board(*rows):
    """Rows of (system, score, lowest rank, highest rank)."""
    names = ("system", "score", "rank_low", "rank_high")
    return {"rows": [dict(zip(names, row, strict=True), cluster=1) for row in rows]}


ONE = board(("A", 80.0, 1, 1), ("B", 70.0, 2, 3), ("C", 69.0, 2, 3))
TWO = board(("B", 90.0, 1, 2), ("A", 88.0, 1, 2))


def plans(**keys):
    made = {"protocol": "direct-assessment", "k": 1, **keys}
    return make_plan(name="one", **made), make_plan(name="two", **made)


def test_mean_ranks_are_of_the_middles_and_scores_of_whole_rows():
    one, two = plans()
    found = event_table([(one, ONE), (two, TWO)])
    assert found.why is None
    assert [(r.system, r.mean_rank, r.mean_score, r.campaigns) for r in found.rows] == [
        ("A", 1.25, 84.0, 2),
        ("B", 2.0, 80.0, 2),
        ("C", 2.5, None, 1),
    ]
    assert [cell and cell.ranks for cell in found.rows[2].cells] == ["2–3", None]
    assert found.to_json()["rows"][2]["campaigns"] == {
        "one": {"score": 69.0, "rank_low": 2, "rank_high": 3, "cluster": 1}
    }


def test_scores_are_not_averaged_where_they_do_not_compare():
    one, two = plans()
    ranking = make_plan(name="two", protocol="ranking")
    assert "no common scale" in event_table([(one, ONE), (ranking, TWO)]).why
    assert event_table([(one, ONE)]).why == "there is one campaign"
    other = make_plan(name="two", protocol="adequacy-fluency", k=1)
    assert "different protocols" in event_table([(one, ONE), (other, TWO)]).why
    assert "not every campaign" in event_table([(one, ONE), (two, None)]).why
    mild, hard = (
        make_plan(name=n, protocol="mqm", spans={"weights": {"neutral": 0, "minor": 1, **w}})
        for n, w in (("one", {"major": 5}), ("two", {"major": 10}))
    )
    assert "count errors differently" in event_table([(mild, ONE), (hard, TWO)]).why
    found = event_table([(one, ONE), (ranking, TWO)])
    assert [(row.system, row.mean_score) for row in found.rows] == [
        ("A", None), ("B", None), ("C", None),
    ]  # fmt: skip
