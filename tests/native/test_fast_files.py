"""Are files and commands still read and started fast? Ratios of CPU time within one run."""

from functools import partial

from cpu_ratio import ratio
from rankwise import _core


def test_lines_become_strings_one_by_one():
    # Decoded as one text, a dash makes every letter of a megabyte two bytes wide, then one again.
    block = "".join(f"{n} letters in a line, as there are many \u2014\n" for n in range(20_000))
    raw = block.replace("\u2014", "-", 19_990).encode()

    def decoded():
        return raw.decode().replace("\r\n", "\n").removesuffix("\n").split("\n")

    assert _core.utf8_lines(raw) == decoded()
    assert ratio(partial(_core.utf8_lines, raw), decoded) < 0.5  # about 0.22
