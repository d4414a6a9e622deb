"""A network on ONNX Runtime: batches of sequences in, arrays out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError, MissingExtra, RankwiseError

Floats = NDArray[np.float32]


class Network:
    """The network in *file*, on a GPU where ONNX Runtime has one, unless *device* says otherwise.

    ``device`` is ``auto``, ``cpu`` or ``cuda``; ``threads`` of 0 leaves the number to ONNX Runtime.
    """

    def __init__(self, file: str, device: str = "auto", threads: int = 0) -> None:
        runtime = _runtime()
        options = runtime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        try:
            self._session = runtime.InferenceSession(
                file, sess_options=options, providers=_providers(runtime, device)
            )
        except RankwiseError:
            raise
        except Exception as error:  # the library has no tree of its own
            raise DataError(f"{file}: ONNX Runtime cannot open it: {_first_line(error)}") from None
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
                raise MemoryError(_first_line(error)) from None
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


def _runtime() -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtra(
            "neural models need the package onnxruntime: pip install 'rankwise[neural]'"
        ) from None
    return onnxruntime


def _providers(runtime: Any, device: str) -> list[str]:
    there = runtime.get_available_providers()
    if device == "cuda" and "CUDAExecutionProvider" not in there:
        raise RankwiseError(
            "this ONNX Runtime has no CUDA: install onnxruntime-gpu, or leave device=cuda away"
        )
    use_gpu = device != "cpu" and "CUDAExecutionProvider" in there
    return (
        ["CUDAExecutionProvider", "CPUExecutionProvider"] if use_gpu else ["CPUExecutionProvider"]
    )


def _is_memory(error: Exception) -> bool:
    text = str(error).lower()
    return isinstance(error, MemoryError) or any(
        sign in text for sign in ("failed to allocate", "out of memory", "bad_alloc", "bfcarena")
    )


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
