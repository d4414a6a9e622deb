"""Lines just below the limits cost seconds and bounded memory, whatever they are made of.

Each runs in a process of its own, which the system stops at 60 seconds of CPU and 3 GiB.
"""

import json
import subprocess
import sys

import pytest

SCRIPT = """
import json, random, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from rankwise.metrics import metric
name, unit, length = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
if isinstance(unit, list):
    chance = random.Random(1)
    lines = ["".join(chance.choices([chr(c) for c in range(*unit)], k=length)) for _ in range(2)]
else:
    lines = [(unit * length)[:length], (unit * length)[:length - len(unit)]]
print(json.dumps(float(metric(name).segments(*([line] for line in lines))[0])))
"""
EQUAL, MARKS, CHINESE = "word ", "\u0301", [0x4E00, 0x5A00]


@pytest.mark.parametrize(
    ("name", "unit", "length"),
    [
        ("meteor", EQUAL, 300_000),
        ("meteor", MARKS, 300_000),
        ("meteor", CHINESE, 300_000),
        ("meteor", "a-", 300_000),
        ("beer", "a b ", 300_000),
        ("beer", "1.", 300_000),
        ("beer", CHINESE, 300_000),
        ("softmatch", EQUAL, 20_000),
        ("softmatch", CHINESE, 20_000),
        ("softmatch", "ab", 20_000),
        ("cer", [33, 40], 360_000),
        ("cer", "!?", 1_000_000),
        ("bleu:tokenize=char", "abcdefghij", 10_000_000),
        ("chrf", "abcdefghij", 5_000_000),
        ("ter", EQUAL, 5_000_000),
        ("ter", "a b ", 10_000_000),
        ("ter:normalized=true", [33, 48], 10_000_000),
    ],
)
def test_a_long_line_is_scored(name, unit, length):
    arguments = [name, json.dumps(unit), str(length)]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, timeout=500
    )
    assert done.stderr == "" and done.returncode == 0
    assert json.loads(done.stdout) >= 0
