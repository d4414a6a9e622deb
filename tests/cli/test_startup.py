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


def scored(folder, *options):
    """What ``rankwise score`` prints about small files, and whether it loads arrays."""
    for name, lines in {"ref": ["a b c d e", "f g"], "sys": ["a b c d e", "f h"]}.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    code = (
        "import sys\n"
        "from rankwise.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print('numpy' in sys.modules)"
    )
    command = [sys.executable, "-c", code, "score", "-r", "ref", "sys", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_corpus_scores_alone_are_printed_without_arrays(tmp_path):
    metrics = [option for name in ("bleu", "chrf", "ter", "wer", "cer") for option in ("-m", name)]
    head, row, has_arrays = scored(tmp_path, "--resamples", "0", *metrics)
    assert has_arrays == "False"
    # The same numbers as those for programs, which arrays give.
    names, values, has_arrays = scored(tmp_path, "--resamples", "0", "--format", "tsv", *metrics)
    assert has_arrays == "True"
    assert head.split() == names.split("\t")
    printed = [f"{float(value):.2f}*" for value in values.split("\t")[1:]]
    assert row.split() == ["sys", *printed]


def test_whatever_is_drawn_takes_arrays(tmp_path):
    assert scored(tmp_path, "-m", "bleu")[-1] == "True"
    assert scored(tmp_path, "-m", "f1", "--resamples", "0")[-1] == "True"


def test_help_takes_less_cpu_than_an_import_of_numpy():
    """Half of it: a share is the same on a slow machine. The least of each of five runs."""
    programs = ("from rankwise.cli import main; main(['--help'])", "import numpy")
    rounds = [[cpu_seconds(code) for code in programs] for _ in range(5)]
    ours, numpy = map(min, zip(*rounds, strict=True))
    assert ours < numpy
