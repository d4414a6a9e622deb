"""The exceptions Rankwise raises: one tree, every message a sentence a user can act on."""


class RankwiseError(Exception):
    """The root: the command line turns any of these into one line on stderr and exit 1."""


class DataError(RankwiseError, ValueError):
    """An input is wrong; the message says where, what was found, what was expected."""


class ConvergenceError(RankwiseError, RuntimeError):
    """An estimate does not exist or was not reached; the message names the cause."""


class StoreError(RankwiseError):
    """A file or database could not be read or written."""


class MissingExtra(RankwiseError, ImportError):  # noqa: N818 - it reads as what it says
    """An optional dependency is absent; the message says which extra installs it."""
