"""Opening a network on ONNX Runtime, on the device that was asked for or not at all."""

import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

from rankwise.errors import DataError, MissingExtra, RankwiseError

GPU = "CUDAExecutionProvider"
CPU = "CPUExecutionProvider"
#: Products of matrices in single precision: TF32, CUDA's default, keeps ten bits of each number.
SINGLE_PRECISION = {"use_tf32": "0"}


def open_session(file: str, device: str = "auto", threads: int = 0) -> Any:
    """The session of the network in *file*.

    ``device`` is ``cpu``, ``cuda``, or ``auto``: a GPU where ONNX Runtime is made for one, with a
    warning where it cannot be used. ``threads`` of 0 leaves the number to ONNX Runtime.
    """
    runtime = _runtime()
    made_for_gpu = GPU in runtime.get_available_providers()
    if device == "cuda" and not made_for_gpu:
        raise RankwiseError(
            "this ONNX Runtime has no CUDA: install onnxruntime-gpu, or leave device=cuda away"
        )
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    if device != "cpu" and made_for_gpu:
        try:
            return _on_gpu(runtime, file, options)
        except _NoGpuError as error:
            if device == "cuda":
                raise RankwiseError(f"{error}, or leave device=cuda away") from None
            warnings.warn(f"{error}; the network runs on the processor", stacklevel=4)
    try:
        return runtime.InferenceSession(file, sess_options=options, providers=[CPU])
    except Exception as error:  # the library has no tree of its own
        raise DataError(f"{file}: ONNX Runtime cannot open it: {first_line(error)}") from None


def first_line(error: Exception) -> str:
    """What an error of ONNX Runtime says, without the stack of its source files."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__


class _NoGpuError(Exception):
    """ONNX Runtime is made for a GPU, and cannot use one here."""


def _on_gpu(runtime: Any, file: str, options: Any) -> Any:
    """The session on a GPU.

    ONNX Runtime's own way back to the processor is off: it prints pages, and goes on so slowly that
    it must be the user's choice.
    """
    if hasattr(runtime, "preload_dlls"):
        # CUDA's libraries that came with packages of Python lie where the loader does not look.
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            runtime.preload_dlls()
    try:
        session = runtime.InferenceSession(
            file,
            sess_options=options,
            providers=[(GPU, SINGLE_PRECISION), CPU],
            enable_fallback=0,
        )
    except Exception as error:  # the library has no tree of its own
        raise _NoGpuError(f"ONNX Runtime cannot use the GPU ({_cause(error)})") from None
    if GPU not in session.get_providers():
        raise _NoGpuError(
            "ONNX Runtime cannot load CUDA's libraries: install CUDA and cuDNN of the versions "
            "that onnxruntime-gpu was made for (pip install 'onnxruntime-gpu[cuda,cudnn]')"
        )
    return session


def _cause(error: Exception) -> str:
    """The part of a message that says what failed: CUDA's own words where they are there."""
    text = first_line(error)
    start = text.find("CUDA failure")
    return text[start:].split(";")[0].strip() if start >= 0 else text


def _runtime() -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtra(
            "neural models need the package onnxruntime: pip install 'rankwise[neural]'"
        ) from None
    return onnxruntime
