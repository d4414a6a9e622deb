"""The check list: every kind of finding on a test set made for it, and the estimate by hand."""

import time
from dataclasses import replace
from random import Random

import pytest

from rankwise.server.campaign.launch.check_list import check
from rankwise.server.campaign.launch.estimate import estimate
from rankwise.server.campaign.launch.system_names import SystemNames
from rankwise.types import Segment, TestSet
from server.campaign.made import make_plan, make_testset


def with_output(text: str | None, *, source: str = "quelle mit worten hier") -> TestSet:
    """Two systems, two segments; the first output of the first system is *text*."""
    segments = (Segment("1", source, ("a reference",)), Segment("2", "noch eine quelle"))
    return TestSet(segments, {"uedin-nmt": (text, "fine"), "other": ("good", "better")})


def codes(testset: TestSet, **keys: object) -> dict[str, str]:
    found = check(make_plan(k=2, judges=["Ann"], **keys), testset)
    return {finding.code: finding.level for finding in found.findings}


def test_a_clean_test_set_has_nothing_to_say():
    assert codes(with_output("all is well")) == {}


@pytest.mark.parametrize(
    ("text", "code", "level"),
    [
        ("as uedin-nmt says", "names-system", "warning"),
        ("as UEDIN says", "names-system", "warning"),
        ("As an AI language model, I cannot", "names-itself", "warning"),
        ("Here is the translation: yes", "names-itself", "warning"),
        ("Made with DeepL.", "names-itself", "warning"),
        ("", "empty", "warning"),
        ("  ", "empty", "warning"),
        (None, "missing", "warning"),
        ("quelle mit  worten hier", "copied", "info"),
        ("word " * 101, "long", "warning"),
        ("x" * 1001, "long", "warning"),
        ("a\x00b", "controls", "warning"),
        ("a\x85b", "controls", "warning"),
        ("abc\u202edef", "bidi", "warning"),
        ("Ã¤hnlich", "encoding", "warning"),
        ("itâ€™s", "encoding", "warning"),
        ("a \ufffd b", "encoding", "warning"),
        ("<b>bold</b>", "markup", "info"),
        ("good", "identical", "info"),
    ],
)
def test_a_finding_of_every_kind(text, code, level):
    found = codes(with_output(text))
    assert found.pop(code) == level
    found.pop("one-text", None)
    assert found == {}


def test_a_name_that_the_source_has_is_no_leak():
    assert codes(with_output("the uedin team", source="das team uedin dort")) == {}


@pytest.mark.parametrize(
    "text", ["plain text", "naïve café", "Größe", "Ärger über Öl", "100 %", "deeply"]
)
def test_ordinary_text_is_not_suspected(text):
    assert codes(with_output(text)) == {}


def test_a_segment_with_one_text_cannot_be_ranked():
    segments = (Segment("1", "eins zwei drei"),)
    testset = TestSet(segments, {"aa": ("same",), "bb": ("same",)})
    assert codes(testset)["one-text"] == "warning"
    values = check(make_plan(protocol="direct-assessment", k=1), testset).findings
    [said] = [finding for finding in values if finding.code == "one-text"]
    assert said.level == "info"
    assert said.message.endswith("a single text from all systems, which tells none from another.")


def test_controls_that_cannot_be_made_are_missed_before_launch():
    segments = tuple(Segment(str(n), f"quelle {n}", (f"reference {n}",)) for n in range(4))
    outputs = {"human": [s.references[0] for s in segments], "machine": ["a", "b", "c", "d"]}
    testset = TestSet(segments, {name: tuple(texts) for name, texts in outputs.items()})
    keys = {"control_kind": "reference", "control_share": 0.1}
    assert codes(testset, **keys) == {"no-controls": "warning"}
    assert codes(testset, **keys | {"control_share": 0.0}) == {}
    without = replace(testset, outputs={"other": ("w", "x", "y", "z"), "machine": tuple("abcd")})
    assert codes(without, **keys) == {}


def test_the_check_list_knows_every_kind_of_control():
    item = {"source": "Hund", "outputs": ["dog", "cat"], "rules": [{"text": 1, "above": 2}]}
    own = {"control_kind": "own", "control_share": 0.1, "checks": [item]}
    assert "no-controls" not in codes(make_testset(), **own)
    segments = tuple(Segment(str(n), f"quelle {n}", ()) for n in range(4))
    single = TestSet(segments, {"one": ("a", "b", "c", "d"), "two": ("e", "f", "g", "h")})
    assert codes(single, control_kind="rotated", control_share=0.1)["no-controls"] == "warning"


def test_the_names_that_were_found_are_said():
    plan = make_plan(k=2, judges=["Ann"])
    [found] = check(plan, with_output("uedin and UEdin, says UEDIN-nmt")).findings
    assert found.code == "names-system"
    assert found.message.endswith(" Found: 'uedin' in 1, 'uedin-nmt' in 1.")


def test_what_cannot_be_launched():
    empty = TestSet((), {})
    assert {"no-segments", "few-systems", "no-source"} <= codes(empty).keys()
    assert not check(make_plan(), empty).can_launch
    bare = make_testset(3, references=False)
    assert codes(bare, control_kind="reference")["no-reference"] == "error"
    assert codes(bare, show_reference=True)["no-reference"] == "error"
    silent = replace(bare, outputs=dict(bare.outputs) | {"mute": (None,) * 6})
    assert codes(silent)["no-output"] == "error"
    odd = replace(bare, outputs=dict(bare.outputs) | {"a#bad": ("x",) * 6})
    assert codes(odd)["odd-name"] == "error"


def test_fewer_systems_than_texts_on_a_screen():
    found = check(make_plan(k=5, judges=["Ann"]), make_testset(3))
    assert [finding.code for finding in found.findings] == ["small-screens"]
    assert found.can_launch


def test_counts_and_places():
    found = check(make_plan(k=2), with_output("good"))
    assert found.counts["outputs"] == 4
    assert found.counts["distinct"] == 3
    (identical,) = [f for f in found.findings if f.code == "identical"]
    assert (identical.count, identical.where) == (1, (("1", "other"),))
    words = dict(found.numbers)
    assert words["Outputs"] == "4, 3 of them distinct"


def test_the_estimate_by_hand():
    """8 systems, k 5: N = 8 (1.96 / 0.4055)^2 * 4 = 747.7, over 5 a screen: 150; / 0.8: 188."""
    found = estimate(make_plan(pay_per_hour=20, judges=["Ann", "Bob"]), 8)
    assert found.judgments == 188
    assert found.hours == pytest.approx(188 / 60, abs=0.01)
    assert found.cost == pytest.approx(62.67)
    assert found.per_judge == 94


def test_a_limit_caps_the_estimate():
    """50 screens of work, and a tenth of all screens repeats, a tenth controls: 50 / 0.8 = 62.5."""
    found = estimate(make_plan(stop={"max_judgments": 50}), 8)
    assert (found.judgments, found.goal) == (63, "50 judgments, the limit of the stop rule")
    assert estimate(make_plan(stop={"max_judgments": 149}), 8).judgments == 187
    assert estimate(make_plan(stop={"max_judgments": 151}), 8).judgments == 188


def test_judges_who_are_there_need_no_invitation():
    plan, testset = make_plan(k=2), make_testset()
    assert "no-judges" in {finding.code for finding in check(plan, testset).findings}
    found = check(plan, testset, judges=4)
    assert "no-judges" not in {finding.code for finding in found.findings}
    assert found.estimate.per_judge == -(-found.estimate.judgments // 4)


def test_controls_of_a_reference_that_is_shown_anyway_are_refused():
    keys = {"show_reference": True, "control_kind": "reference"}
    assert codes(make_testset(), **keys)["reference-twice"] == "error"
    assert "reference-twice" not in codes(make_testset(), **keys, control_share=0.0)
    assert "reference-twice" not in codes(make_testset(), control_kind="reference")


def test_values_need_so_many_of_each_system():
    """2 (1.96 / 0.2)^2 = 192.07 values of each of 3 systems, one a screen: 577; / 0.8: 722."""
    assert estimate(make_plan(protocol="direct-assessment"), 3).judgments == 722


def test_thousands_of_systems_take_no_longer_for_each_text():
    """Names were looked for one after the other at every place of every text."""
    words = [f"{''.join(Random(n).choices('abcdefghij', k=6))}{n}" for n in range(3000)]
    names = SystemNames([f"system-{word}.v{n}" for n, word in enumerate(words)])
    text = " ".join(f"another{n}" for n in range(2000)) + f" by {words[7].upper()}!"
    begun = time.thread_time()
    assert [set(names.found(text)) for _ in range(10)] == [{words[7]}] * 10
    assert time.thread_time() - begun < 5  # 0.1 s; it was a minute


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by uedin-nmt.2017", ["uedin-nmt.2017"]),
        ("uedin-nmt.2018 and UEDIN", ["uedin", "uedin"]),
        ("uedinburgh, xuedin, uedin_x", []),
        ("(nmt) 2017", []),
        ("C++ and +++", ["+++"]),
        ("ab abc", ["abc"]),
        ("", []),
    ],
)
def test_names_are_found_as_words(text, found):
    assert list(SystemNames(["uedin-nmt.2017", "+++", "ab", "abc"]).found(text)) == found
