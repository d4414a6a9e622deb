"""What a command costs before it does anything, and a whole small job, end to end.

CPU and wall seconds of a process, the smallest of several runs; ``python -c pass`` is the floor.
The job is corpus BLEU of 2,000 lines from files, ours and sacreBLEU's command line.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from texts import texts

BIN = Path(sys.executable).parent
LINES = 2000


def seconds(command: list[str], repeats: int = 7) -> tuple[float, float]:
    """The least CPU time and the least wall time of a command."""
    cpu, wall = [], []
    for _ in range(repeats):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall.append(time.perf_counter() - start)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(cpu), min(wall)


def main() -> None:
    """Print the table."""
    os.environ["RANKWISE_THREADS"] = "1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every start would compile our modules
    hypotheses, references, _ = texts(LINES)
    with tempfile.TemporaryDirectory() as folder:
        hyp, ref = Path(folder) / "hyp.txt", Path(folder) / "ref.txt"
        for path, lines in ((hyp, hypotheses), (ref, references)):
            text = "".join(" ".join(line.split()) + "\n" for line in lines)
            path.write_text(text, encoding="utf-8")
        rankwise, peer = str(BIN / "rankwise"), str(BIN / "sacrebleu")
        ours = [rankwise, "score", "-r", str(ref), str(hyp), "-m", "bleu", "--resamples", "0"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import rankwise": [sys.executable, "-c", "import rankwise"],
            "rankwise --help": [rankwise, "--help"],
            "sacrebleu --help": [peer, "--help"],
            f"rankwise score, BLEU of {LINES:,} lines": ours,
            f"rankwise sacrebleu, BLEU of {LINES:,} lines": [
                *(rankwise, "sacrebleu", str(ref), "-i", str(hyp), "-m", "bleu")
            ],
            f"sacrebleu, BLEU of {LINES:,} lines": [peer, str(ref), "-i", str(hyp), "-m", "bleu"],
        }
        print(f"{'command':<40}{'CPU s':>8}{'wall s':>8}")
        for name, command in commands.items():
            cpu, wall = seconds(command)
            print(f"{name:<40}{cpu:>8.3f}{wall:>8.3f}")


if __name__ == "__main__":
    main()
