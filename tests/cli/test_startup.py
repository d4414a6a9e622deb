"""``rankwise --help`` answers at once, because it imports click and nothing else."""

import resource
import subprocess
import sys


def cpu_seconds(code: str) -> float:
    """The CPU time of a Python that runs this."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
        "import rankwise.io.parts.parallel_lines\n"
        "print(sorted({'json', 'rankwise.io.format_table', 'rankwise.types'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_rare_packings_are_loaded_when_a_file_has_them():
    code = (
        "import sys\n"
        "import rankwise.io.study, rankwise.io.study_texts\n"
        "print(sorted({'bz2', 'lzma', 'tarfile', 'tempfile'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_takes_less_cpu_than_an_import_of_numpy():
    """Half of it: a share is the same on a slow machine. The least of each of five runs."""
    programs = ("from rankwise.cli import main; main(['--help'])", "import numpy")
    rounds = [[cpu_seconds(code) for code in programs] for _ in range(5)]
    ours, numpy = map(min, zip(*rounds, strict=True))
    assert ours < numpy
