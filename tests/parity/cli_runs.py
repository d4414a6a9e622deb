"""Run a command line many times in one process, each in a fork: ``python cli_runs.py NAME CASES``.

CASES is a JSON list of [arguments, input, environment]; the exit code, stdout and stderr of each
are printed as JSON. NAME is ``sacrebleu`` or ``rankwise``.
"""

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path


def prepared(name):
    """What runs arguments, everything imported that costs time."""
    if name == "sacrebleu":
        from sacrebleu import sacrebleu, significance

        def theirs(arguments):
            sys.argv = ["sacrebleu", *arguments]
            sacrebleu.main()

        return theirs
    from rankwise.cli import main
    from rankwise.cli import sacrebleu as _  # noqa: F401
    from rankwise.compat.sacrebleu import significance  # noqa: F401
    from rankwise.compat.sacrebleu.command import running, test_sets  # noqa: F401

    return lambda arguments: main(["sacrebleu", *arguments])


def in_child(call, arguments, given, environment, outputs):
    """Replace the streams, run, and leave with its exit code."""
    os.environ.update(environment)
    with tempfile.TemporaryFile() as stdin:
        stdin.write(given.encode())
        stdin.flush()
        stdin.seek(0)
        for source, target in zip((stdin, *outputs), (0, 1, 2), strict=True):
            os.dup2(source.fileno(), target)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    code = 0
    try:
        call(arguments)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def result(call, arguments, given, environment):
    """Exit code, stdout and stderr of one run."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            in_child(call, arguments, given, environment, (out, err))
        _, status = os.waitpid(child, 0)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode())
    return [os.waitstatus_to_exitcode(status), *texts]


if __name__ == "__main__":
    program = prepared(sys.argv[1])
    cases = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    print(json.dumps([result(program, *case) for case in cases]))
