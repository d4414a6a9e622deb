"""A metric that is a command: texts as lines of JSON in, a number a line out.

Like ``rankwise.metrics.stored_models`` this touches files and programs outside ``io``, for the same
reason: a metric is built from its name alone.
"""

import hashlib
import json
import math
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.metric_class import Needs, check_flag, check_number
from rankwise.metrics.outside.batch_metric import BatchMetric
from rankwise.metrics.outside.program_answers import ProgramAnswer, answer_of
from rankwise.metrics.outside.text_batch import TextBatch, quoted

#: What a command may require of the texts.
REQUIRED = ("source", "references", "document")
#: Bytes that an answer may have, for every line and beside them.
_LINE, _ANSWER = 1 << 16, 1 << 20


@dataclass(frozen=True)
class Command(BatchMetric):
    r"""What a program says of every output; the corpus score is the mean.

    ``command:./score.sh`` starts the program once for a batch. It reads a JSON object a line, with
    ``output``, and ``source`` and ``references`` (a list) where there are any, and answers with a
    number a line, or an object with ``score``, in the same order. Words are parted as a shell would
    part them, but no shell reads them.

    ``requires`` names what the texts must have: ``source``, ``references``, ``document``, with
    commas; with the last, whole documents are given, with the name of each as ``document``.
    ``lower_is_better`` says that it counts errors. It must answer within ``timeout`` seconds to
    ``batch`` lines. Scores are kept under the command, the contents of the files that it names, and
    the texts; ``keep=false`` is for a program whose answers depend on more.
    """

    name: ClassVar[str] = "command"
    positional: ClassVar[str | None] = "run"

    run: str | None = None
    requires: str = ""
    lower_is_better: bool = False
    timeout: float = 600.0
    batch: int = 1000
    keep: bool = True

    def __post_init__(self) -> None:
        """Check the options, and that the words of the command can be parted."""
        if self.run is None or not self._words:
            raise DataError("command: no program is named; expected command:./score.sh")
        unknown = next((one for one in self._required if one not in REQUIRED), None)
        if unknown is not None:
            raise DataError(
                f"command: requires {unknown!r}; expected some of {', '.join(REQUIRED)}"
            )
        check_flag(self.name, "lower_is_better", self.lower_is_better)
        check_flag(self.name, "keep", self.keep)
        check_number(self.name, "timeout", self.timeout, least=0)
        check_number(self.name, "batch", self.batch, least=1, whole=True)
        object.__setattr__(self, "higher_is_better", not self.lower_is_better)
        object.__setattr__(self, "batch_size", self.batch)

    @property
    def _words(self) -> list[str]:
        try:
            return shlex.split(self.run or "")
        except ValueError as error:
            raise DataError(f"command: {self.run!r} cannot be parted: {error}") from error

    @property
    def _required(self) -> tuple[str, ...]:
        return tuple(filter(None, self.requires.split(",")))

    @property
    def programs_started(self) -> tuple[str, ...]:
        """The command."""
        return (str(self.run),)

    @property
    def needs(self) -> Needs:
        """What ``requires`` names."""
        source, references, document = (name in self._required for name in REQUIRED)
        return Needs(source, references, document)

    @property
    def reads(self) -> Needs:
        """Sources and references where there are any; documents where they are required."""
        return Needs(source=True, references=True, document=self.needs.document)

    @property
    def identity(self) -> str:
        """The command alone: neither its patience nor the size of batches changes a score."""
        return f"{self.name}:{self.run}"

    @property
    def model_hash(self) -> str | None:
        """The hash of the files that the command names, the program among them."""
        if not self.keep:
            return None
        digest = hashlib.sha256()
        for content in self._contents():
            digest.update(hashlib.sha256(content).digest())
        return digest.hexdigest()[:16]

    def _contents(self) -> Iterator[bytes]:
        program, *others = self._words
        for word in (shutil.which(program) or program, *others):
            path = Path(word)
            try:
                if path.is_file():
                    yield path.read_bytes()
            except (OSError, ValueError):  # nothing that can be read is no file of the command
                continue

    def batch_scores(self, batch: TextBatch) -> NDArray[np.float64]:
        """The numbers that the program answers; anything else is an error that names the line."""
        given = b"".join(_line(batch, place) for place in range(len(batch)))
        try:
            answer = answer_of(
                self._words,
                given,
                seconds=self.timeout,
                most=_ANSWER + _LINE * len(batch),
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise DataError(f"{self.identity} cannot be run: {reason}") from error
        self._must_have_ended(answer, len(batch))
        return np.array(self._numbers(answer.output, batch.outputs))

    def _must_have_ended(self, answer: ProgramAnswer, count: int) -> None:
        said = f": {answer.complaint.splitlines()[-1][:200]}" if answer.complaint else ""
        lines = answer.output.count(b"\n")
        if answer.said_too_much:
            raise DataError(
                f"{self.identity} said far more than {count} numbers; expected one a line"
            )
        if answer.code is None:
            raise DataError(
                f"{self.identity} did not answer within {self.timeout:g} seconds: line {lines + 1} "
                f"of {count} is missing; give it longer with timeout=, or less with batch={said}"
            )
        if answer.code:
            how = f"exit code {answer.code}" if answer.code > 0 else f"signal {-answer.code}"
            raise DataError(f"{self.identity} ended with {how}{said}")

    def _numbers(self, output: bytes, outputs: Sequence[str]) -> list[float]:
        lines = output.decode("utf-8", "replace").rstrip().splitlines()
        if len(lines) < len(outputs):
            place = len(lines)
            raise DataError(
                f"{self.identity} answered {_lines(len(lines))} to {len(outputs)}; line "
                f"{place + 1} is missing, for the output {quoted(outputs[place])}"
            )
        if len(lines) > len(outputs):
            extra = lines[len(outputs)]
            raise DataError(
                f"{self.identity} answered {_lines(len(lines))} to {len(outputs)}; line "
                f"{len(outputs) + 1}, {quoted(extra)}, is one too many"
            )
        return [self._number(line, place, outputs) for place, line in enumerate(lines)]

    def _number(self, line: str, place: int, outputs: Sequence[str]) -> float:
        number = _score(line)
        if number is None or not math.isfinite(number):
            raise DataError(
                f"{self.identity} answered {quoted(line.strip())} in line {place + 1}, for the "
                f"output {quoted(outputs[place])}; expected a number, or an object with a score"
            )
        return number


def _line(batch: TextBatch, place: int) -> bytes:
    """What the program is told of one output, as a line of JSON."""
    columns: dict[str, Sequence[object]] = {
        "source": batch.sources,
        "references": batch.references,
        "document": batch.documents,
    }
    told: dict[str, object] = {"output": batch.outputs[place]}
    told |= {name: column[place] for name, column in columns.items() if column}
    return json.dumps(told).encode("ascii") + b"\n"  # the program may read in any encoding


def _lines(count: int) -> str:
    return f"{count} line" if count == 1 else f"{count} lines"


def _score(line: str) -> float | None:
    """The number of a line, or of its ``score``; None where there is none."""
    try:
        return float(line)
    except ValueError:
        pass
    try:
        found = json.loads(line, parse_int=float)  # which may be without bounds
    except (ValueError, RecursionError):
        return None
    score = found.get("score") if isinstance(found, dict) else None
    if isinstance(score, bool) or not isinstance(score, int | float):
        return None
    return float(score)
