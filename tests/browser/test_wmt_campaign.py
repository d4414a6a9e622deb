"""A campaign as WMT26 ran them, small: Pearmut's file, judges in a browser and over HTTP, ranking.

``experiments/wmt26_campaign.py`` is the whole of it, by command.
"""

import json
import threading

import pytest
from wmt26_file import wmt26_file
from wmt26_judges import BrowserJudge, FirstStepsClient, Mind

from rankwise.cli import main
from rankwise.server.campaign.exchange.export import write
from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import read_pearmut
from rankwise.server.campaign.standings.standings import compute

pytestmark = pytest.mark.requires_program("chromium")

JUDGES, QUOTA = 4, 2


@pytest.fixture
def wmt26(server, tmp_path):
    """The campaign, links of its judges, and what is true of the texts."""
    sizes = {"systems": 4, "documents": 6, "cold_start": 2}
    content, truth = wmt26_file(judges=JUDGES, quota=QUOTA, **sizes)
    path = tmp_path / "wmt26.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    read = read_pearmut(path)
    campaign = server.store.campaigns.add(read.plan, read.testset, given=read.given, actor="test")
    server.store.campaigns.set_state(campaign.slug, "open", actor="test")
    return campaign, [server.invite(campaign) for _ in range(JUDGES)], truth


def test_from_the_file_to_the_ranking(wmt26, server, chromium, tmp_path, capsys):
    campaign, links, truth = wmt26
    ends = {}

    def work(number):
        judge = FirstStepsClient(links[number], Mind(truth, number, number == 3).answer)
        judge.take_first_steps()
        ends[number] = judge.work()
        judge.close()

    others = [threading.Thread(target=work, args=(number,)) for number in range(1, JUDGES)]
    for thread in others:
        thread.start()
    seen = BrowserJudge(chromium, links[0], Mind(truth, 0))
    seen.take_first_steps()
    assert "Which animal is it? 19 more tries." in seen.practise()
    last = seen.judge(QUOTA + 1)
    for thread in others:
        thread.join()
    seen.context.close()
    assert seen.problems == []
    assert last.endswith("Your completion code: WELL-DONE")
    assert [ends[number]["reason"] for number in range(1, JUDGES)] == ["quota-done"] * 3
    stored = server.stored(campaign)
    done = [one for one in stored if one.role != "tutorial"]
    assert len(done) == JUDGES * QUOTA
    # everybody passed the tutorial, the one in the browser at the second try
    lessons = [one.details["lesson"] for one in stored if one.role == "tutorial"]
    assert sorted(lesson["tries"] for lesson in lessons) == [1] * (2 * JUDGES - 1) + [2]
    testset = server.store.campaigns.testset(campaign.id)
    rows = compute(campaign.plan, testset, stored, seed=1).boards["mixed"]["rows"]
    board = [(row["system"], row["score"]) for row in rows]
    path = tmp_path / "long.csv"
    write(campaign.plan, testset, stored, path, format="long")
    with pytest.raises(SystemExit) as ended:
        main(["rank", str(path), "--format", "json"])
    assert not ended.value.code
    ranked = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["system"], row["score"]) for row in ranked] == board
