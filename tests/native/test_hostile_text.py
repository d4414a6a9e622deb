"""Text that breaks C++: lone surrogates, NUL, very long lines, lists that change while read."""

import threading

import pytest

from rankwise import _core

TOKENIZERS = ["none", "13a", "intl", "char", "zh", "zh-sacrebleu"]


def bleu(hypotheses, references):
    return _core.bleu_statistics(hypotheses, references, "13a", 4)


def overlap(hypotheses, references):
    return _core.overlap_statistics(hypotheses, references, "13a")


def chrf(hypotheses, references):
    return _core.chrf_statistics(hypotheses, references, 6, 2, False)


KERNELS = [bleu, overlap, chrf]
every_kernel = pytest.mark.parametrize("kernel", KERNELS)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_surrogates_and_nul_come_back(tokenizer):
    assert _core.tokenise(["\ud800 \x00 \udfff", ""], tokenizer) == [
        ["\ud800", "\x00", "\udfff"],
        [],
    ]


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("unit", ["a", "1.", ".", " ", "&lt;", "-\n", "é ", "中", "\U0010ffff"])
def test_long_runs(tokenizer, unit):
    (tokens,) = _core.tokenise([unit * 20_000], tokenizer)
    assert len("".join(tokens)) <= 20_000 * len(unit)


@every_kernel
def test_a_line_of_ten_million_characters(kernel):
    line = "word " * 2_000_000
    row = kernel([line], [line])[0].tolist()
    assert 2_000_000 in row


@every_kernel
def test_a_line_that_is_one_token(kernel):
    line = "x" * 5_000_000
    assert kernel([line], [[line, "x"]]).sum() > 0


@every_kernel
def test_nothing(kernel):
    assert kernel([], []).shape[0] == 0
    assert kernel([""], [[""]]).sum() == 0


@every_kernel
@pytest.mark.parametrize(
    ("hypotheses", "references", "error"),
    [
        (["a"], [], ValueError),
        (["a"], [[]], ValueError),
        (["a"], [[1]], TypeError),
        ([1], ["a"], TypeError),
        ("a", ["a"], TypeError),
        (["a"], "a", TypeError),
        (None, None, TypeError),
        (["a"], [{"a": 1}], TypeError),
    ],
)
def test_wrong_input_raises(kernel, hypotheses, references, error):
    with pytest.raises(error):
        kernel(hypotheses, references)


def test_unknown_tokenizer():
    with pytest.raises(ValueError, match="unknown tokenizer 'x'"):
        _core.bleu_statistics(["a"], ["a"], "x", 4)


@every_kernel
def test_lists_that_change_while_they_are_read(kernel):
    """A call sees the texts as they were when it began; nothing is read after it is freed."""
    texts = [f"some words number {i} of many" for i in range(5_000)]
    references = [[text, text + "!"] for text in texts]
    expected = kernel(texts, references).tolist()
    hypotheses = list(texts)
    stop = threading.Event()

    def mutate():
        while not stop.is_set():
            for i in range(0, len(texts), 7):
                hypotheses[i] = str(i) * 50
                references[i] = [str(i) * 50]
                hypotheses[i], references[i] = texts[i], [texts[i], texts[i] + "!"]

    thread = threading.Thread(target=mutate)
    thread.start()
    try:
        for _ in range(5):
            rows = kernel(hypotheses, references)
            assert rows.shape[1] == len(expected[0])
    finally:
        stop.set()
        thread.join()
    assert expected == kernel(hypotheses, references).tolist()


@every_kernel
def test_many_threads_call_at_once(kernel):
    texts = [f"some words number {i} of many, {i}.{i}" for i in range(500)]
    expected = kernel(texts, texts[::-1]).tolist()
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(kernel(texts, texts[::-1]).tolist()))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [expected] * 6 == results
