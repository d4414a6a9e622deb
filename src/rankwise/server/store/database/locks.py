"""Who may write: one thread at a time in the order they came, and one process per SQLite file."""

import fcntl
import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rankwise.errors import StoreError
from rankwise.server.store.database.store_errors import DatabaseBusy, DatabaseReadOnly

#: File systems on which locks and shared memory of SQLite cannot be relied on.
NETWORK_FILE_SYSTEMS = frozenset(
    (
        *("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "ncpfs", "9p", "ceph"),
        *("glusterfs", "lustre", "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone"),
    )
)


class FairLock:
    """A lock that is handed over in the order of asking, so that no request waits for ever."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._is_held = False
        self._waiting: deque[threading.Lock] = deque()

    def acquire(self) -> None:
        """Wait for the turn of this thread."""
        with self._guard:
            if not self._is_held:
                self._is_held = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        turn.acquire()

    def release(self) -> None:
        """Hand the lock to the thread that waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """The lock, while the block runs."""
        self.acquire()
        try:
            yield
        finally:
            self.release()


class ProcessLock:
    """A lock file beside a database; the kernel drops it when the process ends, however it ends."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + ".lock")
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise DatabaseReadOnly(
                f"cannot write {self.path}: {error.strerror}; "
                "the folder of the database must be writable"
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._file)
            raise DatabaseBusy(
                f"{database} is in use by another process (number {holder}); SQLite serves one "
                "process, stop that one or use PostgreSQL for several"
            ) from error
        os.ftruncate(self._file, 0)
        os.write(self._file, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Let others have the database. The file stays: removing it would let two processes in."""
        os.close(self._file)


def refuse_network_file_system(path: Path, mounts: str | None = None) -> None:
    """Raise when *path* lies on a file system where SQLite may lose data.

    *mounts* is what the kernel lists as mounted; where there is no such list, nothing is refused.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
    kind = _file_system(path, mounts)
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreError(
            f"{path} is on a network file system ({kind}), where SQLite may lose data; "
            "choose a folder on a local disk or use PostgreSQL"
        )


def _file_system(path: Path, mounts: str) -> str:
    folder = path.resolve().parent
    found, kind = -1, ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " "))
        if folder.is_relative_to(point) and len(point.parts) >= found:
            found, kind = len(point.parts), fields[2]
    return kind
