#!/usr/bin/env python3
"""Compares exported MetricX models with transformers, and with the formulas in double precision.

    python scripts/check_metricx.py [FOLDER]

Small random MT5 models are saved as the official classes save them, for every way in which a
version of MetricX reads texts; one has the vocabulary of mT5, where the score is the logit of token
250,089. The exported model, ``transformers`` and the formulas of T5, written out below in NumPy,
score the same segments (the formulas every fortieth) and must agree to 1e-4. With FOLDER the
exported models and the official numbers of some segments are written there (tests/neural/models).
"""

import json
import shutil
import sys
import tempfile
import warnings
from math import log, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import torch
from check_neural import texts
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    MT5Config,
    MT5ForConditionalGeneration,
    PreTrainedTokenizerFast,
    logging,
)

from rankwise.metrics.outside.scoring.metricx import metricx_model
from rankwise.neural import open_model
from rankwise.neural.export import export_metricx

Array = NDArray[np.float64]
KEPT = 40
VOCABULARY = 400
WHOLE_VOCABULARY = 250112
SCORE_TOKEN = 250089
MODELS = (
    "metricx-23-small",
    "metricx-23-qe-small",
    "metricx-24-small",
    "metricx-24-whole-vocabulary",
)


def main(target: Path | None) -> None:
    """Makes, exports, compares; writes what tests need into *target* if there is one."""
    warnings.filterwarnings("ignore")
    logging.set_verbosity_error()
    torch.set_num_threads(1)
    segments = texts()
    segments.append(["word " * 700, "ein Wort " * 600, "one word " * 500])
    outputs, sources, references = (list(column) for column in zip(*segments, strict=True))
    official: dict[str, Any] = {"segments": segments[:KEPT]}
    with tempfile.TemporaryDirectory() as temporary:
        for name in MODELS:
            model, exported = (Path(temporary) / part / name for part in ("made", "exported"))
            made(model, [text for row in segments for text in row])
            export_metricx(model, exported)
            export_metricx(model, exported.with_name(f"{name}-int8"), int8=True)
            found = compared(name, model, exported, outputs, sources, references)
            if name.startswith("metricx-24"):
                found["without_reference"] = compared(
                    name, model, exported, outputs, sources, None
                )["scores"]
            if target is not None and name in {"metricx-23-qe-small", "metricx-24-small"}:
                official[name] = found
                shutil.rmtree(target / name, ignore_errors=True)
                shutil.copytree(exported, target / name)
    if target is not None:
        written = json.dumps(official, ensure_ascii=False, indent=1)
        (target / "official_metricx.json").write_text(written + "\n")


def compared(
    name: str,
    model: Path,
    exported: Path,
    outputs: list[str],
    sources: list[str],
    references: list[str] | None,
) -> dict[str, Any]:
    """All three ways; what transformers says of the first segments."""
    theirs = metricx_model(str(model), "cpu").scores(outputs, sources, references, 16)
    ours = open_model(exported, threads=1).scored(outputs, sources, references).scores
    eight = open_model(exported.with_name(f"{name}-int8"), threads=1)
    small = eight.scored(outputs, sources, references).scores
    worst = np.abs(theirs - ours).max()
    formulas = Formulas(model)
    places = [*range(0, len(outputs) - 1, 40), len(outputs) - 1]
    written = [
        formulas.score(_text(name, outputs[i], sources[i], references and references[i]))
        for i in places
    ]
    second = np.abs(np.array(written) - ours[places]).max()
    inside = np.mean((ours > 0) & (ours < 25))
    print(
        f"{name}{'' if references else ' without reference'}: {len(outputs)} segments, largest "
        f"difference {worst:.1e}, from the formulas {second:.1e} over {len(places)} (standard "
        f"deviation {theirs.std():.2f}, {inside:.0%} between 0 and 25); int8 "
        f"{np.abs(small - ours).max():.1e}"
    )
    if not (max(worst, second) < 1e-4 < theirs.std() and inside > 0.5):
        sys.exit(f"{name}: exported scores differ by {worst} and {second}")
    return {"scores": theirs[:KEPT].tolist()}


def _text(name: str, output: str, source: str, reference: str | None) -> str:
    """The text that a model reads, as the documentation of MetricX has it."""
    if name.startswith("metricx-23-qe"):
        return f"candidate: {output} source: {source}"
    if name.startswith("metricx-23"):
        return f"candidate: {output} reference: {reference}"
    without = f"source: {source} candidate: {output}"
    return without if reference is None else f"{without} reference: {reference}"


# -- the models ------------------------------------------------------------------------------------


def made(folder: Path, lines: list[str]) -> None:
    """A random MT5 and its tokenizer, as Hugging Face saves them."""
    torch.manual_seed(3)
    is_whole = folder.name.endswith("vocabulary")
    tokenizer = t5_tokenizer(lines)
    network = MT5ForConditionalGeneration(
        MT5Config(
            vocab_size=WHOLE_VOCABULARY if is_whole else len(tokenizer),
            d_model=16,
            d_kv=6,
            d_ff=24,
            num_layers=3,
            num_decoder_layers=2,
            num_heads=3,
        )
    ).eval()
    for name, weight in network.named_parameters():
        centre = 1.0 if "layer_norm" in name else 0.0
        torch.nn.init.normal_(weight, centre, 0.1 if weight.dim() == 1 else 0.2)
    token = SCORE_TOKEN if is_whole else tokenizer.convert_tokens_to_ids("<extra_id_10>")
    aim(network, tokenizer, token, lines[:60])
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def aim(network: Any, tokenizer: Any, token: int, lines: list[str]) -> None:
    """Sets the row of the head so that scores lie around the middle of 0 to 25."""
    batch = tokenizer(lines, padding=True, truncation=True, max_length=100, return_tensors="pt")
    start = torch.zeros((len(lines), 1), dtype=torch.long)
    with torch.no_grad():
        found = network(
            batch["input_ids"],
            batch["attention_mask"],
            decoder_input_ids=start,
            output_hidden_states=True,
        )
        states = found.decoder_hidden_states[-1][:, 0]
        wanted = torch.linspace(4.0, 12.0, len(lines))
        squares = states.T @ states + torch.eye(states.shape[1])  # no large weights
        network.lm_head.weight[token] = torch.linalg.solve(squares, states.T @ wanted)


def t5_tokenizer(lines: list[str]) -> PreTrainedTokenizerFast:
    """A tokenizer of mT5's kind."""
    marks = ["<pad>", "</s>", "<unk>", "<extra_id_10>"]
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=VOCABULARY, special_tokens=marks, unk_token="<unk>"
    )
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )


# -- the formulas ----------------------------------------------------------------------------------


class Formulas:
    """T5 1.1 with a score for a word, as its papers describe it, one text at a time."""

    def __init__(self, folder: Path) -> None:
        network = MT5ForConditionalGeneration.from_pretrained(folder)
        self.config = network.config
        self.weights = {n: w.double().numpy() for n, w in network.state_dict().items()}
        self.tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
        small = self.config.vocab_size < SCORE_TOKEN
        found = self.tokenizer.convert_tokens_to_ids("<extra_id_10>")
        self.token = found if small else SCORE_TOKEN
        self.longest = 1536 if folder.name.startswith("metricx-24") else 1024

    def score(self, text: str) -> float:
        """The score of a text."""
        ids = self.tokenizer(text)["input_ids"][:-1][: self.longest - 1]
        state = self.weights["shared.weight"][ids]
        for number in range(self.config.num_layers):
            state = self.encoder_block(f"encoder.block.{number}.layer.", state)
        encoded = self.normed("encoder.final_layer_norm", state)
        state = self.weights["shared.weight"][:1]
        for number in range(self.config.num_decoder_layers):
            state = self.decoder_block(f"decoder.block.{number}.layer.", state, encoded)
        state = self.normed("decoder.final_layer_norm", state)
        return float(np.clip(state[0] @ self.weights["lm_head.weight"][self.token], 0, 25))

    def encoder_block(self, block: str, state: Array) -> Array:
        before = self.normed(block + "0.layer_norm", state)
        state = state + self.attended(block + "0.SelfAttention.", before, before, self.bias(state))
        return state + self.fed(block + "1.", state)

    def decoder_block(self, block: str, state: Array, encoded: Array) -> Array:
        before = self.normed(block + "0.layer_norm", state)
        state = state + self.attended(block + "0.SelfAttention.", before, before, 0.0)
        before = self.normed(block + "1.layer_norm", state)
        state = state + self.attended(block + "1.EncDecAttention.", before, encoded, 0.0)
        return state + self.fed(block + "2.", state)

    def attended(self, name: str, asking: Array, asked: Array, bias: Any) -> Array:
        heads = self.config.num_heads
        query, key, value = (
            (states @ self.weights[f"{name}{part}.weight"].T).reshape(len(states), heads, -1)
            for part, states in (("q", asking), ("k", asked), ("v", asked))
        )
        product = np.einsum("ahd,bhd->hab", query, key) + bias
        share = np.exp(product - product.max(axis=-1, keepdims=True))
        share /= share.sum(axis=-1, keepdims=True)
        found = np.einsum("hab,bhd->ahd", share, value).reshape(len(asking), -1)
        return np.asarray(found @ self.weights[f"{name}o.weight"].T)

    def bias(self, state: Array) -> Array:
        name = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        length = len(state)
        table = np.array([self.weights[name][bucket(d)] for d in range(-length, length + 1)])
        places = np.arange(length)
        return np.asarray(table[places[None, :] - places[:, None] + length].transpose(2, 0, 1))

    def fed(self, name: str, state: Array) -> Array:
        before = self.normed(name + "layer_norm", state)
        dense = name + "DenseReluDense."
        gate = before @ self.weights[dense + "wi_0.weight"].T
        gate = gate / 2 * (1 + np.tanh(sqrt(2 / pi) * (gate + 0.044715 * gate**3)))
        wide = gate * (before @ self.weights[dense + "wi_1.weight"].T)
        return np.asarray(wide @ self.weights[dense + "wo.weight"].T)

    def normed(self, name: str, state: Array) -> Array:
        root = np.sqrt((state**2).mean(axis=-1, keepdims=True) + self.config.layer_norm_epsilon)
        return np.asarray(state / root * self.weights[f"{name}.weight"])


def bucket(distance: int) -> int:
    """The bucket of a distance among 32: 8 exact ones, then by the logarithm up to 128."""
    away = abs(distance)
    if away >= 8:
        away = min(15, 8 + int(log(away / 8) / log(16) * 8 + 1e-9))
    return away + 16 * (distance > 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
