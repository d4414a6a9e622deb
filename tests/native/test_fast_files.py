"""Are files still read fast, and many rows still counted? Ratios of CPU time within one run."""

from functools import partial

import numpy as np

from cpu_ratio import ratio
from rankwise import _core
from rankwise.types.seeds import generator_state


def test_lines_become_strings_one_by_one():
    # Decoded as one text, a dash makes every letter of a megabyte two bytes wide, then one again.
    block = "".join(f"{n} letters in a line, as there are many \u2014\n" for n in range(20_000))
    raw = block.replace("\u2014", "-", 19_990).encode()

    def decoded():
        return raw.decode().replace("\r\n", "\n").removesuffix("\n").split("\n")

    assert _core.utf8_lines(raw) == decoded()
    assert ratio(partial(_core.utf8_lines, raw), decoded) < 0.5  # about 0.22


def test_many_rows_cost_hardly_more_each_than_rows_that_fit_into_a_cache(monkeypatch):
    monkeypatch.setenv("RANKWISE_THREADS", "1")

    def draws(rows, samples):
        table = np.random.default_rng(rows).integers(0, 400, (rows, 10))
        return partial(_core.Resampler(table, generator_state(1)).bootstrap, samples)

    # The same number of draws. Picked one by one, rows that do not fit would cost 3 times as much.
    assert ratio(draws(160_000, 50), draws(8000, 1000), repeats=3) < 2.2  # about 1.7
