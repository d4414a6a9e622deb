"""Ends of a run that sacreBLEU announces: lines through its logger, and an exit code."""

from rankwise.compat.sacrebleu.log import sacrelogger


class CommandRefused(Exception):  # noqa: N818 - it carries an exit code rather than an error
    """What is logged as an error, line by line, and the code with which the program ends."""

    def __init__(self, *lines: str, code: int = 1) -> None:
        super().__init__(*lines)
        self.lines, self.code = lines, code

    def log(self) -> None:
        """Log every line."""
        for line in self.lines:
            sacrelogger.error(line)
