"""The same judgments are the same in every format that holds enough of them."""

from itertools import combinations

import pytest

from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.importing import read_finished
from rankwise.server.store.judging.judgment_digest import digest_of
from server.campaign.made import make_plan, make_testset, simulated, stored

HELD = {
    ("ranking", 4): (
        "records",
        "long",
        "jsonl",
        "wmt-pairwise",
        "wmt-csv",
        "pwcmp",
        "appraise-xml",
        "jcml",
    ),
    ("pairwise", 2): ("records", "long", "jsonl", "wmt-pairwise", "wmt-csv", "pwcmp", "jcml"),
    ("direct-assessment", 2): ("records", "long", "wmt-da-tsv"),
}


def digests(tmp_path, protocol, k, judgments):
    plan, testset = make_plan(protocol=protocol, k=k), make_testset(6, 9)
    found = {}
    for name in HELD[protocol, k]:
        path = tmp_path / export.file_name(plan, name)
        export.write(plan, testset, judgments, path, format=name)
        found[name] = digest_of(read_finished(path, plan, testset).finished)
    return found


@pytest.mark.parametrize(("protocol", "k"), HELD)
def test_every_pair_of_formats_gives_one_digest(tmp_path, protocol, k):
    judgments = simulated(make_testset(6, 9), 30, k=k, protocol=protocol)
    if protocol != "direct-assessment":
        judgments.append(stored(31, ["s00", "s01"][:k], {"reason": "technical"}, segment="2"))
    found = digests(tmp_path, protocol, k, judgments)
    for one, other in combinations(found, 2):
        assert found[one] == found[other], (one, other)


def test_another_answer_judge_segment_or_system_is_another_digest(tmp_path):
    base = [
        stored(1, ["s00", "s01"], {"ranks": [1, 2]}, segment="1", judge="ann"),
        stored(2, ["s01", "s02"], {"ranks": [1, 1]}, segment="2", judge="bob"),
    ]
    others = [
        stored(2, ["s01", "s02"], {"ranks": [1, 2]}, segment="2", judge="bob"),
        stored(2, ["s01", "s02"], {"ranks": [1, 1]}, segment="2", judge="ann"),
        stored(2, ["s01", "s02"], {"ranks": [1, 1]}, segment="3", judge="bob"),
        stored(2, ["s01", "s03"], {"ranks": [1, 1]}, segment="2", judge="bob"),
    ]
    sets = [base, *([base[0], other] for other in others)]
    plan, testset = make_plan(), make_testset(6, 9)
    found = set()
    for number, judgments in enumerate(sets):
        path = tmp_path / f"{number}.campaign.jsonl"
        export.write(plan, testset, judgments, path, format="records")
        found.add(digest_of(read_finished(path, plan, testset).finished))
    assert len(found) == len(sets)
