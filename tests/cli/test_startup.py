"""``rankwise --help`` answers at once, because it imports click and nothing else."""

import resource
import subprocess
import sys


def cpu_seconds(*arguments: str) -> float:
    """The least CPU time of five runs of Python with these arguments."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def test_help_imports_no_stage():
    code = (
        "import sys\n"
        "from rankwise.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'scipy', 'rich', 'rankwise.io'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_text_files_are_read_without_the_formats():
    code = (
        "import sys\n"
        "import rankwise.io.parallel_lines\n"
        "print(sorted({'json', 'rankwise.io.formats', 'rankwise.types'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_takes_less_than_150_ms_of_cpu():
    ours = cpu_seconds("-c", "from rankwise.cli import main; main(['--help'])")
    assert ours - cpu_seconds("-c", "pass") < 0.15
