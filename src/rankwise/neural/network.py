"""A network on ONNX Runtime: batches of sequences in, arrays out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import RankwiseError
from rankwise.neural.runtime_session import first_line, open_session

Floats = NDArray[np.float32]


class Network:
    """The network in *file*, on a GPU where there is one, unless *device* says otherwise."""

    def __init__(self, file: str, device: str = "auto", threads: int = 0) -> None:
        self._session = open_session(file, device, threads)
        self._inputs = {value.name for value in self._session.get_inputs()}

    def run(self, **values: NDArray[Any]) -> list[Floats]:
        """The outputs for *values*; ``MemoryError`` where memory does not suffice."""
        return self._run(None, values)

    def _run(
        self, wanted: Sequence[str] | None, values: Mapping[str, NDArray[Any]]
    ) -> list[Floats]:
        given = {name: value for name, value in values.items() if name in self._inputs}
        try:
            return list(self._session.run(wanted, given))
        except Exception as error:  # the library has no tree of its own
            if _is_memory(error):
                raise MemoryError(first_line(error)) from None
            raise

    def batches(
        self,
        sequences: Sequence[tuple[Sequence[int], Sequence[int]]],
        pad: int,
        batch_size: int,
        wanted: Sequence[str] | None = None,
    ) -> Iterator[tuple[NDArray[np.intp], list[Floats]]]:
        """The outputs for sequences of (token numbers, token types), by batches of like length.

        Yields the places of a batch in *sequences* and its outputs. Where memory does not suffice
        the batch is halved, down to one sequence.
        """
        order = np.argsort([len(ids) for ids, _ in sequences], kind="stable")[::-1]
        start = 0
        while start < len(order):
            places = order[start : start + batch_size]
            try:
                batch = padded([sequences[i] for i in places], pad)
                outputs = self._run(wanted, batch) if wanted else self.run(**batch)
            except MemoryError:
                if batch_size == 1:
                    raise RankwiseError(
                        f"a text of {len(sequences[places[0]][0])} tokens needs more memory than "
                        "there is"
                    ) from None
                batch_size = max(1, batch_size // 2)
                continue
            yield places, outputs
            start += len(places)


def padded(
    sequences: Sequence[tuple[Sequence[int], Sequence[int]]], pad: int
) -> dict[str, NDArray[np.int64]]:
    """The inputs of a network for a batch: shorter sequences are filled up with *pad*."""
    lengths = np.array([len(ids) for ids, _ in sequences])
    ids = np.full((len(sequences), int(lengths.max())), pad, dtype=np.int64)
    types = np.ones_like(ids)
    for row, (tokens, kinds) in enumerate(sequences):
        ids[row, : len(tokens)] = tokens
        types[row, : len(tokens)] = kinds
    mask = (np.arange(ids.shape[1])[None, :] < lengths[:, None]).astype(np.int64)
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


def _is_memory(error: Exception) -> bool:
    text = str(error).lower()
    return isinstance(error, MemoryError) or any(
        sign in text for sign in ("failed to allocate", "out of memory", "bad_alloc", "bfcarena")
    )
