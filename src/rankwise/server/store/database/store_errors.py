"""What the store refuses, by kind, so that a page can answer each in its own way."""

from rankwise.errors import DataError, StoreError


class NotFound(DataError):  # noqa: N818 - it reads as what it says
    """There is no such task, judgment, judge or campaign, or it is somebody else's."""


class StaleDraft(DataError):  # noqa: N818 - it reads as what it says
    """A newer draft of this task is stored already, perhaps from another device."""

    def __init__(self, message: str, *, version: int) -> None:
        super().__init__(message)
        self.version = version


class AlreadyDone(DataError):  # noqa: N818 - it reads as what it says
    """The task was submitted already, perhaps from another window."""


class AlreadyImported(DataError):  # noqa: N818 - it reads as what it says
    """The very same judgments were imported into this campaign before."""


class NotAllowed(DataError):  # noqa: N818 - it reads as what it says
    """The campaign or the judge is in a state where this cannot be done."""


class DatabaseGone(StoreError):  # noqa: N818 - it reads as what it says
    """The database cannot be reached, or its file is not there any more."""


class DatabaseNotEmpty(StoreError):  # noqa: N818 - it reads as what it says
    """There is something in the database that would be replaced."""


class DatabaseFull(StoreError):  # noqa: N818 - it reads as what it says
    """There is no room to write."""


class DatabaseReadOnly(StoreError):  # noqa: N818 - it reads as what it says
    """The database may be read but not written."""


class DatabaseBusy(StoreError):  # noqa: N818 - it reads as what it says
    """Somebody else holds the database."""
