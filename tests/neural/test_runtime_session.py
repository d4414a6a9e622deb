"""Networks run where they were asked to, or say why not; the runtime is played, without a GPU."""

import sys
from types import SimpleNamespace

import pytest

from rankwise.errors import DataError, RankwiseError
from rankwise.neural.runtime_session import CPU, GPU, open_session

NO_CARD = (
    "/src/cuda_call.cc:154 CUDA failure 100: no CUDA-capable device is detected ; GPU=-1 ; expr=x\n"
    "stack"
)


class PlayedRuntime(SimpleNamespace):
    """What ``onnxruntime`` offers; ``fails`` says what happens to a session on the GPU."""

    def __init__(self, available, fails=""):
        super().__init__(available=available, fails=fails, opened=[])

    def get_available_providers(self):
        return self.available

    def SessionOptions(self):  # noqa: N802
        return SimpleNamespace()

    def InferenceSession(self, file, sess_options, providers, **others):  # noqa: N802
        names = [one if isinstance(one, str) else one[0] for one in providers]
        self.opened.append((names, providers, others))
        if file == "damaged":
            raise ValueError("damaged model\nstack")
        if GPU in names and self.fails == "no card":
            raise RuntimeError(NO_CARD)
        if self.fails == "no libraries":
            names = [CPU]
        return SimpleNamespace(get_providers=lambda: names)


@pytest.fixture
def runtime(monkeypatch):
    def make(*available, fails=""):
        played = PlayedRuntime([*available, CPU], fails)
        monkeypatch.setitem(sys.modules, "onnxruntime", played)
        return played

    return make


def test_a_gpu_is_used_in_single_precision_and_without_ways_back(runtime):
    played = runtime(GPU)
    assert open_session("model").get_providers() == [GPU, CPU]
    [(_, providers, others)] = played.opened
    assert providers[0] == (GPU, {"use_tf32": "0"})
    assert others == {"enable_fallback": 0}


def test_the_processor_is_used_where_it_is_asked_for_or_all_there_is(runtime):
    runtime(GPU)
    assert open_session("model", "cpu").get_providers() == [CPU]
    runtime()
    assert open_session("model").get_providers() == [CPU]


@pytest.mark.parametrize(
    ("fails", "said"),
    [
        ("no card", "cannot use the GPU (CUDA failure 100: no CUDA-capable device is detected)"),
        ("no libraries", "cannot load CUDA's libraries: install CUDA and cuDNN"),
    ],
)
def test_a_gpu_that_cannot_be_used_is_never_replaced_in_silence(runtime, fails, said):
    runtime(GPU, fails=fails)
    with pytest.raises(RankwiseError) as refused:
        open_session("model", "cuda")
    assert said in str(refused.value)
    assert str(refused.value).endswith(", or leave device=cuda away")
    with pytest.warns(UserWarning, match="the network runs on the processor") as warned:
        assert open_session("model", "auto").get_providers() == [CPU]
    assert said in str(warned[0].message)


def test_an_onnx_runtime_without_cuda_says_what_to_install(runtime):
    runtime()
    with pytest.raises(RankwiseError, match="install onnxruntime-gpu"):
        open_session("model", "cuda")


def test_a_damaged_model_is_one_line(runtime):
    runtime()
    with pytest.raises(DataError, match=r"^damaged: ONNX Runtime cannot open it: damaged model$"):
        open_session("damaged")
