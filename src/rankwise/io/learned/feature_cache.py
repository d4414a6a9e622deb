"""Features on disk: a Parquet file per feature set and content, so that nothing is counted twice.

A file is named by a hash of what decides its numbers: the signature of the feature set, which has
its options and the version of the package, and all texts and groups; what a METEOR folder or
WordNet holds is taken to stay. So it is never out of date, and any number of programs may share a
folder. It also holds a hash of its numbers: Parquet would give those of a damaged file in silence.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_bytes
from rankwise.io.parts.arrow import pyarrow

_WHOLE = "features as Parquet (delete the file to have them computed again)"
_MISSING = "the cache of features needs pyarrow: pip install 'rankwise[learn]'"

_FORMAT = b"rankwise-features 2"
_SIGNATURE = b"rankwise.signature"
_VALUES = b"rankwise.sha256"


def content_key(
    signature: str,
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    groups: Sequence[Hashable] | None = None,
) -> str:
    """64 digits that differ when anything differs that can change a feature.

    >>> content_key("beer", ["a"], ["b"])[:8] == content_key("beer", ["a"], [["b"]])[:8]
    True
    >>> content_key("beer", ["ab"], [""])[:8] == content_key("beer", ["a"], ["b"])[:8]
    False
    """
    digest = hashlib.sha256(_FORMAT)
    for part in _parts(signature, hypotheses, references, groups):
        digest.update(part)
    return digest.hexdigest()


def _parts(
    signature: str,
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    groups: Sequence[Hashable] | None,
) -> Iterator[bytes]:
    """Every text behind its length, every list behind its size: no two inputs run together."""
    yield from _texts([signature])
    yield from _texts(hypotheses)
    for entry in references:
        yield from _texts([entry] if isinstance(entry, str) else entry)
    numbers: dict[Hashable, int] = {}
    for group in groups or ():
        yield b"g%d" % numbers.setdefault(group, len(numbers))


def _texts(texts: Sequence[str]) -> Iterator[bytes]:
    yield b"[%d" % len(texts)
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        yield b"%d:" % len(encoded)
        yield encoded


@dataclass(frozen=True, slots=True)
class FeatureCache:
    """Features in the files of a folder: what :func:`rankwise.learn` takes as its *cache*."""

    folder: StrPath

    def __call__(
        self,
        signature: str,
        names: Sequence[str],
        hypotheses: Sequence[str],
        references: Sequence[str | Sequence[str]],
        groups: Sequence[Hashable] | None,
        compute: Callable[[], NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """The features that the folder has, or else those of *compute*, which are kept there."""
        key = content_key(signature, hypotheses, references, groups)
        path = Path(self.folder) / f"{key}.parquet"
        if path.is_file():
            return read_features(path, names)
        values = compute()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_features(path, names, values, signature)
        return values


def write_features(
    path: StrPath, names: Sequence[str], values: NDArray[np.float64], signature: str
) -> None:
    """Write a column per feature; the file appears when it is complete."""
    arrow, parquet = pyarrow(_MISSING)
    columns = [np.ascontiguousarray(column) for column in values.T]
    table = arrow.table(dict(zip(names, columns, strict=True)))
    facts = {_SIGNATURE: signature.encode(), _VALUES: _values_digest(columns)}
    table = table.replace_schema_metadata(facts)
    with write_bytes(path) as stream:
        parquet.write_table(table, stream, compression="zstd")


def read_features(path: StrPath, names: Sequence[str]) -> NDArray[np.float64]:
    """The columns *names* of a file, shape (n, k); a damaged file is an error."""
    arrow, parquet = pyarrow(_MISSING)
    try:
        table = parquet.read_table(path)
        found = table.column_names
    except (OSError, arrow.ArrowException, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read: {error}; expected {_WHOLE}") from error
    if found != list(names):
        raise DataError(f"{path}: has the columns {', '.join(found)}; expected {', '.join(names)}")
    columns = [table.column(name).to_numpy() for name in names]
    are_numbers = all(column.dtype == np.float64 for column in columns)
    if not are_numbers or (table.schema.metadata or {}).get(_VALUES) != _values_digest(columns):
        raise DataError(f"{path}: its numbers are not those that were written; expected {_WHOLE}")
    return np.stack(columns, axis=1) if columns else np.empty((table.num_rows, 0))


def _values_digest(columns: Sequence[NDArray[np.float64]]) -> bytes:
    digest = hashlib.sha256()
    for column in columns:
        digest.update(np.ascontiguousarray(column).data)
    return digest.hexdigest().encode()
