"""Are files still read fast, and many rows still counted? Ratios of CPU time within one run."""

from functools import partial
from xml.etree import ElementTree

import numpy as np

from cpu_ratio import ratio
from rankwise import _core
from rankwise.io import read_testset, write_testset
from rankwise.types import Segment, TestSet
from rankwise.types.seeds import generator_state


def test_lines_become_strings_one_by_one():
    # Decoded as one text, a dash makes every letter of a megabyte two bytes wide, then one again.
    block = "".join(f"{n} letters in a line, as there are many \u2014\n" for n in range(20_000))
    raw = block.replace("\u2014", "-", 19_990).encode()

    def decoded():
        return raw.decode().replace("\r\n", "\n").removesuffix("\n").split("\n")

    assert _core.utf8_lines(raw) == decoded()
    assert ratio(partial(_core.utf8_lines, raw), decoded, repeats=25) < 0.7  # about 0.22


def test_elements_of_xml_are_followed_without_a_record_of_each(tmp_path):
    systems = tuple(f"system{n}" for n in range(4))
    lines = tuple(f"{n} letters in a line, as there are many" for n in range(4000))
    segments = tuple(Segment(str(n), line, (line,)) for n, line in enumerate(lines))
    path = tmp_path / "set.xml"
    write_testset(TestSet(segments, dict.fromkeys(systems, lines)), path, format="wmt-xml")

    def loop():
        return [e.text for _, e in ElementTree.iterparse(path) if e.tag == "seg"]

    def ours():
        return read_testset(path, format="wmt-xml")

    assert list(ours().outputs["system0"]) == loop()[-4000:]
    assert ratio(ours, loop) < 2.2  # about 1.7; with a record for each event 2.7


def test_many_rows_cost_hardly_more_each_than_rows_that_fit_into_a_cache(monkeypatch):
    monkeypatch.setenv("RANKWISE_THREADS", "1")

    def draws(rows, samples):
        table = np.random.default_rng(rows).integers(0, 400, (rows, 10))
        return partial(_core.Resampler(table, generator_state(1)).bootstrap, samples)

    # The same number of draws. Picked one by one, rows that do not fit would cost 3 times as much.
    assert ratio(draws(160_000, 50), draws(8000, 1000), repeats=3) < 2.2  # about 1.7
