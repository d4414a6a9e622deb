"""The exceptions Rankwise raises: one tree, every message a sentence a user can act on."""


class RankwiseError(Exception):
    """The root: the command line turns any of these into one line on stderr and exit 1."""


class DataError(RankwiseError, ValueError):
    """An input is wrong; the message says where, what was found, what was expected."""


class PartError(DataError):
    """A file holds several parts and it was not said which to read, or one that it has not.

    ``option`` of the reader says it, ``example`` is a value that the file has.
    """

    def __init__(self, message: str, path: str = "", option: str = "", example: str = "") -> None:
        super().__init__(message)
        self.path, self.option, self.example = path, option, example


class LineError(DataError):
    """A text of a segment cannot be scored; whoever knows its file and line puts them first.

    ``segment`` counts from 0, ``reference`` too and is None for a translation; ``said`` is the
    sentence without its subject.
    """

    def __init__(self, said: str, segment: int, reference: int | None = None) -> None:
        what = "hypothesis" if reference is None else "a reference of segment"
        super().__init__(f"{what} {segment + 1} {said}")
        self.said, self.segment, self.reference = said, segment, reference

    def __reduce__(self) -> tuple[type["LineError"], tuple[str, int, int | None]]:
        """What is pickled: the arguments, not the sentence."""
        return type(self), (self.said, self.segment, self.reference)


class ConvergenceError(RankwiseError, RuntimeError):
    """An estimate does not exist or was not reached; the message names the cause."""


class StoreError(RankwiseError):
    """A file or database could not be read or written."""


class MissingExtra(RankwiseError, ImportError):  # noqa: N818 - it reads as what it says
    """An optional dependency is absent; the message says which extra installs it."""
